/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads with as little stack as a program can give them, and graphs that are nested as
 * deep as they may be.  The only worker is held, so that the thread runs all of it itself.
 */
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include "base/alloc.h"
#include "sim/kernels/ptx_scene.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { STACK = 160 << 10 };
#else
enum { STACK = 16 << 10 };
#endif

enum { LEVELS = 120 };

static atomic_int opened;
static struct scene s;

static void hold(void *data)
{
    (void)data;
    while (!opened) sched_yield();
}

static void nothing(void *data)
{
    (void)data;
}

/* The platform's failures jump out of the test, which only its own thread may. */
#define MUST(call) \
    do { \
        rill_status must_ = (call); \
        if (must_) return fails(#call, must_); \
    } while (0)

static void *fails(const char *call, rill_status status)
{
    static char words[1024];
    snprintf(words, sizeof words, "%s: %d, %s", call, (int)status, rill_last_error()->message);
    return words;
}

/* Returns how many bytes of stack a thread has here: on some processors the C library gives none
 * less than 128 KiB. */
static size_t stack_bytes(void)
{
    long least = sysconf(_SC_THREAD_STACK_MIN);
    return least > STACK ? (size_t)least : STACK;
}

static void on_small_stack(void *(*work)(void *data))
{
    const rill_stream_options apart = { .size = sizeof apart, .flags = RILL_STREAM_NON_BLOCKING };
    rill_stream *held = NULL;
    pthread_attr_t attributes;
    pthread_t thread;
    void *failed = NULL;
    opened = 0;
    open_with(&s, (rill_sim_options){ .workers = 1 });
    ok(rill_stream_create(s.context, &apart, &held));
    ok(rill_launch_host(held, hold, NULL, NULL));
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, stack_bytes()), 0);
    assert_int_equal(pthread_create(&thread, &attributes, work, NULL), 0);
    assert_int_equal(pthread_join(thread, &failed), 0);
    pthread_attr_destroy(&attributes);
    opened = 1;
    if (failed) fail_msg("%s", (char *)failed);
    ok(rill_stream_destroy(&held));
    close_scene(&s);
}

static int drop_text(void *data, const char *text, size_t bytes)
{
    (void)data, (void)text, (void)bytes;
    return 0;
}

static void *run_thrice(rill_exec *exec)
{
    for (int i = 0; i < 3; i++) {
        MUST(rill_exec_launch(exec, s.stream));
        MUST(rill_stream_synchronize(s.stream));
    }
    return NULL;
}

/* ---- Child graphs ------------------------------------------------------------------------ */

static rill_status nest_children(rill_graph **out, rill_node *outermost)
{
    rill_graph *graph = NULL;
    rill_node node;
    rill_status status = rill_graph_create(s.context, NULL, &graph);
    if (!status) status = rill_graph_add_host(graph, NULL, 0, nothing, NULL, NULL, &node);
    for (int i = 1; !status && i < LEVELS; i++) {
        rill_graph *around = NULL;
        status = rill_graph_create(s.context, NULL, &around);
        if (!status)
            status = rill_graph_add_child(around, NULL, 0, graph, RILL_CHILD_MOVE, outermost);
        if (!status) graph = around;
    }
    *out = graph;
    return status;
}

static void *use_children(void *data)
{
    rill_graph *graph = NULL, *clone = NULL, *copies = NULL;
    rill_exec *exec = NULL;
    rill_node outermost = NULL, node;
    size_t bytes;
    (void)data;
    MUST(nest_children(&graph, &outermost));
    MUST(rill_graph_write_dot(graph, RILL_DOT_VERBOSE, drop_text, NULL));
    MUST(rill_exec_create(graph, NULL, &exec));
    MUST(rill_exec_bytes(exec, &bytes));
    void *failed = run_thrice(exec);
    if (failed) return failed;
    MUST(rill_graph_clone(graph, &clone));
    MUST(rill_exec_update(exec, clone, NULL));
    MUST(rill_graph_create(s.context, NULL, &copies));
    MUST(rill_graph_add_child(copies, NULL, 0, graph, 0, &node));
    MUST(rill_graph_remove_node(copies, node));
    MUST(rill_graph_destroy(&copies));
    MUST(rill_graph_destroy(&clone));
    MUST(rill_graph_destroy(&graph));
    failed = run_thrice(exec);
    if (failed) return failed;
    MUST(rill_exec_destroy(&exec));
    return NULL;
}

static void child_graphs_nest_on_a_small_stack(void **state)
{
    (void)state;
    on_small_stack(use_children);
}

/* ---- Conditionals --------------------------------------------------------------------------- */

static rill_status nest_conditionals(rill_graph **out)
{
    rill_graph *graph = NULL, *body = NULL;
    rill_node node;
    rill_status status = rill_graph_create(s.context, NULL, &graph);
    body = *out = graph;
    for (int i = 0; !status && i < LEVELS; i++) {
        rill_conditional handle;
        status = rill_conditional_create(graph, 1, RILL_CONDITIONAL_ASSIGN, &handle);
        if (!status)
            status = rill_graph_add_conditional(body, NULL, 0, handle, RILL_CONDITIONAL_IF, 1,
                                                &body, &node);
    }
    return status ? status : rill_graph_add_empty(body, NULL, 0, &node);
}

static void *use_conditionals(void *data)
{
    rill_graph *graph = NULL, *other = NULL;
    rill_exec *exec = NULL;
    size_t bytes;
    (void)data;
    MUST(nest_conditionals(&graph));
    MUST(rill_graph_write_dot(graph, RILL_DOT_VERBOSE, drop_text, NULL));
    MUST(rill_exec_create(graph, NULL, &exec));
    MUST(rill_exec_bytes(exec, &bytes));
    void *failed = run_thrice(exec);
    if (failed) return failed;
    MUST(nest_conditionals(&other));
    MUST(rill_exec_update(exec, other, NULL));
    MUST(rill_graph_destroy(&other));
    failed = run_thrice(exec);
    if (failed) return failed;
    MUST(rill_exec_destroy(&exec));
    MUST(rill_graph_destroy(&graph));
    return NULL;
}

static void conditionals_nest_on_a_small_stack(void **state)
{
    (void)state;
    on_small_stack(use_conditionals);
}

/* ---- Without memory for more of it -------------------------------------------------------- */

/* ---- Replays ----------------------------------------------------------------------------- */

/* Into the graph of the capture, which a program may add to by itself. */
static rill_status put_children(rill_stream *stream, void *graph)
{
    rill_capture_info info = { .size = sizeof info };
    rill_node node = NULL;
    rill_status status = rill_stream_capture_info(stream, &info);
    if (!status) status = rill_graph_add_child(info.graph, NULL, 0, graph, 0, &node);
    if (status) return status;
    return rill_stream_update_capture(stream, &node, NULL, 1, RILL_CAPTURE_SET);
}

static void *replay_children(void *data)
{
    volatile char own[3 << 10]; /* of the program's */
    rill_graph *graph = NULL;
    rill_replay *replay = NULL;
    rill_node outermost;
    (void)data;
    own[0] = 0;
    (void)own[0];
    MUST(nest_children(&graph, &outermost));
    MUST(rill_replay_create(s.context, NULL, put_children, graph, NULL, &replay));
    for (int i = 0; i < 3; i++) MUST(rill_replay_step(replay, s.stream));
    MUST(rill_stream_synchronize(s.stream));
    MUST(rill_replay_destroy(&replay));
    MUST(rill_graph_destroy(&graph));
    return NULL;
}

static void child_graphs_are_replayed_on_a_small_stack(void **state)
{
    (void)state;
    on_small_stack(replay_children);
}

/* Each allocation is missing once; what is refused can be done again. */
static void *do_without(void *data)
{
    rill_graph *graph = NULL, *clone = NULL;
    rill_exec *exec = NULL;
    rill_node outermost;
    long clones = 0, execs = 0;
    (void)data;
    MUST(nest_children(&graph, &outermost));
    for (long after = 0; !clone || !exec; after++) {
        rill_status status = RILL_SUCCESS;
        rl_alloc_fail_after(after);
        if (!clone) status = rill_graph_clone(graph, &clone), clones++;
        rl_alloc_fail_after(-1);
        if (status && status != RILL_ERROR_OUT_OF_MEMORY) return fails("clone", status);
        rl_alloc_fail_after(after);
        status = exec ? RILL_SUCCESS : rill_exec_create(graph, NULL, &exec);
        rl_alloc_fail_after(-1);
        if (status && status != RILL_ERROR_OUT_OF_MEMORY) return fails("exec", status);
        execs += status != RILL_SUCCESS;
    }
    if (clones < 3 || execs < 3) return fails("there was enough memory", RILL_SUCCESS);
    MUST(rill_exec_destroy(&exec));
    MUST(rill_graph_destroy(&clone));
    MUST(rill_graph_destroy(&graph));
    return NULL;
}

static void a_stack_that_is_not_to_be_had_refuses(void **state)
{
    (void)state;
    on_small_stack(do_without);
}

/* ---- Kernels --------------------------------------------------------------------------------- */

static void *use_kernel(void *data)
{
    static const char text[] = HEAD
        ".func (.param .b32 r) deep(.param .b32 x) {\n .reg .b32 %a;\n .reg .pred %q;\n"
        " ld.param.b32 %a, [x];\n setp.ge.s32 %q, %a, 100;\n @%q bra E;\n add.s32 %a, %a, 1;\n"
        " { .param .b32 y; .param .b32 z; st.param.b32 [y], %a; call (z), deep, (y);\n"
        "  ld.param.b32 %a, [z]; }\nE:\n st.param.b32 [r], %a;\n ret; }\n"
        ".visible .entry k() {\n .reg .b32 %r<3>;\n .reg .pred %p;\n mov.u32 %r0, 0;\n"
        " mov.u32 %r2, %tid.x;\n and.b32 %r1, %r2, 5;\n setp.eq.u32 %p, %r1, 4;\n"
        " @%p xor.b32 %r2, %r2, 1;\n"
        " { .param .b32 y; .param .b32 z; st.param.b32 [y], %r0; call (z), deep, (y);\n"
        "  ld.param.b32 %r1, [z]; }\n bar.sync 0;\n ret; }\n";
    const rill_image image = { .size = sizeof image, .code = text };
    (void)data;
    MUST(rill_module_load(s.context, &image, &s.module));
    MUST(rill_module_kernel(s.module, "k", &s.kernel));
    MUST(rill_launch_kernel(s.stream, s.kernel, (rill_dim3){ 4, 1, 1 }, (rill_dim3){ 64, 1, 1 }, 0,
                            NULL));
    MUST(rill_stream_synchronize(s.stream));
    return NULL;
}

static void kernels_are_loaded_and_run_on_a_small_stack(void **state)
{
    (void)state;
    on_small_stack(use_kernel);
}

/* Products of matrices, one of each kind that is made in another way. */
static void *use_matrices(void *data)
{
    static const char text[] = ".version 8.4\n.target sm_90a\n.address_size 64\n"
        ".visible .entry k() {\n .reg .b32 %a<4>, %b<4>, %c<4>;\n"
        " .reg .f32 %f<4>;\n .reg .f64 %d<4>;\n .reg .b64 %l;\n .reg .pred %p;\n"
        " .shared .align 128 .b8 tile[8192];\n"
        " mov.u32 %a0, %tid.x; mov.u32 %a1, %a0; mov.u32 %a2, %a0; mov.u32 %a3, %a0;\n"
        " mov.u32 %b0, 0x3c003c00; mov.u32 %b1, %b0; mov.u32 %b2, %b0; mov.u32 %b3, %b0;\n"
        " mov.u32 %c0, 0; mov.u32 %c1, 0; mov.u32 %c2, 0; mov.u32 %c3, 0;\n"
        " mov.f32 %f0, 0f00000000; mov.f32 %f1, %f0; mov.f32 %f2, %f0; mov.f32 %f3, %f0;\n"
        " mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3},\n"
        "  {%b0, %b1, %b2, %b3}, {%b0, %b1}, {%f0, %f1, %f2, %f3};\n"
        " mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3},\n"
        "  {%b0, %b1, %b2, %b3}, {%b0, %b1, %b2, %b3}, {%f0, %f1, %f2, %f3}, 0x44444444, 0;\n"
        " mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%f0, %f1, %f2, %f3},\n"
        "  {%b0, %b1, %b2, %b3}, {%b0, %b1}, {%f0, %f1, %f2, %f3};\n"
        " mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%c0, %c1, %c2, %c3},\n"
        "  {%a0, %a1, %a2, %a3}, {%b0, %b1}, {%c0, %c1, %c2, %c3};\n"
        " mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc {%c0, %c1, %c2, %c3},\n"
        "  {%a0, %a1, %a2, %a3}, {%b0, %b1}, {%c0, %c1, %c2, %c3};\n"
        " wgmma.fence.sync.aligned; mov.b64 %l, 0; setp.eq.u32 %p, %c0, %c0;\n"
        " wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3},\n"
        "  {%b0, %b1, %b2, %b3}, %l, %p, 1, 1, 0;\n"
        " wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;\n"
        " ret; }\n";
    const rill_image image = { .size = sizeof image, .code = text };
    (void)data;
    MUST(rill_module_load(s.context, &image, &s.module));
    MUST(rill_module_kernel(s.module, "k", &s.kernel));
    MUST(rill_launch_kernel(s.stream, s.kernel, (rill_dim3){ 2, 1, 1 }, (rill_dim3){ 128, 1, 1 },
                            0, NULL));
    MUST(rill_stream_synchronize(s.stream));
    return NULL;
}

static void matrices_are_multiplied_on_a_small_stack(void **state)
{
    (void)state;
    on_small_stack(use_matrices);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(child_graphs_nest_on_a_small_stack),
        cmocka_unit_test(conditionals_nest_on_a_small_stack),
        cmocka_unit_test(child_graphs_are_replayed_on_a_small_stack),
        cmocka_unit_test(a_stack_that_is_not_to_be_had_refuses),
        cmocka_unit_test(kernels_are_loaded_and_run_on_a_small_stack),
        cmocka_unit_test(matrices_are_multiplied_on_a_small_stack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
