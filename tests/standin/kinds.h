/* SPDX-License-Identifier: Apache-2.0
 *
 * Kinds of handles: how each is made, used and ended.
 */
#ifndef STANDIN_KINDS_H
#define STANDIN_KINDS_H

#include "standin/library.h"

#define HEAD ".version 7.0\n.target sm_75\n.address_size 64\n"

static const char image[] = HEAD ".entry one() { ret; } .entry two() { ret; }";

/* ---- A machine for each process ------------------------------------------------------- */

static CUcontext primary;

static inline int begin(void **state)
{
    (void)state;
    library_begin();
    OK(CALL(cuDevicePrimaryCtxRetain, (CUcontext *, CUdevice), (&primary, 0)));
    OK(CALL(cuCtxSetCurrent, (CUcontext), (primary)));
    return 0;
}

static inline CUstream make_stream(void)
{
    CUstream stream;
    OK(CALL(cuStreamCreate, (CUstream *, unsigned), (&stream, 1)));
    return stream;
}

static inline CUevent make_event(void)
{
    CUevent event;
    OK(CALL(cuEventCreate, (CUevent *, unsigned), (&event, 2)));
    return event;
}

/* ---- Kinds ------------------------------------------------------------------------------ */

/* What a call may answer that is neither success nor NOT_READY is in `dead`.  `use` makes
 * calls on a handle until one fails, the status of which it returns. */
struct kind {
    const char *name;
    void *(*make)(void);
    CUresult (*use)(void *handle);
    CUresult (*end)(void *handle);
    CUresult dead[3];
};

#define TRY(call) \
    do { \
        CUresult status_ = (call); \
        if (status_ && status_ != RILL_ERROR_NOT_READY) return status_; \
    } while (0)

/* Streams */

static inline void nothing(void *data)
{
    (void)data;
}

static inline void *stream_make(void)
{
    return make_stream();
}

static inline CUresult stream_use(void *stream)
{
    uint64_t id;
    TRY(CALL(cuStreamQuery, (CUstream), (stream)));
    TRY(CALL(cuLaunchHostFunc, (CUstream, CUhostFn, void *), (stream, nothing, NULL)));
    TRY(CALL(cuStreamGetId, (CUstream, uint64_t *), (stream, &id)));
    return CALL(cuStreamSynchronize, (CUstream), (stream));
}

static inline CUresult stream_end(void *stream)
{
    return CALL(cuStreamDestroy_v2, (CUstream), (stream));
}

/* Events */

static inline void *event_make(void)
{
    return make_event();
}

static inline CUresult event_use(void *event)
{
    TRY(CALL(cuEventRecord, (CUevent, CUstream), (event, NULL)));
    TRY(CALL(cuStreamWaitEvent, (CUstream, CUevent, unsigned), (NULL, event, 0)));
    TRY(CALL(cuEventQuery, (CUevent), (event)));
    return CALL(cuEventSynchronize, (CUevent), (event));
}

static inline CUresult event_end(void *event)
{
    return CALL(cuEventDestroy_v2, (CUevent), (event));
}

/* Contexts */

static inline void *context_make(void)
{
    CUcontext context, popped;
    OK(CALL(cuCtxCreate_v2, (CUcontext *, unsigned, CUdevice), (&context, 0, 0)));
    OK(CALL(cuCtxPopCurrent_v2, (CUcontext *), (&popped)));
    return context;
}

static inline CUresult use_current(void)
{
    CUstream stream;
    size_t a, b;
    int type;
    CUresult status = CALL(cuMemGetInfo_v2, (size_t *, size_t *), (&a, &b));
    if (!status) status = CALL(cuStreamCreate, (CUstream *, unsigned), (&stream, 1));
    if (!status) status = CALL(cuStreamQuery, (CUstream), (stream));
    if (!status) status = CALL(cuStreamDestroy_v2, (CUstream), (stream));
    if (!status) status = CALL(cuCtxSynchronize, (void), ());
    CALL(cuPointerGetAttribute, (void *, int, CUdeviceptr), (&type, 2, (uintptr_t)&type));
    return status;
}

static inline CUresult context_use(void *context)
{
    unsigned long long id;
    CUcontext popped;
    TRY(CALL(cuCtxGetId, (CUcontext, unsigned long long *), (context, &id)));
    TRY(CALL(cuCtxPushCurrent_v2, (CUcontext), (context)));
    CUresult status = use_current();
    OK(CALL(cuCtxPopCurrent_v2, (CUcontext *), (&popped)));
    return status;
}

static inline CUresult context_end(void *context)
{
    return CALL(cuCtxDestroy_v2, (CUcontext), (context));
}

/* Graphs, and nodes by their values */

static inline void *graph_make(void)
{
    CUgraph graph;
    OK(CALL(cuGraphCreate, (CUgraph *, unsigned), (&graph, 0)));
    return graph;
}

static inline CUresult graph_use(void *graph)
{
    CUgraphNode node;
    CUgraph clone;
    size_t count = 0;
    int type;
    TRY(CALL(cuGraphGetNodes, (CUgraph, CUgraphNode *, size_t *), (graph, NULL, &count)));
    TRY(CALL(cuGraphAddEmptyNode, (CUgraphNode *, CUgraph, const CUgraphNode *, size_t),
             (&node, graph, NULL, 0)));
    TRY(CALL(cuGraphNodeGetType, (CUgraphNode, int *), (node, &type)));
    TRY(CALL(cuGraphClone, (CUgraph *, CUgraph), (&clone, graph)));
    return CALL(cuGraphDestroy, (CUgraph), (clone));
}

static inline CUresult graph_end(void *graph)
{
    return CALL(cuGraphDestroy, (CUgraph), (graph));
}

/* Child graphs: the graph around one ends. */

static inline void *child_make(void)
{
    CUgraph outer = graph_make(), inner = graph_make();
    CUgraphNode node;
    OK(CALL(cuGraphAddChildGraphNode,
            (CUgraphNode *, CUgraph, const CUgraphNode *, size_t, CUgraph),
            (&node, outer, NULL, 0, inner)));
    OK(graph_end(inner));
    return outer;
}

/* `graph` is the outer one.  Its nodes are found by a call that holds it; what follows has
 * the child's handle and a node's value alone. */
static inline CUresult child_use(void *graph)
{
    CUgraphNode node = NULL;
    CUgraph child;
    size_t count = 1;
    int type;
    TRY(CALL(cuGraphGetNodes, (CUgraph, CUgraphNode *, size_t *), (graph, &node, &count)));
    TRY(CALL(cuGraphChildGraphNodeGetGraph, (CUgraphNode, CUgraph *), (node, &child)));
    TRY(CALL(cuGraphAddEmptyNode, (CUgraphNode *, CUgraph, const CUgraphNode *, size_t),
             (&node, child, NULL, 0)));
    TRY(CALL(cuGraphNodeGetType, (CUgraphNode, int *), (node, &type)));
    return CALL(cuGraphGetNodes, (CUgraph, CUgraphNode *, size_t *), (child, NULL, &count));
}

static inline CUresult child_end(void *graph)
{
    return graph_end(graph);
}

/* Execs */

static inline void *exec_make(void)
{
    CUgraph graph = graph_make();
    CUgraphNode node;
    CUgraphExec exec;
    OK(CALL(cuGraphAddEmptyNode, (CUgraphNode *, CUgraph, const CUgraphNode *, size_t),
            (&node, graph, NULL, 0)));
    OK(CALL(cuGraphInstantiateWithFlags, (CUgraphExec *, CUgraph, unsigned long long),
            (&exec, graph, 0)));
    OK(graph_end(graph));
    return exec;
}

static inline CUresult exec_use(void *exec)
{
    uint64_t flags;
    TRY(CALL(cuGraphLaunch, (CUgraphExec, CUstream), (exec, NULL)));
    TRY(CALL(cuGraphExecGetFlags, (CUgraphExec, uint64_t *), (exec, &flags)));
    return CALL(cuGraphUpload, (CUgraphExec, CUstream), (exec, NULL));
}

static inline CUresult exec_end(void *exec)
{
    return CALL(cuGraphExecDestroy, (CUgraphExec), (exec));
}

/* Modules, and their functions */

static inline CUresult launch(void *function)
{
    return CALL(cuLaunchKernel,
                (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                 CUstream, void **, void **),
                (function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
}

static inline void *module_make(void)
{
    CUmodule module;
    OK(CALL(cuModuleLoadData, (CUmodule *, const void *), (&module, image)));
    return module;
}

static inline CUresult module_use(void *module)
{
    CUfunction function;
    CUmodule of;
    int value;
    TRY(CALL(cuModuleGetFunction, (CUfunction *, CUmodule, const char *),
             (&function, module, "one")));
    TRY(launch(function));
    TRY(CALL(cuFuncGetAttribute, (int *, int, CUfunction), (&value, 0, function)));
    TRY(CALL(cuFuncGetModule, (CUmodule *, CUfunction), (&of, function)));
    return CALL(cuModuleGetFunction, (CUfunction *, CUmodule, const char *),
                (&function, module, "two"));
}

static inline CUresult module_end(void *module)
{
    return CALL(cuModuleUnload, (CUmodule), (module));
}

/* Libraries, and their kernels */

static inline void *library_make(void)
{
    CUlibrary made;
    OK(CALL(cuLibraryLoadData,
            (CUlibrary *, const void *, int *, void **, unsigned, int *, void **, unsigned),
            (&made, image, NULL, NULL, 0, NULL, NULL, 0)));
    return made;
}

static inline CUresult library_use(void *of)
{
    CUkernel kernel;
    CUlibrary back;
    TRY(CALL(cuLibraryGetKernel, (CUkernel *, CUlibrary, const char *), (&kernel, of, "one")));
    TRY(launch(kernel));
    TRY(CALL(cuKernelGetLibrary, (CUlibrary *, CUkernel), (&back, kernel)));
    TRY(CALL(cuKernelSetAttribute, (int, int, CUkernel, CUdevice), (8, 0, kernel, 0)));
    return CALL(cuLibraryGetKernel, (CUkernel *, CUlibrary, const char *), (&kernel, of, "two"));
}

static inline CUresult library_end(void *made)
{
    return CALL(cuLibraryUnload, (CUlibrary), (made));
}

/* Pools */

static inline void *pool_make(void)
{
    CUmemPoolProps properties = { .allocation_type = 1, .location = { .type = 1 } };
    CUmemoryPool pool;
    OK(CALL(cuMemPoolCreate, (CUmemoryPool *, const CUmemPoolProps *), (&pool, &properties)));
    return pool;
}

static inline CUresult pool_use(void *pool)
{
    CUdeviceptr address;
    uint64_t value;
    TRY(CALL(cuMemPoolGetAttribute, (CUmemoryPool, int, void *), (pool, 4, &value)));
    TRY(CALL(cuMemAllocFromPoolAsync, (CUdeviceptr *, size_t, CUmemoryPool, CUstream),
             (&address, 64, pool, NULL)));
    OK(CALL(cuMemFreeAsync, (CUdeviceptr, CUstream), (address, NULL)));
    OK(CALL(cuStreamSynchronize, (CUstream), (NULL))); /* before memory is short */
    return CALL(cuMemPoolTrimTo, (CUmemoryPool, size_t), (pool, 0));
}

static inline CUresult pool_end(void *pool)
{
    return CALL(cuMemPoolDestroy, (CUmemoryPool), (pool));
}

/* User objects: a use gives back what it took. */

static inline void *object_make(void)
{
    CUuserObject object;
    OK(CALL(cuUserObjectCreate, (CUuserObject *, void *, CUhostFn, unsigned, unsigned),
            (&object, NULL, nothing, 1, 1)));
    return object;
}

static inline CUresult object_use(void *object)
{
    CUgraph graph = graph_make();
    CUresult status = CALL(cuGraphRetainUserObject, (CUgraph, CUuserObject, unsigned, unsigned),
                           (graph, object, 1, 0));
    OK(graph_end(graph));
    return status;
}

static inline CUresult object_end(void *object)
{
    return CALL(cuUserObjectRelease, (CUuserObject, unsigned), (object, 1));
}

#endif
