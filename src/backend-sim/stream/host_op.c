/* SPDX-License-Identifier: Apache-2.0
 *
 * Host functions and status callbacks.
 */
#include "backend-sim/guard/call_guard.h"
#include "backend-sim/scheduler/demand.h"
#include "backend-sim/scheduler/host_thread.h"
#include "backend-sim/scheduler/watch/watcher.h"
#include "backend-sim/stream/stream.h"
#include "base/words/op_kind.h"

/* ---- Host functions --------------------------------------------------------- */

struct host_cell {
    rill_host_fn fn;
    void *data;
    rill_destroy_fn destroy; /* only there if the cell's `extra` is set */
};

#define HOST_CELL_WITHOUT_DESTROY offsetof(struct host_cell, destroy)

static void host_finish(struct cell *cell)
{
    struct host_cell *host = cell_payload(cell);
    if (cell->extra) host->destroy(host->data);
}

static void enter_program(struct strand *strand)
{
    sim_host_depth++;
    atomic_store_explicit(&strand->calls_program, true, memory_order_relaxed);
}

static void leave_program(struct strand *strand)
{
    atomic_store_explicit(&strand->calls_program, false, memory_order_relaxed);
    sim_host_depth--;
}

static void host_run(struct strand *strand, struct cell *cell)
{
    struct host_cell *host = cell_payload(cell);
    enter_program(strand);
    host->fn(host->data);
    host_finish(cell);
    leave_program(strand);
}

static void host_drop(struct strand *strand, struct cell *cell)
{
    enter_program(strand);
    host_finish(cell);
    leave_program(strand);
}

static const char *host_name(const struct cell *cell)
{
    (void)cell;
    return "host function";
}

static void host_demand(struct cell *cell, uint32_t place, struct demand *demand)
{
    (void)cell, (void)place;
    demand->kind = DEMAND_HOST;
}

static const struct op_type host_op = {
    .kind = RILL_OP_HOST, .run = host_run, .drop = host_drop, .name = host_name,
    .demand = host_demand, .run_watched = sim_watch_around,
};

static rill_status submit_host_function(struct sim_stream *stream, const rill_host_op *host)
{
    if (!host->fn)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "fn", "there is no function to call");
    if (stream->context->platform->host_thread)
        return sim_submit_on_host_thread(stream, &(struct host_thread_op){
            .fn = host->fn, .data = host->data, .destroy = host->destroy });
    struct submission submission;
    rill_status status = sim_stream_begin(stream, &submission);
    if (status) return status;
    size_t bytes = host->destroy ? sizeof(struct host_cell) : HOST_CELL_WITHOUT_DESTROY;
    struct cell *cell = sim_submission_add(&submission, &host_op, bytes);
    if (!cell) return sim_stream_abort(stream, &submission);
    struct host_cell *payload = cell_payload(cell);
    payload->fn = host->fn;
    payload->data = host->data;
    if (host->destroy) {
        cell->extra = 1;
        payload->destroy = host->destroy;
    }
    sim_stream_commit(stream, &submission);
    return RILL_SUCCESS;
}

rill_status sim_submit_host(struct sim_stream *stream, rill_op *op)
{
    rill_status status = submit_host_function(stream, &op->host);
    if (status) rl_op_give_back(op);
    return status;
}

/* ---- Status callbacks -------------------------------------------------------- */

struct callback_cell {
    rill_stream_callback callback;
    rill_stream *stream; /* as the caller named it */
    void *data;
};

static void call_status_callback(struct strand *strand, struct cell *cell, rill_status status)
{
    struct callback_cell *payload = cell_payload(cell);
    enter_program(strand);
    payload->callback(payload->stream, status, payload->data);
    leave_program(strand);
}

static void callback_run(struct strand *strand, struct cell *cell)
{
    call_status_callback(strand, cell, RILL_SUCCESS);
}

/* Calls it: unlike a host function, a callback is also called when the device has failed. */
static void callback_drop(struct strand *strand, struct cell *cell)
{
    call_status_callback(strand, cell,
                         (rill_status)atomic_load(&strand->engine->platform->fault));
}

static const char *callback_name(const struct cell *cell)
{
    (void)cell;
    return "callback";
}

static const struct op_type callback_op = {
    .kind = RILL_OP_HOST, .run = callback_run, .drop = callback_drop, .name = callback_name,
    .demand = host_demand, .run_watched = sim_watch_around,
};

rill_status sim_stream_add_callback(rill_stream *handle, rill_stream_callback callback, void *data,
                                    uint32_t flags)
{
    struct sim_stream *stream;
    rill_status status = sim_stream_enter(handle, CALL_STREAM_CALLBACK, &stream);
    if (status) return status;
    if (flags)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "flags", "no flags are defined: pass 0");
    if (!callback)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "callback", "there is nothing to call");
    if (stream->context->platform->host_thread)
        return sim_submit_on_host_thread(stream, &(struct host_thread_op){
            .callback = callback, .stream = handle, .data = data });
    struct submission submission;
    status = sim_stream_begin(stream, &submission);
    if (status) return status;
    struct cell *cell = sim_submission_add(&submission, &callback_op, sizeof(struct callback_cell));
    if (!cell) return sim_stream_abort(stream, &submission);
    *(struct callback_cell *)cell_payload(cell) = (struct callback_cell){ callback, handle, data };
    sim_stream_commit(stream, &submission);
    return RILL_SUCCESS;
}
