/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/node/event_task.h"

#include "backend-sim/graph/task_slab.h"
#include "backend-sim/node/dot.h"
#include "backend-sim/node/kinds.h"
#include "backend-sim/stream/event.h"

static void event_free(struct task *task)
{
    struct event_task *event = (struct event_task *)task;
    sim_event_release(event->state);
    sim_task_free(task);
}

static void event_read(const struct task *task, rill_op *op)
{
    const struct event_task *event = (const struct event_task *)task;
    op->event = (rill_event_op){
        atomic_load_explicit(&event->state->handle, memory_order_relaxed), 0,
    };
}

/* Every event of a graph is an external one, whether `op` says so or not. */
static rill_status check_flags(const rill_event_op *op)
{
    if (!(op->flags & ~RILL_EVENT_EXTERNAL)) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "flags",
                             "0x%x holds unknown bits; it can be 0 or RILL_EVENT_EXTERNAL",
                             op->flags);
}

static rill_status create_event_task(const struct node_site *site, const rill_event_op *op,
                                     const struct node_kind *kind, enum task_marks marks,
                                     struct task **task)
{
    rill_status status = check_flags(op);
    if (status) return status;
    struct event_task *event = sim_task_alloc(sim_task_room(site->context), sizeof *event);
    if (!event) return sim_out_of_memory_for_node();
    sim_task_init(&event->task, kind, marks);
    event->state = sim_event_of(op->event)->state;
    event->context = sim_event_of(op->event)->context->id;
    sim_event_retain(event->state);
    *task = &event->task;
    return RILL_SUCCESS;
}

/* As measured, the event of a node stays one of the same context, whatever the context of the
 * exec. */
static rill_status event_check_exec_change(const struct task *before, const rill_op *op)
{
    const struct event_task *event = (const struct event_task *)before;
    if (sim_event_of(op->event.event)->context->id == event->context) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "op->event.event",
                             "the event is of another context than that of the node");
}

static void draw_event(struct dot *dot, uint32_t slot, const char *word, const rill_op *op)
{
    sim_dot_box_plain(dot, slot, word);
    if (sim_dot_wants(dot, RILL_DOT_EVENT_PARAMS))
        sim_dot_box_handle(dot, "event", op->event.event);
    sim_dot_box_end(dot);
}

/* ---- Waits ---------------------------------------------------------------------- */

static rill_status wait_create(const struct node_site *site, const rill_op *op,
                               const struct task *before, struct task **task)
{
    (void)before;
    return create_event_task(site, &op->event, &sim_kind_event_wait, TASK_WAITS, task);
}

static void wait_draw(struct dot *dot, uint32_t slot, const struct task *task,
                      const rill_op *op)
{
    (void)task;
    draw_event(dot, slot, "EVENT_WAIT", op);
}

const struct node_kind sim_kind_event_wait = {
    .op = RILL_OP_EVENT_WAIT, .traits = KIND_IS_CARRIED_OUT, .inside = INSIDE_ALL,
    .free = event_free, .read = event_read, .create = wait_create,
    .check_exec_change = event_check_exec_change,
    .draw = wait_draw,
};

/* ---- Records -------------------------------------------------------------------- */

static rill_status record_create(const struct node_site *site, const rill_op *op,
                                 const struct task *before, struct task **task)
{
    (void)before;
    return create_event_task(site, &op->event, &sim_kind_event_record, TASK_RECORDS, task);
}

static void record_draw(struct dot *dot, uint32_t slot, const struct task *task,
                        const rill_op *op)
{
    (void)task;
    draw_event(dot, slot, "EVENT_RECORD", op);
}

const struct node_kind sim_kind_event_record = {
    .op = RILL_OP_EVENT_RECORD, .traits = KIND_IS_CARRIED_OUT, .inside = INSIDE_ALL,
    .free = event_free, .read = event_read, .create = record_create,
    .check_exec_change = event_check_exec_change,
    .draw = record_draw,
};
