/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that is allocated and freed in stream order.
 */
#include "conformance/work.h"

/* ---- Allocating ------------------------------------------------------------------------- */

/* MP-1 */
static void the_address_is_there_at_once_and_the_memory_in_stream_order(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_kernel *k = kernel(f, &mul_add_function);
    rill_devptr p = 0, result = device_words(f, 1);
    struct gate *g = gate(f, s);
    ok(rill_mem_alloc_async(s, 64, &p));
    assert_int_not_equal(p, 0);
    assert_int_equal(p % 256, 0);
    ok(rill_memset_d32_async(s, p, 7, 16));
    ok(mul_add(k, s, p + 60, 10, 1));
    ok(rill_memcpy_dtod_async(s, result, p + 60, 4));
    ok(rill_mem_free_async(s, p));
    held(s);
    open_gate(g);
    ok(rill_stream_synchronize(s));
    assert_int_equal(peek(f, result), 71);
}

/* MP-1, MP-5, mem.async_cross_stream */
static void an_event_carries_it_to_other_streams_and_its_free_too(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_non_blocking(f), *b = new_non_blocking(f), *c = new_non_blocking(f);
    rill_event *e = new_event(f), *g = new_event(f);
    rill_kernel *puts = kernel(f, &put_function), *adds = kernel(f, &mul_add_function);
    rill_devptr p = 0, result = device_words(f, 1);
    struct gate *closed = gate(f, a);
    ok(rill_mem_alloc_async(a, 64, &p));
    ok(put(puts, a, p, 3));
    ok(rill_event_record(e, a, 0));
    ok(rill_stream_wait_event(b, e, 0));
    ok(mul_add(adds, b, p, 7, 1));
    ok(rill_memcpy_dtod_async(b, result, p, 4));
    ok(rill_event_record(g, b, 0));
    ok(rill_stream_wait_event(c, g, 0));
    ok(rill_mem_free_async(c, p));
    held(c);
    open_gate(closed);
    ok(rill_stream_synchronize(c));
    assert_int_equal(peek(f, result), 22);
}

static void every_kind_of_stream_allocates_and_frees(void **state)
{
    struct fixture *f = *state;
    rill_stream *const all[] = { new_stream(f), new_non_blocking(f), f->legacy, f->per_thread };
    rill_devptr p[4];
    for (int i = 0; i < 4; i++) {
        ok(rill_mem_alloc_async(all[i], 64, &p[i]));
        for (int k = 0; k < i; k++) assert_true(p[i] + 64 <= p[k] || p[k] + 64 <= p[i]);
        ok(rill_memset_d32_async(all[i], p[i], (uint32_t)i, 16));
    }
    ok(rill_context_synchronize(f->context));
    for (int i = 0; i < 4; i++) {
        assert_int_equal(peek(f, p[i] + 60), i);
        ok(rill_mem_free_async(all[i], p[i]));
    }
}

/* MP-2, p.pool_zero: nothing is address zero, which may be freed. */
static void nothing_is_allocated_at_address_zero(void **state)
{
    struct fixture *f = *state;
    rill_pool *own = NULL;
    rill_devptr p = 7, q = 7;
    ok(rill_device_default_pool(f->platform, 0, &own));
    ok(rill_mem_alloc_async(f->legacy, 0, &p));
    assert_int_equal(p, 0);
    ok(rill_mem_alloc_from_pool_async(f->legacy, own, 0, &q));
    assert_int_equal(q, 0);
    assert_int_equal(pool_value(own, RILL_POOL_USED_CURRENT), 0);
    ok(rill_mem_free_async(f->legacy, p));
    ok(rill_stream_synchronize(f->legacy));
}

/* p.pool_zero */
static void impossible_sizes_are_refused(void **state)
{
    struct fixture *f = *state;
    static const size_t sizes[] = { TOO_MUCH, SIZE_MAX, SIZE_MAX - 4096 };
    rill_devptr p = 0;
    for (int i = 0; i < 3; i++)
        is(RILL_ERROR_OUT_OF_MEMORY, rill_mem_alloc_async(f->legacy, sizes[i], &p));
    refuses(RILL_ERROR_INVALID_VALUE, "address", rill_mem_alloc_async(f->legacy, 64, NULL));
    ok(rill_mem_alloc_async(f->legacy, 64, &p));
    ok(rill_mem_free_async(f->legacy, p));
}

/* p.pool_pending_alloc */
static void the_bounds_hold_before_the_stream_gets_there(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_devptr p = 0, base = 0;
    size_t bytes = 0;
    struct gate *g = gate(f, s);
    ok(rill_mem_alloc_async(s, 1000, &p));
    ok(rill_mem_range(f->context, p + 999, &base, &bytes));
    assert_int_equal(base, p);
    assert_int_equal(bytes, 1000);
    ok(rill_memset_d8_async(s, p, 1, 1000));
    is(RILL_ERROR_INVALID_VALUE, rill_memset_d8_async(s, p, 1, 1001));
    is(RILL_ERROR_INVALID_VALUE, rill_memset_d8_async(s, p + 1000, 1, 1));
    open_gate(g);
    ok(rill_mem_free_async(s, p));
    ok(rill_stream_synchronize(s));
}

static void operations_allocate_and_free(void **state)
{
    struct fixture *f = *state;
    rill_pool *pool = new_pool(f, 0);
    rill_op alloc = { .kind = RILL_OP_ALLOC, .alloc = { .pool = pool, .bytes = 100 } };
    ok(rill_stream_submit(f->legacy, &alloc));
    assert_int_not_equal(alloc.alloc.address, 0);
    assert_int_equal(pool_value(pool, RILL_POOL_USED_CURRENT), 100);
    rill_op release = { .kind = RILL_OP_FREE, .free = { alloc.alloc.address } };
    ok(rill_stream_submit(f->legacy, &release));
    is(RILL_ERROR_INVALID_VALUE, rill_stream_submit(f->legacy, &release));
    ok(rill_stream_synchronize(f->legacy));
    ok(rill_pool_destroy(&pool));
}

/* mem.async_never_waits */
static void allocating_and_freeing_never_wait(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f), *other = new_non_blocking(f);
    rill_devptr p = 0, q = 0;
    ok(rill_mem_alloc_async(other, 64, &p));
    ok(rill_mem_free_async(other, p));
    ok(rill_stream_synchronize(other));
    gate(f, s);
    ok(rill_mem_alloc_async(other, 64, &p));
    ok(rill_mem_free_async(other, p));
    ok(rill_mem_alloc_async(s, 64, &q));
    ok(rill_mem_free_async(s, q));
    ok(rill_stream_synchronize(other));
    held(s);
}

/* ---- Freeing ------------------------------------------------------------------------------- */

/* MP-4, mem.async_double_free */
static void memory_is_freed_once_in_whatever_way(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_devptr p = 0, q = 0, u = 0;
    ok(rill_mem_alloc_async(s, 64, &p));
    ok(rill_mem_alloc_async(s, 64, &q));
    ok(rill_mem_alloc_async(s, 64, &u));
    ok(rill_stream_synchronize(s));
    ok(rill_mem_free_async(s, p));
    is(RILL_ERROR_INVALID_VALUE, rill_mem_free_async(s, p));
    is(RILL_ERROR_INVALID_VALUE, rill_mem_free(f->context, p));
    ok(rill_mem_free(f->context, q));
    is(RILL_ERROR_INVALID_VALUE, rill_mem_free(f->context, q));
    is(RILL_ERROR_INVALID_VALUE, rill_mem_free_async(s, q));
    struct gate *g = gate(f, s);
    ok(rill_mem_free_async(s, u));
    is(RILL_ERROR_INVALID_VALUE, rill_mem_free_async(s, u));
    open_gate(g);
    ok(rill_stream_synchronize(s));
}

/* p.freeasync_args */
static void only_the_start_of_an_allocation_can_be_freed(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_stream(f);
    static int local;
    static char registered[4096];
    rill_devptr p = 0;
    ok(rill_host_register(f->context, registered, sizeof registered, 0));
    ok(rill_mem_alloc_async(s, 4096, &p));
    const rill_devptr wrong[] = {
        p + 256, p + 4096, at(&local), at(pinned(f, 64)), at(registered), 0x1000,
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        refuses(RILL_ERROR_INVALID_VALUE, "address", rill_mem_free_async(s, wrong[i]));
    }
    ok(rill_mem_free_async(s, 0));
    ok(rill_mem_free_async(s, p));
    ok(rill_stream_synchronize(s));
    ok(rill_host_unregister(f->context, registered));
}

/* MP-4, p.pool_after_free, probe.freed */
static void memory_is_gone_from_the_call_that_frees_it_on(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_devptr p = 0, base;
    uint32_t word = 0;
    ok(rill_mem_alloc_async(s, 4096, &p));
    ok(rill_stream_synchronize(s));
    struct gate *g = gate(f, s);
    ok(rill_mem_free_async(s, p));
    for (int i = 0; i < 2; i++) {
        is(RILL_ERROR_NOT_FOUND, rill_mem_range(f->context, p, &base, NULL));
        is(RILL_ERROR_INVALID_VALUE, rill_memset_d8_async(s, p, 1, 16));
        is(RILL_ERROR_INVALID_VALUE, rill_memset_d8_async(f->legacy, p, 1, 16));
        is(RILL_ERROR_INVALID_VALUE, rill_memcpy_dtoh_async(s, &word, p, 4));
        is(RILL_ERROR_INVALID_VALUE, rill_stream_write_value32(s, p, 1, 0));
        is(RILL_ERROR_INVALID_VALUE, rill_pointer_set_sync_memops(f->context, p, 1));
        open_gate(g);
        ok(rill_stream_synchronize(s));
    }
}

/* What was submitted before the free still has the memory. */
static void work_before_the_free_still_has_the_memory(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f), *other = new_non_blocking(f);
    rill_devptr p = 0, q = 0, result = device_words(f, 1);
    struct gate *g = gate(f, s);
    ok(rill_mem_alloc_async(s, 4096, &p));
    ok(rill_memset_d32_async(s, p, 5, 1024));
    ok(rill_memcpy_dtod_async(s, result, p + 4092, 4));
    ok(rill_mem_free_async(s, p));
    for (int i = 0; i < 20; i++) { /* others get other memory */
        ok(rill_mem_alloc_async(other, 4096, &q));
        ok(rill_memset_d32_async(other, q, 99, 1024));
        ok(rill_stream_synchronize(other));
    }
    open_gate(g);
    ok(rill_stream_synchronize(s));
    assert_int_equal(peek(f, result), 5);
}

/* mem.async_sync_free, p.free_waits: pool */
static void the_synchronous_free_of_pool_memory_does_not_wait(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_stream(f);
    rill_devptr p = 0, q = 0;
    ok(rill_mem_alloc_async(s, 64, &p));
    ok(rill_mem_alloc_async(s, 64, &q));
    ok(rill_stream_synchronize(s));
    ok(rill_mem_free(f->context, p));
    gate(f, s);
    ok(rill_mem_free(f->context, q));
    held(s);
}

/* MP-5, p.freeasync_heap: ordinary */
static void ordinary_memory_is_freed_when_the_stream_gets_there(void **state)
{
    struct fixture *f = *state;
    size_t before = 0, pending = 0, after = 0;
    needs_device_alone();
    rill_stream *s = new_non_blocking(f);
    rill_devptr p = device_words(f, 1024), result = device_words(f, 1);
    struct gate *g = gate(f, s);
    ok(rill_mem_info(f->context, &before, NULL));
    ok(rill_memset_d32_async(s, p, 5, 1024));
    ok(rill_memcpy_dtod_async(s, result, p + 4092, 4));
    ok(rill_mem_free_async(s, p));
    ok(rill_mem_info(f->context, &pending, NULL));
    same_amount(pending, before);
    held(s);
    open_gate(g);
    ok(rill_stream_synchronize(s));
    assert_int_equal(peek(f, result), 5);
    ok(rill_mem_info(f->context, &after, NULL));
    if (suite->expects.counts_every_byte) assert_true(after >= before);
    is(RILL_ERROR_INVALID_VALUE, rill_mem_free_async(s, p));
    is(RILL_ERROR_INVALID_VALUE, rill_mem_free(f->context, p));
}

/* MP-9, p.pool_ctxgone: memory of a pool belongs to no context. */
static void memory_outlives_the_context_of_its_stream(void **state)
{
    struct fixture *f = *state;
    rill_context *other = new_context(f, 0, RILL_CONTEXT_OWN);
    rill_stream *s = new_stream_in(f, other, 0);
    rill_devptr p = 0;
    ok(rill_mem_alloc_async(s, 64, &p));
    ok(rill_memset_d32_async(s, p, 5, 16));
    forget(f, other);
    ok(rill_context_destroy(&other));
    assert_int_equal(peek(f, p + 60), 5);
    ok(rill_mem_free(f->context, p));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_address_is_there_at_once_and_the_memory_in_stream_order),
    cmocka_unit_test(an_event_carries_it_to_other_streams_and_its_free_too),
    cmocka_unit_test(every_kind_of_stream_allocates_and_frees),
    cmocka_unit_test(nothing_is_allocated_at_address_zero),
    cmocka_unit_test(impossible_sizes_are_refused),
    cmocka_unit_test(the_bounds_hold_before_the_stream_gets_there),
    cmocka_unit_test(operations_allocate_and_free),
    cmocka_unit_test(allocating_and_freeing_never_wait),
    cmocka_unit_test(memory_is_freed_once_in_whatever_way),
    cmocka_unit_test(only_the_start_of_an_allocation_can_be_freed),
    cmocka_unit_test(memory_is_gone_from_the_call_that_frees_it_on),
    cmocka_unit_test(work_before_the_free_still_has_the_memory),
    cmocka_unit_test(the_synchronous_free_of_pool_memory_does_not_wait),
    cmocka_unit_test(ordinary_memory_is_freed_when_the_stream_gets_there),
    cmocka_unit_test(memory_outlives_the_context_of_its_stream),
};

SUITE_GROUP(stream_memory, 1);
