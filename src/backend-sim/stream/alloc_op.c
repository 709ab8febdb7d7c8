/* SPDX-License-Identifier: Apache-2.0
 *
 * Allocations and frees in stream order.
 */
#include <string.h>

#include "backend-sim/memory/graph_heap.h"
#include "backend-sim/memory/memory.h"
#include "backend-sim/stream/stream.h"

/* ---- Allocations -------------------------------------------------------------------- */

/* Does nothing: the memory is the stream's from the submission on, and only the place counts. */
static void alloc_run(struct strand *strand, struct cell *cell)
{
    (void)strand, (void)cell;
}

static const char *alloc_name(const struct cell *cell)
{
    (void)cell;
    return "alloc";
}

static const struct op_type alloc_op = {
    .kind = RILL_OP_ALLOC, .run = alloc_run, .name = alloc_name,
};

static bool is_ordered_after(const struct sim_orderer *orderer, struct point point)
{
    return sim_strand_seen_point(orderer->strand, UINT64_MAX, point.strand->id) >= point.number;
}

/* Chooses the block under the submit lock, so that no free in the same stream comes between that
 * and the operation's place in the queue. */
rill_status sim_submit_alloc(struct sim_stream *stream, rill_op *op)
{
    struct sim_platform *platform = stream->context->platform;
    rill_alloc_op *alloc = &op->alloc;
    struct sim_orderer orderer = { stream->strand, is_ordered_after };
    struct submission submission;
    rill_devptr address;
    struct point after = { NULL, 0 };
    rill_status status = sim_stream_begin(stream, &submission);
    if (status) return status;
    status = sim_pool_acquire(platform, stream->context->device->ordinal, alloc->pool, alloc->bytes,
                              &orderer, &address, &after);
    if (status) {
        sim_stream_commit(stream, &submission);
        return status;
    }
    bool fits = sim_submission_wait(&submission, after) &&
                sim_submission_add(&submission, &alloc_op, 0);
    if (after.strand) sim_strand_release(after.strand);
    if (!fits) {
        sim_pool_cancel(platform, address);
        return sim_stream_abort(stream, &submission);
    }
    sim_stream_commit(stream, &submission);
    alloc->address = address;
    return RILL_SUCCESS;
}

/* ---- Frees ---------------------------------------------------------------------------- */

#define FREED_BYTE 0xdd
#define FREED_MOST ((size_t)1 << 20)

struct free_cell {
    rill_devptr heap;        /* the address if mem_alloc gave it, else 0 */
    rill_devptr pool;        /* the part of a pool's memory that is overwritten ... */
    size_t pool_bytes;       /* ... and its size, or 0                   */
    struct graph_free graph; /* with a block if it is a graph's          */
};

/* Frees the memory, also where the device has failed and the operation is dropped. */
static void free_run(struct strand *strand, struct cell *cell)
{
    struct free_cell *payload = cell_payload(cell);
    if (payload->pool_bytes)
        memset((void *)(uintptr_t)payload->pool, FREED_BYTE, payload->pool_bytes);
    if (payload->heap) sim_free_run(strand->engine->platform, payload->heap);
    if (payload->graph.block) sim_graph_free_run(payload->graph);
}

static const char *free_name(const struct cell *cell)
{
    (void)cell;
    return "free";
}

static const struct op_type free_op = {
    .kind = RILL_OP_FREE, .run = free_run, .drop = free_run, .name = free_name,
};

/* Has memory of a pool overwritten where it is freed, in a given schedule, so that a use after the
 * free shows.  Of large memory only the beginning is overwritten. */
static void mark_freed(struct sim_platform *platform, rill_devptr address,
                       struct free_cell *payload)
{
    uint64_t bytes = sim_map_claimed(platform->map, address)->range.bytes;
    payload->pool = address;
    payload->pool_bytes = bytes < FREED_MOST ? (size_t)bytes : FREED_MOST;
}

/* Takes the memory from the program, once the place of its free is known. */
static void begin_free(struct sim_platform *platform, rill_devptr address, enum free_kind kind,
                       struct point freed, struct free_cell *payload)
{
    *payload = (struct free_cell){ .heap = kind == FREE_HEAP ? address : 0 };
    if (kind == FREE_POOL && platform->engine->steering) mark_freed(platform, address, payload);
    if (kind == FREE_POOL) sim_free_at(platform, address, freed);
    if (kind == FREE_GRAPH)
        payload->graph = sim_graph_free_at(sim_map_claimed(platform->map, address));
}

rill_status sim_submit_free(struct sim_stream *stream, rill_op *op)
{
    struct sim_platform *platform = stream->context->platform;
    rill_devptr address = op->free.address;
    enum free_kind kind = FREE_NOTHING;
    struct submission submission;
    rill_status status = sim_stream_begin(stream, &submission);
    if (status) return status;
    status = sim_free_prepare(platform, address, &kind);
    if (status) {
        sim_stream_commit(stream, &submission);
        return status;
    }
    struct cell *cell = sim_submission_add(&submission, &free_op, sizeof(struct free_cell));
    if (!cell) {
        sim_free_cancel(platform, address);
        return sim_stream_abort(stream, &submission);
    }
    begin_free(platform, address, kind, sim_submission_end(&submission), cell_payload(cell));
    sim_stream_commit(stream, &submission);
    return RILL_SUCCESS;
}
