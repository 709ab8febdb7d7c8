/* SPDX-License-Identifier: Apache-2.0
 *
 * Who has access to what is mapped: devices, the host, and other processes.
 */
#include "sim/memory/vmem_scene.h"

/* ---- Access ---------------------------------------------------------------- */

static rill_access access_of(rill_devptr address, int device)
{
    rill_access access = (rill_access)99;
    ok(rill_vmem_get_access(machine.platform, address, device, &access));
    return access;
}

static void each_device_has_the_access_that_it_was_given(void **state)
{
    (void)state;
    rill_platform *p = machine.platform;
    rill_devptr a = reserved(2 * GRAIN);
    rill_access access;
    char word[4];
    map_new(a, GRAIN, 1);
    map_new(a + GRAIN, GRAIN, 0);
    assert_int_equal(access_of(a, 0), RILL_ACCESS_NONE);
    is(INVALID, rill_memset_d8(machine.context[1], a, 1, 1));
    ok(give(a, GRAIN, 0));
    assert_int_equal(access_of(a + 5, 0), RILL_ACCESS_READ_WRITE);
    assert_int_equal(access_of(a, 1), RILL_ACCESS_NONE);
    ok(rill_memset_d8(machine.context[0], a, 1, 1));
    is(INVALID, rill_memset_d8(machine.context[1], a, 1, 1));
    ok(give(a, 2 * GRAIN, 1));
    ok(rill_memset_d8(machine.context[1], a, 1, GRAIN));
    is(INVALID, rill_memset_d8(machine.context[0], a, 1, GRAIN + 1));
    is(INVALID, rill_memset_d8(machine.context[1], a, 1, GRAIN + 1)); /* others have not both */
    ok(give(a + GRAIN, GRAIN, 0));
    ok(rill_memset_d8(machine.context[1], a, 1, GRAIN + 1));
    ok(take(a, 2 * GRAIN, 0));
    is(INVALID, rill_memset_d8(machine.context[0], a, 1, 1));
    ok(rill_memset_d8(machine.context[1], a, 1, 2 * GRAIN));
    is(RILL_ERROR_INVALID_DEVICE, give(a, GRAIN, 2));
    is(INVALID, rill_vmem_set_access(p, a, GRAIN, 0, (rill_access)2));
    is(RILL_ERROR_NOT_SUPPORTED,
       rill_vmem_set_access(p, a, GRAIN, RILL_VMEM_HOST, RILL_ACCESS_READ));
    assert_int_equal(access_of(a, RILL_VMEM_HOST), RILL_ACCESS_NONE);
    ok(rill_vmem_set_access(p, a, GRAIN, 0, RILL_ACCESS_READ));
    assert_int_equal(access_of(a, 0), RILL_ACCESS_READ);
    ok(rill_memcpy_dtoh(machine.context[0], word, a, sizeof word));
    is(INVALID, rill_memcpy_htod(machine.context[0], a, word, sizeof word));
    blames("dst", "is memory that device 0 was given to read", "");
    is(INVALID, rill_memset_d8(machine.context[0], a, 1, 1));
    is(INVALID, rill_vmem_get_access(p, a + 2 * GRAIN, 0, &access));
    is(RILL_ERROR_INVALID_DEVICE, rill_vmem_get_access(p, a, 2, &access));
    end(a, 2 * GRAIN, 2 * GRAIN);
}

static void memory_of_the_host_is_of_no_device(void **state)
{
    (void)state;
    const rill_vmem_options host = { .size = sizeof host, .host = 1 };
    rill_platform *p = machine.platform;
    rill_vmem_options told = { .size = sizeof told };
    rill_devptr a = reserved(GRAIN);
    rill_vmem_handle h;
    size_t before = left_on(0);
    ok(rill_vmem_create(p, GRAIN, &host, &h));
    assert_int_equal(left_on(0), before);
    ok(rill_vmem_get_options(p, h, &told));
    assert_true(told.host);
    ok(rill_vmem_map(p, a, GRAIN, h));
    assert_int_equal(access_of(a, RILL_VMEM_HOST), RILL_ACCESS_NONE);
    assert_int_equal(access_of(a, 0), RILL_ACCESS_NONE);
    ok(give(a, GRAIN, RILL_VMEM_HOST));
    assert_int_equal(access_of(a, RILL_VMEM_HOST), RILL_ACCESS_READ_WRITE);
    *(volatile int *)(uintptr_t)a = 4711; /* the host's, as all its memory */
    ok(give(a, GRAIN, 0));
    ok(rill_memset_d32(machine.context[0], a + 4, 1234, 1));
    assert_int_equal(((volatile int *)(uintptr_t)a)[0], 4711);
    assert_int_equal(((volatile int *)(uintptr_t)a)[1], 1234);
    ok(rill_vmem_set_access(p, a, GRAIN, RILL_VMEM_HOST, RILL_ACCESS_READ));
    assert_int_equal(access_of(a, RILL_VMEM_HOST), RILL_ACCESS_READ);
    ok(rill_vmem_release(p, h));
    end(a, GRAIN, GRAIN);
}

/* ---- Sharing --------------------------------------------------------------- */

static void memory_is_shared_as_a_file(void **state)
{
    (void)state;
    const rill_vmem_options shared = { .size = sizeof shared, .device = 1, .shareable = 1 };
    rill_vmem_options told = { .size = sizeof told };
    rill_platform *p = machine.platform, *other = NULL;
    rill_vmem_handle h = 0, theirs = 0, again = 0, plain = memory_of(0, GRAIN);
    rill_devptr a = reserved(GRAIN), b = 0;
    int file = -1, none = -1;
    is(INVALID, rill_vmem_export(p, plain, &none));
    ok(rill_vmem_create(p, GRAIN, &shared, &h));
    ok(rill_vmem_export(p, h, &file));
    is(INVALID, rill_vmem_import(p, -1, &theirs));
    is(INVALID, rill_vmem_import(p, STDIN_FILENO, &theirs));
    ok(rill_vmem_import(p, file, &again));
    assert_true(again != h); /* the very same memory, by another name */
    ok(rill_vmem_release(p, again));
    ok(rill_vmem_map(p, a, GRAIN, h));
    ok(give(a, GRAIN, 1));
    /* Another platform, as of another process. */
    const rill_sim_options sim = { .size = sizeof sim, .devices = 2, .memory_bytes = 4 * MIB };
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim };
    ok(rill_open(&options, &other));
    rill_context *c = machine_context(other, 1);
    ok(rill_vmem_import(other, file, &theirs));
    close(file);
    ok(rill_vmem_get_options(other, theirs, &told));
    assert_true(told.device == 1 && !told.shareable); /* not once more */
    is(INVALID, rill_vmem_export(other, theirs, &none));
    ok(rill_vmem_reserve(other, GRAIN, 0, 0, &b));
    ok(rill_vmem_map(other, b, GRAIN, theirs));
    ok(rill_vmem_set_access(other, b, GRAIN, 1, RILL_ACCESS_READ_WRITE));
    ok(rill_memset_d32(c, b + 400, 4711, 1));
    ok(rill_context_synchronize(c));
    int word = 0;
    ok(rill_memcpy_dtoh(machine.context[1], &word, a + 400, sizeof word));
    assert_int_equal(word, 4711);
    ok(rill_context_destroy(&c));
    ok(rill_close(&other)); /* gives everything back by itself */
    ok(rill_vmem_release(p, plain));
    ok(rill_vmem_release(p, h));
    end(a, GRAIN, GRAIN);
}

static void memory_counts_until_its_last_handle(void **state)
{
    (void)state;
    const rill_vmem_options shared = { .size = sizeof shared, .shareable = 1 };
    rill_platform *p = machine.platform;
    rill_vmem_handle h, again;
    size_t before = left_on(0);
    int file;
    ok(rill_vmem_create(p, GRAIN, &shared, &h));
    ok(rill_vmem_export(p, h, &file));
    ok(rill_vmem_import(p, file, &again));
    close(file);
    assert_int_equal(left_on(0), before - GRAIN);
    ok(rill_vmem_release(p, h)); /* what was imported keeps it */
    assert_int_equal(left_on(0), before - GRAIN);
    ok(rill_vmem_release(p, again));
    assert_int_equal(left_on(0), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(each_device_has_the_access_that_it_was_given),
        TEST(memory_of_the_host_is_of_no_device),
        TEST(memory_is_shared_as_a_file),
        TEST(memory_counts_until_its_last_handle),
    };
    return cmocka_run_group_tests_name("sim/vmem_access", tests, NULL, NULL);
}
