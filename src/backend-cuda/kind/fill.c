/* SPDX-License-Identifier: Apache-2.0
 *
 * Fills, in streams and as nodes.
 */
#include "backend-cuda/kind/fill.h"

#include "backend-cuda/context/capture_list.h"
#include "backend-cuda/kind/kind.h"
#include "backend-cuda/memory/fill.h"
#include "backend-cuda/memory/pointer.h"

/* ---- In a stream ------------------------------------------------------------------------ */

static inline rill_status end_in_stream(const struct cuda_stream *stream, CUresult result,
                                        const char *call, const rill_fill *fill)
{
    return cuda_submitted(stream, cuda_end_fill(stream->context, result, call, fill));
}

static rill_status submit_fill_rows(struct cuda_stream *stream, const rill_fill *fill)
{
    uint32_t value = fill->value;
    switch (fill->element_bytes) {
    case 1:
        return end_in_stream(stream,
                             cuda_api.MemsetD2D8Async(fill->dst, fill->pitch, (unsigned char)value,
                                                      fill->width, fill->height, stream->raw),
                             "cuMemsetD2D8Async", fill);
    case 2:
        return end_in_stream(stream,
                             cuda_api.MemsetD2D16Async(fill->dst, fill->pitch,
                                                       (unsigned short)value, fill->width,
                                                       fill->height, stream->raw),
                             "cuMemsetD2D16Async", fill);
    case 4:
        return end_in_stream(stream,
                             cuda_api.MemsetD2D32Async(fill->dst, fill->pitch, value, fill->width,
                                                       fill->height, stream->raw),
                             "cuMemsetD2D32Async", fill);
    default: return cuda_refuse_element(fill);
    }
}

/* Refuses a row that the driver refused, or, with CUDA_SUCCESS, one that never got there. */
__attribute__((noinline, cold))
static rill_status refuse_fill_row(const struct cuda_stream *stream, CUresult result,
                                   rill_devptr dst, uint32_t value, uint32_t element_bytes,
                                   size_t count)
{
    static const char *const calls[] = { NULL, "cuMemsetD8Async", "cuMemsetD16Async", NULL,
                                         "cuMemsetD32Async" };
    const rill_fill row = { .dst = dst, .value = value, .element_bytes = element_bytes,
                            .width = count, .height = 1 };
    if (!cuda_fill_ends(&row)) return cuda_refuse_long_fill(&row);
    return result ? end_in_stream(stream, result, calls[element_bytes], &row)
                  : cuda_refuse_element(&row);
}

rill_status cuda_submit_fill_row(struct cuda_stream *stream, rill_devptr dst, uint32_t value,
                                 uint32_t element_bytes, size_t count)
{
    CUresult result = CUDA_SUCCESS;
    size_t bytes, last;
    bool fits = !__builtin_mul_overflow(count, element_bytes, &bytes) &&
                !__builtin_add_overflow(dst, bytes, &last);
    if (fits && element_bytes == 4)
        result = cuda_api.MemsetD32Async(dst, value, count, stream->raw);
    else if (fits && element_bytes == 2)
        result = cuda_api.MemsetD16Async(dst, (unsigned short)value, count, stream->raw);
    else if (fits && element_bytes == 1)
        result = cuda_api.MemsetD8Async(dst, (unsigned char)value, count, stream->raw);
    else
        return refuse_fill_row(stream, result, dst, value, element_bytes, count);
    return __builtin_expect(result == CUDA_SUCCESS, 1)
               ? RILL_SUCCESS
               : refuse_fill_row(stream, result, dst, value, element_bytes, count);
}

static rill_status submit_fill(struct cuda_stream *stream, rill_op *op)
{
    const rill_fill *fill = &op->memset;
    if (fill->height == 1)
        return cuda_submit_fill_row(stream, fill->dst, fill->value, fill->element_bytes,
                                    fill->width);
    if (__builtin_expect(!cuda_fill_ends(fill), 0)) return cuda_refuse_long_fill(fill);
    return submit_fill_rows(stream, fill);
}

/* ---- Nodes ------------------------------------------------------------------------------- */

static struct cuda_context *find_context_of_fill(const struct cuda_graph *graph, const rill_op *op)
{
    return cuda_find_owner(graph->platform, op->memset.dst);
}

static rill_status write_fill(const struct cuda_site *site, const rill_op *op,
                              struct cuda_node_params *params, struct cuda_room *room)
{
    const rill_fill *fill = &op->memset;
    (void)room;
    params->memset = (struct cuda_memset_params){
        .dst = fill->dst,
        .pitch = fill->pitch,
        /* A node would write the bits beyond the element, too, as measured. */
        .value = fill->element_bytes < 4 ? fill->value & ((1u << 8 * fill->element_bytes) - 1)
                                         : fill->value,
        .element_bytes = fill->element_bytes,
        .width = fill->width,
        .height = fill->height,
        .context = site->context->raw,
    };
    return RILL_SUCCESS;
}

static rill_status read_fill(struct cuda_graph *graph, CUgraphNode raw, rill_op *op)
{
    CUDA_MEMSET_NODE_PARAMS params;
    (void)graph;
    rill_status status = cuda_end(cuda_api.GraphMemsetNodeGetParams(raw, &params),
                                  "cuGraphMemsetNodeGetParams");
    if (status) return status;
    op->memset = (rill_fill){
        .dst = params.dst,
        .pitch = params.pitch,
        .value = params.value,
        .element_bytes = params.elementSize,
        .width = params.width,
        .height = params.height,
    };
    return RILL_SUCCESS;
}

static CUDA_MEMSET_NODE_PARAMS early_params(const struct cuda_memset_params *params)
{
    return (CUDA_MEMSET_NODE_PARAMS){
        .dst = params->dst, .pitch = params->pitch, .value = params->value,
        .elementSize = params->element_bytes, .width = params->width, .height = params->height,
    };
}

static CUresult typed_add_fill(struct cuda_addition *a)
{
    const CUDA_MEMSET_NODE_PARAMS raw = early_params(&a->params.memset);
    return cuda_api.GraphAddMemsetNode(&a->node, a->graph->raw, cuda_raw_dependencies(a), a->count,
                                       &raw, a->params.memset.context);
}

static CUresult typed_set_fill(CUgraphNode node, const struct cuda_node_params *params)
{
    const CUDA_MEMSET_NODE_PARAMS raw = early_params(&params->memset);
    return cuda_api.GraphMemsetNodeSetParams(node, &raw);
}

static CUresult typed_exec_set_fill(CUgraphExec exec, CUgraphNode node,
                                    const struct cuda_node_params *params)
{
    const CUDA_MEMSET_NODE_PARAMS raw = early_params(&params->memset);
    return cuda_api.GraphExecMemsetNodeSetParams(exec, node, &raw, params->memset.context);
}

static rill_status explain_fill(const struct cuda_refusal *r)
{
    return cuda_explain_fill(r->context, r->result, r->call, &r->op->memset);
}

const struct cuda_kind cuda_kind_fill = {
    .op = RILL_OP_MEMSET,
    .traits = CUDA_KIND_CAN_REST,
    .find_context = find_context_of_fill,
    .write = write_fill,
    .read = read_fill,
    .add = cuda_add_raw,
    .set = cuda_set_raw,
    .typed_add = typed_add_fill,
    .typed_set = typed_set_fill,
    .typed_exec_set = typed_exec_set_fill,
    .explain = explain_fill,
    .submit = submit_fill,
};
