/* SPDX-License-Identifier: Apache-2.0
 *
 * Managed memory, pools of the driver's as objects, memory that names them, and host memory.
 */
#include <stdio.h>
#include <string.h>

#include "backend-cuda/context/context.h"
#include "cuda/fake.h"
#include "support/cmocka_all.h"

/* ---- A driver with pools -------------------------------------------------------------------- */

static void *const first_pool = (void *)(uintptr_t)0x7700;

static char said[256]; /* the last call and what it was given */

static CUresult CUDAAPI pin(void *pointer, size_t bytes, unsigned flags)
{
    snprintf(said, sizeof said, "register %p %zu %x", pointer, bytes, flags);
    return CUDA_SUCCESS;
}

static CUresult managed_answer;

static CUresult CUDAAPI allocate_managed(CUdeviceptr *address, size_t bytes, unsigned flags)
{
    snprintf(said, sizeof said, "managed %zu %x", bytes, flags);
    *address = 0x5000;
    return managed_answer;
}

/* Memory at this address is managed. */
#define MANAGED_AT 0x5000

/* All memory is of the first pool. */
static CUresult CUDAAPI attributes(unsigned count, CUpointer_attribute *questions, void **places,
                                   CUdeviceptr address)
{
    for (unsigned i = 0; i < count; i++)
        if (questions[i] == CU_POINTER_ATTRIBUTE_IS_MANAGED)
            *(unsigned char *)places[i] = address == MANAGED_AT;
        else if (questions[i] == CU_POINTER_ATTRIBUTE_MEMORY_TYPE)
            *(unsigned *)places[i] = CU_MEMORYTYPE_DEVICE;
        else if (questions[i] == CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE)
            *(CUmemoryPool *)places[i] = first_pool;
    return CUDA_SUCCESS;
}

static CUmemoryPool current_pool;
static size_t pool_maximum;

static CUresult CUDAAPI default_pool(CUmemoryPool *pool, CUdevice device)
{
    *pool = (CUmemoryPool)(void *)((char *)first_pool + 16 * device);
    return CUDA_SUCCESS;
}

static CUresult CUDAAPI get_pool(CUmemoryPool *pool, CUdevice device)
{
    (void)device;
    *pool = current_pool;
    return CUDA_SUCCESS;
}

static CUresult CUDAAPI make_pool(CUmemoryPool *pool, const CUmemPoolProps *properties)
{
    memcpy(&pool_maximum, (const char *)properties + CUDA_POOL_MAXIMUM, sizeof pool_maximum);
    *pool = (CUmemoryPool)(void *)((char *)first_pool + 1024);
    return CUDA_SUCCESS;
}

static CUresult pool_answer;

static CUresult CUDAAPI get_attribute(CUmemoryPool pool, CUmemPool_attribute attribute,
                                      void *value)
{
    (void)pool, (void)attribute;
    *(uint64_t *)value = 0;
    return pool_answer;
}

/* ---- The scene ------------------------------------------------------------------------------ */

struct scene {
    const struct fake *fake;
    rill_platform *platform;
    rill_context *context;
};

static int set_up(void **state)
{
    static struct scene scene;
    scene = (struct scene){ .fake = fake_load() };
    assert_int_equal(fake_open(&scene.platform), RILL_SUCCESS);
    assert_int_equal(rill_context_create(scene.platform, NULL, &scene.context), RILL_SUCCESS);
    cuda_api.MemHostRegister = pin;
    cuda_api.PointerGetAttributes = attributes;
    cuda_api.MemAllocManaged = allocate_managed;
    managed_answer = CUDA_SUCCESS;
    cuda_api.DeviceGetDefaultMemPool = default_pool;
    cuda_api.DeviceGetMemPool = get_pool;
    cuda_api.MemPoolCreate = make_pool;
    cuda_api.MemPoolGetAttribute = get_attribute;
    pool_answer = CUDA_SUCCESS;
    *state = &scene;
    return 0;
}

static int tear_down(void **state)
{
    struct scene *scene = *state;
    rill_context_destroy(&scene->context);
    rill_close(&scene->platform);
    return 0;
}

/* ---- Managed memory ------------------------------------------------------------------ */

static void managed_memory_is_the_drivers(void **state)
{
    struct scene *scene = *state;
    rill_devptr address = 0;
    rill_pointer_info info = { .size = sizeof info };
    assert_int_equal(rill_mem_alloc_managed(scene->context, 100, RILL_ATTACH_HOST, &address),
                     RILL_SUCCESS);
    assert_string_equal(said, "managed 100 2");
    assert_int_equal(address, MANAGED_AT);
    assert_int_equal(rill_pointer_get_info(scene->context, address, &info), RILL_SUCCESS);
    assert_int_equal(info.managed, 1);
    assert_int_equal(rill_pointer_get_info(scene->context, 0x3000, &info), RILL_SUCCESS);
    assert_int_equal(info.managed, 0);
}

static void what_the_driver_refuses_is_explained(void **state)
{
    struct scene *scene = *state;
    static const struct {
        CUresult answer;
        size_t bytes;
        uint32_t flags;
        const char *argument;
    } rows[] = {
        { CUDA_ERROR_INVALID_VALUE, 64, 3, "flags" },
        { CUDA_ERROR_INVALID_VALUE, 0, RILL_ATTACH_GLOBAL, "bytes" },
        { CUDA_ERROR_OUT_OF_MEMORY, 64, RILL_ATTACH_GLOBAL, "bytes" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        rill_devptr address = 7;
        managed_answer = rows[i].answer;
        assert_int_equal(rill_mem_alloc_managed(scene->context, rows[i].bytes, rows[i].flags,
                                                &address), (int)rows[i].answer);
        assert_string_equal(rill_last_error()->argument, rows[i].argument);
        assert_int_equal(address, 7);
    }
}

/* ---- Pools and pointers -------------------------------------------------------------- */

static void a_pool_of_the_driver_is_one_object(void **state)
{
    struct scene *scene = *state;
    rill_pool *own = NULL, *other = NULL, *current = NULL, *again = NULL;
    rill_pointer_info info = { .size = sizeof info };
    assert_int_equal(rill_device_default_pool(scene->platform, 0, &own), RILL_SUCCESS);
    assert_int_equal(rill_device_default_pool(scene->platform, 1, &other), RILL_SUCCESS);
    assert_ptr_not_equal(own, other);
    current_pool = first_pool;
    assert_int_equal(rill_device_pool(scene->platform, 0, &current), RILL_SUCCESS);
    assert_ptr_equal(current, own);
    assert_int_equal(rill_pointer_get_info(scene->context, 0x3000008, &info), RILL_SUCCESS);
    assert_ptr_equal(info.pool, own);
    current_pool = (CUmemoryPool)(void *)((char *)first_pool + 512); /* somebody else's */
    assert_int_equal(rill_device_pool(scene->platform, 0, &current), RILL_SUCCESS);
    assert_int_equal(rill_device_pool(scene->platform, 0, &again), RILL_SUCCESS);
    assert_ptr_not_equal(current, own);
    assert_ptr_equal(current, again);
    assert_int_equal(rill_pool_destroy(&again), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(scene->fake->calls("cuMemPoolDestroy"), 0);
}

static void memory_names_the_default_pool_that_nobody_asked_for(void **state)
{
    struct scene *scene = *state;
    rill_pool *own = NULL;
    rill_pointer_info info = { .size = sizeof info };
    assert_int_equal(rill_pointer_get_info(scene->context, 0x3000000, &info), RILL_SUCCESS);
    assert_non_null(info.pool);
    assert_int_equal(rill_device_default_pool(scene->platform, 0, &own), RILL_SUCCESS);
    assert_ptr_equal(info.pool, own);
}

static void a_maximum_needs_a_driver_that_knows_it(void **state)
{
    struct scene *scene = *state;
    const rill_pool_options options = { .size = sizeof options, .maximum = 12345 };
    rill_pool *pool = NULL;
    assert_int_equal(rill_pool_create(scene->platform, &options, &pool), RILL_SUCCESS);
    assert_int_equal(pool_maximum, 12345);
    assert_int_equal(rill_pool_destroy(&pool), RILL_SUCCESS);
    cuda_api.version = 12010;
    assert_int_equal(rill_pool_create(scene->platform, &options, &pool), RILL_ERROR_NOT_SUPPORTED);
    assert_non_null(strstr(rill_last_error()->message, "12.2"));
}

static void a_pool_that_a_capture_holds_stays(void **state)
{
    struct scene *scene = *state;
    rill_pool *pool = NULL;
    assert_int_equal(rill_pool_create(scene->platform, NULL, &pool), RILL_SUCCESS);
    static const CUresult all[] = { CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                                    CUDA_ERROR_NOT_PERMITTED };
    for (int i = 0; i < 2; i++) {
        pool_answer = all[i];
        assert_int_equal(rill_pool_destroy(&pool), (int)all[i]);
        assert_non_null(pool);
        assert_int_equal(scene->fake->calls("cuMemPoolDestroy"), 0);
    }
    pool_answer = CUDA_ERROR_LAUNCH_FAILED;
    assert_int_equal(rill_pool_destroy(&pool), RILL_SUCCESS);
    assert_int_equal(scene->fake->calls("cuMemPoolDestroy"), 1);
}

static void flags_of_registering_get_the_drivers_numbers(void **state)
{
    struct scene *scene = *state;
    static char bytes[64];
    char expected[64];
    static const unsigned all[][2] = { { 1, 1 }, { 2, 2 }, { 8, 4 }, { 16, 8 }, { 27, 15 } };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        snprintf(expected, sizeof expected, "register %p 64 %x", (void *)bytes, all[i][1]);
        assert_int_equal(rill_host_register(scene->context, bytes, 64, all[i][0]), RILL_SUCCESS);
        assert_string_equal(said, expected);
    }
    *said = '\0';
    assert_int_equal(rill_host_register(scene->context, bytes, 64, RILL_HOST_WRITE_COMBINED),
                     RILL_ERROR_INVALID_VALUE);
    assert_string_equal(rill_last_error()->argument, "flags");
    assert_string_equal(said, "");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(managed_memory_is_the_drivers),
        TEST(what_the_driver_refuses_is_explained),
        TEST(a_pool_of_the_driver_is_one_object),
        TEST(memory_names_the_default_pool_that_nobody_asked_for),
        TEST(a_maximum_needs_a_driver_that_knows_it),
        TEST(a_pool_that_a_capture_holds_stays),
        TEST(flags_of_registering_get_the_drivers_numbers),
    };
    return cmocka_run_group_tests_name("pools", tests, NULL, NULL);
}
