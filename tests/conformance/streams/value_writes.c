/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing values into memory in stream order, and batches of writes and waits.
 */
#include <string.h>

#include "conformance/work.h"

/* ---- Writes ------------------------------------------------------------------------- */

/* memop.write32 */
static void a_write_of_32_bits_touches_four_bytes(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_stream(f);
    rill_devptr p = device_words(f, 4);
    uint32_t *h = pinned(f, 12);
    ok(rill_memset_d8(f->context, p, 0xaa, 16));
    ok(rill_stream_write_value32(s, p + 4, 0x01020304, 0));
    ok(rill_stream_write_value32(s, p + 12, UINT32_MAX, 0));
    ok(rill_stream_write_value32(s, at(h + 1), 77, 0));
    ok(rill_stream_synchronize(s));
    static const uint32_t expected[] = { 0xaaaaaaaa, 0x01020304, 0xaaaaaaaa, UINT32_MAX };
    for (rill_devptr i = 0; i < 4; i++) assert_int_equal(peek(f, p + 4 * i), expected[i]);
    assert_int_equal(h[0], 0);
    assert_int_equal(h[1], 77);
    assert_int_equal(h[2], 0);
}

static void a_write_of_64_bits_touches_eight_bytes(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_stream(f);
    uint32_t *h = pinned(f, 24);
    ok(rill_stream_write_value64(s, at(h + 2), UINT64_C(0x1122334455667788), 0));
    ok(rill_stream_synchronize(s));
    static const uint32_t expected[] = { 0, 0, 0x55667788, 0x11223344, 0, 0 };
    assert_memory_equal(h, expected, sizeof expected);
}

/* memop.orders_with_kernels */
static void writes_waits_and_kernels_run_in_the_order_of_their_calls(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_kernel *puts = kernel(f, &put_function), *adds = kernel(f, &mul_add_function);
    rill_devptr p = device_words(f, 1);
    struct gate *g = gate(f, s);
    ok(put(puts, s, p, 5));
    ok(rill_stream_write_value32(s, p, 6, 0));
    ok(mul_add(adds, s, p, 10, 1));
    ok(rill_stream_wait_value32(s, p, 61, RILL_WAIT_EQ));
    ok(rill_stream_write_value32(s, p, 7, 0));
    ok(mul_add(adds, s, p, 10, 2));
    held(s);
    open_gate(g);
    ok(rill_stream_synchronize(s));
    assert_int_equal(peek(f, p), 72);
}

/* memop.special_streams */
static void every_default_stream_takes_writes_and_waits(void **state)
{
    struct fixture *f = *state;
    rill_stream *const all[] = { f->legacy, f->per_thread };
    for (uint32_t i = 0; i < 2; i++) {
        atomic_uint *word = new_word(f);
        ok(rill_stream_write_value32(all[i], address_of(f, word), i + 1, 0));
        ok(rill_stream_wait_value32(all[i], address_of(f, word), i + 1, RILL_WAIT_EQ));
        ok(rill_stream_synchronize(all[i]));
        assert_int_equal(*word, i + 1);
    }
}

/* memop.registered_memory */
static void registered_memory_is_written_and_waited_on(void **state)
{
    struct fixture *f = *state;
    static atomic_uint local[1024] __attribute__((aligned(4096)));
    rill_stream *s = new_non_blocking(f);
    memset(local, 0, sizeof local);
    ok(rill_host_register(f->context, local, sizeof local, 0));
    ok(rill_stream_wait_value32(s, at(local), 1, RILL_WAIT_GEQ));
    ok(rill_stream_write_value32(s, at(local) + 4, 2, 0));
    held(s);
    assert_int_equal(local[1], 0);
    atomic_store(&local[0], 1);
    ok(rill_stream_synchronize(s));
    assert_int_equal(local[1], 2);
    ok(rill_host_unregister(f->context, local));
}

/* MO-2, memop.write_flags: NO_MEMORY_BARRIER too, on what was measured. */
static void a_write_takes_no_flags(void **state)
{
    struct fixture *f = *state;
    static const uint32_t flags[] = { RILL_WRITE_NO_MEMORY_BARRIER, 2, 3, 4, 0x40000000,
                                      0x80000000u };
    rill_devptr p = device_words(f, 2);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        is(RILL_ERROR_INVALID_VALUE, rill_stream_write_value32(f->legacy, p, 1, flags[i]));
        is(RILL_ERROR_INVALID_VALUE, rill_stream_write_value64(f->legacy, p, 1, flags[i]));
    }
    ok(rill_stream_synchronize(f->legacy));
    assert_int_equal(peek(f, p), 0);
}

/* MO-4, memop.misaligned, memop.null_address, memop.unmapped_address */
static void a_write_needs_an_aligned_address_where_memory_is(void **state)
{
    struct fixture *f = *state;
    static _Alignas(8) uint64_t local;
    rill_devptr p = device_words(f, 3);
    const rill_devptr wrong[] = { 0, 0x1000, at(&local), p + 1, p + 2, p + 3, p + 6, p + 12 };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        is(RILL_ERROR_INVALID_VALUE, rill_stream_write_value32(f->legacy, wrong[i], 1, 0));
        is(RILL_ERROR_INVALID_VALUE, rill_stream_write_value64(f->legacy, wrong[i], 1, 0));
    }
    ok(rill_stream_write_value32(f->legacy, p + 4, 1, 0));
    is(RILL_ERROR_INVALID_VALUE, rill_stream_write_value64(f->legacy, p + 4, 1, 0));
    if (suite->expects.bounds_whole_words)
        is(RILL_ERROR_INVALID_VALUE, rill_stream_write_value64(f->legacy, p + 8, 1, 0));
    ok(rill_stream_synchronize(f->legacy));
    assert_int_equal(peek(f, p), 0);
    assert_int_equal(peek(f, p + 8), 0);
}

/* ---- Batches --------------------------------------------------------------------------- */

static rill_value item(rill_value_kind kind, rill_devptr address, uint64_t value, uint32_t flags)
{
    return (rill_value){ kind, flags, address, value };
}

/* MO-3, memop.batch_mixed */
static void a_batch_may_hold_every_kind(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_stream(f);
    rill_devptr p = device_words(f, 16);
    const rill_value items[] = {
        item(RILL_VALUE_WRITE_32, p, 5, 0),
        item(RILL_VALUE_WAIT_32, p, 5, RILL_WAIT_EQ),
        item(RILL_VALUE_WRITE_64, p + 8, UINT64_C(0x100000001), 0),
        item(RILL_VALUE_WAIT_64, p + 8, UINT64_C(0x100000000), RILL_WAIT_GEQ),
        item(RILL_VALUE_WAIT_64, p + 8, UINT64_C(1) << 32, RILL_WAIT_AND),
        item(RILL_VALUE_BARRIER, 0, 0, 0),
        item(RILL_VALUE_WRITE_32, p + 16, 9, 0),
    };
    ok(rill_stream_batch_values(s, items, 7, 0));
    ok(rill_stream_synchronize(s));
    assert_int_equal(peek(f, p), 5);
    assert_int_equal(peek(f, p + 8), 1);
    assert_int_equal(peek(f, p + 12), 1);
    assert_int_equal(peek(f, p + 16), 9);
}

/* MO-3, memop.batch_order */
static void a_batch_runs_in_the_order_of_its_array(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    struct gate *closed = new_gate(f);
    atomic_uint *w[] = { closed->word, new_word(f), new_word(f), new_word(f) };
    const rill_value items[] = {
        item(RILL_VALUE_WRITE_32, address_of(f, w[1]), 1, 0),
        item(RILL_VALUE_WRITE_32, address_of(f, w[2]), 2, 0),
        item(RILL_VALUE_WAIT_32, address_of(f, w[0]), 1, RILL_WAIT_GEQ),
        item(RILL_VALUE_WRITE_32, address_of(f, w[2]), 3, 0),
        item(RILL_VALUE_WRITE_32, address_of(f, w[3]), 4, 0),
    };
    ok(rill_stream_batch_values(s, items, 5, 0));
    held(s);
    while (*w[2] != 2) continue;
    assert_int_equal(*w[1], 1);
    assert_int_equal(*w[3], 0);
    open_gate(closed);
    ok(rill_stream_synchronize(s));
    assert_int_equal(*w[2], 3);
    assert_int_equal(*w[3], 4);
}

/* MO-3, memop.batch_array_copied */
static void the_array_is_read_when_the_call_is_made(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_devptr p = device_words(f, 3);
    rill_value items[] = {
        item(RILL_VALUE_WRITE_32, p, 5, 0), item(RILL_VALUE_WRITE_32, p + 4, 6, 0),
    };
    struct gate *g = gate(f, s);
    ok(rill_stream_batch_values(s, items, 2, 0));
    items[0] = item(RILL_VALUE_WRITE_32, p, 50, 0);
    items[1] = item(RILL_VALUE_WRITE_32, p + 8, 60, 0);
    open_gate(g);
    ok(rill_stream_synchronize(s));
    assert_int_equal(peek(f, p), 5);
    assert_int_equal(peek(f, p + 4), 6);
    assert_int_equal(peek(f, p + 8), 0);
}

/* memop.batch_bad_member, ER-3 */
static void a_bad_member_refuses_the_batch_and_nothing_runs(void **state)
{
    struct fixture *f = *state;
    rill_devptr p = device_words(f, 8);
    const rill_value bad[] = {
        item((rill_value_kind)0, p + 8, 0, 0),
        item((rill_value_kind)7, p + 8, 0, 0),
        item((rill_value_kind)99, p + 8, 0, 0),
        item(RILL_VALUE_WRITE_32, p + 9, 1, 0),
        item(RILL_VALUE_WRITE_64, p + 12, 1, 0),
        item(RILL_VALUE_WAIT_32, p + 8, 0, 9),
        item(RILL_VALUE_WRITE_32, p + 8, 1, 2),
        item(RILL_VALUE_WRITE_32, 0, 1, 0),
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const rill_value items[] = {
            item(RILL_VALUE_WRITE_32, p, 1, 0), bad[i], item(RILL_VALUE_WRITE_32, p + 4, 1, 0),
        };
        is(RILL_ERROR_INVALID_VALUE, rill_stream_batch_values(f->legacy, items, 3, 0));
        ok(rill_stream_synchronize(f->legacy));
        assert_int_equal(peek(f, p), 0);
        assert_int_equal(peek(f, p + 4), 0);
    }
}

/* MO-7: neither the flag nor the operation is there on what was measured. */
static void a_flush_of_remote_writes_is_not_supported(void **state)
{
    struct fixture *f = *state;
    const rill_value items[] = { item(RILL_VALUE_FLUSH_REMOTE_WRITES, 0, 0, 0) };
    is(RILL_ERROR_NOT_SUPPORTED, rill_stream_batch_values(f->legacy, items, 1, 0));
}

/* MO-3, probe.memop_args */
static void a_batch_holds_at_most_255(void **state)
{
    struct fixture *f = *state;
    static rill_value items[300];
    rill_devptr p = device_words(f, 1);
    for (uint32_t i = 0; i < 300; i++) items[i] = item(RILL_VALUE_WRITE_32, p, i, 0);
    ok(rill_stream_batch_values(f->legacy, items, 255, 0));
    assert_int_equal(peek(f, p), 254);
    refuses(RILL_ERROR_INVALID_VALUE, "count", rill_stream_batch_values(f->legacy, items, 256, 0));
    is(RILL_ERROR_INVALID_VALUE, rill_stream_batch_values(f->legacy, items, SIZE_MAX, 0));
    assert_int_equal(peek(f, p), 254);
}

/* probe.memop_args: c0, c0_null */
static void an_empty_batch_is_taken_with_or_without_an_array(void **state)
{
    struct fixture *f = *state;
    const rill_value items[] = { item((rill_value_kind)99, 0, 0, 0) };
    ok(rill_stream_batch_values(f->legacy, items, 0, 0));
    ok(rill_stream_batch_values(f->legacy, NULL, 0, 0));
    ok(rill_stream_synchronize(f->legacy));
}

/* MO-3 */
static void a_missing_array_and_flags_are_refused(void **state)
{
    struct fixture *f = *state;
    rill_devptr p = device_words(f, 1);
    const rill_value items[] = { item(RILL_VALUE_WRITE_32, p, 1, 0) };
    refuses(RILL_ERROR_INVALID_VALUE, "items", rill_stream_batch_values(f->legacy, NULL, 1, 0));
    refuses(RILL_ERROR_INVALID_VALUE, "flags", rill_stream_batch_values(f->legacy, items, 1, 1));
    ok(rill_stream_synchronize(f->legacy));
    assert_int_equal(peek(f, p), 0);
}

static void an_operation_is_a_batch(void **state)
{
    struct fixture *f = *state;
    rill_devptr p = device_words(f, 2);
    const rill_value items[] = {
        item(RILL_VALUE_WRITE_32, p, 1, 0), item(RILL_VALUE_WRITE_32, p + 4, 2, 0),
    };
    rill_op op = { .kind = RILL_OP_VALUES, .values = { items, 2, 0 } };
    ok(rill_stream_submit(f->legacy, &op));
    assert_int_equal(peek(f, p), 1);
    assert_int_equal(peek(f, p + 4), 2);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_write_of_32_bits_touches_four_bytes),
    cmocka_unit_test(a_write_of_64_bits_touches_eight_bytes),
    cmocka_unit_test(writes_waits_and_kernels_run_in_the_order_of_their_calls),
    cmocka_unit_test(every_default_stream_takes_writes_and_waits),
    cmocka_unit_test(registered_memory_is_written_and_waited_on),
    cmocka_unit_test(a_write_takes_no_flags),
    cmocka_unit_test(a_write_needs_an_aligned_address_where_memory_is),
    cmocka_unit_test(a_batch_may_hold_every_kind),
    cmocka_unit_test(a_batch_runs_in_the_order_of_its_array),
    cmocka_unit_test(the_array_is_read_when_the_call_is_made),
    cmocka_unit_test(a_bad_member_refuses_the_batch_and_nothing_runs),
    cmocka_unit_test(a_flush_of_remote_writes_is_not_supported),
    cmocka_unit_test(a_batch_holds_at_most_255),
    cmocka_unit_test(an_empty_batch_is_taken_with_or_without_an_array),
    cmocka_unit_test(a_missing_array_and_flags_are_refused),
    cmocka_unit_test(an_operation_is_a_batch),
};

SUITE_GROUP(value_writes, 1);
