/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/cuda.h>: what only the CUDA backend can do.  This header does not include
 * cuda.h: the driver's handles are declared by the structs that they point to, so the
 * driver's own types fit.
 */
#ifndef RILL_CUDA_H
#define RILL_CUDA_H

#include <rill/rill.h>

RILL_BEGIN_DECLS

typedef struct rill_cuda_options {
    size_t size;         /* sizeof(rill_cuda_options)                         */
    const char *library; /* the driver's library; NULL: $RILL_CUDA_LIBRARY, else
                            libcuda.so.1.  A process has one                  */
} rill_cuda_options;

/* The driver's structs, as cuda.h declares them. */
struct CUctx_st;
struct CUstream_st;
struct CUevent_st;
struct CUmod_st;
struct CUfunc_st;
struct CUmemPoolHandle_st;
struct CUgraph_st;
struct CUgraphExec_st;
struct CUgraphNode_st;

/* Returns the version of CUDA that the driver is for, such as 13000 for 13.0. */
RILL_API rill_status rill_cuda_driver_version(rill_platform *platform, int *version);

/* ---- The driver's handles --------------------------------------------- */

/* Returns the driver's handle of an object.  The handle remains rill's to destroy and
 * is valid for as long as the object exists.  The default streams have the driver's
 * special handles, which stand for the default streams of the current context.  A
 * rill_node is the driver's CUgraphNode, and a rill_conditional is its
 * CUgraphConditionalHandle. */
RILL_API rill_status rill_cuda_get_context(rill_context *context, struct CUctx_st **raw);
RILL_API rill_status rill_cuda_get_stream(rill_stream *stream, struct CUstream_st **raw);
RILL_API rill_status rill_cuda_get_event(rill_event *event, struct CUevent_st **raw);
RILL_API rill_status rill_cuda_get_module(rill_module *module, struct CUmod_st **raw);
RILL_API rill_status rill_cuda_get_kernel(rill_kernel *kernel, struct CUfunc_st **raw);
RILL_API rill_status rill_cuda_get_pool(rill_pool *pool, struct CUmemPoolHandle_st **raw);
RILL_API rill_status rill_cuda_get_graph(rill_graph *graph, struct CUgraph_st **raw);
RILL_API rill_status rill_cuda_get_exec(rill_exec *exec, struct CUgraphExec_st **raw);

/* Returns a node as the driver's own type. */
static inline struct CUgraphNode_st *rill_cuda_node(rill_node node)
{
    return (struct CUgraphNode_st *)(void *)node;
}

/* ---- Handles from elsewhere ------------------------------------------- */

/* Makes an object for something that was made with the driver itself, or by a library
 * above it.  Without flags the handle is borrowed: it is left alone when the object is
 * destroyed, and must outlive the object.  With RILL_CUDA_ADOPT it belongs to the
 * object from then on and is destroyed with it.  A call that fails has taken nothing
 * over.
 *
 * A context is borrowed through rill_context_options.native. */
#define RILL_CUDA_ADOPT 0x1u
RILL_API rill_status rill_cuda_wrap_stream(rill_context *context, struct CUstream_st *raw,
                                           uint32_t flags, rill_stream **stream);
RILL_API rill_status rill_cuda_wrap_event(rill_context *context, struct CUevent_st *raw,
                                          uint32_t flags, rill_event **event);
RILL_API rill_status rill_cuda_wrap_graph(rill_context *context, struct CUgraph_st *raw,
                                          uint32_t flags, rill_graph **graph);
RILL_API rill_status rill_cuda_wrap_exec(rill_context *context, struct CUgraphExec_st *raw,
                                         uint32_t flags, rill_exec **exec);

RILL_END_DECLS

#endif
