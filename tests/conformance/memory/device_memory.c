/* SPDX-License-Identifier: Apache-2.0
 *
 * Device memory: getting it, giving it back, what is known of it.
 */
#include <string.h>

#include "conformance/work.h"

/* ---- Allocating ------------------------------------------------------------------- */

/* mem.alloc_args */
static void impossible_sizes_are_refused(void **state)
{
    struct fixture *f = *state;
    rill_devptr address = 7;
    refuses(RILL_ERROR_INVALID_VALUE, "bytes", rill_mem_alloc(f->context, 0, &address));
    is(RILL_ERROR_OUT_OF_MEMORY, rill_mem_alloc(f->context, TOO_MUCH, &address));
    is(RILL_ERROR_OUT_OF_MEMORY, rill_mem_alloc(f->context, SIZE_MAX, &address));
    is(RILL_ERROR_OUT_OF_MEMORY, rill_mem_alloc(f->context, SIZE_MAX - 600, &address));
    assert_int_equal(address, 7);
}

/* mem.alloc_args */
static void no_place_for_the_address_is_refused(void **state)
{
    struct fixture *f = *state;
    refuses(RILL_ERROR_INVALID_VALUE, "address", rill_mem_alloc(f->context, 4, NULL));
    is(RILL_ERROR_INVALID_VALUE, rill_mem_alloc(f->context, 0, NULL));
}

/* mem.alloc_args, p.align */
static void allocations_are_aligned_and_apart(void **state)
{
    struct fixture *f = *state;
    static const size_t sizes[] = { 1, 3, 513, 100, 3000000, 1, 512, 4096 };
    enum { COUNT = sizeof sizes / sizeof *sizes };
    rill_devptr all[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        ok(rill_mem_alloc(f->context, sizes[i], &all[i]));
        assert_int_equal(all[i] % 256, 0);
        for (size_t k = 0; k < i; k++)
            assert_true(all[i] + sizes[i] <= all[k] || all[k] + sizes[k] <= all[i]);
    }
    for (size_t i = 0; i < COUNT; i++) ok(rill_mem_free(f->context, all[i]));
}

static void memory_keeps_what_is_written_into_it(void **state)
{
    struct fixture *f = *state;
    enum { BYTES = 1 << 20 };
    static unsigned char out[BYTES], back[BYTES];
    rill_devptr p = 0, neighbour = 0;
    ok(rill_mem_alloc(f->context, BYTES, &p));
    ok(rill_mem_alloc(f->context, BYTES, &neighbour));
    ok(rill_memset_d8(f->context, neighbour, 0xee, BYTES));
    for (size_t i = 0; i < BYTES; i++) out[i] = (unsigned char)(i * 7 + (i >> 12));
    ok(rill_memcpy_htod(f->context, p, out, BYTES));
    ok(rill_memset_d8(f->context, neighbour, 0xdd, BYTES));
    ok(rill_memcpy_dtoh(f->context, back, p, BYTES));
    assert_memory_equal(back, out, BYTES);
}

static void memory_that_is_used_up_can_be_had_again_once_it_is_freed(void **state)
{
    struct fixture *f = *state;
    size_t free_bytes = 0;
    rill_devptr all[3] = { 0 };
    needs_device_alone();
    ok(rill_mem_info(f->context, &free_bytes, NULL));
    is(RILL_ERROR_OUT_OF_MEMORY, rill_mem_alloc(f->context, free_bytes + 1, &all[0]));
    size_t part = free_bytes / 5 * 2;
    ok(rill_mem_alloc(f->context, part, &all[0]));
    ok(rill_mem_alloc(f->context, part, &all[1]));
    is(RILL_ERROR_OUT_OF_MEMORY, rill_mem_alloc(f->context, part, &all[2]));
    ok(rill_mem_free(f->context, all[0]));
    ok(rill_mem_alloc(f->context, part, &all[2]));
    ok(rill_mem_free(f->context, all[1]));
    ok(rill_mem_free(f->context, all[2]));
}

/* ---- Freeing ----------------------------------------------------------------------- */

/* p.free_args */
static void freeing_address_zero_is_allowed(void **state)
{
    struct fixture *f = *state;
    ok(rill_mem_free(f->context, 0));
}

/* p.free_args */
static void only_the_address_that_was_returned_can_be_freed(void **state)
{
    struct fixture *f = *state;
    static char local[4096];
    rill_devptr p = device_words(f, 1024);
    const rill_devptr wrong[] = {
        p + 1, p + 256, p + 4096, p - 1, 0x1000, at(local), at(pinned(f, 64)),
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        refuses(RILL_ERROR_INVALID_VALUE, "address", rill_mem_free(f->context, wrong[i]));
    }
    ok(rill_memset_d8(f->context, p, 1, 4096));
    ok(rill_mem_free(f->context, p));
}

/* p.free_args */
static void memory_is_freed_once(void **state)
{
    struct fixture *f = *state;
    rill_devptr p = device_words(f, 1);
    ok(rill_mem_free(f->context, p));
    is(RILL_ERROR_INVALID_VALUE, rill_mem_free(f->context, p));
}

/* probe.freed */
static void freed_memory_is_refused_everywhere(void **state)
{
    struct fixture *f = *state;
    uint32_t word = 0;
    rill_devptr p = device_words(f, 1), other = device_words(f, 1), base;
    rill_stream *s = new_stream(f);
    ok(rill_mem_free(f->context, p));
    is(RILL_ERROR_INVALID_VALUE, rill_memcpy_htod(f->context, p, &word, 4));
    is(RILL_ERROR_INVALID_VALUE, rill_memcpy_dtoh(f->context, &word, p, 4));
    is(RILL_ERROR_INVALID_VALUE, rill_memcpy_dtod_async(s, other, p, 4));
    is(RILL_ERROR_INVALID_VALUE, rill_memset_d32_async(s, p, 1, 1));
    is(RILL_ERROR_INVALID_VALUE, rill_stream_write_value32(s, p, 1, 0));
    is(RILL_ERROR_INVALID_VALUE, rill_mem_free_async(s, p));
    is(RILL_ERROR_NOT_FOUND, rill_mem_range(f->context, p, &base, NULL));
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

static void freeing_waits_for(struct fixture *f, rill_stream *stream)
{
    struct freeing freeing = { f->context, device_words(f, 1) };
    struct gate *g = gate(f, stream);
    mark(f, stream, 'w');
    struct call *call = start_call(f, free_it, &freeing);
    blocked(call);
    open_gate(g);
    ok(finish_call(call));
    order(f, "w");
}

/* CY-7, p.free_waits */
static void freeing_waits_for_blocking_streams(void **state)
{
    freeing_waits_for(*state, new_stream(*state));
}

/* CY-7, p.free_waits */
static void freeing_waits_for_non_blocking_streams(void **state)
{
    freeing_waits_for(*state, new_non_blocking(*state));
}

/* p.free_waits: zero, bad */
static void freeing_nothing_does_not_wait(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_stream(f);
    rill_devptr p = device_words(f, 1);
    gate(f, s);
    ok(rill_mem_free(f->context, 0));
    is(RILL_ERROR_INVALID_VALUE, rill_mem_free(f->context, p + 1));
    is(RILL_ERROR_INVALID_VALUE, rill_mem_free(f->context, 0x1000));
    held(s);
}

/* p.free_waits: alloc, pitch, halloc, info, reg */
static void allocating_and_asking_do_not_wait(void **state)
{
    struct fixture *f = *state;
    static char local[4096];
    rill_stream *s = new_stream(f);
    rill_devptr p = 0;
    size_t pitch = 0, bytes = 0;
    void *host = NULL;
    gate(f, s);
    ok(rill_mem_alloc(f->context, 1 << 20, &p));
    ok(rill_mem_alloc_pitch(f->context, 64, 2, 4, &p, &pitch));
    ok(rill_host_alloc(f->context, 1 << 20, 0, &host));
    ok(rill_host_register(f->context, local, sizeof local, 0));
    ok(rill_mem_info(f->context, &bytes, NULL));
    held(s);
}

/* p.free_from_other_ctx */
static void freeing_waits_for_the_context_that_allocated(void **state)
{
    struct fixture *f = *state;
    rill_context *other = new_context(f, 0, RILL_CONTEXT_OWN);
    rill_stream *theirs = new_stream_in(f, other, RILL_STREAM_NON_BLOCKING);
    struct freeing freeing = { f->context, words_on(other, 1) };
    rill_devptr ours = device_words(f, 1);
    struct gate *g = gate(f, theirs);
    ok(rill_mem_free(other, ours)); /* waits for nobody, whoever frees it */
    struct call *call = start_call(f, free_it, &freeing);
    blocked(call);
    open_gate(g);
    ok(finish_call(call));
}

/* p.pool_ctxgone */
static void the_memory_of_a_context_ends_with_it(void **state)
{
    struct fixture *f = *state;
    rill_context *other = new_context(f, 0, RILL_CONTEXT_OWN);
    rill_devptr p = words_on(other, 16), base;
    uint32_t word;
    ok(rill_memcpy_dtoh(f->context, &word, p, 4)); /* both contexts reach it */
    ok(rill_memset_d32(f->context, p, 0, 1));
    ok(rill_context_synchronize(f->context));
    forget(f, other);
    ok(rill_context_destroy(&other));
    is(RILL_ERROR_NOT_FOUND, rill_mem_range(f->context, p, &base, NULL));
    is(RILL_ERROR_INVALID_VALUE, rill_memset_d32(f->context, p, 0, 1));
    is(RILL_ERROR_INVALID_VALUE, rill_mem_free(f->context, p));
}

/* ---- Ranges ------------------------------------------------------------------------- */

static void has_range(struct fixture *f, rill_devptr address, rill_devptr base, size_t bytes)
{
    rill_devptr found = 7;
    size_t length = 7;
    ok(rill_mem_range(f->context, address, &found, &length));
    assert_int_equal(found, base);
    assert_int_equal(length, bytes);
}

static void has_no_range(struct fixture *f, rill_devptr address)
{
    rill_devptr found = 7;
    size_t length = 7;
    is(RILL_ERROR_NOT_FOUND, rill_mem_range(f->context, address, &found, &length));
    assert_int_equal(found, 7);
    assert_int_equal(length, 7);
}

/* p.range */
static void the_range_of_an_address_is_its_allocation(void **state)
{
    struct fixture *f = *state;
    rill_devptr p = 0;
    ok(rill_mem_alloc(f->context, 1000, &p));
    has_range(f, p, p, 1000);
    has_range(f, p + 1, p, 1000);
    has_range(f, p + 999, p, 1000);
    has_no_range(f, p + 1000);
    has_no_range(f, p + 1024 + 512);
    has_no_range(f, p - 1);
}

/* p.range */
static void pinned_registered_and_pool_memory_have_ranges(void **state)
{
    struct fixture *f = *state;
    static char local[8192];
    char *pin = pinned(f, 5000);
    rill_stream *s = new_stream(f);
    rill_devptr p = 0;
    ok(rill_host_register(f->context, local + 100, 5000, 0));
    ok(rill_mem_alloc_async(s, 1000, &p));
    has_range(f, at(pin) + 4999, at(pin), 5000);
    has_no_range(f, at(pin) + 5000);
    has_range(f, at(local) + 5099, at(local) + 100, 5000);
    has_no_range(f, at(local) + 5100);
    has_no_range(f, at(local) + 99);
    has_range(f, p + 999, p, 1000);
    has_no_range(f, p + 1000);
    ok(rill_mem_free_async(s, p));
}

/* p.range */
static void nothing_and_foreign_memory_have_no_range(void **state)
{
    struct fixture *f = *state;
    static char local[16];
    has_no_range(f, 0);
    has_no_range(f, 0x1000);
    has_no_range(f, at(local));
    has_no_range(f, UINT64_MAX);
}

/* p.range: nob, non, p.range_null2 */
static void either_output_of_a_range_may_be_missing(void **state)
{
    struct fixture *f = *state;
    rill_devptr p = device_words(f, 4), base = 0;
    size_t bytes = 0;
    ok(rill_mem_range(f->context, p + 5, &base, NULL));
    assert_int_equal(base, p);
    ok(rill_mem_range(f->context, p + 5, NULL, &bytes));
    assert_int_equal(bytes, 16);
    ok(rill_mem_range(f->context, p, NULL, NULL));
    is(RILL_ERROR_NOT_FOUND, rill_mem_range(f->context, 0x1000, NULL, NULL));
}

/* ---- How much there is ----------------------------------------------------------------- */

static void free_memory_shrinks_and_grows_with_allocations(void **state)
{
    struct fixture *f = *state;
    size_t before = 0, during = 0, after = 0, total = 0;
    rill_devptr p = 0;
    rill_device_info info = { .size = sizeof info };
    needs_device_alone();
    ok(rill_device_get_info(f->platform, 0, &info));
    ok(rill_mem_info(f->context, &before, &total));
    assert_int_equal(total, info.memory_bytes);
    assert_true(before <= total);
    ok(rill_mem_alloc(f->context, (size_t)100 << 20, &p));
    ok(rill_mem_info(f->context, &during, NULL));
    assert_true(during <= before - ((size_t)100 << 20));
    ok(rill_mem_free(f->context, p));
    ok(rill_mem_info(f->context, &after, NULL));
    same_amount(after, before);
}

/* mem.info_null_out, p.info: nullnull */
static void either_amount_may_go_unasked(void **state)
{
    struct fixture *f = *state;
    size_t amount = 0;
    ok(rill_mem_info(f->context, &amount, NULL));
    assert_int_not_equal(amount, 0);
    amount = 0;
    ok(rill_mem_info(f->context, NULL, &amount));
    assert_int_not_equal(amount, 0);
    ok(rill_mem_info(f->context, NULL, NULL));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(impossible_sizes_are_refused),
    cmocka_unit_test(no_place_for_the_address_is_refused),
    cmocka_unit_test(allocations_are_aligned_and_apart),
    cmocka_unit_test(memory_keeps_what_is_written_into_it),
    cmocka_unit_test(memory_that_is_used_up_can_be_had_again_once_it_is_freed),
    cmocka_unit_test(freeing_address_zero_is_allowed),
    cmocka_unit_test(only_the_address_that_was_returned_can_be_freed),
    cmocka_unit_test(memory_is_freed_once),
    cmocka_unit_test(freed_memory_is_refused_everywhere),
    cmocka_unit_test(freeing_waits_for_blocking_streams),
    cmocka_unit_test(freeing_waits_for_non_blocking_streams),
    cmocka_unit_test(freeing_nothing_does_not_wait),
    cmocka_unit_test(allocating_and_asking_do_not_wait),
    cmocka_unit_test(freeing_waits_for_the_context_that_allocated),
    cmocka_unit_test(the_memory_of_a_context_ends_with_it),
    cmocka_unit_test(the_range_of_an_address_is_its_allocation),
    cmocka_unit_test(pinned_registered_and_pool_memory_have_ranges),
    cmocka_unit_test(nothing_and_foreign_memory_have_no_range),
    cmocka_unit_test(either_output_of_a_range_may_be_missing),
    cmocka_unit_test(free_memory_shrinks_and_grows_with_allocations),
    cmocka_unit_test(either_amount_may_go_unasked),
};

SUITE_GROUP(device_memory, 1);
