/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels that launch kernels, by CUDA's device runtime.
 */
#include "sim/kernels/ptx_scene.h"

#define RUNTIME(name) "__cudaCDP2" name

#define DECLARE \
    ".extern .func (.param .b64 r) " RUNTIME("GetParameterBufferV2") " (.param .b64 f,\n" \
    " .param .align 4 .b8 g[12], .param .align 4 .b8 b[12], .param .b32 s);\n" \
    ".extern .func (.param .b32 r) " RUNTIME("LaunchDeviceV2") " (.param .b64 p,\n" \
    " .param .b64 s);\n" \
    ".extern .func (.param .b32 r) " RUNTIME("MemcpyAsync") " (.param .b64 d, .param .b64 f,\n" \
    " .param .b64 n, .param .b32 k, .param .b64 s);\n" \
    ".extern .func (.param .b32 r) " RUNTIME("GetLastError") ";\n" \
    ".extern .func (.param .b32 r) " RUNTIME("PeekAtLastError") ";\n"

#define REGISTERS \
    ".reg .b64 %out, %f, %q; .reg .b32 %r<4>; .reg .pred %p; ld.param.u64 %out, [out];\n"

/* Prepares a child of one thread, or as many as `threads` says: %q is where its parameters go. */
#define PREPARE(kernel, threads) \
    "mov.u64 %f, " kernel ";\n" \
    "{ .param .b64 f; .param .align 4 .b8 g[12]; .param .align 4 .b8 b[12]; .param .b32 s;\n" \
    "  .param .b64 r; st.param.b64 [f], %f; st.param.b32 [s], 0;\n" \
    "  st.param.b32 [g], 1; st.param.b32 [g+4], 1; st.param.b32 [g+8], 1;\n" \
    "  st.param.b32 [b], " threads "; st.param.b32 [b+4], 1; st.param.b32 [b+8], 1;\n" \
    "  call.uni (r), " RUNTIME("GetParameterBufferV2") ", (f, g, b, s);\n" \
    "  ld.param.b64 %q, [r]; }\n"

#define SUBMIT(stream) \
    "{ .param .b64 q; .param .b64 s; .param .b32 r; st.param.b64 [q], %q;\n" \
    "  st.param.b64 [s], " stream "; call.uni (r), " RUNTIME("LaunchDeviceV2") ", (q, s);\n" \
    "  ld.param.b32 %r0, [r]; }\n"

#define LAUNCH(kernel, stream, value) \
    PREPARE(kernel, "1") "st.u64 [%q], %out; st.u32 [%q+8], " value ";\n" SUBMIT(stream)

/* Copies a word from %f to %q. */
#define COPY(kind) \
    "{ .param .b64 q; .param .b64 f; .param .b64 n; .param .b32 k; .param .b64 s;\n" \
    "  .param .b32 r;\n" \
    "  st.param.b64 [q], %q; st.param.b64 [f], %f; st.param.b64 [n], 4; st.param.b32 [k], " kind \
    "; st.param.b64 [s], 0; call.uni (r), " RUNTIME("MemcpyAsync") ", (q, f, n, k, s);\n" \
    "  ld.param.b32 %r0, [r]; }\n"

#define ASK(function, to) \
    "{ .param .b32 r; call.uni (r), " RUNTIME(function) "; ld.param.b32 %r0, [r]; }\n" \
    "st.global.u32 [%out+" to "], %r0;\n"

/* Appends a digit to the number in memory. */
#define NOTE(digit) \
    "ld.global.u32 %r0, [%out]; mul.lo.u32 %r0, %r0, 10; add.u32 %r0, %r0, " digit ";\n" \
    "st.global.u32 [%out], %r0;\n"

#define NOTING_KERNEL \
    ".visible .entry note(.param .u64 out, .param .u32 digit)\n{\n" REGISTERS \
    "ld.param.u32 %r1, [digit];\n" NOTE("%r1") "ret;\n}\n"

#define KERNEL(name) ".visible .entry " name "(.param .u64 out, .param .u32 digit)\n{\n" REGISTERS

static const char nests[] = HEAD DECLARE NOTING_KERNEL
    KERNEL("inner") LAUNCH("note", "3", "4") LAUNCH("note", "0", "3") NOTE("2") "ret;\n}\n"
    KERNEL("k") LAUNCH("note", "3", "7") LAUNCH("note", "0", "1") LAUNCH("inner", "4", "0")
    LAUNCH("note", "0", "6") LAUNCH("note", "3", "8") NOTE("9") "ret;\n}\n";

/* Loads a text, runs its kernel k with `threads` threads, and closes all.  Returns the status. */
static rill_status run_text(const char *text, uint32_t threads, uint32_t *words, uint32_t count)
{
    struct scene s;
    rill_devptr out;
    const uint32_t zero = 0;
    open_scene(&s);
    ok(rill_mem_alloc(s.context, 4 * count, &out));
    ok(rill_memset_d8(s.context, out, 0, 4 * count));
    load(&s, text);
    rill_status status = run(&s, 1, threads, (const void *[]){ &out, &zero });
    if (!status) ok(rill_memcpy_dtoh(s.context, words, out, 4 * count));
    close_scene(&s);
    return status;
}

/* ---- Order -------------------------------------------------------------------------------- */

/* 9 is the grid's own; behind it come its children, each with its own; then those in the stream of
 * tail launches. */
static void children_run_behind_their_grid_and_tails_behind_those(void **state)
{
    (void)state;
    uint32_t number;
    ok(run_text(nests, 1, &number, 1));
    assert_int_equal(number, 912346 * 100 + 78);
}

static void a_graph_runs_them_as_well(void **state)
{
    (void)state;
    struct scene s;
    rill_devptr out;
    rill_graph *graph = NULL;
    rill_exec *exec = NULL;
    uint32_t number, zero = 0;
    open_scene(&s);
    ok(rill_mem_alloc(s.context, 4, &out));
    load(&s, nests);
    rill_node node;
    rill_op op = { .kind = RILL_OP_KERNEL };
    op.kernel = (rill_kernel_op){ .kernel = s.kernel, .grid = one, .block = one,
                                  .params = (const void *[]){ &out, &zero } };
    ok(rill_graph_create(s.context, NULL, &graph));
    ok(rill_graph_add_node(graph, NULL, 0, &op, &node));
    ok(rill_exec_create(graph, NULL, &exec));
    for (int i = 0; i < 3; i++) {
        ok(rill_memset_d8(s.context, out, 0, 4));
        ok(rill_exec_launch(exec, s.stream));
        ok(rill_stream_synchronize(s.stream));
        ok(rill_memcpy_dtoh(s.context, &number, out, 4));
        assert_int_equal(number, 91234678);
    }
    ok(rill_exec_destroy(&exec));
    ok(rill_graph_destroy(&graph));
    close_scene(&s);
}

/* Each of the threads launches one, and what was stored last does not count. */
static void many_threads_launch_at_once(void **state)
{
    (void)state;
    static const char text[] = HEAD DECLARE
        ".visible .entry add(.param .u64 out, .param .u32 more)\n{\n" REGISTERS
        "ld.param.u32 %r1, [more]; atom.global.add.u32 %r0, [%out], %r1; ret;\n}\n"
        KERNEL("k") "mov.u32 %r2, %tid.x; and.b32 %r3, %r2, 1; setp.eq.u32 %p, %r3, 0;\n"
        "@%p bra DONE;\n" PREPARE("add", "2") "st.u64 [%q], %out; st.u32 [%q+8], %r2;\n"
        SUBMIT("0") "DONE: ret;\n}\n";
    uint32_t sum;
    ok(run_text(text, 1000, &sum, 1));
    assert_int_equal(sum, 2 * 500 * 500);
}

static void a_copy_comes_behind_what_was_launched_before(void **state)
{
    (void)state;
    static const char text[] = HEAD DECLARE NOTING_KERNEL
        KERNEL("k") LAUNCH("note", "0", "1") "mov.u64 %f, %out; add.u64 %q, %out, 4;\n" COPY("3")
        LAUNCH("note", "0", "2") "mov.u64 %f, %out; add.u64 %q, %out, 8;\n" COPY("1")
        "st.global.u32 [%out+12], %r0; mov.u64 %q, 64;\n" COPY("4")
        "st.global.u32 [%out+16], %r0;\n" ASK("GetLastError", "20") "ret;\n}\n";
    uint32_t words[6];
    ok(run_text(text, 1, words, 6));
    assert_int_equal(words[0], 12);
    assert_int_equal(words[1], 1);
    assert_int_equal(words[2], 0);
    assert_int_equal(words[3], 21); /* cudaErrorInvalidMemcpyDirection */
    assert_int_equal(words[4], 1);  /* cudaErrorInvalidValue */
    assert_int_equal(words[5], 1);
}

/* ---- What cannot be ----------------------------------------------------------------------- */

static void a_launch_that_cannot_be_is_told_to_its_thread(void **state)
{
    (void)state;
    static const char text[] = HEAD DECLARE NOTING_KERNEL
        KERNEL("k") "mov.u32 %r2, %tid.x; setp.ne.u32 %p, %r2, 0;\n@%p bra OTHER;\n"
        PREPARE("note", "2000") "cvt.u32.u64 %r1, %q; st.global.u32 [%out], %r1;\n"
        ASK("PeekAtLastError", "4") ASK("GetLastError", "8") ASK("GetLastError", "12")
        "mov.u64 %q, 512;\n" SUBMIT("0") "st.global.u32 [%out+16], %r0;\n"
        "ret;\nOTHER:\n" ASK("GetLastError", "20") "ret;\n}\n";
    uint32_t words[6];
    ok(run_text(text, 2, words, 6));
    assert_int_equal(words[0], 0);
    assert_int_equal(words[1], 9); /* cudaErrorInvalidConfiguration */
    assert_int_equal(words[2], 9);
    assert_int_equal(words[3], 0);
    assert_int_equal(words[4], 1); /* cudaErrorInvalidValue */
    assert_int_equal(words[5], 0);
}

/* The memory for its parameters is of the heap of kernels. */
static void a_launch_whose_parameters_were_freed_is_refused(void **state)
{
    (void)state;
    static const char text[] = HEAD DECLARE ".extern .func free (.param .b64 p);\n" NOTING_KERNEL
        KERNEL("k") PREPARE("note", "1")
        "{ .param .b64 p; st.param.b64 [p], %q; call free, (p); }\n"
        SUBMIT("0") "st.global.u32 [%out], %r0; ret;\n}\n";
    uint32_t status;
    ok(run_text(text, 1, &status, 1));
    assert_int_equal(status, 1); /* cudaErrorInvalidValue */
}

/* Nothing of it is left when the grid is done, though none of these was launched. */
static void the_heap_of_kernels_may_be_full(void **state)
{
    (void)state;
    static const char text[] = HEAD DECLARE NOTING_KERNEL
        KERNEL("k") "MORE: " PREPARE("note", "1") "setp.ne.s64 %p, %q, 0;\n@%p bra MORE;\n"
        ASK("GetLastError", "0") "ret;\n}\n";
    struct scene s;
    rill_devptr out;
    size_t before = 0, after = 0;
    uint32_t status;
    const uint32_t zero = 0;
    open_scene(&s);
    ok(rill_mem_alloc(s.context, 4, &out));
    load(&s, text);
    ok(rill_mem_info(s.context, &before, NULL));
    ok(run(&s, 1, 1, (const void *[]){ &out, &zero }));
    ok(rill_memcpy_dtoh(s.context, &status, out, 4));
    assert_int_equal(status, 2); /* cudaErrorMemoryAllocation */
    ok(rill_mem_info(s.context, &after, NULL));
    assert_int_equal(before, after);
    close_scene(&s);
}

static void a_child_that_cannot_run_is_refused(void **state)
{
    (void)state;
    static const char text[] = HEAD DECLARE
        KERNEL("lacking") "tcgen05.wait::ld.sync.aligned;\nret;\n}\n"
        KERNEL("k") PREPARE("lacking", "1") ASK("GetLastError", "0") "ret;\n}\n";
    uint32_t status;
    ok(run_text(text, 1, &status, 1));
    assert_int_equal(status, 801); /* cudaErrorNotSupported */
}

/* Its first byte is there, which is all that is looked at when it is submitted. */
static void a_copy_that_leaves_its_memory_fails(void **state)
{
    (void)state;
    static const char text[] = HEAD DECLARE
        KERNEL("k") "mov.u64 %f, %out; add.u64 %q, %out, 6;\n" COPY("3") "ret;\n}\n";
    uint32_t words[2];
    is(RILL_ERROR_ILLEGAL_ADDRESS, run_text(text, 1, words, 2));
    SAYS("a kernel copies 4 bytes", "does not reach all of them");
}

static void a_child_is_a_kernel_of_the_module(void **state)
{
    (void)state;
    static const char text[] = HEAD DECLARE ".func plain() { ret; }\n"
        KERNEL("k") PREPARE("plain", "1") ASK("GetLastError", "0") "ret;\n}\n";
    uint32_t status;
    ok(run_text(text, 1, &status, 1));
    assert_int_equal(status, 98); /* cudaErrorInvalidDeviceFunction */
}

static void a_child_that_fails_is_named_and_the_last_one_that_runs(void **state)
{
    (void)state;
    struct scene s;
    const rill_devptr nowhere = 0;
    const uint32_t zero = 0;
    static const char text[] = HEAD DECLARE NOTING_KERNEL
        KERNEL("k") LAUNCH("note", "0", "1") LAUNCH("note", "0", "2") "ret;\n}\n";
    open_scene(&s);
    load(&s, text);
    is(RILL_ERROR_ILLEGAL_ADDRESS, run(&s, 1, 1, (const void *[]){ &nowhere, &zero }));
    SAYS("kernel 'note'", "0x0");
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(children_run_behind_their_grid_and_tails_behind_those),
        cmocka_unit_test(a_graph_runs_them_as_well),
        cmocka_unit_test(many_threads_launch_at_once),
        cmocka_unit_test(a_copy_comes_behind_what_was_launched_before),
        cmocka_unit_test(a_launch_that_cannot_be_is_told_to_its_thread),
        cmocka_unit_test(a_launch_whose_parameters_were_freed_is_refused),
        cmocka_unit_test(the_heap_of_kernels_may_be_full),
        cmocka_unit_test(a_child_that_cannot_run_is_refused),
        cmocka_unit_test(a_copy_that_leaves_its_memory_fails),
        cmocka_unit_test(a_child_is_a_kernel_of_the_module),
        cmocka_unit_test(a_child_that_fails_is_named_and_the_last_one_that_runs),
    };
    return cmocka_run_group_tests_name("sim/children", tests, NULL, NULL);
}
