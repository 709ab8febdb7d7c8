/* SPDX-License-Identifier: Apache-2.0
 *
 * Stream attributes: which there are, what they take, how they are copied.
 */
#include "conformance/fixture.h"

static rill_attribute get(rill_stream *stream, rill_attribute_id id)
{
    rill_attribute attribute = { .id = id };
    ok(rill_stream_get_attribute(stream, &attribute));
    return attribute;
}

static rill_status set_policy(rill_stream *stream, int policy)
{
    const rill_attribute attribute = { .id = RILL_ATTRIBUTE_SYNC_POLICY, .sync_policy = policy };
    return rill_stream_set_attribute(stream, &attribute);
}

static int policy_of(rill_stream *stream)
{
    return get(stream, RILL_ATTRIBUTE_SYNC_POLICY).sync_policy;
}

/* oracle stream.attr_sync_policy */
static void the_sync_policy_is_unset_at_first_and_takes_four_values(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_non_blocking(f);
    assert_int_equal(policy_of(stream), -1);
    is(RILL_ERROR_INVALID_VALUE, set_policy(stream, 0));
    blames("rill_stream_set_attribute", "attribute->sync_policy");
    assert_int_equal(policy_of(stream), -1);
    for (int policy = RILL_SYNC_AUTO; policy <= RILL_SYNC_BLOCK; policy++) {
        ok(set_policy(stream, policy));
        assert_int_equal(policy_of(stream), policy);
    }
    is(RILL_ERROR_INVALID_VALUE, set_policy(stream, 5));
    is(RILL_ERROR_INVALID_VALUE, set_policy(stream, -1));
    assert_int_equal(policy_of(stream), RILL_SYNC_BLOCK);
}

/* oracle stream.attr_sync_policy */
static void the_default_streams_keep_attributes_of_their_own(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(policy_of(f->legacy), -1);
    ok(set_policy(f->legacy, RILL_SYNC_YIELD));
    assert_int_equal(policy_of(f->legacy), RILL_SYNC_YIELD);
    assert_int_equal(policy_of(f->per_thread), -1);
    ok(set_policy(f->per_thread, RILL_SYNC_SPIN));
    assert_int_equal(policy_of(f->per_thread), RILL_SYNC_SPIN);
    assert_int_equal(policy_of(f->legacy), RILL_SYNC_YIELD);
}

/* EV-16, for streams: only how a thread waits changes. */
static void a_host_thread_waits_under_every_policy(void **state)
{
    struct fixture *f = *state;
    for (int policy = RILL_SYNC_AUTO; policy <= RILL_SYNC_BLOCK; policy++) {
        rill_stream *stream = new_stream(f);
        ok(set_policy(stream, policy));
        struct gate *closed = gate(f, stream);
        mark(f, stream, 'a');
        struct call *call = start_call(f, synchronize_stream, stream);
        blocked(call);
        open_gate(closed);
        ok(finish_call(call));
        assert_int_equal(atomic_load(&f->mark_count), 2 * policy - 1);
        mark(f, stream, 'b');
        ok(rill_stream_synchronize(stream));
    }
    order(f, "abababab");
}

static rill_status set_domain(rill_stream *stream, int domain)
{
    const rill_attribute attribute = { .id = RILL_ATTRIBUTE_MEM_SYNC_DOMAIN, .domain = domain };
    return rill_stream_set_attribute(stream, &attribute);
}

/* oracle stream.attr_mem_sync */
static void there_are_two_memory_synchronization_domains(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f);
    assert_int_equal(get(stream, RILL_ATTRIBUTE_MEM_SYNC_DOMAIN).domain, 0);
    ok(set_domain(stream, 1));
    assert_int_equal(get(stream, RILL_ATTRIBUTE_MEM_SYNC_DOMAIN).domain, 1);
    is(RILL_ERROR_INVALID_VALUE, set_domain(stream, 2));
    blames("rill_stream_set_attribute", "attribute->domain");
    is(RILL_ERROR_INVALID_VALUE, set_domain(stream, -1));
    assert_int_equal(get(stream, RILL_ATTRIBUTE_MEM_SYNC_DOMAIN).domain, 1);
    ok(set_domain(stream, 0));
    assert_int_equal(get(stream, RILL_ATTRIBUTE_MEM_SYNC_DOMAIN).domain, 0);
}

static rill_status set_map(rill_stream *stream, uint8_t local, uint8_t remote)
{
    const rill_attribute attribute = {
        .id = RILL_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP, .domain_map = { local, remote },
    };
    return rill_stream_set_attribute(stream, &attribute);
}

static void map_is(rill_stream *stream, int local, int remote)
{
    rill_domain_map map = get(stream, RILL_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP).domain_map;
    assert_int_equal(map.local, local);
    assert_int_equal(map.remote, remote);
}

/* oracle stream.attr_mem_sync */
static void the_domain_map_takes_the_four_domains_of_the_device(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f);
    map_is(stream, 0, 1);
    ok(set_map(stream, 1, 1));
    map_is(stream, 1, 1);
    ok(set_map(stream, 0, 0));
    map_is(stream, 0, 0);
    ok(set_map(stream, 3, 2));
    map_is(stream, 3, 2);
    is(RILL_ERROR_INVALID_VALUE, set_map(stream, 200, 1));
    blames("rill_stream_set_attribute", "attribute->domain_map.local");
    is(RILL_ERROR_INVALID_VALUE, set_map(stream, 0, 4));
    blames("rill_stream_set_attribute", "attribute->domain_map.remote");
    map_is(stream, 3, 2);
}

static void the_access_window_reads_back(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f);
    rill_devptr memory = 0;
    ok(rill_mem_alloc(f->context, 4096, &memory));
    rill_access_window window = get(stream, RILL_ATTRIBUTE_ACCESS_WINDOW).window;
    assert_int_equal(window.base, 0);
    assert_int_equal(window.bytes, 0);
    const rill_attribute attribute = {
        .id = RILL_ATTRIBUTE_ACCESS_WINDOW,
        .window = { .base = memory, .bytes = 4096, .hit_ratio = 0.5f, .hit = 1, .miss = 0 },
    };
    ok(rill_stream_set_attribute(stream, &attribute));
    window = get(stream, RILL_ATTRIBUTE_ACCESS_WINDOW).window;
    assert_int_equal(window.base, memory);
    assert_int_equal(window.bytes, 4096);
    assert_true(window.hit_ratio == 0.5f);
    assert_int_equal(window.hit, 1);
    assert_int_equal(window.miss, 0);
}

static rill_status set_window(rill_stream *stream, size_t bytes, float ratio, int miss)
{
    const rill_attribute attribute = {
        .id = RILL_ATTRIBUTE_ACCESS_WINDOW,
        .window = { .base = 0x1000, .bytes = bytes, .hit_ratio = ratio, .hit = 1, .miss = miss },
    };
    return rill_stream_set_attribute(stream, &attribute);
}

/* Measured; what lies in the window does not matter. */
static void an_access_window_that_cannot_be_is_refused(void **state)
{
    enum { MOST = 128 << 20, STREAMING = 1, PERSISTING = 2 };
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f);
    ok(set_window(stream, 4096, 0, 0));
    ok(set_window(stream, 4096, 1, STREAMING));
    ok(set_window(stream, MOST, 1, 0));
    is(RILL_ERROR_INVALID_VALUE, set_window(stream, (size_t)MOST + 1, 1, 0));
    is(RILL_ERROR_INVALID_VALUE, set_window(stream, 4096, 2, 0));
    is(RILL_ERROR_INVALID_VALUE, set_window(stream, 4096, -1, 0));
    is(RILL_ERROR_INVALID_VALUE, set_window(stream, 4096, 1, PERSISTING));
    assert_int_equal(get(stream, RILL_ATTRIBUTE_ACCESS_WINDOW).window.bytes, MOST);
}

static rill_stream *urgent_stream(struct fixture *f, int *priority)
{
    ok(rill_context_priority_range(f->context, NULL, priority));
    return new_stream_with(f, *priority);
}

/* ST-14 */
static void the_priority_can_be_asked_for_as_an_attribute(void **state)
{
    struct fixture *f = *state;
    int priority;
    rill_stream *stream = urgent_stream(f, &priority);
    assert_int_equal(get(stream, RILL_ATTRIBUTE_PRIORITY).priority, priority);
}

static int priority_set_to(rill_stream *stream, int wanted)
{
    const rill_attribute attribute = { .id = RILL_ATTRIBUTE_PRIORITY, .priority = wanted };
    int priority = 99;
    ok(rill_stream_set_attribute(stream, &attribute));
    ok(rill_stream_priority(stream, &priority));
    return priority;
}

/* ST-6; measured */
static void the_priority_can_be_set_as_an_attribute_and_is_clamped(void **state)
{
    struct fixture *f = *state;
    int least, greatest;
    rill_stream *stream = urgent_stream(f, &greatest);
    ok(rill_context_priority_range(f->context, &least, NULL));
    assert_int_equal(priority_set_to(stream, least), least);
    assert_int_equal(priority_set_to(stream, -1000), greatest);
    assert_int_equal(priority_set_to(stream, 1000), least);
}

/* ST-14 */
static void what_is_no_attribute_of_streams_is_refused(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f);
    const int ids[] = { RILL_ATTRIBUTE_COOPERATIVE, RILL_ATTRIBUTE_CLUSTER,
                        RILL_ATTRIBUTE_DEVICE_UPDATABLE, 99, -1 };
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        rill_attribute attribute = { .id = (rill_attribute_id)ids[i] };
        refuses(RILL_ERROR_INVALID_VALUE, "attribute->id",
                rill_stream_get_attribute(stream, &attribute));
        refuses(RILL_ERROR_INVALID_VALUE, "attribute->id",
                rill_stream_set_attribute(stream, &attribute));
    }
    refuses(RILL_ERROR_INVALID_VALUE, "attribute", rill_stream_get_attribute(stream, NULL));
    refuses(RILL_ERROR_INVALID_VALUE, "attribute", rill_stream_set_attribute(stream, NULL));
}

/* oracle stream.attr_copy */
static void copying_carries_every_attribute_over_the_priority_too(void **state)
{
    struct fixture *f = *state;
    int greatest, priority = 99;
    rill_stream *from = urgent_stream(f, &greatest), *to = new_stream(f);
    ok(set_policy(from, RILL_SYNC_YIELD));
    ok(set_domain(from, 1));
    ok(set_map(from, 2, 3));
    const rill_attribute window = {
        .id = RILL_ATTRIBUTE_ACCESS_WINDOW, .window = { .bytes = 64, .hit_ratio = 1 },
    };
    ok(rill_stream_set_attribute(from, &window));
    ok(rill_stream_copy_attributes(to, from));
    assert_int_equal(policy_of(to), RILL_SYNC_YIELD);
    assert_int_equal(get(to, RILL_ATTRIBUTE_MEM_SYNC_DOMAIN).domain, 1);
    map_is(to, 2, 3);
    assert_int_equal(get(to, RILL_ATTRIBUTE_ACCESS_WINDOW).window.bytes, 64);
    ok(rill_stream_priority(to, &priority));
    assert_int_equal(priority, greatest);
    /* A copy is no link. */
    ok(set_policy(from, RILL_SYNC_BLOCK));
    assert_int_equal(policy_of(to), RILL_SYNC_YIELD);
}

/* oracle stream.attr_copy */
static void attributes_are_copied_to_and_from_default_streams_and_to_itself(void **state)
{
    struct fixture *f = *state;
    rill_stream *from = new_stream(f), *to = new_stream(f);
    ok(set_policy(from, RILL_SYNC_YIELD));
    ok(rill_stream_copy_attributes(from, from));
    assert_int_equal(policy_of(from), RILL_SYNC_YIELD);
    ok(rill_stream_copy_attributes(f->legacy, from));
    ok(rill_stream_copy_attributes(to, f->legacy));
    assert_int_equal(policy_of(to), RILL_SYNC_YIELD);
    refuses(RILL_ERROR_INVALID_HANDLE, "src", rill_stream_copy_attributes(to, NULL));
    refuses(RILL_ERROR_INVALID_HANDLE, "dst", rill_stream_copy_attributes(NULL, from));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_sync_policy_is_unset_at_first_and_takes_four_values),
    cmocka_unit_test(the_default_streams_keep_attributes_of_their_own),
    cmocka_unit_test(a_host_thread_waits_under_every_policy),
    cmocka_unit_test(there_are_two_memory_synchronization_domains),
    cmocka_unit_test(the_domain_map_takes_the_four_domains_of_the_device),
    cmocka_unit_test(the_access_window_reads_back),
    cmocka_unit_test(an_access_window_that_cannot_be_is_refused),
    cmocka_unit_test(the_priority_can_be_asked_for_as_an_attribute),
    cmocka_unit_test(the_priority_can_be_set_as_an_attribute_and_is_clamped),
    cmocka_unit_test(what_is_no_attribute_of_streams_is_refused),
    cmocka_unit_test(copying_carries_every_attribute_over_the_priority_too),
    cmocka_unit_test(attributes_are_copied_to_and_from_default_streams_and_to_itself),
};

SUITE_GROUP(stream_attributes, 1);
