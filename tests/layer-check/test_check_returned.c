/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies of graphs from and to arrays of functions: such memory has to outlive the launches.
 */
#include <config.h>
#include <ucontext.h>

#include "layer-check/pairs.h"

/* What uses memory of a function that has returned, or switches stacks, is an error to these. */
static void skip_where_stacks_are_watched(void)
{
#if defined __SANITIZE_THREAD__ || defined __SANITIZE_ADDRESS__
    skip();
#endif
    if (getenv("RILL_TEST_WRAPPER")) skip_because("the wrapper has stacks of its own");
}

/* Captures a copy between x and an array, by default the far end of one of its own, out of the way
 * of what runs later. */
__attribute__((noinline)) static rill_exec *capture_copy(struct checked *c, unsigned char *array,
                                                         bool to_x)
{
    unsigned char own[32 * BYTES];
    rill_graph *graph;
    rill_exec *exec;
    if (!array) array = own;
    memset(array, 7, BYTES);
    OK(rill_stream_begin_capture(c->s, NULL));
    if (to_x) OK(rill_memcpy_htod_async(c->s, c->x, array, BYTES));
    else OK(rill_memcpy_dtoh_async(c->s, array, c->x, BYTES));
    OK(rill_stream_end_capture(c->s, &graph));
    OK(rill_exec_create(graph, NULL, &exec));
    OK(rill_graph_destroy(&graph));
    return exec;
}

static void launch_and_destroy(struct checked *c, rill_exec *exec)
{
    OK(rill_exec_launch(exec, c->s));
    OK(rill_stream_synchronize(c->s));
    OK(rill_exec_destroy(&exec));
}

/* ---- What is found ------------------------------------------------------------------------- */

static void a_source_outlives_the_launches_program(struct checked *c, bool good)
{
    unsigned char array[BYTES];
    launch_and_destroy(c, capture_copy(c, good ? array : NULL, true));
}

static void a_source_outlives_the_launches(void **state)
{
    (void)state;
    skip_where_stacks_are_watched();
    struct found found = expect_bug(a_source_outlives_the_launches_program, RILL_FINDING_LIFETIME);
    assert_string_equal(found.sentence, "memcpy was made for memory of a function that has "
                                        "returned before this launch");
    assert_string_equal(found.memory, "4 KiB on the stack of the thread");
    assert_string_equal(found.advice, "let the memory live as long as the graph is launched");
    assert_int_equal(found.places, 1);
}

/* As small as it gets, and where the frames of the library come to lie during the launch. */
__attribute__((noinline)) static rill_exec *capture_small(struct checked *c, unsigned char *array)
{
    unsigned char own[64];
    rill_graph *graph;
    rill_exec *exec;
    if (!array) array = own;
    memset(array, 7, sizeof own);
    OK(rill_stream_begin_capture(c->s, NULL));
    OK(rill_memcpy_htod_async(c->s, c->x, array, sizeof own));
    OK(rill_stream_end_capture(c->s, &graph));
    OK(rill_exec_create(graph, NULL, &exec));
    OK(rill_graph_destroy(&graph));
    return exec;
}

static void frames_of_the_library_hide_nothing_program(struct checked *c, bool good)
{
    unsigned char array[64];
    launch_and_destroy(c, capture_small(c, good ? array : NULL));
}

static void frames_of_the_library_hide_nothing(void **state)
{
    (void)state;
    skip_where_stacks_are_watched();
    struct found found =
        expect_bug(frames_of_the_library_hide_nothing_program, RILL_FINDING_LIFETIME);
    assert_string_equal(found.memory, "64 bytes on the stack of the thread");
}

static void so_does_what_is_written_program(struct checked *c, bool good)
{
    unsigned char array[BYTES];
    launch_and_destroy(c, capture_copy(c, good ? array : NULL, false));
}

static void so_does_what_is_written(void **state)
{
    (void)state;
    skip_where_stacks_are_watched();
    expect_bug(so_does_what_is_written_program, RILL_FINDING_LIFETIME);
}

/* ---- What is not --------------------------------------------------------------------------- */

static void what_an_exec_no_longer_copies_is_no_matter(void **state)
{
    struct checked checked;
    unsigned char array[BYTES] = { 1 };
    rill_node node;
    rill_graph *graph;
    rill_exec *exec;
    (void)state;
    begin_pair(&checked);
    const rill_copy copy = { .src = { .kind = RILL_MEMORY_HOST, .address = (uintptr_t)array },
                             .dst = { .kind = RILL_MEMORY_DEVICE, .address = checked.x },
                             .width = BYTES, .height = 1, .depth = 1 };
    rill_op op = { .kind = RILL_OP_MEMCPY };
    op.memcpy = copy;
    op.memcpy.src.address -= (uint64_t)32 * BYTES; /* as a function that is gone had it */
    OK(rill_graph_create(checked.context, NULL, &graph));
    OK(rill_graph_add_memcpy(graph, NULL, 0, &op.memcpy, &node));
    OK(rill_exec_create(graph, NULL, &exec));
    OK(rill_exec_set_enabled(exec, node, 0));
    OK(rill_exec_launch(exec, checked.s));
    OK(rill_exec_set_enabled(exec, node, 1));
    op.memcpy = copy;
    OK(rill_exec_set_op(exec, node, &op));
    launch_and_destroy(&checked, exec);
    OK(rill_graph_destroy(&graph));
    expect_nothing(&checked);
    end_pair(&checked);
}

/* (musl has none of these calls.) */
#ifdef RILL_HAVE_MAKECONTEXT

static struct coroutine {
    ucontext_t outside, inside;
    struct checked *checked;
    rill_exec *exec;
} coroutine;

static void run_coroutine(void)
{
    launch_and_destroy(coroutine.checked, coroutine.exec);
}

/* The array is below the stack of the coroutine, and is this function's. */
__attribute__((noinline)) static void launch_in_coroutine(struct checked *c, void *stack,
                                                          size_t bytes)
{
    unsigned char array[BYTES];
    coroutine = (struct coroutine){ .checked = c, .exec = capture_copy(c, array, true) };
    assert_int_equal(getcontext(&coroutine.inside), 0);
    coroutine.inside.uc_stack.ss_sp = stack;
    coroutine.inside.uc_stack.ss_size = bytes;
    coroutine.inside.uc_link = &coroutine.outside;
    makecontext(&coroutine.inside, run_coroutine, 0);
    assert_int_equal(swapcontext(&coroutine.outside, &coroutine.inside), 0);
}

static void a_coroutine_may_lie_on_the_stack_of_its_thread(void **state)
{
    struct checked checked;
    _Alignas(16) unsigned char stack[128 * 1024];
    (void)state;
    skip_where_stacks_are_watched();
    begin_pair(&checked);
    launch_in_coroutine(&checked, stack, sizeof stack);
    expect_nothing(&checked);
    end_pair(&checked);
}

#else

static void a_coroutine_may_lie_on_the_stack_of_its_thread(void **state)
{
    (void)state;
    skip_because("there is no makecontext()");
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_source_outlives_the_launches),
        cmocka_unit_test(frames_of_the_library_hide_nothing),
        cmocka_unit_test(so_does_what_is_written),
        cmocka_unit_test(what_an_exec_no_longer_copies_is_no_matter),
        cmocka_unit_test(a_coroutine_may_lie_on_the_stack_of_its_thread),
    };
    return cmocka_run_group_tests(tests, NULL, end_sources);
}
