/* SPDX-License-Identifier: Apache-2.0
 *
 * Short memory: a program that uses each table of the layer, with one allocation failing, in turn
 * each of all that are made.  Under valgrind, which RILL_TEST_SCALE says, one of so many.
 *
 * What fails for want of memory beneath fails for the program as well, which ends then.  Where all
 * calls succeed, the results must be right, and either checking has stopped, which is said, or
 * all was found.
 */
#include <unistd.h>

#include "base/alloc.h"
#include "layer-check/checked.h"
#include "layer-check/report/state.h"
#include "layer-check/slots/checker.h"
#include "support/emulated.h"
#include "support/shortage.h"

enum { BYTES = 4096 };

/* ---- The program --------------------------------------------------------------------------- */

struct run {
    struct checked found;
    rill_platform *platform;
    rill_context *context;
    rill_stream *s, *t, *late;
    rill_event *event;
    rill_devptr x, y, words;
    rill_graph *graph, *clone, *body, *captured;
    rill_exec *exec, *other;
    rill_module *module;
    rill_kernel *kernel;
    unsigned char *pinned;
    bool refused, stopped;
    uint64_t left_out;
    unsigned char result;
};

#define TRY(call) \
    do { \
        if (!run->refused && (call)) run->refused = true; \
    } while (0)

static void look_at_x(const rill_launch *launch)
{
    rill_touch(RILL_ARGUMENT(launch, 0, rill_devptr), BYTES, RILL_TOUCH_READ);
}

static void fill_pinned(void *data)
{
    memset(data, 9, BYTES);
}

static void open_run(struct run *run)
{
    const rill_stream_options aside = { .size = sizeof aside, .flags = RILL_STREAM_NON_BLOCKING };
    const rill_sim_options sim = { .size = sizeof sim, .devices = 1, .workers = 1 };
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim,
                                        .layers = "check" };
    static const rill_param params[] = { RILL_PARAM(rill_devptr) };
    static const rill_function function = { .name = "k", .over_grid = look_at_x,
                                            .params = params, .param_count = 1 };
    static const rill_image image = { .size = sizeof image, .functions = &function,
                                      .function_count = 1 };
    TRY(rill_open(&options, &run->platform));
    TRY(rill_check_report(run->platform, take_finding, &run->found));
    TRY(rill_context_create(run->platform, NULL, &run->context));
    TRY(rill_stream_create(run->context, &aside, &run->s));
    TRY(rill_stream_create(run->context, &aside, &run->t));
    TRY(rill_stream_create(run->context, NULL, &run->late));
    TRY(rill_event_create(run->context, NULL, &run->event));
    TRY(rill_mem_alloc(run->context, BYTES, &run->x));
    TRY(rill_mem_alloc(run->context, BYTES, &run->y));
    TRY(rill_mem_alloc(run->context, 64, &run->words));
    TRY(rill_host_alloc(run->context, BYTES, 0, (void **)&run->pinned));
    TRY(rill_memset_d8(run->context, run->x, 0, BYTES));
    TRY(rill_memset_d8(run->context, run->y, 0, BYTES));
    TRY(rill_memset_d8(run->context, run->words, 0, 64));
    TRY(rill_context_synchronize(run->context));
    TRY(rill_module_load(run->context, &image, &run->module));
    TRY(rill_module_kernel(run->module, "k", &run->kernel));
}

/* Events, values, pieces of a block, a pool, a kernel, a function, the legacy stream. */
static void use_streams(struct run *run)
{
    const void *arguments[] = { &run->x };
    rill_devptr pooled = 0;
    TRY(rill_stream_wait_value32(run->t, run->words, 1, RILL_WAIT_GEQ));
    for (int i = 0; i < 8; i++)
        TRY(rill_memset_d8_async(run->s, run->x + 512u * (unsigned)i, 1, 256));
    TRY(rill_memcpy_dtod_async(run->s, run->y, run->x, BYTES));
    TRY(rill_stream_write_value32(run->s, run->words, 1, 0));
    TRY(rill_launch_kernel(run->t, run->kernel, (rill_dim3){ 1, 1, 1 }, (rill_dim3){ 1, 1, 1 }, 0,
                           arguments));
    TRY(rill_event_record(run->event, run->t, 0));
    TRY(rill_stream_wait_event(run->s, run->event, 0));
    TRY(rill_mem_alloc_async(run->s, BYTES, &pooled));
    TRY(rill_memset_d8_async(run->s, pooled, 2, BYTES));
    TRY(rill_mem_free_async(run->s, pooled));
    TRY(rill_launch_host(run->s, fill_pinned, run->pinned, NULL));
    TRY(rill_memcpy_htod_async(run->s, run->y, run->pinned, BYTES));
    TRY(rill_stream_synchronize(run->s));
    TRY(rill_memset_d8_async(run->late, run->words + 32, 3, 16));
    TRY(rill_memset_d8(run->context, run->words + 32, 4, 16));
    TRY(rill_stream_destroy(&run->late));
}

static void make_graph(struct run *run)
{
    const rill_fill fill = { .dst = run->x, .value = 5, .element_bytes = 1, .width = BYTES,
                             .height = 1 };
    const rill_value write = { .kind = RILL_VALUE_WRITE_32, .address = run->words + 16,
                               .value = 1 };
    rill_conditional handle = 0;
    rill_node nodes[4];
    TRY(rill_graph_create(run->context, NULL, &run->graph));
    TRY(rill_graph_add_memset(run->graph, NULL, 0, &fill, &nodes[0]));
    TRY(rill_graph_add_event_record(run->graph, nodes, 1, run->event, &nodes[1]));
    TRY(rill_graph_add_values(run->graph, nodes + 1, 1, &write, 1, 0, &nodes[2]));
    TRY(rill_graph_clone(run->graph, &run->clone));
    TRY(rill_graph_create(run->context, NULL, &run->captured));
    TRY(rill_graph_add_child(run->captured, NULL, 0, run->graph, 0, &nodes[0]));
    TRY(rill_conditional_create(run->captured, 1, RILL_CONDITIONAL_ASSIGN, &handle));
    TRY(rill_graph_add_conditional(run->captured, nodes, 1, handle, RILL_CONDITIONAL_IF, 1,
                                   &run->body, &nodes[1]));
    TRY(rill_graph_add_memset(run->body, NULL, 0, &fill, &nodes[2]));
    TRY(rill_exec_create(run->captured, NULL, &run->exec));
    TRY(rill_exec_launch(run->exec, run->s));
    TRY(rill_exec_launch(run->exec, run->t));
    TRY(rill_stream_synchronize(run->t));
}

static void change_exec(struct run *run)
{
    rill_update_result result;
    rill_op op = { .kind = RILL_OP_MEMSET };
    rill_node nodes[4];
    size_t count = 4;
    op.memset = (rill_fill){ .dst = run->x, .value = 6, .element_bytes = 1, .width = BYTES,
                             .height = 1 };
    TRY(rill_exec_create(run->clone, NULL, &run->other));
    TRY(rill_graph_roots(run->clone, nodes, &count));
    TRY(rill_exec_set_enabled(run->other, nodes[0], 0));
    TRY(rill_exec_launch(run->other, run->s));
    TRY(rill_exec_set_enabled(run->other, nodes[0], 1));
    TRY(rill_exec_set_op(run->other, nodes[0], &op));
    TRY(rill_exec_launch(run->other, run->s));
    TRY(rill_exec_update(run->other, run->clone, &result));
    TRY(rill_exec_launch(run->other, run->s));
    TRY(rill_stream_synchronize(run->s));
}

/* A capture, and what is wrong with the program: two races. */
static void end_badly(struct run *run)
{
    rill_graph *graph = NULL;
    TRY(rill_stream_begin_capture(run->s, NULL));
    TRY(rill_memset_d8_async(run->s, run->x, 7, BYTES));
    TRY(rill_stream_end_capture(run->s, &graph));
    if (graph) rill_graph_destroy(&graph);
    TRY(rill_memset_d8_async(run->s, run->words + 48, 8, 16));
    TRY(rill_memset_d8_async(run->t, run->words + 48, 8, 16));
    TRY(rill_exec_launch(run->other, run->s));
    TRY(rill_memcpy_dtod_async(run->t, run->y, run->x, BYTES));
    TRY(rill_context_synchronize(run->context));
    TRY(rill_memcpy_dtoh(run->context, &run->result, run->x + BYTES - 1, 1));
}

static void close_run(struct run *run)
{
    if (run->platform) {
        struct ck_checker *checker = ck_checker_of(run->platform);
        run->stopped = checker->report->stopped;
        run->left_out = checker->report->left_out;
    }
    if (run->s && run->words) /* for the wait, if it came to that */
        rill_stream_write_value32(run->s, run->words, 1, 0);
    rill_exec **const execs[] = { &run->exec, &run->other };
    rill_graph **const graphs[] = { &run->graph, &run->clone, &run->captured };
    rill_stream **const streams[] = { &run->s, &run->t, &run->late };
    for (size_t i = 0; i < 2; i++)
        if (*execs[i]) rill_exec_destroy(execs[i]);
    for (size_t i = 0; i < 3; i++)
        if (*graphs[i]) rill_graph_destroy(graphs[i]);
    for (size_t i = 0; i < 3; i++)
        if (*streams[i]) rill_stream_destroy(streams[i]);
    if (run->event) rill_event_destroy(&run->event);
    if (run->module) rill_module_unload(&run->module);
    if (run->x) rill_mem_free(run->context, run->x);
    if (run->y) rill_mem_free(run->context, run->y);
    if (run->words) rill_mem_free(run->context, run->words);
    if (run->pinned) rill_host_free(run->context, run->pinned);
    if (run->context) rill_context_destroy(&run->context);
    if (run->platform) rill_close(&run->platform);
}

/* Runs the program with the allocation failing that comes after so many; none if it is negative.
 * Returns whether there were so many. */
static bool run_program(struct run *run, long after)
{
    memset(run, 0, sizeof *run);
    rl_alloc_fail_after(after);
    open_run(run);
    use_streams(run);
    make_graph(run);
    change_exec(run);
    end_badly(run);
    bool failed = after < 0 || !shortage_is_left(after);
    close_run(run);
    return failed;
}

/* ---- Tests --------------------------------------------------------------------------------- */

/* Hints and leaks are told as well, of which these are not. */
static bool is_same_bug(const struct found *a, const struct found *b)
{
    return a->kind == b->kind && !strcmp(a->sentence, b->sentence) &&
           !strcmp(a->what[0], b->what[0]) && !strcmp(a->what[1], b->what[1]);
}

static size_t count_bugs(const struct run *run)
{
    size_t count = 0;
    for (size_t i = 0; i < run->found.count; i++)
        if (run->found.found[i].kind != RILL_FINDING_HINT) count++;
    return count;
}

static void expect_known(const struct run *run, const struct run *whole, long after)
{
    for (size_t i = 0, k; i < run->found.count; i++) {
        if (run->found.found[i].kind == RILL_FINDING_HINT) continue;
        for (k = 0; k < whole->found.count; k++)
            if (is_same_bug(&run->found.found[i], &whole->found.found[k])) break;
        if (k == whole->found.count)
            fail_msg("allocation %ld: found %s", after, run->found.found[i].sentence);
    }
}

/* Returns how many allocations it is from one that fails to the next. */
static long find_stride(void)
{
    const char *text = getenv("RILL_TEST_SCALE");
    long scale = text ? atol(text) : 1;
    return scale > 0 ? scale : 1;
}

/* The program races, and ThreadSanitizer knows. */
static void skip_races(void)
{
#ifdef __SANITIZE_THREAD__
    skip();
#endif
}

static void short_memory_ends_checking_and_never_the_program(void **state)
{
    static struct run whole, run;
    const long stride = find_stride();
    long stopped = 0, refused = 0, after = 0;
    (void)state;
    skip_races();
    run_program(&whole, -1);
    assert_false(whole.refused || whole.stopped);
    assert_int_equal(whole.result, 5);
    assert_int_equal(count_bugs(&whole), 2);
    for (; run_program(&run, after); after += stride) {
        expect_known(&run, &whole, after);
        refused += run.refused;
        if (run.refused) continue;
        stopped += run.stopped;
        if (run.result != whole.result) fail_msg("allocation %ld: a wrong result", after);
        if (!run.stopped && !run.left_out && count_bugs(&run) != count_bugs(&whole))
            fail_msg("allocation %ld: less was found, and nothing said", after);
    }
    print_message("# %ld allocations, one of %ld failed: %ld stop checking, %ld the program\n",
                  after, stride, stopped, refused);
    assert_in_range(stopped * stride, 100, after);
}

static void what_failed_is_freed_with_the_rest(void **state)
{
    static struct run run;
    (void)state;
    skip_races();
    run_program(&run, -1);
    cs_forget_sources();
    long live = rl_alloc_live();
    const long stride = find_stride();
    for (long after = stride / 2; run_program(&run, after); after += stride) {
        cs_forget_sources();
        if (rl_alloc_live() != live) fail_msg("allocation %ld: something is left", after);
    }
}

static const char *program;

static void the_report_says_so(void **state)
{
    char command[512], said[4096] = "";
    (void)state;
    needs_own_programs();
    snprintf(command, sizeof command, "RILL_CHECK='race log=/dev/stderr' %s short 2>&1", program);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    said[fread(said, 1, sizeof said - 1, pipe)] = 0;
    assert_int_equal(pclose(pipe), 0);
    const char *sentence = "checking stopped: there was no memory to go on with";
    const char *at = strstr(said, sentence);
    if (!at) fail_msg("it says %s", said);
    assert_null(strstr(at + 1, sentence));
}

/* A platform whose first stream cannot be told apart. */
static int run_short(void)
{
    const rill_open_options options = { .size = sizeof options, .backend = "sim",
                                        .layers = "check" };
    rill_platform *platform;
    if (rill_open(&options, &platform)) return 1;
    struct ck_checker *checker = ck_checker_of(platform);
    struct ck_checker *entered = ck_enter(platform);
    if (entered != checker) return 1;
    const struct ck_what what = { .host = true };
    rl_alloc_fail_after(0);
    struct ck_work *work = ck_host_add(&checker->order, &what);
    ck_leave(entered);
    rl_alloc_fail_after(-1);
    return work || rill_close(&platform);
}

int main(int count, char **arguments)
{
    program = arguments[0];
    if (count > 1) return run_short();
    setenv("RILL_CHECK", "race life capture init hints log=/dev/null", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_memory_ends_checking_and_never_the_program),
        cmocka_unit_test(what_failed_is_freed_with_the_rest),
        cmocka_unit_test(the_report_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, end_sources);
}
