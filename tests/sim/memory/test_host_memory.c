/* SPDX-License-Identifier: Apache-2.0
 *
 * Host memory of the simulator: what may be registered, and when it goes.  The answers
 * are those of an H200.
 */
#include "sim/memory/memory_scene.h"

#if defined(__SANITIZE_ADDRESS__)
#define WATCHES_MEMORY 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WATCHES_MEMORY 1
#endif
#endif

#ifdef WATCHES_MEMORY
#include <sanitizer/asan_interface.h>
#endif

/* ---- Host memory ----------------------------------------------------------- */

#ifdef WATCHES_MEMORY
/* It finds what goes one byte too far. */
static void what_lies_beyond_pinned_memory_is_watched(void **state)
{
    (void)state;
    rill_context *c = machine.context[0];
    static const size_t sizes[] = { 1, 100, 512, 4096, 5000 };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        void *pointer = NULL;
        ok(rill_host_alloc(c, sizes[i], 0, &pointer));
        assert_int_equal((uintptr_t)pointer % 512, 0);
        assert_null(__asan_region_is_poisoned(pointer, sizes[i]));
        assert_true(__asan_address_is_poisoned((char *)pointer + sizes[i]));
        ok(rill_host_free(c, pointer));
    }
}
#endif

#ifndef WATCHES_MEMORY
/* A program that writes a little behind its managed memory works on hardware. */
static void managed_memory_shares_no_page_with_the_heap(void **state)
{
    enum { EACH = 32 };
    rill_devptr managed[EACH];
    void *blocks[EACH * EACH];
    (void)state;
    rill_context *c = machine.context[0];
    for (int i = 0; i < EACH; i++) {
        ok(rill_mem_alloc_managed(c, 36, RILL_ATTACH_GLOBAL, &managed[i]));
        for (int k = 0; k < EACH; k++) blocks[i * EACH + k] = malloc(100);
    }
    for (int i = 0; i < EACH; i++)
        for (int k = 0; k < EACH * EACH; k++)
            assert_true(managed[i] / 4096 != at(blocks[k]) / 4096);
    for (int k = 0; k < EACH * EACH; k++) free(blocks[k]);
    for (int i = 0; i < EACH; i++) ok(rill_mem_free(c, managed[i]));
}
#endif

static void flags_of_pinned_memory(void **state)
{
    (void)state;
    rill_context *c = machine.context[0];
    static const struct {
        uint32_t flags, back;
    } good[] = { { 0, 2 }, { 1, 3 }, { 2, 2 }, { 3, 3 }, { 4, 6 }, { 7, 7 } };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        void *v = NULL;
        rill_devptr d = 0;
        uint32_t back = 99;
        ok(rill_host_alloc(c, 4096, good[i].flags, &v));
        assert_true(at(v) % 512 == 0);
        ok(rill_host_flags(c, (char *)v + 100, &back));
        assert_int_equal(back, good[i].back);
        ok(rill_host_device_pointer(c, (char *)v + 100, &d));
        assert_true(d == at(v) + 100);
        is(INVALID, rill_host_device_pointer(c, (char *)v + 4096, &d));
        ok(rill_host_free(c, v));
        is(INVALID, rill_host_flags(c, v, &back));
    }
    void *v = &v;
    is(INVALID, rill_host_alloc(c, 4096, 0x8, &v));
    is(INVALID, rill_host_alloc(c, 4096, 0x10, &v));
    is(INVALID, rill_host_alloc(c, 0, 0x80000000u, &v));
    is(RILL_ERROR_OUT_OF_MEMORY, rill_host_alloc(c, SIZE_MAX, 0, &v));
    is(RILL_ERROR_OUT_OF_MEMORY, rill_host_alloc(c, (size_t)1 << 50, 0, &v));
    ok(rill_host_alloc(c, 0, 0, &v));
    assert_null(v);
    rill_devptr d = device_bytes(c, 64), got;
    is(INVALID, rill_host_device_pointer(c, NULL, &got));
    is(INVALID, rill_host_device_pointer(c, &d, &got));
    is(INVALID, rill_host_device_pointer(c, (void *)(uintptr_t)d, &got));
    ok(rill_mem_free(c, d));
}

static void registered_ranges_may_touch_but_not_overlap(void **state)
{
    (void)state;
    const rill_status twice = RILL_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
    const rill_status never = RILL_ERROR_HOST_MEMORY_NOT_REGISTERED;
    rill_context *c = machine.context[0];
    char *m = pages(16 * 4096);
    rill_devptr d;
    uint32_t flags;
    is(INVALID, rill_host_register(c, NULL, 4096, 0));
    is(INVALID, rill_host_register(c, m, 0, 0));
    is(never, rill_host_unregister(c, m));
    ok(rill_host_register(c, m + 100, 1000, 0));
    is(twice, rill_host_register(c, m + 100, 1000, 0));
    blames("pointer", "which are registered", "the 1000 bytes at 0x");
    is(twice, rill_host_register(machine.context[1], m + 1099, 1, 0));
    ok(rill_host_register(c, m + 2000, 100, 0)); /* the same page */
    ok(rill_host_register(c, m, 100, 0));        /* up to it      */
    ok(rill_host_register(c, m + 4096, 4096, 0));
    is(twice, rill_host_register(c, m, 5 * 4096, 0));
    is(twice, rill_host_register(c, m + 4096 + 100, 4 * 4096, 0));
    is(twice, rill_host_register(c, m + 1100, 901, 0)); /* runs into one */
    is(INVALID, rill_host_unregister(c, m + 200));
    blames("pointer", "byte 100 of registered host memory", "not the begin");
    is(never, rill_host_unregister(c, m + 3000));
    ok(rill_host_device_pointer(c, m + 1099, &d));
    is(INVALID, rill_host_device_pointer(c, m + 1100, &d));
    is(INVALID, rill_host_flags(c, m + 1100, &flags));
    for (int i = 0; i < 4; i++) {
        static const int offsets[] = { 0, 100, 2000, 4096 };
        ok(rill_host_unregister(c, m + offsets[i]));
        is(never, rill_host_unregister(c, m + offsets[i]));
    }
    is(INVALID, rill_host_unregister(c, NULL));
    munmap(m, 16 * 4096);
}

static void what_cannot_be_registered(void **state)
{
    (void)state;
    rill_context *c = machine.context[0];
    char *m = pages(3 * 4096);
    rill_devptr p = device_bytes(c, 4096);
    void *v = NULL, *device = (void *)(uintptr_t)p;
    static const uint32_t bad[] = { 0x4, 0x8, 0x1a, 0x20, 0x100, 0x80000000u };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        is(INVALID, rill_host_register(c, m, 4096, bad[i]));
    static const uint32_t good[] = { 0, 1, 2, 3, 0x10, 0x13 };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        uint32_t back = 99;
        ok(rill_host_register(c, m, 4096, good[i]));
        ok(rill_host_flags(c, m, &back));
        assert_int_equal(back, 2 | (good[i] & 1));
        ok(rill_host_unregister(c, m));
    }
    mprotect(m + 4096, 4096, PROT_READ);
    is(INVALID, rill_host_register(c, m + 4096, 4096, 0));
    ok(rill_host_register(c, m + 4096, 4096, RILL_HOST_READ_ONLY));
    ok(rill_host_unregister(c, m + 4096));
    is(INVALID, rill_host_register(c, (void *)(uintptr_t)good, 4, 0)); /* constants */
    mprotect(m + 4096, 4096, PROT_NONE);
    is(INVALID, rill_host_register(c, m + 4096, 100, 0));
    is(INVALID, rill_host_register(c, m + 4096, 100, RILL_HOST_READ_ONLY));
    munmap(m + 4096, 4096); /* a hole */
    is(INVALID, rill_host_register(c, m, 3 * 4096, 0));
    is(INVALID, rill_host_register(c, m + 4000, 97, 0));
    blames("pointer", "not all of the 97 bytes at 0x", "can be written");
    ok(rill_host_register(c, m + 4000, 96, 0));
    ok(rill_host_unregister(c, m + 4000));
    ok(rill_host_register(c, &machine, sizeof machine, 0)); /* static memory */
    ok(rill_host_unregister(c, &machine));
    ok(rill_host_register(c, &p, sizeof p, 0)); /* the stack */
    ok(rill_host_unregister(c, &p));
    is(INVALID, rill_host_register(c, m, SIZE_MAX, 0));
    is(RILL_ERROR_NOT_SUPPORTED, rill_host_register(c, m, (size_t)1 << 62, 0));
    size_t more = ((size_t)sysconf(_SC_PHYS_PAGES) + 1) * (size_t)sysconf(_SC_PAGESIZE);
    char *wide = mmap(NULL, more, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (wide != MAP_FAILED) { /* valgrind has fewer addresses than a large machine has memory */
        is(RILL_ERROR_OUT_OF_MEMORY, rill_host_register(c, wide, more, 0));
        is(INVALID, rill_host_register(c, wide, more / 2, 0));
        munmap(wide, more);
    }
    ok(rill_host_alloc(c, 4096, 0, &v));
    is(INVALID, rill_host_register(c, v, 4096, 0));
    is(INVALID, rill_host_register(c, (char *)v + 10, 10, 0));
    is(INVALID, rill_host_unregister(c, v));
    is(INVALID, rill_host_unregister(c, (char *)v + 10));
    is(INVALID, rill_host_register(c, device, 4096, 0));
    is(INVALID, rill_host_register(c, (char *)device + 64 * 1024, 64, 0)); /* never allocated */
    is(INVALID, rill_host_unregister(c, device));
    is(RILL_ERROR_HOST_MEMORY_NOT_REGISTERED,
       rill_host_unregister(c, (char *)device + 64 * 1024));
    ok(rill_host_free(c, v));
    ok(rill_mem_free(c, p));
    munmap(m, 4096);
    munmap(m + 2 * 4096, 4096);
}

/* ---- The end of a context -------------------------------------------------- */

static void a_context_takes_its_memory_along(void **state)
{
    (void)state;
    rill_context *c = machine.context[0], *gone = machine_context(machine.platform, 0);
    rill_stream *s = machine_stream(gone);
    rill_devptr p = device_bytes(gone, 4096), q = 0, kept = device_bytes(c, 64);
    rill_devptr pending = device_bytes(gone, 4096);
    char *m = pages(4096);
    void *v = NULL;
    size_t before, after;
    ok(rill_host_alloc(gone, 64, 0, &v));
    ok(rill_host_register(gone, m, 4096, 0));
    ok(rill_mem_alloc_async(s, 64, &q));
    int held = gate(&machine, machine.stream[0]);
    ok(rill_mem_free_async(machine.stream[0], pending)); /* in a stream that stays */
    ok(rill_mem_info(c, &before, NULL));
    ok(rill_stream_destroy(&s));
    ok(rill_context_destroy(&gone));
    ok(rill_mem_info(c, &after, NULL));
    assert_int_equal(after - before, 4096);
    is(INVALID, rill_mem_free(c, p));
    is(INVALID, rill_host_free(c, v));
    is(RILL_ERROR_HOST_MEMORY_NOT_REGISTERED, rill_host_unregister(c, m));
    check_range(q, q, 64); /* a pool's memory belongs to no context */
    check_range(pending, pending, 4096);
    assert_null(info_of(pending).context);
    open_gate(&machine, held);
    ok(rill_stream_synchronize(machine.stream[0]));
    is(RILL_ERROR_NOT_FOUND, rill_mem_range(c, pending, NULL, NULL));
    ok(rill_mem_info(c, &after, NULL));
    assert_int_equal(after - before, 8192);
    ok(rill_mem_free(c, q));
    ok(rill_mem_free(c, kept));
    munmap(m, 4096);
}

/* ---- Memory of the system -------------------------------------------------- */

static void freed_memory_goes_back_to_the_system(void **state)
{
    (void)state;
    rill_context *c = machine.context[0];
    rill_devptr big = device_bytes(c, 8 * MIB), small[4096];
    ok(rill_memset_d8(c, big, 1, 8 * MIB));
    ok(rill_context_synchronize(c));
    assert_true(resident(big, 8 * MIB) == 8 * MIB);
    ok(rill_mem_free(c, big));
    assert_true(resident(big, 8 * MIB) <= 8192); /* pages at the edges */
    int count = scaled(4096);
    for (int i = 0; i < count; i++) {
        small[i] = device_bytes(c, 4096);
        ok(rill_memset_d8(c, small[i], 1, 4096));
    }
    ok(rill_context_synchronize(c));
    for (int i = 0; i < count; i++) ok(rill_mem_free(c, small[i]));
    assert_true(resident(small[0], (size_t)count * 4096) <= MIB + 8192);
}

/* A driver does not wait for the work of other contexts, as measured.  What that does to the
 * memory, it must do to nobody else's. */
static void what_another_context_still_uses_becomes_nobody_elses(void **state)
{
    enum { BYTES = 512, PIECES = 64 };
    (void)state;
    rill_context *c = machine.context[0];
    rill_devptr from = device_bytes(machine.context[1], BYTES);
    unsigned char *first = NULL, *others[PIECES];
    void *made = NULL;
    ok(rill_memset_d8(machine.context[1], from, 0xee, BYTES));
    ok(rill_host_alloc(c, BYTES, RILL_HOST_PORTABLE, &made));
    first = made;
    int held = gate(&machine, machine.stream[1]);
    ok(rill_memcpy_dtoh_async(machine.stream[1], first, from, BYTES));
    ok(rill_host_free(c, first));
    for (int i = 0; i < PIECES; i++) {
        others[i] = malloc(BYTES);
        memset(others[i], 0x11, BYTES);
    }
    open_gate(&machine, held);
    ok(rill_stream_synchronize(machine.stream[1]));
    for (int i = 0; i < PIECES; i++) {
        for (int k = 0; k < BYTES; k++) assert_int_equal(others[i][k], 0x11);
        free(others[i]);
    }
    ok(rill_mem_free(machine.context[1], from));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef WATCHES_MEMORY
        cmocka_unit_test(what_lies_beyond_pinned_memory_is_watched),
#endif
#ifndef WATCHES_MEMORY
        cmocka_unit_test(managed_memory_shares_no_page_with_the_heap),
#endif
        cmocka_unit_test(flags_of_pinned_memory),
        cmocka_unit_test(registered_ranges_may_touch_but_not_overlap),
        cmocka_unit_test(what_cannot_be_registered),
        cmocka_unit_test(a_context_takes_its_memory_along),
        cmocka_unit_test(what_another_context_still_uses_becomes_nobody_elses),
        cmocka_unit_test(freed_memory_goes_back_to_the_system),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
