/* SPDX-License-Identifier: Apache-2.0
 *
 * Device memory of the simulator: who owns an address, what may be freed, and whom that
 * waits for.  The answers are those of an H200.
 */
#include "sim/memory/memory_scene.h"

/* ---- Allocating ------------------------------------------------------------ */

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

/* ---- What an address is ---------------------------------------------------- */

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

/* ---- Freeing --------------------------------------------------------------- */

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
    ok(rill_stream_synchronize(s));
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

static rill_status unload(void *data)
{
    return rill_module_unload(data);
}

static rill_module *variable_of(rill_context *context)
{
    const rill_image image = { .size = sizeof image,
                               .code = ".version 7.0\n.target sm_70\n.address_size 64\n"
                                       ".visible .global .u32 word;\n" };
    rill_module *module = NULL;
    ok(rill_module_load(context, &image, &module));
    return module;
}

static void unloads_wait_for_who_loaded(void **state)
{
    (void)state;
    rill_stream *s0 = machine.stream[0];
    rill_context *other = machine_context(machine.platform, 0); /* of the same device */
    rill_module *module = variable_of(machine.context[0]);
    waits(&machine, s0, unload, &module);
    module = variable_of(machine.context[1]);
    does_not_wait(&machine, s0, unload, &module);
    module = variable_of(other);
    does_not_wait(&machine, s0, unload, &module);
    ok(rill_context_destroy(&other));
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_of_device_memory),
        cmocka_unit_test(rows_of_device_memory),
        cmocka_unit_test(ranges_are_those_that_were_asked_for),
        cmocka_unit_test(pointers_say_what_they_are),
        cmocka_unit_test(only_what_was_allocated_is_freed),
        cmocka_unit_test(a_pending_free_keeps_device_memory),
        cmocka_unit_test(unloads_wait_for_who_loaded),
        cmocka_unit_test(frees_wait_for_who_allocated),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
