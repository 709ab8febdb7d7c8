/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies, in streams and as nodes.  A row from address to address takes the driver's flat calls,
 * which are its fastest; everything else is a box.
 */
#include "backend-cuda/kind/copy.h"

#include "backend-cuda/context/capture_list.h"
#include "backend-cuda/kind/kind.h"
#include "backend-cuda/memory/copy.h"
#include "backend-cuda/memory/pointer.h"

/* ---- In a stream -------------------------------------------------------------------------- */

/* Not inlined, since a row needs none of its stack. */
__attribute__((noinline))
static rill_status submit_peer_copy(struct cuda_stream *stream, const rill_copy *copy)
{
    struct cuda_context *context = stream->context;
    const rill_place *dst = &copy->dst, *src = &copy->src;
    CUDA_MEMCPY3D_PEER raw;
    if (cuda_copy_pair(copy) == CUDA_PAIR(DEVICE, DEVICE))
        return cuda_end_copy(context,
                             cuda_api.MemcpyPeerAsync(dst->address, cuda_copy_context(context, dst),
                                                      src->address, cuda_copy_context(context, src),
                                                      copy->width, stream->raw),
                             "cuMemcpyPeerAsync", copy);
    cuda_write_peer_copy(context, copy, &raw);
    return cuda_end_copy(context, cuda_api.Memcpy3DPeerAsync(&raw, stream->raw),
                         "cuMemcpy3DPeerAsync", copy);
}

__attribute__((noinline))
static rill_status submit_box_copy(struct cuda_stream *stream, const rill_copy *copy)
{
    CUDA_MEMCPY3D raw;
    cuda_write_copy(copy, &raw);
    return cuda_end_copy(stream->context, cuda_api.Memcpy3DAsync(&raw, stream->raw),
                         "cuMemcpy3DAsync", copy);
}

/* Makes the flat call of a pair, whose name is name_of_row(). */
static inline CUresult call_row(const struct cuda_stream *stream, int pair, rill_devptr dst,
                                rill_devptr src, size_t bytes)
{
    switch (pair) {
    case CUDA_PAIR(DEVICE, HOST):
        return cuda_api.MemcpyHtoDAsync(dst, (const void *)(uintptr_t)src, bytes, stream->raw);
    case CUDA_PAIR(HOST, DEVICE):
        return cuda_api.MemcpyDtoHAsync((void *)(uintptr_t)dst, src, bytes, stream->raw);
    case CUDA_PAIR(DEVICE, DEVICE): return cuda_api.MemcpyDtoDAsync(dst, src, bytes, stream->raw);
    default: return cuda_api.MemcpyAsync(dst, src, bytes, stream->raw);
    }
}

static const char *name_of_row(int pair)
{
    switch (pair) {
    case CUDA_PAIR(DEVICE, HOST): return "cuMemcpyHtoDAsync";
    case CUDA_PAIR(HOST, DEVICE): return "cuMemcpyDtoHAsync";
    case CUDA_PAIR(DEVICE, DEVICE): return "cuMemcpyDtoDAsync";
    case CUDA_PAIR(UNIFIED, UNIFIED): return "cuMemcpyAsync";
    default: return NULL; /* there is none */
    }
}

static rill_status submit_by_form(struct cuda_stream *stream, const rill_copy *copy)
{
    int pair = cuda_copy_pair(copy);
    const char *name = name_of_row(pair);
    if (cuda_names_contexts(copy)) return submit_peer_copy(stream, copy);
    if (!name) return submit_box_copy(stream, copy);
    return cuda_end_copy(stream->context,
                         call_row(stream, pair, copy->dst.address, copy->src.address, copy->width),
                         name, copy);
}

/* For memory of another device the driver looks at the current context, and crashes if there is
 * none, as measured.  A default stream is the current context's. */
static inline rill_status enter_to_copy(const struct cuda_stream *stream, struct cuda_visit *visit)
{
    visit->pushed = false;
    bool needs = stream->context->platform->device_count > 1 || stream->is_default;
    return needs ? cuda_enter(stream->context, visit) : RILL_SUCCESS;
}

static rill_status submit_copy(struct cuda_stream *stream, rill_op *op)
{
    struct cuda_visit visit;
    rill_status status = enter_to_copy(stream, &visit);
    if (status) return cuda_submitted(stream, status);
    status = submit_by_form(stream, &op->memcpy);
    cuda_leave(&visit);
    return cuda_submitted(stream, status);
}

__attribute__((noinline, cold))
static rill_status explain_row(const struct cuda_stream *stream, CUresult result, int pair,
                               rill_devptr dst, rill_devptr src, size_t bytes)
{
    const rill_copy copy = {
        .dst = { .kind = (rill_memory_kind)(pair >> 4), .address = dst },
        .src = { .kind = (rill_memory_kind)(pair & 15), .address = src },
        .width = bytes, .height = 1, .depth = 1,
    };
    return cuda_submitted(stream,
                          cuda_explain_copy(stream->context, result, name_of_row(pair), &copy));
}

rill_status cuda_submit_copy_row(struct cuda_stream *stream, rill_memory_kind dst_kind,
                                 rill_devptr dst, rill_memory_kind src_kind, rill_devptr src,
                                 size_t bytes)
{
    const int pair = (int)dst_kind << 4 | (int)src_kind;
    struct cuda_visit visit;
    rill_status status = enter_to_copy(stream, &visit);
    if (status) return cuda_submitted(stream, status);
    CUresult result = call_row(stream, pair, dst, src, bytes);
    if (__builtin_expect(result != CUDA_SUCCESS, 0))
        status = explain_row(stream, result, pair, dst, src, bytes);
    cuda_leave(&visit);
    return status;
}

/* ---- Nodes ------------------------------------------------------------------------------- */

static struct cuda_context *context_of_place(const struct cuda_graph *graph,
                                             const rill_place *place)
{
    return place->context ? cuda_context_of(place->context)
                          : cuda_find_owner(graph->platform, place->address);
}

static struct cuda_context *find_context_of_copy(const struct cuda_graph *graph, const rill_op *op)
{
    struct cuda_context *context = context_of_place(graph, &op->memcpy.dst);
    return context ? context : context_of_place(graph, &op->memcpy.src);
}

static rill_status write_copy(const struct cuda_site *site, const rill_op *op,
                              struct cuda_node_params *params, struct cuda_room *room)
{
    (void)room;
    cuda_write_copy(&op->memcpy, &params->memcpy.copy);
    params->memcpy.context = site->context->raw;
    return RILL_SUCCESS;
}

static rill_status read_copy(struct cuda_graph *graph, CUgraphNode raw, rill_op *op)
{
    CUDA_MEMCPY3D params;
    (void)graph;
    rill_status status = cuda_end(cuda_api.GraphMemcpyNodeGetParams(raw, &params),
                                  "cuGraphMemcpyNodeGetParams");
    if (!status) cuda_read_copy(&params, &op->memcpy);
    return status;
}

static CUresult typed_add_copy(struct cuda_addition *a)
{
    return cuda_api.GraphAddMemcpyNode(&a->node, a->graph->raw, cuda_raw_dependencies(a), a->count,
                                       &a->params.memcpy.copy, a->params.memcpy.context);
}

static CUresult typed_set_copy(CUgraphNode node, const struct cuda_node_params *params)
{
    return cuda_api.GraphMemcpyNodeSetParams(node, &params->memcpy.copy);
}

static CUresult typed_exec_set_copy(CUgraphExec exec, CUgraphNode node,
                                    const struct cuda_node_params *params)
{
    return cuda_api.GraphExecMemcpyNodeSetParams(exec, node, &params->memcpy.copy,
                                                 params->memcpy.context);
}

static rill_status explain_copy(const struct cuda_refusal *r)
{
    return cuda_explain_copy(r->context, r->result, r->call, &r->op->memcpy);
}

const struct cuda_kind cuda_kind_copy = {
    .op = RILL_OP_MEMCPY,
    .traits = CUDA_KIND_CAN_REST,
    .find_context = find_context_of_copy,
    .write = write_copy,
    .read = read_copy,
    .add = cuda_add_raw,
    .set = cuda_set_raw,
    .typed_add = typed_add_copy,
    .typed_set = typed_set_copy,
    .typed_exec_set = typed_exec_set_copy,
    .explain = explain_copy,
    .submit = submit_copy,
};
