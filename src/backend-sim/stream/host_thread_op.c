/* SPDX-License-Identifier: Apache-2.0
 *
 * Host functions and status callbacks of a platform that has a thread for them
 * (host_thread.h): the stream stands still meanwhile, but no worker does.
 */
#include "backend-sim/scheduler/host_thread.h"
#include "backend-sim/stream/stream.h"

enum away_state { AWAY_NOT_BEGUN, AWAY_DONE };

struct away_cell {
    struct host_away away;
    struct host_call call;
    enum away_state state; /* the strand's owner's; while it is parked, the thread's */
};

static struct away_cell *away_of(struct cell *cell)
{
    return cell_payload(cell);
}

/* ---- In the thread ------------------------------------------------------------------ */

static void call(const struct host_away *away, rill_status status)
{
    if (away->callback) away->callback(away->stream, status, away->data);
    else away->fn(away->data);
}

static void call_away(void *data)
{
    struct away_cell *cell = data;
    call(&cell->away, RILL_SUCCESS);
    if (cell->away.destroy) cell->away.destroy(cell->away.data);
    cell->state = AWAY_DONE;
}

static void come_back(struct host_call *finished)
{
    sim_strand_unpark(finished->strand);
}

/* ---- In the strand -------------------------------------------------------------------- */

static bool away_ready(struct strand *strand, struct cell *cell)
{
    (void)strand;
    return away_of(cell)->state == AWAY_DONE;
}

static bool away_park(struct strand *strand, struct cell *cell)
{
    rl_spin_lock(&strand->park_lock);
    strand->parked = PARKED_ON_HOST;
    rl_spin_unlock(&strand->park_lock);
    sim_host_post(strand->engine->platform->host_thread, &away_of(cell)->call);
    return true;
}

static void away_run(struct strand *strand, struct cell *cell)
{
    (void)strand;
    (void)cell;
}

/* A callback is also called when the device has failed, a function is not.  What was
 * done before it failed is not dropped, but done; what the thread was told not to call
 * any more was not done. */
static void away_drop(struct strand *strand, struct cell *cell)
{
    struct away_cell *payload = away_of(cell);
    if (payload->state == AWAY_DONE) return;
    sim_host_withdraw(strand->engine->platform->host_thread, &payload->call);
    sim_inside++;
    if (payload->away.callback)
        call(&payload->away, (rill_status)atomic_load(&strand->engine->platform->fault));
    else if (payload->away.destroy)
        payload->away.destroy(payload->away.data);
    sim_inside--;
}

static const char *away_name(const struct cell *cell)
{
    const struct away_cell *payload = (const void *)(cell + 1);
    return payload->away.callback ? "callback" : "host function";
}

static const struct op_type away_op = {
    .kind = RILL_OP_HOST, .ready = away_ready, .park = away_park, .run = away_run,
    .drop = away_drop, .name = away_name,
};

rill_status sim_submit_away(struct sim_stream *stream, const struct host_away *away)
{
    struct submission submission;
    rill_status status = sim_stream_begin(stream, &submission);
    if (status) return status;
    struct cell *cell = sim_submission_add(&submission, &away_op, sizeof(struct away_cell));
    if (!cell) return sim_stream_abort(stream, &submission);
    struct away_cell *payload = away_of(cell);
    *payload = (struct away_cell){
        .away = *away,
        .call = { .fn = call_away, .data = payload, .strand = stream->strand,
                  .number = sim_submission_number(&submission), .finished = come_back },
    };
    if (sim_submission_is_prompt(&submission))
        sim_host_keep_place(stream->context->platform->host_thread, &payload->call);
    sim_stream_commit(stream, &submission);
    return RILL_SUCCESS;
}
