/* SPDX-License-Identifier: Apache-2.0
 *
 * The simulator's watchdog: it barks at what is broken here by hand, each time in a process
 * of its own, and at nothing else.
 */
#include "sim/machine.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include "backend-sim/exec/exec.h"
#include "backend-sim/program/gang/gang.h"
#include "backend-sim/program/plan_draft.h"
#include "backend-sim/scheduler/watchdog.h"
#include "base/park.h"
#include "base/process/progress.h"
#include "support/emulated.h"
#include "support/process.h"

extern char **environ;

enum { NODES = 20, BARKS_WITHIN = 60 /* seconds */ };

static struct machine m;
static struct engine *engine;

/* ---- What is broken, in a process of its own --------------------------------------------- */

static void run_nothing(void *data)
{
    (void)data;
}

/* Whoever comes first waits here until the mistake is made. */
static atomic_bool made;

static void wait_for_mistake(void *data)
{
    (void)data;
    while (!atomic_load(&made)) sched_yield();
}

/* A line of host functions, which a gang runs node by node, or by a plan. */
static struct program *make_program(bool planned)
{
    rill_node nodes[NODES];
    rill_graph *graph;
    struct program *program;
    struct freeze_failure failure;
    ok(rill_graph_create(m.context[0], NULL, &graph));
    for (int i = 0; i < NODES; i++)
        ok(rill_graph_add_host(graph, &nodes[i - (i > 0)], i > 0,
                               i ? run_nothing : wait_for_mistake, NULL, NULL, &nodes[i]));
    for (int i = 0; i + 3 < NODES; i++) /* a chain would be one cluster */
        ok(rill_graph_add_edges(graph, &nodes[i], &nodes[i + 3], NULL, 1));
    ok(sim_program_freeze(sim_graph_of(graph), sim_context_of(m.context[0]), &program, &failure));
    assert_true(sim_plan_make_room(program));
    for (int i = 0; i < NODES; i++) program->run.costs[i] = 50000;
    if (!planned) return program;
    program->run.plan = sim_plan_make(program, 2);
    program->run.schedule = SCHEDULE_PLANNED;
    return program;
}

static struct strand *make_strand(void)
{
    struct strand *strand = sim_strand_create(engine, sim_context_of(m.context[0]), 4711, 0);
    assert_non_null(strand);
    return strand;
}

static struct gang *begin(struct program *program, struct launch *launch, uint32_t *seat)
{
    *launch = (struct launch){ .context = { NULL, make_strand(), 1 }, .number = 1 };
    sim_run_here = &launch->context;
    return sim_gang_begin(engine, program, seat);
}

/* Another thread may be who notices. */
static void sleep_for_long(void)
{
    for (int i = 0; i < BARKS_WITHIN; i++) sleep(1);
}

/* The unit waits for one more than there are. */
static void lose_a_unit(void)
{
    struct launch launch;
    uint32_t seat;
    struct gang *gang = begin(make_program(false), &launch, &seat);
    atomic_fetch_add(&gang->joins[NODES - 1], 1);
    atomic_store(&made, true);
    sim_gang_work(gang, seat);
    sleep_for_long();
}

static void lose_a_unit_of_a_body(void)
{
    struct launch launch;
    uint32_t seat;
    struct gang *gang = begin(make_program(false), &launch, &seat);
    atomic_fetch_add(&gang->joins[NODES - 1], 1);
    atomic_store(&made, true);
    sim_gang_finish(gang, seat);
    sleep_for_long();
}

static void run_a_unit_twice(void)
{
    struct launch launch;
    uint32_t seat;
    struct gang *gang = begin(make_program(false), &launch, &seat);
    sim_gang_spill(gang, NODES - 1);
    atomic_store(&made, true);
    sim_gang_work(gang, seat);
    sleep_for_long();
}

static void leave_a_counter_behind(void)
{
    struct launch launch;
    struct program *program = make_program(true);
    uint32_t seat;
    atomic_store(&made, true);
    struct gang *gang = begin(program, &launch, &seat);
    bool over = sim_gang_work(gang, seat);
    while (!over) {
        enum gang_seat joined = sim_gang_join(gang, &seat);
        over = joined == GANG_OVER || (joined == GANG_JOINED && sim_gang_work(gang, seat));
    }
    atomic_fetch_add(&gang->joins[program->run.plan->count - 1], 8);
    begin(program, &launch, &seat);
    sleep_for_long();
}

static void forget_a_ready_strand(void)
{
    struct strand *strand = make_strand();
    atomic_store(&strand->submitted, 3);
    atomic_store(&strand->state, STRAND_READY);
    sleep_for_long();
}

static void let_go_too_early(void)
{
    atomic_store(&make_strand()->submitted, 3);
    sleep_for_long();
}

static void leave_a_strand_parked(void)
{
    struct strand *strand = make_strand(), *other = make_strand();
    sim_strand_set_parked(strand, (struct point){ other, 0 });
    atomic_store(&strand->state, STRAND_PARKED);
    sleep_for_long();
}

/* A node waits for a value that does not come, and the launch is said to be over. */
static void leave_a_launch_parked(void)
{
    rill_graph *graph;
    rill_node node;
    rill_exec *exec;
    rill_devptr word;
    ok(rill_mem_alloc(m.context[0], 4, &word));
    *RILL_DEVICE_MEMORY(word, uint32_t) = 0;
    rill_value value = { .kind = RILL_VALUE_WAIT_32, .value = 1, .address = word,
                         .flags = RILL_WAIT_EQ };
    rill_op op = { .kind = RILL_OP_VALUES, .values = { .items = &value, .count = 1 } };
    ok(rill_graph_create(m.context[0], NULL, &graph));
    ok(rill_graph_add_node(graph, NULL, 0, &op, &node));
    ok(rill_exec_create(graph, NULL, &exec));
    ok(rill_exec_launch(exec, m.stream[0]));
    struct strand *strand = sim_stream_of(m.stream[0])->strand;
    struct gang *gang = sim_exec_of(exec)->program->run.gang;
    while (sim_strand_state(strand) != STRAND_PARKED || atomic_load(&gang->members)) usleep(1000);
    atomic_store(&gang->done, true);
    sleep_for_long();
}

static void let_somebody_sleep(void)
{
    struct strand *strand = make_strand();
    struct waiter waiter = { .number = 1 };
    assert_true(sim_strand_add_waiter(strand, &waiter));
    atomic_store(&strand->submitted, 1);
    atomic_store(&strand->completed, 1);
    sleep_for_long();
}

static bool all_rest(void)
{
    rl_lock(&engine->lock);
    bool rest = atomic_load(&engine->idlers) == (unsigned)engine->workers_max && !engine->watch;
    rl_unlock(&engine->lock);
    return rest;
}

/* The workers rest before it is listed, and nobody is told. */
static void let_all_sleep(void)
{
    struct strand *strand = make_strand();
    while (!all_rest()) usleep(1000);
    sim_strand_retain(strand);
    atomic_store(&strand->listed, true);
    atomic_store(&strand->state, STRAND_READY);
    sim_engine_list(engine, strand);
    sleep_for_long();
}

static const struct {
    const char *name;
    void (*make)(void);
    const char *words;
} mistakes[] = {
    { "unit", lose_a_unit, "a launch has 1 ends left, but no unit of its 20 is ready" },
    { "body", lose_a_unit_of_a_body, "a launch has 1 ends left, but no unit of its 20 is ready" },
    { "twice", run_a_unit_twice, "some ran twice" },
    { "counter", leave_a_counter_behind, "begins with 1 counters that are not the plan's" },
    { "ready", forget_a_ready_strand, "stream 4711 is ready, with 0 of 3 operations done" },
    { "idle", let_go_too_early, "stream 4711 is idle, with 0 of 3 operations done" },
    { "parked", leave_a_strand_parked, "still waits for operation 0 of stream 4711" },
    { "launch", leave_a_launch_parked, "still waits for a launch that is over" },
    { "waiter", let_somebody_sleep, "somebody waits for operation 1 of stream 4711" },
    { "asleep", let_all_sleep, "workers sleep" },
};
#define MISTAKES ((int)(sizeof mistakes / sizeof *mistakes))

static int make_mistake(const char *name)
{
    setenv("RILL_SIM_WATCHDOG", "1", 1);
    machine_open(&m, 0);
    engine = sim_platform_of(m.platform)->engine;
    for (int i = 0; i < MISTAKES; i++)
        if (!strcmp(mistakes[i].name, name)) mistakes[i].make();
    return 0;
}

/* ---- What comes of it ------------------------------------------------------------------ */

static int run_child(const char *name, char *text, size_t room)
{
    int ends[2], status = 0;
    size_t used = 0;
    ssize_t got;
    pid_t child;
    posix_spawn_file_actions_t actions;
    char path[PATH_MAX], *self = process_program(path);
    char *arguments[] = { self, (char *)(uintptr_t)name, NULL };
    assert_int_equal(pipe(ends), 0);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    assert_int_equal(posix_spawn(&child, self, &actions, NULL, arguments, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    while ((got = read(ends[0], text + used, room - 1 - used)) > 0) used += (size_t)got;
    text[used] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void each_mistake_is_named(void **state)
{
    static char text[8192];
    (void)state;
    needs_own_programs();
    for (int i = 0; i < MISTAKES; i++) {
        int status = run_child(mistakes[i].name, text, sizeof text);
        bool aborted = WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
        if (!strstr(text, mistakes[i].words) || !strstr(text, "RILL_SIM_WATCHDOG") || !aborted)
            fail_msg("'%s' ended with status 0x%x and said: %s", mistakes[i].name, status, text);
    }
}

/* ---- Proof ----------------------------------------------------------------------------- */

static atomic_uint ends;

static void *spin(void *nothing)
{
    while (!atomic_load(&ends)) continue;
    return nothing;
}

static void *sleep_until_the_end(void *nothing)
{
    while (!atomic_load(&ends)) rl_park(&ends, 0, RL_FOREVER);
    return nothing;
}

/* Whether it is said at some time within so many seconds. */
static bool comes_to(bool wanted, const struct rl_progress *progress, int seconds)
{
    uint64_t end = rl_monotonic_ns() + (uint64_t)seconds * 1000000000u;
    while (rl_progress_made(progress) != wanted)
        if (rl_monotonic_ns() > end) return false;
    return true;
}

/* Of a thread that may run, a moment proves nothing. */
static void a_thread_gets_on_by_sleeping_or_running(void **state)
{
    static struct rl_progress progress;
    pthread_t threads[2];
    int quick = 0;
    (void)state;
    assert_false(rl_progress_made(&progress));
    assert_int_equal(pthread_create(&threads[0], NULL, sleep_until_the_end, NULL), 0);
    rl_progress_mark(&progress);
    assert_true(comes_to(true, &progress, 10));
    assert_int_equal(pthread_create(&threads[1], NULL, spin, NULL), 0);
    for (int i = 0; i < 50; i++) {
        rl_progress_mark(&progress);
        quick += rl_progress_made(&progress);
    }
    assert_true(quick < 50);
    rl_progress_mark(&progress);
    assert_true(comes_to(true, &progress, 60));
    atomic_store(&ends, 1);
    rl_unpark(&ends, 1);
    for (int i = 0; i < 2; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_true(rl_progress_made(&progress)); /* they are gone */
}

int main(int count, char **arguments)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_mistake_is_named),
        cmocka_unit_test(a_thread_gets_on_by_sleeping_or_running),
    };
    if (count > 1) return make_mistake(arguments[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
