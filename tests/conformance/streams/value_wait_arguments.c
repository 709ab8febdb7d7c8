/* SPDX-License-Identifier: Apache-2.0
 *
 * What waits for a value take: flags, and addresses of which memory.
 */
#include "conformance/work.h"

/* ---- Flags ----------------------------------------------------------------------------- */

static void both_answer(struct fixture *f, rill_status status, rill_devptr address, uint32_t flags)
{
    is(status, rill_stream_wait_value32(f->per_thread, address, 0, flags));
    is(status, rill_stream_wait_value64(f->per_thread, address, 0, flags));
    ok(rill_stream_query(f->per_thread));
}

/* MO-2, memop.wait_flags */
static void unknown_flags_are_refused(void **state)
{
    struct fixture *f = *state;
    static const uint32_t unknown[] = { 4, 5, 7, 8, 0x10, 0x80000000u, 0x20000000u };
    rill_devptr p = device_words(f, 2);
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        both_answer(f, RILL_ERROR_INVALID_VALUE, p, unknown[i]);
}

/* MO-7, memop.wait_flags: the device that was measured cannot. */
static void flushing_remote_writes_is_not_supported(void **state)
{
    struct fixture *f = *state;
    rill_devptr p = device_words(f, 2);
    both_answer(f, RILL_ERROR_NOT_SUPPORTED, p, RILL_WAIT_FLUSH);
    both_answer(f, RILL_ERROR_NOT_SUPPORTED, p, RILL_WAIT_FLUSH | RILL_WAIT_EQ);
}

/* ---- Addresses ------------------------------------------------------------------------- */

/* MO-4, memop.misaligned */
static void a_misaligned_address_is_refused(void **state)
{
    struct fixture *f = *state;
    rill_devptr p = device_words(f, 4);
    static const rill_devptr off[] = { 1, 2, 3, 6, 7 };
    for (size_t i = 0; i < 5; i++) both_answer(f, RILL_ERROR_INVALID_VALUE, p + off[i], 0);
    ok(rill_stream_wait_value32(f->per_thread, p + 4, 0, 0));
    is(RILL_ERROR_INVALID_VALUE, rill_stream_wait_value64(f->per_thread, p + 4, 0, 0));
}

/* memop.null_address, memop.unmapped_address */
static void an_address_where_nothing_is_is_refused(void **state)
{
    struct fixture *f = *state;
    static _Alignas(8) uint64_t local;
    rill_devptr p = device_words(f, 2);
    const rill_devptr nowhere[] = { 0, 0x1000, at(&local), p + 8, UINT64_MAX - 7 };
    for (size_t i = 0; i < 5; i++) both_answer(f, RILL_ERROR_INVALID_VALUE, nowhere[i], 0);
}

/* The last word of an allocation is not the first half of a longer one. */
static void a_word_that_leaves_its_allocation_is_refused(void **state)
{
    struct fixture *f = *state;
    rill_devptr p = device_words(f, 3);
    ok(rill_stream_wait_value32(f->per_thread, p + 8, 0, 0));
    if (!suite->expects.bounds_whole_words) skip_since("the driver looks at the half in front");
    is(RILL_ERROR_INVALID_VALUE, rill_stream_wait_value64(f->per_thread, p + 8, 0, 0));
}

/* The program has freed it, but its stream is not there yet. */
static void a_wait_may_be_for_memory_that_is_freed_behind_it(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f), *other = new_non_blocking(f);
    rill_devptr p = device_words(f, 16), q = p + 8;
    struct gate *g = gate(f, other);
    ok(rill_memset_d32_async(other, p, 1, 1));
    ok(rill_stream_write_value64(other, q, 2, 0));
    ok(rill_stream_wait_value32(s, p, 1, RILL_WAIT_EQ));
    ok(rill_stream_wait_value64(s, q, 2, RILL_WAIT_EQ));
    mark(f, s, 'a');
    ok(rill_mem_free_async(s, p));
    held(s);
    open_gate(g);
    ok(rill_stream_synchronize(s));
    order(f, "a");
}

/* Measured: pools of the stream's own device as well. */
static void memory_of_pools_takes_no_values(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_pool *pool = new_pool(f, 0);
    rill_devptr p = from_pool(pool, s, 64), q = 0;
    ok(rill_mem_alloc_async(s, 64, &q));
    for (int i = 0; i < 2; i++) {
        refuses(RILL_ERROR_INVALID_VALUE, "address", rill_stream_wait_value32(s, i ? q : p, 0, 0));
        is(RILL_ERROR_INVALID_VALUE, rill_stream_write_value64(s, i ? q : p, 0, 0));
        ok(rill_mem_free_async(s, i ? q : p));
    }
    ok(rill_stream_synchronize(s));
    ok(rill_pool_destroy(&pool));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(unknown_flags_are_refused),
    cmocka_unit_test(flushing_remote_writes_is_not_supported),
    cmocka_unit_test(a_misaligned_address_is_refused),
    cmocka_unit_test(an_address_where_nothing_is_is_refused),
    cmocka_unit_test(a_word_that_leaves_its_allocation_is_refused),
    cmocka_unit_test(a_wait_may_be_for_memory_that_is_freed_behind_it),
    cmocka_unit_test(memory_of_pools_takes_no_values),
};

SUITE_GROUP(value_wait_arguments, 1);
