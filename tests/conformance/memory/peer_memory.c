/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory of two devices: whose it is, who may free it and whom that waits for,
 * pools and their allocations across devices.
 */
#include <string.h>

#include "conformance/nodes.h"

struct scene {
    struct fixture *fixture;
    rill_context *contexts[2];
    rill_stream *streams[2]; /* non-blocking */
};

static struct scene prepare(struct fixture *f)
{
    struct scene s = { f, { f->context, new_context(f, 1, 0) }, { NULL, NULL } };
    for (int i = 0; i < 2; i++)
        s.streams[i] = new_stream_in(f, s.contexts[i], RILL_STREAM_NON_BLOCKING);
    return s;
}

static rill_pointer_info info_of(rill_context *context, rill_devptr address)
{
    rill_pointer_info info = { .size = sizeof info };
    ok(rill_pointer_get_info(context, address, &info));
    return info;
}

/* ---- Whose it is --------------------------------------------------------------------------- */

static void an_address_tells_its_device_whoever_asks(void **state)
{
    struct scene s = prepare(*state);
    for (int i = 0; i < 2; i++) {
        rill_devptr p = words_on(s.contexts[i], 4);
        for (int k = 0; k < 2; k++) {
            rill_pointer_info info = info_of(s.contexts[k], p);
            assert_int_equal(info.known, 1);
            assert_int_equal(info.device, i);
            assert_ptr_equal(info.context, s.contexts[i]);
        }
    }
}

static void each_device_has_memory_of_its_own(void **state)
{
    needs_device_alone();
    struct scene s = prepare(*state);
    size_t before = 0, after = 0;
    rill_devptr p = 0;
    ok(rill_mem_info(s.contexts[1], &before, NULL));
    ok(rill_mem_alloc(s.contexts[0], 100 * MB, &p));
    ok(rill_mem_info(s.contexts[1], &after, NULL));
    assert_int_equal(after, before);
}

/* multi.pinned_both: whatever the flags */
static void pinned_memory_is_pinned_for_both_devices(void **state)
{
    struct fixture *f = *state;
    struct scene s = prepare(f);
    static uint32_t own[1024] __attribute__((aligned(4096)));
    void *portable = NULL, *plain = NULL;
    rill_kernel *k = new_kernel(f, s.contexts[1], &put_function);
    rill_devptr p = words_on(s.contexts[1], 4);
    ok(rill_host_alloc(s.contexts[0], 4096, RILL_HOST_PORTABLE, &portable));
    ok(rill_host_alloc(s.contexts[0], 4096, 0, &plain));
    ok(rill_host_register(s.contexts[0], own, sizeof own, 0));
    uint32_t *const all[] = { portable, plain, own };
    for (uint32_t i = 0; i < 3; i++) {
        rill_devptr address = 0;
        uint32_t flags = 0;
        memset(all[i], 0, 64);
        ok(rill_host_device_pointer(s.contexts[1], all[i], &address));
        assert_int_equal(address, at(all[i]));
        ok(rill_host_flags(s.contexts[1], all[i], &flags));
        assert_true(flags & RILL_HOST_MAPPED);
        ok(put(k, s.streams[1], address, 11 + i));
        ok(rill_memcpy_htod_async(s.streams[1], p, all[i], 4));
        ok(rill_memcpy_dtoh_async(s.streams[1], all[i] + 1, p, 4));
        ok(rill_stream_synchronize(s.streams[1]));
        assert_int_equal(all[i][0], 11 + i);
        assert_int_equal(all[i][1], 11 + i);
    }
    is(RILL_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
       rill_host_register(s.contexts[1], own, sizeof own, 0));
    ok(rill_host_free(s.contexts[1], portable));
    ok(rill_host_unregister(s.contexts[1], own));
}

/* ---- Freeing --------------------------------------------------------------------------------- */

/* multi.destroy_from_other */
static void either_device_may_free_what_the_other_allocated(void **state)
{
    struct scene s = prepare(*state);
    rill_devptr p = words_on(s.contexts[1], 4);
    void *host = NULL;
    ok(rill_host_alloc(s.contexts[1], 64, 0, &host));
    ok(rill_mem_free(s.contexts[0], p));
    is(RILL_ERROR_INVALID_VALUE, rill_mem_free(s.contexts[0], p));
    is(RILL_ERROR_INVALID_VALUE, rill_mem_free(s.contexts[1], p));
    ok(rill_host_free(s.contexts[0], host));
}

struct freeing {
    rill_context *context;
    rill_devptr address;
};

static rill_status free_it(void *data)
{
    struct freeing *freeing = data;
    return rill_mem_free(freeing->context, freeing->address);
}

static rill_status free_host(void *data)
{
    struct freeing *freeing = data;
    return rill_host_free(freeing->context, (void *)(uintptr_t)freeing->address);
}

/* multi.free_waits_whom, p2.waits */
static void a_free_waits_for_the_device_of_the_memory_only(void **state)
{
    struct fixture *f = *state;
    struct scene s = prepare(f);
    rill_devptr own = words_on(s.contexts[0], 4), p = 0;
    struct freeing other = { s.contexts[0], words_on(s.contexts[1], 4) };
    void *host = NULL;
    ok(rill_host_alloc(s.contexts[0], 64, 0, &host));
    struct gate *g = gate(f, s.streams[1]);
    ok(rill_mem_free(s.contexts[0], own));
    ok(rill_host_free(s.contexts[0], host));
    ok(rill_mem_alloc(s.contexts[0], 4096, &p));
    ok(rill_memset_d32(s.contexts[0], p, 1, 1));
    struct call *call = start_call(f, free_it, &other);
    blocked(call);
    open_gate(g);
    ok(finish_call(call));
}

/* p2.waits: portable_while_s0 */
static void a_free_of_pinned_memory_waits_for_the_device_that_it_was_allocated_on(void **state)
{
    struct fixture *f = *state;
    struct scene s = prepare(f);
    struct freeing host = { s.contexts[0], at(pinned(f, 64)) };
    struct gate *g = gate(f, s.streams[0]);
    struct call *call = start_call(f, free_host, &host);
    blocked(call);
    open_gate(g);
    ok(finish_call(call));
}

/* ---- Pools --------------------------------------------------------------------------------- */

/* multi.alloc_async */
static void a_stream_allocates_on_its_own_device(void **state)
{
    struct scene s = prepare(*state);
    for (int i = 0; i < 2; i++) {
        rill_stream *const all[] = { s.streams[i], rill_stream_legacy(s.contexts[i]),
                                     rill_stream_per_thread(s.contexts[i]) };
        for (int k = 0; k < 3; k++) {
            rill_devptr p = 0;
            ok(rill_mem_alloc_async(all[k], 64, &p));
            assert_int_equal(info_of(s.contexts[0], p).device, i);
            ok(rill_mem_free_async(all[k], p));
        }
    }
}

/* multi.alloc_async: pool1_s0, dev1_in_s0 */
static void it_allocates_from_a_pool_of_the_other_device_and_frees_into_it(void **state)
{
    struct fixture *f = *state;
    struct scene s = prepare(f);
    rill_pool *pools[2];
    for (int i = 0; i < 2; i++) ok(rill_device_default_pool(f->platform, i, &pools[i]));
    for (int i = 0; i < 2; i++) {
        rill_devptr p = from_pool(pools[!i], s.streams[i], 64), q = 0;
        assert_int_equal(info_of(s.contexts[i], p).device, !i);
        ok(rill_mem_alloc_async(s.streams[!i], 64, &q));
        for (int k = 0; k < 2; k++) ok(rill_stream_synchronize(s.streams[k]));
        ok(rill_mem_free_async(s.streams[i], q));
        ok(rill_mem_free_async(s.streams[!i], p));
        for (int k = 0; k < 2; k++) ok(rill_stream_synchronize(s.streams[k]));
    }
    for (int i = 0; i < 2; i++) assert_int_equal(pool_value(pools[i], RILL_POOL_USED_CURRENT), 0);
}

/* p2.pools: set_other, destroy_cur */
static void a_device_takes_no_pool_of_another(void **state)
{
    struct fixture *f = *state;
    rill_pool *own = NULL, *other = NULL, *current = NULL, *mine = NULL;
    const rill_pool_options options = { .size = sizeof options, .device = 1 };
    ok(rill_device_default_pool(f->platform, 0, &own));
    ok(rill_device_default_pool(f->platform, 1, &other));
    assert_ptr_not_equal(own, other);
    is(RILL_ERROR_INVALID_VALUE, rill_device_set_pool(f->platform, 0, other));
    ok(rill_pool_create(f->platform, &options, &mine));
    is(RILL_ERROR_INVALID_VALUE, rill_device_set_pool(f->platform, 0, mine));
    ok(rill_device_pool(f->platform, 0, &current));
    assert_ptr_equal(current, own);
    ok(rill_device_set_pool(f->platform, 1, mine));
    ok(rill_pool_destroy(&mine));
    ok(rill_device_pool(f->platform, 1, &current));
    assert_ptr_equal(current, other);
}

/* multi.pool_access, p2.pools */
static void access_to_a_pool_is_given_and_taken(void **state)
{
    struct fixture *f = *state;
    static const struct { rill_access try; rill_status answer; rill_access then; } steps[] = {
        { RILL_ACCESS_READ_WRITE, RILL_SUCCESS, RILL_ACCESS_READ_WRITE },
        { RILL_ACCESS_READ_WRITE, RILL_SUCCESS, RILL_ACCESS_READ_WRITE },
        { RILL_ACCESS_NONE, RILL_SUCCESS, RILL_ACCESS_NONE },
        { RILL_ACCESS_READ, RILL_ERROR_NOT_SUPPORTED, RILL_ACCESS_NONE },
        { RILL_ACCESS_READ_WRITE, RILL_SUCCESS, RILL_ACCESS_READ_WRITE },
        { RILL_ACCESS_READ, RILL_ERROR_NOT_SUPPORTED, RILL_ACCESS_READ_WRITE },
        { RILL_ACCESS_NONE, RILL_SUCCESS, RILL_ACCESS_NONE },
    };
    rill_pool *pool = NULL;
    rill_access access = RILL_ACCESS_READ;
    ok(rill_device_default_pool(f->platform, 0, &pool));
    ok(rill_pool_get_access(pool, 1, &access));
    assert_int_equal(access, RILL_ACCESS_NONE);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        is(steps[i].answer, rill_pool_set_access(pool, 1, steps[i].try));
        ok(rill_pool_get_access(pool, 1, &access));
        assert_int_equal(access, steps[i].then);
        ok(rill_pool_get_access(pool, 0, &access));
        assert_int_equal(access, RILL_ACCESS_READ_WRITE);
    }
}

/* multi.pool_access: older, newer */
static void access_counts_for_older_and_newer_memory(void **state)
{
    struct fixture *f = *state;
    struct scene s = prepare(f);
    rill_pool *pool = NULL;
    rill_devptr older = 0, newer = 0;
    rill_kernel *k = new_kernel(f, s.contexts[1], &put_function);
    ok(rill_device_default_pool(f->platform, 0, &pool));
    ok(rill_mem_alloc_async(s.streams[0], 64, &older));
    ok(rill_stream_synchronize(s.streams[0]));
    ok(rill_pool_set_access(pool, 1, RILL_ACCESS_READ_WRITE));
    ok(rill_mem_alloc_async(s.streams[0], 64, &newer));
    ok(rill_stream_synchronize(s.streams[0]));
    ok(put(k, s.streams[1], older, 3));
    ok(put(k, s.streams[1], newer, 4));
    ok(rill_memset_d32_async(s.streams[1], older + 4, 5, 1));
    ok(rill_memset_d32_async(s.streams[1], newer + 4, 6, 1));
    ok(rill_stream_synchronize(s.streams[1]));
    assert_int_equal(peek(f, older), 3);
    assert_int_equal(peek(f, newer), 4);
    assert_int_equal(peek(f, older + 4), 5);
    assert_int_equal(peek(f, newer + 4), 6);
    ok(rill_mem_free_async(s.streams[0], older));
    ok(rill_mem_free_async(s.streams[0], newer));
    ok(rill_stream_synchronize(s.streams[0]));
}

/* Kernels, copies and fills may use it, but these may not; as measured. */
static void values_do_not_reach_the_pool_of_another_device_whatever_its_access(void **state)
{
    struct fixture *f = *state;
    struct scene s = prepare(f);
    rill_pool *pool = new_pool(f, 0);
    rill_devptr p = from_pool(pool, s.streams[0], 64);
    ok(rill_pool_set_access(pool, 1, RILL_ACCESS_READ_WRITE));
    ok(rill_memset_d32_async(s.streams[0], p, 7, 16));
    ok(rill_stream_synchronize(s.streams[0]));
    const rill_value values[] = {
        { .kind = RILL_VALUE_WRITE_32, .address = p, .value = 1 },
        { .kind = RILL_VALUE_WRITE_64, .address = p, .value = 1 },
        { .kind = RILL_VALUE_WAIT_32, .address = p, .value = 1 },
        { .kind = RILL_VALUE_WAIT_64, .address = p, .value = 1 },
    };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        is(RILL_ERROR_INVALID_VALUE, rill_stream_batch_values(s.streams[1], &values[i], 1, 0));
        ok(rill_stream_query(s.streams[1]));
    }
    assert_int_equal(peek(f, p), 7);
    ok(rill_mem_free_async(s.streams[0], p));
    ok(rill_stream_synchronize(s.streams[0]));
    ok(rill_pool_destroy(&pool));
}

/* An exec of a graph of context 0 that was launched once: it allocates, and leaves that. */
static rill_devptr left_by(struct scene *s, rill_op op, int device)
{
    rill_graph *g = new_graph(s->fixture);
    rill_node node = NULL;
    ok(rill_graph_add_node(g, NULL, 0, &op, &node));
    assert_int_equal(op_of(g, node).alloc.device, device);
    assert_null(op_of(g, node).alloc.pool); /* which may go before the node */
    ok(run_exec(new_exec(s->fixture, g), s->streams[0]));
    assert_int_equal(info_of(s->contexts[0], op.alloc.address).device, device);
    return op.alloc.address;
}

static rill_pool *pool_of_device_1(struct fixture *f)
{
    const rill_pool_options options = { .size = sizeof options, .device = 1 };
    rill_pool *pool = NULL;
    ok(rill_pool_create(f->platform, &options, &pool));
    return pool;
}

static void a_graph_allocates_on_the_device_that_its_node_or_pool_names(void **state)
{
    struct fixture *f = *state;
    struct scene s = prepare(f);
    rill_pool *pool = pool_of_device_1(f);
    rill_op op = alloc_op(4096);
    ok(rill_mem_free(s.contexts[0], left_by(&s, op, 0)));
    op.alloc.device = 1;
    ok(rill_mem_free(s.contexts[0], left_by(&s, op, 1)));
    op.alloc.device = 0;
    op.alloc.pool = pool;
    ok(rill_mem_free(s.contexts[0], left_by(&s, op, 1)));
    ok(rill_pool_destroy(&pool));
}

static void what_a_graph_allocates_has_the_access_of_the_pool(void **state)
{
    struct fixture *f = *state;
    struct scene s = prepare(f);
    rill_pool *pool = pool_of_device_1(f);
    rill_devptr own = words_on(s.contexts[0], 1);
    uint32_t word = 0;
    ok(rill_pool_set_access(pool, 0, RILL_ACCESS_READ_WRITE));
    rill_op op = alloc_op(4096);
    op.alloc.pool = pool;
    rill_devptr there = left_by(&s, op, 1);
    poke(f, own, 7);
    ok(rill_memcpy_dtod_async(s.streams[0], there, own, sizeof word));
    ok(rill_stream_synchronize(s.streams[0]));
    ok(rill_memcpy_dtoh(s.contexts[1], &word, there, sizeof word));
    assert_int_equal(word, 7);
    ok(rill_mem_free(s.contexts[0], there));
    ok(rill_pool_destroy(&pool));
}

/* As within a device: MP-6 */
static void a_synchronize_of_a_device_gives_back_only_what_its_streams_freed(void **state)
{
    struct fixture *f = *state;
    struct scene s = prepare(f);
    rill_pool *pool = new_pool(f, 0);
    ok(rill_mem_free_async(s.streams[0], from_pool(pool, s.streams[0], 40 * MB)));
    drained(s.streams[0]);
    ok(rill_context_synchronize(s.contexts[1]));
    ok(rill_stream_synchronize(rill_stream_legacy(s.contexts[1])));
    assert_true(pool_value(pool, RILL_POOL_RESERVED_CURRENT) >= 40 * MB);
    ok(rill_context_synchronize(s.contexts[0]));
    assert_int_equal(pool_value(pool, RILL_POOL_RESERVED_CURRENT), 0);
    ok(rill_pool_destroy(&pool));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_address_tells_its_device_whoever_asks),
    cmocka_unit_test(each_device_has_memory_of_its_own),
    cmocka_unit_test(pinned_memory_is_pinned_for_both_devices),
    cmocka_unit_test(either_device_may_free_what_the_other_allocated),
    cmocka_unit_test(a_free_waits_for_the_device_of_the_memory_only),
    cmocka_unit_test(a_free_of_pinned_memory_waits_for_the_device_that_it_was_allocated_on),
    cmocka_unit_test(a_stream_allocates_on_its_own_device),
    cmocka_unit_test(it_allocates_from_a_pool_of_the_other_device_and_frees_into_it),
    cmocka_unit_test(a_device_takes_no_pool_of_another),
    cmocka_unit_test(access_to_a_pool_is_given_and_taken),
    cmocka_unit_test(access_counts_for_older_and_newer_memory),
    cmocka_unit_test(values_do_not_reach_the_pool_of_another_device_whatever_its_access),
    cmocka_unit_test(a_graph_allocates_on_the_device_that_its_node_or_pool_names),
    cmocka_unit_test(what_a_graph_allocates_has_the_access_of_the_pool),
    cmocka_unit_test(a_synchronize_of_a_device_gives_back_only_what_its_streams_freed),
};

SUITE_GROUP(peer_memory, 2);
