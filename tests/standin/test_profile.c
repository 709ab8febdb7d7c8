/* SPDX-License-Identifier: Apache-2.0
 *
 * What a device says of itself, and which settings it takes: as an H200 does, with a
 * driver of CUDA 13.0.
 */
#include <stdlib.h>

#include "standin/library.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define INVALID RILL_ERROR_INVALID_VALUE

static CUcontext context;

static int begin(void **state)
{
    (void)state;
    library_begin();
    OK(CALL(cuCtxCreate_v2, (CUcontext *, unsigned, CUdevice), (&context, 0, 0)));
    return 0;
}

static int finish(void **state)
{
    (void)state;
    OK(CALL(cuCtxDestroy_v2, (CUcontext), (context)));
    return library_close();
}

/* ---- Devices ----------------------------------------------------------------------------- */

static void sizes_are_those_of_the_profile(void **state)
{
    (void)state;
    static const struct {
        int attribute, value;
    } rows[] = {
        { 21, 131072 },     { 22, 131072 },   { 23, 65536 },  { 26, 16384 },     { 29, 2048 },
        { 37, 6016 },       { 38, 62914560 }, { 44, 1 },      { 54, 2046 },      { 62, 2048 },
        { 68, 2046 },       { 69, 268435456 }, { 71, 65000 }, { 72, 2097120 },   { 77, 32768 },
        { 81, 233472 },     { 97, 232448 },   { 107, 1 },     { 108, 39321600 }, { 113, 1 },
        { 109, 134217728 }, { 127, 1 },       { 131, -1 },    { 134, 0 },        { 141, 1 },
        { 145, 1 },
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        int value = -77;
        OK(CALL(cuDeviceGetAttribute, (int *, int, CUdevice), (&value, rows[i].attribute, 0)));
        assert_int_equal(value, rows[i].value);
    }
}

static void what_is_not_simulated_is_not_claimed(void **state)
{
    (void)state;
    static const int abilities[] = { 96,  110, 112, 114, 116, 121,
                                     124, 128, 132, 142, 144 };
    for (size_t i = 0; i < COUNT(abilities); i++) {
        int value = -77;
        OK(CALL(cuDeviceGetAttribute, (int *, int, CUdevice), (&value, abilities[i], 0)));
        assert_int_equal(value, 0);
    }
}

static void an_address_of_a_bus_is_told_as_a_whole(void **state)
{
    (void)state;
    static const struct {
        int room;
        CUresult status;
    } rows[] = { { 0, INVALID }, { 5, INVALID }, { 12, INVALID }, { 13, 0 }, { 64, 0 } };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[64] = "?";
        assert_int_equal(CALL(cuDeviceGetPCIBusId, (char *, int, CUdevice),
                              (text, rows[i].room, 0)), rows[i].status);
        assert_int_equal(strlen(text), rows[i].status ? 1 : 12);
    }
}

static void no_share_of_a_device_can_be_had(void **state)
{
    (void)state;
    for (int type = -1; type < 4; type++) {
        int can = 7;
        OK(CALL(cuDeviceGetExecAffinitySupport, (int *, int, CUdevice), (&can, type, 0)));
        assert_int_equal(can, 0);
    }
}

/* Whatever is asked. */
static void a_device_is_no_peer_of_itself(void **state)
{
    (void)state;
    for (int attribute = -1; attribute < 9; attribute++) {
        int value = 7;
        assert_int_equal(CALL(cuDeviceGetP2PAttribute, (int *, int, CUdevice, CUdevice),
                              (&value, attribute, 0, 0)), RILL_ERROR_INVALID_DEVICE);
        assert_int_equal(value, 7);
    }
}

/* ---- Contexts ----------------------------------------------------------------------------- */

static size_t limit_of(int limit)
{
    size_t value = 77;
    OK(CALL(cuCtxGetLimit, (size_t *, int), (&value, limit)));
    return value;
}

static CUresult set_limit(int limit, size_t value)
{
    return CALL(cuCtxSetLimit, (int, size_t), (limit, value));
}

static void limits_become_what_the_device_can_do(void **state)
{
    (void)state;
    static const struct {
        int limit;
        size_t initial, value, becomes;
        CUresult status;
    } rows[] = {
        { CU_LIMIT_STACK_SIZE, 1024, 0, 0, 0 },
        { CU_LIMIT_STACK_SIZE, 1024, 100000, 100000, 0 },
        { CU_LIMIT_PRINTF_FIFO_SIZE, 8650752, 0, 524288, 0 },
        { CU_LIMIT_PRINTF_FIFO_SIZE, 8650752, 100000, 524288, 0 },
        { CU_LIMIT_MALLOC_HEAP_SIZE, 8388608, 0, 4194304, 0 },
        { CU_LIMIT_MALLOC_HEAP_SIZE, 8388608, 100000, 4194304, 0 },
        { CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT, 2048, 0, 32, 0 },
        { CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT, 2048, 100000, 100000, 0 },
        { CU_LIMIT_MAX_L2_FETCH_GRANULARITY, 64, 0, 0, 0 },
        { CU_LIMIT_MAX_L2_FETCH_GRANULARITY, 64, 100000, 64, INVALID },
        { CU_LIMIT_PERSISTING_L2_CACHE_SIZE, 11796480, 0, 0, 0 },
        { CU_LIMIT_PERSISTING_L2_CACHE_SIZE, 11796480, 100000, 3932160, 0 },
        { CU_LIMIT_SHMEM_SIZE, 232448, 100000, 232448, RILL_ERROR_NOT_PERMITTED },
        { CU_LIMIT_CIG_ENABLED, 0, 0, 0, RILL_ERROR_NOT_PERMITTED },
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        const int limit = rows[i].limit;
        assert_int_equal(limit_of(limit), rows[i].initial);
        assert_int_equal(set_limit(limit, rows[i].value), rows[i].status);
        assert_int_equal(limit_of(limit), rows[i].becomes);
        if (!rows[i].status) OK(set_limit(limit, rows[i].initial));
    }
}

static void some_limits_there_are_not(void **state)
{
    (void)state;
    static const struct {
        int limit;
        CUresult status;
    } rows[] = {
        { -1, INVALID },
        { CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH, RILL_ERROR_UNSUPPORTED_LIMIT },
        { CU_LIMIT_CIG_SHMEM_FALLBACK_ENABLED, RILL_ERROR_UNSUPPORTED_LIMIT },
        { CU_LIMIT_COUNT, INVALID },
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        size_t value = 77;
        assert_int_equal(CALL(cuCtxGetLimit, (size_t *, int), (&value, rows[i].limit)),
                         rows[i].status);
        assert_int_equal(value, 77);
    }
}

/* Who asks for core dumps (0x60) or for mapped memory (8) later gets none. */
static void set_flags(unsigned began)
{
    static const struct {
        unsigned set, back;
        CUresult status;
    } rows[] = {
        { 0, 0, 0 },       { 1, 1, 0 },       { 2, 2, 0 },       { 3, 2, INVALID },
        { 4, 4, 0 },       { 5, 4, INVALID }, { 8, 0, 0 },       { 0x0c, 4, 0 },
        { 0x10, 0x10, 0 }, { 0x20, 0, 0 },    { 0x40, 0, 0 },    { 0x70, 0x10, 0 },
        { 0x80, 0x80, 0 }, { 0xf0, 0x90, 0 }, { 0x100, 0x90, INVALID },
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        unsigned flags = 0;
        assert_int_equal(CALL(cuCtxSetFlags, (unsigned), (rows[i].set)), rows[i].status);
        OK(CALL(cuCtxGetFlags, (unsigned *), (&flags)));
        assert_int_equal(flags, began | rows[i].back);
    }
}

/* A primary context begins with mapped memory, another one as it was made. */
static void flags_that_a_context_began_with_stay(void **state)
{
    (void)state;
    CUcontext its;
    for (unsigned began = 0; began <= CU_CTX_MAP_HOST; began += CU_CTX_MAP_HOST) {
        OK(CALL(cuCtxCreate_v2, (CUcontext *, unsigned, CUdevice), (&its, began | 1, 0)));
        set_flags(began);
        OK(CALL(cuCtxDestroy_v2, (CUcontext), (its)));
    }
    OK(CALL(cuDevicePrimaryCtxRetain, (CUcontext *, CUdevice), (&its, 0)));
    OK(CALL(cuCtxPushCurrent_v2, (CUcontext), (its)));
    set_flags(CU_CTX_MAP_HOST);
    OK(CALL(cuCtxPopCurrent_v2, (CUcontext *), (&its)));
    OK(CALL(cuDevicePrimaryCtxRelease_v2, (CUdevice), (0)));
}

static void banks_have_four_bytes(void **state)
{
    (void)state;
    for (int config = -1; config < 4; config++) {
        int back = 77;
        assert_int_equal(CALL(cuCtxSetSharedMemConfig, (int), (config)),
                         config < 0 || config > 2 ? INVALID : RILL_SUCCESS);
        OK(CALL(cuCtxGetSharedMemConfig, (int *), (&back)));
        assert_int_equal(back, 1);
    }
}

/* ---- Memory ------------------------------------------------------------------------------ */

static CUdeviceptr memory(size_t bytes)
{
    CUdeviceptr address;
    OK(CALL(cuMemAlloc_v2, (CUdeviceptr *, size_t), (&address, bytes)));
    return address;
}

static void give(CUdeviceptr address)
{
    OK(CALL(cuMemFree_v2, (CUdeviceptr), (address)));
}

static void ask(void *value, int attribute, CUdeviceptr address)
{
    OK(CALL(cuPointerGetAttribute, (void *, int, CUdeviceptr), (value, attribute, address)));
}

/* Small allocations share a piece of 2 MiB, large ones have as many as they touch. */
static void memory_is_mapped_in_pieces(void **state)
{
    (void)state;
    static const size_t sizes[] = { 1000, (2 << 20) + 1, 5 << 20 };
    const uint64_t piece = 2 << 20;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        CUdeviceptr address = memory(sizes[i]), base = 0;
        size_t bytes = 0;
        ask(&base, CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR, address);
        ask(&bytes, CU_POINTER_ATTRIBUTE_MAPPING_SIZE, address);
        assert_true(base % piece == 0 && bytes % piece == 0);
        assert_true(base <= address && address - base < piece);
        assert_true(base + bytes >= address + sizes[i]);
        assert_true(base + bytes - (address + sizes[i]) < piece);
        give(address);
    }
}

static void yes_and_no_have_four_bytes(void **state)
{
    (void)state;
    static const struct {
        int attribute, value;
    } rows[] = {
        { CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, 0 },
        { CU_POINTER_ATTRIBUTE_IS_MANAGED, 0 },
        { CU_POINTER_ATTRIBUTE_MAPPED, 1 },
        { CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE, 0 },
    };
    CUdeviceptr address = memory(1000);
    for (size_t i = 0; i < COUNT(rows); i++) {
        int value[2] = { 0x5a5a5a5a, 77 };
        ask(value, rows[i].attribute, address);
        assert_int_equal(value[0], rows[i].value);
        assert_int_equal(value[1], 77);
    }
    give(address);
}

/* Also after the flag went. */
static void a_context_of_calls_that_wait_has_memory_to_wait_for(void **state)
{
    (void)state;
    CUcontext own;
    int waits = 77;
    OK(CALL(cuCtxCreate_v2, (CUcontext *, unsigned, CUdevice), (&own, 0, 0)));
    OK(CALL(cuCtxSetFlags, (unsigned), (CU_CTX_SYNC_MEMOPS)));
    OK(CALL(cuCtxSetFlags, (unsigned), (0)));
    ask(&waits, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory(1000));
    assert_int_equal(waits, 1);
    OK(CALL(cuCtxDestroy_v2, (CUcontext), (own)));
}

/* Portable (1), mapped (2) and read-only (8): not of other devices (4). */
static void memory_of_the_program_is_registered_as_it_is(void **state)
{
    (void)state;
    void *pages = NULL;
    assert_int_equal(posix_memalign(&pages, 4096, 4096), 0);
    for (unsigned flags = 0; flags < 64; flags++) {
        const int fits = flags < 16 && !(flags & 4);
        unsigned back = 77;
        assert_int_equal(CALL(cuMemHostRegister_v2, (void *, size_t, unsigned),
                              (pages, 4096, flags)), fits ? RILL_SUCCESS : INVALID);
        if (!fits) continue;
        OK(CALL(cuMemHostGetFlags, (unsigned *, void *), (&back, pages)));
        assert_int_equal(back, 2 | (flags & 1));
        OK(CALL(cuMemHostUnregister, (void *), (pages)));
    }
    free(pages);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_those_of_the_profile),
        cmocka_unit_test(what_is_not_simulated_is_not_claimed),
        cmocka_unit_test(an_address_of_a_bus_is_told_as_a_whole),
        cmocka_unit_test(no_share_of_a_device_can_be_had),
        cmocka_unit_test(a_device_is_no_peer_of_itself),
        cmocka_unit_test(limits_become_what_the_device_can_do),
        cmocka_unit_test(some_limits_there_are_not),
        cmocka_unit_test(flags_that_a_context_began_with_stay),
        cmocka_unit_test(banks_have_four_bytes),
        cmocka_unit_test(memory_is_mapped_in_pieces),
        cmocka_unit_test(yes_and_no_have_four_bytes),
        cmocka_unit_test(a_context_of_calls_that_wait_has_memory_to_wait_for),
        cmocka_unit_test(memory_of_the_program_is_registered_as_it_is),
    };
    return cmocka_run_group_tests_name("standin/profile", tests, begin, finish);
}
