/* SPDX-License-Identifier: Apache-2.0
 *
 * The plain launch: of a line of kernels, copies, fills and functions.
 *
 * No two nodes of such a program could run at the same time, and none waits for something
 * outside.  So one thread runs it from end to end, within the operation, and nothing has to be
 * kept of how far it got.  Graphs of a node or two, whose launch takes longer than what they
 * do, are mostly of this form.
 */
#include "backend-sim/exec/launch.h"
#include "backend-sim/node/kinds.h"
#include "backend-sim/scheduler/watch/watcher.h"

struct plain_launch {
    struct sim_exec *exec; /* there until the launch is over: exec.h */
    uint64_t number;       /* of the exec's launches, from 1         */
};

bool sim_launch_is_plain(const struct program *program)
{
    return program->is_line && !program->external_count &&
           !(program->kinds & ~sim_kinds_with(KIND_IS_PLAIN));
}

/* ---- Running ----------------------------------------------------------------------- */

/* Runs the nodes, until the device fails, in one of them or elsewhere. */
static void run_nodes(const struct launch *launch, const struct program *program,
                      const atomic_uint *attention)
{
    const struct entry *entry = program->entries, *end = entry + program->count;
    for (; entry < end; entry++) {
        unsigned heed = atomic_load_explicit(attention, memory_order_relaxed);
        if (!(heed & (ATTEND_FAULT | ATTEND_TIMES))) {
            entry->fn(entry->arg);
            continue;
        }
        if (heed & ATTEND_FAULT) break;
        sim_program_run_observed(launch, program, (uint32_t)(entry - program->entries));
    }
}

static void plain_run(struct strand *strand, struct cell *cell)
{
    const struct plain_launch *plain = cell_payload(cell);
    struct sim_exec *exec = plain->exec;
    struct run_context *outer = sim_run_here;
    if (sim_exec_has_changes(exec)) sim_exec_catch_up(exec, plain->number);
    exec->launch.context.strand = strand;
    exec->launch.context.point = atomic_load_explicit(&strand->completed, memory_order_relaxed) + 1;
    sim_run_here = &exec->launch.context;
    sim_host_depth++;
    run_nodes(&exec->launch, exec->program, strand->attention);
    sim_host_depth--;
    sim_run_here = outer;
    sim_exec_complete(exec, plain->number); /* last: a thread that changes the exec looks at it */
}

static void plain_drop(struct strand *strand, struct cell *cell)
{
    const struct plain_launch *plain = cell_payload(cell);
    (void)strand;
    sim_exec_drop(plain->exec);
}

static const char *plain_name(const struct cell *cell)
{
    (void)cell;
    return "graph";
}

static const struct op_type plain_op = {
    .kind = RILL_OP_GRAPH, .run = plain_run, .drop = plain_drop, .name = plain_name,
    .run_watched = sim_watch_around,
    .shared = true,
};

/* ---- Submitting -------------------------------------------------------------------- */

rill_status sim_launch_submit_plain(struct sim_stream *stream, struct sim_exec *exec)
{
    struct submission submission;
    struct cell *cell = NULL;
    rill_status status = sim_stream_begin(stream, &submission);
    if (status) return status;
    if (sim_submission_wait(&submission, exec->last))
        cell = sim_submission_add(&submission, &plain_op, sizeof(struct plain_launch));
    if (!cell) return sim_stream_abort(stream, &submission);
    *(struct plain_launch *)cell_payload(cell) = (struct plain_launch){ exec, ++exec->launched };
    struct point end = sim_submission_end(&submission);
    sim_launch_remember(exec, end);
    sim_stream_commit(stream, &submission);
    return RILL_SUCCESS;
}
