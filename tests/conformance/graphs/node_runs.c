/* SPDX-License-Identifier: Apache-2.0
 *
 * What nodes of each kind do when their graph is launched.
 */
#include <string.h>

#include "conformance/nodes.h"

/* ---- Kernels -------------------------------------------------------------------------- */

/* node.kernel_args_copied, node.kernel_extra, node.kernel_set */
static void a_kernel_runs_with_what_its_node_says(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_devptr p = device_words(f, 2), q = p + 4;
    uint32_t value = 1;
    const void *params[] = { &p, &value };
    rill_op op = kernel_op(kernel(f, &put_function), params);
    rill_node node = add(g, NULL, op);
    const rill_devptr first = p;
    value = 2;
    p = q;
    ok(run_once(f, g));
    assert_int_equal(peek(f, first), 1);
    assert_int_equal(peek(f, q), 0);
    ok(rill_node_set_op(g, node, &op));
    value = 3;
    ok(run_once(f, g));
    assert_int_equal(peek(f, q), 2);
    unsigned char buffer[12];
    memcpy(buffer, &first, 8);
    memcpy(buffer + 8, &value, 4);
    op.kernel.params = NULL;
    op.kernel.buffer = buffer;
    op.kernel.buffer_bytes = sizeof buffer;
    ok(rill_node_set_op(g, node, &op));
    ok(run_once(f, g));
    assert_int_equal(peek(f, first), 3);
}

/* ---- Copies and fills ------------------------------------------------------------------- */

/* node.memcpy_directions */
static void copies_go_in_every_direction(void **state)
{
    struct fixture *f = *state;
    static uint32_t page[8];
    rill_devptr d = device_words(f, 8);
    uint32_t *pin = pinned(f, 32);
    page[0] = 11;
    pin[0] = 22;
    const rill_op ops[] = {
        copy_op(rill_device_place(d), rill_host_place(page), 4),
        copy_op(rill_device_place(d + 4), rill_host_place(pin), 4),
        copy_op(rill_device_place(d + 8), rill_device_place(d), 8),
        copy_op(rill_host_place(page + 1), rill_device_place(d + 12), 4),
        copy_op(rill_host_place(pin + 1), rill_device_place(d), 4),
        copy_op(rill_host_place(page + 2), rill_host_place(page), 8),
        copy_op(rill_host_place(pin + 2), rill_host_place(pin), 8),
        copy_op(rill_device_place(d + 16), rill_device_place(at(pin)), 4),
    };
    rill_graph *g = new_graph(f);
    rill_node last = NULL;
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) last = add(g, last, ops[i]);
    ok(run_once(f, g));
    static const uint32_t device[] = { 11, 22, 11, 22, 22 };
    static const uint32_t pageable[] = { 11, 22, 11, 22 }, host[] = { 22, 11, 22, 11 };
    for (size_t i = 0; i < 5; i++) assert_int_equal(peek(f, d + 4 * i), device[i]);
    assert_memory_equal(page, pageable, sizeof pageable);
    assert_memory_equal(pin, host, sizeof host);
}

/* node.memcpy_reads_late */
static void host_memory_is_read_when_the_graph_runs(void **state)
{
    struct fixture *f = *state;
    static uint32_t page;
    rill_devptr d = device_words(f, 2);
    uint32_t *pin = pinned(f, 4);
    rill_graph *g = new_graph(f);
    rill_node first = add(g, NULL, copy_op(rill_device_place(d), rill_host_place(&page), 4));
    add(g, first, copy_op(rill_device_place(d + 4), rill_host_place(pin), 4));
    rill_exec *exec = new_exec(f, g);
    rill_stream *s = new_non_blocking(f);
    for (uint32_t i = 3; i < 5; i++) {
        page = *pin = i;
        ok(rill_exec_launch(exec, s));
        ok(rill_stream_synchronize(s));
        assert_int_equal(peek(f, d), i);
        assert_int_equal(peek(f, d + 4), i);
    }
}

/* What is written behind the launch is seen in pinned memory alone, also when the launch
 * waits.  Each launch has its own of the pageable memory, and an exec that was changed in
 * between reads what it was changed to. */
static void pageable_memory_is_read_by_the_launch(void **state)
{
    struct fixture *f = *state;
    static uint32_t page, other;
    rill_devptr d = device_words(f, 4);
    uint32_t *pin = pinned(f, 4);
    rill_graph *g = new_graph(f), *h = new_graph(f);
    rill_node first = add(g, NULL, copy_op(rill_device_place(d), rill_host_place(&page), 4));
    add(g, first, copy_op(rill_device_place(d + 4), rill_host_place(pin), 4));
    add(h, NULL, copy_op(rill_device_place(d + 8), rill_host_place(&page), 4));
    rill_exec *exec = new_exec(f, g), *alone = new_exec(f, h);
    rill_stream *s = new_non_blocking(f);
    rill_op changed = copy_op(rill_device_place(d), rill_host_place(&other), 4);
    page = *pin = 3;
    other = 8;
    struct gate *closed = gate(f, s);
    ok(rill_exec_launch(exec, s));
    page = 4;
    ok(rill_exec_launch(alone, s));
    page = *pin = 5;
    held(s);
    open_gate(closed);
    ok(rill_stream_synchronize(s));
    assert_int_equal(peek(f, d), 3);
    assert_int_equal(peek(f, d + 4), 5);
    assert_int_equal(peek(f, d + 8), 4);

    closed = gate(f, s);
    ok(rill_exec_launch(exec, s));
    ok(rill_exec_set_op(exec, first, &changed));
    ok(rill_exec_launch(exec, s));
    page = other = 9;
    open_gate(closed);
    ok(rill_stream_synchronize(s));
    assert_int_equal(peek(f, d), 8);
    ok(rill_exec_launch(alone, s));
    ok(rill_stream_synchronize(s));
    assert_int_equal(peek(f, d + 8), 9);
}

/* node.memset_set, node.memset_value_width */
static void fills_fill_rows_of_elements(void **state)
{
    struct fixture *f = *state;
    rill_devptr d = device_words(f, 16);
    rill_op op = {
        .kind = RILL_OP_MEMSET,
        .memset = { .dst = d, .pitch = 32, .value = 0x56781234, .element_bytes = 2, .width = 3,
                    .height = 2 },
    };
    rill_graph *g = new_graph(f);
    add(g, NULL, op);
    op.memset = (rill_fill){ .dst = d + 16, .value = 0x12345678, .element_bytes = 1, .width = 4,
                             .height = 1 };
    add(g, NULL, op);
    ok(run_once(f, g));
    assert_int_equal(peek(f, d), 0x12341234);
    assert_int_equal(peek(f, d + 4), 0x1234);
    assert_int_equal(peek(f, d + 16), 0x78787878);
    assert_int_equal(peek(f, d + 32), 0x12341234);
    assert_int_equal(peek(f, d + 8), 0);
}

/* ---- Values ----------------------------------------------------------------------------- */

/* memop.batch_order, memop.batch_array_copied */
static void a_batch_is_done_in_its_order(void **state)
{
    struct fixture *f = *state;
    rill_devptr d = device_words(f, 4);
    struct gate *closed = new_gate(f);
    rill_value items[] = {
        { .kind = RILL_VALUE_WRITE_32, .address = d, .value = 1 },
        { .kind = RILL_VALUE_WAIT_32, .address = address_of(f, closed->word), .value = 1 },
        { .kind = RILL_VALUE_BARRIER },
        { .kind = RILL_VALUE_WRITE_32, .address = d, .value = 2 },
        { .kind = RILL_VALUE_WRITE_64, .address = d + 8, .value = UINT64_C(3) << 32 | 4 },
    };
    rill_graph *g = new_graph(f);
    rill_node batch = add(g, NULL, values_op(items, 5));
    add(g, batch, copy_op(rill_device_place(d + 4), rill_device_place(d), 4));
    memset(items, 0, sizeof items);
    rill_exec *exec = new_exec(f, g);
    rill_stream *s = new_non_blocking(f);
    ok(rill_exec_launch(exec, s));
    held(s);
    open_gate(closed);
    ok(rill_stream_synchronize(s));
    assert_int_equal(peek(f, d), 2);
    assert_int_equal(peek(f, d + 4), 2);
    assert_int_equal(peek(f, d + 8), 4);
    assert_int_equal(peek(f, d + 12), 3);
}

static void a_wait_node_holds_only_what_is_behind_it(void **state)
{
    struct fixture *f = *state;
    struct gate *closed = new_gate(f);
    atomic_uint *behind = new_word(f), *seen = new_word(f);
    const rill_value wait = { .kind = RILL_VALUE_WAIT_32, .value = 1,
                              .address = address_of(f, closed->word) };
    rill_graph *g = new_graph(f);
    rill_node waiting = add(g, NULL, values_op(&wait, 1));
    add(g, waiting, fill_op(address_of(f, behind), 7, 1));
    const rill_value beside = { .kind = RILL_VALUE_WRITE_32, .address = address_of(f, seen),
                                .value = 1 };
    add(g, NULL, values_op(&beside, 1));
    rill_exec *exec = new_exec(f, g);
    rill_stream *s = new_non_blocking(f);
    ok(rill_exec_launch(exec, s));
    for (uint64_t end = fixture_patience(); fixture_before(end) && !atomic_load(seen);) continue;
    assert_int_equal(atomic_load(seen), 1);
    held(s);
    assert_int_equal(atomic_load(behind), 0);
    open_gate(closed);
    ok(rill_stream_synchronize(s));
    assert_int_equal(atomic_load(behind), 7);
}

/* ---- Order ------------------------------------------------------------------------------ */

static void add_three(void *data)
{
    *(uint32_t *)data += 3;
}

/* One node of each kind in a row, each working on what the one before it left. */
static void nodes_of_every_kind_come_one_after_the_other(void **state)
{
    struct fixture *f = *state;
    rill_devptr d = device_words(f, 1);
    uint32_t *pin = pinned(f, 4), by = 10, more = 1;
    const void *params[] = { &d, &by, &more };
    rill_kernel *k = kernel(f, &mul_add_function);
    const rill_value value = { .kind = RILL_VALUE_WAIT_32, .flags = RILL_WAIT_EQ, .address = d,
                               .value = 241 };
    rill_graph *g = new_graph(f);
    rill_node last = add(g, NULL, fill_op(d, 2, 1));
    last = add(g, last, kernel_op(k, params));                                       /* 21  */
    last = add(g, last, copy_op(rill_host_place(pin), rill_device_place(d), 4));
    last = add(g, last, (rill_op){ .kind = RILL_OP_EMPTY });
    last = add(g, last, host_op(add_three, pin));                                    /* 24  */
    last = add(g, last, copy_op(rill_device_place(d), rill_host_place(pin), 4));
    last = add(g, last, kernel_op(k, params));                                       /* 241 */
    last = add(g, last, values_op(&value, 1));
    rill_event *event = new_event(f);
    last = add(g, last, event_op(RILL_OP_EVENT_RECORD, event));
    last = add(g, last, kernel_op(k, params));
    rill_exec *exec = new_exec(f, g);
    rill_stream *s = new_non_blocking(f);
    for (int i = 0; i < 3; i++) ok(rill_exec_launch(exec, s));
    ok(rill_event_synchronize(event));
    ok(rill_stream_synchronize(s));
    assert_int_equal(*pin, 24);
    assert_int_equal(peek(f, d), 2411);
}

/* ---- Faults ----------------------------------------------------------------------------- */

static void a_kernel_that_fails_names_its_node_and_stream(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_node first = add(g, NULL, (rill_op){ .kind = RILL_OP_EMPTY });
    rill_devptr d = device_words(f, 1);
    rill_node last = add(g, first, kernel_op(kernel(f, suite->fault), NULL));
    add(g, last, fill_op(d, 7, 1));
    rill_exec *exec = new_exec(f, g);
    rill_stream *s = new_non_blocking(f);
    ok(rill_stream_set_label(s, "doomed"));
    ok(rill_exec_launch(exec, s));
    is(RILL_ERROR_LAUNCH_FAILED, rill_stream_synchronize(s));
    const rill_error *last_error = rill_last_error();
    if (!suite->expects.names_faults) return; /* the rest is unknown */
    assert_int_equal(last_error->cause.status, RILL_ERROR_LAUNCH_FAILED);
    assert_string_equal(last_error->cause.object, "node 1 in stream 'doomed'");
    assert_non_null(strstr(last_error->cause.operation, suite->fault->name));
    assert_int_equal(*RILL_DEVICE_MEMORY(d, uint32_t), 0); /* what is behind it does not run */
}

/* node.batch_bad: addr0 is taken; H200, driver 580.159.04: no launch is */
static void a_value_where_no_memory_is_refuses_launches(void **state)
{
    struct fixture *f = *state;
    static uint32_t word;
    rill_stream *s = new_non_blocking(f);
    const rill_value nowhere[] = {
        { .kind = RILL_VALUE_WRITE_32, .value = 1 },
        { .kind = RILL_VALUE_WRITE_32, .address = 0x10000, .value = 1 },
        { .kind = RILL_VALUE_WRITE_32, .address = (uintptr_t)&word, .value = 1 },
        { .kind = RILL_VALUE_WAIT_64, .value = 1 },
    };
    for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; i++) {
        rill_graph *g = new_graph(f);
        const rill_value values[] = { { .kind = RILL_VALUE_BARRIER }, nowhere[i] };
        add(g, NULL, values_op(values, 2));
        rill_exec *exec = new_exec(f, g);
        refuses(RILL_ERROR_INVALID_VALUE, "exec", rill_exec_launch(exec, s));
        ok(rill_stream_synchronize(s));
    }
    assert_int_equal(word, 0);
}

static void a_value_node_that_is_set_to_memory_launches(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_stream *s = new_non_blocking(f);
    rill_devptr d = device_words(f, 1);
    rill_value value = { .kind = RILL_VALUE_WRITE_32, .value = 5 };
    rill_node node = add(g, NULL, values_op(&value, 1));
    rill_exec *exec = new_exec(f, g);
    is(RILL_ERROR_INVALID_VALUE, rill_exec_launch(exec, s));
    value.address = d;
    rill_op op = values_op(&value, 1);
    ok(rill_exec_set_op(exec, node, &op));
    ok(rill_exec_launch(exec, s));
    ok(rill_stream_synchronize(s));
    assert_int_equal(peek(f, d), 5);
}

/* H200, driver 580.159.04 */
static void a_fill_of_memory_that_was_freed_is_no_exec(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_devptr d;
    rill_exec *exec = NULL;
    ok(rill_mem_alloc(f->context, (size_t)4 << 20, &d));
    add(g, NULL, fill_op(d, 1, 1));
    ok(rill_mem_free(f->context, d));
    refuses(RILL_ERROR_INVALID_VALUE, "graph", rill_exec_create(g, NULL, &exec));
}

static void a_copy_of_memory_that_was_freed_fails_the_device(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_devptr d, to = device_words(f, 1);
    ok(rill_mem_alloc(f->context, (size_t)4 << 20, &d));
    add(g, NULL, copy_op(rill_device_place(to), rill_device_place(d), 4));
    ok(rill_mem_free(f->context, d));
    is(RILL_ERROR_LAUNCH_FAILED, run_once(f, g));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_kernel_runs_with_what_its_node_says),
    cmocka_unit_test(copies_go_in_every_direction),
    cmocka_unit_test(host_memory_is_read_when_the_graph_runs),
    cmocka_unit_test(pageable_memory_is_read_by_the_launch),
    cmocka_unit_test(fills_fill_rows_of_elements),
    cmocka_unit_test(a_batch_is_done_in_its_order),
    cmocka_unit_test(a_wait_node_holds_only_what_is_behind_it),
    cmocka_unit_test(nodes_of_every_kind_come_one_after_the_other),
    cmocka_unit_test(a_kernel_that_fails_names_its_node_and_stream),
    cmocka_unit_test(a_value_where_no_memory_is_refuses_launches),
    cmocka_unit_test(a_value_node_that_is_set_to_memory_launches),
    cmocka_unit_test(a_fill_of_memory_that_was_freed_is_no_exec),
    cmocka_unit_test(a_copy_of_memory_that_was_freed_fails_the_device),
};

SUITE_GROUP(node_runs, 1);
