/* SPDX-License-Identifier: Apache-2.0
 *
 * Pools that two processes share: cuMemPoolExportToShareableHandle() and what goes with it.  The
 * other process is this program once more.  Answers of the process that shares are an H100's.
 */
#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>

#include "standin/memory/processes.h"
#include "support/emulated.h"

enum { BYTES = 1 << 20, SMALL = 100, FIRST = 0x1234, SECOND = 0x4321, THIRD = 0x77 };
enum { BY_FILE = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR };

/* What the parent tells the other process. */
struct shared {
    CUmemPoolPtrExportData whole, small;
};

static CUresult make_pool(CUmemoryPool *pool, int handle_types)
{
    const CUmemPoolProps properties = { .allocation_type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                        .handle_types = handle_types,
                                        .location = { CU_MEM_LOCATION_TYPE_DEVICE, 0 } };
    return CALL(cuMemPoolCreate, (CUmemoryPool *, const CUmemPoolProps *), (pool, &properties));
}

static CUresult end_pool(CUmemoryPool pool)
{
    return CALL(cuMemPoolDestroy, (CUmemoryPool), (pool));
}

static CUresult export_pool(int *file, CUmemoryPool pool, int way, unsigned long long flags)
{
    return CALL(cuMemPoolExportToShareableHandle,
                (void *, CUmemoryPool, int, unsigned long long), (file, pool, way, flags));
}

static CUresult import_pool(CUmemoryPool *pool, int file, int way, unsigned long long flags)
{
    return CALL(cuMemPoolImportFromShareableHandle,
                (CUmemoryPool *, void *, int, unsigned long long),
                (pool, (void *)(intptr_t)file, way, flags));
}

static CUresult export_pointer(CUmemPoolPtrExportData *data, CUdeviceptr address)
{
    return CALL(cuMemPoolExportPointer, (CUmemPoolPtrExportData *, CUdeviceptr), (data, address));
}

static CUresult import_pointer(CUdeviceptr *address, CUmemoryPool pool,
                               CUmemPoolPtrExportData *data)
{
    return CALL(cuMemPoolImportPointer, (CUdeviceptr *, CUmemoryPool, CUmemPoolPtrExportData *),
                (address, pool, data));
}

static CUresult allocate(CUdeviceptr *address, size_t bytes, CUmemoryPool pool)
{
    return CALL(cuMemAllocFromPoolAsync, (CUdeviceptr *, size_t, CUmemoryPool, CUstream),
                (address, bytes, pool, NULL));
}

static CUresult free_memory(CUdeviceptr address)
{
    return CALL(cuMemFree_v2, (CUdeviceptr), (address));
}

static CUresult free_in_order(CUdeviceptr address)
{
    return CALL(cuMemFreeAsync, (CUdeviceptr, CUstream), (address, NULL));
}

static CUresult synchronize(void)
{
    return CALL(cuCtxSynchronize, (void), ());
}

static CUresult read_word(CUdeviceptr address, uint32_t *word)
{
    return CALL(cuMemcpyDtoH_v2, (void *, CUdeviceptr, size_t), (word, address, 4));
}

static CUresult write_word(CUdeviceptr address, uint32_t word)
{
    return CALL(cuMemcpyHtoD_v2, (CUdeviceptr, const void *, size_t), (address, &word, 4));
}

/* ---- The other process --------------------------------------------------------------------- */

/* A pool of another process gives out nothing and is not shared on. */
static void look_at_pool(CUmemoryPool pool)
{
    CUdeviceptr address = 0;
    int file = -1;
    WANT(allocate(&address, SMALL, pool) == RILL_ERROR_INVALID_VALUE);
    WANT(export_pool(&file, pool, BY_FILE, 0) == RILL_ERROR_INVALID_VALUE);
}

static void other_process(void)
{
    struct shared shared;
    CUmemPoolPtrExportData none, again;
    CUmemoryPool pool = NULL;
    CUdeviceptr whole = 0, small = 0, base = 0;
    size_t bytes = 0;
    uint32_t word = 0;
    memset(&none, 0, sizeof none);
    WANT(read(FROM_PARENT, &shared, sizeof shared) == sizeof shared);
    WANT(import_pool(&pool, FILE_OF_PARENT, BY_FILE, 0) == RILL_ERROR_NOT_INITIALIZED);
    WANT(!CALL(cuInit, (unsigned), (0)));
    WANT(!CALL(cuDevicePrimaryCtxRetain, (CUcontext *, CUdevice), (&context, 0)));
    WANT(!CALL(cuCtxSetCurrent, (CUcontext), (context)));
    WANT(import_pool(&pool, TO_PARENT, BY_FILE, 0) == RILL_ERROR_INVALID_VALUE);
    WANT(import_pool(&pool, FILE_OF_PARENT, 0, 0) == RILL_ERROR_INVALID_VALUE);
    WANT(import_pool(&pool, FILE_OF_PARENT, BY_FILE, 1) == RILL_ERROR_INVALID_VALUE);
    WANT(import_pool(&pool, FILE_OF_PARENT, CU_MEM_HANDLE_TYPE_WIN32, 0) ==
         RILL_ERROR_NOT_SUPPORTED);
    WANT(!import_pool(&pool, FILE_OF_PARENT, BY_FILE, 0));
    close(FILE_OF_PARENT);
    look_at_pool(pool);
    WANT(import_pointer(&whole, pool, &none) == RILL_ERROR_INVALID_VALUE);
    WANT(!import_pointer(&whole, pool, &shared.whole));
    WANT(!import_pointer(&small, pool, &shared.small));
    WANT(!CALL(cuMemGetAddressRange_v2, (CUdeviceptr *, size_t *, CUdeviceptr),
               (&base, &bytes, whole + 4096)));
    WANT(base == whole && bytes == BYTES);
    WANT(!read_word(whole, &word) && word == FIRST);
    WANT(!read_word(small, &word) && word == SECOND);
    WANT(!write_word(whole + BYTES - 4, THIRD));
    WANT(export_pointer(&again, whole) == RILL_ERROR_INVALID_VALUE);
    WANT(!free_in_order(whole));
    WANT(!synchronize());
    WANT(read_word(whole, &word) == RILL_ERROR_INVALID_VALUE);
    WANT(!free_memory(small));
    WANT(free_memory(small) == RILL_ERROR_INVALID_VALUE);
    wait_for_parent(); /* it looks, frees both, and allocates again */
    WANT(read(FROM_PARENT, &shared, sizeof shared) == sizeof shared);
    WANT(!import_pointer(&whole, pool, &shared.whole));
    WANT(!read_word(whole, &word) && word == SECOND);
    WANT(!end_pool(pool)); /* what is open stays */
    WANT(!read_word(whole, &word) && word == SECOND);
    WANT(!free_memory(whole));
    _exit(0);
}

static void tell_other(const struct other *other, const struct shared *shared)
{
    assert_int_equal(write(other->to, shared, sizeof *shared), sizeof *shared);
}

/* ---- Tests --------------------------------------------------------------------------------- */

static void two_processes_share_a_pool(void **state)
{
    (void)state;
    needs_own_programs();
    struct shared shared;
    CUmemoryPool pool = NULL;
    CUdeviceptr whole = 0, small = 0;
    uint32_t word = 0;
    int file = -1;
    OK(make_pool(&pool, BY_FILE));
    OK(allocate(&small, SMALL, pool));
    /* Nobody could open it yet. */
    assert_int_equal(export_pointer(&shared.small, small), RILL_ERROR_INVALID_VALUE);
    OK(export_pool(&file, pool, BY_FILE, 0));
    struct other other = start_other("other", file);
    close(file);
    OK(allocate(&whole, BYTES, pool));
    OK(write_word(whole, FIRST));
    OK(write_word(small, SECOND));
    OK(export_pointer(&shared.whole, whole));
    assert_int_equal(export_pointer(&shared.small, whole + 4096), RILL_ERROR_INVALID_VALUE);
    OK(export_pointer(&shared.small, small));
    tell_other(&other, &shared);
    wait_for_other(&other);
    OK(read_word(whole + BYTES - 4, &word));
    assert_int_equal(word, THIRD);
    OK(free_in_order(whole));
    OK(free_memory(small));
    OK(synchronize());
    let_go_on(&other);
    OK(allocate(&whole, BYTES, pool));
    OK(write_word(whole, SECOND));
    OK(export_pointer(&shared.whole, whole));
    tell_other(&other, &shared);
    end_other(&other);
    OK(free_in_order(whole));
    OK(end_pool(pool));
}

static void a_pool_is_shared_if_it_was_made_for_that(void **state)
{
    (void)state;
    CUmemPoolPtrExportData data;
    CUmemoryPool pool = NULL, plain = NULL, device_pool = NULL;
    CUdeviceptr memory = 0;
    int file = -1, ways = 0;
    OK(CALL(cuDeviceGetAttribute, (int *, int, CUdevice), (&ways, 119, 0)));
    assert_int_equal(ways & BY_FILE, BY_FILE);
    OK(make_pool(&pool, BY_FILE));
    OK(make_pool(&plain, 0));
    OK(CALL(cuDeviceGetDefaultMemPool, (CUmemoryPool *, CUdevice), (&device_pool, 0)));
    assert_int_equal(make_pool(&pool, CU_MEM_HANDLE_TYPE_WIN32), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(make_pool(&pool, BY_FILE | CU_MEM_HANDLE_TYPE_WIN32),
                     RILL_ERROR_INVALID_VALUE);
    assert_int_equal(make_pool(&pool, 16), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(export_pool(&file, plain, BY_FILE, 0), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(export_pool(&file, device_pool, BY_FILE, 0), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(export_pool(NULL, pool, BY_FILE, 0), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(export_pool(&file, pool, BY_FILE, 1), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(export_pool(&file, pool, 0, 0), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(export_pool(&file, pool, CU_MEM_HANDLE_TYPE_WIN32, 0),
                     RILL_ERROR_INVALID_VALUE);
    OK(allocate(&memory, SMALL, plain));
    assert_int_equal(export_pointer(&data, memory), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(export_pointer(&data, 0), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(export_pointer(&data, (uintptr_t)&data), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(import_pointer(&memory, plain, &data), RILL_ERROR_INVALID_VALUE);
    OK(free_in_order(memory));
    OK(end_pool(plain));
    OK(end_pool(pool));
}

static void a_process_opens_its_own_pool(void **state)
{
    (void)state;
    CUmemPoolPtrExportData data;
    CUmemoryPool pool = NULL, again = NULL;
    CUdeviceptr memory = 0, opened = 0;
    uint32_t word = 0;
    int file = -1;
    OK(make_pool(&pool, BY_FILE));
    OK(export_pool(&file, pool, BY_FILE, 0));
    OK(import_pool(&again, file, BY_FILE, 0));
    close(file);
    assert_ptr_not_equal(again, pool);
    OK(allocate(&memory, SMALL, pool));
    OK(export_pointer(&data, memory));
    OK(import_pointer(&opened, again, &data));
    assert_int_not_equal(opened, memory);
    OK(write_word(memory, FIRST));
    OK(synchronize());
    OK(read_word(opened, &word));
    assert_int_equal(word, FIRST);
    OK(free_in_order(opened));
    OK(free_in_order(memory));
    OK(end_pool(again));
    OK(end_pool(pool));
}

/* Returns the ways in which memory can be shared, or what it was if the question is refused. */
static uint32_t ways_of(CUdeviceptr address)
{
    uint32_t ways[] = { 77, 78 };
    CALL(cuPointerGetAttribute, (void *, int, CUdeviceptr),
         (ways, CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES, address));
    assert_int_equal(ways[1], 78); /* of a program that has room for no more */
    return ways[0];
}

static uint32_t ways_of_memory_of(CUmemoryPool pool)
{
    CUdeviceptr memory = 0;
    OK(allocate(&memory, SMALL, pool));
    uint32_t ways = ways_of(memory);
    assert_int_equal(ways_of(memory + SMALL / 2), ways);
    OK(free_in_order(memory));
    return ways;
}

/* The answers are an H200's. */
static void memory_can_be_shared_as_its_pool_can(void **state)
{
    (void)state;
    CUmemPoolPtrExportData data;
    CUmemoryPool plain = NULL, pool = NULL, again = NULL, device_pool = NULL;
    CUdeviceptr memory = 0, opened = 0;
    int file = -1;
    OK(CALL(cuDeviceGetDefaultMemPool, (CUmemoryPool *, CUdevice), (&device_pool, 0)));
    OK(make_pool(&plain, 0));
    OK(make_pool(&pool, BY_FILE));
    assert_int_equal(ways_of_memory_of(device_pool), 0);
    assert_int_equal(ways_of_memory_of(plain), 0);
    assert_int_equal(ways_of_memory_of(pool), BY_FILE);
    assert_int_equal(ways_of((uintptr_t)&file), 77);
    OK(allocate(&memory, SMALL, pool));
    OK(export_pool(&file, pool, BY_FILE, 0));
    OK(import_pool(&again, file, BY_FILE, 0));
    close(file);
    OK(export_pointer(&data, memory));
    OK(import_pointer(&opened, again, &data));
    assert_int_equal(ways_of(opened), 0);
    OK(end_pool(pool)); /* its memory stays, and what can be done with it */
    assert_int_equal(ways_of(memory), BY_FILE);
    OK(free_in_order(opened));
    OK(free_in_order(memory));
    OK(end_pool(again));
    OK(end_pool(plain));
}

static void a_file_that_is_no_pool_is_refused(void **state)
{
    (void)state;
    CUmemoryPool pool = NULL;
    int file = open("/dev/null", O_RDWR);
    assert_true(file >= 0);
    assert_int_equal(import_pool(&pool, file, BY_FILE, 0), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(import_pool(&pool, -1, BY_FILE, 0), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(import_pool(NULL, file, BY_FILE, 0), RILL_ERROR_INVALID_VALUE);
    close(file);
}

int main(int argc, char **argv)
{
    (void)argv;
    library_open();
    if (argc > 1) other_process();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_processes_share_a_pool),
        cmocka_unit_test(a_pool_is_shared_if_it_was_made_for_that),
        cmocka_unit_test(a_process_opens_its_own_pool),
        cmocka_unit_test(memory_can_be_shared_as_its_pool_can),
        cmocka_unit_test(a_file_that_is_no_pool_is_refused),
    };
    int failed = cmocka_run_group_tests(tests, begin, NULL);
    return library_close() ? 1 : failed;
}
