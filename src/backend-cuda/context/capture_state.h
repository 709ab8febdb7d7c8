/* SPDX-License-Identifier: Apache-2.0
 *
 * What the driver knows of the capture that a stream is in.
 */
#ifndef CUDA_CONTEXT_CAPTURE_STATE_H
#define CUDA_CONTEXT_CAPTURE_STATE_H

#include "backend-cuda/context/stream.h"

struct cuda_capture_state {
    CUstreamCaptureStatus status;
    uint64_t id;
    CUgraph graph;
    const CUgraphNode *nodes;
    const rill_edge *edges; /* NULL if all are zero */
    size_t count;           /* of the nodes that the next one will depend on */
};

/* Asks the driver for everything it tells of the stream's capture. */
CUresult cuda_capture_ask(const struct cuda_stream *stream, struct cuda_capture_state *state);

/* Returns the graph that the stream is capturing into, or NULL if it is not capturing. */
CUgraph cuda_capture_graph(const struct cuda_stream *stream);

/* Changes what the next node will depend on; `how` is a rill_capture_update. */
CUresult cuda_capture_depend(const struct cuda_stream *stream, const rill_node *nodes,
                             const rill_edge *edges, size_t count, unsigned how);

#endif
