/* SPDX-License-Identifier: Apache-2.0
 *
 * Clusters: blocks that run together, their barrier, and shared memory of one that the others
 * reach.
 */
#include "ptx/machine.h"

#define HEAD ".version 8.6\n.target sm_90\n.address_size 64\n"
#define KERNEL(body) \
    HEAD ".visible .entry k(.param .u64 out)\n{\n.reg .b32 %r<20>; .reg .b64 %l<9>;\n" \
         ".reg .pred %p<4>; .shared .align 16 .b8 room[1024]; .shared .align 8 .b64 gate;\n" \
         "ld.param.u64 %l0, [out]; mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x;\n" \
         "mov.u32 %r2, %ntid.x; mad.lo.u32 %r3, %r1, %r2, %r0;\n" \
         "mad.wide.u32 %l1, %r3, 4, %l0; mov.u32 %r4, %cluster_ctarank;\n" \
         "mov.u32 %r5, %cluster_nctarank; shl.b32 %r6, %r0, 2;\n" \
         "setp.eq.u32 %p0, %r0, 0;\n" body "\nret;\n}\n"
#define MEET "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n"
#define NEIGHBOUR "add.u32 %r7, %r4, 1; rem.u32 %r7, %r7, %r5;\n"

static void run(const char *text, const struct machine_shape *shape, uint32_t *out, size_t count)
{
    struct machine *machine = machine_open();
    machine_load(machine, text);
    uint32_t *memory = machine_memory(machine, count * sizeof *memory);
    machine_run(machine, "k", shape, &memory, sizeof memory);
    memcpy(out, memory, count * sizeof *memory);
    machine_close(machine);
}

static void fails(const char *text, uint32_t cluster, rill_status status, const char *words)
{
    struct machine *machine = machine_open();
    machine_load(machine, text);
    uint32_t *memory = machine_memory(machine, 1024);
    machine_fails(machine, "k",
                  &(struct machine_shape){ .grid = { 4 }, .block = { 32 },
                                           .cluster = { cluster, 1, 1 } },
                  &memory, sizeof memory, status, words, "kernel 'k', line ");
    machine_close(machine);
}

/* Every thread reads what the same thread of the next block has stored, by an address in
 * .shared::cluster and by a generic one. */
static void threads_read_shared_memory_of_other_blocks(void **state)
{
    static uint32_t out[2048];
    (void)state;
    for (unsigned threads = 1; threads <= 2; threads++) {
        run(KERNEL("mov.u32 %r8, room; add.u32 %r8, %r8, %r6; st.shared.u32 [%r8], %r3;\n" MEET
                   NEIGHBOUR "mapa.shared::cluster.u32 %r9, %r8, %r7;\n"
                   "ld.shared::cluster.u32 %r10, [%r9];\n"
                   "cvta.shared.u64 %l2, room; mapa.u64 %l3, %l2, %r7; cvt.u64.u32 %l4, %r6;\n"
                   "add.s64 %l3, %l3, %l4; ld.u32 %r11, [%l3]; add.u32 %r10, %r10, %r11;\n"
                   "st.global.u32 [%l1], %r10;\n" MEET),
            &(struct machine_shape){ .grid = { 8 }, .block = { 256 }, .cluster = { 4, 1, 1 },
                                     .threads = threads }, out, 2048);
        for (uint32_t i = 0; i < 2048; i++) {
            uint32_t block = i / 256, next = block / 4 * 4 + (block + 1) % 4;
            assert_int_equal(out[i], 2 * (next * 256 + i % 256));
        }
    }
}

/* Each way to run a step finds what another one has stored in the memory of the next block. */
static void threads_store_to_shared_memory_of_other_blocks(void **state)
{
    static const char *const ways[] = { "affine", "both", "lanes" };
    static uint32_t out[512];
    (void)state;
    for (unsigned w = 0; w < 3; w++) {
        assert_int_equal(setenv("RILL_PTX_CODE", ways[w], 1), 0);
        run(KERNEL(NEIGHBOUR "mov.u32 %r8, room; add.u32 %r8, %r8, %r6;\n"
                   "mapa.shared::cluster.u32 %r9, %r8, %r7; st.shared::cluster.u32 [%r9], %r3;\n"
                   MEET "ld.shared.u32 %r10, [%r8]; st.global.u32 [%l1], %r10;\n"),
            &(struct machine_shape){ .grid = { 8 }, .block = { 64 }, .cluster = { 4, 1, 1 } },
            out, 512);
        for (uint32_t i = 0; i < 512; i++)
            assert_int_equal(out[i], (i / 256 * 4 + (i / 64 + 3) % 4) * 64 + i % 64);
    }
    unsetenv("RILL_PTX_CODE");
}

/* All threads of all blocks of a cluster add to a word of the first block. */
static void atomic_operations_reach_other_blocks(void **state)
{
    uint32_t out[128];
    (void)state;
    run(KERNEL("@%p0 st.shared.u32 [room], 0;\n" MEET "mov.u32 %r8, room;\n"
               "mapa.shared::cluster.u32 %r9, %r8, 0;\n"
               "atom.shared::cluster.add.u32 %r10, [%r9], 1; red.shared::cluster.max.u32 [%r9+4], "
               "%r3;\n" MEET
               "ld.shared::cluster.u32 %r11, [%r9]; st.global.u32 [%l1], %r11;\n" MEET),
        &(struct machine_shape){ .grid = { 4 }, .block = { 32 }, .cluster = { 2, 1, 1 } },
        out, 128);
    for (uint32_t i = 0; i < 128; i++) assert_int_equal(out[i], 64);
}

/* 16 blocks of 4 x 4 x 1, clusters of 2 x 2. */
static void special_registers_tell_the_place(void **state)
{
    uint32_t out[16 * 8];
    (void)state;
    run(KERNEL("mov.u32 %r8, %ctaid.y; mad.lo.u32 %r8, %r8, 4, %r1;\n"
               "mad.wide.u32 %l1, %r8, 32, %l0; mov.u32 %r9, %clusterid.x;\n"
               "mov.u32 %r10, %clusterid.y; mov.u32 %r11, %nclusterid.x;\n"
               "mov.u32 %r12, %cluster_ctaid.x; mov.u32 %r13, %cluster_ctaid.y;\n"
               "mov.u32 %r14, %cluster_nctaid.y; mov.pred %p1, %is_explicit_cluster;\n"
               "selp.u32 %r15, %r5, 0, %p1;\n"
               "st.global.v4.u32 [%l1], {%r9, %r10, %r11, %r12};\n"
               "st.global.v4.u32 [%l1+16], {%r13, %r14, %r4, %r15};"),
        &(struct machine_shape){ .grid = { 4, 4 }, .cluster = { 2, 2, 1 } }, out, 128);
    for (uint32_t b = 0; b < 16; b++) {
        uint32_t x = b % 4, y = b / 4;
        const uint32_t expected[] = { x / 2, y / 2, 2, x % 2, y % 2, 2, x % 2 + y % 2 * 2, 4 };
        assert_memory_equal(out + b * 8, expected, sizeof expected);
    }
}

static void a_launch_without_clusters_has_one_for_each_block(void **state)
{
    uint32_t out[32];
    (void)state;
    run(KERNEL(MEET "mov.pred %p1, %is_explicit_cluster; selp.u32 %r8, 100, 0, %p1;\n"
               "mad.lo.u32 %r8, %r5, 10, %r8; add.u32 %r8, %r8, %r4; st.global.u32 [%l1], %r8;"),
        &(struct machine_shape){ .grid = { 4 }, .block = { 8 } }, out, 32);
    for (uint32_t i = 0; i < 32; i++) assert_int_equal(out[i], 10);
}

/* An address of shared memory, its own or mapped, tells its block; only the own one is in
 * .shared::cta. */
static void addresses_tell_their_block(void **state)
{
    uint32_t out[64];
    (void)state;
    run(KERNEL("cvta.shared.u64 %l2, room; mapa.u64 %l3, %l2, %r0; getctarank.u64 %r8, %l3;\n"
               "getctarank.u64 %r9, %l2; cvta.to.shared.u64 %l4, %l3; cvt.u32.u64 %r10, %l4;\n"
               "getctarank.shared::cluster.u32 %r11, %r10;\n"
               "isspacep.shared::cta %p1, %l3; selp.u32 %r12, 1, 0, %p1;\n"
               "isspacep.shared::cluster %p2, %l3; selp.u32 %r13, 2, 0, %p2;\n"
               "isspacep.shared %p3, %l2; selp.u32 %r14, 4, 0, %p3;\n"
               "isspacep.shared::cluster %p3, %l0; selp.u32 %r15, 8, 0, %p3;\n"
               "or.b32 %r12, %r12, %r13; or.b32 %r12, %r12, %r14; or.b32 %r12, %r12, %r15;\n"
               "mad.lo.u32 %r12, %r8, 16, %r12; mad.lo.u32 %r12, %r9, 256, %r12;\n"
               "mad.lo.u32 %r12, %r11, 4096, %r12; st.global.u32 [%l1], %r12;"),
        &(struct machine_shape){ .grid = { 4 }, .block = { 4 }, .cluster = { 4, 1, 1 } }, out, 16);
    for (uint32_t i = 0; i < 16; i++) {
        uint32_t thread = i % 4, rank = i / 4;
        uint32_t expected = (thread == rank) + 6 + thread * 16 + rank * 256 + thread * 4096;
        assert_int_equal(out[i], expected);
    }
}

/* One block waits at a barrier in its memory at which threads of all blocks arrive. */
static void threads_arrive_at_barriers_of_other_blocks(void **state)
{
    uint32_t out[256];
    (void)state;
    run(KERNEL("@%p0 mbarrier.init.shared::cta.b64 [gate], 256;\n"
               "fence.mbarrier_init.release.cluster;\n" MEET
               "mov.u32 %r8, gate; mapa.shared::cluster.u32 %r9, %r8, 0; mov.u32 %r10, room;\n"
               "mapa.shared::cluster.u32 %r10, %r10, 0;\n"
               "atom.shared::cluster.add.u32 %r11, [%r10], 1;\n"
               "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r9];\n"
               "setp.ne.u32 %p1, %r4, 0; @%p1 bra DONE;\nWAIT:\n"
               "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p2, [gate], 0;\n"
               "@!%p2 bra WAIT;\nld.shared.u32 %r12, [room]; st.global.u32 [%l1], %r12;\nDONE:\n"
               MEET),
        &(struct machine_shape){ .grid = { 4 }, .block = { 64 }, .cluster = { 4, 1, 1 } },
        out, 256);
    for (uint32_t i = 0; i < 256; i++) assert_int_equal(out[i], i < 64 ? 256 : 0);
}

/* Each thread stores two words to the next block, and adds to a third one; what came is counted
 * there: 64 times 8 bytes, and 64 times 4. */
static void stores_are_counted_at_barriers_of_other_blocks(void **state)
{
    uint32_t out[256];
    (void)state;
    run(KERNEL("@%p0 mbarrier.init.shared::cta.b64 [gate], 1; @%p0 st.shared.b32 [room+1000], 0;\n"
               "@%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [gate], 768;\n"
               "fence.mbarrier_init.release.cluster;\n" MEET NEIGHBOUR
               "mov.u32 %r8, gate; mapa.shared::cluster.u32 %r9, %r8, %r7; mov.u32 %r10, room;\n"
               "mapa.shared::cluster.u32 %r10, %r10, %r7; shl.b32 %r11, %r0, 3;\n"
               "add.u32 %r12, %r10, %r11;\n"
               "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [%r12], "
               "{%r3, %r4}, [%r9];\n"
               "red.async.relaxed.cluster.add.shared::cluster.mbarrier::complete_tx::bytes.u32 "
               "[%r10+1000], 3, [%r9];\nWAIT:\n"
               "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p2, [gate], 0;\n"
               "@!%p2 bra WAIT;\nmov.u32 %r13, room; add.u32 %r13, %r13, %r11;\n"
               "ld.shared.v2.b32 {%r14, %r15}, [%r13]; ld.shared.b32 %r16, [room+1000];\n"
               "mad.lo.u32 %r14, %r15, 1000, %r14; mad.lo.u32 %r14, %r16, 10000, %r14;\n"
               "st.global.u32 [%l1], %r14;\n" MEET),
        &(struct machine_shape){ .grid = { 4 }, .block = { 64 }, .cluster = { 4, 1, 1 } },
        out, 256);
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t from = (i / 64 + 3) % 4;
        assert_int_equal(out[i], from * 64 + i % 64 + from * 1000 + 192 * 10000);
    }
}

/* A phase is over when all have arrived that have not exited; a thread that has arrived may do
 * other things before it waits, and arrive for the next phase while others have not waited. */
static void the_barrier_of_a_cluster_has_phases(void **state)
{
    uint32_t out[256];
    (void)state;
    run(KERNEL("setp.eq.u32 %p1, %r4, 1; setp.gt.u32 %p2, %r0, 40; and.pred %p2, %p1, %p2;\n"
               "@%p2 exit;\nmov.u32 %r8, room; mapa.shared::cluster.u32 %r8, %r8, 0;\n"
               "mov.u32 %r9, 0;\nAGAIN:\n"
               "red.shared::cluster.add.u32 [%r8], 1; barrier.cluster.arrive;\n"
               "add.u32 %r9, %r9, 1; barrier.cluster.wait;\n"
               "ld.shared::cluster.u32 %r10, [%r8];\nmul.lo.u32 %r11, %r9, 105;\n"
               "setp.ne.u32 %p3, %r10, %r11; @%p3 trap;\n" MEET
               "setp.lt.u32 %p3, %r9, 20; @%p3 bra AGAIN;\nst.global.u32 [%l1], %r10;\n" MEET),
        &(struct machine_shape){ .grid = { 2 }, .block = { 64 }, .cluster = { 2, 1, 1 } },
        out, 128);
    for (uint32_t i = 0; i < 128; i++) assert_int_equal(out[i], i < 105 ? 2100 : 0);
}

static void misuse_of_clusters_is_refused(void **state)
{
    (void)state;
    fails(KERNEL("barrier.cluster.arrive; barrier.cluster.arrive;"), 2,
          RILL_ERROR_ILLEGAL_INSTRUCTION, "arrives at the barrier of its cluster again");
    fails(KERNEL("mov.u32 %r8, room; mapa.shared::cluster.u32 %r8, %r8, 2;\n"
                 "ld.shared::cluster.u32 %r9, [%r8];"), 2, RILL_ERROR_ILLEGAL_ADDRESS,
          "of block 2 of the cluster, and the cluster has 2");
    fails(KERNEL(NEIGHBOUR "mov.u32 %r8, room; mapa.shared::cluster.u32 %r8, %r8, %r7;\n"
                 "ld.shared.u32 %r9, [%r8];"), 2, RILL_ERROR_ILLEGAL_ADDRESS,
          "that takes .shared::cluster");
    fails(KERNEL("setp.eq.u32 %p1, %r4, 0; @%p1 exit; mov.u32 %r8, room;\n"
                 "mapa.shared::cluster.u32 %r8, %r8, 0; st.shared::cluster.u32 [%r8], 1;"), 2,
          RILL_ERROR_ILLEGAL_ADDRESS, "of block 0 of the cluster, which has ended");
    fails(KERNEL("mov.u32 %r8, room; mapa.shared::cluster.u32 %r8, %r8, 1;\n"
                 "st.shared::cluster.u32 [%r8+2000], 1;"), 2, RILL_ERROR_ILLEGAL_ADDRESS,
          "which has 1040 bytes of it");
    fails(KERNEL("setp.eq.u32 %p1, %r4, 0; @%p1 bra ON; bar.sync 1, 64;\nON:\n" MEET), 2,
          RILL_ERROR_LAUNCH_TIMEOUT, "waits at a barrier");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_read_shared_memory_of_other_blocks),
        cmocka_unit_test(threads_store_to_shared_memory_of_other_blocks),
        cmocka_unit_test(atomic_operations_reach_other_blocks),
        cmocka_unit_test(special_registers_tell_the_place),
        cmocka_unit_test(a_launch_without_clusters_has_one_for_each_block),
        cmocka_unit_test(addresses_tell_their_block),
        cmocka_unit_test(threads_arrive_at_barriers_of_other_blocks),
        cmocka_unit_test(stores_are_counted_at_barriers_of_other_blocks),
        cmocka_unit_test(the_barrier_of_a_cluster_has_phases),
        cmocka_unit_test(misuse_of_clusters_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
