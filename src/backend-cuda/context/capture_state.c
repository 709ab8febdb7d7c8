/* SPDX-License-Identifier: Apache-2.0
 *
 * Asks the driver for the capture that a stream is in.
 */
#include "backend-cuda/context/capture_state.h"

#include <string.h>

CUresult cuda_capture_ask(const struct cuda_stream *stream, struct cuda_capture_state *state)
{
    memset(state, 0, sizeof *state);
    if (cuda_api.StreamGetCaptureInfo)
        return cuda_api.StreamGetCaptureInfo(stream->raw, &state->status, &state->id,
                                             &state->graph, &state->nodes, &state->edges,
                                             &state->count);
    return cuda_api.StreamGetCaptureInfo_11030(stream->raw, &state->status, &state->id,
                                               &state->graph, &state->nodes, &state->count);
}

CUgraph cuda_capture_graph(const struct cuda_stream *stream)
{
    struct cuda_capture_state state;
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    /* The first question is the cheap one.  If the driver refuses it, for a legacy stream
     * that may not be asked, it will refuse the operation itself as well. */
    if (cuda_api.StreamIsCapturing(stream->raw, &status) ||
        status != CU_STREAM_CAPTURE_STATUS_ACTIVE || cuda_capture_ask(stream, &state))
        return NULL;
    return state.graph;
}

CUresult cuda_capture_depend(const struct cuda_stream *stream, const rill_node *nodes,
                             const rill_edge *edges, size_t count, unsigned how)
{
    CUgraphNode *raw;
    memcpy(&raw, &nodes, sizeof raw); /* the driver only reads them */
    if (cuda_api.StreamUpdateCaptureDependencies)
        return cuda_api.StreamUpdateCaptureDependencies(stream->raw, raw, edges, count, how);
    return cuda_api.StreamUpdateCaptureDependencies_11030(stream->raw, raw, count, how);
}
