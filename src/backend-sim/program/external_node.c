/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/program/external_node.h"

#include <stddef.h>

#include "backend-sim/node/event_task.h"
#include "backend-sim/node/host_task.h"
#include "backend-sim/node/values_task.h"
#include "backend-sim/program/watched_node.h"
#include "backend-sim/stream/event.h"
#include "backend-sim/stream/value_op.h"
#include "base/alloc.h"

/* ---- Making them ------------------------------------------------------------------ */

/* Returns whether it is a host function that one thread is to call. */
static bool needs_host_thread(const struct task *task)
{
    return task->kind->op == RILL_OP_HOST && task->marks & TASK_WAITS;
}

static bool is_external(const struct task *task)
{
    return task && task->marks & (TASK_WAITS | TASK_RECORDS);
}

/* Returns the id of a timeline that belongs to no stream; streams have other ids. */
static uint64_t new_id(void)
{
    static atomic_uint_least64_t last;
    return UINT64_C(1) << 63 | (atomic_fetch_add(&last, 1) + 1);
}

/* Makes room in the queue for what the node will wait for: once a launch runs, the submission
 * cannot be refused. */
static bool make_queue_room(struct strand *strand)
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

static rill_status create_node(struct external_node *node, struct program *program, uint32_t place,
                               struct sim_context *context)
{
    struct task *task = program->tasks[place];
    *node = (struct external_node){
        .program = program, .place = place, .next_task = task,
        .records = task->marks & TASK_RECORDS,
    };
    sim_task_retain(task);
    if (needs_host_thread(task)) return RILL_SUCCESS;
    node->strand = sim_strand_create(context->platform->engine, context, new_id(),
                                     -context->platform->priority_greatest);
    if (!node->strand) return RILL_ERROR_OUT_OF_MEMORY;
    if (!node->records)
        return make_queue_room(node->strand) ? RILL_SUCCESS : RILL_ERROR_OUT_OF_MEMORY;
    /* No thread ever runs it: a thread that waits for it looks at the launch. */
    node->strand->parked = PARKED_ON_NODE;
    atomic_store(&node->strand->counts_launches, true);
    atomic_store(&node->strand->state, STRAND_PARKED); /* last, for the watchdog */
    return RILL_SUCCESS;
}

rill_status sim_external_create(struct program *program, struct sim_context *context)
{
    uint32_t count = 0;
    if (!(program->marks & (TASK_WAITS | TASK_RECORDS))) return RILL_SUCCESS;
    for (uint32_t p = 0; p < program->count; p++) count += is_external(program->tasks[p]);
    program->external_nodes = rl_zalloc(count * sizeof *program->external_nodes);
    if (!program->external_nodes) return RILL_ERROR_OUT_OF_MEMORY;
    for (uint32_t p = 0; p < program->count; p++) {
        if (!is_external(program->tasks[p])) continue;
        struct external_node *node = &program->external_nodes[program->external_count++];
        rill_status status = create_node(node, program, p, context);
        if (status) return status;
        program->waits = program->waits || !node->records;
    }
    if (program->waits && !sim_gang_prepare(context->platform->engine, program))
        return RILL_ERROR_OUT_OF_MEMORY;
    return RILL_SUCCESS;
}

static void end_node(struct external_node *node)
{
    struct strand *strand = node->strand;
    sim_task_release(node->next_task);
    if (!strand) return;
    rl_spin_lock(&strand->park_lock);
    struct strand *launch = node->records ? strand->parked_point.strand : NULL;
    strand->parked_point.strand = NULL;
    rl_spin_unlock(&strand->park_lock);
    if (launch) sim_strand_release(launch);
    if (node->records) atomic_store(&strand->state, STRAND_IDLE);
    sim_strand_disown(strand);
}

void sim_external_free(struct program *program)
{
    for (uint32_t i = 0; i < program->external_count; i++) end_node(&program->external_nodes[i]);
    rl_free(program->external_nodes);
}

/* External nodes are in the order of their places. */
struct external_node *sim_external_find(struct program *program, uint32_t place)
{
    uint32_t low = 0, high = program->external_count;
    while (low + 1 < high) {
        uint32_t middle = low + (high - low) / 2;
        if (program->external_nodes[middle].place <= place) low = middle;
        else high = middle;
    }
    return &program->external_nodes[low];
}

/* ---- Submitting a launch ------------------------------------------------------------ */

static struct event_state *event_of(const struct task *task)
{
    return ((const struct event_task *)task)->state;
}

bool sim_external_snapshot(struct program *program, struct point **awaited)
{
    *awaited = rl_zalloc(program->external_count * sizeof **awaited);
    if (!*awaited) return false;
    for (uint32_t i = 0; i < program->external_count; i++) {
        const struct external_node *node = &program->external_nodes[i];
        if (node->next_task->kind->op != RILL_OP_EVENT_WAIT) continue;
        (*awaited)[i] = sim_event_snapshot(event_of(node->next_task));
    }
    return true;
}

void sim_external_release(const struct program *program, struct point *awaited)
{
    for (uint32_t i = 0; awaited && i < program->external_count; i++)
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

void sim_external_submit(struct program *program, uint64_t number, struct point end)
{
    for (uint32_t i = 0; i < program->external_count; i++) {
        struct external_node *node = &program->external_nodes[i];
        if (!node->records) continue;
        set_launch(node->strand, end);
        atomic_store(&node->strand->submitted, number);
        sim_event_stand_for(event_of(node->next_task), (struct point){ node->strand, number });
    }
}

void sim_external_set_next(struct program *program, uint32_t place, struct task *task)
{
    if (!program->external_count) return;
    struct external_node *node = sim_external_find(program, place);
    if (node->place != place) return;
    sim_task_retain(task);
    sim_task_release(node->next_task);
    node->next_task = task;
}

/* ---- Running it ----------------------------------------------------------------------- */

void sim_external_record(void *data)
{
    struct external_node *node = data;
    struct launch *launch = sim_launch_here();
    struct point point = { node->strand, launch->number };
    sim_event_stamp(event_of(node->program->tasks[node->place]), point,
                    sim_engine_now(node->strand->engine));
    sim_strand_complete(node->strand, launch->number);
}

/* The operation that follows what a node waits for. */
struct resume_cell {
    struct external_node *node;
};

static void resume_gang(struct strand *strand, struct cell *cell)
{
    struct external_node *node = ((struct resume_cell *)cell_payload(cell))->node;
    (void)strand;
    node->arrived = true;
    sim_gang_resume(node->gang, node->place);
}

static void resume_run(struct strand *strand, struct cell *cell)
{
    resume_gang(strand, cell);
}

static const char *resume_name(const struct cell *cell)
{
    (void)cell;
    return "node that waited";
}

static const struct op_type resume_op = {
    .kind = RILL_OP_EMPTY, .run = resume_run, .drop = resume_gang, .name = resume_name,
    .shared = true,
};

static void add_resume(struct submission *submission, struct external_node *node)
{
    struct cell *cell = sim_submission_add(submission, &resume_op, sizeof(struct resume_cell));
    ((struct resume_cell *)cell_payload(cell))->node = node;
}

/* Submits the wait and the cell that resumes the gang.  Room for both was made with the
 * node. */
static bool wait_for_event(struct external_node *node, struct gang *gang)
{
    uint32_t index = (uint32_t)(node - node->program->external_nodes);
    struct point point = gang->launch->awaited[index];
    if (sim_point_reached(point)) return true;
    struct submission submission;
    node->gang = gang;
    sim_submission_begin(&submission, node->strand);
    sim_submission_wait(&submission, point);
    add_resume(&submission, node);
    sim_submission_commit(&submission);
    return false;
}

/* Does one item after the other, until one has to wait. */
static bool wait_for_values(struct external_node *node, struct gang *gang)
{
    const struct values_task *task = (void *)node->program->tasks[node->place];
    for (; node->item < task->count && !sim_run_failed(); node->item++) {
        const rill_value *value = &task->items[node->item];
        if (!sim_value_waits(value)) {
            sim_values_write(task, node->item);
        } else if (!sim_value_is_there(task->platform, value)) {
            sim_values_raise(task, value);
        } else if (!sim_value_holds(value, &task->seen[node->item])) {
            struct submission submission;
            node->gang = gang;
            sim_submission_begin(&submission, node->strand);
            sim_value_submit(&submission, value);
            node->item++;
            add_resume(&submission, node);
            sim_submission_commit(&submission);
            return false;
        }
    }
    node->item = 0;
    return true;
}

static struct external_node *node_of_call(struct host_call *call)
{
    return (struct external_node *)(void *)((char *)call - offsetof(struct external_node, call));
}

static void finish_host_call(struct host_call *call)
{
    struct external_node *node = node_of_call(call);
    node->arrived = true;
    sim_gang_resume(node->gang, node->place);
}

static void call_watched(void *data)
{
    const struct external_node *node = data;
    sim_watched_node_run(&node->program->watched->items[node->place], node->gang->launch);
}

/* Has the watcher told of the function as well. */
static void watch_host_function(struct external_node *node)
{
    node->call.fn = call_watched;
    node->call.data = node;
}

/* Has the node's host thread call the function; the gang goes on when the function returns. */
static bool post_host_function(struct external_node *node, struct gang *gang)
{
    const struct host_task *host = (void *)node->program->tasks[node->place];
    unsigned attention = sim_strand_attention(gang->launch->context.strand);
    if (attention & ATTEND_FAULT) return true;
    node->gang = gang;
    node->call = (struct host_call){
        .fn = host->fn, .data = host->data, .strand = gang->launch->context.strand,
        .finished = finish_host_call,
    };
    if (attention & ATTEND_WATCHER && node->program->watched) watch_host_function(node);
    sim_host_post(host->thread, &node->call);
    return false;
}

bool sim_external_wait(struct external_node *node, struct gang *gang)
{
    const struct task *task = node->program->tasks[node->place];
    bool event = task->kind->op == RILL_OP_EVENT_WAIT, hosted = needs_host_thread(task);
    node->gang = NULL;
    if ((event || hosted) && node->arrived) {
        node->arrived = false;
        return true;
    }
    node->arrived = false;
    if (hosted) return post_host_function(node, gang);
    return event ? wait_for_event(node, gang) : wait_for_values(node, gang);
}

/* ---- Where the steps are chosen ------------------------------------------------------- */

static const struct values_task *values_of(const struct external_node *node)
{
    return (const void *)node->program->tasks[node->place];
}

/* Tells whether the item is a wait that is not over. */
static bool item_waits(const struct values_task *task, uint32_t item)
{
    const rill_value *value = &task->items[item];
    return sim_value_waits(value) && sim_value_is_there(task->platform, value) &&
           !sim_value_holds(value, &task->seen[item]);
}

bool sim_external_awaits_event(const struct external_node *node)
{
    return node->program->tasks[node->place]->kind->op == RILL_OP_EVENT_WAIT;
}

void sim_external_describe(const struct external_node *node, char *text, size_t bytes)
{
    sim_value_describe(&values_of(node)->items[node->item], text, bytes);
}

bool sim_external_can_go_on(const struct external_node *node, const struct launch *launch)
{
    const struct program *program = node->program;
    if (sim_external_awaits_event(node))
        return sim_point_reached(launch->awaited[node - program->external_nodes]);
    const struct values_task *task = values_of(node);
    return node->item == task->count || !item_waits(task, node->item);
}

bool sim_external_go_on(struct external_node *node)
{
    const struct values_task *task = values_of(node);
    if (sim_external_awaits_event(node)) return true;
    for (; node->item < task->count && !sim_run_failed(); node->item++) {
        const rill_value *value = &task->items[node->item];
        if (!sim_value_waits(value)) sim_values_write(task, node->item);
        else if (!sim_value_is_there(task->platform, value)) sim_values_raise(task, value);
        else if (!sim_value_holds(value, &task->seen[node->item])) return false;
    }
    node->item = 0;
    return true;
}

bool sim_external_need_host_thread(const struct program *program)
{
    for (uint32_t i = 0; i < program->external_count; i++)
        if (!program->external_nodes[i].strand) return true;
    return false;
}

void sim_external_conclude(struct program *program, uint64_t number)
{
    for (uint32_t i = 0; i < program->external_count; i++) {
        const struct external_node *node = &program->external_nodes[i];
        if (node->records && !sim_strand_reached(node->strand, number))
            sim_strand_complete(node->strand, number);
    }
}

bool sim_external_waiting(const struct program *program, struct point *point)
{
    for (uint32_t i = 0; i < program->external_count; i++) {
        struct strand *strand = program->external_nodes[i].strand;
        if (!strand || program->external_nodes[i].records) continue;
        uint64_t submitted = sim_strand_submitted(strand);
        if (sim_strand_reached(strand, submitted)) continue;
        sim_strand_retain(strand);
        *point = (struct point){ strand, submitted };
        return true;
    }
    return false;
}
