/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs of gangs from inside: a machine with some workers, and a strand that runs belong to.
 */
#ifndef GANG_SCENE_H
#define GANG_SCENE_H

#include <sched.h>

#include "sim/machine.h"

#include "backend-sim/program/gang/gang.h"
#include "backend-sim/program/plan_draft.h"

enum { CROWD = 5, SECONDS = 10 };

static struct machine m;
static struct engine *engine;
static struct strand *strand;

static inline int open_machine(int workers)
{
    machine_open_with(&m, 0, workers);
    engine = sim_platform_of(m.platform)->engine;
    strand = sim_strand_create(engine, sim_context_of(m.context[0]), 1000000, 0);
    assert_non_null(strand);
    return 0;
}

static inline int open_pair(void **state)
{
    (void)state;
    return open_machine(2);
}

static inline int open_crowd(void **state)
{
    (void)state;
    return open_machine(CROWD + 1);
}

static inline int close_machine(void **state)
{
    (void)state;
    sim_strand_disown(strand);
    machine_close(&m);
    return 0;
}

/* Makes a program of the graph, which is destroyed. */
static inline struct program *freeze(rill_graph *graph)
{
    struct program *program;
    struct freeze_failure failure;
    ok(sim_program_freeze(sim_graph_of(graph), sim_context_of(m.context[0]), &program, &failure));
    ok(rill_graph_destroy(&graph));
    return program;
}

/* As the strand of a launch does; it fails rather than wait for ever. */
static inline void run(struct program *program)
{
    struct launch launch = { .context = { NULL, strand, 1 }, .number = 1 };
    uint32_t seat;
    uint64_t end = rl_monotonic_ns() + SECONDS * UINT64_C(1000000000);
    sim_run_here = &launch.context;
    struct gang *gang = sim_gang_begin(engine, program, &seat);
    assert_non_null(gang);
    bool over = sim_gang_work(gang, seat);
    while (!over) {
        sched_yield(); /* outside the gang: on one processor lock_alone() would not find it so */
        enum gang_seat joined = sim_gang_join(gang, &seat);
        over = joined == GANG_OVER || (joined == GANG_JOINED && sim_gang_work(gang, seat));
        if (rl_monotonic_ns() > end) fail_msg("%u ends are left", atomic_load(&gang->left));
    }
    sim_run_here = NULL;
}

static inline void do_nothing(void *data)
{
    (void)data;
}

#endif
