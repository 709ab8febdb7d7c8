/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies and fills in stream order, and the synchronous ones, which run in the legacy stream.
 */
#include <string.h>

#include "backend-sim/memory/memory.h"
#include "backend-sim/scheduler/demand.h"
#include "backend-sim/stream/stream.h"
#include "base/unseen.h"

/* Publishes the submission of an operation that ends soon and by itself; the host thread keeps
 * places for functions after such an operation. */
static void commit_prompt(struct sim_stream *stream, struct submission *submission)
{
    if (stream->context->platform->host_thread) sim_submission_stay_prompt(submission);
    sim_stream_commit(stream, submission);
}

/* ---- Copies --------------------------------------------------------------------- */

static void copy_drop(struct strand *strand, struct cell *cell)
{
    (void)strand;
    sim_copy_drop(cell_payload(cell));
}

static void copy_run(struct strand *strand, struct cell *cell)
{
    sim_copy_run(cell_payload(cell));
    copy_drop(strand, cell);
}

static const char *copy_name(const struct cell *cell)
{
    (void)cell;
    return "memcpy";
}

static uint64_t copy_bytes(const struct cell *cell)
{
    const struct sim_copy *copy = (const void *)(cell + 1);
    return (uint64_t)copy->width * copy->height * copy->depth;
}

static void copy_demand(struct cell *cell, uint32_t place, struct demand *demand)
{
    (void)place;
    sim_copy_demand(demand->platform, cell_payload(cell), demand);
}

static const struct op_type copy_op = {
    .kind = RILL_OP_MEMCPY, .run = copy_run, .drop = copy_drop, .name = copy_name,
    .demand = copy_demand, .bytes = copy_bytes,
};

static void row_run(struct strand *strand, struct cell *cell)
{
    (void)strand;
    const struct sim_row *row = cell_payload(cell);
    RL_BEFORE_UNSEEN();
    memmove((void *)(uintptr_t)row->dst, (const void *)(uintptr_t)row->src, row->bytes);
}

static uint64_t row_bytes(const struct cell *cell)
{
    return ((const struct sim_row *)(const void *)(cell + 1))->bytes;
}

static void row_demand(struct cell *cell, uint32_t place, struct demand *demand)
{
    (void)place;
    sim_row_demand(demand->platform, cell_payload(cell), demand);
}

static const struct op_type copy_row_op = {
    .kind = RILL_OP_MEMCPY, .run = row_run, .name = copy_name, .demand = row_demand,
    .bytes = row_bytes,
};

rill_status sim_submit_row(struct sim_stream *stream, const struct sim_row *row)
{
    struct submission submission;
    rill_status status = sim_stream_begin(stream, &submission);
    if (status) return status;
    struct cell *cell = sim_submission_add(&submission, &copy_row_op, sizeof *row);
    if (!cell) return sim_stream_abort(stream, &submission);
    *(struct sim_row *)cell_payload(cell) = *row;
    commit_prompt(stream, &submission);
    return RILL_SUCCESS;
}

/* Submits a checked copy; takes its staged bytes over in any case. */
static rill_status submit_copy(struct sim_stream *stream, struct sim_copy *copy,
                               struct point *point)
{
    struct submission submission;
    rill_status status = sim_stream_begin(stream, &submission);
    struct cell *cell = NULL;
    if (!status) {
        cell = sim_submission_add(&submission, &copy_op, sizeof *copy);
        if (!cell) status = sim_stream_abort(stream, &submission);
    }
    if (status) {
        sim_copy_drop(copy);
        return status;
    }
    *(struct sim_copy *)cell_payload(cell) = *copy;
    *point = sim_submission_end(&submission);
    commit_prompt(stream, &submission);
    return RILL_SUCCESS;
}

/* Waits for a point of the stream.  Returns the state of the device then. */
static rill_status wait_for_copy(struct sim_stream *stream, struct point point)
{
    return sim_wait(stream->context->platform, point, false);
}

rill_status sim_submit_copy(struct sim_stream *stream, rill_op *op)
{
    struct sim_row row;
    if (sim_copy_is_row(stream->context, &op->memcpy, &row)) return sim_submit_row(stream, &row);
    struct sim_copy copy;
    rill_status status = sim_copy_prepare(stream->context, &op->memcpy, &copy);
    if (status || !copy.width) return status;
    sim_copy_see(stream->context->platform, &copy);
    if (copy.from_pageable && !copy.to_pageable) {
        status = sim_copy_stage(&copy);
        if (status) return status;
    }
    bool wait = copy.to_pageable; /* read here: submit_copy() takes the copy over */
    struct point point;
    status = submit_copy(stream, &copy, &point);
    return status || !wait ? status : wait_for_copy(stream, point);
}

/* ---- Fills ------------------------------------------------------------------------ */

static void fill_run(struct strand *strand, struct cell *cell)
{
    (void)strand;
    sim_fill_run(cell_payload(cell));
}

static const char *fill_name(const struct cell *cell)
{
    (void)cell;
    return "memset";
}

static uint64_t fill_bytes(const struct cell *cell)
{
    const struct sim_fill *fill = (const void *)(cell + 1);
    return (uint64_t)fill->width * fill->height * fill->element_bytes;
}

static void fill_demand(struct cell *cell, uint32_t place, struct demand *demand)
{
    (void)place;
    sim_fill_demand(cell_payload(cell), demand);
}

static const struct op_type fill_op = {
    .kind = RILL_OP_MEMSET, .run = fill_run, .name = fill_name, .demand = fill_demand,
    .bytes = fill_bytes,
};

rill_status sim_submit_checked_fill(struct sim_stream *stream, const struct sim_fill *fill,
                                    struct point *point)
{
    struct submission submission;
    rill_status status = sim_stream_begin(stream, &submission);
    if (status) return status;
    struct cell *cell = sim_submission_add(&submission, &fill_op, sizeof *fill);
    if (!cell) return sim_stream_abort(stream, &submission);
    *(struct sim_fill *)cell_payload(cell) = *fill;
    *point = sim_submission_end(&submission);
    commit_prompt(stream, &submission);
    return RILL_SUCCESS;
}

rill_status sim_submit_fill(struct sim_stream *stream, rill_op *op)
{
    struct sim_fill fill;
    struct point point;
    rill_status status = sim_fill_prepare(stream->context, &op->memset, &fill);
    if (status || !fill.width || !fill.height) return status;
    sim_fill_see(stream->context->platform, &fill);
    return sim_submit_checked_fill(stream, &fill, &point);
}

/* ---- The synchronous forms --------------------------------------------------------- */

/* Ends a synchronous call.  Unless it must wait, the operation need not be over when the call
 * returns; but if nothing is pending before it, it is done here: a device would have done it by
 * the host's next call, and programs rely on that. */
static rill_status finish_synchronous(struct sim_stream *stream, struct point point, bool wait)
{
    if (wait) return wait_for_copy(stream, point);
    if (sim_strand_pending(point.strand) == 1 && sim_strand_claim(point.strand))
        sim_strand_run(point.strand, point.number, 1);
    return RILL_SUCCESS;
}

/* Orders what comes to the stream next after a point. */
static rill_status order_after(struct sim_stream *stream, struct point point)
{
    struct submission submission;
    rill_status status = sim_stream_begin(stream, &submission);
    if (status) return status;
    if (!sim_submission_wait(&submission, point)) return sim_stream_abort(stream, &submission);
    sim_stream_commit(stream, &submission);
    return RILL_SUCCESS;
}

/* Returns the legacy stream of the context that owns one side of a copy, or NULL if that is the
 * context that copies. */
static struct sim_stream *other_legacy(const struct sim_stream *legacy,
                                       const struct sim_context *owner)
{
    return owner && owner != legacy->context && owner->streams ? owner->streams->legacy : NULL;
}

/* Runs a copy.  Between devices it comes after the blocking streams of both, and what comes to
 * them later comes after the copy.  If memory is too short to order that, the call waits, since
 * it is too late to refuse. */
static rill_status run_copy(struct sim_stream *legacy, const rill_copy *request)
{
    struct sim_copy copy;
    struct point point;
    rill_status status = sim_copy_prepare(legacy->context, request, &copy);
    if (status || !copy.width) return status;
    bool wait = copy.touches_host;
    sim_copy_see(legacy->context->platform, &copy);
    struct sim_stream *others[2];
    for (int i = 0; i < 2; i++) {
        others[i] = other_legacy(legacy, copy.owners[i]);
        if (others[i]) status = sim_stream_point(others[i], &point);
        if (!status && others[i]) status = order_after(legacy, point);
        if (status) return status;
    }
    status = submit_copy(legacy, &copy, &point);
    if (status) return status;
    for (int i = 0; i < 2 && !wait; i++)
        if (others[i] && order_after(others[i], point)) wait = true;
    return finish_synchronous(legacy, point, wait);
}

static rill_status run_fill(struct sim_stream *legacy, const rill_fill *request)
{
    struct sim_fill fill;
    struct point point;
    rill_status status = sim_fill_prepare(legacy->context, request, &fill);
    if (status || !fill.width || !fill.height) return status;
    bool wait = fill.touches_host;
    sim_fill_see(legacy->context->platform, &fill);
    status = sim_submit_checked_fill(legacy, &fill, &point);
    return status ? status : finish_synchronous(legacy, point, wait);
}

rill_status sim_memory_run(rill_context *handle, const rill_op *op)
{
    struct sim_context *context = sim_context_of(handle);
    struct sim_stream *legacy;
    rill_status status = sim_stream_enter(context->streams->legacy->handle, CALL_MEMORY_RUN,
                                          &legacy);
    if (status) return status;
    return op->kind == RILL_OP_MEMCPY ? run_copy(legacy, &op->memcpy)
                                      : run_fill(legacy, &op->memset);
}
