/* SPDX-License-Identifier: Apache-2.0
 *
 * Virtual memory management as an H200 answers (driver 580.159.04): what memory can be made, what
 * can be mapped and unmapped where, who gets which access, and what pointers say.
 */
#include <unistd.h>

#include "standin/memory/vmem.h"

static CUresult create_as(int type, int place, int id, int ways, int usage, size_t bytes)
{
    CUmemAllocationProp wanted = { .type = type, .handle_types = ways, .location = { place, id } };
    memory made = 0;
    wanted.flags.usage = (unsigned short)usage;
    CUresult status =
        CALL(cuMemCreate, (memory *, size_t, const CUmemAllocationProp *, unsigned long long),
             (&made, bytes, &wanted, 0));
    if (status) assert_int_equal(made, 0);
    else release(made);
    return status;
}

static void what_memory_can_be_made(void **state)
{
    enum { DEVICE = 1, HOST = 2, NODE = 3, NODE_NOW = 4, FILES = 1, WIN32 = 2, TILES = 1 };
    static const struct {
        int type, place, id, ways, usage;
        size_t bytes;
        CUresult status;
    } rows[] = {
        { 1, DEVICE, 0, 0, 0, GRAIN, RILL_SUCCESS },
        { 1, DEVICE, 0, FILES, 0, GRAIN, RILL_SUCCESS },
        { 1, DEVICE, 0, WIN32, 0, GRAIN, RILL_ERROR_INVALID_VALUE },
        { 1, DEVICE, 0, FILES | WIN32, 0, GRAIN, RILL_ERROR_INVALID_VALUE },
        { 1, DEVICE, 0, 0, TILES, GRAIN, RILL_SUCCESS },
        { 1, DEVICE, 0, FILES, TILES, GRAIN, RILL_ERROR_INVALID_VALUE },
        { 1, HOST, 0, 0, 0, GRAIN, RILL_SUCCESS },
        { 1, HOST, 0, FILES, 0, GRAIN, RILL_ERROR_INVALID_VALUE },
        { 1, NODE, 0, FILES, 0, GRAIN, RILL_SUCCESS },
        { 1, NODE, 99, 0, 0, GRAIN, RILL_ERROR_INVALID_VALUE },
        { 1, NODE_NOW, 0, 0, 0, GRAIN, RILL_ERROR_INVALID_VALUE },
        { 1, 0, 0, 0, 0, GRAIN, RILL_ERROR_INVALID_VALUE },
        { 2, DEVICE, 0, 0, 0, GRAIN, RILL_ERROR_INVALID_VALUE },
        /* The size comes first, then the device, then the rest. */
        { 2, DEVICE, 99, 0, 0, GRAIN, RILL_ERROR_INVALID_DEVICE },
        { 1, DEVICE, 99, WIN32, 0, GRAIN, RILL_ERROR_INVALID_DEVICE },
        { 1, DEVICE, 99, 0, 0, GRAIN / 2, RILL_ERROR_INVALID_VALUE },
        { 1, DEVICE, 0, 0, 0, 0, RILL_ERROR_INVALID_VALUE },
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(create_as(rows[i].type, rows[i].place, rows[i].id, rows[i].ways,
                                   rows[i].usage, rows[i].bytes), rows[i].status);
}

static void the_granularity_is_told_of_any_properties(void **state)
{
    (void)state;
    const CUmemAllocationProp wrong = { .type = 3, .location = { 9, 99 } };
    size_t bytes = 0;
    OK(CALL(cuMemGetAllocationGranularity, (size_t *, const CUmemAllocationProp *, int),
            (&bytes, &wrong, CU_MEM_ALLOC_GRANULARITY_MINIMUM)));
    assert_int_equal(bytes, GRAIN);
}

static void memory_for_tiles_is_mapped_nowhere(void **state)
{
    (void)state;
    CUmemAllocationProp tiles = properties(0);
    CUdeviceptr array = reserve(2 * GRAIN);
    memory made;
    tiles.flags.usage = CU_MEM_CREATE_USAGE_TILE_POOL;
    OK(CALL(cuMemCreate, (memory *, size_t, const CUmemAllocationProp *, unsigned long long),
            (&made, GRAIN, &tiles, 0)));
    assert_int_equal(map_at(array, GRAIN, 0, made), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(map_at(array, 2 * GRAIN, 0, made), RILL_ERROR_INVALID_VALUE);
    release(made);
    give_up(array, 2 * GRAIN);
}

static void what_is_not_mapped_can_be_unmapped(void **state)
{
    (void)state;
    CUdeviceptr array = reserve(4 * GRAIN);
    memory piece = create(2 * GRAIN, 0);
    OK(unmap(array, 4 * GRAIN));
    OK(map_at(array + GRAIN, 2 * GRAIN, 0, piece));
    assert_int_equal(unmap(array, 2 * GRAIN), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(unmap(array + 2 * GRAIN, 2 * GRAIN), RILL_ERROR_INVALID_VALUE);
    OK(unmap(array, 4 * GRAIN));
    release(piece);
    give_up(array, 4 * GRAIN);
}

/* The driver looks at where a mapping begins; reservations lie side by side. */
static void a_mapping_reaches_into_the_next_reservation(void **state)
{
    (void)state;
    CUdeviceptr array = reserve(GRAIN), next = reserve(GRAIN);
    memory piece = create(3 * GRAIN, 0);
    if (next != array + GRAIN) skip(); /* the process has too few addresses */
    OK(map_at(array, 3 * GRAIN, 0, piece));
    OK(give_access(array, 3 * GRAIN));
    OK(run_fill(next + GRAIN, 5));
    assert_int_equal(CALL(cuMemAddressFree, (CUdeviceptr, size_t), (next, GRAIN)),
                     RILL_ERROR_INVALID_VALUE);
    OK(unmap(array, 3 * GRAIN));
    release(piece);
    give_up(next, GRAIN);
    give_up(array, GRAIN);
}

static CUresult set_access(CUdeviceptr address, int type, int id, int flags)
{
    const CUmemAccessDesc access = { { type, id }, flags };
    return CALL(cuMemSetAccess, (CUdeviceptr, size_t, const CUmemAccessDesc *, size_t),
                (address, GRAIN, &access, 1));
}

static void who_gets_which_access(void **state)
{
    (void)state;
    enum { NOBODY, DEVICE, HOST, NODE };
    unsigned long long flags;
    unsigned word;
    CUdeviceptr array = reserve(2 * GRAIN);
    memory piece = create(GRAIN, 0);
    OK(map_at(array, GRAIN, 0, piece));
    OK(set_access(array, DEVICE, 0, 1)); /* to read */
    OK(ask_access(DEVICE, 0, array, &flags));
    assert_int_equal(flags, 1);
    read_back(&word, array, sizeof word);
    assert_int_equal(CALL(cuMemsetD32_v2, (CUdeviceptr, unsigned, size_t), (array, 1, 1)),
                     RILL_ERROR_INVALID_VALUE);
    assert_int_equal(set_access(array, DEVICE, 0, 2), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(set_access(array, DEVICE, 99, 3), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(set_access(array, NOBODY, 0, 3), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(set_access(array, HOST, 0, 3), RILL_ERROR_NOT_SUPPORTED);
    assert_int_equal(set_access(array, NODE, 99, 3), RILL_ERROR_NOT_SUPPORTED);
    OK(set_access(array, HOST, 0, 0)); /* which takes away what was never there */
    assert_int_equal(set_access(array, HOST, 0, 2), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(set_access(array + GRAIN, HOST, 0, 3), RILL_ERROR_INVALID_VALUE);
    OK(set_access(array, DEVICE, 0, 0));
    OK(ask_access(DEVICE, 0, array, &flags));
    assert_int_equal(flags, 0);
    OK(unmap(array, GRAIN));
    release(piece);
    give_up(array, 2 * GRAIN);
}

/* Of ordinary memory of the device it is none, though kernels reach that. */
static void access_to_what_is_not_mapped(void **state)
{
    (void)state;
    unsigned long long flags;
    CUdeviceptr plain = 0;
    OK(CALL(cuMemAlloc_v2, (CUdeviceptr *, size_t), (&plain, GRAIN)));
    OK(ask_access(CU_MEM_LOCATION_TYPE_DEVICE, 0, plain, &flags));
    assert_int_equal(flags, 0);
    assert_int_equal(give_access(plain, GRAIN), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(unmap(plain, GRAIN), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(ask_access(CU_MEM_LOCATION_TYPE_DEVICE, 0, (uintptr_t)&flags, &flags),
                     RILL_ERROR_INVALID_VALUE);
    OK(CALL(cuMemFree_v2, (CUdeviceptr), (plain)));
}

static void a_wish_is_a_multiple_of_what_is_asked_for(void **state)
{
    (void)state;
    static const struct {
        size_t alignment;
        CUdeviceptr wish;
    } rows[] = { { 0, 4096 }, { 0, ((CUdeviceptr)1 << 40) + 4096 },
                 { 4 * GRAIN, ((CUdeviceptr)1 << 40) + GRAIN } };
    CUdeviceptr address = 77;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(CALL(cuMemAddressReserve,
                              (CUdeviceptr *, size_t, size_t, CUdeviceptr, unsigned long long),
                              (&address, GRAIN, rows[i].alignment, rows[i].wish, 0)),
                         RILL_ERROR_INVALID_VALUE);
    assert_int_equal(address, 77);
}

static uint64_t ask_pointer(int question, CUdeviceptr address)
{
    uint64_t answer = 0;
    OK(CALL(cuPointerGetAttribute, (void *, int, CUdeviceptr), (&answer, question, address)));
    return answer;
}

/* Its range is that which was reserved, and not what was mapped at once. */
static void a_pointer_knows_its_reservation(void **state)
{
    (void)state;
    CUdeviceptr array = reserve(4 * GRAIN);
    memory piece = create(GRAIN, 0);
    OK(map_at(array + GRAIN, GRAIN, 0, piece));
    assert_int_equal(ask_pointer(CU_POINTER_ATTRIBUTE_ACCESS_FLAGS, array + GRAIN), 0);
    OK(give_access(array + GRAIN, GRAIN));
    assert_int_equal(ask_pointer(CU_POINTER_ATTRIBUTE_ACCESS_FLAGS, array + GRAIN), 3);
    assert_true(ask_pointer(CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, array + GRAIN + 64) == array);
    assert_int_equal(ask_pointer(CU_POINTER_ATTRIBUTE_RANGE_SIZE, array + GRAIN), 4 * GRAIN);
    OK(unmap(array, 4 * GRAIN));
    release(piece);
    give_up(array, 4 * GRAIN);
}

static void memory_of_the_host_is_the_hosts_when_it_is_given_access(void **state)
{
    (void)state;
    const CUmemAllocationProp host = { .type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                       .location = { CU_MEM_LOCATION_TYPE_HOST, 0 } };
    CUmemAllocationProp told;
    CUdeviceptr array = reserve(GRAIN);
    uint64_t none = 77;
    CUdeviceptr base = 77;
    size_t bytes = 77;
    memory piece;
    OK(CALL(cuMemCreate, (memory *, size_t, const CUmemAllocationProp *, unsigned long long),
            (&piece, GRAIN, &host, 0)));
    OK(CALL(cuMemGetAllocationPropertiesFromHandle, (CUmemAllocationProp *, memory),
            (&told, piece)));
    assert_int_equal(told.location.type, CU_MEM_LOCATION_TYPE_HOST_NUMA);
    OK(map_at(array, GRAIN, 0, piece));
    assert_int_equal(ask_pointer(CU_POINTER_ATTRIBUTE_MEMORY_TYPE, array), CU_MEMORYTYPE_HOST);
    assert_int_equal(CALL(cuPointerGetAttribute, (void *, int, CUdeviceptr),
                          (&none, CU_POINTER_ATTRIBUTE_HOST_POINTER, array)),
                     RILL_ERROR_INVALID_VALUE);
    assert_int_equal(none, 0);
    OK(set_access(array, CU_MEM_LOCATION_TYPE_HOST, 0, 3));
    assert_true(ask_pointer(CU_POINTER_ATTRIBUTE_HOST_POINTER, array) == array);
    *(volatile unsigned *)(uintptr_t)array = WORD;
    OK(give_access(array, GRAIN));
    OK(run_fill(array + 64, 1));
    OK(CALL(cuMemGetAddressRange_v2, (CUdeviceptr *, size_t *, CUdeviceptr),
            (&base, &bytes, array)));
    assert_true(base == 0 && bytes == GRAIN);
    assert_int_equal(*(volatile unsigned *)(uintptr_t)array, WORD);
    assert_int_equal(((volatile unsigned *)(uintptr_t)array)[16], 1);
    OK(unmap(array, GRAIN));
    release(piece);
    give_up(array, GRAIN);
}

static void a_file_of_no_memory_is_unknown(void **state)
{
    (void)state;
    memory made = 77;
    for (int file = -1; file <= STDIN_FILENO; file++)
        assert_int_equal(CALL(cuMemImportFromShareableHandle, (memory *, void *, int),
                              (&made, (void *)(intptr_t)file,
                               CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)), RILL_ERROR_UNKNOWN);
    assert_int_equal(made, 77);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_memory_can_be_made),
        TEST(the_granularity_is_told_of_any_properties),
        TEST(memory_for_tiles_is_mapped_nowhere),
        TEST(what_is_not_mapped_can_be_unmapped),
        TEST(a_mapping_reaches_into_the_next_reservation),
        TEST(who_gets_which_access),
        TEST(access_to_what_is_not_mapped),
        TEST(a_wish_is_a_multiple_of_what_is_asked_for),
        TEST(a_pointer_knows_its_reservation),
        TEST(memory_of_the_host_is_the_hosts_when_it_is_given_access),
        TEST(a_file_of_no_memory_is_unknown),
    };
    begin_with_kernels();
    return cmocka_run_group_tests_name("standin/vmem_answers", tests, NULL, NULL);
}
