/* SPDX-License-Identifier: Apache-2.0
 *
 * Addresses and memory, each by itself: what is mapped where, what work sees of it, and when memory
 * is given back.
 */
#include "sim/memory/vmem_scene.h"
#include "support/process.h"

/* ---- Sizes ----------------------------------------------------------------- */

static void sizes_are_multiples_of_the_granularity(void **state)
{
    (void)state;
    rill_platform *p = machine.platform;
    rill_vmem_options bad = { .size = sizeof bad, .device = 2 };
    rill_vmem_handle handle = 0;
    size_t bytes = 0;
    ok(rill_vmem_granularity(p, 1, &bytes));
    assert_int_equal(bytes, GRAIN);
    is(RILL_ERROR_INVALID_DEVICE, rill_vmem_granularity(p, 2, &bytes));
    is(INVALID, rill_vmem_create(p, 0, NULL, &handle));
    is(INVALID, rill_vmem_create(p, GRAIN + 4096, NULL, &handle));
    blames("bytes", "2101248 is no multiple of 2097152", "");
    is(RILL_ERROR_INVALID_DEVICE, rill_vmem_create(p, GRAIN, &bad, &handle));
    is(RILL_ERROR_OUT_OF_MEMORY, rill_vmem_create(p, 66 * MIB, NULL, &handle));
    blames("bytes", "69206016 bytes do not fit", "of 67108864 bytes left");
    assert_int_equal(handle, 0);
}

static void addresses_are_reserved_without_memory(void **state)
{
    (void)state;
    if (!process_has_addresses((size_t)2 << 38)) skip();
    rill_platform *p = machine.platform;
    rill_devptr a = 0, b = 0, c = 0;
    size_t before = left_on(0);
    is(INVALID, rill_vmem_reserve(p, 0, 0, 0, &a));
    is(INVALID, rill_vmem_reserve(p, 100, 0, 0, &a));
    is(INVALID, rill_vmem_reserve(p, GRAIN, 3, 0, &a));
    is(INVALID, rill_vmem_reserve(p, GRAIN, 0, 5, &a));
    ok(rill_vmem_reserve(p, (size_t)1 << 38, 0, 0, &a)); /* far more than there is memory */
    ok(rill_vmem_reserve(p, GRAIN, 64 * MIB, 0, &b));
    assert_true(a % GRAIN == 0 && b % (64 * MIB) == 0);
    ok(rill_vmem_unreserve(p, b, GRAIN));
    ok(rill_vmem_reserve(p, GRAIN, 0, b, &c));
    assert_true(c == b); /* what was wished for, and is free */
    assert_int_equal(left_on(0), before);
    is(INVALID, rill_vmem_unreserve(p, a, GRAIN));
    is(INVALID, rill_vmem_unreserve(p, a + GRAIN, ((size_t)1 << 38) - GRAIN));
    ok(rill_vmem_unreserve(p, a, (size_t)1 << 38));
    is(INVALID, rill_vmem_unreserve(p, a, (size_t)1 << 38));
    end(c, 0, GRAIN);
}

static void reserved_addresses_are_no_memory(void **state)
{
    (void)state;
    rill_devptr a = reserved(GRAIN);
    int word = 5;
    is(INVALID, rill_memcpy_htod(machine.context[0], a, &word, sizeof word));
    is(INVALID, rill_memcpy(machine.context[0], a, at(&word), sizeof word));
    is(INVALID, rill_memset_d8(machine.context[0], a, 1, 1));
    is(RILL_ERROR_NOT_FOUND, rill_mem_range(machine.context[0], a, NULL, NULL));
    is(INVALID, rill_mem_free(machine.context[0], a));
    assert_false(info_of(a).known);
    end(a, 0, GRAIN);
}

/* ---- Mapping --------------------------------------------------------------- */

static void ranges_that_cannot_be_mapped(void **state)
{
    (void)state;
    rill_platform *p = machine.platform;
    rill_devptr a = reserved(3 * GRAIN);
    rill_vmem_handle h = memory_of(0, 2 * GRAIN);
    is(RILL_ERROR_NOT_SUPPORTED, rill_vmem_map(p, a, GRAIN, h)); /* a part */
    is(RILL_ERROR_NOT_SUPPORTED, rill_vmem_map(p, a, 3 * GRAIN, h));
    blames("bytes", "the memory has 4194304 bytes, not 6291456", "as a whole");
    is(INVALID, rill_vmem_map(p, a + 4096, 2 * GRAIN, h));
    is(INVALID, rill_vmem_map(p, a + 3 * GRAIN, 2 * GRAIN, h)); /* behind the reservation */
    is(INVALID, rill_vmem_map(p, a, 2 * GRAIN, h + 1000));
    ok(rill_vmem_map(p, a + GRAIN, 2 * GRAIN, h));
    is(INVALID, rill_vmem_map(p, a, 2 * GRAIN, h));
    blames("address", "4194304 bytes are mapped at 0x", "already");
    is(INVALID, rill_vmem_unreserve(p, a, 3 * GRAIN));
    ok(rill_vmem_release(p, h));
    end(a, 3 * GRAIN, 3 * GRAIN);
}

/* The driver looks at the first address alone. */
static void what_is_mapped_may_reach_over_the_end_of_a_reservation(void **state)
{
    (void)state;
    rill_platform *p = machine.platform;
    rill_devptr a = reserved(2 * GRAIN), b = 0, c = 0;
    if (!process_has_addresses((size_t)1 << 42)) skip();
    map_new(a + GRAIN, 3 * GRAIN, 0);
    ok(give(a + GRAIN, 3 * GRAIN, 0));
    ok(rill_memset_d8(machine.context[0], a + GRAIN, 7, 3 * GRAIN));
    ok(rill_vmem_reserve(p, GRAIN, 0, 0, &b));
    assert_true(b == a + 2 * GRAIN); /* the lowest addresses that are free */
    is(INVALID, rill_vmem_unreserve(p, b, GRAIN));
    is(INVALID, rill_vmem_unmap(p, b, GRAIN));
    ok(rill_vmem_unmap(p, a, 4 * GRAIN));
    ok(rill_vmem_reserve(p, GRAIN, 8 * GRAIN, 0, &c));
    assert_true(c > b && c % (8 * GRAIN) == 0);
    end(c, 0, GRAIN);
    end(b, 0, GRAIN);
    end(a, 0, 2 * GRAIN);
}

static void memory_for_tiles_is_not_mapped(void **state)
{
    (void)state;
    const rill_vmem_options tiles = { .size = sizeof tiles, .tiles = 1 };
    rill_vmem_options told = { .size = sizeof told };
    rill_devptr a = reserved(GRAIN);
    rill_vmem_handle h;
    ok(rill_vmem_create(machine.platform, GRAIN, &tiles, &h));
    ok(rill_vmem_get_options(machine.platform, h, &told));
    assert_true(told.tiles && !told.host);
    is(INVALID, rill_vmem_map(machine.platform, a, GRAIN, h));
    ok(rill_vmem_release(machine.platform, h));
    end(a, 0, GRAIN);
}

static void a_range_is_unmapped_with_its_holes(void **state)
{
    (void)state;
    rill_platform *p = machine.platform;
    rill_devptr a = reserved(8 * GRAIN);
    ok(rill_vmem_unmap(p, a, 8 * GRAIN)); /* where nothing is mapped */
    map_new(a, 2 * GRAIN, 0);
    map_new(a + 2 * GRAIN, GRAIN, 0);
    map_new(a + 4 * GRAIN, GRAIN, 0);
    is(INVALID, rill_vmem_unmap(p, a, GRAIN));
    is(INVALID, rill_vmem_unmap(p, a + GRAIN, GRAIN));
    blames("address", "4194304 bytes are mapped at", "the range has not all of them");
    is(INVALID, rill_vmem_unmap(p, a, 0));
    ok(rill_vmem_unmap(p, a + 3 * GRAIN + 4096, 4096)); /* of no size in particular */
    is(INVALID, rill_vmem_unmap(p, 4096, GRAIN));
    blames("address", "do not begin where addresses are reserved", "");
    is(INVALID, give(a, GRAIN, 0));
    is(INVALID, give(a, 5 * GRAIN, 0)); /* with a hole */
    blames("address", "nothing is mapped at", "");
    ok(give(a, 3 * GRAIN, 0));
    ok(rill_vmem_unmap(p, a, 5 * GRAIN)); /* all three */
    ok(rill_vmem_unmap(p, a, 3 * GRAIN));
    map_new(a, 4 * GRAIN, 0); /* the addresses are free again */
    ok(rill_vmem_unmap(p, a, 5 * GRAIN));
    end(a, 0, 8 * GRAIN);
}

static void memory_stays_until_nothing_keeps_it(void **state)
{
    (void)state;
    rill_platform *p = machine.platform;
    rill_vmem_options told = { .size = sizeof told };
    rill_vmem_handle h = memory_of(1, GRAIN), same = 0;
    rill_devptr a = reserved(GRAIN);
    size_t after = left_on(1);
    ok(rill_vmem_map(p, a, GRAIN, h));
    ok(rill_vmem_get_options(p, h, &told));
    assert_true(told.device == 1 && !told.shareable);
    ok(rill_vmem_release(p, h));
    is(INVALID, rill_vmem_release(p, h));
    is(INVALID, rill_vmem_get_options(p, h, &told));
    is(INVALID, rill_vmem_map(p, a, GRAIN, h));
    assert_int_equal(left_on(1), after); /* it is mapped */
    ok(rill_vmem_retain(p, a + 77, &same));
    assert_true(same == h);
    ok(rill_vmem_unmap(p, a, GRAIN));
    assert_int_equal(left_on(1), after); /* it has a handle */
    is(INVALID, rill_vmem_retain(p, a, &same));
    ok(rill_vmem_release(p, h));
    assert_int_equal(left_on(1), after + GRAIN);
    end(a, 0, GRAIN);
}

/* ---- Using it -------------------------------------------------------------- */

static void work_crosses_the_borders_of_mappings(void **state)
{
    (void)state;
    rill_context *c = machine.context[0];
    rill_devptr a = reserved(4 * GRAIN), base = 0;
    unsigned char *bytes = pages(3 * GRAIN), *back = pages(3 * GRAIN);
    size_t size = 0;
    for (int i = 0; i < 3; i++) map_new(a + (rill_devptr)i * GRAIN, GRAIN, 0);
    ok(give(a, 3 * GRAIN, 0));
    for (size_t i = 0; i < 3 * GRAIN; i++) bytes[i] = (unsigned char)(i * 7 >> 3);
    ok(rill_memcpy_htod(c, a, bytes, 3 * GRAIN));
    ok(rill_memcpy_dtoh_async(machine.stream[0], back, a, 3 * GRAIN));
    ok(rill_stream_synchronize(machine.stream[0]));
    assert_memory_equal(bytes, back, 3 * GRAIN);
    ok(rill_memset_d32_async(machine.stream[0], a + GRAIN - 8, 0x01020304, 4));
    ok(rill_memcpy_dtod_async(machine.stream[0], a + 2 * GRAIN - 100, a + GRAIN - 8, 16));
    ok(rill_stream_synchronize(machine.stream[0]));
    ok(rill_memcpy_dtoh(c, back, a + 2 * GRAIN - 100, 16));
    assert_int_equal(back[15], 1);
    is(INVALID, rill_memset_d8(c, a + 3 * GRAIN - 1, 0, 2)); /* the next is not mapped */
    ok(rill_mem_range(c, a + GRAIN + 5, &base, &size)); /* of what was mapped at once */
    assert_true(base == a + GRAIN && size == GRAIN);
    assert_true(info_of(a + 5).known && info_of(a + 5).base == a && info_of(a + 5).bytes == GRAIN);
    assert_null(info_of(a).context);
    end(a, 3 * GRAIN, 4 * GRAIN);
    munmap(bytes, 3 * GRAIN);
    munmap(back, 3 * GRAIN);
}

static void what_is_unmapped_in_the_middle_is_no_memory(void **state)
{
    (void)state;
    rill_context *c = machine.context[0];
    rill_devptr a = reserved(3 * GRAIN);
    for (int i = 0; i < 3; i++) map_new(a + (rill_devptr)i * GRAIN, GRAIN, 0);
    ok(give(a, 3 * GRAIN, 0));
    ok(rill_memset_d8(c, a, 1, 3 * GRAIN));
    ok(rill_vmem_unmap(machine.platform, a + GRAIN, GRAIN));
    is(INVALID, rill_memset_d8(c, a, 1, GRAIN + 1));
    ok(rill_memset_d8(c, a, 1, GRAIN));
    is(INVALID, rill_memset_d8(c, a + 2 * GRAIN - 1, 1, 2));
    ok(rill_memset_d8(c, a + 2 * GRAIN, 1, GRAIN));
    map_new(a + GRAIN, GRAIN, 0); /* nobody has access yet */
    is(INVALID, rill_memset_d8(c, a, 1, GRAIN + 1));
    is(INVALID, rill_memset_d8(c, a + GRAIN, 1, 1));
    ok(give(a + GRAIN, GRAIN, 0));
    ok(rill_memset_d8(c, a, 1, 3 * GRAIN));
    end(a, 3 * GRAIN, 3 * GRAIN);
}

static void two_addresses_of_one_memory(void **state)
{
    (void)state;
    rill_context *c = machine.context[0];
    rill_devptr a = reserved(2 * GRAIN);
    rill_vmem_handle h = memory_of(0, GRAIN);
    int word = 0;
    ok(rill_vmem_map(machine.platform, a, GRAIN, h));
    ok(rill_vmem_map(machine.platform, a + GRAIN, GRAIN, h));
    ok(give(a, 2 * GRAIN, 0));
    ok(rill_memset_d32(c, a + 64, 77, 1));
    ok(rill_memcpy_dtoh(c, &word, a + GRAIN + 64, sizeof word));
    assert_int_equal(word, 77);
    ok(rill_vmem_unmap(machine.platform, a, GRAIN));
    ok(rill_memcpy_dtoh(c, &word, a + GRAIN + 64, sizeof word));
    assert_int_equal(word, 77);
    ok(rill_vmem_unmap(machine.platform, a + GRAIN, GRAIN));
    ok(rill_vmem_map(machine.platform, a, GRAIN, h));
    ok(give(a, GRAIN, 0));
    ok(rill_memcpy_dtoh(c, &word, a + 64, sizeof word));
    assert_int_equal(word, 77); /* it was not the addresses' */
    ok(rill_vmem_release(machine.platform, h));
    end(a, GRAIN, 2 * GRAIN);
}

static void unmapping_waits_for_what_uses_the_memory(void **state)
{
    (void)state;
    rill_devptr a = reserved(GRAIN);
    map_new(a, GRAIN, 0);
    ok(give(a, GRAIN, 0));
    for (int i = 0; i < 50; i++)
        ok(rill_memset_d8_async(machine.stream[0], a, (uint8_t)i, GRAIN));
    ok(rill_vmem_unmap(machine.platform, a, GRAIN));
    ok(rill_stream_query(machine.stream[0]));
    end(a, 0, GRAIN);
}

static void what_is_left_goes_with_the_platform(void **state)
{
    (void)state;
    rill_devptr a = reserved(4 * GRAIN);
    map_new(a, GRAIN, 0);
    map_new(a + GRAIN, GRAIN, 0);
    ok(give(a, 2 * GRAIN, 0));
    memory_of(0, GRAIN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(sizes_are_multiples_of_the_granularity),
        TEST(addresses_are_reserved_without_memory),
        TEST(reserved_addresses_are_no_memory),
        TEST(ranges_that_cannot_be_mapped),
        TEST(what_is_mapped_may_reach_over_the_end_of_a_reservation),
        TEST(memory_for_tiles_is_not_mapped),
        TEST(a_range_is_unmapped_with_its_holes),
        TEST(memory_stays_until_nothing_keeps_it),
        TEST(work_crosses_the_borders_of_mappings),
        TEST(what_is_unmapped_in_the_middle_is_no_memory),
        TEST(two_addresses_of_one_memory),
        TEST(unmapping_waits_for_what_uses_the_memory),
        TEST(what_is_left_goes_with_the_platform),
    };
    return cmocka_run_group_tests_name("sim/vmem", tests, NULL, NULL);
}
