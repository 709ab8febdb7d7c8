/* SPDX-License-Identifier: Apache-2.0
 *
 * Host functions and status callbacks of a platform that has a thread for them (host_thread.h).
 * While it calls one, the stream stands still, but no worker does.
 */
#include "backend-sim/scheduler/host_thread.h"
#include "backend-sim/scheduler/watch/watcher.h"
#include "backend-sim/stream/stream.h"

enum host_call_state { HOST_CALL_PENDING, HOST_CALL_DONE };

struct host_thread_cell {
    struct host_thread_op op;
    struct host_call call;
    enum host_call_state state; /* the owner's of the strand; the host thread's while the strand is
                                   parked */
};

static struct host_thread_cell *host_thread_cell_of(struct cell *cell)
{
    return cell_payload(cell);
}

/* ---- In the thread ------------------------------------------------------------------ */

static void call_program(const struct host_thread_op *op, rill_status status)
{
    if (op->callback) op->callback(op->stream, status, op->data);
    else op->fn(op->data);
}

static void make_host_call(void *data)
{
    struct host_thread_cell *cell = data;
    call_program(&cell->op, RILL_SUCCESS);
    if (cell->op.destroy) cell->op.destroy(cell->op.data);
    cell->state = HOST_CALL_DONE;
}

/* Does the same, and tells the watcher. */
static void make_watched_host_call(void *data)
{
    const struct host_call *call = &((struct host_thread_cell *)data)->call;
    const struct told told = sim_watched_operation(call->strand, call->number, RILL_OP_HOST);
    sim_watch_begins(&told);
    make_host_call(data);
    sim_watch_ends(&told);
}

static void finish_host_call(struct host_call *finished)
{
    sim_strand_unpark(finished->strand);
}

/* ---- In the strand -------------------------------------------------------------------- */

static bool host_thread_ready(struct strand *strand, struct cell *cell)
{
    (void)strand;
    return host_thread_cell_of(cell)->state == HOST_CALL_DONE;
}

static bool host_thread_park(struct strand *strand, struct cell *cell)
{
    rl_spin_lock(&strand->park_lock);
    strand->parked = PARKED_ON_HOST;
    rl_spin_unlock(&strand->park_lock);
    sim_host_post(strand->engine->platform->host_thread, &host_thread_cell_of(cell)->call);
    return true;
}

static void host_thread_run(struct strand *strand, struct cell *cell)
{
    (void)strand;
    (void)cell;
}

/* Calls a callback, but not a function, although the device has failed.  What was called before
 * the device failed is done, and not called again. */
static void host_thread_drop(struct strand *strand, struct cell *cell)
{
    struct host_thread_cell *payload = host_thread_cell_of(cell);
    if (payload->state == HOST_CALL_DONE) return;
    sim_host_withdraw(strand->engine->platform->host_thread, &payload->call);
    sim_host_depth++;
    if (payload->op.callback)
        call_program(&payload->op, (rill_status)atomic_load(&strand->engine->platform->fault));
    else if (payload->op.destroy)
        payload->op.destroy(payload->op.data);
    sim_host_depth--;
}

static void get_host_thread_watched(struct cell *cell)
{
    host_thread_cell_of(cell)->call.fn = make_watched_host_call;
}

/* Tells the watcher, unless the host thread did so when it made the call. */
static void host_thread_run_watched(struct strand *strand, struct cell *cell,
                                    struct told *told)
{
    if (host_thread_cell_of(cell)->state == HOST_CALL_DONE)
        sim_watch_silently(strand, cell, told);
    else
        sim_watch_around(strand, cell, told);
}

static const char *host_thread_name(const struct cell *cell)
{
    const struct host_thread_cell *payload = (const void *)(cell + 1);
    return payload->op.callback ? "callback" : "host function";
}

static const struct op_type host_thread_type = {
    .kind = RILL_OP_HOST, .ready = host_thread_ready, .park = host_thread_park,
    .run = host_thread_run, .drop = host_thread_drop, .name = host_thread_name,
    .run_watched = host_thread_run_watched, .get_watched = get_host_thread_watched,
};

rill_status sim_submit_on_host_thread(struct sim_stream *stream, const struct host_thread_op *op)
{
    struct submission submission;
    rill_status status = sim_stream_begin(stream, &submission);
    if (status) return status;
    struct cell *cell = sim_submission_add(&submission, &host_thread_type,
                                           sizeof(struct host_thread_cell));
    if (!cell) return sim_stream_abort(stream, &submission);
    struct host_thread_cell *payload = host_thread_cell_of(cell);
    *payload = (struct host_thread_cell){
        .op = *op,
        .call = { .fn = make_host_call, .data = payload, .strand = stream->strand,
                  .number = sim_submission_number(&submission), .finished = finish_host_call },
    };
    if (sim_submission_is_prompt(&submission))
        sim_host_keep_place(stream->context->platform->host_thread, &payload->call);
    sim_stream_commit(stream, &submission);
    return RILL_SUCCESS;
}
