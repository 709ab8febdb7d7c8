/* SPDX-License-Identifier: Apache-2.0
 *
 * The same program on a GPU and on the simulator: y = a * x + y over a million
 * numbers, captured once and replayed with another `a` each time.
 *
 *     RILL_BACKEND=cuda ./saxpy
 *     RILL_BACKEND=sim ./saxpy
 *
 * With the name of the device it prints:
 *
 *     on …
 *     5 steps, 0 wrong numbers; instantiated 1 times, updated 4 times
 */
#include "must.h"

enum { NUMBERS = 1 << 20, BLOCK = 256, STEPS = 5 };

/* ---- The kernel, twice ---------------------------------------------------------- */

/* For a GPU: what nvcc -ptx makes of
 *
 *     __global__ void saxpy(float a, const float *x, float *y, unsigned count)
 *     {
 *         unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
 *         if (i < count) y[i] = a * x[i] + y[i];
 *     }
 *
 * A cubin or a fatbin would do as well. */
static const char saxpy_ptx[] =
    ".version 6.4\n"
    ".target sm_75\n"
    ".address_size 64\n"
    ".visible .entry saxpy(.param .f32 a, .param .u64 x, .param .u64 y, .param .u32 count)\n"
    "{\n"
    "  .reg .pred %done;\n"
    "  .reg .f32 %a, %x, %y;\n"
    "  .reg .b32 %i, %block, %size, %thread, %count;\n"
    "  .reg .b64 %offset, %px, %py;\n"
    "  ld.param.u32 %count, [count];\n"
    "  mov.u32 %block, %ctaid.x;\n"
    "  mov.u32 %size, %ntid.x;\n"
    "  mov.u32 %thread, %tid.x;\n"
    "  mad.lo.u32 %i, %block, %size, %thread;\n"
    "  setp.ge.u32 %done, %i, %count;\n"
    "  @%done bra end;\n"
    "  ld.param.f32 %a, [a];\n"
    "  ld.param.u64 %px, [x];\n"
    "  ld.param.u64 %py, [y];\n"
    "  mul.wide.u32 %offset, %i, 4;\n"
    "  add.u64 %px, %px, %offset;\n"
    "  add.u64 %py, %py, %offset;\n"
    "  ld.global.f32 %x, [%px];\n"
    "  ld.global.f32 %y, [%py];\n"
    "  fma.rn.f32 %y, %a, %x, %y;\n"
    "  st.global.f32 [%py], %y;\n"
    "end:\n"
    "  ret;\n"
    "}\n";

/* For the simulator. */
static void saxpy(const rill_launch *launch)
{
    float a = RILL_ARGUMENT(launch, 0, float);
    const float *x = RILL_DEVICE_MEMORY(RILL_ARGUMENT(launch, 1, rill_devptr), const float);
    float *y = RILL_DEVICE_MEMORY(RILL_ARGUMENT(launch, 2, rill_devptr), float);
    uint32_t count = RILL_ARGUMENT(launch, 3, uint32_t);
    for (uint32_t i = 0; i < count; i++) y[i] = a * x[i] + y[i];
}

static rill_kernel *load(rill_context *context, rill_module **module)
{
    static const rill_param params[] = {
        RILL_PARAM(float), RILL_PARAM(rill_devptr), RILL_PARAM(rill_devptr), RILL_PARAM(uint32_t),
    };
    static const rill_function function = {
        .name = "saxpy", .over_grid = saxpy, .params = params, .param_count = 4,
    };
    const rill_image image = {
        .size = sizeof image, .code = saxpy_ptx, .functions = &function, .function_count = 1,
    };
    rill_kernel *kernel;
    MUST(rill_module_load(context, &image, module));
    MUST(rill_module_kernel(*module, "saxpy", &kernel));
    return kernel;
}

/* ---- A step ---------------------------------------------------------------------- */

struct work {
    rill_kernel *kernel;
    rill_devptr x, y;
    float *host; /* pinned: x goes up from it, y comes back */
    float a;
};

/* All that a step is: up, the kernel, and down again. */
static rill_status enqueue(rill_stream *stream, void *data)
{
    static const rill_dim3 grid = { NUMBERS / BLOCK, 1, 1 }, block = { BLOCK, 1, 1 };
    struct work *work = data;
    uint32_t count = NUMBERS;
    const void *params[] = { &work->a, &work->x, &work->y, &count };
    size_t bytes = NUMBERS * sizeof(float);
    rill_status status = rill_memcpy_htod_async(stream, work->x, work->host, bytes);
    if (!status) status = rill_launch_kernel(stream, work->kernel, grid, block, 0, params);
    if (!status)
        status = rill_memcpy_dtoh_async(stream, work->host + NUMBERS, work->y, bytes);
    return status;
}

/* Each is captured anew, and the exec of the first takes it over. */
static int run_steps(rill_context *context, rill_stream *stream, struct work *work)
{
    rill_replay *replay;
    rill_replay_info info = { .size = sizeof info };
    int wrong = 0;
    float expected = 0;
    MUST(rill_replay_create(context, NULL, enqueue, work, NULL, &replay));
    for (int step = 1; step <= STEPS; step++) {
        work->a = (float)step;
        expected += work->a * 2;
        MUST(rill_replay_step(replay, stream));
        MUST(rill_stream_synchronize(stream));
        for (int i = 0; i < NUMBERS; i++) wrong += work->host[NUMBERS + i] != expected;
    }
    MUST(rill_replay_get_info(replay, &info));
    printf("%d steps, %d wrong numbers; instantiated %u times, updated %u times\n", STEPS, wrong,
           (unsigned)info.instantiations, (unsigned)info.updates);
    MUST(rill_replay_destroy(&replay));
    return wrong;
}

int main(void)
{
    rill_device_info device = { .size = sizeof device };
    struct work work = { .a = 0 };
    rill_platform *platform;
    rill_context *context;
    rill_stream *stream;
    rill_module *module;
    void *host;
    MUST(rill_open(NULL, &platform));
    MUST(rill_device_get_info(platform, 0, &device));
    printf("on %s\n", device.name);
    MUST(rill_context_create(platform, NULL, &context));
    MUST(rill_stream_create(context, NULL, &stream));
    work.kernel = load(context, &module);
    MUST(rill_mem_alloc(context, NUMBERS * sizeof(float), &work.x));
    MUST(rill_mem_alloc(context, NUMBERS * sizeof(float), &work.y));
    MUST(rill_host_alloc(context, 2 * NUMBERS * sizeof(float), 0, &host));
    work.host = host;
    for (int i = 0; i < NUMBERS; i++) work.host[i] = 2;
    MUST(rill_memset_d32(context, work.y, 0, NUMBERS));
    MUST(rill_context_synchronize(context));

    int wrong = run_steps(context, stream, &work);

    MUST(rill_host_free(context, host));
    MUST(rill_mem_free(context, work.y));
    MUST(rill_mem_free(context, work.x));
    MUST(rill_module_unload(&module));
    MUST(rill_stream_destroy(&stream));
    MUST(rill_context_destroy(&context));
    MUST(rill_close(&platform));
    return wrong != 0;
}
