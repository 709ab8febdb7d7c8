/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-trace/slots/calls.h"

#include <string.h>

#include "base/alloc.h"

/* ---- A call ---------------------------------------------------------------------------------- */

void tr_call_begin(struct tr_call *call, const void *object)
{
    struct tr_tracer *tracer = tr_tracer_of(object);
    call->tracer = NULL;
    if (!tr_is_on(tracer)) return;
    *call = (struct tr_call){ .tracer = tracer, .outer = tr_here.call, .made = cs_call_here() };
    call->begin_ns = tr_now(tracer);
    tr_here.call = call;
}

static uint64_t current_trace(const struct tr_tracer *tracer)
{
    return atomic_load_explicit(&tracer->traces, memory_order_relaxed);
}

static void add_thread(struct tr_tracer *tracer)
{
    struct tr_ring *ring;
    struct tr_record *record = tr_begin(tracer, &ring);
    if (!record) return;
    atomic_store_explicit(&ring->told, current_trace(tracer), memory_order_relaxed);
    record->what = TR_THREAD;
    record->thread = ring->thread;
    record->name = tr_name(tracer, ring, ring->thread_name);
    tr_end(tracer, ring);
}

/* Notes that the call submitted a row of operations, besides the last one. */
static void add_parts(const struct tr_call *call)
{
    struct tr_ring *ring;
    struct tr_record *record = tr_begin(call->tracer, &ring);
    if (!record) return;
    record->what = TR_PARTS;
    record->thread = ring->thread;
    record->begin_ns = call->begin_ns;
    record->queue = call->queue;
    record->point = call->first;
    record->parts = call->parts;
    tr_end(call->tracer, ring);
}

static void describe_launch(struct tr_tracer *tracer, struct tr_ring *ring,
                            struct tr_record *record, const rill_kernel_op *op)
{
    const char *kernel = tr_beneath(op->kernel)->module->kernel_name(op->kernel);
    const uint32_t grid[3] = { op->grid.x, op->grid.y, op->grid.z };
    const uint32_t block[3] = { op->block.x, op->block.y, op->block.z };
    if (!kernel) return;
    record->launch.kernel = tr_name(tracer, ring, kernel);
    memcpy(record->launch.grid, grid, sizeof grid);
    memcpy(record->launch.block, block, sizeof block);
}

static void add_call(const struct tr_call *call, const struct tr_told *told, uint64_t end_ns)
{
    struct tr_tracer *tracer = call->tracer;
    struct tr_ring *ring = tr_ring_find(tracer);
    if (ring && atomic_load_explicit(&ring->told, memory_order_relaxed) != current_trace(tracer))
        add_thread(tracer);
    struct tr_record *record = tr_begin(tracer, &ring);
    if (!record) return;
    record->what = TR_CALL;
    record->thread = ring->thread;
    record->name = told->name;
    if (call->made.name) {
        record->name = tr_name(tracer, ring, call->made.name);
        record->does = told->name;
    }
    record->site = call->made.site;
    record->begin_ns = call->begin_ns;
    record->end_ns = end_ns;
    record->status = (uint16_t)told->status;
    record->blocks = told->blocks;
    record->bytes = told->bytes;
    record->queue = call->queue;
    record->point = call->first;
    record->parts = call->parts;
    if (told->op && told->op->kind == RILL_OP_KERNEL)
        describe_launch(tracer, ring, record, &told->op->kernel);
    tr_end(tracer, ring);
}

rill_status tr_call_end(struct tr_call *call, const struct tr_told *told)
{
    if (!call->tracer) return told->status;
    tr_here.call = call->outer;
    add_call(call, told, tr_now(call->tracer));
    return told->status;
}

rill_status tr_call_end_as(struct tr_call *call, const struct tr_name *name, rill_status status)
{
    const struct tr_told told = { .name = name, .status = status };
    return tr_call_end(call, &told);
}

rill_status tr_call_end_wait(struct tr_call *call, const struct tr_name *name, rill_status status)
{
    const struct tr_told told = { .name = name, .status = status, .blocks = true };
    return tr_call_end(call, &told);
}

/* ---- What it submits ------------------------------------------------------------------------- */

/* What the backend's own threads submit belongs to no call. */
void tr_see_submitted(void *data, uint64_t queue, uint64_t point, rill_op_kind kind)
{
    struct tr_call *call = tr_here.call;
    if (!call || call->tracer != data || kind == RILL_OP_EMPTY) return;
    if (call->parts && call->queue == queue && call->first + call->parts == point) {
        call->parts++;
        return;
    }
    if (call->parts) add_parts(call);
    call->queue = queue;
    call->first = point;
    call->parts = 1;
}

void tr_see_ended(void *data, const rill_span *span)
{
    struct tr_tracer *tracer = data;
    struct tr_ring *ring;
    struct tr_record *record = tr_is_on(tracer) ? tr_begin(tracer, &ring) : NULL;
    if (!record) return;
    record->what = TR_SPAN;
    record->kind = (uint8_t)span->kind;
    record->dropped = span->dropped != 0;
    record->device = (int16_t)span->device;
    record->queue = span->queue;
    record->point = span->point;
    record->node = span->node;
    record->begin_ns = span->begin_ns;
    record->end_ns = span->end_ns;
    record->bytes = span->bytes;
    record->name = tr_name(tracer, ring, span->name);
    record->after.queue = span->after_queue;
    record->after.point = span->after_point;
    tr_end(tracer, ring);
}

uint64_t tr_op_bytes(const rill_op *op)
{
    switch (op->kind) {
    case RILL_OP_MEMCPY:
        return (uint64_t)op->memcpy.width * op->memcpy.height * op->memcpy.depth;
    case RILL_OP_MEMSET:
        return (uint64_t)op->memset.width * op->memset.height * op->memset.element_bytes;
    case RILL_OP_ALLOC: return op->alloc.bytes;
    default: return 0;
    }
}

/* ---- Labels ---------------------------------------------------------------------------------- */

static void add_label(struct tr_tracer *tracer, rill_stream *stream, const char *name)
{
    struct tr_ring *ring;
    uint64_t queue;
    if (tr_beneath(stream)->stream->id(stream, &queue)) return;
    struct tr_record *record = tr_begin(tracer, &ring);
    if (!record) return;
    record->what = TR_LABEL;
    record->queue = queue;
    record->name = tr_name(tracer, ring, name);
    tr_end(tracer, ring);
}

/* Which label of a stream is in the file: labels stay where they are while the stream does. */
struct tr_noted_label {
    _Atomic(const char *) text;
    atomic_uint_least64_t trace;
};

/* Returns whether the label is news for the trace. */
static bool note_label(const struct tr_tracer *tracer, rill_stream *stream, const char *label)
{
    struct tr_noted_label *noted = *rill_layer_word(&rl_layer_trace, stream);
    uint64_t trace = current_trace(tracer);
    if (!noted) return false;
    if (atomic_load_explicit(&noted->text, memory_order_relaxed) == label &&
        atomic_load_explicit(&noted->trace, memory_order_relaxed) == trace)
        return false;
    atomic_store_explicit(&noted->text, label, memory_order_relaxed);
    atomic_store_explicit(&noted->trace, trace, memory_order_relaxed);
    return true;
}

void tr_label_note(const struct tr_call *call, rill_stream *stream)
{
    if (!call->tracer) return;
    const char *label = __atomic_load_n(&rill_object_of(stream)->label, __ATOMIC_ACQUIRE);
    if (label && note_label(call->tracer, stream, label)) add_label(call->tracer, stream, label);
}

void tr_label_watch(rill_stream *stream)
{
    void **word = rill_layer_word(&rl_layer_trace, stream);
    if (!*word) *word = rl_zalloc(sizeof(struct tr_noted_label));
}

void tr_label_set(rill_stream *stream, const char *name)
{
    struct tr_tracer *tracer = tr_tracer_of(stream);
    if (tr_is_on(tracer)) add_label(tracer, stream, name);
}
