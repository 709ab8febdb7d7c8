/* SPDX-License-Identifier: Apache-2.0
 *
 * Pools: their attributes, the pools of a device, their limits and ends.
 */
#include "conformance/work.h"

/* ---- Attributes ------------------------------------------------------------------------ */

static void has(rill_pool *pool, rill_pool_attribute attribute, uint64_t expected)
{
    assert_int_equal(pool_value(pool, attribute), expected);
}

/* MP-3, MP-6, mem.pool_attributes */
static void a_new_pool_is_empty_and_reuses_in_every_way(void **state)
{
    struct fixture *f = *state;
    rill_pool *all[2] = { NULL, new_pool(f, 0) };
    ok(rill_device_default_pool(f->platform, 0, &all[0]));
    for (int i = 0; i < 2; i++) {
        for (int a = 1; a <= 3; a++) has(all[i], (rill_pool_attribute)a, 1);
        for (int a = 4; a <= 8; a++) has(all[i], (rill_pool_attribute)a, 0);
    }
    ok(rill_pool_destroy(&all[1]));
    assert_null(all[1]);
}

/* mem.pool_attributes, p.pool_attrs */
static void the_switches_of_reuse_can_be_set(void **state)
{
    struct fixture *f = *state;
    rill_pool *pool = new_pool(f, 0);
    for (int a = 1; a <= 3; a++) {
        rill_pool_attribute attribute = (rill_pool_attribute)a;
        ok(rill_pool_set_attribute(pool, attribute, 0));
        has(pool, attribute, 0);
        for (int b = a + 1; b <= 3; b++) has(pool, (rill_pool_attribute)b, 1);
        ok(rill_pool_set_attribute(pool, attribute, 2)); /* any truth */
        has(pool, attribute, 1);
        ok(rill_pool_set_attribute(pool, attribute, 0));
    }
    ok(rill_pool_destroy(&pool));
}

/* mem.pool_attributes */
static void the_threshold_can_be_set(void **state)
{
    struct fixture *f = *state;
    rill_pool *pool = new_pool(f, 0);
    static const uint64_t values[] = { 12345, UINT64_MAX, 0 };
    for (int i = 0; i < 3; i++) {
        ok(rill_pool_set_attribute(pool, RILL_POOL_RELEASE_THRESHOLD, values[i]));
        has(pool, RILL_POOL_RELEASE_THRESHOLD, values[i]);
    }
    ok(rill_pool_destroy(&pool));
}

/* MP-7, mem.pool_attributes */
static void amounts_can_only_have_their_peaks_set_to_zero(void **state)
{
    struct fixture *f = *state;
    rill_pool *pool = new_pool(f, 0);
    is(RILL_ERROR_INVALID_VALUE, rill_pool_set_attribute(pool, RILL_POOL_RESERVED_CURRENT, 0));
    is(RILL_ERROR_INVALID_VALUE, rill_pool_set_attribute(pool, RILL_POOL_USED_CURRENT, 0));
    refuses(RILL_ERROR_INVALID_VALUE, "value",
            rill_pool_set_attribute(pool, RILL_POOL_RESERVED_HIGH, 1));
    is(RILL_ERROR_INVALID_VALUE, rill_pool_set_attribute(pool, RILL_POOL_USED_HIGH, 1));
    ok(rill_pool_set_attribute(pool, RILL_POOL_RESERVED_HIGH, 0));
    ok(rill_pool_set_attribute(pool, RILL_POOL_USED_HIGH, 0));
    ok(rill_pool_destroy(&pool));
}

/* mem.pool_attributes, p.pool_attrs */
static void unknown_attributes_are_refused(void **state)
{
    struct fixture *f = *state;
    static const int unknown[] = { 0, 9, 99, -1 };
    rill_pool *pool = new_pool(f, 0);
    uint64_t value = 0;
    for (int i = 0; i < 4; i++) {
        rill_pool_attribute attribute = (rill_pool_attribute)unknown[i];
        refuses(RILL_ERROR_INVALID_VALUE, "attribute",
                rill_pool_get_attribute(pool, attribute, &value));
        refuses(RILL_ERROR_INVALID_VALUE, "attribute", rill_pool_set_attribute(pool, attribute, 0));
    }
    ok(rill_pool_destroy(&pool));
}

/* mem.pool_used, p.pool_high */
static void used_memory_is_counted_to_the_byte_with_its_peak(void **state)
{
    struct fixture *f = *state;
    rill_pool *pool = new_pool(f, 0);
    rill_stream *s = new_stream(f);
    keep_all(pool);
    rill_devptr p = from_pool(pool, s, 1000), q = from_pool(pool, s, 4096);
    has(pool, RILL_POOL_USED_CURRENT, 5096);
    assert_true(pool_value(pool, RILL_POOL_RESERVED_CURRENT) >= 5096);
    ok(rill_stream_synchronize(s));
    has(pool, RILL_POOL_USED_CURRENT, 5096);
    struct gate *g = gate(f, s);
    ok(rill_mem_free_async(s, p)); /* counts from the call on */
    has(pool, RILL_POOL_USED_CURRENT, 4096);
    has(pool, RILL_POOL_USED_HIGH, 5096);
    open_gate(g);
    ok(rill_stream_synchronize(s));
    ok(rill_pool_set_attribute(pool, RILL_POOL_USED_HIGH, 0));
    has(pool, RILL_POOL_USED_HIGH, 4096); /* what is used now */
    ok(rill_mem_free_async(s, q));
    ok(rill_stream_synchronize(s));
    has(pool, RILL_POOL_USED_CURRENT, 0);
    has(pool, RILL_POOL_USED_HIGH, 4096);
    assert_true(pool_value(pool, RILL_POOL_RESERVED_CURRENT) > 0);
    ok(rill_pool_destroy(&pool));
}

/* p.pool_high */
static void the_peak_of_reserved_memory_falls_to_what_is_reserved(void **state)
{
    struct fixture *f = *state;
    rill_pool *pool = new_pool(f, 0);
    rill_stream *s = new_stream(f);
    ok(rill_mem_free_async(s, from_pool(pool, s, 100 * MB)));
    ok(rill_stream_synchronize(s));
    has(pool, RILL_POOL_RESERVED_CURRENT, 0);
    assert_true(pool_value(pool, RILL_POOL_RESERVED_HIGH) >= 100 * MB);
    ok(rill_pool_set_attribute(pool, RILL_POOL_RESERVED_HIGH, 0));
    has(pool, RILL_POOL_RESERVED_HIGH, 0);
    ok(rill_pool_destroy(&pool));
}

/* ---- The pools of a device ---------------------------------------------------------------- */

/* mem.pool_current */
static void allocations_without_a_pool_come_from_the_current_one(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_stream(f);
    rill_pool *own = NULL, *current = NULL, *pool = new_pool(f, 0);
    rill_pointer_info info = { .size = sizeof info };
    rill_devptr p = 0;
    ok(rill_device_default_pool(f->platform, 0, &own));
    ok(rill_device_pool(f->platform, 0, &current));
    assert_ptr_equal(current, own);
    ok(rill_device_set_pool(f->platform, 0, pool));
    ok(rill_device_pool(f->platform, 0, &current));
    assert_ptr_equal(current, pool);
    ok(rill_mem_alloc_async(s, 64, &p));
    ok(rill_pointer_get_info(f->context, p, &info));
    assert_ptr_equal(info.pool, pool);
    ok(rill_mem_free_async(s, p));
    ok(rill_device_set_pool(f->platform, 0, own));
    ok(rill_mem_alloc_async(s, 64, &p));
    ok(rill_pointer_get_info(f->context, p, &info));
    assert_ptr_equal(info.pool, own);
    ok(rill_mem_free_async(s, p));
    ok(rill_stream_synchronize(s));
    ok(rill_pool_destroy(&pool));
}

/* MP-8, mem.pool_current */
static void destroying_the_current_pool_brings_the_default_one_back(void **state)
{
    struct fixture *f = *state;
    rill_pool *own = NULL, *current = NULL, *pool = new_pool(f, 0);
    ok(rill_device_default_pool(f->platform, 0, &own));
    ok(rill_device_set_pool(f->platform, 0, pool));
    ok(rill_pool_destroy(&pool));
    ok(rill_device_pool(f->platform, 0, &current));
    assert_ptr_equal(current, own);
}

/* MP-8, mem.pool_current */
static void the_default_pool_cannot_be_destroyed(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_stream(f);
    rill_pool *own = NULL;
    rill_devptr p = 0;
    ok(rill_device_default_pool(f->platform, 0, &own));
    is(RILL_ERROR_INVALID_VALUE, rill_pool_destroy(&own));
    ok(rill_mem_alloc_async(s, 64, &p));
    ok(rill_mem_free_async(s, p));
}

/* mem.pool_current, q.pool_args */
static void a_device_that_is_not_there_has_no_pools(void **state)
{
    struct fixture *f = *state;
    static const int wrong[] = { 99, -1 };
    rill_pool *pool = new_pool(f, 0), *found = NULL;
    for (int i = 0; i < 2; i++) {
        is(RILL_ERROR_INVALID_DEVICE, rill_device_default_pool(f->platform, wrong[i], &found));
        is(RILL_ERROR_INVALID_VALUE, rill_device_pool(f->platform, wrong[i], &found));
        is(RILL_ERROR_INVALID_VALUE, rill_device_set_pool(f->platform, wrong[i], pool));
    }
    ok(rill_pool_destroy(&pool));
}

/* mem.pool_props: id_999, id_-1 */
static void a_pool_is_not_made_where_no_device_is(void **state)
{
    struct fixture *f = *state;
    static const int wrong[] = { 999, -1 };
    for (int i = 0; i < 2; i++) {
        const rill_pool_options options = { .size = sizeof options, .device = wrong[i] };
        rill_pool *pool = NULL;
        refuses(RILL_ERROR_INVALID_VALUE, "options->device",
                rill_pool_create(f->platform, &options, &pool));
        assert_null(pool);
    }
}

/* mem.pool_null */
static void missing_pools_and_outputs_are_refused(void **state)
{
    struct fixture *f = *state;
    rill_pool *own = NULL;
    rill_devptr p = 0;
    uint64_t value = 0;
    ok(rill_device_default_pool(f->platform, 0, &own));
    is(RILL_ERROR_INVALID_VALUE, rill_pool_trim(NULL, 0));
    is(RILL_ERROR_INVALID_VALUE,
       rill_pool_get_attribute(NULL, RILL_POOL_RELEASE_THRESHOLD, &value));
    is(RILL_ERROR_INVALID_VALUE, rill_pool_set_attribute(NULL, RILL_POOL_RELEASE_THRESHOLD, 0));
    is(RILL_ERROR_INVALID_VALUE, rill_mem_alloc_from_pool_async(f->legacy, NULL, 64, &p));
    is(RILL_ERROR_INVALID_VALUE, rill_device_set_pool(f->platform, 0, NULL));
    is(RILL_ERROR_INVALID_VALUE, rill_device_default_pool(f->platform, 0, NULL));
    is(RILL_ERROR_INVALID_VALUE, rill_device_pool(f->platform, 0, NULL));
    is(RILL_ERROR_INVALID_VALUE, rill_pool_create(f->platform, NULL, NULL));
    is(RILL_ERROR_INVALID_VALUE,
       rill_pool_get_attribute(own, RILL_POOL_RELEASE_THRESHOLD, NULL));
    is(RILL_ERROR_INVALID_VALUE, rill_mem_alloc_from_pool_async(f->legacy, own, 64, NULL));
    ok(rill_pool_destroy(NULL));
    rill_pool *none = NULL;
    ok(rill_pool_destroy(&none));
}

/* ---- Access ------------------------------------------------------------------------------- */

/* p.pool_access1 */
static void a_device_reads_and_writes_its_own_pools(void **state)
{
    struct fixture *f = *state;
    rill_pool *pool = new_pool(f, 0);
    static const struct { int access; rill_status answer; } tries[] = {
        { RILL_ACCESS_NONE, RILL_ERROR_INVALID_DEVICE },
        { RILL_ACCESS_READ, RILL_ERROR_NOT_SUPPORTED },
        { RILL_ACCESS_READ_WRITE, RILL_SUCCESS },
        { 2, RILL_ERROR_INVALID_VALUE },
        { 4, RILL_ERROR_INVALID_VALUE },
    };
    for (int i = 0; i < 5; i++) {
        rill_access access = RILL_ACCESS_NONE;
        is(tries[i].answer, rill_pool_set_access(pool, 0, (rill_access)tries[i].access));
        ok(rill_pool_get_access(pool, 0, &access));
        assert_int_equal(access, RILL_ACCESS_READ_WRITE);
    }
    ok(rill_pool_destroy(&pool));
}

/* p.pool_access1, q.pool_args */
static void access_needs_a_device_and_a_place_for_the_answer(void **state)
{
    struct fixture *f = *state;
    rill_pool *pool = new_pool(f, 0);
    rill_access access;
    static const int wrong[] = { 99, -1 };
    for (int i = 0; i < 2; i++) {
        is(RILL_ERROR_INVALID_DEVICE, rill_pool_set_access(pool, wrong[i], RILL_ACCESS_READ_WRITE));
        is(RILL_ERROR_INVALID_DEVICE, rill_pool_set_access(pool, wrong[i], RILL_ACCESS_NONE));
        is(RILL_ERROR_INVALID_DEVICE, rill_pool_set_access(pool, wrong[i], (rill_access)2));
        is(RILL_ERROR_NOT_SUPPORTED, rill_pool_set_access(pool, wrong[i], RILL_ACCESS_READ));
        is(RILL_ERROR_INVALID_VALUE, rill_pool_get_access(pool, wrong[i], &access));
    }
    is(RILL_ERROR_INVALID_VALUE, rill_pool_get_access(pool, 0, NULL));
    ok(rill_pool_destroy(&pool));
}

/* ---- Limits and ends ----------------------------------------------------------------------- */

/* mem.pool_props: bounded; p.pool_max: 65536K */
static void a_pool_holds_no_more_than_its_maximum(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_stream(f);
    rill_pool *pool = new_pool(f, 64 * MB);
    rill_devptr p = 0, q = 0;
    is(RILL_ERROR_OUT_OF_MEMORY, rill_mem_alloc_from_pool_async(s, pool, 64 * MB + 1, &q));
    is(RILL_ERROR_OUT_OF_MEMORY, rill_mem_alloc_from_pool_async(s, pool, 256 * MB, &q));
    p = from_pool(pool, s, 64 * MB);
    is(RILL_ERROR_OUT_OF_MEMORY, rill_mem_alloc_from_pool_async(s, pool, 1, &q));
    ok(rill_mem_free_async(s, p));
    ok(rill_stream_synchronize(s));
    p = from_pool(pool, s, 30 * MB);
    q = from_pool(pool, s, 30 * MB);
    ok(rill_memset_d8_async(s, p, 1, 30 * MB));
    ok(rill_mem_free_async(s, p));
    ok(rill_mem_free_async(s, q));
    ok(rill_stream_synchronize(s));
    ok(rill_pool_destroy(&pool));
}

/* MP-9, mem.pool_destroy_live */
static void memory_outlives_its_pool(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_stream(f);
    rill_kernel *k = kernel(f, &mul_add_function);
    rill_pool *pool = new_pool(f, 0);
    rill_devptr p = from_pool(pool, s, 64), result = device_words(f, 1);
    ok(rill_pool_destroy(&pool));
    ok(rill_memset_d32_async(s, p, 2, 1));
    ok(mul_add(k, s, p, 4, 1));
    ok(rill_memcpy_dtod_async(s, result, p, 4));
    ok(rill_mem_free_async(s, p));
    ok(rill_stream_synchronize(s));
    assert_int_equal(peek(f, result), 9);
    is(RILL_ERROR_INVALID_VALUE, rill_mem_free_async(s, p));
}

/* MP-9, p.pool_live_destroy */
static void the_last_memory_of_a_destroyed_pool_goes_back_to_the_device(void **state)
{
    struct fixture *f = *state;
    size_t before = 0, during = 0, after = 0;
    needs_device_alone();
    rill_stream *s = new_stream(f);
    ok(rill_mem_info(f->context, &before, NULL));
    rill_pool *pool = new_pool(f, 0);
    rill_devptr p = from_pool(pool, s, 100 * MB), q = from_pool(pool, s, 100 * MB);
    ok(rill_stream_synchronize(s));
    ok(rill_pool_destroy(&pool));
    ok(rill_mem_info(f->context, &during, NULL));
    assert_true(during <= before - 200 * MB);
    ok(rill_mem_free(f->context, p));
    ok(rill_mem_free_async(s, q));
    ok(rill_stream_synchronize(s));
    ok(rill_mem_info(f->context, &after, NULL));
    same_amount(after, before);
}

/* MP-9 */
static void destroying_a_pool_does_not_wait(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_stream(f);
    rill_pool *pool = new_pool(f, 0);
    gate(f, s);
    rill_devptr p = from_pool(pool, s, 64);
    ok(rill_mem_free_async(s, p));
    ok(rill_pool_destroy(&pool));
    held(s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_new_pool_is_empty_and_reuses_in_every_way),
    cmocka_unit_test(the_switches_of_reuse_can_be_set),
    cmocka_unit_test(the_threshold_can_be_set),
    cmocka_unit_test(amounts_can_only_have_their_peaks_set_to_zero),
    cmocka_unit_test(unknown_attributes_are_refused),
    cmocka_unit_test(used_memory_is_counted_to_the_byte_with_its_peak),
    cmocka_unit_test(the_peak_of_reserved_memory_falls_to_what_is_reserved),
    cmocka_unit_test(allocations_without_a_pool_come_from_the_current_one),
    cmocka_unit_test(destroying_the_current_pool_brings_the_default_one_back),
    cmocka_unit_test(the_default_pool_cannot_be_destroyed),
    cmocka_unit_test(a_device_that_is_not_there_has_no_pools),
    cmocka_unit_test(a_pool_is_not_made_where_no_device_is),
    cmocka_unit_test(missing_pools_and_outputs_are_refused),
    cmocka_unit_test(a_device_reads_and_writes_its_own_pools),
    cmocka_unit_test(access_needs_a_device_and_a_place_for_the_answer),
    cmocka_unit_test(a_pool_holds_no_more_than_its_maximum),
    cmocka_unit_test(memory_outlives_its_pool),
    cmocka_unit_test(the_last_memory_of_a_destroyed_pool_goes_back_to_the_device),
    cmocka_unit_test(destroying_a_pool_does_not_wait),
};

SUITE_GROUP(pools, 1);
