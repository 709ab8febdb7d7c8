/* SPDX-License-Identifier: Apache-2.0
 *
 * The calls of <rill/cuda.h>, on the driver that $RILL_CUDA_LIBRARY names: the stand-in, whose
 * machine is the simulator's.  A library without that backend has none of them.
 */
#include <config.h>
#include <rill/cuda.h>

#include "reference/own_calls.h"

#if RILL_HAVE_BACKEND_CUDA

static struct CUstream_st *stream;
static struct CUevent_st *event;
static struct CUgraph_st *graph;
static struct CUgraphExec_st *exec;

static void find_handles(struct arguments *a)
{
    PREPARE(rill_cuda_get_stream(a->w.stream, &stream));
    PREPARE(rill_cuda_get_event(a->w.event, &event));
    PREPARE(rill_cuda_get_graph(a->w.graph, &graph));
    PREPARE(rill_cuda_get_exec(a->w.exec, &exec));
}

AS(rill_cuda_driver_version, a->w.platform, a->out)
AS(rill_cuda_get_context, a->w.context, a->out)
AS(rill_cuda_get_stream, a->w.stream, a->out)
AS(rill_cuda_get_event, a->w.event, a->out)
AS(rill_cuda_get_module, a->w.module, a->out)
AS(rill_cuda_get_kernel, a->w.kernel, a->out)
AS(rill_cuda_get_pool, a->w.pool, a->out)
AS(rill_cuda_get_graph, a->w.graph, a->out)
AS(rill_cuda_get_exec, a->w.exec, a->out)
ASK(rill_cuda_node, a->w.node)
AS(rill_cuda_wrap_stream, a->w.context, stream, 0, a->out)
AS(rill_cuda_wrap_event, a->w.context, event, 0, a->out)
AS(rill_cuda_wrap_graph, a->w.context, graph, 0, a->out)
AS(rill_cuda_wrap_exec, a->w.context, exec, 0, a->out)

static const struct call list[] = {
    OWN_CALL(rill_cuda_driver_version, NULL),
    OWN_CALL(rill_cuda_get_context, NULL),
    OWN_CALL(rill_cuda_get_stream, NULL),
    OWN_CALL(rill_cuda_get_event, NULL),
    OWN_CALL(rill_cuda_get_module, NULL),
    OWN_CALL(rill_cuda_get_kernel, NULL),
    OWN_CALL(rill_cuda_get_pool, NULL),
    OWN_CALL(rill_cuda_get_graph, NULL),
    OWN_CALL(rill_cuda_get_exec, NULL),
    OWN_CALL(rill_cuda_node, NULL),
    OWN_CALL(rill_cuda_wrap_stream, find_handles),
    OWN_CALL(rill_cuda_wrap_event, find_handles),
    OWN_CALL(rill_cuda_wrap_graph, find_handles),
    OWN_CALL(rill_cuda_wrap_exec, find_handles),
};
const struct call_set cuda_calls = { CALL_SET(list), .backend = "cuda" };

#else

const struct call_set cuda_calls = { .backend = "cuda" };

#endif
