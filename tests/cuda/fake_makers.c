/* SPDX-License-Identifier: Apache-2.0
 *
 * The fake libcuda's calls that give something out.
 */
#include "cuda/fake_libcuda.h"

static int devices;
static __thread CUcontext current[8];
static __thread int depth;

void fake_forget_contexts(void)
{
    devices = 2;
    depth = 0;
    current[0] = NULL;
}

EXPORT void fake_set_devices(int count) { devices = count; }
EXPORT void *fake_current(void) { return current[depth]; }
EXPORT void fake_set_current(void *context) { current[depth] = context; }

/* ---- Versions, devices, contexts ---------------------------------------------------------- */

DO(DriverGetVersion, int *number)
{
    BEGIN(DriverGetVersion);
    *number = fake_version;
    return CUDA_SUCCESS;
}

DO(GetErrorName, CUresult error, const char **name)
{
    BEGIN(GetErrorName);
    *name = error == CUDA_ERROR_LAUNCH_FAILED ? "CUDA_ERROR_LAUNCH_FAILED" : "CUDA_ERROR_FAKE";
    return CUDA_SUCCESS;
}

DO(GetErrorString, CUresult error, const char **text)
{
    BEGIN(GetErrorString);
    *text = error == CUDA_ERROR_LAUNCH_FAILED ? "unspecified launch failure" : "as the fake says";
    return CUDA_SUCCESS;
}

DO(DeviceGetCount, int *count)
{
    BEGIN(DeviceGetCount);
    *count = devices;
    return CUDA_SUCCESS;
}

DO(DeviceGet, CUdevice *device, int ordinal)
{
    BEGIN(DeviceGet);
    *device = ordinal;
    return CUDA_SUCCESS;
}

DO(DeviceGetName, char *name, int room, CUdevice device)
{
    BEGIN(DeviceGetName);
    strncpy(name, "a fake", (size_t)room);
    return device < devices ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

DO(DevicePrimaryCtxRetain, CUcontext *context, CUdevice device)
{
    BEGIN(DevicePrimaryCtxRetain);
    fake_handle(1);
    *context = (CUcontext)(uintptr_t)(0x100 + 16 * device);
    return CUDA_SUCCESS;
}

DO(DevicePrimaryCtxRelease, CUdevice device)
{
    (void)device;
    BEGIN(DevicePrimaryCtxRelease);
    fake_end_handle();
    return CUDA_SUCCESS;
}

DO(CtxCreate, CUcontext *context, unsigned flags, CUdevice device)
{
    (void)flags, (void)device;
    BEGIN(CtxCreate);
    *context = fake_handle(1);
    current[++depth] = *context;
    return CUDA_SUCCESS;
}

DO(CtxGetCurrent, CUcontext *context)
{
    BEGIN(CtxGetCurrent);
    *context = current[depth];
    return CUDA_SUCCESS;
}

DO(CtxPushCurrent, CUcontext context)
{
    BEGIN(CtxPushCurrent);
    current[++depth] = context;
    return CUDA_SUCCESS;
}

DO(CtxPopCurrent, CUcontext *context)
{
    BEGIN(CtxPopCurrent);
    *context = current[depth--];
    return CUDA_SUCCESS;
}

DO(CtxGetDevice, CUdevice *device)
{
    BEGIN(CtxGetDevice);
    *device = 0;
    return CUDA_SUCCESS;
}

/* ---- Objects ------------------------------------------------------------------------------ */

/* What makes an object, and what ends one. */
#define MAKES(name, type, ...) \
    DO(name, type *made, ##__VA_ARGS__) \
    { \
        BEGIN(name); \
        *made = (type)(uintptr_t)fake_handle(1); \
        return CUDA_SUCCESS; \
    }
#define ENDS(name, type) \
    DO(name, type object) \
    { \
        (void)object; \
        BEGIN(name); \
        fake_end_handle(); \
        return CUDA_SUCCESS; \
    }

/* What gives a handle out that nobody has to give back. */
#define FINDS(name, type, ...) \
    DO(name, __VA_ARGS__, type *found) \
    { \
        BEGIN(name); \
        *found = (type)(uintptr_t)fake_handle(0); \
        return CUDA_SUCCESS; \
    }
#define GIVES(name, type, ...) \
    DO(name, type *given, __VA_ARGS__) \
    { \
        BEGIN(name); \
        *given = (type)(uintptr_t)fake_handle(0); \
        return CUDA_SUCCESS; \
    }

ENDS(CtxDestroy, CUcontext)
MAKES(StreamCreateWithPriority, CUstream, unsigned flags, int priority)
ENDS(StreamDestroy, CUstream)
MAKES(EventCreate, CUevent, unsigned flags)
ENDS(EventDestroy, CUevent)
MAKES(ModuleLoadDataEx, CUmodule, const void *code, unsigned count, CUjit_option *options,
      void **values)
ENDS(ModuleUnload, CUmodule)
MAKES(GraphCreate, CUgraph, unsigned flags)
MAKES(GraphClone, CUgraph, CUgraph original)
MAKES(GraphInstantiateWithFlags, CUgraphExec, CUgraph graph, unsigned long long flags)
ENDS(GraphExecDestroy, CUgraphExec)
GIVES(MemAlloc, CUdeviceptr, size_t bytes)
GIVES(MemAllocManaged, CUdeviceptr, size_t bytes, unsigned flags)
GIVES(MemAllocAsync, CUdeviceptr, size_t bytes, CUstream stream)
GIVES(MemAllocFromPoolAsync, CUdeviceptr, size_t bytes, CUmemoryPool pool, CUstream stream)
GIVES(MemHostAlloc, void *, size_t bytes, unsigned flags)
GIVES(MemHostGetDevicePointer, CUdeviceptr, void *pointer, unsigned flags)
GIVES(MemPoolCreate, CUmemoryPool, const CUmemPoolProps *properties)
GIVES(DeviceGetDefaultMemPool, CUmemoryPool, CUdevice device)
GIVES(DeviceGetMemPool, CUmemoryPool, CUdevice device)
GIVES(ModuleGetFunction, CUfunction, CUmodule module, const char *name)
GIVES(GraphAddEmptyNode, CUgraphNode, CUgraph graph, const CUgraphNode *dependencies,
      size_t count)
GIVES(GraphAddChildGraphNode, CUgraphNode, CUgraph graph, const CUgraphNode *dependencies,
      size_t count, CUgraph child)
GIVES(GraphNodeFindInClone, CUgraphNode, CUgraphNode original, CUgraph clone)
FINDS(GraphChildGraphNodeGetGraph, CUgraph, CUgraphNode node)

DO(FuncGetParamInfo, CUfunction function, size_t index, size_t *offset, size_t *bytes)
{
    (void)function;
    BEGIN(FuncGetParamInfo);
    if (index) return CUDA_ERROR_INVALID_VALUE;
    *offset = 0;
    if (bytes) *bytes = 8;
    return CUDA_SUCCESS;
}

/* Bodies belong to the driver, as does the array of them. */
DO(GraphAddNode, CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
   const rill_edge *edges, size_t count, struct cuda_node_params *params)
{
    static CUgraph bodies[8];
    (void)graph, (void)dependencies, (void)edges, (void)count;
    BEGIN(GraphAddNode);
    *node = fake_handle(0);
    if (params->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC)
        params->alloc.address = (CUdeviceptr)(uintptr_t)fake_handle(0);
    if (params->type == (CUgraphNodeType)CUDA_NODE_CONDITIONAL) {
        for (unsigned i = 0; i < params->conditional.count && i < 8; i++)
            bodies[i] = fake_handle(0);
        params->conditional.bodies = bodies;
    }
    return CUDA_SUCCESS;
}

DO(GraphInstantiateWithParams, CUgraphExec *exec, CUgraph graph,
   CUDA_GRAPH_INSTANTIATE_PARAMS *params)
{
    (void)graph;
    BEGIN(GraphInstantiateWithParams);
    *exec = fake_handle(1);
    params->result_out = CUDA_GRAPH_INSTANTIATE_SUCCESS;
    params->hErrNode_out = NULL;
    return CUDA_SUCCESS;
}

const struct fake_entry fake_makers[] = {
    GIVEN(DriverGetVersion), GIVEN(GetErrorName), GIVEN(GetErrorString), GIVEN(DeviceGetCount),
    GIVEN(DeviceGet), GIVEN(DeviceGetName), GIVEN(DevicePrimaryCtxRetain),
    GIVEN(DevicePrimaryCtxRelease), GIVEN(CtxCreate), GIVEN(CtxGetCurrent), GIVEN(CtxPushCurrent),
    GIVEN(CtxPopCurrent), GIVEN(CtxGetDevice), GIVEN(CtxDestroy), GIVEN(StreamCreateWithPriority),
    GIVEN(StreamDestroy), GIVEN(EventCreate), GIVEN(EventDestroy), GIVEN(ModuleLoadDataEx),
    GIVEN(ModuleUnload), GIVEN(GraphCreate), GIVEN(GraphClone), GIVEN(GraphInstantiateWithFlags),
    GIVEN(GraphExecDestroy), GIVEN(MemAlloc), GIVEN(MemAllocManaged), GIVEN(MemAllocAsync),
    GIVEN(MemAllocFromPoolAsync), GIVEN(MemHostAlloc), GIVEN(MemHostGetDevicePointer),
    GIVEN(MemPoolCreate), GIVEN(DeviceGetDefaultMemPool), GIVEN(DeviceGetMemPool),
    GIVEN(ModuleGetFunction),
    GIVEN(GraphAddEmptyNode), GIVEN(GraphAddChildGraphNode), GIVEN(GraphNodeFindInClone),
    GIVEN(GraphChildGraphNodeGetGraph), GIVEN(GraphInstantiateWithParams), GIVEN(FuncGetParamInfo),
    GIVEN_LATER(GraphAddNode, 12030), { NULL, 0, NULL },
};
