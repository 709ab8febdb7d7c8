/* SPDX-License-Identifier: Apache-2.0
 *
 * rill_explore(): as many runs as there are classes of schedules, by brute force, and all final
 * states; what is told, and where it ends.
 *
 *     RILL_EXPLORE_PROGRAMS  how many generated programs; default 60, by RILL_TEST_SCALE
 *     RILL_EXPLORE_SEED      the first one's number
 */
#include <rill/check.h>
#include <rill/explore.h>
#include <rill/rill.h>
#include <rill/sim.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore/abstract.h"
#include "support/cmocka_all.h"

#define PROGRAMS 60
#define ok(call) assert_int_equal((call), RILL_SUCCESS)

static unsigned long number_of(const char *name, unsigned long otherwise)
{
    const char *value = getenv(name);
    return value && *value ? strtoul(value, NULL, 10) : otherwise;
}

/* ---- A generated program, in streams ------------------------------------------------------- */

struct play {
    const struct abstract *program;
    rill_context *context;
    rill_stream *streams[ABSTRACT_STREAMS];
    rill_event *events[OPS_MAX];
    uint64_t *words;             /* device memory */
    struct play_op {
        struct play *play;
        unsigned op;
    } ops[OPS_MAX];
    struct abstract_set *states; /* found so far  */
};

static void run_op(void *data)
{
    const struct play_op *at = data;
    struct play *play = at->play;
    const struct abstract_op *what = &play->program->ops[at->op];
    bool silent = what->turn == TURN_BY_WORD && play->words[what->by] & 1;
    uint64_t before[WORDS];
    memcpy(before, play->words, sizeof before);
    for (unsigned i = 0; i < WORDS; i++) {
        rill_devptr address = (rill_devptr)(uintptr_t)&play->words[i];
        bool reads = what->reads >> i & 1 || (what->turn && what->by == i);
        if (reads) rill_touch(address, sizeof *play->words, RILL_TOUCH_READ);
        if (!(what->writes >> i & 1) || silent) continue;
        rill_touch(address, sizeof *play->words, RILL_TOUCH_WRITE);
        play->words[i] = abstract_value(play->program, at->op, before, i);
    }
}

static void open_play(struct play *play, rill_platform *platform)
{
    const rill_stream_options options = { .size = sizeof options,
                                          .flags = RILL_STREAM_NON_BLOCKING };
    rill_devptr memory;
    ok(rill_context_create(platform, 0, &play->context));
    for (unsigned i = 0; i < ABSTRACT_STREAMS; i++)
        ok(rill_stream_create(play->context, &options, &play->streams[i]));
    ok(rill_mem_alloc(play->context, WORDS * sizeof *play->words, &memory));
    play->words = (uint64_t *)(uintptr_t)memory;
    memset(play->words, 0, WORDS * sizeof *play->words);
}

static void submit_op(struct play *play, unsigned op)
{
    const struct abstract_op *what = &play->program->ops[op];
    rill_stream *stream = play->streams[what->stream];
    for (unsigned i = 0; i < op; i++)
        if (what->after >> i & 1) ok(rill_stream_wait_event(stream, play->events[i], 0));
    play->ops[op] = (struct play_op){ play, op };
    ok(rill_launch_host(stream, run_op, &play->ops[op], NULL));
    ok(rill_event_create(play->context, NULL, &play->events[op]));
    ok(rill_event_record(play->events[op], stream, 0));
}

static void close_play(struct play *play)
{
    for (unsigned i = 0; i < OPS_MAX; i++)
        if (play->events[i]) ok(rill_event_destroy(&play->events[i]));
    for (unsigned i = 0; i < ABSTRACT_STREAMS; i++) ok(rill_stream_destroy(&play->streams[i]));
    ok(rill_mem_free(play->context, (rill_devptr)(uintptr_t)play->words));
    ok(rill_context_destroy(&play->context));
}

static int run_program(rill_platform *platform, void *data)
{
    struct play *play = data;
    open_play(play, platform);
    for (unsigned op = 0; op < play->program->count; op++) submit_op(play, op);
    ok(rill_context_synchronize(play->context));
    abstract_set_add(play->states, abstract_hash(play->words));
    close_play(play);
    return 0;
}

/* ---- The same as nodes of a graph ----------------------------------------------------------- */

static void add_node(struct play *play, rill_graph *graph, rill_node nodes[OPS_MAX], unsigned op)
{
    const struct abstract *program = play->program;
    rill_node before[OPS_MAX];
    size_t count = 0;
    for (unsigned i = 0; i < op; i++)
        if (program->ops[op].after >> i & 1 || program->ops[i].stream == program->ops[op].stream)
            before[count++] = nodes[i];
    play->ops[op] = (struct play_op){ play, op };
    ok(rill_graph_add_host(graph, before, count, run_op, &play->ops[op], NULL, &nodes[op]));
}

static int run_graph(rill_platform *platform, void *data)
{
    struct play *play = data;
    rill_graph *graph;
    rill_exec *exec;
    rill_node nodes[OPS_MAX];
    open_play(play, platform);
    ok(rill_graph_create(play->context, NULL, &graph));
    for (unsigned op = 0; op < play->program->count; op++) add_node(play, graph, nodes, op);
    ok(rill_exec_create(graph, NULL, &exec));
    ok(rill_exec_launch(exec, play->streams[0]));
    ok(rill_context_synchronize(play->context));
    abstract_set_add(play->states, abstract_hash(play->words));
    ok(rill_exec_destroy(&exec));
    ok(rill_graph_destroy(&graph));
    close_play(play);
    return 0;
}

/* ---- As brute force ------------------------------------------------------------------------ */

static uint64_t all_classes, all_runs;

static void check_program(uint64_t seed, bool turns, rill_explore_fn run)
{
    struct abstract program = abstract_draw(seed, turns, false);
    struct abstract_set classes = { .count = 0 }, states = { .count = 0 }, found = { .count = 0 };
    struct play play = { .program = &program, .states = &found };
    rill_explore_report report = { .size = sizeof report };
    abstract_all(&program, &classes, &states);
    ok(rill_explore(NULL, run, &play, &report));
    if (report.explored != classes.count || !report.complete)
        print_message("# program %llu: %s, brute force %zu\n", (unsigned long long)seed,
                      report.words, classes.count);
    assert_int_equal(report.explored, classes.count);
    assert_true(report.complete);
    assert_true(abstract_set_same(&states, &found));
    if (!turns) assert_int_equal(report.runs, classes.count);
    all_classes += classes.count;
    all_runs += report.runs;
    abstract_set_free(&classes);
    abstract_set_free(&states);
    abstract_set_free(&found);
}

static void check_programs(bool turns, rill_explore_fn run)
{
    unsigned long first = number_of("RILL_EXPLORE_SEED", 0);
    unsigned long few = PROGRAMS / number_of("RILL_TEST_SCALE", 1);
    unsigned long count = number_of("RILL_EXPLORE_PROGRAMS", few ? few : 1);
    all_classes = all_runs = 0;
    for (uint64_t seed = first; seed < first + count; seed++) check_program(seed, turns, run);
    print_message("# %lu programs have %llu classes, found in %llu runs\n", count,
                  (unsigned long long)all_classes, (unsigned long long)all_runs);
}

static void each_class_has_one_run(void **state)
{
    (void)state;
    check_programs(false, run_program);
}

static void accesses_may_depend_on_the_order(void **state)
{
    (void)state;
    check_programs(true, run_program);
}

static void nodes_are_steps_as_well(void **state)
{
    (void)state;
    check_programs(false, run_graph);
    check_programs(true, run_graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_class_has_one_run),
        cmocka_unit_test(accesses_may_depend_on_the_order),
        cmocka_unit_test(nodes_are_steps_as_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
