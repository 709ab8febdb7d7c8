/* SPDX-License-Identifier: Apache-2.0
 *
 * Managed memory: one address for the host and the device, and to whom it is attached.
 */
#include <string.h>

#include "conformance/work.h"

/* Managed words, which go away with the context. */
static rill_devptr managed(struct fixture *f, size_t words)
{
    rill_devptr p = 0;
    ok(rill_mem_alloc_managed(f->context, words * sizeof(uint32_t), RILL_ATTACH_GLOBAL, &p));
    memset((void *)(uintptr_t)p, 0, words * sizeof(uint32_t));
    return p;
}

static volatile uint32_t *on_host(rill_devptr address)
{
    return (volatile uint32_t *)(uintptr_t)address;
}

/* ---- Using it --------------------------------------------------------------------------- */

static void one_address_is_the_hosts_and_the_kernels(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_devptr p = managed(f, 4);
    on_host(p)[1] = 7;
    ok(mul_add(kernel(f, &mul_add_function), s, p + 4, 10, 3));
    ok(rill_stream_synchronize(s));
    assert_int_equal(on_host(p)[1], 73);
    on_host(p)[1] = 1;
    ok(mul_add(kernel(f, &mul_add_function), s, p + 4, 10, 3));
    ok(rill_stream_synchronize(s));
    assert_int_equal(on_host(p)[1], 13);
    ok(rill_mem_free(f->context, p));
}

static void copies_and_fills_reach_it_from_all_sides(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_devptr p = managed(f, 4), q = managed(f, 4), device = device_words(f, 4);
    uint32_t words[4] = { 1, 2, 3, 4 };
    ok(rill_memcpy_htod(f->context, p, words, sizeof words));
    ok(rill_memcpy_dtod(f->context, device, p, sizeof words));
    ok(rill_memcpy(f->context, q, device, sizeof words));
    assert_int_equal(peek(f, q + 8), 3);
    assert_memory_equal((const void *)(uintptr_t)q, words, sizeof words);
    ok(rill_memset_d32_async(s, p, 9, 2));
    ok(rill_memcpy_async(s, q, p, sizeof words));
    ok(rill_memcpy_dtoh_async(s, words, q, sizeof words));
    ok(rill_stream_synchronize(s));
    assert_int_equal(words[1], 9);
    assert_int_equal(words[2], 3);
}

static void a_copy_within_it_does_not_hold_its_caller(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_devptr p = managed(f, 1), q = managed(f, 1);
    struct gate *g = gate(f, s);
    ok(rill_memset_d32_async(s, p, 5, 1));
    ok(rill_memcpy_async(s, q, p, sizeof(uint32_t)));
    held(s);
    open_gate(g);
    ok(rill_stream_synchronize(s));
    assert_int_equal(*on_host(q), 5);
}

static void graphs_use_it(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_devptr p = managed(f, 2);
    rill_graph *graph = NULL;
    rill_kernel *k = kernel(f, &mul_add_function);
    ok(rill_stream_begin_capture(s, NULL));
    ok(rill_memset_d32_async(s, p, 2, 1));
    ok(mul_add(k, s, p, 5, 1));
    ok(rill_memcpy_async(s, p + 4, p, sizeof(uint32_t)));
    ok(rill_stream_end_capture(s, &graph));
    ok(rill_exec_launch(new_exec(f, keep_graph(f, graph)), s));
    ok(rill_stream_synchronize(s));
    assert_int_equal(on_host(p)[1], 11);
}

/* ---- What is known of it ------------------------------------------------------------------ */

static void its_address_says_so(void **state)
{
    struct fixture *f = *state;
    rill_devptr p = managed(f, 250), base = 0;
    size_t bytes = 0;
    rill_pointer_info info = { .size = sizeof info };
    ok(rill_pointer_get_info(f->context, p + 500, &info));
    assert_int_equal(info.known, 1);
    assert_int_equal(info.managed, 1);
    assert_int_equal(info.kind, RILL_MEMORY_DEVICE);
    assert_int_equal(info.base, p);
    assert_int_equal(info.bytes, 1000);
    ok(rill_mem_range(f->context, p + 500, &base, &bytes));
    assert_int_equal(base, p);
    assert_int_equal(bytes, 1000);
    ok(rill_pointer_get_info(f->context, device_words(f, 1), &info));
    assert_int_equal(info.managed, 0);
    ok(rill_pointer_get_info(f->context, at(pinned(f, 4)), &info));
    assert_int_equal(info.managed, 0);
}

static void the_device_says_that_it_has_it(void **state)
{
    struct fixture *f = *state;
    rill_device_info info = { .size = sizeof info };
    ok(rill_device_get_info(f->platform, 0, &info));
    assert_int_equal(info.managed_memory, 1);
}

/* ---- Allocating and freeing ----------------------------------------------------------------- */

static void impossible_managed_sizes_and_flags_are_refused(void **state)
{
    struct fixture *f = *state;
    static const uint32_t wrong[] = { 0, 3, RILL_ATTACH_SINGLE, 8 };
    rill_devptr p = 0;
    for (size_t i = 0; i < 4; i++)
        refuses(RILL_ERROR_INVALID_VALUE, "flags",
                rill_mem_alloc_managed(f->context, 64, wrong[i], &p));
    refuses(RILL_ERROR_INVALID_VALUE, "bytes",
            rill_mem_alloc_managed(f->context, 0, RILL_ATTACH_GLOBAL, &p));
    refuses(RILL_ERROR_OUT_OF_MEMORY, "bytes",
            rill_mem_alloc_managed(f->context, TOO_MUCH, RILL_ATTACH_HOST, &p));
    refuses(RILL_ERROR_INVALID_VALUE, "address",
            rill_mem_alloc_managed(f->context, 64, RILL_ATTACH_GLOBAL, NULL));
}

static void it_is_freed_once_and_as_device_memory(void **state)
{
    struct fixture *f = *state;
    rill_devptr p = managed(f, 64);
    refuses(RILL_ERROR_INVALID_VALUE, "pointer",
            rill_host_free(f->context, (void *)(uintptr_t)p));
    refuses(RILL_ERROR_INVALID_VALUE, "address", rill_mem_free(f->context, p + 4));
    ok(rill_mem_free(f->context, p));
    refuses(RILL_ERROR_INVALID_VALUE, "address", rill_mem_free(f->context, p));
}

static rill_status free_managed(void *data)
{
    const rill_pointer_info *info = data;
    return rill_mem_free(info->context, info->base);
}

static void freeing_it_waits_for_the_work_of_the_context(void **state)
{
    struct fixture *f = *state;
    rill_pointer_info what = { .context = f->context, .base = managed(f, 1) };
    struct gate *g = gate(f, new_non_blocking(f));
    struct call *call = start_call(f, free_managed, &what);
    blocked(call);
    open_gate(g);
    ok(finish_call(call));
}

/* ---- Attaching ------------------------------------------------------------------------------ */

static void it_is_attached_to_a_stream_to_the_host_and_to_all(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_devptr p = managed(f, 16);
    ok(rill_stream_attach(s, p, 0, RILL_ATTACH_SINGLE));
    ok(put(kernel(f, &put_function), s, p, 5));
    ok(rill_stream_synchronize(s));
    assert_int_equal(*on_host(p), 5);
    ok(rill_stream_attach(s, p, 64, RILL_ATTACH_HOST));
    ok(rill_stream_synchronize(s));
    *on_host(p) = 6;
    ok(rill_stream_attach(f->legacy, p, 0, RILL_ATTACH_GLOBAL));
    ok(rill_context_synchronize(f->context));
    assert_int_equal(peek(f, p), 6);
}

static void part_of_it_is_not_attached(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_devptr p = managed(f, 16);
    refuses(RILL_ERROR_INVALID_VALUE, "address",
            rill_stream_attach(s, p + 4, 0, RILL_ATTACH_SINGLE));
    is(RILL_ERROR_INVALID_VALUE, rill_stream_attach(s, p, 60, RILL_ATTACH_SINGLE));
    is(RILL_ERROR_INVALID_VALUE, rill_stream_attach(s, p, 0, 0));
    is(RILL_ERROR_INVALID_VALUE, rill_stream_attach(s, p, 0, 3));
    is(RILL_ERROR_INVALID_VALUE, rill_stream_attach(f->legacy, p, 0, RILL_ATTACH_SINGLE));
}

/* ---- Captures ------------------------------------------------------------------------------- */

static void a_capture_neither_allocates_nor_attaches_it(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_devptr p = managed(f, 1), q = 0;
    rill_graph *graph = NULL;
    ok(rill_stream_begin_capture(s, NULL));
    is(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED,
       rill_mem_alloc_managed(f->context, 4, RILL_ATTACH_GLOBAL, &q));
    is(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, rill_stream_end_capture(s, &graph));
    ok(rill_stream_begin_capture(s, NULL));
    is(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED, rill_stream_attach(s, p, 0, RILL_ATTACH_SINGLE));
    is(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, rill_stream_end_capture(s, &graph));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(one_address_is_the_hosts_and_the_kernels),
    cmocka_unit_test(copies_and_fills_reach_it_from_all_sides),
    cmocka_unit_test(a_copy_within_it_does_not_hold_its_caller),
    cmocka_unit_test(graphs_use_it),
    cmocka_unit_test(its_address_says_so),
    cmocka_unit_test(the_device_says_that_it_has_it),
    cmocka_unit_test(impossible_managed_sizes_and_flags_are_refused),
    cmocka_unit_test(it_is_freed_once_and_as_device_memory),
    cmocka_unit_test(freeing_it_waits_for_the_work_of_the_context),
    cmocka_unit_test(it_is_attached_to_a_stream_to_the_host_and_to_all),
    cmocka_unit_test(part_of_it_is_not_attached),
    cmocka_unit_test(a_capture_neither_allocates_nor_attaches_it),
};

SUITE_GROUP(managed_memory, 1);
