/* SPDX-License-Identifier: Apache-2.0
 *
 * Devices of several models in one machine: what they say of themselves, which text of an
 * image is theirs, and what they refuse.
 */
#include <stdlib.h>

#include "standin/library.h"
#include "support/process.h"

enum { A100, T4, PLAIN, H100, ORIN, DEVICES };

static CUcontext contexts[DEVICES];

static int open_contexts(void **state)
{
    (void)state;
    for (int i = 0; i < DEVICES; i++)
        OK(CALL(cuDevicePrimaryCtxRetain, (CUcontext *, CUdevice), (&contexts[i], i)));
    return 0;
}

static void use(int device)
{
    OK(CALL(cuCtxSetCurrent, (CUcontext), (contexts[device])));
}

static int attribute_of(int device, int attribute)
{
    int value = -2;
    OK(CALL(cuDeviceGetAttribute, (int *, int, CUdevice), (&value, attribute, device)));
    return value;
}

/* ---- What they say ------------------------------------------------------------------------ */

static void each_device_is_of_its_model(void **state)
{
    static const struct {
        const char *name;
        size_t gib;
        int capability, processors, opt_in, threads, blocks, clusters;
    } wanted[DEVICES] = {
        { "NVIDIA A100-SXM4-80GB", 80, 80, 108, 166912, 2048, 32, 0 },
        { "Tesla T4", 16, 75, 40, 65536, 1024, 16, 0 },
        { "rill simulator (H200 limits)", 8, 90, 132, 232448, 2048, 32, 1 },
        { "NVIDIA H100 80GB HBM3", 80, 90, 132, 232448, 2048, 32, 1 },
        { "Orin", 64, 87, 16, 166912, 1536, 16, 0 },
    };
    int count = 0;
    (void)state;
    OK(CALL(cuDeviceGetCount, (int *), (&count)));
    assert_int_equal(count, DEVICES);
    for (int i = 0; i < DEVICES; i++) {
        char name[128];
        size_t bytes = 0;
        int major = 0, minor = 0;
        OK(CALL(cuDeviceGetName, (char *, int, CUdevice), (name, sizeof name, i)));
        OK(CALL(cuDeviceTotalMem_v2, (size_t *, CUdevice), (&bytes, i)));
        OK(CALL(cuDeviceComputeCapability, (int *, int *, CUdevice), (&major, &minor, i)));
        assert_string_equal(name, wanted[i].name);
        assert_int_equal(bytes >> 30, wanted[i].gib);
        assert_int_equal(10 * major + minor, wanted[i].capability);
        assert_int_equal(10 * attribute_of(i, 75) + attribute_of(i, 76), wanted[i].capability);
        assert_int_equal(attribute_of(i, 16), wanted[i].processors);
        assert_int_equal(attribute_of(i, 97), wanted[i].opt_in);
        assert_int_equal(attribute_of(i, 39), wanted[i].threads);
        assert_int_equal(attribute_of(i, 106), wanted[i].blocks);
        assert_int_equal(attribute_of(i, 120), wanted[i].clusters);
    }
}

static void a_jetson_shares_memory_with_the_host_in_turns(void **state)
{
    enum { INTEGRATED = 18, MANAGED = 83, CONCURRENT = 89 };
    (void)state;
    for (int i = 0; i < DEVICES; i++) {
        assert_int_equal(attribute_of(i, INTEGRATED), i == ORIN);
        assert_int_equal(attribute_of(i, MANAGED), 1);
        assert_int_equal(attribute_of(i, CONCURRENT), i != ORIN);
    }
}

/* As the driver's documentation has it. */
static void managed_memory_does_not_go_to_a_jetson(void **state)
{
    enum { PREFERRED = 3 };
    CUdeviceptr memory = 0;
    (void)state;
    use(A100);
    OK(CALL(cuMemAllocManaged, (CUdeviceptr *, size_t, unsigned), (&memory, 4096, 1)));
    for (int i = 0; i < DEVICES; i++) {
        const CUresult answer = i == ORIN ? RILL_ERROR_INVALID_DEVICE : RILL_SUCCESS;
        assert_int_equal(CALL(cuMemPrefetchAsync, (CUdeviceptr, size_t, CUdevice, CUstream),
                              (memory, 4096, i, NULL)), answer);
        assert_int_equal(CALL(cuMemAdvise, (CUdeviceptr, size_t, int, CUdevice),
                              (memory, 4096, PREFERRED, i)), answer);
    }
    OK(CALL(cuMemFree_v2, (CUdeviceptr), (memory)));
}

static void an_h100_answers_as_one_did(void **state)
{
    /* Measured with CUDA 13.0. */
    static const int answers[][2] = {
        { 13, 1980000 },  { 16, 132 },       { 32, 1 },      { 36, 2619000 }, { 37, 5120 },
        { 38, 52428800 }, { 39, 2048 },      { 40, 3 },      { 69, 268435456 }, { 75, 9 },
        { 76, 0 },        { 81, 233472 },    { 82, 65536 },  { 87, 2 },       { 97, 232448 },
        { 106, 32 },      { 108, 32768000 }, { 109, 134217728 }, { 111, 1024 }, { 120, 1 },
        { 126, 4 },
    };
    size_t persisting = 0;
    (void)state;
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
        assert_int_equal(attribute_of(H100, answers[i][0]), answers[i][1]);
    use(H100);
    OK(CALL(cuCtxGetLimit, (size_t *, int), (&persisting, CU_LIMIT_PERSISTING_L2_CACHE_SIZE)));
    assert_int_equal(persisting, 9830400);
    use(T4);
    assert_int_equal(CALL(cuCtxGetLimit, (size_t *, int),
                          (&persisting, CU_LIMIT_PERSISTING_L2_CACHE_SIZE)),
                     RILL_ERROR_UNSUPPORTED_LIMIT);
}

/* ---- Texts -------------------------------------------------------------------------------- */

#define TEXT(target, number) \
    ".version 7.8\n.target " target "\n.address_size 64\n" \
    ".visible .entry tell(.param .u64 p) { .reg .b64 a; ld.param.u64 a, [p];\n" \
    "  st.global.u32 [a], " number "; ret; }"

static int told_by(CUfunction function)
{
    CUdeviceptr word = 0;
    int value = 0;
    void *params[] = { &word };
    OK(CALL(cuMemAlloc_v2, (CUdeviceptr *, size_t), (&word, 4)));
    OK(CALL(cuLaunchKernel,
            (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
             CUstream, void **, void **),
            (function, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL)));
    OK(CALL(cuMemcpyDtoH_v2, (void *, CUdeviceptr, size_t), (&value, word, 4)));
    OK(CALL(cuMemFree_v2, (CUdeviceptr), (word)));
    return value;
}

static CUresult load(int device, const void *image, CUmodule *module)
{
    use(device);
    return CALL(cuModuleLoadData, (CUmodule *, const void *), (module, image));
}

static CUfunction tell_of(CUmodule module)
{
    CUfunction function = NULL;
    OK(CALL(cuModuleGetFunction, (CUfunction *, CUmodule, const char *),
            (&function, module, "tell")));
    return function;
}

/* As an H100 refuses texts for sm_100. */
static void a_text_for_newer_devices_is_refused(void **state)
{
    static const char sm_75[] = TEXT("sm_75", "75"), sm_80[] = TEXT("sm_80", "80");
    static const char sm_90[] = TEXT("sm_90", "90");
    CUmodule module;
    (void)state;
    OK(load(T4, sm_75, &module));
    assert_int_equal(told_by(tell_of(module)), 75);
    assert_int_equal(load(T4, sm_80, &module), RILL_ERROR_INVALID_PTX);
    OK(load(A100, sm_80, &module));
    assert_int_equal(load(A100, sm_90, &module), RILL_ERROR_INVALID_PTX);
    OK(load(H100, sm_90, &module));
}

/* A fat binary has a head of 16 bytes, then texts with heads of 64. */
static size_t put_text(unsigned char *to, uint32_t architecture, const char *text)
{
    const uint16_t kind = 1, version = 0x101;
    const uint32_t head = 64;
    const uint64_t bytes = (strlen(text) + 8) & ~(uint64_t)7;
    memset(to, 0, head + bytes);
    memcpy(to, &kind, 2);
    memcpy(to + 2, &version, 2);
    memcpy(to + 4, &head, 4);
    memcpy(to + 8, &bytes, 8);
    memcpy(to + 28, &architecture, 4);
    memcpy(to + head, text, strlen(text));
    return head + bytes;
}

static void make_fatbin(unsigned char *to)
{
    const uint32_t magic = 0xba55ed50, version = 0x100001;
    size_t bytes = put_text(to + 16, 75, TEXT("sm_75", "75"));
    bytes += put_text(to + 16 + bytes, 80, TEXT("sm_80", "80"));
    memcpy(to, &magic, 4);
    memcpy(to + 4, &version, 4);
    memcpy(to + 8, &bytes, 8);
}

static const int texts_of[DEVICES] = { 80, 75, 80, 80, 80 };

static void each_device_takes_its_text_of_a_fat_binary(void **state)
{
    static unsigned char fatbin[4096];
    CUlibrary library_of_both = NULL;
    (void)state;
    make_fatbin(fatbin);
    for (int i = 0; i < DEVICES; i++) {
        CUmodule module;
        OK(load(i, fatbin, &module));
        assert_int_equal(told_by(tell_of(module)), texts_of[i]);
    }
    OK(CALL(cuLibraryLoadData,
            (CUlibrary *, const void *, int *, void **, unsigned, int *, void **, unsigned),
            (&library_of_both, fatbin, NULL, NULL, 0, NULL, NULL, 0)));
    for (int i = 0; i < DEVICES; i++) {
        CUmodule module;
        use(i);
        OK(CALL(cuLibraryGetModule, (CUmodule *, CUlibrary), (&module, library_of_both)));
        assert_int_equal(told_by(tell_of(module)), texts_of[i]);
    }
    OK(CALL(cuLibraryUnload, (CUlibrary), (library_of_both)));
}

static void a_library_may_have_nothing_for_some_devices(void **state)
{
    CUlibrary newer = NULL;
    CUmodule module;
    (void)state;
    OK(CALL(cuLibraryLoadData,
            (CUlibrary *, const void *, int *, void **, unsigned, int *, void **, unsigned),
            (&newer, TEXT("sm_80", "80"), NULL, NULL, 0, NULL, NULL, 0)));
    use(A100);
    OK(CALL(cuLibraryGetModule, (CUmodule *, CUlibrary), (&module, newer)));
    use(T4);
    assert_int_equal(CALL(cuLibraryGetModule, (CUmodule *, CUlibrary), (&module, newer)),
                     RILL_ERROR_INVALID_PTX);
    OK(CALL(cuLibraryUnload, (CUlibrary), (newer)));
}

/* ---- Limits ------------------------------------------------------------------------------- */

static void a_block_gets_the_shared_memory_of_its_device(void **state)
{
    static const int most[DEVICES] = { 166912, 65536, 232448, 232448, 166912 };
    const int shared = RILL_KERNEL_MAX_DYNAMIC_SHARED_BYTES;
    (void)state;
    for (int i = 0; i < DEVICES; i++) {
        CUmodule module;
        OK(load(i, TEXT("sm_75", "1"), &module));
        CUfunction function = tell_of(module);
        OK(CALL(cuFuncSetAttribute, (CUfunction, int, int), (function, shared, most[i])));
        assert_int_equal(CALL(cuFuncSetAttribute, (CUfunction, int, int),
                              (function, shared, most[i] + 1)),
                         RILL_ERROR_INVALID_VALUE);
    }
}

static CUresult launch_with(int device, CUlaunchAttribute attribute, unsigned blocks,
                            unsigned threads)
{
    CUmodule module;
    CUdeviceptr word = 0;
    void *params[] = { &word };
    OK(load(device, TEXT("sm_75", "1"), &module));
    OK(CALL(cuMemAlloc_v2, (CUdeviceptr *, size_t), (&word, 4)));
    const CUlaunchConfig config = { .grid = { blocks, 1, 1 }, .block = { threads, 1, 1 },
                                    .attributes = &attribute, .attribute_count = 1 };
    return CALL(cuLaunchKernelEx, (const CUlaunchConfig *, CUfunction, void **, void **),
                (&config, tell_of(module), params, NULL));
}

static void older_devices_have_no_clusters(void **state)
{
    CUlaunchAttribute two = { .id = RILL_ATTRIBUTE_CLUSTER };
    (void)state;
    two.value.cluster = (rill_dim3){ 2, 1, 1 };
    assert_int_equal(launch_with(A100, two, 4, 32), RILL_ERROR_NOT_SUPPORTED);
    OK(launch_with(H100, two, 4, 32));
}

static void a_cooperative_launch_fits_the_device(void **state)
{
    CUlaunchAttribute together = { .id = RILL_ATTRIBUTE_COOPERATIVE };
    (void)state;
    together.value.number = 1;
    OK(launch_with(T4, together, 40, 1024));
    assert_int_equal(launch_with(T4, together, 41, 1024),
                     RILL_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
    OK(launch_with(A100, together, 216, 1024));
    assert_int_equal(launch_with(A100, together, 217, 1024),
                     RILL_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_device_is_of_its_model),
        cmocka_unit_test(a_jetson_shares_memory_with_the_host_in_turns),
        cmocka_unit_test(managed_memory_does_not_go_to_a_jetson),
        cmocka_unit_test(an_h100_answers_as_one_did),
        cmocka_unit_test(a_text_for_newer_devices_is_refused),
        cmocka_unit_test(each_device_takes_its_text_of_a_fat_binary),
        cmocka_unit_test(a_library_may_have_nothing_for_some_devices),
        cmocka_unit_test(a_block_gets_the_shared_memory_of_its_device),
        cmocka_unit_test(older_devices_have_no_clusters),
        cmocka_unit_test(a_cooperative_launch_fits_the_device),
    };
    if (!process_has_addresses((size_t)512 << 30)) {
        puts("1..0 # SKIP too few addresses for the memory of five devices");
        return 0;
    }
    setenv("RILL_SIM_DEVICE", "a100,t4,default,h100,orin", 1);
    unsetenv("RILL_SIM_DEVICES");
    unsetenv("RILL_SIM_MEMORY");
    unsetenv("CUDA_VISIBLE_DEVICES");
    library_begin();
    int failed = cmocka_run_group_tests(tests, open_contexts, NULL);
    return library_close() ? 1 : failed;
}
