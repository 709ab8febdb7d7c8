/* SPDX-License-Identifier: Apache-2.0
 *
 * Recorded programs: the steps of streams and of the host.
 */
#include <sched.h>

#include "random/checked/running.h"

typedef rill_status step_fn(struct running *running, const struct step *s);

/* ---- Operations -------------------------------------------------------------------------- */

/* The calls for one row; captures refuse the one that names contexts. */
static rill_status submit_row(struct running *running, const struct step *s)
{
    const struct region *out = &s->work.out, *in = &s->work.in;
    const struct memory_plan *plan = running->program->memory;
    rill_stream *stream = running->stream[s->stream];
    rill_devptr to = running->memory[out->memory] + out->at;
    if (s->work.kind == WORK_FILL)
        return rill_memset_d32_async(stream, to, s->work.value, out->width / 4u);
    rill_devptr from = running->memory[in->memory] + in->at;
    if (plan[in->memory].context == plan[out->memory].context || s->graph >= 0)
        return rill_memcpy_async(stream, to, from, out->width);
    return rill_memcpy_peer_async(stream, running->context[plan[out->memory].context], to,
                                  running->context[plan[in->memory].context], from, out->width);
}

/* Every second copy or fill of a row is a call of its own. */
static rill_status do_work(struct running *running, const struct step *s)
{
    const struct work *work = &s->work;
    struct work_op made;
    if (work->by == BY_DRIVER && work->out.rows == 1 && work->value % 2)
        return submit_row(running, s);
    if (work->by == BY_HOST && s->graph < 0 && work->value % 3 == 0)
        return running_add_callback(running, s);
    if (!running_make_op(running, work, running->program->stream[s->stream].context, &made))
        return RILL_ERROR_OUT_OF_MEMORY;
    return rill_stream_submit(running->stream[s->stream], &made.op);
}

static rill_status do_alloc(struct running *running, const struct step *s)
{
    return rill_mem_alloc_async(running->stream[s->stream], MEMORY_BYTES,
                                &running->memory[s->memory]);
}

static rill_status do_free(struct running *running, const struct step *s)
{
    return rill_mem_free_async(running->stream[s->stream], running->memory[s->memory]);
}

static rill_status do_record(struct running *running, const struct step *s)
{
    return rill_event_record(running->event[s->event], running->stream[s->stream], 0);
}

static rill_status do_wait(struct running *running, const struct step *s)
{
    return rill_stream_wait_event(running->stream[s->stream], running->event[s->event], 0);
}

static rill_status do_wait_stream(struct running *running, const struct step *s)
{
    running->submitted[s->from]++; /* a record */
    return rill_stream_wait_stream(running->stream[s->stream], running->stream[s->from]);
}

static rill_devptr value_address(const struct running *running, const struct step *s)
{
    return running->values[running->program->value_context[s->value]] + 4 * (rill_devptr)s->value;
}

static rill_status do_write_value(struct running *running, const struct step *s)
{
    return rill_stream_write_value32(running->stream[s->stream], value_address(running, s), 7, 0);
}

static rill_status do_wait_value(struct running *running, const struct step *s)
{
    return rill_stream_wait_value32(running->stream[s->stream], value_address(running, s), 7,
                                    RILL_WAIT_EQ);
}

static rill_status do_launch(struct running *running, const struct step *s)
{
    return rill_exec_launch(running->exec[s->exec], running->stream[s->stream]);
}

/* ---- The host ---------------------------------------------------------------------------- */

static rill_status do_touch(struct running *running, const struct step *s)
{
    running_begins(running, running->turn);
    running_touch(running, &s->work, !running->plain || s->work.value % 2);
    running_ends(running, running->turn);
    return RILL_SUCCESS;
}

/* The memory is gone when the call has waited for what it waits for. */
static rill_status do_give_back(struct running *running, const struct step *s)
{
    rill_status status = running_free(running, s->memory);
    running_begins(running, running->turn);
    running_ends(running, running->turn);
    return status;
}

static rill_status do_sync_copy(struct running *running, const struct step *s)
{
    const struct region *out = &s->work.out, *in = &s->work.in;
    rill_context *context = running->context[running->program->stream[s->stream].context];
    if (running->pinned[in->memory])
        return rill_memcpy_htod(context, running->memory[out->memory] + out->at,
                                (char *)running->pinned[in->memory] + in->at, out->width);
    return rill_memcpy_dtoh(context, (char *)running->pinned[out->memory] + out->at,
                            running->memory[in->memory] + in->at, out->width);
}

static rill_status do_sync_stream(struct running *running, const struct step *s)
{
    return rill_stream_synchronize(running->stream[s->stream]);
}

static rill_status do_sync_event(struct running *running, const struct step *s)
{
    return rill_event_synchronize(running->event[s->event]);
}

static rill_status do_sync_context(struct running *running, const struct step *s)
{
    return rill_context_synchronize(running->context[s->context]);
}

static rill_status do_poll_stream(struct running *running, const struct step *s)
{
    rill_status status;
    while ((status = rill_stream_query(running->stream[s->stream])) == RILL_ERROR_NOT_READY)
        sched_yield();
    return status;
}

static rill_status do_poll_event(struct running *running, const struct step *s)
{
    rill_status status;
    while ((status = rill_event_query(running->event[s->event])) == RILL_ERROR_NOT_READY)
        sched_yield();
    return status;
}

static rill_status do_renew(struct running *running, const struct step *s)
{
    rill_context *context = running->context[running->program->event_context[s->event]];
    rill_status status = rill_event_destroy(&running->event[s->event]);
    return status ? status : rill_event_create(context, NULL, &running->event[s->event]);
}

/* ---- All steps --------------------------------------------------------------------------- */

static step_fn *const step_fns[VERBS] = {
    [DO_WORK] = do_work,
    [DO_ALLOC] = do_alloc,
    [DO_FREE] = do_free,
    [DO_RECORD] = do_record,
    [DO_WAIT] = do_wait,
    [DO_WAIT_STREAM] = do_wait_stream,
    [DO_WRITE_VALUE] = do_write_value,
    [DO_WAIT_VALUE] = do_wait_value,
    [DO_LAUNCH] = do_launch,
    [DO_TOUCH] = do_touch,
    [DO_GIVE_BACK] = do_give_back,
    [DO_SYNC_COPY] = do_sync_copy,
    [DO_SYNC_STREAM] = do_sync_stream,
    [DO_SYNC_EVENT] = do_sync_event,
    [DO_SYNC_CONTEXT] = do_sync_context,
    [DO_POLL_STREAM] = do_poll_stream,
    [DO_POLL_EVENT] = do_poll_event,
    [DO_RENEW] = do_renew,
};

/* A step of a capture submits no operation: it is a node, or nothing. */
static bool submits(const struct step *s)
{
    return verb_infos[s->verb].submits && s->graph < 0;
}

rill_status running_step(struct running *running, int step)
{
    const struct step *s = &running->program->step[step];
    if (submits(s)) running->number[step] = ++running->submitted[s->stream];
    return step_fns[s->verb] ? step_fns[s->verb](running, s) : running_graph_step(running, s);
}
