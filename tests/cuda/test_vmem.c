/* SPDX-License-Identifier: Apache-2.0
 *
 * Addresses and memory, each by itself: what the driver is given, and what is said when it
 * refuses.
 */
#include <stdio.h>
#include <string.h>

#include "backend-cuda/driver/driver.h"
#include "cuda/fake.h"
#include "support/cmocka_all.h"

#define GRAIN ((size_t)2 << 20)

/* ---- A driver that says what it was given ------------------------------------------------- */

static char said[256];
static CUresult answer;

static CUresult CUDAAPI granularity(size_t *bytes, const CUmemAllocationProp *properties,
                                    CUmemAllocationGranularity_flags option)
{
    assert_int_equal(option, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
    *bytes = GRAIN << properties->location.id;
    return CUDA_SUCCESS;
}

static CUresult CUDAAPI create(CUmemGenericAllocationHandle *handle, size_t bytes,
                               const CUmemAllocationProp *properties, unsigned long long flags)
{
    snprintf(said, sizeof said, "create %zu type %d place %d %d handles %d flags %llu", bytes,
             (int)properties->type, (int)properties->location.type, properties->location.id,
             (int)properties->requestedHandleTypes, flags);
    *handle = 77;
    return answer;
}

static CUresult CUDAAPI properties_of(CUmemAllocationProp *properties,
                                      CUmemGenericAllocationHandle handle)
{
    *properties = (CUmemAllocationProp){
        .type = CU_MEM_ALLOCATION_TYPE_PINNED,
        .requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
        .location = { CU_MEM_LOCATION_TYPE_DEVICE, 1 },
    };
    return handle == 77 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult CUDAAPI reserve(CUdeviceptr *address, size_t bytes, size_t alignment,
                                CUdeviceptr wish, unsigned long long flags)
{
    snprintf(said, sizeof said, "reserve %zu %zu %llx %llu", bytes, alignment, wish, flags);
    *address = 0x7000;
    return answer;
}

static CUresult CUDAAPI map(CUdeviceptr address, size_t bytes, size_t offset,
                            CUmemGenericAllocationHandle handle, unsigned long long flags)
{
    snprintf(said, sizeof said, "map %llx %zu %zu %llu %llu", address, bytes, offset, handle,
             flags);
    return answer;
}

static CUresult CUDAAPI set_access(CUdeviceptr address, size_t bytes,
                                   const CUmemAccessDesc *access, size_t count)
{
    snprintf(said, sizeof said, "access %llx %zu %zu: %d %d %d", address, bytes, count,
             (int)access->location.type, access->location.id, (int)access->flags);
    return answer;
}

static CUresult CUDAAPI get_access(unsigned long long *flags, const CUmemLocation *place,
                                   CUdeviceptr address)
{
    snprintf(said, sizeof said, "which access %llx: %d %d", address, (int)place->type, place->id);
    *flags = 3;
    return answer;
}

static CUresult CUDAAPI export_file(void *file, CUmemGenericAllocationHandle handle,
                                    CUmemAllocationHandleType type, unsigned long long flags)
{
    snprintf(said, sizeof said, "export %llu %d %llu", handle, (int)type, flags);
    *(int *)file = 9;
    return answer;
}

static CUresult CUDAAPI import_file(CUmemGenericAllocationHandle *handle, void *file,
                                    CUmemAllocationHandleType type)
{
    snprintf(said, sizeof said, "import %d %d", (int)(intptr_t)file, (int)type);
    *handle = 78;
    return answer;
}

/* ---- The scene ---------------------------------------------------------------------------- */

static rill_platform *platform;

static int set_up(void **state)
{
    (void)state;
    fake_load();
    assert_int_equal(fake_open(&platform), RILL_SUCCESS);
    cuda_api.MemGetAllocationGranularity = granularity;
    cuda_api.MemCreate = create;
    cuda_api.MemGetAllocationPropertiesFromHandle = properties_of;
    cuda_api.MemAddressReserve = reserve;
    cuda_api.MemMap = map;
    cuda_api.MemSetAccess = set_access;
    cuda_api.MemGetAccess = get_access;
    cuda_api.MemExportToShareableHandle = export_file;
    cuda_api.MemImportFromShareableHandle = import_file;
    answer = CUDA_SUCCESS;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    return rill_close(&platform);
}

static void refused(rill_status status, CUresult wanted, const char *argument, const char *words)
{
    assert_int_equal(status, wanted);
    assert_string_equal(rill_last_error()->argument ? rill_last_error()->argument : "", argument);
    if (!strstr(rill_last_error()->message, words))
        fail_msg("\"%s\" is not in \"%s\"", words, rill_last_error()->message);
}

/* ---- Tests -------------------------------------------------------------------------------- */

static void memory_is_made_on_its_device(void **state)
{
    const rill_vmem_options shared = { .size = sizeof shared, .device = 1, .shareable = 1 };
    rill_vmem_options told = { .size = sizeof told };
    rill_vmem_handle handle = 0;
    size_t bytes = 0;
    (void)state;
    assert_int_equal(rill_vmem_granularity(platform, 1, &bytes), RILL_SUCCESS);
    assert_int_equal(bytes, 2 * GRAIN);
    assert_int_equal(rill_vmem_create(platform, GRAIN, NULL, &handle), RILL_SUCCESS);
    assert_string_equal(said, "create 2097152 type 1 place 1 0 handles 0 flags 0");
    assert_int_equal(handle, 77);
    assert_int_equal(rill_vmem_create(platform, GRAIN, &shared, &handle), RILL_SUCCESS);
    assert_string_equal(said, "create 2097152 type 1 place 1 1 handles 1 flags 0");
    assert_int_equal(rill_vmem_get_options(platform, handle, &told), RILL_SUCCESS);
    assert_int_equal(told.device, 1);
    assert_int_equal(told.shareable, 1);
}

static void memory_that_is_refused(void **state)
{
    const rill_vmem_options far = { .size = sizeof far, .device = 2 };
    rill_vmem_handle handle = 0;
    (void)state;
    said[0] = '\0';
    refused(rill_vmem_create(platform, GRAIN, &far, &handle), CUDA_ERROR_INVALID_DEVICE,
            "options->device", "there is no device 2");
    assert_string_equal(said, ""); /* the driver was not asked */
    answer = CUDA_ERROR_INVALID_VALUE;
    refused(rill_vmem_create(platform, 5, NULL, &handle), answer, "bytes",
            "5 is no multiple of 2097152");
    answer = CUDA_ERROR_OUT_OF_MEMORY;
    refused(rill_vmem_create(platform, GRAIN, NULL, &handle), answer, "bytes",
            "2097152 bytes do not fit");
    answer = CUDA_ERROR_NOT_SUPPORTED;
    refused(rill_vmem_create(platform, GRAIN, NULL, &handle), answer, "", "cuMemCreate");
    assert_int_equal(handle, 0);
}

static CUresult CUDAAPI never(CUmemGenericAllocationHandle handle)
{
    fail_msg("the driver is given the handle %llu", handle);
    return CUDA_SUCCESS;
}

/* The driver would follow it. */
static void the_driver_sees_no_handle_but_its_own(void **state)
{
    rill_vmem_options told = { .size = sizeof told, .device = 5 };
    rill_vmem_handle handle = 0;
    int file = -1;
    (void)state;
    said[0] = '\0';
    refused(rill_vmem_get_options(platform, 77, &told), CUDA_ERROR_INVALID_VALUE, "handle",
            "0x4d is no handle of memory");
    refused(rill_vmem_map(platform, GRAIN, GRAIN, 77), CUDA_ERROR_INVALID_VALUE, "handle", "0x4d");
    refused(rill_vmem_export(platform, 77, &file), CUDA_ERROR_INVALID_VALUE, "handle", "0x4d");
    assert_string_equal(said, "");
    assert_int_equal(told.device, 5);
    assert_int_equal(rill_vmem_create(platform, GRAIN, NULL, &handle), RILL_SUCCESS);
    assert_int_equal(rill_vmem_create(platform, GRAIN, NULL, &handle), RILL_SUCCESS);
    assert_int_equal(rill_vmem_release(platform, 77), RILL_SUCCESS);
    assert_int_equal(rill_vmem_release(platform, 77), RILL_SUCCESS); /* it was given out twice */
    cuda_api.MemRelease = never;
    refused(rill_vmem_release(platform, 77), CUDA_ERROR_INVALID_VALUE, "handle", "0x4d");
}

/* Makes 77 a handle. */
static void have_handle(void)
{
    rill_vmem_handle handle = 0;
    assert_int_equal(rill_vmem_create(platform, GRAIN, NULL, &handle), RILL_SUCCESS);
}

static void addresses_are_the_drivers(void **state)
{
    rill_devptr address = 0;
    (void)state;
    assert_int_equal(rill_vmem_reserve(platform, GRAIN, 4096, 0x8000, &address), RILL_SUCCESS);
    assert_string_equal(said, "reserve 2097152 4096 8000 0");
    assert_int_equal(address, 0x7000);
    address = 0;
    answer = CUDA_ERROR_INVALID_VALUE;
    refused(rill_vmem_reserve(platform, GRAIN, 3, 0, &address), answer, "alignment",
            "3 is no power of two");
    answer = CUDA_ERROR_OUT_OF_MEMORY;
    refused(rill_vmem_reserve(platform, GRAIN, 0, 0, &address), answer, "bytes",
            "addresses are free");
    assert_int_equal(address, 0);
}

static void memory_is_mapped_from_its_first_byte(void **state)
{
    (void)state;
    have_handle();
    assert_int_equal(rill_vmem_map(platform, 4 * GRAIN, GRAIN, 77), RILL_SUCCESS);
    assert_string_equal(said, "map 800000 2097152 0 77 0");
    answer = CUDA_ERROR_INVALID_VALUE;
    refused(rill_vmem_map(platform, 4097, GRAIN, 77), answer, "address",
            "0x1001 is no multiple of 2097152");
    refused(rill_vmem_map(platform, 4 * GRAIN, 100, 77), answer, "bytes",
            "100 is no multiple of 2097152");
    refused(rill_vmem_map(platform, 4 * GRAIN, GRAIN, 77), answer, "", "cuMemMap");
    answer = CUDA_ERROR_NOT_SUPPORTED; /* what driver 580 says of too many bytes */
    refused(rill_vmem_map(platform, 4 * GRAIN, GRAIN, 77), answer, "bytes", "does not map");
}

static void access_is_of_one_device(void **state)
{
    rill_access access = RILL_ACCESS_NONE;
    (void)state;
    assert_int_equal(rill_vmem_set_access(platform, GRAIN, GRAIN, 1, RILL_ACCESS_READ_WRITE),
                     RILL_SUCCESS);
    assert_string_equal(said, "access 200000 2097152 1: 1 1 3");
    assert_int_equal(rill_vmem_get_access(platform, GRAIN, 1, &access), RILL_SUCCESS);
    assert_string_equal(said, "which access 200000: 1 1");
    assert_int_equal(access, RILL_ACCESS_READ_WRITE);
    refused(rill_vmem_set_access(platform, GRAIN, GRAIN, 2, RILL_ACCESS_NONE),
            CUDA_ERROR_INVALID_DEVICE, "device", "there is no device 2");
    answer = CUDA_ERROR_NOT_SUPPORTED;
    refused(rill_vmem_set_access(platform, GRAIN, GRAIN, 1, RILL_ACCESS_READ), answer, "access",
            "not reading alone");
    answer = CUDA_ERROR_INVALID_VALUE;
    refused(rill_vmem_set_access(platform, GRAIN, GRAIN, 1, (rill_access)2), answer, "access",
            "2 is no kind of access");
    access = RILL_ACCESS_NONE;
    refused(rill_vmem_get_access(platform, GRAIN, 1, &access), answer, "address",
            "cuMemGetAccess");
    assert_int_equal(access, RILL_ACCESS_NONE);
}

static void memory_is_shared_as_a_file(void **state)
{
    rill_vmem_handle handle = 0;
    int file = -1;
    (void)state;
    have_handle();
    assert_int_equal(rill_vmem_export(platform, 77, &file), RILL_SUCCESS);
    assert_string_equal(said, "export 77 1 0");
    assert_int_equal(file, 9);
    assert_int_equal(rill_vmem_import(platform, 9, &handle), RILL_SUCCESS);
    assert_string_equal(said, "import 9 1");
    assert_int_equal(handle, 78);
    answer = CUDA_ERROR_INVALID_VALUE;
    file = -1;
    refused(rill_vmem_export(platform, 77, &file), answer, "handle", "cuMemExportToShareable");
    assert_int_equal(file, -1);
    refused(rill_vmem_import(platform, -1, &handle), answer, "file", "cuMemImportFromShareable");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(memory_is_made_on_its_device),
        TEST(memory_that_is_refused),
        TEST(the_driver_sees_no_handle_but_its_own),
        TEST(addresses_are_the_drivers),
        TEST(memory_is_mapped_from_its_first_byte),
        TEST(access_is_of_one_device),
        TEST(memory_is_shared_as_a_file),
    };
    return cmocka_run_group_tests_name("cuda/vmem", tests, NULL, NULL);
}
