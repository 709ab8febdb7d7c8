/* SPDX-License-Identifier: Apache-2.0
 *
 * Device and host memory of the simulator: who owns an address, what may be
 * freed and registered, and whom that waits for.  The answers are those of an
 * H200.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "backend-sim/address_map.h"
#include "backend-sim/guard.h"
#include "sim/machine.h"
#include "support/random.h"

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

static struct machine machine;

static int setup(void **state)
{
    (void)state;
    machine_open(&machine, 64 * MIB);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    machine_close(&machine);
    return 0;
}

static rill_devptr device_bytes(rill_context *context, size_t bytes)
{
    rill_devptr address = 0;
    ok(rill_mem_alloc(context, bytes, &address));
    return address;
}

static rill_devptr at(const void *pointer)
{
    return (rill_devptr)(uintptr_t)pointer;
}

static void *pages(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(memory, MAP_FAILED);
    return memory;
}

/* ---- Allocating --------------------------------------------------------------------- */

static void sizes_of_device_memory(void **state)
{
    (void)state;
    rill_context *c = machine.context[0];
    rill_devptr a = 0, b = 0;
    size_t before, after, total;
    is(INVALID, rill_mem_alloc(c, 0, &a));
    is(RILL_ERROR_OUT_OF_MEMORY, rill_mem_alloc(c, SIZE_MAX, &a));
    is(RILL_ERROR_OUT_OF_MEMORY, rill_mem_alloc(c, (size_t)1 << 50, &a));
    blames("bytes", "1125899906842624 bytes do not fit", "of 67108864 bytes left");
    is(RILL_ERROR_OUT_OF_MEMORY, rill_mem_alloc(c, 64 * MIB + 1, &a));
    ok(rill_mem_info(c, &before, &total));
    assert_int_equal(total, 64 * MIB);
    ok(rill_mem_alloc(c, 1, &a));
    ok(rill_mem_alloc(c, 3, &b));
    assert_true(a % 512 == 0 && b % 512 == 0 && a != b);
    ok(rill_mem_info(c, &after, NULL));
    assert_int_equal(before - after, 1024);
    ok(rill_mem_free(c, a));
    ok(rill_mem_free(c, b));
    ok(rill_mem_info(c, &after, NULL));
    assert_int_equal(before, after);
    ok(rill_mem_alloc(c, 64 * MIB, &a)); /* all of it at once */
    is(RILL_ERROR_OUT_OF_MEMORY, rill_mem_alloc(c, 1, &b));
    ok(rill_mem_alloc(machine.context[1], 64 * MIB, &b));
    ok(rill_mem_free(c, a));
    ok(rill_mem_free(c, b));
}

static void rows_of_device_memory(void **state)
{
    (void)state;
    static const struct {
        size_t width, height;
        uint32_t element;
        rill_status status;
        size_t pitch;
    } cases[] = {
        { 1, 1, 4, RILL_SUCCESS, 512 },         { 100, 3, 4, RILL_SUCCESS, 512 },
        { 512, 2, 8, RILL_SUCCESS, 512 },       { 513, 2, 16, RILL_SUCCESS, 1024 },
        { 64, 2, 0, INVALID, 0 },               { 64, 2, 1, INVALID, 0 },
        { 64, 2, 5, INVALID, 0 },               { 64, 2, 32, INVALID, 0 },
        { 0, 2, 4, INVALID, 0 },                { 64, 0, 4, INVALID, 0 },
        { SIZE_MAX, 1, 4, INVALID, 0 },         { SIZE_MAX - 1024, 2, 4, INVALID, 0 },
        { (size_t)1 << 33, (size_t)1 << 33, 4, INVALID, 0 },
        { (size_t)1 << 40, (size_t)1 << 10, 4, RILL_ERROR_OUT_OF_MEMORY, 0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rill_devptr address = 0, base = 0;
        size_t pitch = 0, bytes = 0;
        is(cases[i].status, rill_mem_alloc_pitch(machine.context[0], cases[i].width,
                                                 cases[i].height, cases[i].element, &address,
                                                 &pitch));
        assert_int_equal(pitch, cases[i].pitch);
        if (!address) continue;
        ok(rill_mem_range(machine.context[0], address, &base, &bytes));
        assert_true(base == address && bytes == pitch * cases[i].height);
        ok(rill_mem_free(machine.context[0], address));
    }
}

/* ---- What an address is ------------------------------------------------------------- */

static void check_range(rill_devptr address, rill_devptr base, size_t bytes)
{
    rill_devptr found = 0;
    size_t size = 0;
    ok(rill_mem_range(machine.context[0], address, &found, &size));
    assert_true(found == base && size == bytes);
    ok(rill_mem_range(machine.context[0], address, NULL, NULL));
}

static void ranges_are_those_that_were_asked_for(void **state)
{
    (void)state;
    rill_context *c = machine.context[0];
    rill_devptr p = device_bytes(c, 1000), q = 0;
    char *m = pages(16384);
    void *v = NULL;
    ok(rill_host_alloc(c, 5000, 0, &v));
    ok(rill_host_register(c, m + 100, 5000, 0));
    ok(rill_mem_alloc_async(machine.stream[0], 1000, &q));
    check_range(p, p, 1000);
    check_range(p + 999, p, 1000);
    check_range(at(v) + 4999, at(v), 5000);
    check_range(at(m) + 100, at(m) + 100, 5000);
    check_range(at(m) + 5099, at(m) + 100, 5000);
    check_range(q + 999, q, 1000);
    const rill_devptr none[] = { p + 1000, p - 1, 0, at(v) + 5000, at(m) + 99, at(m) + 5100,
                                 at(&p), q + 1000 };
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        is(RILL_ERROR_NOT_FOUND, rill_mem_range(c, none[i], NULL, NULL));
    ok(rill_mem_free(c, p));
    is(RILL_ERROR_NOT_FOUND, rill_mem_range(c, p, NULL, NULL));
    /* Memory of a pool is not found from a device that may not reach it. */
    is(RILL_ERROR_NOT_FOUND, rill_mem_range(machine.context[1], q, NULL, NULL));
    ok(rill_mem_free_async(machine.stream[0], q));
    is(RILL_ERROR_NOT_FOUND, rill_mem_range(c, q, NULL, NULL));
    ok(rill_host_unregister(c, m + 100));
    ok(rill_host_free(c, v));
    munmap(m, 16384);
}

static rill_pointer_info info_of(rill_devptr address)
{
    rill_pointer_info info = { .size = sizeof info };
    ok(rill_pointer_get_info(machine.context[0], address, &info));
    return info;
}

static void pointers_say_what_they_are(void **state)
{
    (void)state;
    rill_context *c = machine.context[1];
    rill_devptr p = device_bytes(c, 1000), q = 0;
    rill_pool *pool = NULL;
    void *v = NULL;
    ok(rill_host_alloc(c, 64, 0, &v));
    ok(rill_mem_alloc_async(machine.stream[1], 100, &q));
    ok(rill_device_default_pool(machine.platform, 1, &pool));
    rill_pointer_info device = info_of(p + 8), pinned = info_of(at(v)), pooled = info_of(q);
    assert_true(device.known && device.mapped && device.kind == RILL_MEMORY_DEVICE);
    assert_true(device.device == 1 && device.context == c && !device.pool);
    assert_true(device.base == p && device.bytes == 1000 && !device.sync_memops);
    assert_true(pinned.known && pinned.kind == RILL_MEMORY_HOST && pinned.context == c);
    assert_true(pooled.known && pooled.kind == RILL_MEMORY_DEVICE && !pooled.context);
    assert_true(pooled.pool == pool && pooled.device == 1 && pooled.bytes == 100);
    assert_true(device.id && device.id != pinned.id && device.id != pooled.id);
    assert_true(info_of(p).id == device.id);
    ok(rill_pointer_set_sync_memops(c, p + 4, 2));
    assert_int_equal(info_of(p).sync_memops, 1);
    ok(rill_pointer_set_sync_memops(c, p, 0));
    assert_int_equal(info_of(p).sync_memops, 0);
    ok(rill_mem_free(c, p));
    ok(rill_mem_free_async(machine.stream[1], q));
    ok(rill_host_free(c, v));
    const rill_devptr unknown[] = { p, q, at(v), at(&p), 0, 0x1000 };
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        rill_pointer_info info = info_of(unknown[i]);
        assert_true(!info.known && info.kind == RILL_MEMORY_HOST && !info.id && !info.bytes);
        is(INVALID, rill_pointer_set_sync_memops(c, unknown[i], 1));
    }
}

/* ---- Freeing ------------------------------------------------------------------------ */

static void only_what_was_allocated_is_freed(void **state)
{
    (void)state;
    rill_context *c = machine.context[0];
    rill_stream *s = machine.stream[0];
    rill_devptr p = device_bytes(c, 4096), q = 0;
    char *m = pages(8192);
    void *v = NULL;
    ok(rill_host_alloc(c, 4096, 0, &v));
    ok(rill_host_register(c, m, 4096, 0));
    ok(rill_mem_alloc_async(s, 4096, &q));
    const rill_devptr bad[] = { p + 256, p + 1, p + 4096, q + 256, at(&p), at(v), at(m), 0x1000 };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        is(INVALID, rill_mem_free(c, bad[i]));
        is(INVALID, rill_mem_free_async(s, bad[i]));
    }
    is(INVALID, rill_mem_free(c, p + 256));
    blames("address", "byte 256 of device memory (4096 bytes at 0x", "cannot be freed");
    ok(rill_mem_free(c, 0));
    ok(rill_mem_free_async(s, 0));
    ok(rill_mem_free(c, p));
    is(INVALID, rill_mem_free(c, p));
    is(INVALID, rill_mem_free_async(s, p));
    ok(rill_mem_free_async(s, q));
    is(INVALID, rill_mem_free_async(s, q));
    is(INVALID, rill_mem_free(c, q));
    ok(rill_mem_alloc_async(s, 64, &q));
    ok(rill_mem_free(c, q));
    is(INVALID, rill_mem_free(c, q));

    void *const wrong[] = { (char *)v + 8, &p, (void *)(uintptr_t)p, m, (char *)v + 4096 };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        is(INVALID, rill_host_free(c, wrong[i]));
    ok(rill_host_free(c, NULL));
    ok(rill_host_free(machine.context[1], v)); /* from any context */
    is(INVALID, rill_host_free(c, v));
    ok(rill_host_unregister(machine.context[1], m));
    munmap(m, 8192);
}

/* Memory of mem_alloc that is freed in a stream is there until it runs. */
static void a_pending_free_keeps_device_memory(void **state)
{
    (void)state;
    rill_context *c = machine.context[0];
    rill_stream *s = machine.stream[0];
    rill_devptr p = device_bytes(c, 4096);
    uint32_t word = 0;
    int held = gate(&machine, s);
    ok(rill_mem_free_async(s, p));
    check_range(p, p, 4096);
    ok(rill_memset_d32(c, p, 77, 1));
    ok(rill_memcpy_dtoh(c, &word, p, 4));
    assert_int_equal(word, 77);
    is(INVALID, rill_mem_free_async(s, p));
    is(INVALID, rill_mem_free(c, p));
    blames("address", "is being freed", "cannot be freed");
    open_gate(&machine, held);
    ok(rill_stream_synchronize(s));
    is(RILL_ERROR_NOT_FOUND, rill_mem_range(c, p, NULL, NULL));
}

struct target {
    rill_context *context;
    rill_devptr address;
};

static rill_status free_device(void *data)
{
    const struct target *target = data;
    return rill_mem_free(target->context, target->address);
}

static rill_status free_host(void *data)
{
    const struct target *target = data;
    return rill_host_free(target->context, (void *)(uintptr_t)target->address);
}

static rill_status unregister(void *data)
{
    const struct target *target = data;
    return rill_host_unregister(target->context, (void *)(uintptr_t)target->address);
}

static rill_status refused_free(void *data)
{
    const struct target *target = data;
    return rill_mem_free(target->context, target->address) == INVALID ? RILL_SUCCESS
                                                                      : RILL_ERROR_UNKNOWN;
}

static void frees_wait_for_who_allocated(void **state)
{
    (void)state;
    rill_context *c0 = machine.context[0], *c1 = machine.context[1];
    rill_context *other = machine_context(machine.platform, 0); /* of the same device */
    rill_stream *s0 = machine.stream[0];
    struct target t = { c0, device_bytes(c0, 64) };
    waits(&machine, s0, free_device, &t);
    t = (struct target){ c1, device_bytes(c0, 64) };
    waits(&machine, s0, free_device, &t);
    t = (struct target){ c0, device_bytes(c1, 64) };
    does_not_wait(&machine, s0, free_device, &t);
    t = (struct target){ c0, device_bytes(other, 64) };
    does_not_wait(&machine, s0, free_device, &t);
    is(INVALID, rill_mem_free(c0, t.address));
    does_not_wait(&machine, s0, refused_free, &t);

    ok(rill_mem_alloc_async(s0, 64, &t.address)); /* of a pool: for nobody */
    does_not_wait(&machine, s0, free_device, &t);

    void *v = NULL, *m = pages(4096);
    ok(rill_host_alloc(c0, 64, RILL_HOST_PORTABLE, &v));
    t = (struct target){ c1, at(v) };
    waits(&machine, s0, free_host, &t);
    ok(rill_host_alloc(c1, 64, 0, &v));
    t = (struct target){ c0, at(v) };
    does_not_wait(&machine, s0, free_host, &t);
    t.address = 0;
    does_not_wait(&machine, s0, free_host, &t);
    ok(rill_host_register(c0, m, 4096, 0));
    t = (struct target){ other, at(m) };
    waits(&machine, s0, unregister, &t);
    ok(rill_host_register(c1, m, 4096, 0));
    t = (struct target){ c0, at(m) };
    does_not_wait(&machine, s0, unregister, &t);
    munmap(m, 4096);
    ok(rill_context_destroy(&other));
}

/* ---- Host memory -------------------------------------------------------------------- */

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
    static const uint32_t bad[] = { 0x4, 0x10, 0x12, 0x20, 0x100, 0x80000000u };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        is(INVALID, rill_host_register(c, m, 4096, bad[i]));
    static const uint32_t good[] = { 0, 1, 2, 3, 8 };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        uint32_t back = 99;
        ok(rill_host_register(c, m, 4096, good[i]));
        ok(rill_host_flags(c, m, &back));
        assert_int_equal(back, 2 | (good[i] & 1));
        ok(rill_host_unregister(c, m));
    }
    mprotect(m + 4096, 4096, PROT_READ);
    is(INVALID, rill_host_register(c, m + 4096, 4096, 0));
    is(INVALID, rill_host_register(c, (void *)(uintptr_t)good, 4, 0)); /* constants */
    mprotect(m + 4096, 4096, PROT_NONE);
    is(INVALID, rill_host_register(c, m + 4096, 100, 0));
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
    assert_ptr_not_equal(wide, MAP_FAILED);
    is(RILL_ERROR_OUT_OF_MEMORY, rill_host_register(c, wide, more, 0)); /* than the machine has */
    is(INVALID, rill_host_register(c, wide, more / 2, 0));
    munmap(wide, more);
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

/* ---- The end of a context ----------------------------------------------------------- */

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

/* ---- Memory of the system ----------------------------------------------------------- */

static size_t resident(rill_devptr base, size_t bytes)
{
    static unsigned char there[64 * MIB / 4096];
    size_t page = (size_t)sysconf(_SC_PAGESIZE), count = 0;
    rill_devptr first = base & ~(rill_devptr)(page - 1);
    bytes += base - first;
    assert_int_equal(mincore((void *)(uintptr_t)first, bytes, there), 0);
    for (size_t i = 0; i < (bytes + page - 1) / page; i++) count += there[i] & 1;
    return count * page;
}

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

/* ---- When the host has no memory ---------------------------------------------------- */

/* Fails the first allocation of a call, then the second, and so on, until the
 * call gets through; each failure is told and leaves nothing behind. */
static int failures(rill_status (*make)(void *data), void *data)
{
    for (int after = 0;; after++) {
        long live = rl_alloc_live();
        size_t before, now;
        ok(rill_mem_info(machine.context[0], &before, NULL));
        rl_alloc_fail_after(after);
        rill_status status = make(data);
        rl_alloc_fail_after(-1);
        if (!status) return after;
        if (status != RILL_ERROR_OPERATING_SYSTEM) is(RILL_ERROR_OUT_OF_MEMORY, status);
        ok(rill_mem_info(machine.context[0], &now, NULL));
        assert_int_equal(before, now);
        assert_true(comes_down_to(live));
        assert_true(after < 50);
    }
}

static rill_status allocate(void *data)
{
    return rill_mem_alloc(machine.context[0], 64, data);
}

static rill_status allocate_host(void *data)
{
    return rill_host_alloc(machine.context[0], 64, 0, data);
}

static rill_status register_host(void *data)
{
    return rill_host_register(machine.context[0], data, 4096, 0);
}

static rill_status open_another(void *data)
{
    const rill_sim_options sim = { .size = sizeof sim, .devices = 2, .workers = 1 };
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim };
    return rill_open(&options, data);
}

static void short_memory_is_told_and_changes_nothing(void **state)
{
    (void)state;
    rill_context *c = machine.context[0];
    rill_devptr p = 0;
    rill_platform *another = NULL;
    void *v = NULL, *m = pages(4096);
    assert_true(failures(allocate, &p) >= 1);
    assert_true(failures(allocate_host, &v) >= 2);
    assert_true(failures(register_host, m) >= 1);
    assert_true(failures(open_another, &another) >= 9);
    ok(rill_close(&another));
    ok(rill_mem_free(c, p));
    ok(rill_host_free(c, v));
    ok(rill_host_unregister(c, m));
    munmap(m, 4096);
}

/* ---- Where calls do not work ---------------------------------------------------------- */

enum { CALLS = 26 };

struct answers {
    rill_status status[CALLS];
    rill_devptr address;
    void *host, *pages;
    rill_pool *pool;
};

/* Every call on memory once.  The first `forgiving` ask nothing of the device. */
enum { FORGIVING = 13 };
static void call_everything(void *data)
{
    struct answers *a = data;
    rill_platform *p = machine.platform;
    rill_context *c = machine.context[0];
    rill_pointer_info info = { .size = sizeof info };
    const rill_pool_options options = { .size = sizeof options };
    rill_devptr address;
    rill_access access;
    rill_pool *pool = NULL;
    uint64_t value;
    uint32_t flags;
    size_t pitch;
    void *pointer;
    const rill_status answers[CALLS] = {
        rill_pointer_get_info(c, a->address, &info),
        rill_pointer_set_sync_memops(c, a->address, 0),
        rill_pool_get_attribute(a->pool, RILL_POOL_RESERVED_CURRENT, &value),
        rill_pool_set_attribute(a->pool, RILL_POOL_RELEASE_THRESHOLD, 0),
        rill_pool_trim(a->pool, 0),
        rill_device_default_pool(p, 0, &pool),
        rill_device_pool(p, 0, &pool),
        rill_device_set_pool(p, 0, a->pool),
        rill_pool_get_access(a->pool, 0, &access),
        rill_pool_set_access(a->pool, 0, RILL_ACCESS_READ_WRITE),
        rill_pool_set_access(a->pool, 1, RILL_ACCESS_NONE),
        rill_pool_create(p, &options, &pool),
        RILL_SUCCESS,
        /* The others. */
        rill_mem_info(c, NULL, NULL),
        rill_mem_range(c, a->address, NULL, NULL),
        rill_mem_alloc(c, 64, &address),
        rill_mem_alloc(c, 0, &address),
        rill_mem_alloc_pitch(c, 64, 2, 4, &address, &pitch),
        rill_mem_free(c, 0),
        rill_mem_free(c, 0x1000),
        rill_host_flags(c, a->host, &flags),
        rill_host_device_pointer(c, a->host, &address),
        rill_host_alloc(c, 0, 0, &pointer),
        rill_host_free(c, NULL),
        rill_host_register(c, a->pages, 4096, 0),
        rill_host_unregister(c, a->pages),
    };
    memcpy(a->status, answers, sizeof answers);
    if (!answers[11]) ok(rill_pool_destroy(&pool));
}

static void inside_host_functions_and_after_failures(void **state)
{
    (void)state;
    struct machine kept = machine;
    machine_open(&machine, 64 * MIB);
    struct answers a = { .pages = pages(4096) };
    const rill_pool_options options = { .size = sizeof options };
    ok(rill_pool_create(machine.platform, &options, &a.pool));
    ok(rill_host_alloc(machine.context[0], 64, 0, &a.host));
    a.address = device_bytes(machine.context[0], 64);
    ok(rill_launch_host(machine.stream[0], call_everything, &a, NULL));
    ok(rill_stream_synchronize(machine.stream[0]));
    for (int i = 0; i < CALLS; i++)
        if (i != FORGIVING - 1) assert_int_equal(a.status[i], RILL_ERROR_NOT_PERMITTED);
    sim_raise(sim_platform_of(machine.platform), RILL_ERROR_LAUNCH_FAILED, "a test", "",
              "it failed");
    call_everything(&a);
    for (int i = 0; i < CALLS; i++)
        assert_int_equal(a.status[i], i < FORGIVING ? RILL_SUCCESS : RILL_ERROR_LAUNCH_FAILED);
    ok(rill_pool_destroy(&a.pool));
    for (int i = 0; i < 2; i++) {
        is(RILL_ERROR_LAUNCH_FAILED, rill_stream_destroy(&machine.stream[i]));
        is(RILL_ERROR_LAUNCH_FAILED, rill_context_destroy(&machine.context[i]));
    }
    ok(rill_close(&machine.platform));
    munmap(a.pages, 4096);
    machine = kept;
}

/* ---- Many of them ------------------------------------------------------------------- */

static void a_million_allocations_live_together(void **state)
{
    (void)state;
    int count = scaled(1000000);
    rill_platform *platform = NULL;
    const rill_sim_options sim = { .size = sizeof sim, .workers = 1 };
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim };
    ok(rill_open(&options, &platform));
    rill_context *c = machine_context(platform, 0);
    rill_devptr *all = calloc((size_t)count, sizeof *all);
    assert_non_null(all);
    for (int i = 0; i < count; i++) ok(rill_mem_alloc(c, 512, &all[i]));
    for (int i = 0; i < count; i += 1 + count / 1000) {
        rill_devptr base = 0;
        ok(rill_mem_range(c, all[i] + 511, &base, NULL));
        assert_true(base == all[i]);
    }
    for (int i = 0; i < count; i += 2) ok(rill_mem_free(c, all[i]));
    for (int i = 0; i < count; i += 2) ok(rill_mem_alloc(c, 512, &all[i]));
    free(all);
    ok(rill_context_destroy(&c));
    ok(rill_close(&platform));
}

struct crowd {
    pthread_t thread;
    uint64_t seed;
    bool well;
};

/* One thread's share: it alone knows its memory, which nobody else may change. */
static void *jostle(void *data)
{
    struct crowd *one = data;
    struct dice dice = { one->seed };
    rill_devptr mine[16] = { 0 };
    uint32_t stamp[16] = { 0 }, word = 0;
    bool well = true;
    for (int step = 0; step < scaled(1500); step++) {
        int i = dice_below(&dice, 16), device = dice_below(&dice, 2);
        rill_context *c = machine.context[device];
        if (!mine[i]) {
            size_t bytes = 4 + (size_t)dice_below(&dice, 5000);
            stamp[i] = (uint32_t)dice_next(&dice);
            well &= !rill_mem_alloc(c, bytes, &mine[i]);
            well &= !rill_memcpy_htod(c, mine[i], &stamp[i], 4);
        } else {
            well &= !rill_memcpy_dtoh(c, &word, mine[i], 4) && word == stamp[i];
            well &= !rill_mem_free(c, mine[i]);
            mine[i] = 0;
        }
    }
    for (int i = 0; i < 16; i++) well &= !rill_mem_free(machine.context[0], mine[i]);
    one->well = well;
    return NULL;
}

static void threads_do_not_get_each_others_memory(void **state)
{
    (void)state;
    struct crowd crowd[4];
    size_t before, after;
    ok(rill_mem_info(machine.context[0], &before, NULL));
    for (int i = 0; i < 4; i++) {
        crowd[i] = (struct crowd){ .seed = (uint64_t)i + 1 };
        assert_int_equal(pthread_create(&crowd[i].thread, NULL, jostle, &crowd[i]), 0);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(crowd[i].thread, NULL);
        assert_true(crowd[i].well);
    }
    ok(rill_mem_info(machine.context[0], &after, NULL));
    assert_int_equal(before, after);
}

static void *free_it(void *data)
{
    struct machine_call *call = data;
    call->status = rill_mem_free(machine.context[0], *(rill_devptr *)call->data);
    return NULL;
}

/* Between the look for overlaps and the registration another thread may come. */
static void the_map_itself_keeps_ranges_apart(void **state)
{
    (void)state;
    static char memory[4096];
    struct address_map *map = sim_platform_of(machine.platform)->map;
    struct address_info info;
    struct allocation one = { .range = { .base = at(memory), .bytes = 100 },
                              .kind = ALLOCATION_REGISTERED };
    struct allocation other = one;
    assert_true(sim_map_add_if_apart(map, &one, &info));
    assert_false(sim_map_add_if_apart(map, &other, &info));
    assert_true(info.known && info.base == at(memory) && info.bytes == 100);
    other.range.base = at(memory) + 100;
    assert_true(sim_map_add_if_apart(map, &other, &info));
    assert_true(other.id && one.id && other.id != one.id);
    sim_map_remove(map, &one);
    sim_map_remove(map, &other);
}

static void of_two_frees_one_fails(void **state)
{
    (void)state;
    for (int round = 0; round < scaled(200); round++) {
        rill_devptr p = device_bytes(machine.context[0], 64);
        struct machine_call call[2] = { { .data = &p }, { .data = &p } };
        pthread_t thread[2];
        for (int i = 0; i < 2; i++)
            assert_int_equal(pthread_create(&thread[i], NULL, free_it, &call[i]), 0);
        for (int i = 0; i < 2; i++) pthread_join(thread[i], NULL);
        assert_true(!call[0].status != !call[1].status);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_of_device_memory),
        cmocka_unit_test(rows_of_device_memory),
        cmocka_unit_test(ranges_are_those_that_were_asked_for),
        cmocka_unit_test(pointers_say_what_they_are),
        cmocka_unit_test(only_what_was_allocated_is_freed),
        cmocka_unit_test(a_pending_free_keeps_device_memory),
        cmocka_unit_test(frees_wait_for_who_allocated),
#ifdef WATCHES_MEMORY
        cmocka_unit_test(what_lies_beyond_pinned_memory_is_watched),
#endif
        cmocka_unit_test(flags_of_pinned_memory),
        cmocka_unit_test(registered_ranges_may_touch_but_not_overlap),
        cmocka_unit_test(what_cannot_be_registered),
        cmocka_unit_test(a_context_takes_its_memory_along),
        cmocka_unit_test(freed_memory_goes_back_to_the_system),
        cmocka_unit_test(short_memory_is_told_and_changes_nothing),
        cmocka_unit_test(inside_host_functions_and_after_failures),
        cmocka_unit_test(a_million_allocations_live_together),
        cmocka_unit_test(threads_do_not_get_each_others_memory),
        cmocka_unit_test(the_map_itself_keeps_ranges_apart),
        cmocka_unit_test(of_two_frees_one_fails),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
