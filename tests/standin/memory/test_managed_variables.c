/* SPDX-License-Identifier: Apache-2.0
 *
 * Managed variables: the device and the host have the same one.
 */
#include <stdlib.h>

#include "standin/memory/managed.h"

static const char text[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .global .attribute(.managed) .align 4 .u32 shared = 40;\n"
    ".visible .global .align 4 .u32 own = 1;\n"
    ".visible .entry add_two() { .reg .b32 r; ld.global.u32 r, [shared]; add.u32 r, r, 2;\n"
    "  st.global.u32 [shared], r; ret; }";

static void a_managed_variable_is_the_hosts_too(void **state)
{
    (void)state;
    void *module = NULL, *function = NULL;
    CUdeviceptr shared = 0, own = 0;
    size_t bytes = 0;
    OK(CALL(cuModuleLoadData, (void **, const void *), (&module, text)));
    OK(CALL(cuModuleGetFunction, (void **, void *, const char *), (&function, module, "add_two")));
    OK(CALL(cuModuleGetGlobal_v2, (CUdeviceptr *, size_t *, void *, const char *),
            (&shared, &bytes, module, "shared")));
    OK(CALL(cuModuleGetGlobal_v2, (CUdeviceptr *, size_t *, void *, const char *),
            (&own, NULL, module, "own")));
    assert_int_equal(bytes, 4);
    assert_int_equal(ask_pointer(CU_POINTER_ATTRIBUTE_IS_MANAGED, shared), 1);
    assert_int_equal(ask_pointer(CU_POINTER_ATTRIBUTE_IS_MANAGED, own), 0);
    volatile uint32_t *here = (volatile uint32_t *)(uintptr_t)shared;
    assert_int_equal(*here, 40);
    *here = 50;
    OK(CALL(cuLaunchKernel,
            (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
             CUstream, void **, void **),
            (function, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL)));
    OK(CALL(cuStreamSynchronize, (CUstream), (stream)));
    assert_int_equal(*here, 52);
    OK(CALL(cuStreamAttachMemAsync, (CUstream, CUdeviceptr, size_t, unsigned),
            (stream, shared, 0, CU_MEM_ATTACH_SINGLE)));
    assert_int_equal(CALL(cuMemFree_v2, (CUdeviceptr), (shared)), RILL_ERROR_INVALID_VALUE);
    OK(CALL(cuModuleUnload, (void *), (module)));
}

static CUdeviceptr variable_of(void *code, const char *call)
{
    CUresult (*get)(CUdeviceptr *, size_t *, void *, const char *);
    CUdeviceptr address = 0;
    find(call, &get);
    OK(get(&address, NULL, code, "shared"));
    return address;
}

static void run_add_two(void *code)
{
    void *kernel = NULL;
    OK(CALL(cuLibraryGetKernel, (void **, void *, const char *), (&kernel, code, "add_two")));
    OK(CALL(cuLaunchKernel,
            (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
             CUstream, void **, void **), (kernel, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL)));
    OK(CALL(cuCtxSynchronize, (void), ()));
}

/* Its other variables each device has for itself.  It is still there when the context that was
 * the first is gone. */
static void a_library_has_one_managed_variable_for_all_devices(void **state)
{
    (void)state;
    CUcontext other = NULL, third = NULL;
    void *code = NULL;
    CUdeviceptr own = 0, others_own = 0;
    OK(CALL(cuLibraryLoadData,
            (void **, const void *, int *, void **, unsigned, int *, void **, unsigned),
            (&code, text, NULL, NULL, 0, NULL, NULL, 0)));
    CUdeviceptr shared = variable_of(code, "cuLibraryGetManaged");
    volatile uint32_t *here = (volatile uint32_t *)(uintptr_t)shared;
    OK(CALL(cuLibraryGetGlobal, (CUdeviceptr *, size_t *, void *, const char *),
            (&own, NULL, code, "own")));
    run_add_two(code);
    OK(CALL(cuCtxCreate_v2, (CUcontext *, unsigned, CUdevice), (&other, 0, 1)));
    assert_int_equal(variable_of(code, "cuLibraryGetGlobal"), shared);
    OK(CALL(cuLibraryGetGlobal, (CUdeviceptr *, size_t *, void *, const char *),
            (&others_own, NULL, code, "own")));
    assert_true(own != others_own);
    run_add_two(code);
    assert_int_equal(*here, 44);
    OK(CALL(cuCtxDestroy_v2, (CUcontext), (context)));
    run_add_two(code);
    OK(CALL(cuCtxCreate_v2, (CUcontext *, unsigned, CUdevice), (&third, 0, 0)));
    run_add_two(code);
    assert_int_equal(*here, 48);
    OK(CALL(cuLibraryUnload, (void *), (code)));
    OK(CALL(cuCtxDestroy_v2, (CUcontext), (other)));
    context = third;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, finish)
        TEST(a_managed_variable_is_the_hosts_too),
        TEST(a_library_has_one_managed_variable_for_all_devices),
    };
    setenv("RILL_SIM_DEVICES", "2", 1);
    library_begin();
    return cmocka_run_group_tests_name("standin/managed variables", tests, NULL, NULL);
}
