/* SPDX-License-Identifier: Apache-2.0
 *
 * Empty nodes, and in a stream the operation that does nothing.
 */
#include "backend-cuda/capture_list.h"
#include "backend-cuda/capture_state.h"
#include "backend-cuda/stream.h"

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
    const rill_node next = (rill_node)(void *)node;
    if (!status)
        status = cuda_end(cuda_capture_depend(stream, &next, NULL, 1, RILL_CAPTURE_SET),
                          "cuStreamUpdateCaptureDependencies");
    return status;
}

rill_status cuda_submit_empty(struct cuda_stream *stream, rill_op *op)
{
    (void)op;
    return cuda_submitted(stream, capture_empty(stream));
}
