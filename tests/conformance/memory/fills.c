/* SPDX-License-Identifier: Apache-2.0
 *
 * Fills: elements of 1, 2 and 4 bytes, in a row or in many.
 */
#include "conformance/work.h"

static rill_fill area(rill_devptr dst, uint32_t value, uint32_t element, size_t width,
                      size_t height, size_t pitch)
{
    return (rill_fill){ .dst = dst, .pitch = pitch, .value = value, .element_bytes = element,
                        .width = width, .height = height };
}

static void reads(struct fixture *f, rill_devptr p, const unsigned char *expected, size_t count)
{
    unsigned char bytes[64];
    ok(rill_memcpy_dtoh(f->context, bytes, p, count));
    assert_memory_equal(bytes, expected, count);
}

#define READS(f, p, ...)                                        \
    do {                                                        \
        const unsigned char expected_[] = { __VA_ARGS__ };      \
        reads(f, p, expected_, sizeof expected_);               \
    } while (0)

/* ---- What is written ------------------------------------------------------------------ */

static void elements_of_each_size_are_written_and_nothing_else(void **state)
{
    struct fixture *f = *state;
    rill_devptr p = device_words(f, 4);
    ok(rill_memset_d8(f->context, p + 1, 0xab, 3));
    READS(f, p, 0, 0xab, 0xab, 0xab, 0, 0, 0, 0);
    ok(rill_memset_d16(f->context, p + 2, 0x1234, 2));
    READS(f, p, 0, 0xab, 0x34, 0x12, 0x34, 0x12, 0, 0);
    ok(rill_memset_d32(f->context, p + 4, 0x01020304, 2));
    READS(f, p, 0, 0xab, 0x34, 0x12, 4, 3, 2, 1, 4, 3, 2, 1, 0, 0, 0, 0);
}

static void the_same_happens_in_a_stream(void **state)
{
    struct fixture *f = *state;
    rill_devptr p = device_words(f, 4);
    rill_stream *s = new_stream(f);
    struct gate *g = gate(f, s);
    ok(rill_memset_d8_async(s, p, 0xab, 3));
    ok(rill_memset_d16_async(s, p + 2, 0x1234, 2));
    ok(rill_memset_d32_async(s, p + 4, 0x01020304, 1));
    held(s);
    open_gate(g);
    ok(rill_stream_synchronize(s));
    READS(f, p, 0xab, 0xab, 0x34, 0x12, 4, 3, 2, 1, 0, 0);
}

static void a_box_leaves_what_is_between_its_rows(void **state)
{
    struct fixture *f = *state;
    rill_devptr p = device_words(f, 8);
    const rill_fill bytes = area(p + 1, 7, 1, 2, 3, 5);
    ok(rill_memset_box(f->context, &bytes));
    READS(f, p, 0, 7, 7, 0, 0, 0, 7, 7, 0, 0, 0, 7, 7, 0, 0, 0);
    const rill_fill words = area(p + 16, 9, 4, 1, 2, 8);
    ok(rill_memset_box_async(f->per_thread, &words));
    ok(rill_stream_synchronize(f->per_thread));
    READS(f, p + 16, 9, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0);
}

static void an_operation_fills(void **state)
{
    struct fixture *f = *state;
    rill_devptr p = device_words(f, 2);
    rill_op op = { .kind = RILL_OP_MEMSET, .memset = area(p, 0x0506, 2, 2, 1, 0) };
    ok(rill_stream_submit(f->legacy, &op));
    READS(f, p, 6, 5, 6, 5, 0, 0);
}

/* Only the bits of the element count. */
static void the_value_is_cut_to_its_element(void **state)
{
    struct fixture *f = *state;
    rill_devptr p = device_words(f, 2);
    const rill_fill bytes = area(p, 0x11223344, 1, 2, 1, 0);
    const rill_fill halves = area(p + 4, 0x11223344, 2, 1, 1, 0);
    ok(rill_memset_box(f->context, &bytes));
    ok(rill_memset_box(f->context, &halves));
    READS(f, p, 0x44, 0x44, 0, 0, 0x44, 0x33, 0, 0);
}

/* mem.pinned_as_device */
static void pinned_memory_is_filled_when_a_synchronous_call_returns(void **state)
{
    struct fixture *f = *state;
    uint32_t *h = pinned(f, 16);
    ok(rill_memset_d32(f->context, at(h + 1), 9, 2));
    assert_int_equal(h[0], 0);
    assert_int_equal(h[1], 9);
    assert_int_equal(h[2], 9);
    assert_int_equal(h[3], 0);
}

/* ---- What is refused --------------------------------------------------------------------- */

static void answers(struct fixture *f, rill_status status, rill_fill fill)
{
    is(status, rill_memset_box(f->context, &fill));
    is(status, rill_memset_box_async(f->per_thread, &fill));
    rill_op op = { .kind = RILL_OP_MEMSET, .memset = fill };
    is(status, rill_stream_submit(f->per_thread, &op));
}

/* mem.memset_misaligned */
static void an_address_is_a_multiple_of_its_element(void **state)
{
    struct fixture *f = *state;
    rill_devptr p = device_words(f, 16);
    ok(rill_memset_d8(f->context, p + 1, 1, 4));
    refuses(RILL_ERROR_INVALID_VALUE, "dst", rill_memset_d16(f->context, p + 1, 1, 4));
    is(RILL_ERROR_INVALID_VALUE, rill_memset_d32(f->context, p + 1, 1, 4));
    is(RILL_ERROR_INVALID_VALUE, rill_memset_d32(f->context, p + 2, 1, 4));
    is(RILL_ERROR_INVALID_VALUE, rill_memset_d16_async(f->per_thread, p + 1, 1, 4));
    is(RILL_ERROR_INVALID_VALUE, rill_memset_d32_async(f->per_thread, p + 2, 1, 4));
    answers(f, RILL_ERROR_INVALID_VALUE, area(p + 1, 1, 2, 4, 2, 32));
    answers(f, RILL_ERROR_INVALID_VALUE, area(p + 2, 1, 4, 4, 2, 32));
    ok(rill_memset_d16(f->context, p + 1, 1, 0));
}

/* mem.memset_misaligned, p.fills: h2p0, h2p15, h2p12 */
static void the_pitch_of_rows_is_wide_enough_and_a_multiple_of_the_element(void **state)
{
    struct fixture *f = *state;
    rill_devptr p = device_words(f, 64);
    answers(f, RILL_ERROR_INVALID_VALUE, area(p, 1, 2, 4, 2, 63));
    answers(f, RILL_ERROR_INVALID_VALUE, area(p, 1, 4, 4, 2, 62));
    answers(f, RILL_ERROR_INVALID_VALUE, area(p, 1, 1, 16, 2, 0));
    answers(f, RILL_ERROR_INVALID_VALUE, area(p, 1, 1, 16, 2, 15));
    answers(f, RILL_ERROR_INVALID_VALUE, area(p, 1, 4, 4, 2, 12));
    answers(f, RILL_SUCCESS, area(p, 1, 1, 16, 2, 16));
}

/* p.fills: h1p0, h1p15, h1pmis, h1p2, d16h1pmis */
static void the_pitch_of_one_row_does_not_matter(void **state)
{
    struct fixture *f = *state;
    rill_devptr p = device_words(f, 64);
    answers(f, RILL_SUCCESS, area(p, 1, 1, 16, 1, 0));
    answers(f, RILL_SUCCESS, area(p, 1, 1, 16, 1, 15));
    answers(f, RILL_SUCCESS, area(p, 1, 4, 4, 1, 18));
    answers(f, RILL_SUCCESS, area(p, 1, 4, 4, 1, 2));
    answers(f, RILL_SUCCESS, area(p, 1, 2, 4, 1, 17));
}

/* GR-9 */
static void elements_have_1_2_or_4_bytes(void **state)
{
    struct fixture *f = *state;
    rill_devptr p = device_words(f, 512), aligned = p + 840 - p % 840; /* for every size */
    for (uint32_t element = 0; element <= 8; element++) {
        bool good = element == 1 || element == 2 || element == 4;
        answers(f, good ? RILL_SUCCESS : RILL_ERROR_INVALID_VALUE,
                area(aligned, 1, element, 4, 1, 0));
    }
}

/* mem.memset_out_of_bounds */
static void a_fill_that_leaves_its_allocation_is_refused(void **state)
{
    struct fixture *f = *state;
    rill_devptr p = 0;
    const size_t n = 2 * MB;
    ok(rill_mem_alloc(f->context, n, &p));
    ok(rill_memset_d8(f->context, p, 1, n));
    is(RILL_ERROR_INVALID_VALUE, rill_memset_d8(f->context, p, 1, n + 1));
    is(RILL_ERROR_INVALID_VALUE, rill_memset_d16(f->context, p, 1, n / 2 + 1));
    is(RILL_ERROR_INVALID_VALUE, rill_memset_d32(f->context, p, 1, n / 4 + 1));
    is(RILL_ERROR_INVALID_VALUE, rill_memset_d32(f->context, p + 4, 1, n / 4));
    is(RILL_ERROR_INVALID_VALUE, rill_memset_d8_async(f->per_thread, p, 1, n + 1));
    is(RILL_ERROR_INVALID_VALUE, rill_memset_d32_async(f->per_thread, p + 4, 1, n / 4));
    answers(f, RILL_ERROR_INVALID_VALUE, area(p, 1, 1, n / 4, 5, n / 4));
}

/* p.fills: fit, last_short, last_over */
static void only_the_bytes_that_are_written_must_be_inside(void **state)
{
    struct fixture *f = *state;
    rill_devptr p = 0;
    ok(rill_mem_alloc(f->context, 4 * MB, &p));
    answers(f, RILL_SUCCESS, area(p, 1, 1, 1024, 4096, 1024));
    answers(f, RILL_SUCCESS, area(p + 24, 1, 1, 1000, 4096, 1024));
    answers(f, RILL_ERROR_INVALID_VALUE, area(p + 25, 1, 1, 1000, 4096, 1024));
    answers(f, RILL_ERROR_INVALID_VALUE, area(p, 1, 1, 16, 4097, 1024));
}

/* A count that wraps must not look small.  The driver takes it and the device
 * fails (p.null_host: set_max, set_wrap), which nobody can want. */
static void counts_that_wrap_around_are_refused(void **state)
{
    struct fixture *f = *state;
    rill_devptr p = device_words(f, 64);
    is(RILL_ERROR_INVALID_VALUE, rill_memset_d32(f->context, p, 0, SIZE_MAX));
    is(RILL_ERROR_INVALID_VALUE, rill_memset_d32(f->context, p, 0, SIZE_MAX / 4 + 2));
    is(RILL_ERROR_INVALID_VALUE, rill_memset_d16(f->context, p, 0, SIZE_MAX / 2 + 2));
    answers(f, RILL_ERROR_INVALID_VALUE, area(p, 1, 1, 16, SIZE_MAX, 16));
    answers(f, RILL_ERROR_INVALID_VALUE, area(p, 1, 1, 16, 2, SIZE_MAX));
    answers(f, RILL_ERROR_INVALID_VALUE, area(p, 1, 4, SIZE_MAX / 4 + 2, 2, 16));
}

/* mem.copy_host_as_device, mem.copy_null_device, p.small_over */
static void memory_that_is_not_the_device_s_is_refused(void **state)
{
    struct fixture *f = *state;
    static uint32_t local[4];
    char *pin = pinned(f, 4096);
    is(RILL_ERROR_INVALID_VALUE, rill_memset_d32(f->context, at(local), 1, 1));
    is(RILL_ERROR_INVALID_VALUE, rill_memset_d32(f->context, 0, 1, 1));
    is(RILL_ERROR_INVALID_VALUE, rill_memset_d32_async(f->per_thread, 0, 1, 1));
    ok(rill_memset_d8(f->context, at(pin) + 4000, 0, 96));
    is(RILL_ERROR_INVALID_VALUE, rill_memset_d8(f->context, at(pin), 0, 4097));
}

/* mem.memset_zero_count, p.fills: w0wild, h0wild, w0mis, h0mis */
static void nothing_is_filled_anywhere(void **state)
{
    struct fixture *f = *state;
    rill_devptr p = device_words(f, 4);
    const rill_devptr anywhere[] = { p, p + 1, p + 16, 0, 0x1000, 0x1001 };
    for (size_t i = 0; i < 6; i++) {
        ok(rill_memset_d8(f->context, anywhere[i], 1, 0));
        ok(rill_memset_d16(f->context, anywhere[i], 1, 0));
        ok(rill_memset_d32(f->context, anywhere[i], 1, 0));
        ok(rill_memset_d8_async(f->per_thread, anywhere[i], 1, 0));
        ok(rill_memset_d32_async(f->per_thread, anywhere[i], 1, 0));
        answers(f, RILL_SUCCESS, area(anywhere[i], 1, 4, 0, 2, 3));
        answers(f, RILL_SUCCESS, area(anywhere[i], 1, 4, 2, 0, 3));
    }
    ok(rill_context_synchronize(f->context));
    assert_int_equal(peek(f, p), 0);
}

static void no_fill_is_refused(void **state)
{
    struct fixture *f = *state;
    refuses(RILL_ERROR_INVALID_VALUE, "fill", rill_memset_box(f->context, NULL));
    refuses(RILL_ERROR_INVALID_VALUE, "fill", rill_memset_box_async(f->per_thread, NULL));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(elements_of_each_size_are_written_and_nothing_else),
    cmocka_unit_test(the_same_happens_in_a_stream),
    cmocka_unit_test(a_box_leaves_what_is_between_its_rows),
    cmocka_unit_test(an_operation_fills),
    cmocka_unit_test(the_value_is_cut_to_its_element),
    cmocka_unit_test(pinned_memory_is_filled_when_a_synchronous_call_returns),
    cmocka_unit_test(an_address_is_a_multiple_of_its_element),
    cmocka_unit_test(the_pitch_of_rows_is_wide_enough_and_a_multiple_of_the_element),
    cmocka_unit_test(the_pitch_of_one_row_does_not_matter),
    cmocka_unit_test(elements_have_1_2_or_4_bytes),
    cmocka_unit_test(a_fill_that_leaves_its_allocation_is_refused),
    cmocka_unit_test(only_the_bytes_that_are_written_must_be_inside),
    cmocka_unit_test(counts_that_wrap_around_are_refused),
    cmocka_unit_test(memory_that_is_not_the_device_s_is_refused),
    cmocka_unit_test(nothing_is_filled_anywhere),
    cmocka_unit_test(no_fill_is_refused),
};

SUITE_GROUP(fills, 1);
