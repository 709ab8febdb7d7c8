/* SPDX-License-Identifier: Apache-2.0
 *
 * Host memory that the device reaches: allocated, or registered.
 */
#include "conformance/work.h"

#define PAGE 4096

/* Pages of ordinary memory. */
static char pages[4 * PAGE] __attribute__((aligned(PAGE)));

/* ---- Allocated ------------------------------------------------------------------------ */

/* mem.host_alloc: MAPPED is always set. */
static void the_flags_are_kept(void **state)
{
    struct fixture *f = *state;
    static const uint32_t given[] = { 0, 1, 2, 3, 4, 7 }, kept[] = { 2, 3, 2, 3, 6, 7 };
    for (size_t i = 0; i < 6; i++) {
        void *pointer = NULL;
        uint32_t flags = 99;
        ok(rill_host_alloc(f->context, 4096, given[i], &pointer));
        ok(rill_host_flags(f->context, pointer, &flags));
        assert_int_equal(flags, kept[i]);
        ok(rill_host_free(f->context, pointer));
    }
}

/* mem.host_alloc, p.host_args */
static void unknown_flags_are_refused(void **state)
{
    struct fixture *f = *state;
    static const uint32_t unknown[] = { 0x8, 0x10, 0x20, 0x80000000u, 0x9 };
    void *pointer = NULL;
    for (size_t i = 0; i < 5; i++) {
        refuses(RILL_ERROR_INVALID_VALUE, "flags",
                rill_host_alloc(f->context, 64, unknown[i], &pointer));
        is(RILL_ERROR_INVALID_VALUE, rill_host_alloc(f->context, 0, unknown[i], &pointer));
    }
}

/* mem.host_alloc */
static void nothing_is_allocated_as_null(void **state)
{
    struct fixture *f = *state;
    void *pointer = f;
    ok(rill_host_alloc(f->context, 0, 0, &pointer));
    assert_null(pointer);
}

/* mem.host_alloc, p.host_args */
static void impossible_pinned_sizes_are_refused(void **state)
{
    struct fixture *f = *state;
    void *pointer = NULL;
    is(RILL_ERROR_OUT_OF_MEMORY, rill_host_alloc(f->context, TOO_MUCH, 0, &pointer));
    is(RILL_ERROR_OUT_OF_MEMORY, rill_host_alloc(f->context, SIZE_MAX, 0, &pointer));
    refuses(RILL_ERROR_INVALID_VALUE, "pointer", rill_host_alloc(f->context, 64, 0, NULL));
}

/* p.host_args */
static void only_what_was_allocated_can_be_freed_and_once(void **state)
{
    struct fixture *f = *state;
    static int local;
    char *pointer = pinned(f, 100);
    rill_devptr device = device_words(f, 1);
    ok(rill_host_register(f->context, pages, PAGE, 0));
    void *const wrong[] = { pointer + 8, &local, (void *)(uintptr_t)device, pages };
    for (size_t i = 0; i < 4; i++) {
        refuses(RILL_ERROR_INVALID_VALUE, "pointer", rill_host_free(f->context, wrong[i]));
    }
    ok(rill_host_free(f->context, pointer));
    is(RILL_ERROR_INVALID_VALUE, rill_host_free(f->context, pointer));
    ok(rill_host_unregister(f->context, pages));
}

/* p.host_args */
static void freeing_a_null_pointer_is_allowed(void **state)
{
    struct fixture *f = *state;
    ok(rill_host_free(f->context, NULL));
}

struct letting_go {
    rill_context *context;
    void *pointer;
};

static rill_status free_host(void *data)
{
    struct letting_go *what = data;
    return rill_host_free(what->context, what->pointer);
}

static rill_status unregister_host(void *data)
{
    struct letting_go *what = data;
    return rill_host_unregister(what->context, what->pointer);
}

static void waits_for(struct fixture *f, rill_stream *stream, rill_status (*make)(void *),
                      void *pointer)
{
    struct letting_go what = { f->context, pointer };
    struct gate *g = gate(f, stream);
    struct call *call = start_call(f, make, &what);
    blocked(call);
    open_gate(g);
    ok(finish_call(call));
}

/* p.free_waits */
static void freeing_pinned_memory_waits_for_the_work_of_the_context(void **state)
{
    struct fixture *f = *state;
    waits_for(f, new_stream(f), free_host, pinned(f, 64));
    waits_for(f, new_non_blocking(f), free_host, pinned(f, 64));
}

/* p.free_waits */
static void unregistering_waits_for_the_work_of_the_context(void **state)
{
    struct fixture *f = *state;
    ok(rill_host_register(f->context, pages, PAGE, 0));
    waits_for(f, new_non_blocking(f), unregister_host, pages);
}

/* p.free_waits: host_bad, unreg_bad */
static void freeing_no_pinned_memory_does_not_wait(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    gate(f, s);
    ok(rill_host_free(f->context, NULL));
    is(RILL_ERROR_HOST_MEMORY_NOT_REGISTERED, rill_host_unregister(f->context, pages));
    held(s);
}

/* ---- Registered ------------------------------------------------------------------------- */

/* mem.host_register */
static void memory_is_registered_once(void **state)
{
    struct fixture *f = *state;
    uint32_t flags = 99;
    rill_devptr address = 0;
    ok(rill_host_register(f->context, pages, 2 * PAGE, 0));
    is(RILL_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
       rill_host_register(f->context, pages, 2 * PAGE, 0));
    is(RILL_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
       rill_host_register(f->context, pages + PAGE, PAGE, 0));
    is(RILL_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
       rill_host_register(f->context, pages + PAGE, 2 * PAGE, 0));
    ok(rill_host_register(f->context, pages + 2 * PAGE, PAGE, 0));
    ok(rill_host_flags(f->context, pages, &flags));
    assert_int_equal(flags, RILL_HOST_MAPPED);
    ok(rill_host_device_pointer(f->context, pages, &address));
    assert_int_equal(address, at(pages));
    ok(rill_host_unregister(f->context, pages));
    ok(rill_host_unregister(f->context, pages + 2 * PAGE));
}

/* mem.host_register */
static void memory_is_unregistered_by_its_start_and_once(void **state)
{
    struct fixture *f = *state;
    is(RILL_ERROR_HOST_MEMORY_NOT_REGISTERED, rill_host_unregister(f->context, pages));
    ok(rill_host_register(f->context, pages, 2 * PAGE, 0));
    is(RILL_ERROR_INVALID_VALUE, rill_host_unregister(f->context, pages + PAGE));
    ok(rill_host_unregister(f->context, pages));
    is(RILL_ERROR_HOST_MEMORY_NOT_REGISTERED, rill_host_unregister(f->context, pages));
    is(RILL_ERROR_INVALID_VALUE, rill_host_unregister(f->context, NULL));
}

/* p.register_flags; IO_MEMORY needs memory that is such, READ_ONLY a device that can. */
static void register_flags_are_kept_or_refused(void **state)
{
    struct fixture *f = *state;
    static const uint32_t given[] = { 0, 1, 2, 3 }, kept[] = { 2, 3, 2, 3 };
    static const uint32_t refused[] = { 0x4, 0x20, 0x100, 0x80000000u };
    for (size_t i = 0; i < 4; i++) {
        uint32_t flags = 99;
        ok(rill_host_register(f->context, pages, PAGE, given[i]));
        ok(rill_host_flags(f->context, pages, &flags));
        assert_int_equal(flags, kept[i]);
        ok(rill_host_unregister(f->context, pages));
        refuses(RILL_ERROR_INVALID_VALUE, "flags",
                rill_host_register(f->context, pages, PAGE, refused[i]));
    }
    assert_int_not_equal(rill_host_register(f->context, pages, PAGE, RILL_HOST_IO_MEMORY),
                         RILL_SUCCESS);
}

/* mem.host_register, p.register_overlap */
static void impossible_ranges_are_not_registered(void **state)
{
    struct fixture *f = *state;
    char *pin = pinned(f, PAGE);
    rill_devptr device = device_words(f, 1024);
    is(RILL_ERROR_INVALID_VALUE, rill_host_register(f->context, NULL, PAGE, 0));
    is(RILL_ERROR_INVALID_VALUE, rill_host_register(f->context, pages, 0, 0));
    is(RILL_ERROR_INVALID_VALUE, rill_host_register(f->context, pages, SIZE_MAX, 0));
    is(RILL_ERROR_INVALID_VALUE, rill_host_register(f->context, pin, PAGE, 0));
    is(RILL_ERROR_INVALID_VALUE, rill_host_register(f->context, pin + 10, 10, 0));
    is(RILL_ERROR_INVALID_VALUE,
       rill_host_register(f->context, (void *)(uintptr_t)device, PAGE, 0));
    is(RILL_ERROR_INVALID_VALUE, rill_host_unregister(f->context, pin));
    is(RILL_ERROR_INVALID_VALUE, rill_host_unregister(f->context, (void *)(uintptr_t)device));
}

/* p.register_overlap: what counts is the bytes, not their pages. */
static void parts_of_one_page_can_be_registered_apart(void **state)
{
    struct fixture *f = *state;
    rill_devptr address = 0;
    uint32_t flags;
    ok(rill_host_register(f->context, pages + 100, 1000, 0));
    ok(rill_host_register(f->context, pages + 2000, 100, 0));
    ok(rill_host_register(f->context, pages, 50, 0));
    is(RILL_ERROR_HOST_MEMORY_ALREADY_REGISTERED, rill_host_register(f->context, pages, PAGE, 0));
    ok(rill_host_device_pointer(f->context, pages + 1099, &address));
    assert_int_equal(address, at(pages) + 1099);
    is(RILL_ERROR_INVALID_VALUE, rill_host_device_pointer(f->context, pages + 1100, &address));
    is(RILL_ERROR_INVALID_VALUE, rill_host_flags(f->context, pages + 60, &flags));
    is(RILL_ERROR_INVALID_VALUE, rill_host_unregister(f->context, pages + 200));
    is(RILL_ERROR_HOST_MEMORY_NOT_REGISTERED, rill_host_unregister(f->context, pages + 3000));
    ok(rill_host_unregister(f->context, pages));
    ok(rill_host_unregister(f->context, pages + 100));
    ok(rill_host_unregister(f->context, pages + 2000));
}

/* mem.host_register: after */
static void unregistered_memory_is_ordinary_again(void **state)
{
    struct fixture *f = *state;
    rill_devptr address = 0, word = device_words(f, 1);
    rill_pointer_info info = { .size = sizeof info };
    ok(rill_host_register(f->context, pages, PAGE, 0));
    ok(rill_host_unregister(f->context, pages));
    is(RILL_ERROR_INVALID_VALUE, rill_host_device_pointer(f->context, pages, &address));
    is(RILL_ERROR_INVALID_VALUE, rill_memcpy_dtod(f->context, word, at(pages), 4));
    ok(rill_pointer_get_info(f->context, at(pages), &info));
    assert_int_equal(info.known, 0);
}

/* q.unreg_whom: the context's end takes its registrations along. */
static void registrations_end_with_their_context(void **state)
{
    struct fixture *f = *state;
    rill_context *other = new_context(f, 0, RILL_CONTEXT_OWN);
    ok(rill_host_register(other, pages, PAGE, 0));
    forget(f, other);
    ok(rill_context_destroy(&other));
    is(RILL_ERROR_HOST_MEMORY_NOT_REGISTERED, rill_host_unregister(f->context, pages));
    ok(rill_host_register(f->context, pages, PAGE, 0));
    ok(rill_host_unregister(f->context, pages));
}

/* ---- Where it is on the device ------------------------------------------------------------ */

/* mem.host_queries */
static void every_byte_of_pinned_memory_has_the_same_address_on_the_device(void **state)
{
    struct fixture *f = *state;
    char *pin = pinned(f, 4096);
    rill_devptr address = 0;
    uint32_t flags = 99;
    static const size_t offsets[] = { 0, 100, 4095 };
    for (size_t i = 0; i < 3; i++) {
        ok(rill_host_device_pointer(f->context, pin + offsets[i], &address));
        assert_int_equal(address, at(pin) + offsets[i]);
        ok(rill_host_flags(f->context, pin + offsets[i], &flags));
    }
    is(RILL_ERROR_INVALID_VALUE, rill_host_device_pointer(f->context, pin + 4096, &address));
    is(RILL_ERROR_INVALID_VALUE, rill_host_flags(f->context, pin + 4096, &flags));
}

/* mem.host_queries, mem.host_queries_null_out */
static void what_is_not_pinned_has_neither_address_nor_flags(void **state)
{
    struct fixture *f = *state;
    static int local;
    rill_devptr address = 0;
    uint32_t flags = 0;
    void *const wrong[] = { NULL, &local, (void *)(uintptr_t)device_words(f, 1) };
    for (size_t i = 0; i < 3; i++) {
        refuses(RILL_ERROR_INVALID_VALUE, "pointer",
                rill_host_device_pointer(f->context, wrong[i], &address));
        refuses(RILL_ERROR_INVALID_VALUE, "pointer", rill_host_flags(f->context, wrong[i], &flags));
    }
    void *pin = pinned(f, 4);
    is(RILL_ERROR_INVALID_VALUE, rill_host_device_pointer(f->context, pin, NULL));
    is(RILL_ERROR_INVALID_VALUE, rill_host_flags(f->context, pin, NULL));
}

static void kernels_read_and_write_pinned_and_registered_memory(void **state)
{
    struct fixture *f = *state;
    uint32_t *pin = pinned(f, 8), *registered = (uint32_t *)(void *)pages;
    rill_kernel *puts = kernel(f, &put_function), *copies = kernel(f, &copy1_function);
    ok(rill_host_register(f->context, pages, PAGE, 0));
    ok(put(puts, f->legacy, at(pin), 41));
    ok(copy1(copies, f->legacy, at(registered), at(pin)));
    ok(copy1(copies, f->legacy, at(pin + 1), at(registered)));
    ok(rill_stream_synchronize(f->legacy));
    assert_int_equal(registered[0], 41);
    assert_int_equal(pin[1], 41);
    ok(rill_host_unregister(f->context, pages));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_flags_are_kept),
    cmocka_unit_test(unknown_flags_are_refused),
    cmocka_unit_test(nothing_is_allocated_as_null),
    cmocka_unit_test(impossible_pinned_sizes_are_refused),
    cmocka_unit_test(only_what_was_allocated_can_be_freed_and_once),
    cmocka_unit_test(freeing_a_null_pointer_is_allowed),
    cmocka_unit_test(freeing_pinned_memory_waits_for_the_work_of_the_context),
    cmocka_unit_test(unregistering_waits_for_the_work_of_the_context),
    cmocka_unit_test(freeing_no_pinned_memory_does_not_wait),
    cmocka_unit_test(memory_is_registered_once),
    cmocka_unit_test(memory_is_unregistered_by_its_start_and_once),
    cmocka_unit_test(register_flags_are_kept_or_refused),
    cmocka_unit_test(impossible_ranges_are_not_registered),
    cmocka_unit_test(parts_of_one_page_can_be_registered_apart),
    cmocka_unit_test(unregistered_memory_is_ordinary_again),
    cmocka_unit_test(registrations_end_with_their_context),
    cmocka_unit_test(every_byte_of_pinned_memory_has_the_same_address_on_the_device),
    cmocka_unit_test(what_is_not_pinned_has_neither_address_nor_flags),
    cmocka_unit_test(kernels_read_and_write_pinned_and_registered_memory),
};

SUITE_GROUP(pinned_memory, 1);
