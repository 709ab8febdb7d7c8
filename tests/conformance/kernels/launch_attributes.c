/* SPDX-License-Identifier: Apache-2.0
 *
 * Attributes of launches: which are taken, which are refused, and how large a
 * cooperative grid may be.
 */
#include "conformance/work.h"

#define MULTIPROCESSORS 132 /* of the device that was measured */

static rill_op with(rill_kernel *kernel, const rill_attribute *attributes, size_t count)
{
    return (rill_op){
        .kind = RILL_OP_KERNEL,
        .kernel = { .kernel = kernel, .grid = { 16, 1, 1 }, .block = one,
                    .attributes = attributes, .attribute_count = count },
    };
}

static rill_status launch_with(struct fixture *f, rill_kernel *kernel, rill_attribute attribute)
{
    rill_op op = with(kernel, &attribute, 1);
    return rill_stream_submit(f->legacy, &op);
}

/* err.launch_ex, probe.launch_attr */
static void these_attributes_are_taken(void **state)
{
    struct fixture *f = *state;
    int least, greatest;
    ok(rill_context_priority_range(f->context, &least, &greatest));
    const rill_attribute all[] = {
        { .id = RILL_ATTRIBUTE_IGNORE },
        { .id = RILL_ATTRIBUTE_ACCESS_WINDOW },
        { .id = RILL_ATTRIBUTE_COOPERATIVE },
        { .id = RILL_ATTRIBUTE_COOPERATIVE, .cooperative = 1 },
        { .id = RILL_ATTRIBUTE_CLUSTER_SCHEDULING },
        { .id = RILL_ATTRIBUTE_PROGRAMMATIC_SERIALIZATION, .programmatic = 1 },
        { .id = RILL_ATTRIBUTE_PRIORITY, .priority = greatest },
        { .id = RILL_ATTRIBUTE_PRIORITY, .priority = -1000 },
        { .id = RILL_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP },
        { .id = RILL_ATTRIBUTE_MEM_SYNC_DOMAIN, .domain = 1 },
        { .id = RILL_ATTRIBUTE_PREFERRED_CLUSTER },
        { .id = RILL_ATTRIBUTE_SHARED_CARVEOUT },
        { .id = RILL_ATTRIBUTE_NVLINK_SCHEDULING },
    };
    rill_kernel *k = kernel(f, &nop_function);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) ok(launch_with(f, k, all[i]));
    ok(rill_context_synchronize(f->context));
}

/* err.launch_ex, probe.launch_attr */
static void these_attributes_are_refused(void **state)
{
    struct fixture *f = *state;
    static const rill_attribute all[] = {
        { .id = RILL_ATTRIBUTE_SYNC_POLICY, .sync_policy = RILL_SYNC_SPIN },
        { .id = RILL_ATTRIBUTE_MEM_SYNC_DOMAIN, .domain = 9 },
        { .id = RILL_ATTRIBUTE_MEM_SYNC_DOMAIN, .domain = -1 },
        { .id = (rill_attribute_id)15 },
        { .id = (rill_attribute_id)17 },
        { .id = (rill_attribute_id)99 },
        { .id = (rill_attribute_id)-1 },
    };
    rill_kernel *k = kernel(f, &nop_function);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        is(RILL_ERROR_INVALID_VALUE, launch_with(f, k, all[i]));
    ok(rill_context_synchronize(f->context));
}

/* probe.launch_attr: 13 */
static void a_plain_launch_cannot_be_updated_from_the_device(void **state)
{
    struct fixture *f = *state;
    const rill_attribute updatable = { .id = RILL_ATTRIBUTE_DEVICE_UPDATABLE };
    is(RILL_ERROR_NOT_SUPPORTED, launch_with(f, kernel(f, &nop_function), updatable));
}

/* ---- Events of launches ---------------------------------------------------------------- */

static const rill_attribute_id event_ids[] = {
    RILL_ATTRIBUTE_PROGRAMMATIC_EVENT, RILL_ATTRIBUTE_COMPLETION_EVENT,
};

static rill_attribute records(rill_attribute_id id, rill_event *event)
{
    return (rill_attribute){ .id = id, .event = { .event = event } };
}

/* EV-21, probe.launch_attr: completion, programmatic */
static void a_launch_records_its_event(void **state)
{
    struct fixture *f = *state;
    rill_kernel *k = kernel(f, &nop_function);
    for (int i = 0; i < 2; i++) {
        rill_event *e = new_event(f);
        struct gate *g = gate(f, f->legacy);
        ok(launch_with(f, k, records(event_ids[i], e)));
        event_held(e);
        open_gate(g);
        ok(rill_event_synchronize(e));
    }
}

/* EV-21, probe.launch_attr: completion_timed */
static void it_does_not_record_an_event_with_timing(void **state)
{
    struct fixture *f = *state;
    rill_event *timed = new_event_in(f, f->context, RILL_EVENT_TIMING);
    rill_kernel *k = kernel(f, &nop_function);
    is(RILL_ERROR_NOT_SUPPORTED,
       launch_with(f, k, records(RILL_ATTRIBUTE_COMPLETION_EVENT, timed)));
}

/* probe.launch_attr: 7, 12 */
static void an_event_attribute_without_its_event_is_refused(void **state)
{
    struct fixture *f = *state;
    rill_kernel *k = kernel(f, &nop_function);
    for (int i = 0; i < 2; i++)
        is(RILL_ERROR_INVALID_HANDLE, launch_with(f, k, records(event_ids[i], NULL)));
}

/* ER-3 */
static void a_refused_launch_leaves_its_event_as_it_was(void **state)
{
    struct fixture *f = *state;
    rill_event *e = new_event(f);
    const rill_attribute both[] = {
        records(RILL_ATTRIBUTE_COMPLETION_EVENT, e), { .id = (rill_attribute_id)99 },
    };
    rill_op op = with(kernel(f, &nop_function), both, 2);
    struct gate *g = gate(f, f->legacy);
    is(RILL_ERROR_INVALID_VALUE, rill_stream_submit(f->legacy, &op));
    ok(rill_event_query(e));
    open_gate(g);
}

/* ---- Several ---------------------------------------------------------------------------- */

/* err.launch_ex */
static void one_attribute_may_be_given_twice(void **state)
{
    struct fixture *f = *state;
    const rill_attribute twice[] = {
        { .id = RILL_ATTRIBUTE_PRIORITY }, { .id = RILL_ATTRIBUTE_PRIORITY, .priority = -1 },
    };
    rill_op op = with(kernel(f, &nop_function), twice, 2);
    ok(rill_stream_submit(f->legacy, &op));
    ok(rill_context_synchronize(f->context));
}

static void a_bad_attribute_among_good_ones_refuses_the_launch(void **state)
{
    struct fixture *f = *state;
    const rill_attribute both[] = {
        { .id = RILL_ATTRIBUTE_PRIORITY }, { .id = (rill_attribute_id)99 },
    };
    const uint32_t value = 5;
    const rill_devptr word = device_words(f, 1);
    const void *const params[] = { &word, &value };
    rill_op op = with(kernel(f, &put_function), both, 2);
    op.kernel.params = params;
    is(RILL_ERROR_INVALID_VALUE, rill_stream_submit(f->legacy, &op));
    ok(rill_context_synchronize(f->context));
    assert_int_equal(peek(f, word), 0);
}

/* probe.launch_attr: null_attrs */
static void a_missing_array_of_attributes_is_refused(void **state)
{
    struct fixture *f = *state;
    rill_op op = with(kernel(f, &nop_function), NULL, 1);
    is(RILL_ERROR_INVALID_VALUE, rill_stream_submit(f->legacy, &op));
}

static rill_attribute cluster(uint32_t x, uint32_t y, uint32_t z)
{
    return (rill_attribute){ .id = RILL_ATTRIBUTE_CLUSTER, .cluster = { x, y, z } };
}

/* err.launch_ex, probe.launch_attr: a grid of 16 blocks */
static void clusters_divide_the_grid_and_hold_at_most_eight_blocks(void **state)
{
    struct fixture *f = *state;
    rill_kernel *k = kernel(f, &nop_function);
    ok(launch_with(f, k, cluster(0, 0, 0)));
    for (uint32_t blocks = 1; blocks <= 8; blocks *= 2)
        ok(launch_with(f, k, cluster(blocks, 1, 1)));
    is(RILL_ERROR_INVALID_CLUSTER_SIZE, launch_with(f, k, cluster(16, 1, 1)));
    is(RILL_ERROR_INVALID_CLUSTER_SIZE, launch_with(f, k, cluster(3, 1, 1)));
    is(RILL_ERROR_INVALID_CLUSTER_SIZE, launch_with(f, k, cluster(1, 2, 1)));
    is(RILL_ERROR_INVALID_CLUSTER_SIZE, launch_with(f, k, cluster(2, 0, 1)));
    ok(rill_context_synchronize(f->context));
}

static rill_status launch_together(struct fixture *f, rill_kernel *k, rill_dim3 grid,
                                   rill_dim3 block)
{
    const rill_attribute together = { .id = RILL_ATTRIBUTE_COOPERATIVE, .cooperative = 1 };
    rill_op op = with(k, &together, 1);
    op.kernel.grid = grid;
    op.kernel.block = block;
    return rill_stream_submit(f->legacy, &op);
}

/* err.launch_cooperative, probe.launch_attr: coop_max, coop_over */
static void a_cooperative_grid_must_fit_the_device_at_once(void **state)
{
    struct fixture *f = *state;
    rill_kernel *k = kernel(f, &nop_function);
    const uint32_t most = MULTIPROCESSORS * 32; /* of blocks of one thread */
    ok(launch_together(f, k, (rill_dim3){ most, 1, 1 }, one));
    is(RILL_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
       launch_together(f, k, (rill_dim3){ most + 1, 1, 1 }, one));
    ok(launch_together(f, k, (rill_dim3){ 2, MULTIPROCESSORS, 1 }, (rill_dim3){ 1024, 1, 1 }));
    is(RILL_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
       launch_together(f, k, (rill_dim3){ 1 << 20, 1, 1 }, (rill_dim3){ 1024, 1, 1 }));
    is(RILL_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
       launch_together(f, k, (rill_dim3){ 0x7fffffff, 65535, 65535 }, one));
    is(RILL_ERROR_INVALID_VALUE, launch_together(f, k, (rill_dim3){ 0, 1, 1 }, one));
    ok(rill_context_synchronize(f->context));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(these_attributes_are_taken),
    cmocka_unit_test(these_attributes_are_refused),
    cmocka_unit_test(a_plain_launch_cannot_be_updated_from_the_device),
    cmocka_unit_test(a_launch_records_its_event),
    cmocka_unit_test(it_does_not_record_an_event_with_timing),
    cmocka_unit_test(an_event_attribute_without_its_event_is_refused),
    cmocka_unit_test(a_refused_launch_leaves_its_event_as_it_was),
    cmocka_unit_test(one_attribute_may_be_given_twice),
    cmocka_unit_test(a_bad_attribute_among_good_ones_refuses_the_launch),
    cmocka_unit_test(a_missing_array_of_attributes_is_refused),
    cmocka_unit_test(clusters_divide_the_grid_and_hold_at_most_eight_blocks),
    cmocka_unit_test(a_cooperative_grid_must_fit_the_device_at_once),
};

SUITE_GROUP(launch_attributes, 1);
