/* SPDX-License-Identifier: Apache-2.0
 *
 * Records of events, and waits for them, as nodes.  The replay carries them out
 * (launch.h); the task keeps what it needs of the event when that is destroyed.
 */
#include "backend-sim/event.h"
#include "backend-sim/task.h"

static void event_free(struct task *task)
{
    struct event_task *event = (struct event_task *)task;
    sim_event_release(event->state);
    sim_task_give(task);
}

static void event_read(const struct task *task, rill_op *op)
{
    const struct event_task *event = (const struct event_task *)task;
    op->event = (rill_event_op){
        atomic_load_explicit(&event->state->handle, memory_order_relaxed), 0,
    };
}

static const struct task_type record_type = {
    .kind = RILL_OP_EVENT_RECORD, .free = event_free, .read = event_read,
};

static const struct task_type wait_type = {
    .kind = RILL_OP_EVENT_WAIT, .free = event_free, .read = event_read,
};

/* Every event of a graph is an external one, said or not. */
static rill_status check(const rill_event_op *op)
{
    if (!(op->flags & ~RILL_EVENT_EXTERNAL)) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "flags",
                             "0x%x holds unknown bits; it can be 0 or RILL_EVENT_EXTERNAL",
                             op->flags);
}

rill_status sim_event_task_create(struct sim_context *context, rill_op_kind kind,
                                  const rill_event_op *op, struct task **task)
{
    rill_status status = check(op);
    if (status) return status;
    struct event_task *event = sim_task_memory(sim_task_room(context), sizeof *event);
    if (!event) return sim_task_short();
    bool wait = kind == RILL_OP_EVENT_WAIT;
    sim_task_init(&event->task, wait ? &wait_type : &record_type, wait ? TASK_WAITS : 0);
    event->state = sim_event_of(op->event)->state;
    event->context = sim_event_of(op->event)->context->id;
    sim_event_retain(event->state);
    *task = &event->task;
    return RILL_SUCCESS;
}
