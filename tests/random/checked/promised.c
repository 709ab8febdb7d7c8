/* SPDX-License-Identifier: Apache-2.0 */
#include "random/checked/promised.h"

#include <string.h>

/* ---- Streams ----------------------------------------------------------------------------- */

static bool blocks(const struct stream_plan *plan)
{
    return plan->kind == BLOCKING || plan->kind == PER_THREAD;
}

/* The legacy stream comes after all blocking streams of its context, and they after it. */
struct act_set promises_arrival(const struct promises *promises, int stream)
{
    const struct recorded *program = promises->program;
    const struct stream_plan *own = &program->stream[stream];
    struct act_set set = promises->tail[stream];
    acts_join(&set, &promises->host);
    for (int s = 0; s < program->streams; s++) {
        const struct stream_plan *plan = &program->stream[s];
        if (plan->context != own->context) continue;
        if ((own->kind == LEGACY && blocks(plan)) || (blocks(own) && plan->kind == LEGACY))
            acts_join(&set, &promises->tail[s]);
    }
    return set;
}

struct act *promises_act(struct promises *promises, int step, const struct act_set *before)
{
    struct act *act = &promises->act[promises->acts];
    if (promises->acts < ACTS_MAX - 1) promises->acts++;
    else promises->valid = false;
    *act = (struct act){ .step = (int16_t)step, .node_step = -1, .graph = -1, .node = -1,
                         .outer = -1, .work.out.memory = -1, .before = *before };
    return act;
}

static int number_of(const struct promises *promises, const struct act *act)
{
    return (int)(act - promises->act);
}

/* ---- Operations of streams --------------------------------------------------------------- */

typedef void add_fn(struct promises *promises, const struct step *s, int step);

static bool is_there(const struct promises *promises, int memory)
{
    if (promises->gone[memory]) return false;
    return promises->program->memory[memory].kind != MEMORY_POOL || promises->there[memory];
}

/* Something that comes after what is in the stream, and touches memory. */
static void add_operation(struct promises *promises, const struct step *s, int step,
                          const struct touch_list *touches)
{
    struct act_set set = promises_arrival(promises, s->stream);
    struct act *act = promises_act(promises, step, &set);
    act->work = s->work;
    act->touches = *touches;
    for (int i = 0; i < touches->count; i++)
        if (!is_there(promises, touches->touch[i].memory) && s->verb != DO_FREE)
            promises->valid = false;
    acts_add(&set, number_of(promises, act));
    promises->tail[s->stream] = set;
}

/* Tells whether it is a copy within memory of the host, which the host waits for. */
static bool is_waited_for(const struct promises *promises, const struct work *work)
{
    const struct memory_plan *memory = promises->program->memory;
    return work->kind == WORK_COPY && work->by == BY_DRIVER &&
           memory[work->out.memory].kind == MEMORY_PINNED &&
           memory[work->in.memory].kind == MEMORY_PINNED;
}

static void add_work(struct promises *promises, const struct step *s, int step)
{
    const struct touch_list touches = touches_of(&s->work);
    add_operation(promises, s, step, &touches);
    if (is_waited_for(promises, &s->work))
        acts_join(&promises->host, &promises->tail[s->stream]);
}

/* To allocate and to free is to write all of the memory. */
static void add_allocation(struct promises *promises, const struct step *s, int step)
{
    if (s->verb == DO_FREE && !promises->there[s->memory]) promises->valid = false;
    promises->there[s->memory] = s->verb == DO_ALLOC;
    const struct touch_list touches = { 1, { touch_whole(s->memory, TOUCH_WRITES) } };
    add_operation(promises, s, step, &touches);
}

static void add_record(struct promises *promises, const struct step *s, int step)
{
    (void)step;
    promises->tail[s->stream] = promises_arrival(promises, s->stream);
    promises->event[s->event] = promises->tail[s->stream];
    promises->recorded[s->event] = true;
}

static void add_wait(struct promises *promises, const struct step *s, int step)
{
    (void)step;
    if (!promises->recorded[s->event]) return;
    promises->tail[s->stream] = promises_arrival(promises, s->stream);
    acts_join(&promises->tail[s->stream], &promises->event[s->event]);
}

/* Records an event of its own in the other stream. */
static void add_stream_wait(struct promises *promises, const struct step *s, int step)
{
    (void)step;
    promises->tail[s->from] = promises_arrival(promises, s->from);
    promises->tail[s->stream] = promises_arrival(promises, s->stream);
    acts_join(&promises->tail[s->stream], &promises->tail[s->from]);
}

static void add_value_write(struct promises *promises, const struct step *s, int step)
{
    (void)step;
    promises->tail[s->stream] = promises_arrival(promises, s->stream);
    promises->value[s->value] = promises->tail[s->stream];
    promises->written[s->value] = true;
}

static void add_value_wait(struct promises *promises, const struct step *s, int step)
{
    (void)step;
    if (!promises->written[s->value]) promises->valid = false;
    promises->tail[s->stream] = promises_arrival(promises, s->stream);
    acts_join(&promises->tail[s->stream], &promises->value[s->value]);
}

static void add_launch(struct promises *promises, const struct step *s, int step)
{
    struct act_set entry = promises_arrival(promises, s->stream);
    if (!promises->exec_made[s->exec]) promises->valid = false;
    acts_join(&entry, &promises->launched[s->exec]);
    promises->tail[s->stream] = promises_launch(promises, step, &entry);
    promises->launched[s->exec] = promises->tail[s->stream];
}

/* ---- The host ---------------------------------------------------------------------------- */

static void add_touch(struct promises *promises, const struct step *s, int step)
{
    struct act *act = promises_act(promises, step, &promises->host);
    act->work = s->work;
    act->touches = touches_of(&s->work);
    acts_add(&promises->host, number_of(promises, act));
}

/* A free of device memory is promised to wait for the work of its context.  One of pinned memory
 * waits too, but nobody promises that. */
static void add_return(struct promises *promises, const struct step *s, int step)
{
    const struct memory_plan *memory = &promises->program->memory[s->memory];
    struct act_set before = promises->host;
    for (int i = 0; memory->kind == MEMORY_DEVICE && i < promises->program->streams; i++)
        if (promises->program->stream[i].context == memory->context)
            acts_join(&before, &promises->tail[i]);
    promises->gone[s->memory] = true;
    struct act *act = promises_act(promises, step, &before);
    act->touches = (struct touch_list){ 1, { touch_whole(s->memory, TOUCH_WRITES) } };
    acts_add(&promises->host, number_of(promises, act));
}

static void add_sync_copy(struct promises *promises, const struct step *s, int step)
{
    add_work(promises, s, step);
    acts_join(&promises->host, &promises->tail[s->stream]);
}

static void add_stream_sync(struct promises *promises, const struct step *s, int step)
{
    (void)step;
    struct act_set known = promises->program->stream[s->stream].kind == LEGACY
                               ? promises_arrival(promises, s->stream)
                               : promises->tail[s->stream];
    acts_join(&promises->host, &known);
}

static void add_event_sync(struct promises *promises, const struct step *s, int step)
{
    (void)step;
    acts_join(&promises->host, &promises->event[s->event]);
}

static void add_renewal(struct promises *promises, const struct step *s, int step)
{
    (void)step;
    promises->recorded[s->event] = false;
    promises->event[s->event] = (struct act_set){ { 0 } };
}

static void add_context_sync(struct promises *promises, const struct step *s, int step)
{
    const struct recorded *program = promises->program;
    (void)step;
    for (int k = 0; k < program->streams; k++)
        if (program->stream[k].context == s->context)
            acts_join(&promises->host, &promises->tail[k]);
}

/* ---- All steps --------------------------------------------------------------------------- */

static add_fn *const adds[VERBS] = {
    [DO_WORK] = add_work,
    [DO_ALLOC] = add_allocation,
    [DO_FREE] = add_allocation,
    [DO_RECORD] = add_record,
    [DO_WAIT] = add_wait,
    [DO_WAIT_STREAM] = add_stream_wait,
    [DO_WRITE_VALUE] = add_value_write,
    [DO_WAIT_VALUE] = add_value_wait,
    [DO_LAUNCH] = add_launch,
    [DO_TOUCH] = add_touch,
    [DO_GIVE_BACK] = add_return,
    [DO_SYNC_COPY] = add_sync_copy,
    [DO_SYNC_STREAM] = add_stream_sync,
    [DO_POLL_STREAM] = add_stream_sync,
    [DO_SYNC_EVENT] = add_event_sync,
    [DO_POLL_EVENT] = add_event_sync,
    [DO_SYNC_CONTEXT] = add_context_sync,
    [DO_RENEW] = add_renewal,
};

void promises_begin(struct promises *promises, const struct recorded *program)
{
    memset(promises, 0, sizeof *promises);
    promises->program = program;
    promises->valid = true;
    memset(promises->capturing, -1, sizeof promises->capturing);
    memset(promises->event_graph, -1, sizeof promises->event_graph);
}

/* A step of a capture names its graph. */
static bool is_captured(const struct step *s)
{
    return s->graph >= 0 && (s->verb == DO_WORK || s->verb == DO_RECORD || s->verb == DO_WAIT);
}

void promises_add(struct promises *promises, int step)
{
    const struct step *s = &promises->program->step[step];
    if (is_captured(s)) {
        promises_capture(promises, s, step);
        return;
    }
    if (s->stream >= 0 && promises->capturing[s->stream] >= 0 && s->verb != DO_END)
        promises->valid = false;
    if (adds[s->verb]) adds[s->verb](promises, s, step);
    else promises_graph_step(promises, s, step);
}

void promises_make(struct promises *promises, const struct recorded *program)
{
    promises_begin(promises, program);
    for (int i = 0; i < program->steps; i++) promises_add(promises, i);
    for (int s = 0; s < program->streams; s++)
        if (promises->capturing[s] >= 0) promises->valid = false;
}
