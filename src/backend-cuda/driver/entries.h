/* SPDX-License-Identifier: Apache-2.0
 *
 * Every entry point of the driver that rill calls, as a table: its name without "cu", the
 * version of CUDA that brought this signature, and its parameters.  The driver is asked for
 * this version (driver.c), so that a newer signature of the same name is never called with the
 * parameters of this one; cuda.h renames calls for that purpose, so its prototypes are not
 * used.
 *
 * ENTRY is the newest form that rill knows, cuda_api.NAME.  EARLIER is an older one,
 * cuda_api.NAME_VERSION, for drivers that do not have the newest.  Every driver that is
 * accepted has what came up to CUDA 11.8; any other field may be NULL.
 */
#ifndef CUDA_DRIVER_ENTRIES_H
#define CUDA_DRIVER_ENTRIES_H

/* The oldest driver that is accepted. */
#define CUDA_OLDEST 11080

#define CUDA_ENTRIES(ENTRY, EARLIER) \
    /* Devices */ \
    ENTRY(Init, 2000, unsigned) \
    ENTRY(DriverGetVersion, 2020, int *) \
    ENTRY(GetErrorName, 6000, CUresult, const char **) \
    ENTRY(GetErrorString, 6000, CUresult, const char **) \
    ENTRY(DeviceGet, 2000, CUdevice *, int) \
    ENTRY(DeviceGetCount, 2000, int *) \
    ENTRY(DeviceGetName, 2000, char *, int, CUdevice) \
    ENTRY(DeviceGetUuid, 11040, CUuuid *, CUdevice) \
    ENTRY(DeviceGetPCIBusId, 4010, char *, int, CUdevice) \
    ENTRY(DeviceTotalMem, 3020, size_t *, CUdevice) \
    ENTRY(DeviceGetAttribute, 2000, int *, CUdevice_attribute, CUdevice) \
    ENTRY(DeviceCanAccessPeer, 4000, int *, CUdevice, CUdevice) \
    /* Contexts */ \
    ENTRY(DevicePrimaryCtxRetain, 7000, CUcontext *, CUdevice) \
    ENTRY(DevicePrimaryCtxRelease, 11000, CUdevice) \
    ENTRY(CtxCreate, 3020, CUcontext *, unsigned, CUdevice) \
    ENTRY(CtxDestroy, 4000, CUcontext) \
    ENTRY(CtxGetCurrent, 4000, CUcontext *) \
    ENTRY(CtxPushCurrent, 4000, CUcontext) \
    ENTRY(CtxPopCurrent, 4000, CUcontext *) \
    ENTRY(CtxGetDevice, 2000, CUdevice *) \
    ENTRY(CtxSynchronize, 2000, void) \
    ENTRY(CtxGetStreamPriorityRange, 5050, int *, int *) \
    ENTRY(CtxEnablePeerAccess, 4000, CUcontext, unsigned) \
    ENTRY(CtxDisablePeerAccess, 4000, CUcontext) \
    /* Memory */ \
    ENTRY(MemAlloc, 3020, CUdeviceptr *, size_t) \
    ENTRY(MemAllocManaged, 6000, CUdeviceptr *, size_t, unsigned) \
    ENTRY(MemAllocPitch, 3020, CUdeviceptr *, size_t *, size_t, size_t, unsigned) \
    ENTRY(MemFree, 3020, CUdeviceptr) \
    ENTRY(MemGetAddressRange, 3020, CUdeviceptr *, size_t *, CUdeviceptr) \
    ENTRY(MemGetInfo, 3020, size_t *, size_t *) \
    ENTRY(MemHostAlloc, 2020, void **, size_t, unsigned) \
    ENTRY(MemFreeHost, 2000, void *) \
    ENTRY(MemHostRegister, 6050, void *, size_t, unsigned) \
    ENTRY(MemHostUnregister, 4000, void *) \
    ENTRY(MemHostGetDevicePointer, 3020, CUdeviceptr *, void *, unsigned) \
    ENTRY(MemHostGetFlags, 2030, unsigned *, void *) \
    ENTRY(PointerGetAttributes, 7000, unsigned, CUpointer_attribute *, void **, CUdeviceptr) \
    ENTRY(PointerSetAttribute, 6000, const void *, CUpointer_attribute, CUdeviceptr) \
    /* Copies and fills */ \
    ENTRY(Memcpy, 4000, CUdeviceptr, CUdeviceptr, size_t) \
    ENTRY(MemcpyPeer, 4000, CUdeviceptr, CUcontext, CUdeviceptr, CUcontext, size_t) \
    ENTRY(MemcpyHtoD, 3020, CUdeviceptr, const void *, size_t) \
    ENTRY(MemcpyDtoH, 3020, void *, CUdeviceptr, size_t) \
    ENTRY(MemcpyDtoD, 3020, CUdeviceptr, CUdeviceptr, size_t) \
    ENTRY(Memcpy3D, 3020, const CUDA_MEMCPY3D_v2 *) \
    ENTRY(Memcpy3DPeer, 4000, const CUDA_MEMCPY3D_PEER *) \
    ENTRY(MemsetD8, 3020, CUdeviceptr, unsigned char, size_t) \
    ENTRY(MemsetD16, 3020, CUdeviceptr, unsigned short, size_t) \
    ENTRY(MemsetD32, 3020, CUdeviceptr, unsigned, size_t) \
    ENTRY(MemsetD2D8, 3020, CUdeviceptr, size_t, unsigned char, size_t, size_t) \
    ENTRY(MemsetD2D16, 3020, CUdeviceptr, size_t, unsigned short, size_t, size_t) \
    ENTRY(MemsetD2D32, 3020, CUdeviceptr, size_t, unsigned, size_t, size_t) \
    ENTRY(MemcpyAsync, 4000, CUdeviceptr, CUdeviceptr, size_t, CUstream) \
    ENTRY(MemcpyPeerAsync, 4000, CUdeviceptr, CUcontext, CUdeviceptr, CUcontext, size_t, CUstream) \
    ENTRY(MemcpyHtoDAsync, 3020, CUdeviceptr, const void *, size_t, CUstream) \
    ENTRY(MemcpyDtoHAsync, 3020, void *, CUdeviceptr, size_t, CUstream) \
    ENTRY(MemcpyDtoDAsync, 3020, CUdeviceptr, CUdeviceptr, size_t, CUstream) \
    ENTRY(Memcpy3DAsync, 3020, const CUDA_MEMCPY3D_v2 *, CUstream) \
    ENTRY(Memcpy3DPeerAsync, 4000, const CUDA_MEMCPY3D_PEER *, CUstream) \
    ENTRY(MemsetD8Async, 3020, CUdeviceptr, unsigned char, size_t, CUstream) \
    ENTRY(MemsetD16Async, 3020, CUdeviceptr, unsigned short, size_t, CUstream) \
    ENTRY(MemsetD32Async, 3020, CUdeviceptr, unsigned, size_t, CUstream) \
    ENTRY(MemsetD2D8Async, 3020, CUdeviceptr, size_t, unsigned char, size_t, size_t, CUstream) \
    ENTRY(MemsetD2D16Async, 3020, CUdeviceptr, size_t, unsigned short, size_t, size_t, CUstream) \
    ENTRY(MemsetD2D32Async, 3020, CUdeviceptr, size_t, unsigned, size_t, size_t, CUstream) \
    /* Pools */ \
    ENTRY(MemAllocAsync, 11020, CUdeviceptr *, size_t, CUstream) \
    ENTRY(MemAllocFromPoolAsync, 11020, CUdeviceptr *, size_t, CUmemoryPool, CUstream) \
    ENTRY(MemFreeAsync, 11020, CUdeviceptr, CUstream) \
    ENTRY(MemPoolCreate, 11020, CUmemoryPool *, const CUmemPoolProps *) \
    ENTRY(MemPoolDestroy, 11020, CUmemoryPool) \
    ENTRY(MemPoolGetAttribute, 11020, CUmemoryPool, CUmemPool_attribute, void *) \
    ENTRY(MemPoolSetAttribute, 11020, CUmemoryPool, CUmemPool_attribute, void *) \
    ENTRY(MemPoolSetAccess, 11020, CUmemoryPool, const CUmemAccessDesc *, size_t) \
    ENTRY(MemPoolGetAccess, 11020, CUmemAccess_flags *, CUmemoryPool, CUmemLocation *) \
    ENTRY(MemPoolTrimTo, 11020, CUmemoryPool, size_t) \
    ENTRY(DeviceGetDefaultMemPool, 11020, CUmemoryPool *, CUdevice) \
    ENTRY(DeviceGetMemPool, 11020, CUmemoryPool *, CUdevice) \
    ENTRY(DeviceSetMemPool, 11020, CUdevice, CUmemoryPool) \
    /* Addresses and memory, each by itself */ \
    ENTRY(MemGetAllocationGranularity, 10020, \
          size_t *, const CUmemAllocationProp *, CUmemAllocationGranularity_flags) \
    ENTRY(MemGetAllocationPropertiesFromHandle, 10020, \
          CUmemAllocationProp *, CUmemGenericAllocationHandle) \
    ENTRY(MemCreate, 10020, \
          CUmemGenericAllocationHandle *, size_t, const CUmemAllocationProp *, \
          unsigned long long) \
    ENTRY(MemRelease, 10020, CUmemGenericAllocationHandle) \
    ENTRY(MemRetainAllocationHandle, 11000, CUmemGenericAllocationHandle *, void *) \
    ENTRY(MemExportToShareableHandle, 10020, \
          void *, CUmemGenericAllocationHandle, CUmemAllocationHandleType, unsigned long long) \
    ENTRY(MemImportFromShareableHandle, 10020, \
          CUmemGenericAllocationHandle *, void *, CUmemAllocationHandleType) \
    ENTRY(MemAddressReserve, 10020, \
          CUdeviceptr *, size_t, size_t, CUdeviceptr, unsigned long long) \
    ENTRY(MemAddressFree, 10020, CUdeviceptr, size_t) \
    ENTRY(MemMap, 10020, \
          CUdeviceptr, size_t, size_t, CUmemGenericAllocationHandle, unsigned long long) \
    ENTRY(MemUnmap, 10020, CUdeviceptr, size_t) \
    ENTRY(MemSetAccess, 10020, CUdeviceptr, size_t, const CUmemAccessDesc *, size_t) \
    ENTRY(MemGetAccess, 10020, unsigned long long *, const CUmemLocation *, CUdeviceptr) \
    /* Kernels */ \
    ENTRY(ModuleLoadDataEx, 2010, CUmodule *, const void *, unsigned, CUjit_option *, void **) \
    ENTRY(ModuleUnload, 2000, CUmodule) \
    ENTRY(ModuleGetFunction, 2000, CUfunction *, CUmodule, const char *) \
    ENTRY(ModuleGetGlobal, 3020, CUdeviceptr *, size_t *, CUmodule, const char *) \
    ENTRY(ModuleGetFunctionCount, 12040, unsigned *, CUmodule) \
    ENTRY(FuncGetAttribute, 2020, int *, CUfunction_attribute, CUfunction) \
    ENTRY(FuncSetAttribute, 9000, CUfunction, CUfunction_attribute, int) \
    ENTRY(FuncGetParamInfo, 12040, CUfunction, size_t, size_t *, size_t *) \
    ENTRY(FuncLoad, 12040, CUfunction) \
    ENTRY(LaunchKernel, 4000, \
          CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, \
          CUstream, void **, void **) \
    ENTRY(LaunchKernelEx, 11060, const CUlaunchConfig *, CUfunction, void **, void **) \
    /* Streams */ \
    ENTRY(StreamCreateWithPriority, 5050, CUstream *, unsigned, int) \
    ENTRY(StreamDestroy, 4000, CUstream) \
    ENTRY(StreamQuery, 2000, CUstream) \
    ENTRY(StreamSynchronize, 2000, CUstream) \
    ENTRY(StreamGetId, 12000, CUstream, unsigned long long *) \
    ENTRY(StreamGetFlags, 5050, CUstream, unsigned *) \
    ENTRY(StreamGetPriority, 5050, CUstream, int *) \
    ENTRY(StreamGetAttribute, 11000, CUstream, CUstreamAttrID, CUstreamAttrValue *) \
    ENTRY(StreamSetAttribute, 11000, CUstream, CUstreamAttrID, const CUstreamAttrValue *) \
    ENTRY(StreamCopyAttributes, 11000, CUstream, CUstream) \
    ENTRY(StreamAddCallback, 5000, CUstream, CUstreamCallback, void *, unsigned) \
    ENTRY(StreamAttachMemAsync, 6000, CUstream, CUdeviceptr, size_t, unsigned) \
    ENTRY(LaunchHostFunc, 10000, CUstream, CUhostFn, void *) \
    ENTRY(StreamWaitEvent, 3020, CUstream, CUevent, unsigned) \
    ENTRY(StreamWriteValue32, 11070, CUstream, CUdeviceptr, uint32_t, unsigned) \
    ENTRY(StreamWriteValue64, 11070, CUstream, CUdeviceptr, uint64_t, unsigned) \
    ENTRY(StreamWaitValue32, 11070, CUstream, CUdeviceptr, uint32_t, unsigned) \
    ENTRY(StreamWaitValue64, 11070, CUstream, CUdeviceptr, uint64_t, unsigned) \
    ENTRY(StreamBatchMemOp, 11070, CUstream, unsigned, CUstreamBatchMemOpParams *, unsigned) \
    /* Events */ \
    ENTRY(EventCreate, 2000, CUevent *, unsigned) \
    ENTRY(EventDestroy, 4000, CUevent) \
    ENTRY(EventRecord, 2000, CUevent, CUstream) \
    ENTRY(EventRecordWithFlags, 11010, CUevent, CUstream, unsigned) \
    ENTRY(EventQuery, 2000, CUevent) \
    ENTRY(EventSynchronize, 2000, CUevent) \
    ENTRY(EventElapsedTime, 2000, float *, CUevent, CUevent) \
    /* Capture */ \
    ENTRY(StreamBeginCapture, 10010, CUstream, CUstreamCaptureMode) \
    ENTRY(StreamBeginCaptureToGraph, 12030, \
          CUstream, CUgraph, const CUgraphNode *, const rill_edge *, size_t, \
          CUstreamCaptureMode) \
    ENTRY(StreamEndCapture, 10000, CUstream, CUgraph *) \
    ENTRY(StreamIsCapturing, 10000, CUstream, CUstreamCaptureStatus *) \
    EARLIER(StreamGetCaptureInfo, 11030, \
          CUstream, CUstreamCaptureStatus *, uint64_t *, CUgraph *, const CUgraphNode **, \
          size_t *) \
    ENTRY(StreamGetCaptureInfo, 12030, \
          CUstream, CUstreamCaptureStatus *, uint64_t *, CUgraph *, const CUgraphNode **, \
          const rill_edge **, size_t *) \
    EARLIER(StreamUpdateCaptureDependencies, 11030, CUstream, CUgraphNode *, size_t, unsigned) \
    ENTRY(StreamUpdateCaptureDependencies, 12030, \
          CUstream, CUgraphNode *, const rill_edge *, size_t, unsigned) \
    ENTRY(ThreadExchangeStreamCaptureMode, 10010, CUstreamCaptureMode *) \
    /* Graphs */ \
    ENTRY(GraphCreate, 10000, CUgraph *, unsigned) \
    ENTRY(GraphDestroy, 10000, CUgraph) \
    ENTRY(GraphClone, 10000, CUgraph *, CUgraph) \
    ENTRY(GraphNodeFindInClone, 10000, CUgraphNode *, CUgraphNode, CUgraph) \
    ENTRY(GraphDestroyNode, 10000, CUgraphNode) \
    ENTRY(GraphGetNodes, 10000, CUgraph, CUgraphNode *, size_t *) \
    ENTRY(GraphGetRootNodes, 10000, CUgraph, CUgraphNode *, size_t *) \
    EARLIER(GraphGetEdges, 10000, CUgraph, CUgraphNode *, CUgraphNode *, size_t *) \
    ENTRY(GraphGetEdges, 12030, CUgraph, CUgraphNode *, CUgraphNode *, rill_edge *, size_t *) \
    EARLIER(GraphNodeGetDependencies, 10000, CUgraphNode, CUgraphNode *, size_t *) \
    ENTRY(GraphNodeGetDependencies, 12030, CUgraphNode, CUgraphNode *, rill_edge *, size_t *) \
    EARLIER(GraphNodeGetDependentNodes, 10000, CUgraphNode, CUgraphNode *, size_t *) \
    ENTRY(GraphNodeGetDependentNodes, 12030, CUgraphNode, CUgraphNode *, rill_edge *, size_t *) \
    EARLIER(GraphAddDependencies, 10000, \
          CUgraph, const CUgraphNode *, const CUgraphNode *, size_t) \
    ENTRY(GraphAddDependencies, 12030, \
          CUgraph, const CUgraphNode *, const CUgraphNode *, const rill_edge *, size_t) \
    EARLIER(GraphRemoveDependencies, 10000, \
          CUgraph, const CUgraphNode *, const CUgraphNode *, size_t) \
    ENTRY(GraphRemoveDependencies, 12030, \
          CUgraph, const CUgraphNode *, const CUgraphNode *, const rill_edge *, size_t) \
    ENTRY(GraphNodeGetType, 10000, CUgraphNode, CUgraphNodeType *) \
    ENTRY(GraphDebugDotPrint, 11030, CUgraph, const char *, unsigned) \
    ENTRY(GraphConditionalHandleCreate, 12030, uint64_t *, CUgraph, CUcontext, unsigned, unsigned) \
    ENTRY(UserObjectCreate, 11030, CUuserObject *, void *, CUhostFn, unsigned, unsigned) \
    ENTRY(UserObjectRetain, 11030, CUuserObject, unsigned) \
    ENTRY(UserObjectRelease, 11030, CUuserObject, unsigned) \
    ENTRY(GraphRetainUserObject, 11030, CUgraph, CUuserObject, unsigned, unsigned) \
    ENTRY(GraphReleaseUserObject, 11030, CUgraph, CUuserObject, unsigned) \
    ENTRY(DeviceGetGraphMemAttribute, 11040, CUdevice, CUgraphMem_attribute, void *) \
    ENTRY(DeviceSetGraphMemAttribute, 11040, CUdevice, CUgraphMem_attribute, void *) \
    ENTRY(DeviceGraphMemTrim, 11040, CUdevice) \
    /* Nodes */ \
    ENTRY(GraphAddNode, 12030, \
          CUgraphNode *, CUgraph, const CUgraphNode *, const rill_edge *, size_t, \
          struct cuda_node_params *) \
    ENTRY(GraphNodeSetParams, 12020, CUgraphNode, struct cuda_node_params *) \
    ENTRY(GraphAddKernelNode, 10000, \
          CUgraphNode *, CUgraph, const CUgraphNode *, size_t, \
          const CUDA_KERNEL_NODE_PARAMS_v1 *) \
    ENTRY(GraphAddMemcpyNode, 10000, \
          CUgraphNode *, CUgraph, const CUgraphNode *, size_t, const CUDA_MEMCPY3D_v2 *, \
          CUcontext) \
    ENTRY(GraphAddMemsetNode, 10000, \
          CUgraphNode *, CUgraph, const CUgraphNode *, size_t, const CUDA_MEMSET_NODE_PARAMS *, \
          CUcontext) \
    ENTRY(GraphAddHostNode, 10000, \
          CUgraphNode *, CUgraph, const CUgraphNode *, size_t, const CUDA_HOST_NODE_PARAMS *) \
    ENTRY(GraphAddChildGraphNode, 10000, \
          CUgraphNode *, CUgraph, const CUgraphNode *, size_t, CUgraph) \
    ENTRY(GraphAddEmptyNode, 10000, CUgraphNode *, CUgraph, const CUgraphNode *, size_t) \
    ENTRY(GraphAddEventRecordNode, 11010, \
          CUgraphNode *, CUgraph, const CUgraphNode *, size_t, CUevent) \
    ENTRY(GraphAddEventWaitNode, 11010, \
          CUgraphNode *, CUgraph, const CUgraphNode *, size_t, CUevent) \
    ENTRY(GraphAddMemAllocNode, 11040, \
          CUgraphNode *, CUgraph, const CUgraphNode *, size_t, CUDA_MEM_ALLOC_NODE_PARAMS *) \
    ENTRY(GraphAddMemFreeNode, 11040, \
          CUgraphNode *, CUgraph, const CUgraphNode *, size_t, CUdeviceptr) \
    ENTRY(GraphAddBatchMemOpNode, 11070, \
          CUgraphNode *, CUgraph, const CUgraphNode *, size_t, \
          const CUDA_BATCH_MEM_OP_NODE_PARAMS *) \
    EARLIER(GraphKernelNodeGetParams, 10000, CUgraphNode, CUDA_KERNEL_NODE_PARAMS_v1 *) \
    ENTRY(GraphKernelNodeGetParams, 12000, CUgraphNode, CUDA_KERNEL_NODE_PARAMS_v2 *) \
    ENTRY(GraphKernelNodeSetParams, 10000, CUgraphNode, const CUDA_KERNEL_NODE_PARAMS_v1 *) \
    ENTRY(GraphMemcpyNodeGetParams, 10000, CUgraphNode, CUDA_MEMCPY3D_v2 *) \
    ENTRY(GraphMemcpyNodeSetParams, 10000, CUgraphNode, const CUDA_MEMCPY3D_v2 *) \
    ENTRY(GraphMemsetNodeGetParams, 10000, CUgraphNode, CUDA_MEMSET_NODE_PARAMS *) \
    ENTRY(GraphMemsetNodeSetParams, 10000, CUgraphNode, const CUDA_MEMSET_NODE_PARAMS *) \
    ENTRY(GraphHostNodeGetParams, 10000, CUgraphNode, CUDA_HOST_NODE_PARAMS *) \
    ENTRY(GraphHostNodeSetParams, 10000, CUgraphNode, const CUDA_HOST_NODE_PARAMS *) \
    ENTRY(GraphChildGraphNodeGetGraph, 10000, CUgraphNode, CUgraph *) \
    ENTRY(GraphEventRecordNodeGetEvent, 11010, CUgraphNode, CUevent *) \
    ENTRY(GraphEventRecordNodeSetEvent, 11010, CUgraphNode, CUevent) \
    ENTRY(GraphEventWaitNodeGetEvent, 11010, CUgraphNode, CUevent *) \
    ENTRY(GraphEventWaitNodeSetEvent, 11010, CUgraphNode, CUevent) \
    ENTRY(GraphMemAllocNodeGetParams, 11040, CUgraphNode, CUDA_MEM_ALLOC_NODE_PARAMS *) \
    ENTRY(GraphMemFreeNodeGetParams, 11040, CUgraphNode, CUdeviceptr *) \
    ENTRY(GraphBatchMemOpNodeGetParams, 11070, CUgraphNode, CUDA_BATCH_MEM_OP_NODE_PARAMS *) \
    ENTRY(GraphBatchMemOpNodeSetParams, 11070, CUgraphNode, const CUDA_BATCH_MEM_OP_NODE_PARAMS *) \
    ENTRY(GraphKernelNodeGetAttribute, 11000, \
          CUgraphNode, CUkernelNodeAttrID, CUkernelNodeAttrValue *) \
    ENTRY(GraphKernelNodeSetAttribute, 11000, \
          CUgraphNode, CUkernelNodeAttrID, const CUkernelNodeAttrValue *) \
    ENTRY(GraphKernelNodeCopyAttributes, 11000, CUgraphNode, CUgraphNode) \
    /* Execs */ \
    ENTRY(GraphInstantiateWithFlags, 11040, CUgraphExec *, CUgraph, unsigned long long) \
    ENTRY(GraphInstantiateWithParams, 12000, \
          CUgraphExec *, CUgraph, CUDA_GRAPH_INSTANTIATE_PARAMS *) \
    ENTRY(GraphExecDestroy, 10000, CUgraphExec) \
    ENTRY(GraphExecGetFlags, 12000, CUgraphExec, uint64_t *) \
    ENTRY(GraphLaunch, 10000, CUgraphExec, CUstream) \
    ENTRY(GraphUpload, 11010, CUgraphExec, CUstream) \
    EARLIER(GraphExecUpdate, 10020, \
          CUgraphExec, CUgraph, CUgraphNode *, CUgraphExecUpdateResult *) \
    ENTRY(GraphExecUpdate, 12000, CUgraphExec, CUgraph, CUgraphExecUpdateResultInfo *) \
    ENTRY(GraphNodeSetEnabled, 11060, CUgraphExec, CUgraphNode, unsigned) \
    ENTRY(GraphNodeGetEnabled, 11060, CUgraphExec, CUgraphNode, unsigned *) \
    ENTRY(GraphExecNodeSetParams, 12020, CUgraphExec, CUgraphNode, struct cuda_node_params *) \
    ENTRY(GraphExecKernelNodeSetParams, 12000, \
          CUgraphExec, CUgraphNode, const CUDA_KERNEL_NODE_PARAMS_v2 *) \
    EARLIER(GraphExecKernelNodeSetParams, 10010, \
          CUgraphExec, CUgraphNode, const CUDA_KERNEL_NODE_PARAMS_v1 *) \
    ENTRY(GraphExecMemcpyNodeSetParams, 10020, \
          CUgraphExec, CUgraphNode, const CUDA_MEMCPY3D_v2 *, CUcontext) \
    ENTRY(GraphExecMemsetNodeSetParams, 10020, \
          CUgraphExec, CUgraphNode, const CUDA_MEMSET_NODE_PARAMS *, CUcontext) \
    ENTRY(GraphExecHostNodeSetParams, 10020, \
          CUgraphExec, CUgraphNode, const CUDA_HOST_NODE_PARAMS *) \
    ENTRY(GraphExecChildGraphNodeSetParams, 11010, CUgraphExec, CUgraphNode, CUgraph) \
    ENTRY(GraphExecEventRecordNodeSetEvent, 11010, CUgraphExec, CUgraphNode, CUevent) \
    ENTRY(GraphExecEventWaitNodeSetEvent, 11010, CUgraphExec, CUgraphNode, CUevent) \
    ENTRY(GraphExecBatchMemOpNodeSetParams, 11070, \
          CUgraphExec, CUgraphNode, const CUDA_BATCH_MEM_OP_NODE_PARAMS *)

#endif
