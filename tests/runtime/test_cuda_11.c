/* SPDX-License-Identifier: Apache-2.0
 *
 * What the runtime of CUDA 11 has otherwise than those behind it: parameters, and the ends of what
 * it writes.  Programs of nvcc 11 were compiled with these.
 */
#include <semaphore.h>

#include "runtime/abi/texture.h"
#include "runtime/runtime.h"

static void **image;
static uint32_t *word;

static int setup(void **state)
{
    (void)state;
    image = register_program();
    word = allocate(4);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    OK(CALL(cudaFree, (void *), (word)));
    unregister_program(image);
    return 0;
}

static void it_has_its_version(void **state)
{
    (void)state;
    int version = 0;
    OK(CALL(cudaRuntimeGetVersion, (int *), (&version)));
    assert_int_equal(version, 11080);
}

/* ---- What is written ----------------------------------------------------------------------- */

static char written[2048];
static cudaTextureObject_t texture;

static cudaError_t get_properties(void)
{
    return CALL(cudaGetDeviceProperties, (void *, int), (written, 0));
}

static cudaError_t get_attributes(void)
{
    return CALL(cudaFuncGetAttributes, (void *, const void *), (written, &store_stub));
}

static cudaError_t get_pointer(void)
{
    return CALL(cudaPointerGetAttributes, (void *, const void *), (written, word));
}

static cudaError_t get_texture(void)
{
    return CALL(cudaGetTextureObjectTextureDesc, (void *, cudaTextureObject_t),
                (written, texture));
}

static cudaError_t get_texture_with_cubes(void)
{
    return CALL(cudaGetTextureObjectTextureDesc_v2, (void *, cudaTextureObject_t),
                (written, texture));
}

/* The sizes of the headers' structs. */
static const struct {
    const char *what;
    cudaError_t (*get)(void);
    size_t bytes;
} structs[] = {
    { "cudaDeviceProp", get_properties, 728 },
    { "cudaFuncAttributes", get_attributes, 56 },
    { "cudaPointerAttributes", get_pointer, 24 },
    { "cudaTextureDesc", get_texture, 68 },
    { "cudaTextureDesc_v2", get_texture_with_cubes, 72 },
};

static void make_texture(void)
{
    const struct cudaResourceDesc resource = {
        .resType = cudaResourceTypeLinear,
        .res.linear = { word, { 32, 0, 0, 0, cudaChannelFormatKindUnsigned }, 4 },
    };
    struct {
        struct cudaTextureDesc how;
        char behind[64];
    } all;
    memset(&all, 0x5a, sizeof all); /* what is behind the first form is not to be read */
    memset(&all, 0, 68);
    OK(CALL(cudaCreateTextureObject, (cudaTextureObject_t *, const void *, const void *,
                                      const void *),
            (&texture, &resource, &all, NULL)));
}

static void nothing_is_written_behind_its_structs(void **state)
{
    (void)state;
    make_texture();
    for (size_t i = 0; i < sizeof structs / sizeof structs[0]; i++) {
        memset(written, 0x5a, sizeof written);
        OK(structs[i].get());
        size_t end = sizeof written;
        while (end && written[end - 1] == 0x5a) end--;
        if (end > structs[i].bytes || end + 4 < structs[i].bytes)
            fail_msg("of %zu bytes of %s, %zu were written", structs[i].bytes, structs[i].what,
                     end);
    }
    OK(get_texture_with_cubes());
    assert_int_equal(((struct cudaTextureDesc *)(void *)written)->seamlessCubemap, 0);
    OK(CALL(cudaDestroyTextureObject, (cudaTextureObject_t), (texture)));
}

/* Where its header has them: the last one is a size, and 13 has fewer before it. */
static void properties_are_where_its_header_has_them(void **state)
{
    (void)state;
    static const struct {
        size_t offset;
        int attribute;
    } fields[] = {
        { 308, 10 }, /* warpSize */ { 360, 75 }, /* major */ { 388, 16 }, /* multiProcessorCount */
        { 624, 39 }, /* maxThreadsPerMultiProcessor */ { 688, 95 }, /* cooperativeLaunch */
        { 720, 111 }, /* reservedSharedMemPerBlock */
    };
    OK(get_properties());
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        int wanted = -1, is;
        OK(CALL(cudaDeviceGetAttribute, (int *, int, int), (&wanted, fields[i].attribute, 0)));
        memcpy(&is, written + fields[i].offset, sizeof is);
        assert_int_equal(is, wanted);
    }
}

/* ---- Graphs -------------------------------------------------------------------------------- */

static cudaGraph_t captured(uint32_t value)
{
    cudaGraph_t graph;
    cudaStream_t stream;
    int status = -1;
    unsigned long long id = 0;
    OK(CALL(cudaStreamCreate, (cudaStream_t *), (&stream)));
    OK(CALL(cudaStreamBeginCapture, (cudaStream_t, int), (stream, 2)));
    OK(launch(&store_stub, word, value, stream));
    OK(CALL(cudaStreamGetCaptureInfo, (cudaStream_t, int *, unsigned long long *),
            (stream, &status, &id)));
    assert_int_equal(status, 1);
    assert_true(id);
    OK(CALL(cudaStreamEndCapture, (cudaStream_t, cudaGraph_t *), (stream, &graph)));
    OK(CALL(cudaStreamDestroy, (cudaStream_t), (stream)));
    return graph;
}

static cudaError_t instantiate(cudaGraphExec_t *exec, cudaGraph_t graph, char *words, size_t bytes)
{
    cudaGraphNode_t failing;
    return CALL(cudaGraphInstantiate,
                (cudaGraphExec_t *, cudaGraph_t, cudaGraphNode_t *, char *, size_t),
                (exec, graph, &failing, words, bytes));
}

static uint32_t run(cudaGraphExec_t exec)
{
    OK(CALL(cudaGraphLaunch, (cudaGraphExec_t, cudaStream_t), (exec, NULL)));
    OK(synchronize());
    return word_at(word);
}

static void an_exec_is_made_and_updated_with_places_for_what_fails(void **state)
{
    (void)state;
    cudaGraph_t graphs[] = { captured(20), captured(21), NULL };
    cudaGraphExec_t exec;
    cudaGraphNode_t failing = (cudaGraphNode_t)(void *)&exec;
    char words[8] = "?";
    int result = -1;
    OK(instantiate(&exec, graphs[0], words, sizeof words));
    assert_string_equal(words, "");
    assert_int_equal(run(exec), 20);
    OK(CALL(cudaGraphExecUpdate, (cudaGraphExec_t, cudaGraph_t, cudaGraphNode_t *, int *),
            (exec, graphs[1], &failing, &result)));
    assert_null(failing);
    assert_int_equal(result, 0);
    assert_int_equal(run(exec), 21);
    OK(CALL(cudaGraphCreate, (cudaGraph_t *, unsigned), (&graphs[2], 0)));
    assert_int_equal(CALL(cudaGraphExecUpdate,
                          (cudaGraphExec_t, cudaGraph_t, cudaGraphNode_t *, int *),
                          (exec, graphs[2], &failing, &result)),
                     RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
    assert_int_equal(result, RILL_UPDATE_NOT_SUPPORTED); /* another number of nodes */
    LAST();
    OK(CALL(cudaGraphExecDestroy, (cudaGraphExec_t), (exec)));
    for (int i = 0; i < 3; i++) OK(CALL(cudaGraphDestroy, (cudaGraph_t), (graphs[i])));
}

/* ---- Several devices ----------------------------------------------------------------------- */

struct cudaLaunchParams {
    const void *func;
    dim3 gridDim, blockDim;
    void **args;
    size_t sharedMem;
    cudaStream_t stream;
};

static sem_t gate;

static void wait_at_gate(void *unused)
{
    (void)unused;
    sem_wait(&gate);
}

static cudaError_t launch_all(struct cudaLaunchParams *all, unsigned count, unsigned flags)
{
    return CALL(cudaLaunchCooperativeKernelMultiDevice, (void *, unsigned, unsigned),
                (all, count, flags));
}

/* One store on each of two devices; the first device's stream waits at a gate before it. */
static void launch_behind_gate(unsigned flags, cudaError_t second_is)
{
    struct cudaLaunchParams all[2];
    uint32_t *words[2], values[] = { 5, 6 };
    void *arguments[2][2];
    for (int i = 0; i < 2; i++) {
        OK(CALL(cudaSetDevice, (int), (i)));
        words[i] = allocate(4);
        arguments[i][0] = &words[i], arguments[i][1] = &values[i];
        all[i] = (struct cudaLaunchParams){ &store_stub, { 1, 1, 1 }, { 1, 1, 1 }, arguments[i],
                                            0, NULL };
        OK(CALL(cudaStreamCreate, (cudaStream_t *), (&all[i].stream)));
    }
    OK(CALL(cudaLaunchHostFunc, (cudaStream_t, void (*)(void *), void *),
            (all[0].stream, wait_at_gate, NULL)));
    OK(launch_all(all, 2, flags));
    if (!second_is) OK(CALL(cudaStreamSynchronize, (cudaStream_t), (all[1].stream)));
    assert_int_equal(CALL(cudaStreamQuery, (cudaStream_t), (all[1].stream)), second_is);
    assert_int_equal(CALL(cudaStreamQuery, (cudaStream_t), (all[0].stream)),
                     RILL_ERROR_NOT_READY);
    sem_post(&gate);
    for (int i = 1; i >= 0; i--) {
        OK(CALL(cudaSetDevice, (int), (i)));
        OK(CALL(cudaStreamDestroy, (cudaStream_t), (all[i].stream)));
        OK(synchronize());
        assert_int_equal(word_at(words[i]), values[i]);
        OK(CALL(cudaFree, (void *), (words[i])));
    }
    LAST();
}

static void kernels_of_several_devices_begin_together(void **state)
{
    (void)state;
    launch_behind_gate(0, RILL_ERROR_NOT_READY);
}

static void unless_they_need_not(void **state)
{
    enum { NOT_BEFORE = 1, NOT_BEHIND = 2 };
    (void)state;
    launch_behind_gate(NOT_BEFORE | NOT_BEHIND, cudaSuccess);
    launch_behind_gate(NOT_BEFORE, RILL_ERROR_NOT_READY); /* what comes behind waits for both */
}

/* ---- The driver's calls -------------------------------------------------------------------- */

static void calls_of_the_driver_are_those_of_11(void **state)
{
    (void)state;
    void *address = NULL;
    OK(CALL(cudaGetDriverEntryPoint, (const char *, void **, unsigned long long),
            ("cuMemAlloc", &address, 0)));
    assert_non_null(address);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_has_its_version),
        cmocka_unit_test(nothing_is_written_behind_its_structs),
        cmocka_unit_test(properties_are_where_its_header_has_them),
        cmocka_unit_test(an_exec_is_made_and_updated_with_places_for_what_fails),
        cmocka_unit_test(kernels_of_several_devices_begin_together),
        cmocka_unit_test(unless_they_need_not),
        cmocka_unit_test(calls_of_the_driver_are_those_of_11),
    };
    sem_init(&gate, 0, 0);
    setenv("RILL_SIM_DEVICES", "2", 1);
    runtime_open(RUNTIME_11);
    return cmocka_run_group_tests_name("runtime/cuda 11", tests, setup, teardown);
}
