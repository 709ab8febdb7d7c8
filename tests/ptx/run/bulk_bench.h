/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels that copy many bytes at once, between two pieces of global memory and `room` in shared
 * memory, with an mbarrier and a tensor map.
 */
#ifndef PTX_RUN_BULK_BENCH_H
#define PTX_RUN_BULK_BENCH_H

#include "ptx/async/tensor.h"
#include "ptx/machine.h"

#define HEAD ".version 8.6\n.target sm_90\n.address_size 64\n"
#define KERNEL(body) \
    HEAD ".visible .entry k(.param .u64 in, .param .u64 out, .param .align 64 .b8 map[128])\n{\n" \
         ".reg .b32 %r<20>; .reg .b64 %l<9>; .reg .pred %p<4>; .reg .b16 %h<2>;\n" \
         ".shared .align 1024 .b8 room[8192]; .shared .align 8 .b64 gate;\n" \
         "ld.param.u64 %l0, [in]; ld.param.u64 %l1, [out]; mov.u32 %r0, %tid.x;\n" \
         "mov.u32 %r1, %cluster_ctarank; setp.eq.u32 %p0, %r0, 0; mov.b64 %l3, map;\n" \
         "cvta.param.u64 %l2, %l3; mov.u32 %r2, room; mov.u32 %r3, gate;\n" \
         "@%p0 mbarrier.init.shared::cta.b64 [gate], 1; fence.mbarrier_init.release.cluster;\n" \
         "barrier.cluster.arrive; barrier.cluster.wait;\n" body \
         "\nbarrier.cluster.arrive; barrier.cluster.wait; ret;\n}\n"
#define EXPECT(bytes) "@%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [gate], " bytes ";\n"
#define WAIT \
    "AGAIN:\nmbarrier.try_wait.parity.shared::cta.b64 %p1, [gate], 0; @!%p1 bra AGAIN;\n"
#define COUNTED ".mbarrier::complete_tx::bytes"
/* Stores 4 bytes of each thread's shared memory, block by block. */
#define SHOW \
    "mov.u32 %r10, %ctaid.x; mov.u32 %r11, %ntid.x; mad.lo.u32 %r11, %r10, %r11, %r0;\n" \
    "mad.wide.u32 %l4, %r11, 4, %l1; mad.lo.u32 %r12, %r0, 4, %r2; ld.shared.u32 %r13, [%r12];\n" \
    "st.global.u32 [%l4], %r13;\n"

struct bench {
    struct machine *machine;
    void *in, *out;
    struct machine_shape shape;
    struct ptx_tensor_map map;
};

static inline struct bench open_bench(const char *text, uint32_t threads, uint32_t cluster)
{
    struct bench bench = { .machine = machine_open() };
    machine_load(bench.machine, text);
    bench.in = machine_memory(bench.machine, 65536);
    bench.out = machine_memory(bench.machine, 65536);
    bench.shape = (struct machine_shape){ .grid = { cluster }, .block = { threads },
                                          .cluster = { cluster, 1, 1 } };
    return bench;
}

/* The parameters as the kernel has them. */
struct params {
    _Alignas(64) char bytes[64 + PTX_TENSOR_MAP_BYTES];
};

static inline struct params pack_params(const struct bench *bench)
{
    struct params packed = { { 0 } };
    memcpy(packed.bytes, &bench->in, 8);
    memcpy(packed.bytes + 8, &bench->out, 8);
    memcpy(packed.bytes + 64, &bench->map, sizeof bench->map);
    return packed;
}

static inline void run_bench(const struct bench *bench)
{
    struct params params = pack_params(bench);
    machine_run(bench->machine, "k", &bench->shape, &params, sizeof params);
}

static inline void fail_bench(const struct bench *bench, rill_status status, const char *words)
{
    struct params params = pack_params(bench);
    machine_fails(bench->machine, "k", &bench->shape, &params, sizeof params, status, words,
                  "kernel 'k', line ");
    machine_close(bench->machine);
}

static inline void number_words(void *memory, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) ((uint32_t *)memory)[i] = i;
}

#endif
