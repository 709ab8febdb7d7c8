/* SPDX-License-Identifier: Apache-2.0
 *
 * Instructions that a warp takes as a whole, asynchronous copies, and barriers in shared
 * memory.  What they compute is in test_tiles.
 */
#include "ptx/machine.h"

#include <stdio.h>

#define HEAD ".version 8.6\n.target sm_90\n.address_size 64\n"
#define MOVE "movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r0;\n"
#define KERNEL(body) \
    HEAD ".visible .entry k(.param .u64 out)\n{\n.reg .b32 %r<9>; .reg .b64 %l<5>;\n" \
         ".reg .pred %p<4>; .shared .align 16 .b8 room[2048]; .shared .align 8 .b64 gate;\n" \
         "ld.param.u64 %l0, [out]; mov.u32 %r0, %tid.x; mad.wide.u32 %l1, %r0, 4, %l0;\n" \
         body "ret;\n}\n"

static void run(const char *text, uint32_t threads, uint32_t *out)
{
    struct machine *machine = machine_open();
    machine_load(machine, text);
    uint32_t *memory = machine_memory(machine, threads * sizeof *memory);
    machine_run(machine, "k", &(struct machine_shape){ .block = { threads } }, &memory,
                sizeof memory);
    memcpy(out, memory, threads * sizeof *memory);
    machine_close(machine);
}

static void fails(const char *text, uint32_t threads, rill_status status, const char *words)
{
    struct machine *machine = machine_open();
    machine_load(machine, text);
    uint32_t *memory = machine_memory(machine, threads * sizeof *memory);
    machine_fails(machine, "k", &(struct machine_shape){ .block = { threads } }, &memory,
                  sizeof memory, status, words, "kernel 'k', line ");
    machine_close(machine);
}

/* Lane 4i + j has elements 2j and 2j + 1 of row i. */
static void lanes_that_come_apart_take_the_step_together(void **state)
{
    uint32_t out[64];
    (void)state;
    run(KERNEL("setp.lt.u32 %p0, %r0, 13;\nmov.u32 %r2, %r0;\n@%p0 bra ON;\nadd.u32 %r2, %r0, 0;\n"
               "add.u32 %r2, %r0, 0;\nON:\n" MOVE "st.global.u32 [%l1], %r1;\n"), 64, out);
    for (uint32_t lane = 0; lane < 64; lane++) {
        uint32_t i = lane % 32 / 4, j = lane % 4 * 2, first = lane / 32 * 32;
        uint32_t low = first + j * 4 + i / 2, high = first + (j + 1) * 4 + i / 2;
        uint32_t expected = i % 2 ? 0 : low | high << 16;
        assert_int_equal(out[lane], expected);
    }
}

static void lanes_that_disagree_are_refused(void **state)
{
    (void)state;
    fails(KERNEL("setp.lt.u32 %p0, %r0, 13;\n@%p0 " MOVE), 32, RILL_ERROR_ILLEGAL_INSTRUCTION,
          "as their guards say");
    fails(KERNEL("setp.lt.u32 %p0, %r0, 13; @%p0 exit;\n" MOVE), 32,
          RILL_ERROR_ILLEGAL_INSTRUCTION, "have ended or are not there");
    fails(KERNEL("\n" MOVE), 48, RILL_ERROR_ILLEGAL_INSTRUCTION, "of this one 16");
}

static void copies_fill_up_with_zeros(void **state)
{
    uint32_t out[64];
    (void)state;
    run(KERNEL("st.global.u32 [%l1], -1; bar.sync 0;\n"
               "mov.u32 %r1, room; mad.lo.u32 %r1, %r0, 8, %r1; and.b32 %r2, %r0, 7;\n"
               "and.b64 %l2, %l1, -8; setp.eq.u32 %p0, %r0, 9;\n"
               "cp.async.ca.shared.global [%r1], [%l2], 8, %r2;\n"
               "@%p0 cp.async.ca.shared.global [%r1], [%l2], 8, %p0;\n"
               "cp.async.commit_group; cp.async.wait_group 0; bar.sync 0;\n"
               "ld.shared.u32 %r3, [%r1]; st.global.u32 [%l1], %r3;\n"), 64, out);
    for (uint32_t i = 0; i < 64; i++) {
        uint32_t bytes = i % 8 > 4 ? 4 : i % 8;
        uint32_t expected = bytes == 4 ? UINT32_MAX : (UINT32_C(1) << 8 * bytes) - 1;
        assert_int_equal(out[i], i == 9 ? 0 : expected);
    }
}

/* Warp 0 waits for a phase that the copies and the arrivals of the other warps complete. */
static void a_barrier_in_memory_lets_waiting_threads_go(void **state)
{
    static uint32_t out[512];
    (void)state;
    run(KERNEL("mov.u32 %r1, room; setp.ne.u32 %p0, %r0, 0; @%p0 bra READY;\n"
               "mbarrier.init.shared::cta.b64 [gate], 480; st.shared.u32 [room], 5;\nREADY:\n"
               "bar.sync 0; setp.lt.u32 %p1, %r0, 32; @%p1 bra WAIT;\n"
               "atom.shared.add.u32 %r2, [room], 1; cp.async.mbarrier.arrive.shared.b64 [gate];\n"
               "mbarrier.arrive.shared.b64 %l3, [gate]; mbarrier.pending_count.b64 %r4, %l3;\n"
               "st.global.u32 [%l1], %r4; bra DONE;\nWAIT:\n"
               "mbarrier.try_wait.parity.shared.b64 %p2, [gate], 0, 100; @!%p2 bra WAIT;\n"
               "ld.shared.u32 %r3, [room]; st.global.u32 [%l1], %r3;\nDONE:\n"), 512, out);
    for (uint32_t i = 0; i < 32; i++) assert_int_equal(out[i], 485);
    uint64_t sum = 0;
    for (uint32_t i = 32; i < 512; i++) sum += out[i];
    assert_int_equal(sum, 480 * 481 / 2);
}

static void misuse_of_barriers_in_memory_is_refused(void **state)
{
    (void)state;
    fails(KERNEL("\nmbarrier.arrive.shared.b64 _, [gate];\n"), 32, RILL_ERROR_ILLEGAL_INSTRUCTION,
          "was not initialized");
    fails(KERNEL("\nmbarrier.init.shared.b64 [gate], 0;\n"), 32, RILL_ERROR_ILLEGAL_INSTRUCTION,
          "1 to 1048575");
    fails(KERNEL("mbarrier.init.shared.b64 [gate], 1;\n"
                 "mbarrier.arrive.noComplete.shared.b64 %l2, [gate], 1;\n"), 32,
          RILL_ERROR_ILLEGAL_INSTRUCTION, ".noComplete");
}

/* What a GPU needs to be told, and the simulator does not. */
static void what_steers_a_gpu_does_no_harm(void **state)
{
    uint32_t out[32];
    (void)state;
    run(KERNEL("setmaxnreg.dec.sync.aligned.u32 40; setmaxnreg.inc.sync.aligned.u32 232;\n"
               "griddepcontrol.wait; griddepcontrol.launch_dependents;\n"
               "fence.proxy.async; fence.proxy.async.shared::cta; fence.proxy.async.global;\n"
               "fence.mbarrier_init.release.cluster; fence.acquire.gpu;\n"
               "fence.proxy.tensormap::generic.release.gpu;\n"
               "fence.proxy.tensormap::generic.acquire.gpu [%l0], 128;\n"
               "fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster;\n"
               "elect.sync %r1|%p0, -1; selp.u32 %r2, 7, %r1, %p0; st.global.u32 [%l1], %r2;\n"),
        32, out);
    for (uint32_t i = 0; i < 32; i++) assert_int_equal(out[i], i ? 0 : 7);
}

static void registers_are_24_to_256(void **state)
{
    static const char *const counts[] = { "16", "28", "264" };
    struct machine *machine = machine_open();
    char text[256];
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        snprintf(text, sizeof text,
                 HEAD ".visible .entry k()\n{\nsetmaxnreg.dec.sync.aligned.u32 %s;\n}", counts[i]);
        machine_refuses(machine, text, RILL_ERROR_INVALID_PTX, "24 to 256", "line 6");
    }
    machine_close(machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_that_come_apart_take_the_step_together),
        cmocka_unit_test(lanes_that_disagree_are_refused),
        cmocka_unit_test(copies_fill_up_with_zeros),
        cmocka_unit_test(a_barrier_in_memory_lets_waiting_threads_go),
        cmocka_unit_test(misuse_of_barriers_in_memory_is_refused),
        cmocka_unit_test(what_steers_a_gpu_does_no_harm),
        cmocka_unit_test(registers_are_24_to_256),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
