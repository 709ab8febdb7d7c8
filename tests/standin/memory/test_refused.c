/* SPDX-License-Identifier: Apache-2.0
 *
 * What calls that are refused leave where they were to answer, as an H200 does (driver
 * 580.159.04): those that allocate or look for memory an address and a size of 0, those that make
 * a stream where there is no context a handle of all ones.
 */
#include <stdint.h>

#include "standin/modules.h"

#define BEFORE 0x5a5a5a50u
#define TOO_MUCH ((size_t)1 << 60)

static CUdeviceptr address;
static size_t bytes;
static void *pointer;

static CUresult before(void)
{
    address = BEFORE;
    bytes = BEFORE;
    pointer = (void *)(uintptr_t)BEFORE;
    return RILL_SUCCESS;
}

#define REFUSED(expected, name, parameters, arguments) \
    (before(), assert_int_equal(CALL(name, parameters, arguments), expected))

static void allocations_leave_an_address_of_0(void **state)
{
    (void)state;
    REFUSED(RILL_ERROR_OUT_OF_MEMORY, cuMemAlloc_v2, (CUdeviceptr *, size_t), (&address, TOO_MUCH));
    assert_int_equal(address, 0);
    REFUSED(RILL_ERROR_INVALID_VALUE, cuMemAllocManaged, (CUdeviceptr *, size_t, unsigned),
            (&address, 1000, 8));
    assert_int_equal(address, 0);
    REFUSED(RILL_ERROR_INVALID_VALUE, cuMemHostAlloc, (void **, size_t, unsigned),
            (&pointer, 1000, 8));
    assert_null(pointer);
    REFUSED(RILL_ERROR_INVALID_VALUE, cuMemAllocPitch_v2,
            (CUdeviceptr *, size_t *, size_t, size_t, unsigned), (&address, &bytes, 436, 6, 3));
    assert_int_equal(address, 0);
    assert_int_equal(bytes, 0);
}

static void calls_without_a_context_leave_0_or_all_ones(void **state)
{
    (void)state;
    OK(CALL(cuCtxSetCurrent, (CUcontext), (NULL)));
    REFUSED(RILL_ERROR_INVALID_CONTEXT, cuMemAlloc_v2, (CUdeviceptr *, size_t), (&address, 64));
    assert_int_equal(address, 0);
    REFUSED(RILL_ERROR_INVALID_CONTEXT, cuMemHostAlloc, (void **, size_t, unsigned),
            (&pointer, 64, 0));
    assert_null(pointer);
    CUstream stream = (CUstream)(uintptr_t)BEFORE;
    assert_int_equal(CALL(cuStreamCreate, (CUstream *, unsigned), (&stream, 0)),
                     RILL_ERROR_INVALID_CONTEXT);
    assert_ptr_equal(stream, (CUstream)UINTPTR_MAX);
    OK(CALL(cuCtxSetCurrent, (CUcontext), (context)));
    stream = (CUstream)(uintptr_t)BEFORE;
    assert_int_equal(CALL(cuStreamCreate, (CUstream *, unsigned), (&stream, 99)),
                     RILL_ERROR_INVALID_VALUE);
    assert_ptr_equal(stream, (CUstream)(uintptr_t)BEFORE);
}

static void allocations_that_a_capture_forbids_leave_an_address_of_0(void **state)
{
    (void)state;
    CUstream stream, other;
    CUgraph graph;
    OK(CALL(cuStreamCreate, (CUstream *, unsigned), (&stream, 0)));
    OK(CALL(cuStreamCreate, (CUstream *, unsigned), (&other, 0)));
    OK(CALL(cuStreamBeginCapture_v2, (CUstream, int), (stream, 0)));
    REFUSED(RILL_ERROR_STREAM_CAPTURE_IMPLICIT, cuMemAllocAsync,
            (CUdeviceptr *, size_t, CUstream), (&address, 64, NULL));
    assert_int_equal(address, 0);
    CALL(cuStreamEndCapture, (CUstream, CUgraph *), (stream, &graph));
    OK(CALL(cuStreamDestroy_v2, (CUstream), (stream)));
    OK(CALL(cuStreamDestroy_v2, (CUstream), (other)));
}

/* Whatever else is wrong with the question. */
static void a_capture_lets_nobody_ask_or_set_access_to_a_pool(void **state)
{
    (void)state;
    const CUmemAccessDesc nowhere = { { 0, 0 }, 0 };
    CUmemLocation no_device = { CU_MEM_LOCATION_TYPE_DEVICE, 99 };
    CUstream stream;
    CUgraph graph;
    CUmemoryPool pool;
    int flags = 77;
    OK(CALL(cuDeviceGetDefaultMemPool, (CUmemoryPool *, CUdevice), (&pool, 0)));
    OK(CALL(cuStreamCreate, (CUstream *, unsigned), (&stream, 0)));
    OK(CALL(cuStreamBeginCapture_v2, (CUstream, int), (stream, 0)));
    assert_int_equal(CALL(cuMemPoolSetAccess, (CUmemoryPool, const CUmemAccessDesc *, size_t),
                          (pool, &nowhere, 1)), RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    assert_int_equal(CALL(cuMemPoolSetAccess, (CUmemoryPool, const CUmemAccessDesc *, size_t),
                          (pool, &nowhere, 0)), RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    assert_int_equal(CALL(cuMemPoolGetAccess, (int *, CUmemoryPool, CUmemLocation *),
                          (&flags, pool, &no_device)), RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    assert_int_equal(flags, 77);
    CALL(cuStreamEndCapture, (CUstream, CUgraph *), (stream, &graph));
    OK(CALL(cuStreamDestroy_v2, (CUstream), (stream)));
}

/* Of several wrong arguments, which one counts. */
static void some_arguments_come_before_others(void **state)
{
    (void)state;
    CUmemoryPool pool = NULL;
    int value = 77;
    assert_int_equal(CALL(cuDeviceGetAttribute, (int *, int, CUdevice), (NULL, 1, 99)),
                     RILL_ERROR_INVALID_VALUE);
    assert_int_equal(CALL(cuDeviceGetAttribute, (int *, int, CUdevice), (&value, 1, 99)),
                     RILL_ERROR_INVALID_DEVICE);
    assert_int_equal(CALL(cuDeviceGetDefaultMemPool, (CUmemoryPool *, CUdevice), (NULL, 99)),
                     RILL_ERROR_INVALID_DEVICE);
    assert_int_equal(CALL(cuDeviceGetDefaultMemPool, (CUmemoryPool *, CUdevice), (NULL, 0)),
                     RILL_ERROR_INVALID_VALUE);
    assert_int_equal(CALL(cuCtxEnablePeerAccess, (CUcontext, unsigned), (NULL, 3)),
                     RILL_ERROR_INVALID_CONTEXT);
    assert_int_equal(CALL(cuCtxEnablePeerAccess, (CUcontext, unsigned), (context, 3)),
                     RILL_ERROR_INVALID_VALUE);
    assert_null(pool);
}

static void what_memory_a_node_allocates(void **state)
{
    (void)state;
    enum { PINNED = 1, MANAGED = 2, DEVICE = 1, HOST = 2, NODE = 3 };
    static const struct {
        int type, place, id, ways;
        CUresult status;
    } rows[] = {
        { PINNED, DEVICE, 0, 0, RILL_SUCCESS },
        { PINNED, DEVICE, 0, 1, RILL_ERROR_NOT_SUPPORTED },
        { PINNED, DEVICE, 99, 0, RILL_ERROR_INVALID_VALUE },
        { PINNED, HOST, 99, 0, RILL_ERROR_NOT_SUPPORTED },
        { PINNED, HOST, 0, 1, RILL_ERROR_INVALID_VALUE },
        { PINNED, NODE, 0, 1, RILL_ERROR_NOT_SUPPORTED },
        { PINNED, NODE, 99, 0, RILL_ERROR_INVALID_VALUE },
        { PINNED, 0, 0, 0, RILL_ERROR_INVALID_VALUE },
        { MANAGED, 0, 0, 0, RILL_ERROR_NOT_SUPPORTED },
        { MANAGED, HOST, 0, 1, RILL_ERROR_INVALID_VALUE },
        { MANAGED, DEVICE, 99, 0, RILL_ERROR_INVALID_VALUE },
        { 0, DEVICE, 0, 0, RILL_ERROR_INVALID_VALUE },
    };
    CUgraph graph;
    OK(CALL(cuGraphCreate, (CUgraph *, unsigned), (&graph, 0)));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CUDA_MEM_ALLOC_NODE_PARAMS wanted = {
            .pool = { .allocation_type = rows[i].type, .handle_types = rows[i].ways,
                      .location = { rows[i].place, rows[i].id } },
            .bytes = 64,
        };
        CUgraphNode node;
        assert_int_equal(CALL(cuGraphAddMemAllocNode,
                              (CUgraphNode *, CUgraph, const CUgraphNode *, size_t,
                               CUDA_MEM_ALLOC_NODE_PARAMS *),
                              (&node, graph, NULL, 0, &wanted)), rows[i].status);
    }
    OK(CALL(cuGraphDestroy, (CUgraph), (graph)));
}

static void what_is_not_found_has_no_address_and_no_size(void **state)
{
    (void)state;
    static char heap[64];
    CUmodule module = load(image);
    const CUdeviceptr unknown = (uintptr_t)heap;
    REFUSED(RILL_ERROR_NOT_FOUND, cuMemGetAddressRange_v2,
            (CUdeviceptr *, size_t *, CUdeviceptr), (&address, &bytes, unknown));
    assert_int_equal(address, 0);
    assert_int_equal(bytes, 0);
    REFUSED(RILL_ERROR_INVALID_VALUE, cuMemHostGetDevicePointer_v2,
            (CUdeviceptr *, void *, unsigned), (&address, heap, 0));
    assert_int_equal(address, 0);
    REFUSED(RILL_ERROR_INVALID_VALUE, cuModuleGetGlobal_v2,
            (CUdeviceptr *, size_t *, CUmodule, const char *), (&address, &bytes, module, ""));
    assert_int_equal(address, 0);
    assert_int_equal(bytes, 0);
    REFUSED(RILL_ERROR_INVALID_DEVICE, cuDeviceTotalMem_v2, (size_t *, CUdevice), (&bytes, 99));
    assert_int_equal(bytes, 0);
    OK(CALL(cuModuleUnload, (CUmodule), (module)));
}

static void a_variable_of_no_module_has_no_address(void **state)
{
    (void)state;
    REFUSED(RILL_ERROR_INVALID_HANDLE, cuModuleGetGlobal_v2,
            (CUdeviceptr *, size_t *, CUmodule, const char *), (&address, &bytes, NULL, "word"));
    assert_int_equal(address, 0);
    assert_int_equal(bytes, 0);
}

static void memory_of_no_pool_has_no_address(void **state)
{
    (void)state;
    REFUSED(RILL_ERROR_INVALID_VALUE, cuMemAllocFromPoolAsync,
            (CUdeviceptr *, size_t, CUmemoryPool, CUstream), (&address, 64, NULL, NULL));
    assert_int_equal(address, 0);
}

/* ---- Memory of the host ------------------------------------------------------------------- */

static void nothing_is_copied_to_memory_that_was_registered_to_be_read(void **state)
{
    enum { READ_ONLY = 8 };
    static _Alignas(4096) unsigned char own[4096];
    const CUdeviceptr there = (uintptr_t)own;
    CUdeviceptr device;
    (void)state;
    OK(CALL(cuMemAlloc_v2, (CUdeviceptr *, size_t), (&device, 64)));
    OK(CALL(cuMemHostRegister_v2, (void *, size_t, unsigned), (own, sizeof own, READ_ONLY)));
    OK(CALL(cuMemcpyHtoD_v2, (CUdeviceptr, const void *, size_t), (device, own, 64)));
    assert_int_equal(CALL(cuMemcpyDtoH_v2, (void *, CUdeviceptr, size_t), (own, device, 64)),
                     RILL_ERROR_INVALID_VALUE);
    assert_int_equal(CALL(cuMemcpyAsync, (CUdeviceptr, CUdeviceptr, size_t, CUstream),
                          (there, device, 64, NULL)),
                     RILL_ERROR_INVALID_VALUE);
    OK(CALL(cuMemcpyAsync, (CUdeviceptr, CUdeviceptr, size_t, CUstream), (there, device, 0, NULL)));
    assert_int_equal(CALL(cuMemsetD8_v2, (CUdeviceptr, unsigned char, size_t), (there, 7, 64)),
                     RILL_ERROR_INVALID_VALUE);
    assert_int_equal(CALL(cuMemsetD2D8_v2, (CUdeviceptr, size_t, unsigned char, size_t, size_t),
                          (there, 64, 7, 32, 2)),
                     RILL_ERROR_INVALID_VALUE);
    OK(CALL(cuMemHostUnregister, (void *), (own)));
    OK(CALL(cuMemcpyDtoH_v2, (void *, CUdeviceptr, size_t), (own, device, 64)));
    OK(CALL(cuMemFree_v2, (CUdeviceptr), (device)));
}

static void managed_memory_is_mapped(void **state)
{
    (void)state;
    unsigned flags = 99;
    OK(CALL(cuMemAllocManaged, (CUdeviceptr *, size_t, unsigned), (&address, 64, 1)));
    OK(CALL(cuMemHostGetFlags, (unsigned *, void *), (&flags, (void *)(uintptr_t)address)));
    assert_int_equal(flags, CU_MEMHOSTALLOC_DEVICEMAP);
    OK(CALL(cuMemFree_v2, (CUdeviceptr), (address)));
}

static void several_questions_about_memory_of_the_program_itself(void **state)
{
    static char own[8];
    int questions[] = { CU_POINTER_ATTRIBUTE_HOST_POINTER, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR,
                        CU_POINTER_ATTRIBUTE_RANGE_SIZE, CU_POINTER_ATTRIBUTE_DEVICE_POINTER };
    uint64_t answers[4] = { 99, 99, 99, 99 };
    void *to[] = { &answers[0], &answers[1], &answers[2], &answers[3] };
    (void)state;
    OK(CALL(cuPointerGetAttributes, (unsigned, int *, void **, CUdeviceptr),
            (4, questions, to, (uintptr_t)own)));
    assert_int_equal(answers[0], (uintptr_t)own);
    assert_int_equal(answers[1], 99); /* are left as they were */
    assert_int_equal(answers[2], 99);
    assert_int_equal(answers[3], 0);
}

/* ---- Kernels ------------------------------------------------------------------------------ */

static void a_kernel_that_is_not_found_leaves_the_handle(void **state)
{
    (void)state;
    CUlibrary made;
    CUkernel kernel = (CUkernel)(uintptr_t)BEFORE;
    OK(CALL(cuLibraryLoadData,
            (CUlibrary *, const void *, int *, void **, unsigned, int *, void **, unsigned),
            (&made, image, NULL, NULL, 0, NULL, NULL, 0)));
    assert_int_equal(CALL(cuLibraryGetKernel, (CUkernel *, CUlibrary, const char *),
                          (&kernel, made, "nothing")),
                     RILL_ERROR_NOT_FOUND);
    assert_ptr_equal(kernel, (void *)(uintptr_t)BEFORE);
    OK(CALL(cuLibraryUnload, (CUlibrary), (made)));
}

#define IN_CONTEXT(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_CONTEXT(allocations_leave_an_address_of_0),
        IN_CONTEXT(calls_without_a_context_leave_0_or_all_ones),
        IN_CONTEXT(allocations_that_a_capture_forbids_leave_an_address_of_0),
        IN_CONTEXT(some_arguments_come_before_others),
        IN_CONTEXT(what_memory_a_node_allocates),
        IN_CONTEXT(a_capture_lets_nobody_ask_or_set_access_to_a_pool),
        IN_CONTEXT(what_is_not_found_has_no_address_and_no_size),
        IN_CONTEXT(a_variable_of_no_module_has_no_address),
        IN_CONTEXT(memory_of_no_pool_has_no_address),
        IN_CONTEXT(nothing_is_copied_to_memory_that_was_registered_to_be_read),
        IN_CONTEXT(managed_memory_is_mapped),
        IN_CONTEXT(several_questions_about_memory_of_the_program_itself),
        IN_CONTEXT(a_kernel_that_is_not_found_leaves_the_handle),
    };
    return cmocka_run_group_tests(tests, library_setup, library_teardown);
}
