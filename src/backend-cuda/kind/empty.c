/* SPDX-License-Identifier: Apache-2.0
 *
 * Empty nodes, and in a stream the operation that does nothing.
 */
#include "backend-cuda/context/capture_list.h"
#include "backend-cuda/context/capture_state.h"
#include "backend-cuda/kind/kind.h"

/* Adds an empty node to the graph that the stream captures into, if any. */
static rill_status capture_empty(struct cuda_stream *stream)
{
    struct cuda_capture_state state;
    CUgraphNode node;
    rill_status status = cuda_end(cuda_capture_ask(stream, &state), "cuStreamGetCaptureInfo");
    if (status || !state.graph) return status;
    struct cuda_visit visit;
    status = cuda_enter(stream->context, &visit);
    if (status) return status;
    status = cuda_end(cuda_api.GraphAddEmptyNode(&node, state.graph, state.nodes, state.count),
                      "cuGraphAddEmptyNode");
    cuda_leave(&visit);
    const rill_node next = cuda_node(node);
    if (!status)
        status = cuda_end(cuda_capture_depend(stream, &next, NULL, 1, RILL_CAPTURE_SET),
                          "cuStreamUpdateCaptureDependencies");
    return status;
}

static rill_status submit_empty(struct cuda_stream *stream, rill_op *op)
{
    (void)op;
    return cuda_submitted(stream, capture_empty(stream));
}

/* ---- Nodes ------------------------------------------------------------------------------- */

static rill_status write_empty(const struct cuda_site *site, const rill_op *op,
                               struct cuda_node_params *params, struct cuda_room *room)
{
    (void)site;
    (void)op;
    (void)params;
    (void)room;
    return RILL_SUCCESS;
}

static rill_status read_empty(struct cuda_graph *graph, CUgraphNode node, rill_op *op)
{
    (void)graph;
    (void)node;
    (void)op;
    return RILL_SUCCESS;
}

static CUresult typed_add_empty(struct cuda_addition *a)
{
    return cuda_api.GraphAddEmptyNode(&a->node, a->graph->raw, cuda_raw_dependencies(a), a->count);
}

const struct cuda_kind cuda_kind_empty = {
    .op = RILL_OP_EMPTY,
    .traits = CUDA_KIND_SAYS_NOTHING,
    .entering = CUDA_ENTER_NEVER,
    .write = write_empty,
    .read = read_empty,
    .add = cuda_add_raw,
    .set = cuda_set_raw,
    .typed_add = typed_add_empty,
    .submit = submit_empty,
};
