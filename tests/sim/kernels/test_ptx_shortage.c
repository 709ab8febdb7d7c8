/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels of PTX when memory is short: a launch is refused where it is submitted, and one
 * that was taken runs.  In neither case is there anything wrong with the device.
 */
#include "base/alloc.h"
#include "sim/kernels/ptx_scene.h"

/* Adds one to a word in each of its threads: across crews and blocks, with shared memory, a
 * barrier and local memory. */
#define COUNT HEAD \
    ".visible .entry k(.param .u64 p) {\n" \
    " .reg .b64 %a;\n .reg .b32 %r<3>;\n .shared .u32 s[400];\n .local .u32 l[4];\n" \
    " ld.param.u64 %a, [p];\n mov.u32 %r0, 1;\n st.local.u32 [l], %r0;\n bar.sync 0;\n" \
    " ld.local.u32 %r1, [l];\n atom.global.add.u32 %r2, [%a], %r1;\n ret; }\n"

/* Does so four ways, by the two lowest bits of the thread's number. */
#define ONE_WAY(label) \
    label ":\n atom.global.add.u32 %r2, [%a], 1;\n bra.uni END;\n"
#define APART HEAD \
    ".visible .entry k(.param .u64 p) {\n" \
    " .reg .b64 %a;\n .reg .b32 %r<3>;\n .reg .pred %p<2>;\n" \
    " ld.param.u64 %a, [p];\n mov.u32 %r0, %tid.x;\n" \
    " and.b32 %r1, %r0, 1;\n setp.ne.u32 %p0, %r1, 0;\n" \
    " and.b32 %r1, %r0, 2;\n setp.ne.u32 %p1, %r1, 0;\n" \
    " @%p0 bra ODD;\n @%p1 bra B;\n" ONE_WAY("A") ONE_WAY("B") \
    "ODD:\n @%p1 bra D;\n" ONE_WAY("C") ONE_WAY("D") "END:\n bar.sync 0;\n ret; }\n"

/* Does so in functions, two calls deep for even threads and three for odd ones, each with local
 * memory.  The last one takes so long that others get their turns before it returns.  Then all
 * meet in a function. */
#define CALL(to) " {\n .param .b64 x;\n st.param.b64 [x], %a;\n call " to ", (x);\n }\n"
#define CALLS HEAD \
    ".func third(.param .b64 x) {\n .reg .b64 %a;\n .reg .b32 %r<3>;\n .reg .pred %p;\n" \
    " .local .u32 l[40];\n ld.param.b64 %a, [x];\n mov.u32 %r0, 6000;\n" \
    "LOOP:\n sub.u32 %r0, %r0, 1;\n setp.gt.u32 %p, %r0, 1;\n @%p bra LOOP;\n" \
    " st.local.u32 [l+80], %r0;\n" \
    " ld.local.u32 %r1, [l+80];\n atom.global.add.u32 %r2, [%a], %r1;\n ret; }\n" \
    ".func second(.param .b64 x) {\n .reg .b64 %a;\n .local .u32 l[40];\n" \
    " ld.param.b64 %a, [x];\n st.local.u64 [l+80], %a;\n" CALL("third") " ret; }\n" \
    ".func first(.param .b64 x) {\n .reg .b64 %a, %b;\n .local .u64 l[40];\n" \
    " ld.param.b64 %a, [x];\n st.local.u64 [l], %a;\n ld.local.u64 %a, [l];\n" \
    CALL("second") " ret; }\n" \
    ".func meet(.param .b64 x) {\n bar.sync 0;\n ret; }\n" \
    ".visible .entry k(.param .u64 p) {\n" \
    " .reg .b64 %a;\n .reg .b32 %r<3>;\n .reg .pred %p;\n .local .u32 l[4];\n" \
    " ld.param.u64 %a, [p];\n st.local.u64 [l], %a;\n mov.u32 %r0, %tid.x;\n" \
    " and.b32 %r1, %r0, 1;\n setp.ne.u32 %p, %r1, 0;\n @%p bra ODD;\n" \
    CALL("second") " bra.uni END;\nODD:\n" CALL("first") "END:\n" CALL("meet") \
    " ld.local.u64 %a, [l];\n atom.global.add.u32 %r2, [%a], 0;\n ret; }\n"

/* Small blocks that run abreast: each thread adds one to a word of its own, four ways. */
#define OWN_WAY(label) \
    label ":\n ld.global.u32 %r2, [%a];\n add.u32 %r2, %r2, 1;\n st.global.u32 [%a], %r2;\n" \
    " bra.uni END;\n"
#define ABREAST HEAD \
    ".visible .entry k(.param .u64 p) {\n" \
    " .reg .b64 %a;\n .reg .b32 %r<4>;\n .reg .pred %p<2>;\n" \
    " ld.param.u64 %a, [p];\n mov.u32 %r0, %tid.x;\n mov.u32 %r3, %ctaid.x;\n" \
    " mad.lo.u32 %r3, %r3, 32, %r0;\n mad.wide.u32 %a, %r3, 4, %a;\n" \
    " and.b32 %r1, %r0, 1;\n setp.ne.u32 %p0, %r1, 0;\n" \
    " and.b32 %r1, %r0, 2;\n setp.ne.u32 %p1, %r1, 0;\n" \
    " @%p0 bra ODD;\n @%p1 bra B;\n" OWN_WAY("A") OWN_WAY("B") \
    "ODD:\n @%p1 bra D;\n" OWN_WAY("C") OWN_WAY("D") "END:\n ret; }\n"

static const char *const kernels[] = { COUNT, APART, CALLS };
enum { KERNELS = sizeof kernels / sizeof *kernels };

enum { BLOCKS = 4, THREADS = 300, FAILURES = 12 };

static const rill_dim3 blocks = { BLOCKS, 1, 1 }, threads = { THREADS, 1, 1 };

static rill_devptr word_of(struct scene *s)
{
    rill_devptr word = 0;
    ok(rill_mem_alloc(s->context, 4, &word));
    ok(rill_memset_d32(s->context, word, 0, 1));
    ok(rill_context_synchronize(s->context)); /* a fill is behind the host, which stores next */
    return word;
}

static void counted(struct scene *s, rill_devptr word, uint32_t launches)
{
    uint32_t value = 0;
    ok(rill_memcpy_dtoh(s->context, &value, word, 4));
    assert_int_equal(value, launches * BLOCKS * THREADS);
}

static rill_status launch(struct scene *s, rill_stream *stream, rill_devptr *word)
{
    const void *const arguments[] = { word };
    return rill_launch_kernel(stream, s->kernel, blocks, threads, 0, arguments);
}

/* The stream waits, until the word is set. */
static rill_devptr hold(struct scene *s)
{
    rill_devptr gate = word_of(s);
    ok(rill_stream_wait_value32(s->stream, gate, 1, RILL_WAIT_EQ));
    return gate;
}

static void let_go(rill_devptr gate)
{
    __atomic_store_n((uint32_t *)(uintptr_t)gate, 1, __ATOMIC_SEQ_CST);
}

static void a_launch_without_memory_is_refused(void **state)
{
    (void)state;
    uint32_t refused = 0;
    for (long after = 0; after < FAILURES; after++) {
        struct scene s;
        open_scene(&s);
        load(&s, COUNT);
        rill_devptr word = word_of(&s), gate = hold(&s);
        rl_alloc_fail_after(after);
        rill_status status = launch(&s, s.stream, &word);
        rl_alloc_fail_after(-1);
        if (status) is(RILL_ERROR_OUT_OF_MEMORY, status);
        refused += status != RILL_SUCCESS;
        let_go(gate);
        ok(rill_stream_synchronize(s.stream));
        counted(&s, word, !status);
        ok(launch(&s, s.stream, &word));
        ok(rill_stream_synchronize(s.stream));
        counted(&s, word, 1 + !status);
        close_scene(&s);
    }
    assert_in_range(refused, 1, FAILURES - 1);
}

/* Memory is short once, or from then on, after so many allocations. */
static void fail_launch(struct scene *s, rill_devptr word, void (*shorten)(long), uint32_t after)
{
    rill_devptr gate = hold(s);
    ok(launch(s, s->stream, &word));
    shorten((long)after);
    let_go(gate);
    rill_status status = rill_stream_synchronize(s->stream);
    rl_alloc_fail_after(-1);
    ok(status);
    ok(rill_mem_free(s->context, gate));
}

static void a_launch_that_was_taken_runs(void **state)
{
    static void (*const shorten[])(long) = { rl_alloc_fail_after, rl_alloc_fail_from };
    (void)state;
    for (int i = 0; i < 2 * KERNELS; i++) {
        struct scene s;
        open_scene(&s);
        load(&s, kernels[i / 2]);
        rill_devptr word = word_of(&s);
        for (uint32_t after = 0; after < FAILURES; after++) {
            fail_launch(&s, word, shorten[i % 2], after);
            counted(&s, word, after + 1);
        }
        close_scene(&s);
    }
}

static void a_launch_of_small_blocks_that_was_taken_runs(void **state)
{
    enum { SMALL = 64, WORDS = SMALL * 32 };
    const rill_dim3 small = { SMALL, 1, 1 }, warp = { 32, 1, 1 };
    static void (*const shorten[])(long) = { rl_alloc_fail_after, rl_alloc_fail_from };
    static uint32_t words[WORDS];
    struct scene s;
    rill_devptr at = 0;
    uint32_t launches = 0;
    const void *const arguments[] = { &at };
    (void)state;
    open_scene(&s);
    load(&s, ABREAST);
    ok(rill_mem_alloc(s.context, sizeof words, &at));
    ok(rill_memset_d32(s.context, at, 0, WORDS));
    for (long i = 0; i < 2 * FAILURES; i++) {
        rill_devptr gate = hold(&s);
        ok(rill_launch_kernel(s.stream, s.kernel, small, warp, 0, arguments));
        shorten[i % 2](i / 2);
        let_go(gate);
        rill_status status = rill_stream_synchronize(s.stream);
        rl_alloc_fail_after(-1);
        ok(status);
        ok(rill_memcpy_dtoh(s.context, words, at, sizeof words));
        launches++;
        for (uint32_t w = 0; w < WORDS; w++) assert_int_equal(words[w], launches);
        ok(rill_mem_free(s.context, gate));
    }
    close_scene(&s);
}

/* Two streams at once: one after the other, if there is room for one only. */
static void launches_of_two_streams_run(void **state)
{
    (void)state;
    struct scene s;
    rill_stream *other = NULL;
    rill_event *begun = NULL;
    open_scene(&s);
    ok(rill_stream_create(s.context, NULL, &other));
    ok(rill_event_create(s.context, NULL, &begun));
    load(&s, COUNT);
    rill_devptr word = word_of(&s);
    for (uint32_t after = 0; after < FAILURES; after++) {
        rill_devptr gate = hold(&s);
        ok(rill_event_record(begun, s.stream, 0));
        ok(rill_stream_wait_event(other, begun, 0));
        ok(launch(&s, s.stream, &word));
        ok(launch(&s, other, &word));
        rl_alloc_fail_after((long)after / 2);
        let_go(gate);
        rill_status status = rill_stream_synchronize(s.stream);
        if (!status) status = rill_stream_synchronize(other);
        rl_alloc_fail_after(-1);
        ok(status);
        counted(&s, word, 2 * after + 2);
        ok(rill_mem_free(s.context, gate));
    }
    ok(rill_event_destroy(&begun));
    ok(rill_stream_destroy(&other));
    close_scene(&s);
}

static void kernels_of_graphs_run(void **state)
{
    (void)state;
    struct scene s;
    rill_graph *graph = NULL;
    rill_exec *exec = NULL;
    rill_node node;
    open_scene(&s);
    load(&s, COUNT);
    rill_devptr word = word_of(&s), *at = &word;
    const void *const arguments[] = { at };
    ok(rill_graph_create(s.context, NULL, &graph));
    rl_alloc_fail_after(0);
    rill_status status = rill_graph_add_kernel(graph, NULL, 0, s.kernel, blocks, threads, 0,
                                               arguments, &node);
    rl_alloc_fail_after(-1);
    is(RILL_ERROR_OUT_OF_MEMORY, status);
    ok(rill_graph_add_kernel(graph, NULL, 0, s.kernel, blocks, threads, 0, arguments, &node));
    ok(rill_exec_create(graph, NULL, &exec));
    for (uint32_t after = 0; after < FAILURES; after++) {
        rill_devptr gate = hold(&s);
        ok(rill_exec_launch(exec, s.stream));
        rl_alloc_fail_after((long)after);
        let_go(gate);
        status = rill_stream_synchronize(s.stream);
        rl_alloc_fail_after(-1);
        ok(status);
        counted(&s, word, after + 1);
        ok(rill_mem_free(s.context, gate));
    }
    ok(rill_exec_destroy(&exec));
    ok(rill_graph_destroy(&graph));
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_launch_without_memory_is_refused),
        cmocka_unit_test(a_launch_that_was_taken_runs),
        cmocka_unit_test(a_launch_of_small_blocks_that_was_taken_runs),
        cmocka_unit_test(launches_of_two_streams_run),
        cmocka_unit_test(kernels_of_graphs_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
