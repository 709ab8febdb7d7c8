/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/program/external_node.h"

#include <stddef.h>

#include "backend-sim/stream/event.h"
#include "backend-sim/stream/value_op.h"
#include "base/alloc.h"

/* ---- Making them ------------------------------------------------------------------ */

/* Returns whether it is a host function that one thread is to call. */
static bool is_away(const struct task *task)
{
    return task->kind->op == RILL_OP_HOST && task->marks & TASK_WAITS;
}

static bool needs_side(const struct task *task)
{
    return task && task->marks & (TASK_WAITS | TASK_RECORDS);
}

/* Timelines that belong to no stream are numbered apart from streams. */
static uint64_t new_id(void)
{
    static atomic_uint_least64_t last;
    return UINT64_C(1) << 63 | (atomic_fetch_add(&last, 1) + 1);
}

/* Room for what it will have to wait for, which cannot be refused then. */
static bool make_room(struct strand *strand)
{
    struct submission submission;
    sim_submission_begin(&submission, strand);
    struct submission before = submission;
    struct queue_mark mark = sim_queue_mark(&strand->queue);
    bool fits = sim_submission_add(&submission, &sim_op_empty, 0);
    if (fits) {
        mark = (struct queue_mark){ strand->queue.tail, 0 };
        sim_submission_revert(&submission, &before, mark);
    }
    sim_submission_commit(&submission);
    return fits;
}

static rill_status create(struct side *side, struct program *program, uint32_t place,
                          struct sim_context *context)
{
    struct task *task = program->tasks[place];
    *side = (struct side){
        .program = program, .place = place, .next_task = task,
        .records = task->marks & TASK_RECORDS,
    };
    sim_task_retain(task);
    if (is_away(task)) return RILL_SUCCESS;
    side->strand = sim_strand_create(context->platform->engine, context, new_id(),
                                     -context->platform->priority_greatest);
    if (!side->strand) return RILL_ERROR_OUT_OF_MEMORY;
    if (!side->records)
        return make_room(side->strand) ? RILL_SUCCESS : RILL_ERROR_OUT_OF_MEMORY;
    /* Never in anybody's hands: whoever waits for it looks at the launch. */
    side->strand->parked = PARKED_ON_NODE;
    atomic_store(&side->strand->counts_launches, true);
    atomic_store(&side->strand->state, STRAND_PARKED); /* last, for the watchdog */
    return RILL_SUCCESS;
}

rill_status sim_sides_create(struct program *program, struct sim_context *context)
{
    uint32_t count = 0;
    if (!(program->marks & (TASK_WAITS | TASK_RECORDS))) return RILL_SUCCESS;
    for (uint32_t p = 0; p < program->count; p++) count += needs_side(program->tasks[p]);
    program->sides = rl_zalloc(count * sizeof *program->sides);
    if (!program->sides) return RILL_ERROR_OUT_OF_MEMORY;
    for (uint32_t p = 0; p < program->count; p++) {
        if (!needs_side(program->tasks[p])) continue;
        struct side *side = &program->sides[program->side_count++];
        rill_status status = create(side, program, p, context);
        if (status) return status;
        program->waits = program->waits || !side->records;
    }
    if (program->waits && !sim_gang_prepare(context->platform->engine, program))
        return RILL_ERROR_OUT_OF_MEMORY;
    return RILL_SUCCESS;
}

static void end(struct side *side)
{
    struct strand *strand = side->strand;
    sim_task_release(side->next_task);
    if (!strand) return;
    rl_spin_lock(&strand->park_lock);
    struct strand *launch = side->records ? strand->parked_point.strand : NULL;
    strand->parked_point.strand = NULL;
    rl_spin_unlock(&strand->park_lock);
    if (launch) sim_strand_release(launch);
    if (side->records) atomic_store(&strand->state, STRAND_IDLE);
    sim_strand_disown(strand);
}

void sim_sides_free(struct program *program)
{
    for (uint32_t i = 0; i < program->side_count; i++) end(&program->sides[i]);
    rl_free(program->sides);
}

/* They stand in the order of their places. */
struct side *sim_side_find(struct program *program, uint32_t place)
{
    uint32_t low = 0, high = program->side_count;
    while (low + 1 < high) {
        uint32_t middle = low + (high - low) / 2;
        if (program->sides[middle].place <= place) low = middle;
        else high = middle;
    }
    return &program->sides[low];
}

/* ---- Submitting a launch ------------------------------------------------------------ */

static struct event_state *event_of(const struct task *task)
{
    return ((const struct event_task *)task)->state;
}

bool sim_sides_look(struct program *program, struct point **awaited)
{
    *awaited = rl_zalloc(program->side_count * sizeof **awaited);
    if (!*awaited) return false;
    for (uint32_t i = 0; i < program->side_count; i++) {
        const struct side *side = &program->sides[i];
        if (side->next_task->kind->op != RILL_OP_EVENT_WAIT) continue;
        (*awaited)[i] = sim_event_snapshot(event_of(side->next_task));
    }
    return true;
}

void sim_sides_forget(const struct program *program, struct point *awaited)
{
    for (uint32_t i = 0; awaited && i < program->side_count; i++)
        if (awaited[i].strand) sim_strand_release(awaited[i].strand);
    rl_free(awaited);
}

static void set_launch(struct strand *timeline, struct point end)
{
    sim_strand_retain(end.strand);
    rl_spin_lock(&timeline->park_lock);
    struct strand *before = timeline->parked_point.strand;
    timeline->parked_point = end;
    rl_spin_unlock(&timeline->park_lock);
    if (before) sim_strand_release(before);
}

void sim_sides_promise(struct program *program, uint64_t number, struct point end)
{
    for (uint32_t i = 0; i < program->side_count; i++) {
        struct side *side = &program->sides[i];
        if (!side->records) continue;
        set_launch(side->strand, end);
        atomic_store(&side->strand->submitted, number);
        sim_event_stand_for(event_of(side->next_task), (struct point){ side->strand, number });
    }
}

void sim_side_change(struct program *program, uint32_t place, struct task *task)
{
    if (!program->side_count) return;
    struct side *side = sim_side_find(program, place);
    if (side->place != place) return;
    sim_task_retain(task);
    sim_task_release(side->next_task);
    side->next_task = task;
}

/* ---- Running it ----------------------------------------------------------------------- */

void sim_side_record(void *data)
{
    struct side *side = data;
    struct launch *launch = sim_launch_here();
    struct point point = { side->strand, launch->number };
    sim_event_stamp(event_of(side->program->tasks[side->place]), point,
                    sim_engine_now(side->strand->engine));
    sim_strand_complete(side->strand, launch->number);
}

/* The operation behind what a node waited for. */
struct resume_cell {
    struct side *side;
};

static void resume(struct strand *strand, struct cell *cell)
{
    struct side *side = ((struct resume_cell *)cell_payload(cell))->side;
    (void)strand;
    side->arrived = true;
    sim_gang_resume(side->gang, side->place);
}

static void resume_run(struct strand *strand, struct cell *cell)
{
    resume(strand, cell);
}

static const char *resume_name(const struct cell *cell)
{
    (void)cell;
    return "node that waited";
}

static const struct op_type resume_op = {
    .kind = RILL_OP_EMPTY, .run = resume_run, .drop = resume, .name = resume_name,
    .shared = true,
};

static void add_resume(struct submission *submission, struct side *side)
{
    struct cell *cell = sim_submission_add(submission, &resume_op, sizeof(struct resume_cell));
    ((struct resume_cell *)cell_payload(cell))->side = side;
}

/* Room for both cells was made with the side. */
static bool event_arrived(struct side *side, struct gang *gang)
{
    uint32_t index = (uint32_t)(side - side->program->sides);
    struct point point = gang->launch->awaited[index];
    if (sim_point_reached(point)) return true;
    struct submission submission;
    side->gang = gang;
    sim_submission_begin(&submission, side->strand);
    sim_submission_wait(&submission, point);
    add_resume(&submission, side);
    sim_submission_commit(&submission);
    return false;
}

/* One item after the other, until one has to wait. */
static bool values_arrived(struct side *side, struct gang *gang)
{
    const struct values_task *task = (void *)side->program->tasks[side->place];
    for (; side->item < task->count && !sim_run_failed(); side->item++) {
        const rill_value *value = &task->items[side->item];
        if (!sim_value_waits(value)) {
            sim_values_write(task, value);
        } else if (!sim_value_is_there(task->platform, value)) {
            sim_values_raise(task, value);
        } else if (!sim_value_holds(value)) {
            struct submission submission;
            side->gang = gang;
            sim_submission_begin(&submission, side->strand);
            sim_value_submit(&submission, value);
            side->item++;
            add_resume(&submission, side);
            sim_submission_commit(&submission);
            return false;
        }
    }
    side->item = 0;
    return true;
}

static void finish_host_call(struct host_call *call)
{
    struct side *side = (struct side *)(void *)((char *)call - offsetof(struct side, call));
    side->arrived = true;
    sim_gang_resume(side->gang, side->place);
}

/* The gang goes on when the function returns. */
static bool came_back(struct side *side, struct gang *gang)
{
    const struct host_task *host = (void *)side->program->tasks[side->place];
    if (sim_run_failed()) return true;
    side->gang = gang;
    side->call = (struct host_call){
        .fn = host->fn, .data = host->data, .strand = gang->launch->context.strand,
        .finished = finish_host_call,
    };
    sim_host_post(host->thread, &side->call);
    return false;
}

bool sim_side_arrived(struct side *side, struct gang *gang)
{
    const struct task *task = side->program->tasks[side->place];
    bool event = task->kind->op == RILL_OP_EVENT_WAIT, away = is_away(task);
    side->gang = NULL;
    if ((event || away) && side->arrived) {
        side->arrived = false;
        return true;
    }
    side->arrived = false;
    if (away) return came_back(side, gang);
    return event ? event_arrived(side, gang) : values_arrived(side, gang);
}

bool sim_sides_are_away(const struct program *program)
{
    for (uint32_t i = 0; i < program->side_count; i++)
        if (!program->sides[i].strand) return true;
    return false;
}

void sim_sides_conclude(struct program *program, uint64_t number)
{
    for (uint32_t i = 0; i < program->side_count; i++) {
        const struct side *side = &program->sides[i];
        if (side->records && !sim_strand_reached(side->strand, number))
            sim_strand_complete(side->strand, number);
    }
}

bool sim_sides_waiting(const struct program *program, struct point *point)
{
    for (uint32_t i = 0; i < program->side_count; i++) {
        struct strand *strand = program->sides[i].strand;
        if (!strand || program->sides[i].records) continue;
        uint64_t submitted = sim_strand_submitted(strand);
        if (sim_strand_reached(strand, submitted)) continue;
        sim_strand_retain(strand);
        *point = (struct point){ strand, submitted };
        return true;
    }
    return false;
}
