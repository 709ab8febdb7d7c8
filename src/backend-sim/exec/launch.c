/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/exec/launch.h"

#include <stdio.h>

#include "backend-sim/graph/conditional.h"
#include "backend-sim/node/early.h"
#include "backend-sim/node/memory_task.h"
#include "backend-sim/program/conditional_run.h"
#include "backend-sim/program/external_node.h"
#include "backend-sim/program/gang/gang.h"
#include "backend-sim/program/plan.h"
#include "backend-sim/program/solo.h"
#include "backend-sim/program/stepper.h"
#include "backend-sim/scheduler/demand.h"
#include "backend-sim/scheduler/virtual_time.h"
#include "backend-sim/scheduler/watch/watcher.h"

/* In the strand's queue. */
struct launch_cell {
    struct sim_exec *exec;   /* there until the launch is over: exec.h       */
    struct point *awaited;
    struct early_reads *early;
    uint64_t number;         /* of the exec's launches, from 1               */
    bool begun;
    uint32_t chosen;         /* the next node, if steps are chosen       */
    union {                  /* has what is left; NULL if there is none  */
        struct gang *gang;
        struct stepper *stepper; /* if steps are chosen                  */
    };
};

static struct launch_cell *launch_of(struct cell *cell)
{
    return cell_payload(cell);
}

/* ---- Running ----------------------------------------------------------------------- */

/* Notes when the launch begins, for the observer, and tells the watcher. */
static void tell_begin(struct strand *strand, uint64_t point)
{
    if (sim_strand_observed(strand)) strand->begun_at = sim_engine_now(strand->engine);
    if (!sim_is_watched(strand->engine)) return;
    const struct told told = sim_watched_operation(strand, point, RILL_OP_GRAPH);
    sim_watch_begins(&told);
}

static inline __attribute__((always_inline))
void begin_launch(struct strand *strand, struct launch_cell *cell)
{
    struct sim_exec *exec = cell->exec;
    cell->begun = true;
    if (sim_exec_has_changes(exec)) sim_exec_catch_up(exec, cell->number);
    struct launch *launch = &exec->launch;
    launch->context.strand = strand;
    launch->context.point = atomic_load_explicit(&strand->completed, memory_order_relaxed) + 1;
    launch->awaited = cell->awaited;
    launch->early = cell->early;
    launch->number = cell->number;
    if (sim_strand_attention(strand) & (ATTEND_TIMES | ATTEND_WATCHER))
        tell_begin(strand, launch->context.point);
    if (exec->memory) sim_exec_memory_begin(exec->memory);
    if (exec->values.count) sim_conditional_values_assign(&exec->values);
}

/* Begins a launch and runs it as far as this thread gets.  Returns true if it is over. */
static bool start_launch(struct strand *strand, struct launch_cell *cell)
{
    struct program *program = cell->exec->program;
    uint32_t seat;
    begin_launch(strand, cell);
    if (!program->count) return true;
    struct run_context *outer = sim_run_here;
    sim_run_here = &cell->exec->launch.context;
    sim_host_depth++;
    cell->gang = sim_program_run(strand->engine, program, &seat);
    bool over = !cell->gang || sim_gang_work(cell->gang, seat);
    sim_host_depth--;
    sim_run_here = outer;
    return over;
}

/* Goes on with a launch.  Returns true if it is over. */
static bool continue_launch(struct launch_cell *cell)
{
    uint32_t seat;
    switch (sim_gang_join(cell->gang, &seat)) {
    case GANG_JOINED: return sim_gang_work(cell->gang, seat);
    case GANG_OVER: return true;
    default: return false;
    }
}

/* Runs the launch as far as this thread gets. */
static enum advance launch_advance(struct strand *strand, struct cell *cell)
{
    struct launch_cell *launch = launch_of(cell);
    bool over;
    if (launch->begun) over = continue_launch(launch);
    /* A failed device does not begin anything. */
    else over = (atomic_load(strand->attention) & ATTEND_FAULT) || start_launch(strand, launch);
    return over ? ADVANCE_DONE : ADVANCE_BLOCKED;
}

static bool launch_park(struct strand *strand, struct cell *cell)
{
    sim_strand_set_parked_cell(strand, PARKED_ON_WORK, cell);
    if (sim_gang_park(launch_of(cell)->gang)) return true;
    sim_strand_set_parked_cell(strand, PARKED_ON_NOTHING, NULL);
    return false;
}

static void finish_launch(struct strand *strand, const struct launch_cell *launch)
{
    struct sim_exec *exec = launch->exec;
    if (launch->gang) sim_plan_learn(exec->program, sim_gang_threads(strand->engine));
    if (exec->memory) sim_exec_memory_conclude(exec->memory, strand);
    strand->begun_at = 0;
    sim_early_free(launch->early);
    if (exec->program->external_count) {
        sim_external_conclude(exec->program, launch->number);
        sim_external_release(exec->program, launch->awaited);
    }
}

static void launch_run(struct strand *strand, struct cell *cell)
{
    const struct launch_cell *launch = launch_of(cell);
    finish_launch(strand, launch);
    launch->exec->launch.early = NULL; /* plain launches do not set it */
    /* Last: a thread that changes the exec looks at it. */
    sim_exec_complete(launch->exec, launch->number);
}

static void launch_drop(struct strand *strand, struct cell *cell)
{
    const struct launch_cell *launch = launch_of(cell);
    finish_launch(strand, launch);
    sim_exec_drop(launch->exec);
}

/* The launch ends here, and has mostly begun before. */
static void launch_run_watched(struct strand *strand, struct cell *cell, struct told *told)
{
    bool begun = launch_of(cell)->begun;
    bool drops = told->running.dropped;
    told->running.dropped = !begun;
    if (!begun) sim_watch_begins(told);
    if (drops) launch_drop(strand, cell);
    else launch_run(strand, cell);
    sim_watch_ends(told);
}

static const char *launch_name(const struct cell *cell)
{
    (void)cell;
    return "graph";
}

static bool launch_held_up_by(struct cell *cell, struct point *point)
{
    return sim_external_waiting(launch_of(cell)->exec->program, point);
}

static bool launch_needs_host_thread(struct cell *cell)
{
    return sim_external_need_host_thread(launch_of(cell)->exec->program);
}

static bool launch_is_over(struct cell *cell)
{
    struct gang *gang = launch_of(cell)->gang;
    return atomic_load(&gang->done) && !atomic_load(&gang->members);
}

static const struct op_type launch_op = {
    .kind = RILL_OP_GRAPH, .advance = launch_advance, .park = launch_park,
    .run = launch_run, .drop = launch_drop, .name = launch_name, .shared = true,
    .held_up_by = launch_held_up_by, .needs_host_thread = launch_needs_host_thread,
    .is_over = launch_is_over, .run_watched = launch_run_watched,
};

/* ---- Steps that are chosen -------------------------------------------------------------- */

static void enter_launch(struct launch_cell *launch, struct run_context **outer)
{
    *outer = sim_run_here;
    sim_run_here = &launch->exec->launch.context;
    sim_host_depth++;
}

static void leave_launch(struct run_context *outer)
{
    sim_host_depth--;
    sim_run_here = outer;
}

/* The first step begins the launch; each one after it runs a node. */
static enum advance stepped_advance(struct strand *strand, struct cell *cell)
{
    struct launch_cell *launch = launch_of(cell);
    struct run_context *outer;
    if (atomic_load(strand->attention) & ATTEND_FAULT) return ADVANCE_DONE;
    if (!launch->begun) {
        begin_launch(strand, launch);
        if (!launch->exec->program->count) return ADVANCE_DONE;
        launch->stepper = launch->exec->stepper;
        sim_stepper_begin(launch->stepper, &launch->exec->launch);
        return ADVANCE_BLOCKED;
    }
    enter_launch(launch, &outer);
    bool over = sim_stepper_run(launch->stepper, launch->chosen);
    leave_launch(outer);
    return over ? ADVANCE_DONE : ADVANCE_BLOCKED;
}

/* A launch that was stopped between two steps is never parked: it can be asked for the next. */
static bool stepped_park(struct strand *strand, struct cell *cell)
{
    (void)strand;
    (void)cell;
    return false;
}

static const uint32_t *stepped_choices(struct cell *cell, uint32_t *count)
{
    struct launch_cell *launch = launch_of(cell);
    if (launch->stepper) return sim_stepper_choices(launch->stepper, count);
    *count = 1;
    return NULL;
}

static void stepped_choose(struct cell *cell, uint32_t place)
{
    launch_of(cell)->chosen = place;
}

/* The launch as a whole takes the time until it begins; then its nodes take theirs. */
static void stepped_demand(struct cell *cell, uint32_t place, struct demand *demand)
{
    const struct launch_cell *launch = launch_of(cell);
    if (place != WHOLE_OPERATION) sim_stepper_demand(launch->stepper, place, demand);
    else if (!launch->begun) demand->kind = DEMAND_GRAPH;
}

static bool stepped_held_up_by(struct cell *cell, struct point *point)
{
    const struct stepper *stepper = launch_of(cell)->stepper;
    return stepper && sim_stepper_held_up_by(stepper, point);
}

static void stepped_waits_for(struct cell *cell, char *text, size_t bytes)
{
    const struct stepper *stepper = launch_of(cell)->stepper;
    text[0] = '\0';
    if (stepper) sim_stepper_waits_for(stepper, text, bytes);
}

/* What is the same for all launches takes this for a gang. */
static void end_steps(struct launch_cell *launch)
{
    launch->stepper = NULL;
}

static void stepped_run(struct strand *strand, struct cell *cell)
{
    end_steps(launch_of(cell));
    launch_run(strand, cell);
}

static void stepped_drop(struct strand *strand, struct cell *cell)
{
    end_steps(launch_of(cell));
    launch_drop(strand, cell);
}

static void stepped_run_watched(struct strand *strand, struct cell *cell, struct told *told)
{
    end_steps(launch_of(cell));
    launch_run_watched(strand, cell, told);
}

static const struct op_type stepped_launch_op = {
    .kind = RILL_OP_GRAPH, .advance = stepped_advance, .park = stepped_park,
    .run = stepped_run, .drop = stepped_drop, .name = launch_name, .shared = true,
    .demand = stepped_demand, .run_watched = stepped_run_watched, .choices = stepped_choices,
    .choose = stepped_choose, .held_up_by = stepped_held_up_by, .waits_for = stepped_waits_for,
};

const struct op_type *sim_launch_type(bool chosen)
{
    return chosen ? &stepped_launch_op : &launch_op;
}

/* ---- Submitting ------------------------------------------------------------------------ */

void sim_launch_move_last(struct sim_exec *exec, struct point last)
{
    struct strand *before = exec->last.strand;
    sim_strand_retain(last.strand);
    exec->last = last;
    if (before) sim_strand_release(before);
}

/* Adds the launch's cell.  If it fails, the submission is over. */
static rill_status put_launch(struct sim_stream *stream, struct sim_exec *exec,
                              struct submission *submission, struct cell **cell)
{
    rill_status status = RILL_SUCCESS;
    if (exec->memory) status = sim_exec_memory_launch(exec->memory, stream->strand);
    if (status) {
        sim_stream_commit(stream, submission);
        return status;
    }
    if (sim_submission_wait(submission, exec->last))
        *cell = sim_submission_add(submission, exec->launch_type, sizeof(struct launch_cell));
    if (*cell) return RILL_SUCCESS;
    if (exec->memory) sim_exec_memory_cancel(exec->memory, stream->strand);
    return sim_stream_abort(stream, submission);
}

static rill_status refuse_dangling(const struct program *program)
{
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "exec",
                             "%u value nodes name an address where no memory was when they were "
                             "added", (unsigned)program->dangling);
}

rill_status sim_launch_submit(struct sim_stream *stream, struct sim_exec *exec)
{
    struct program *program = exec->program;
    struct submission submission;
    struct point *awaited = NULL;
    struct early_reads *early = NULL;
    if (program->dangling) return refuse_dangling(program);
    rill_status status = program->early ? sim_program_read_early(program, &early) : RILL_SUCCESS;
    if (status) return status;
    if (program->waits && !sim_external_snapshot(program, &awaited)) {
        sim_early_free(early);
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "no memory for the launch");
    }
    status = sim_stream_begin(stream, &submission);
    struct cell *cell = NULL;
    if (!status) status = put_launch(stream, exec, &submission, &cell);
    if (status) {
        sim_external_release(program, awaited);
        sim_early_free(early);
        return status;
    }
    exec->launched++;
    *launch_of(cell) = (struct launch_cell){
        .exec = exec, .awaited = awaited, .early = early, .number = exec->launched,
    };
    struct point end = sim_submission_end(&submission);
    sim_launch_remember(exec, end);
    if (program->external_count) sim_external_submit(program, exec->launched, end);
    sim_stream_commit(stream, &submission);
    return RILL_SUCCESS;
}

rill_status sim_launch_upload(struct sim_stream *stream, struct sim_exec *exec)
{
    struct submission submission;
    rill_status status = sim_exec_memory_upload(exec->memory, stream->strand);
    if (!status) status = sim_stream_begin(stream, &submission);
    if (status) return status;
    if (!sim_submission_wait(&submission, exec->last) ||
        !sim_submission_add(&submission, &sim_op_empty, 0))
        return sim_stream_abort(stream, &submission);
    struct point end = sim_submission_end(&submission);
    sim_launch_remember(exec, end);
    sim_stream_commit(stream, &submission);
    return RILL_SUCCESS;
}
