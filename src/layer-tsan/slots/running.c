/* SPDX-License-Identifier: Apache-2.0
 *
 * What runs, as the backend tells it: launches, and in which of them a function is called.
 */
#include "base/alloc.h"
#include "base/thread.h"
#include "layer-tsan/slots/function.h"

/* A function that runs in the thread. */
struct ts_here {
    const rill_running *running;
    struct ts_here *outer; /* that waits, and has its thread run another one */
};

static _Thread_local struct ts_launch *submitting;
static _Thread_local struct ts_here *here;

void ts_watch_submitting(struct ts_launch *launch)
{
    submitting = launch;
}

/* Returns what runs in this thread, or NULL. */
static const rill_running *running_here(void)
{
    return here ? here->running : NULL;
}

static struct ts_part **find_part(struct ts_teller *teller, const rill_running *running)
{
    struct ts_part **link = &teller->parts;
    while (*link && ((*link)->queue != running->queue || (*link)->point != running->point))
        link = &(*link)->next;
    return link;
}

struct ts_launch *ts_running_launch(struct ts_teller *teller, uint32_t *place)
{
    const rill_running *running = running_here();
    if (!running || !running->node) return NULL;
    const struct ts_part *part = *find_part(teller, running);
    const struct ts_model *model = part ? part->launch->model : NULL;
    if (!model || running->node >= model->number_count || !model->numbers[running->node])
        return NULL;
    *place = model->numbers[running->node] - 1;
    return part->launch;
}

static void see_submitted(void *data, uint64_t queue, uint64_t point, rill_op_kind kind)
{
    struct ts_teller *teller = data;
    if (kind != RILL_OP_GRAPH || !submitting) return;
    struct ts_part *part = rl_alloc(sizeof *part);
    rl_lock(&teller->order.lock);
    if (part) {
        *part = (struct ts_part){ teller->parts, queue, point, ts_launch_retain(submitting) };
        teller->parts = part;
    } else {
        teller->order.failed = true;
    }
    rl_unlock(&teller->order.lock);
}

static void see_begins(void *data, const rill_running *running)
{
    struct ts_teller *teller = data;
    if (running->kind != RILL_OP_HOST) return;
    struct ts_here *inner = rl_alloc(sizeof *inner);
    if (!inner) {
        teller->order.failed = true;
        return;
    }
    *inner = (struct ts_here){ running, here };
    here = inner;
}

static void end_function(const rill_running *running)
{
    struct ts_here *gone = here;
    if (!gone || gone->running != running) return; /* there was no memory for it */
    here = gone->outer;
    rl_free(gone);
}

static void end_launch(struct ts_teller *teller, const rill_running *running)
{
    rl_lock(&teller->order.lock);
    struct ts_part **link = find_part(teller, running), *part = *link;
    if (part) {
        *link = part->next;
        ts_launch_end(part->launch, !running->dropped);
        ts_launch_release(part->launch);
        rl_free(part);
    }
    rl_unlock(&teller->order.lock);
}

static void see_ends(void *data, const rill_running *running, const rill_touches *touches)
{
    (void)touches;
    if (running->kind == RILL_OP_HOST) end_function(running);
    else if (running->kind == RILL_OP_GRAPH && !running->node) end_launch(data, running);
}

static void see_abandons(void *data)
{
    (void)data;
}

const struct rill_watcher ts_watcher = {
    .submitted = see_submitted, .begins = see_begins, .ends = see_ends, .abandons = see_abandons,
};
