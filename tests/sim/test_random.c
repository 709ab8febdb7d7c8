/* SPDX-License-Identifier: Apache-2.0
 *
 * Random programs over streams, events, graphs, contexts and threads, each checked
 * against what it was promised.
 *
 *     RILL_RANDOM_PROGRAMS  how many; default 10000
 *     RILL_RANDOM_SEED      the first one's number; then one program is enough
 *     RILL_RANDOM_REPEAT    how often each of them runs
 *     RILL_RANDOM_DROP      steps and nodes to leave out, as a failure prints them
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "support/cmocka_all.h"
#include "random/play.h"
#include "random/shrink.h"
#include "support/watchdog.h"

#define PROGRAMS 10000
#define PROGRAMS_OF_A_STAGE 300
#define HANGS_AFTER 15       /* seconds */
#define CHILD_HANGS_AFTER 2
#define CHILD_SECONDS 2

static struct program program;
static struct model model;
static struct play play;

/* ---- What the environment says ------------------------------------------------------- */

static unsigned long number_of(const char *name, unsigned long otherwise)
{
    const char *text = getenv(name);
    return text && *text ? strtoul(text, NULL, 10) : otherwise;
}

static bool is_child(void)
{
    return getenv("RILL_RANDOM_CHILD");
}

static unsigned long programs_wanted(void)
{
    if (is_child()) return 1;
    unsigned long usual = getenv("RILL_RANDOM_SEED") ? 1 : PROGRAMS;
    unsigned long scale = number_of("RILL_TEST_SCALE", 1);
    if (usual > 1 && scale > 1) usual /= scale;
    return number_of("RILL_RANDOM_PROGRAMS", usual);
}

/* ---- Failing --------------------------------------------------------------------------- */

static char text[STEPS_MAX * 128];

static void report(const char *what)
{
    if (is_child()) return;
    fprintf(stderr, "# program %llu %s\n", (unsigned long long)program.seed, what);
    program_print(&program, text, sizeof text);
    fputs(text, stderr);
    if (getenv("RILL_TEST_WRAPPER")) return;
    if (shrink_program(&program)) {
        program_print(&program, text, sizeof text);
        fprintf(stderr, "# it also fails without some of its steps:\n%s# RILL_RANDOM_REPEAT=1000 "
                "RILL_RANDOM_SEED=%llu RILL_RANDOM_DROP=%s\n", text,
                (unsigned long long)program.seed, getenv("RILL_RANDOM_DROP"));
    } else {
        fprintf(stderr, "# it does not fail again when it is repeated\n");
    }
}

static void report_hang(void *data)
{
    (void)data;
    if (is_child()) return;
    size_t used = play_print_state(&play, text, sizeof text);
    fprintf(stderr, "# nothing moves:\n%.*s", (int)used, text);
    report("hangs");
}

/* The simulator's watchdog barked. */
static void say_which(int signal)
{
    char line[64];
    int length = snprintf(line, sizeof line, "# RILL_RANDOM_SEED=%llu\n",
                          (unsigned long long)program.seed);
    (void)signal;
    if (!is_child() && write(STDERR_FILENO, line, (size_t)length) < 0) _exit(1);
}

/* ---- Running --------------------------------------------------------------------------- */

enum { STAGES = 6 };

static struct stage stages[STAGES];
static unsigned long played_on[STAGES];

static struct stage *stage_for(const struct program *wanted)
{
    int which = (wanted->workers == 1 ? 0 : wanted->workers == 2 ? 1 : 2) + 3 * wanted->whims;
    struct stage *stage = &stages[which];
    if (stage->platform && ++played_on[which] % PROGRAMS_OF_A_STAGE == 0)
        assert_null(stage_close(stage));
    setenv("RILL_SIM_WHIMS", wanted->whims ? "1" : "0", 1);
    if (!stage->platform) assert_null(stage_open(stage, wanted->workers));
    return stage;
}

static void close_stages(void)
{
    for (int i = 0; i < STAGES; i++)
        if (stages[i].platform) assert_null(stage_close(&stages[i]));
}

static void run_seed(uint64_t seed, unsigned long times)
{
    program_generate(&program, seed);
    shrink_obey(&program);
    assert_true(model_make(&model, &program));
    while (times--) {
        const char *verdict = play_program(&play, &program, &model, stage_for(&program));
        watchdog_pat();
        if (!verdict) continue;
        report(verdict);
        fail_msg("program %llu %s", (unsigned long long)seed, verdict);
    }
}

static void random_programs(void **state)
{
    (void)state;
    unsigned long programs = programs_wanted(), repeat = number_of("RILL_RANDOM_REPEAT", 1);
    uint64_t first = number_of("RILL_RANDOM_SEED", 1);
    time_t end = time(NULL) + CHILD_SECONDS;
    signal(SIGABRT, say_which);
    watchdog_start(is_child() ? CHILD_HANGS_AFTER : HANGS_AFTER, report_hang, NULL);
    for (unsigned long i = 0; i < programs; i++) run_seed(first + i, repeat);
    while (is_child() && time(NULL) < end) run_seed(first, 1);
    watchdog_stop();
    close_stages();
}

/* ---- The model itself ---------------------------------------------------------------------- */

/* A program in one context: S0 is its legacy stream, S1 and S2 block, S3 does
 * not; E0 is an event. */
static void begin(int threads)
{
    memset(&program, 0, sizeof program);
    program.threads = threads;
    program.contexts = program.events = 1;
    static const uint8_t kinds[] = { LEGACY, BLOCKING, BLOCKING, NON_BLOCKING };
    for (; program.streams < 4; program.streams++)
        program.stream[program.streams] = (struct stream_plan){ .kind = kinds[program.streams],
                                                                .born = -1 };
    program.event[0] = (struct event_plan){ .born = -1, .shared = true };
}

static int add(int thread, enum verb verb, int stream, int event, int partner)
{
    program.step[program.steps] = (struct step){
        .verb = (uint8_t)verb, .thread = (uint8_t)thread, .stream = (int8_t)stream, .other = -1,
        .event = (int8_t)event, .event2 = -1, .context = -1, .buffer = -1, .source = -1,
        .graph = -1, .node = -1,
        .partner = (int16_t)partner,
    };
    return program.steps++;
}

static bool promised(int first, int second)
{
    return set_has(&model.promised[second], first);
}

static void model_knows_default_streams(void **state)
{
    (void)state;
    begin(1);
    int a = add(0, DO_HOST, 1, -1, -1), free1 = add(0, DO_HOST, 3, -1, -1);
    int legacy = add(0, DO_HOST, 0, -1, -1);
    int b = add(0, DO_HOST, 2, -1, -1), free2 = add(0, DO_HOST, 3, -1, -1);
    int query = add(0, DO_QUERY_STREAM, 2, -1, -1);
    assert_true(model_make(&model, &program));
    assert_true(promised(a, legacy));
    assert_true(promised(legacy, b));
    assert_true(promised(a, b));
    assert_true(promised(a, query));
    assert_false(promised(free1, legacy));
    assert_false(promised(legacy, free2));
    assert_true(promised(free1, free2));
    assert_false(model_must_be_done(&model, query));
}

static void model_knows_events(void **state)
{
    (void)state;
    begin(1);
    int a = add(0, DO_HOST, 1, -1, -1);
    add(0, DO_RECORD, 1, 0, -1);
    int later = add(0, DO_HOST, 1, -1, -1);
    add(0, DO_WAIT, 3, 0, -1);
    int b = add(0, DO_HOST, 3, -1, -1);
    int again = add(0, DO_RECORD, 1, 0, -1);
    int sync = add(0, DO_SYNC_EVENT, -1, 0, -1), query = add(0, DO_QUERY_EVENT, -1, 0, -1);
    assert_true(model_make(&model, &program));
    assert_true(promised(a, b));
    assert_false(promised(later, b));
    assert_true(promised(later, sync));
    assert_false(promised(b, sync));
    assert_int_equal(model_record_at(&model, 0, query), again);
    assert_true(model_must_be_done(&model, query));
}

static void model_knows_threads(void **state)
{
    (void)state;
    begin(2);
    int a = add(0, DO_HOST, 1, -1, -1), b = add(1, DO_HOST, 1, -1, -1);
    add(1, DO_AWAIT, -1, -1, a);
    int c = add(1, DO_HOST, 1, -1, -1);
    int one = add(0, DO_RECORD, 1, 0, -1), two = add(1, DO_RECORD, 3, 0, -1);
    int wait = add(1, DO_WAIT, 2, 0, -1);
    assert_true(model_make(&model, &program));
    assert_false(promised(a, b));
    assert_true(promised(a, c));
    assert_true(promised(b, c));
    /* Which of the two records the event has by then is anybody's guess. */
    assert_false(promised(one, wait));
    assert_false(promised(two, wait));
}

/* From a buffer of C1, whose legacy stream is S4, to one of C0. */
static void model_knows_copies_between_contexts(void **state)
{
    (void)state;
    begin(1);
    program.contexts = program.buffers = 2;
    program.stream[program.streams++] =
        (struct stream_plan){ .context = 1, .kind = LEGACY, .born = -1 };
    program.context_of[1] = 1;
    int copy = add(0, DO_COPY, 0, -1, -1);
    program.step[copy].how = HOW_SYNC;
    program.step[copy].buffer = 0;
    program.step[copy].source = 1;
    add(0, DO_SYNC_STREAM, 0, -1, -1);
    int own = add(0, DO_QUERY_STREAM, 0, -1, -1), early = add(0, DO_QUERY_STREAM, 4, -1, -1);
    add(0, DO_SYNC_STREAM, 4, -1, -1);
    int late = add(0, DO_QUERY_STREAM, 4, -1, -1);
    assert_true(model_make(&model, &program));
    assert_true(model_must_be_done(&model, own));
    /* The copy is done, but what let it pass need not be. */
    assert_false(model_must_be_done(&model, early));
    assert_true(model_must_be_done(&model, late));
}

/* G0: n0, which records E0, then n1; and n2, which stands alone. */
static void begin_graph(void)
{
    static const struct node_plan plain = { .kind = NODE_HOST, .times = 1, .sets = -1,
                                            .home = -1, .source = { -1, -1 } };
    struct graph_plan *plan = &program.graph[program.graphs++];
    *plan = (struct graph_plan){
        .nodes = 3, .parts = 1, .recorder = 0, .awaiter = -1, .awaited = -1, .buffer = -1,
        .source = -1, .writer = -1, .reader = -1,
        .node = { plain, plain, plain }, .part = { { -1, 1 } },
    };
    plan->node[0].kind = NODE_RECORD;
    plan->node[1].after = plan->node[1].over = 1;
}

static int use(enum verb verb, int stream, int node, int how)
{
    int step = add(0, verb, stream, verb == DO_LAUNCH ? 0 : -1, -1);
    program.step[step].graph = 0;
    program.step[step].node = (int8_t)node;
    program.step[step].how = (uint8_t)how;
    return step;
}

static void model_knows_launches(void **state)
{
    (void)state;
    begin(1);
    begin_graph();
    int a = add(0, DO_HOST, 3, -1, -1), one = use(DO_LAUNCH, 3, -1, 0);
    add(0, DO_WAIT, 1, 0, -1);
    int b = add(0, DO_HOST, 1, -1, -1);
    use(DO_CHANGE, -1, 2, 5);
    int two = use(DO_LAUNCH, 2, -1, 0), c = add(0, DO_HOST, 2, -1, -1);
    assert_true(model_make(&model, &program));
    assert_true(promised(a, one));
    /* Behind the record, not behind the launch. */
    assert_true(promised(RECORD_IN(one), b));
    assert_true(promised(a, b));
    assert_false(promised(one, b));
    /* Two launches of one exec, in two streams. */
    assert_true(promised(one, two));
    assert_true(promised(one, c) && promised(two, c) && promised(RECORD_IN(two), c));
    assert_false(promised(b, two));
    assert_int_equal(model.expected[0].content[1][2], graph_mark(0, 2, 0));
    assert_int_equal(model.expected[0].content[2][2], graph_mark(0, 2, 5));
    assert_int_equal(model.expected[0].content[2][1], graph_mark(0, 1, 0));
}

/* A WHILE of three turns, n0, with n1 before n2 in it, and n3 behind it. */
static void graph_plans_know_turns(void **state)
{
    (void)state;
    struct graph_plan plan = {
        .nodes = 4, .parts = 2, .part = { { -1, 1 }, { 0, 3 } },
        .node = { { .kind = NODE_WHILE, .times = 1 }, { .part = 1, .times = 3 },
                  { .part = 1, .times = 3, .over = 2 }, { .times = 1, .over = 1 } },
    };
    assert_true(graph_before(&plan, 1, 2) && graph_before(&plan, 2, 3));
    assert_false(graph_before(&plan, 2, 1));
    for (unsigned run = 0; run < 3; run++) {
        struct run_range first = run_range(&plan, 2, run, 1);
        struct run_range second = run_range(&plan, 1, run, 2);
        struct run_range behind = run_range(&plan, 1, run, 3);
        assert_true(first.least == run + 1 && first.most == run + 1);
        assert_true(second.least == run && second.most == run);
        assert_true(behind.least == 0 && behind.most == 0);
    }
    struct run_range all = run_range(&plan, 3, 0, 1);
    assert_true(all.least == 3 && all.most == 3);
}

/* n0 is memory of the graph, in which n1 has its cell; n2 has a cell of its own.  n3 copies
 * either cell, n4 always that of n1, and n5 always that of n2. */
static void graph_plans_know_what_copies_may_become(void **state)
{
    (void)state;
    struct graph_plan plan = {
        .nodes = 6, .parts = 1,
        .node = { { .kind = NODE_ALLOC, .home = -1 }, { .kind = NODE_FILL, .home = 0 },
                  { .kind = NODE_FILL, .home = -1 },
                  { .kind = NODE_COPY, .home = -1, .source = { 1, 2 } },
                  { .kind = NODE_COPY, .home = 0, .source = { 1, 1 } },
                  { .kind = NODE_COPY, .home = 0, .source = { 2, 2 } } },
    };
    assert_true(graph_can_change(&plan, 3) && !graph_can_change_alone(&plan, 3));
    assert_true(graph_can_change_alone(&plan, 4) && graph_can_change_alone(&plan, 5));
    assert_true(graph_can_change_alone(&plan, 1) && !graph_can_change_alone(&plan, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(model_knows_default_streams),
        cmocka_unit_test(model_knows_events),
        cmocka_unit_test(model_knows_threads),
        cmocka_unit_test(model_knows_copies_between_contexts),
        cmocka_unit_test(model_knows_launches),
        cmocka_unit_test(graph_plans_know_turns),
        cmocka_unit_test(graph_plans_know_what_copies_may_become),
        cmocka_unit_test(random_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
