/* SPDX-License-Identifier: Apache-2.0
 *
 * Captures.
 */
#include "runtime/thread/entry.h"

FORWARD_STREAM(cudaStreamBeginCapture, cuStreamBeginCapture_v2,
               (cudaStream_t stream, int mode), (stream, mode))
FORWARD_STREAM(cudaStreamBeginCaptureToGraph, cuStreamBeginCaptureToGraph,
               (cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                const CUgraphEdgeData *edges, size_t count, int mode),
               (stream, graph, dependencies, edges, count, mode))
FORWARD_STREAM(cudaStreamEndCapture, cuStreamEndCapture,
               (cudaStream_t stream, cudaGraph_t *graph), (stream, graph))
FORWARD_STREAM(cudaStreamIsCapturing, cuStreamIsCapturing,
               (cudaStream_t stream, int *status), (stream, status))

FORWARD(cudaThreadExchangeStreamCaptureMode, cuThreadExchangeStreamCaptureMode,
        (int *mode), (mode))

/* As 11 has it, and 12 under the plain name, without the graph; as the headers of 12 have it,
 * without edges; and as those of 13 do. */
FORWARD_STREAM(cudaStreamGetCaptureInfo_v1, cuStreamGetCaptureInfo,
               (cudaStream_t stream, int *status, unsigned long long *id), (stream, status, id))
FORWARD(cudaStreamGetCaptureInfo_v2, cuStreamGetCaptureInfo_v2,
        (cudaStream_t stream, int *status, unsigned long long *id, cudaGraph_t *graph,
         const cudaGraphNode_t **dependencies, size_t *count),
        (stream, status, id, graph, dependencies, count))
PER_THREAD_FORM(cudaStreamGetCaptureInfo_v2, _ptsz,
                (cudaStream_t stream, int *status, unsigned long long *id, cudaGraph_t *graph,
                 const cudaGraphNode_t **dependencies, size_t *count),
                (stream, status, id, graph, dependencies, count))
FORWARD(cudaStreamGetCaptureInfo_v3, cuStreamGetCaptureInfo_v3,
        (cudaStream_t stream, int *status, unsigned long long *id, cudaGraph_t *graph,
         const cudaGraphNode_t **dependencies, const CUgraphEdgeData **edges, size_t *count),
        (stream, status, id, graph, dependencies, edges, count))
PER_THREAD_FORM(cudaStreamGetCaptureInfo_v3, _ptsz,
                (cudaStream_t stream, int *status, unsigned long long *id, cudaGraph_t *graph,
                 const cudaGraphNode_t **dependencies, const CUgraphEdgeData **edges,
                 size_t *count),
                (stream, status, id, graph, dependencies, edges, count))

FORWARD_STREAM(cudaStreamUpdateCaptureDependencies_v1, cuStreamUpdateCaptureDependencies,
               (cudaStream_t stream, cudaGraphNode_t *dependencies, size_t count, unsigned flags),
               (stream, dependencies, count, flags))
FORWARD_STREAM(cudaStreamUpdateCaptureDependencies_v2, cuStreamUpdateCaptureDependencies_v2,
               (cudaStream_t stream, cudaGraphNode_t *dependencies, const CUgraphEdgeData *edges,
                size_t count, unsigned flags),
               (stream, dependencies, edges, count, flags))
