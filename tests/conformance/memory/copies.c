/* SPDX-License-Identifier: Apache-2.0
 *
 * Flat copies in every form: what arrives, and which ranges are refused.
 */
#include <string.h>

#include "conformance/work.h"

/* Every form of a flat copy, synchronous and in a stream, behind one face. */
enum form { HTOD, DTOH, DTOD, UNIFIED, FORMS };

static rill_status copy(struct fixture *f, enum form form, rill_stream *stream, rill_devptr dst,
                        rill_devptr src, size_t bytes)
{
    void *to = (void *)(uintptr_t)dst, *from = (void *)(uintptr_t)src;
    switch (form) {
    case HTOD:
        return stream ? rill_memcpy_htod_async(stream, dst, from, bytes)
                      : rill_memcpy_htod(f->context, dst, from, bytes);
    case DTOH:
        return stream ? rill_memcpy_dtoh_async(stream, to, src, bytes)
                      : rill_memcpy_dtoh(f->context, to, src, bytes);
    case DTOD:
        return stream ? rill_memcpy_dtod_async(stream, dst, src, bytes)
                      : rill_memcpy_dtod(f->context, dst, src, bytes);
    default:
        return stream ? rill_memcpy_async(stream, dst, src, bytes)
                      : rill_memcpy(f->context, dst, src, bytes);
    }
}

/* The record of a refusal names the form that was called. */
static const char *name_of(enum form form, rill_stream *stream)
{
    static const char *const names[FORMS][2] = {
        { "rill_memcpy_htod", "rill_memcpy_htod_async" },
        { "rill_memcpy_dtoh", "rill_memcpy_dtoh_async" },
        { "rill_memcpy_dtod", "rill_memcpy_dtod_async" },
        { "rill_memcpy", "rill_memcpy_async" },
    };
    return names[form][stream != NULL];
}

/* Refused in both ways, in words that name the call. */
static void refused(struct fixture *f, enum form form, rill_devptr dst, rill_devptr src,
                    size_t bytes)
{
    rill_stream *const ways[] = { NULL, f->per_thread };
    for (int i = 0; i < 2; i++) {
        is(RILL_ERROR_INVALID_VALUE, copy(f, form, ways[i], dst, src, bytes));
        assert_string_equal(rill_last_error()->operation, name_of(form, ways[i]));
        assert_int_not_equal(rill_last_error()->message[0], 0);
    }
}

static void taken(struct fixture *f, enum form form, rill_devptr dst, rill_devptr src, size_t bytes)
{
    ok(copy(f, form, NULL, dst, src, bytes));
    ok(copy(f, form, f->per_thread, dst, src, bytes));
    ok(rill_context_synchronize(f->context));
}

/* ---- What arrives ------------------------------------------------------------------- */

/* mem.copy_large */
static void a_large_copy_arrives_whole(void **state)
{
    struct fixture *f = *state;
    enum { BYTES = 8 << 20 };
    static unsigned char out[BYTES], back[BYTES];
    rill_devptr p = 0;
    ok(rill_mem_alloc(f->context, BYTES, &p));
    for (size_t i = 0; i < BYTES; i++) out[i] = (unsigned char)(i * 7 + (i >> 12));
    ok(rill_memcpy_htod(f->context, p, out, BYTES));
    ok(rill_memcpy_dtoh(f->context, back, p, BYTES));
    assert_int_equal(memcmp(out, back, BYTES), 0);
    ok(rill_memcpy_dtoh(f->context, back, p + BYTES - 1, 1));
    assert_int_equal(back[0], out[BYTES - 1]);
}

static void only_the_bytes_asked_for_are_written(void **state)
{
    struct fixture *f = *state;
    unsigned char bytes[32], back[32], expected[32];
    for (unsigned char i = 0; i < 32; i++) bytes[i] = i;
    rill_devptr p = device_words(f, 8), q = device_words(f, 8);
    memset(expected, 0, sizeof expected);
    memcpy(expected + 5, bytes + 3, 7);
    ok(rill_memcpy_htod(f->context, p + 5, bytes + 3, 7));
    ok(rill_memcpy_dtoh(f->context, back, p, 32));
    assert_memory_equal(back, expected, 32);

    ok(rill_memcpy_dtod(f->context, q + 6, p + 5, 6));
    memset(back, 0xff, sizeof back);
    ok(rill_memcpy_dtoh(f->context, back + 1, q + 5, 8));
    assert_memory_equal(back, ((unsigned char[]){ 255, 0, 3, 4, 5, 6, 7, 8, 0, 255 }), 10);
}

/* ST-5, mem.copy_async_order */
static void copies_and_kernels_of_a_stream_run_in_order(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_kernel *k = kernel(f, &mul_add_function);
    uint32_t *h = pinned(f, 12);
    rill_devptr p = device_words(f, 2);
    h[0] = 7;
    struct gate *g = gate(f, s);
    ok(rill_memcpy_htod_async(s, p, h, 4));
    ok(mul_add(k, s, p, 10, 1));
    ok(rill_memcpy_dtod_async(s, p + 4, p, 4));
    ok(rill_memcpy_dtoh_async(s, h + 1, p + 4, 4));
    ok(mul_add(k, s, p, 10, 2));
    ok(rill_memcpy_dtoh_async(s, h + 2, p, 4));
    held(s);
    assert_int_equal(h[1], 0);
    assert_int_equal(h[2], 0);
    open_gate(g);
    ok(rill_stream_synchronize(s));
    assert_int_equal(h[1], 71);
    assert_int_equal(h[2], 712);
}

/* mem.copy_unified */
static void a_unified_copy_works_out_both_ends(void **state)
{
    struct fixture *f = *state;
    static uint32_t a, b;
    rill_devptr p = device_words(f, 2);
    uint32_t *h = pinned(f, 12);
    a = 41, b = 0, h[0] = 42;
    ok(rill_memcpy(f->context, p, at(&a), 4));
    ok(rill_memcpy(f->context, p + 4, p, 4));
    ok(rill_memcpy(f->context, at(&b), p + 4, 4));
    assert_int_equal(b, 41);
    ok(rill_memcpy(f->context, p, at(h), 4));
    ok(rill_memcpy(f->context, at(h + 1), p, 4));
    assert_int_equal(h[1], 42);
    b = 0;
    ok(rill_memcpy(f->context, at(&b), at(&a), 4));
    assert_int_equal(b, 41);
    ok(rill_memcpy(f->context, at(&b), at(h), 4));
    assert_int_equal(b, 42);
    ok(rill_memcpy_async(f->per_thread, at(h + 2), p, 4));
    ok(rill_stream_synchronize(f->per_thread));
    assert_int_equal(h[2], 42);
}

/* mem.pinned_as_device */
static void pinned_memory_serves_as_device_memory(void **state)
{
    struct fixture *f = *state;
    uint32_t x = 21, y = 0, *h = pinned(f, 64);
    rill_devptr p = device_words(f, 2);
    ok(rill_memcpy_htod(f->context, at(h), &x, 4));
    assert_int_equal(h[0], 21);
    ok(rill_memcpy_dtoh(f->context, &y, at(h), 4));
    assert_int_equal(y, 21);
    ok(rill_memcpy_dtod(f->context, p, at(h), 4));
    assert_int_equal(peek(f, p), 21);
    ok(rill_memcpy_dtod(f->context, at(h + 4), p, 4));
    assert_int_equal(h[4], 21);
}

/* mem.copy_device_as_source, mem.copy_device_as_target */
static void device_memory_may_stand_where_a_host_pointer_is_due(void **state)
{
    struct fixture *f = *state;
    rill_devptr p = device_words(f, 4);
    poke(f, p + 4, 9);
    ok(copy(f, HTOD, NULL, p, p + 4, 4));
    ok(copy(f, DTOH, NULL, p + 8, p + 4, 4));
    ok(copy(f, HTOD, f->per_thread, p + 12, p + 4, 4));
    ok(rill_context_synchronize(f->context));
    for (rill_devptr i = 0; i < 16; i += 4) assert_int_equal(peek(f, p + i), 9);
}

static void memory_of_a_pool_is_copied_like_any_other(void **state)
{
    struct fixture *f = *state;
    uint32_t in = 51, out = 0;
    rill_devptr p = 0, q = device_words(f, 1);
    rill_stream *s = new_stream(f);
    ok(rill_mem_alloc_async(s, 4, &p));
    ok(rill_memcpy_htod_async(s, p, &in, 4));
    ok(rill_memcpy_dtod_async(s, q, p, 4));
    ok(rill_memcpy_async(s, at(&out), q, 4));
    assert_int_equal(out, 51);
    is(RILL_ERROR_INVALID_VALUE, rill_memcpy_htod_async(s, p, &in, 5));
    ok(rill_mem_free_async(s, p));
}

/* ---- What is refused ---------------------------------------------------------------------- */

#define N ((size_t)2 << 20)

/* CY-6, mem.copy_out_of_bounds */
static void a_range_that_leaves_its_allocation_is_refused(void **state)
{
    struct fixture *f = *state;
    static char host[2 * N];
    rill_devptr p = 0, q = 0;
    ok(rill_mem_alloc(f->context, N, &p));
    ok(rill_mem_alloc(f->context, N, &q));
    taken(f, HTOD, p, at(host), N);
    taken(f, DTOH, at(host), p, N);
    taken(f, DTOD, q, p, N);
    refused(f, HTOD, p, at(host), N + 1);
    refused(f, HTOD, p + 4, at(host), N);
    refused(f, DTOH, at(host), p, N + 1);
    refused(f, DTOH, at(host), p + 4, N);
    refused(f, DTOD, q, p, N + 1);
    refused(f, DTOD, q, p + 4, N);
    refused(f, DTOD, q + 4, p, N);
    refused(f, UNIFIED, q + 4, p, N);
    refused(f, UNIFIED, q, p + 4, N);
}

/* p.small_over: exact to the byte, though allocations are far more apart. */
static void the_bounds_are_those_that_were_asked_for(void **state)
{
    struct fixture *f = *state;
    static char host[128];
    rill_devptr p = device_words(f, 16), q = device_words(f, 64);
    taken(f, HTOD, p + 60, at(host), 4);
    refused(f, HTOD, p, at(host), 65);
    refused(f, HTOD, p + 64, at(host), 4);
    refused(f, HTOD, p - 4, at(host), 8);
    refused(f, DTOH, at(host), p, 65);
    refused(f, DTOH, at(host), p + 100, 4);
    refused(f, DTOD, q, p, 65);
    refused(f, UNIFIED, q, p, 65);
}

/* p.small_over, p.reg_over */
static void pinned_and_registered_memory_has_bounds_too(void **state)
{
    struct fixture *f = *state;
    static char local[8192];
    char *pin = pinned(f, 4096);
    rill_devptr p = 0;
    ok(rill_mem_alloc(f->context, 16384, &p));
    ok(rill_host_register(f->context, local + 100, 5000, 0));
    taken(f, HTOD, p, at(pin), 4096);
    refused(f, HTOD, p, at(pin), 4097);
    refused(f, DTOH, at(pin) + 4000, p, 100);
    refused(f, DTOD, p, at(pin), 4097);
    refused(f, UNIFIED, p, at(pin), 4097);
    taken(f, HTOD, p, at(local) + 100, 5000);
    refused(f, HTOD, p, at(local) + 100, 5001);
    refused(f, DTOH, at(local) + 5000, p, 200);
    refused(f, DTOD, p, at(local) + 100, 5001);
    refused(f, UNIFIED, p, at(local) + 100, 5001);
    ok(rill_host_unregister(f->context, local + 100));
}

/* p.null_host */
static void sizes_that_wrap_around_are_refused(void **state)
{
    struct fixture *f = *state;
    static char host[64];
    rill_devptr p = device_words(f, 16);
    static const size_t sizes[] = { SIZE_MAX, SIZE_MAX - 63, SIZE_MAX / 2 + 1 };
    for (size_t i = 0; i < 3; i++) {
        refused(f, HTOD, p, at(host), sizes[i]);
        refused(f, DTOH, at(host), p, sizes[i]);
        refused(f, DTOD, p, p, sizes[i]);
        refused(f, UNIFIED, p, p, sizes[i]);
    }
}

/* mem.copy_null_device */
static void address_zero_is_refused(void **state)
{
    struct fixture *f = *state;
    static char host[4];
    rill_devptr p = device_words(f, 1);
    refused(f, HTOD, 0, at(host), 4);
    refused(f, DTOH, at(host), 0, 4);
    refused(f, DTOD, 0, p, 4);
    refused(f, DTOD, p, 0, 4);
    refused(f, UNIFIED, 0, p, 4);
    refused(f, UNIFIED, p, 0, 4);
}

/* p.null_src, p.null_dst, p.null_src_async */
static void a_null_host_pointer_is_refused(void **state)
{
    struct fixture *f = *state;
    rill_devptr p = device_words(f, 1);
    refused(f, HTOD, p, 0, 4);
    refused(f, DTOH, 0, p, 4);
}

/* mem.copy_host_as_device */
static void ordinary_host_memory_does_not_stand_where_device_memory_is_due(void **state)
{
    struct fixture *f = *state;
    static uint32_t a[2], b[2];
    rill_devptr p = device_words(f, 1);
    refused(f, HTOD, at(a), at(b), 4);
    refused(f, DTOH, at(a), at(b), 4);
    refused(f, DTOD, p, at(b), 4);
    refused(f, DTOD, at(b), p, 4);
}

/* CY-6 */
static void a_refused_copy_writes_nothing(void **state)
{
    struct fixture *f = *state;
    unsigned char host[80], before[80];
    rill_devptr p = device_words(f, 16);
    memset(host, 0x77, sizeof host);
    memcpy(before, host, sizeof host);
    is(RILL_ERROR_INVALID_VALUE, rill_memcpy_htod(f->context, p, host, 65));
    assert_int_equal(peek(f, p), 0);
    is(RILL_ERROR_INVALID_VALUE, rill_memcpy_dtoh(f->context, host, p, 65));
    is(RILL_ERROR_INVALID_VALUE, rill_memcpy_dtoh_async(f->per_thread, host, p, 65));
    assert_memory_equal(host, before, sizeof host);
}

/* CY-5, mem.copy_zero_bytes, p.null_host */
static void zero_bytes_are_copied_from_and_to_anywhere(void **state)
{
    struct fixture *f = *state;
    static uint32_t host = 3;
    rill_devptr p = device_words(f, 1);
    const rill_devptr anywhere[] = { p, p + 4, p + 1000, 0, 0x1000, at(&host), UINT64_MAX };
    for (int form = 0; form < FORMS; form++)
        for (size_t i = 0; i < 7; i++)
            for (size_t k = 0; k < 7; k++)
                taken(f, (enum form)form, anywhere[i], anywhere[k], 0);
    assert_int_equal(host, 3);
    assert_int_equal(peek(f, p), 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_large_copy_arrives_whole),
    cmocka_unit_test(only_the_bytes_asked_for_are_written),
    cmocka_unit_test(copies_and_kernels_of_a_stream_run_in_order),
    cmocka_unit_test(a_unified_copy_works_out_both_ends),
    cmocka_unit_test(pinned_memory_serves_as_device_memory),
    cmocka_unit_test(device_memory_may_stand_where_a_host_pointer_is_due),
    cmocka_unit_test(memory_of_a_pool_is_copied_like_any_other),
    cmocka_unit_test(a_range_that_leaves_its_allocation_is_refused),
    cmocka_unit_test(the_bounds_are_those_that_were_asked_for),
    cmocka_unit_test(pinned_and_registered_memory_has_bounds_too),
    cmocka_unit_test(sizes_that_wrap_around_are_refused),
    cmocka_unit_test(address_zero_is_refused),
    cmocka_unit_test(a_null_host_pointer_is_refused),
    cmocka_unit_test(ordinary_host_memory_does_not_stand_where_device_memory_is_due),
    cmocka_unit_test(a_refused_copy_writes_nothing),
    cmocka_unit_test(zero_bytes_are_copied_from_and_to_anywhere),
};

SUITE_GROUP(copies, 1);
