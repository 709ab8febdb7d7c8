/* SPDX-License-Identifier: Apache-2.0
 *
 * What an instruction of PTX costs on the simulator: saxpy over a million elements in
 * blocks of 32 to 1024 threads, on one worker, beside the same loop in scalar C.
 *
 *     rill-ptx         the best of several launches for each size of a block
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <rill/rill.h>
#include <rill/sim.h>

#include "ptx_scalar.h"

enum { ELEMENTS = 1 << 20, LAUNCHES = 60, INSTRUCTIONS = 20 };

/* As nvcc -O3 writes it; a thread runs 20 instructions. */
static const char text[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry saxpy(.param .u32 n, .param .f32 a, .param .u64 x, .param .u64 y)\n"
    "{\n"
    "  .reg .pred %p<2>;\n"
    "  .reg .f32 %f<5>;\n"
    "  .reg .b32 %r<6>;\n"
    "  .reg .b64 %rd<8>;\n"
    "  ld.param.u32 %r2, [n];\n"
    "  ld.param.f32 %f1, [a];\n"
    "  ld.param.u64 %rd1, [x];\n"
    "  ld.param.u64 %rd2, [y];\n"
    "  mov.u32 %r3, %ctaid.x;\n"
    "  mov.u32 %r4, %ntid.x;\n"
    "  mov.u32 %r5, %tid.x;\n"
    "  mad.lo.s32 %r1, %r3, %r4, %r5;\n"
    "  setp.ge.s32 %p1, %r1, %r2;\n"
    "  @%p1 bra $L__BB0_2;\n"
    "  cvta.to.global.u64 %rd3, %rd1;\n"
    "  mul.wide.s32 %rd4, %r1, 4;\n"
    "  add.s64 %rd5, %rd3, %rd4;\n"
    "  cvta.to.global.u64 %rd6, %rd2;\n"
    "  add.s64 %rd7, %rd6, %rd4;\n"
    "  ld.global.f32 %f2, [%rd5];\n"
    "  ld.global.f32 %f3, [%rd7];\n"
    "  fma.rn.f32 %f4, %f2, %f1, %f3;\n"
    "  st.global.f32 [%rd7], %f4;\n"
    "$L__BB0_2:\n"
    "  ret;\n"
    "}\n";

static void must(rill_status status)
{
    if (!status) return;
    fprintf(stderr, "rill-ptx: %s\n", rill_last_error()->message);
    exit(1);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* The best of several times, in nanoseconds; of the loop where there is no kernel. */
static double best(rill_stream *stream, rill_kernel *kernel, uint32_t threads, rill_devptr x,
                   rill_devptr y)
{
    uint32_t n = ELEMENTS;
    float a = 0.5f;
    double least = 1e18;
    const void *arguments[] = { &n, &a, &x, &y };
    for (int i = 0; i < LAUNCHES; i++) {
        double before = now();
        if (kernel) {
            must(rill_launch_kernel(stream, kernel, (rill_dim3){ n / threads, 1, 1 },
                                    (rill_dim3){ threads, 1, 1 }, 0, arguments));
            must(rill_stream_synchronize(stream));
        } else {
            scalar_saxpy(n, a, RILL_DEVICE_MEMORY(x, const float), RILL_DEVICE_MEMORY(y, float));
        }
        double took = now() - before;
        if (took < least) least = took;
    }
    return least;
}

int main(void)
{
    const rill_sim_options sim = { .size = sizeof sim, .workers = 1 };
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim };
    const rill_image image = { .size = sizeof image, .code = text };
    rill_platform *platform = NULL;
    rill_context *context = NULL;
    rill_stream *stream = NULL;
    rill_module *module = NULL;
    rill_kernel *kernel = NULL;
    rill_devptr x = 0, y = 0;
    must(rill_open(&options, &platform));
    must(rill_context_create(platform, NULL, &context));
    must(rill_stream_create(context, NULL, &stream));
    must(rill_module_load(context, &image, &module));
    must(rill_module_kernel(module, "saxpy", &kernel));
    must(rill_mem_alloc(context, ELEMENTS * sizeof(float), &x));
    must(rill_mem_alloc(context, ELEMENTS * sizeof(float), &y));
    must(rill_memset_d32(context, x, 0, ELEMENTS));
    must(rill_memset_d32(context, y, 0, ELEMENTS));

    double scalar = best(stream, NULL, 0, x, y);
    printf("ptx/ saxpy, %d elements, one worker; %d instructions for each\n", (int)ELEMENTS,
           (int)INSTRUCTIONS);
    printf("%-22s %10s %14s %10s\n", "", "ms", "M instr./s", "times C");
    printf("%-22s %10.3f %14s %10s\n", "scalar C, -O1", scalar / 1e6, "", "1.0");
    for (uint32_t threads = 32; threads <= 1024; threads *= 2) {
        double took = best(stream, kernel, threads, x, y);
        printf("blocks of %-4u threads %10.3f %14.0f %10.1f\n", (unsigned)threads, took / 1e6,
               (double)ELEMENTS * INSTRUCTIONS / took * 1e3, took / scalar);
    }
    must(rill_mem_free(context, x));
    must(rill_mem_free(context, y));
    must(rill_module_unload(&module));
    must(rill_stream_destroy(&stream));
    must(rill_context_destroy(&context));
    must(rill_close(&platform));
    return 0;
}
