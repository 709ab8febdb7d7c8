/* SPDX-License-Identifier: Apache-2.0
 *
 * Every entry point of the driver that the runtime calls, as a table: the name under which the
 * driver's library exports this form, and its parameters.
 */
#ifndef RT_DRIVER_ENTRIES_H
#define RT_DRIVER_ENTRIES_H

#define RT_ENTRIES(ENTRY) \
    RT_DEVICE_ENTRIES(ENTRY) \
    RT_CODE_ENTRIES(ENTRY) \
    RT_MEMORY_ENTRIES(ENTRY) \
    RT_COPY_ENTRIES(ENTRY) \
    RT_TEXTURE_ENTRIES(ENTRY) \
    RT_REFERENCE_ENTRIES(ENTRY) \
    RT_STREAM_ENTRIES(ENTRY) \
    RT_GRAPH_ENTRIES(ENTRY) \
    RT_NODE_ENTRIES(ENTRY)

#define RT_DEVICE_ENTRIES(ENTRY) \
    ENTRY(cuInit, unsigned) \
    ENTRY(cuDriverGetVersion, int *) \
    ENTRY(cuGetProcAddress_v2, const char *, void **, int, uint64_t, int *) \
    ENTRY(cuDeviceGet, CUdevice *, int) \
    ENTRY(cuDeviceGetCount, int *) \
    ENTRY(cuDeviceGetName, char *, int, CUdevice) \
    ENTRY(cuDeviceGetUuid_v2, CUuuid *, CUdevice) \
    ENTRY(cuDeviceGetByPCIBusId, CUdevice *, const char *) \
    ENTRY(cuDeviceGetPCIBusId, char *, int, CUdevice) \
    ENTRY(cuDeviceTotalMem_v2, size_t *, CUdevice) \
    ENTRY(cuDeviceGetAttribute, int *, int, CUdevice) \
    ENTRY(cuDeviceGetP2PAttribute, int *, int, CUdevice, CUdevice) \
    ENTRY(cuDeviceCanAccessPeer, int *, CUdevice, CUdevice) \
    ENTRY(cuDevicePrimaryCtxRetain, CUcontext *, CUdevice) \
    ENTRY(cuDevicePrimaryCtxRelease_v2, CUdevice) \
    ENTRY(cuDevicePrimaryCtxReset_v2, CUdevice) \
    ENTRY(cuDevicePrimaryCtxSetFlags_v2, CUdevice, unsigned) \
    ENTRY(cuDevicePrimaryCtxGetState, CUdevice, unsigned *, int *) \
    ENTRY(cuCtxGetCurrent, CUcontext *) \
    ENTRY(cuCtxSetCurrent, CUcontext) \
    ENTRY(cuCtxPushCurrent_v2, CUcontext) \
    ENTRY(cuCtxPopCurrent_v2, CUcontext *) \
    ENTRY(cuCtxGetDevice, CUdevice *) \
    ENTRY(cuCtxGetFlags, unsigned *) \
    ENTRY(cuCtxSynchronize, void) \
    ENTRY(cuCtxGetLimit, size_t *, int) \
    ENTRY(cuCtxSetLimit, int, size_t) \
    ENTRY(cuCtxGetCacheConfig, int *) \
    ENTRY(cuCtxSetCacheConfig, int) \
    ENTRY(cuCtxGetSharedMemConfig, int *) \
    ENTRY(cuCtxSetSharedMemConfig, int) \
    ENTRY(cuCtxGetStreamPriorityRange, int *, int *) \
    ENTRY(cuCtxResetPersistingL2Cache, void) \
    ENTRY(cuCtxEnablePeerAccess, CUcontext, unsigned) \
    ENTRY(cuCtxDisablePeerAccess, CUcontext) \
    ENTRY(cuProfilerStart, void) \
    ENTRY(cuProfilerStop, void)

#define RT_CODE_ENTRIES(ENTRY) \
    ENTRY(cuLibraryLoadData, CUlibrary *, const void *, int *, void **, unsigned, int *, void **, \
          unsigned) \
    ENTRY(cuLibraryLoadFromFile, CUlibrary *, const char *, int *, void **, unsigned, int *, \
          void **, unsigned) \
    ENTRY(cuLibraryUnload, CUlibrary) \
    ENTRY(cuLibraryGetKernel, CUkernel *, CUlibrary, const char *) \
    ENTRY(cuLibraryGetKernelCount, unsigned *, CUlibrary) \
    ENTRY(cuLibraryEnumerateKernels, CUkernel *, unsigned, CUlibrary) \
    ENTRY(cuLibraryGetModule, CUmodule *, CUlibrary) \
    ENTRY(cuModuleGetTexRef, CUtexref *, CUmodule, const char *) \
    ENTRY(cuModuleGetSurfRef, CUsurfref *, CUmodule, const char *) \
    ENTRY(cuLibraryGetGlobal, CUdeviceptr *, size_t *, CUlibrary, const char *) \
    ENTRY(cuLibraryGetManaged, CUdeviceptr *, size_t *, CUlibrary, const char *) \
    ENTRY(cuLibraryGetUnifiedFunction, void **, CUlibrary, const char *) \
    ENTRY(cuLinkCreate_v2, unsigned, int *, void **, CUlinkState *) \
    ENTRY(cuLinkAddData_v2, CUlinkState, int, void *, size_t, const char *, unsigned, int *, \
          void **) \
    ENTRY(cuLinkComplete, CUlinkState, void **, size_t *) \
    ENTRY(cuLinkDestroy, CUlinkState) \
    ENTRY(cuKernelGetFunction, CUfunction *, CUkernel) \
    ENTRY(cuKernelGetAttribute, int *, int, CUkernel, CUdevice) \
    ENTRY(cuKernelSetAttribute, int, int, CUkernel, CUdevice) \
    ENTRY(cuKernelSetCacheConfig, CUkernel, int, CUdevice) \
    ENTRY(cuKernelGetName, const char **, CUkernel) \
    ENTRY(cuKernelGetParamInfo, CUkernel, size_t, size_t *, size_t *) \
    ENTRY(cuFuncSetSharedMemConfig, CUfunction, int) \
    ENTRY(cuFuncGetAttribute, int *, int, CUfunction) \
    ENTRY(cuLaunchKernel, CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, \
          unsigned, CUstream, void **, void **) \
    ENTRY(cuLaunchCooperativeKernel, CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, \
          unsigned, unsigned, CUstream, void **) \
    ENTRY(cuLaunchKernelEx, const CUlaunchConfig *, CUfunction, void **, void **) \
    ENTRY(cuLaunchHostFunc, CUstream, CUhostFn, void *) \
    ENTRY(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, int *, CUfunction, int, size_t, \
          unsigned) \
    ENTRY(cuOccupancyAvailableDynamicSMemPerBlock, size_t *, CUfunction, int, int) \
    ENTRY(cuOccupancyMaxPotentialClusterSize, int *, CUfunction, const CUlaunchConfig *) \
    ENTRY(cuOccupancyMaxActiveClusters, int *, CUfunction, const CUlaunchConfig *)

#define RT_MEMORY_ENTRIES(ENTRY) \
    ENTRY(cuMemAlloc_v2, CUdeviceptr *, size_t) \
    ENTRY(cuMemAllocPitch_v2, CUdeviceptr *, size_t *, size_t, size_t, unsigned) \
    ENTRY(cuMemFree_v2, CUdeviceptr) \
    ENTRY(cuMemGetAddressRange_v2, CUdeviceptr *, size_t *, CUdeviceptr) \
    ENTRY(cuMemGetInfo_v2, size_t *, size_t *) \
    ENTRY(cuMemHostAlloc, void **, size_t, unsigned) \
    ENTRY(cuMemFreeHost, void *) \
    ENTRY(cuMemHostRegister_v2, void *, size_t, unsigned) \
    ENTRY(cuMemHostUnregister, void *) \
    ENTRY(cuMemHostGetDevicePointer_v2, CUdeviceptr *, void *, unsigned) \
    ENTRY(cuMemHostGetFlags, unsigned *, void *) \
    ENTRY(cuPointerGetAttributes, unsigned, int *, void **, CUdeviceptr) \
    ENTRY(cuMemAllocAsync, CUdeviceptr *, size_t, CUstream) \
    ENTRY(cuMemAllocFromPoolAsync, CUdeviceptr *, size_t, CUmemoryPool, CUstream) \
    ENTRY(cuMemFreeAsync, CUdeviceptr, CUstream) \
    ENTRY(cuMemAllocManaged, CUdeviceptr *, size_t, unsigned) \
    ENTRY(cuIpcGetMemHandle, CUipcMemHandle *, CUdeviceptr) \
    ENTRY(cuIpcOpenMemHandle_v2, CUdeviceptr *, CUipcMemHandle, unsigned) \
    ENTRY(cuIpcCloseMemHandle, CUdeviceptr) \
    ENTRY(cuIpcGetEventHandle, CUipcEventHandle *, CUevent) \
    ENTRY(cuIpcOpenEventHandle, CUevent *, CUipcEventHandle) \
    ENTRY(cuMemPrefetchAsync, CUdeviceptr, size_t, CUdevice, CUstream) \
    ENTRY(cuMemPrefetchAsync_v2, CUdeviceptr, size_t, CUmemLocation, unsigned, CUstream) \
    ENTRY(cuMemPrefetchBatchAsync, CUdeviceptr *, size_t *, size_t, CUmemLocation *, size_t *, \
          size_t, unsigned long long, CUstream) \
    ENTRY(cuMemDiscardBatchAsync, CUdeviceptr *, size_t *, size_t, unsigned long long, CUstream) \
    ENTRY(cuMemDiscardAndPrefetchBatchAsync, CUdeviceptr *, size_t *, size_t, CUmemLocation *, \
          size_t *, size_t, unsigned long long, CUstream) \
    ENTRY(cuMemAdvise, CUdeviceptr, size_t, int, CUdevice) \
    ENTRY(cuMemAdvise_v2, CUdeviceptr, size_t, int, CUmemLocation) \
    ENTRY(cuMemRangeGetAttribute, void *, size_t, int, CUdeviceptr, size_t) \
    ENTRY(cuMemRangeGetAttributes, void **, size_t *, int *, size_t, CUdeviceptr, size_t) \
    ENTRY(cuMemPoolCreate, CUmemoryPool *, const CUmemPoolProps *) \
    ENTRY(cuMemPoolDestroy, CUmemoryPool) \
    ENTRY(cuMemPoolGetAttribute, CUmemoryPool, int, void *) \
    ENTRY(cuMemPoolSetAttribute, CUmemoryPool, int, void *) \
    ENTRY(cuMemPoolSetAccess, CUmemoryPool, const CUmemAccessDesc *, size_t) \
    ENTRY(cuMemPoolGetAccess, int *, CUmemoryPool, CUmemLocation *) \
    ENTRY(cuMemPoolTrimTo, CUmemoryPool, size_t) \
    ENTRY(cuMemPoolExportToShareableHandle, void *, CUmemoryPool, int, unsigned long long) \
    ENTRY(cuMemPoolImportFromShareableHandle, CUmemoryPool *, void *, int, unsigned long long) \
    ENTRY(cuMemPoolExportPointer, CUmemPoolPtrExportData *, CUdeviceptr) \
    ENTRY(cuMemPoolImportPointer, CUdeviceptr *, CUmemoryPool, CUmemPoolPtrExportData *) \
    ENTRY(cuMemGetDefaultMemPool, CUmemoryPool *, CUmemLocation *, int) \
    ENTRY(cuMemGetMemPool, CUmemoryPool *, CUmemLocation *, int) \
    ENTRY(cuMemSetMemPool, CUmemLocation *, int, CUmemoryPool) \
    ENTRY(cuDeviceGetDefaultMemPool, CUmemoryPool *, CUdevice) \
    ENTRY(cuDeviceGetMemPool, CUmemoryPool *, CUdevice) \
    ENTRY(cuDeviceSetMemPool, CUdevice, CUmemoryPool) \
    ENTRY(cuDeviceGetGraphMemAttribute, CUdevice, int, void *) \
    ENTRY(cuDeviceSetGraphMemAttribute, CUdevice, int, void *) \
    ENTRY(cuDeviceGraphMemTrim, CUdevice)

#define RT_COPY_ENTRIES(ENTRY) \
    ENTRY(cuMemcpy, CUdeviceptr, CUdeviceptr, size_t) \
    ENTRY(cuMemcpy_ptds, CUdeviceptr, CUdeviceptr, size_t) \
    ENTRY(cuMemcpyHtoD_v2, CUdeviceptr, const void *, size_t) \
    ENTRY(cuMemcpyHtoD_v2_ptds, CUdeviceptr, const void *, size_t) \
    ENTRY(cuMemcpyDtoH_v2, void *, CUdeviceptr, size_t) \
    ENTRY(cuMemcpyDtoH_v2_ptds, void *, CUdeviceptr, size_t) \
    ENTRY(cuMemcpyDtoD_v2, CUdeviceptr, CUdeviceptr, size_t) \
    ENTRY(cuMemcpyDtoD_v2_ptds, CUdeviceptr, CUdeviceptr, size_t) \
    ENTRY(cuMemcpyAsync, CUdeviceptr, CUdeviceptr, size_t, CUstream) \
    ENTRY(cuMemcpyHtoDAsync_v2, CUdeviceptr, const void *, size_t, CUstream) \
    ENTRY(cuMemcpyDtoHAsync_v2, void *, CUdeviceptr, size_t, CUstream) \
    ENTRY(cuMemcpyDtoDAsync_v2, CUdeviceptr, CUdeviceptr, size_t, CUstream) \
    ENTRY(cuMemcpyPeer, CUdeviceptr, CUcontext, CUdeviceptr, CUcontext, size_t) \
    ENTRY(cuMemcpyPeerAsync, CUdeviceptr, CUcontext, CUdeviceptr, CUcontext, size_t, CUstream) \
    ENTRY(cuMemcpy3D_v2, const CUDA_MEMCPY3D *) \
    ENTRY(cuMemcpy3D_v2_ptds, const CUDA_MEMCPY3D *) \
    ENTRY(cuMemcpy3DAsync_v2, const CUDA_MEMCPY3D *, CUstream) \
    ENTRY(cuMemcpy3DPeer, const CUDA_MEMCPY3D_PEER *) \
    ENTRY(cuMemcpy3DPeer_ptds, const CUDA_MEMCPY3D_PEER *) \
    ENTRY(cuMemcpy3DPeerAsync, const CUDA_MEMCPY3D_PEER *, CUstream) \
    ENTRY(cuMemcpyBatchAsync, CUdeviceptr *, CUdeviceptr *, size_t *, size_t, \
          CUmemcpyAttributes *, size_t *, size_t, size_t *, CUstream) \
    ENTRY(cuMemcpyBatchAsync_v2, CUdeviceptr *, CUdeviceptr *, size_t *, size_t, \
          CUmemcpyAttributes *, size_t *, size_t, CUstream) \
    ENTRY(cuMemcpy3DBatchAsync, size_t, CUDA_MEMCPY3D_BATCH_OP *, size_t *, unsigned long long, \
          CUstream) \
    ENTRY(cuMemcpy3DBatchAsync_v2, size_t, CUDA_MEMCPY3D_BATCH_OP *, unsigned long long, CUstream) \
    ENTRY(cuMemsetD8_v2, CUdeviceptr, unsigned char, size_t) \
    ENTRY(cuMemsetD8_v2_ptds, CUdeviceptr, unsigned char, size_t) \
    ENTRY(cuMemsetD8Async, CUdeviceptr, unsigned char, size_t, CUstream) \
    ENTRY(cuMemsetD2D8_v2, CUdeviceptr, size_t, unsigned char, size_t, size_t) \
    ENTRY(cuMemsetD2D8_v2_ptds, CUdeviceptr, size_t, unsigned char, size_t, size_t) \
    ENTRY(cuMemsetD2D8Async, CUdeviceptr, size_t, unsigned char, size_t, size_t, CUstream)

#define RT_TEXTURE_ENTRIES(ENTRY) \
    ENTRY(cuArray3DCreate_v2, CUarray *, const CUDA_ARRAY3D_DESCRIPTOR *) \
    ENTRY(cuArray3DGetDescriptor_v2, CUDA_ARRAY3D_DESCRIPTOR *, CUarray) \
    ENTRY(cuArrayDestroy, CUarray) \
    ENTRY(cuMipmappedArrayCreate, CUmipmappedArray *, const CUDA_ARRAY3D_DESCRIPTOR *, \
          unsigned) \
    ENTRY(cuMipmappedArrayGetLevel, CUarray *, CUmipmappedArray, unsigned) \
    ENTRY(cuMipmappedArrayDestroy, CUmipmappedArray) \
    ENTRY(cuTexObjectCreate, CUtexObject *, const CUDA_RESOURCE_DESC *, \
          const CUDA_TEXTURE_DESC *, const CUDA_RESOURCE_VIEW_DESC *) \
    ENTRY(cuTexObjectDestroy, CUtexObject) \
    ENTRY(cuTexObjectGetResourceDesc, CUDA_RESOURCE_DESC *, CUtexObject) \
    ENTRY(cuTexObjectGetResourceViewDesc, CUDA_RESOURCE_VIEW_DESC *, CUtexObject) \
    ENTRY(cuTexObjectGetTextureDesc, CUDA_TEXTURE_DESC *, CUtexObject) \
    ENTRY(cuSurfObjectCreate, CUsurfObject *, const CUDA_RESOURCE_DESC *) \
    ENTRY(cuSurfObjectDestroy, CUsurfObject) \
    ENTRY(cuSurfObjectGetResourceDesc, CUDA_RESOURCE_DESC *, CUsurfObject)

#define RT_REFERENCE_ENTRIES(ENTRY) \
    ENTRY(cuTexRefSetFlags, CUtexref, unsigned) \
    ENTRY(cuTexRefSetFilterMode, CUtexref, int) \
    ENTRY(cuTexRefSetAddressMode, CUtexref, int, int) \
    ENTRY(cuTexRefSetMaxAnisotropy, CUtexref, unsigned) \
    ENTRY(cuTexRefSetMipmapFilterMode, CUtexref, int) \
    ENTRY(cuTexRefSetMipmapLevelBias, CUtexref, float) \
    ENTRY(cuTexRefSetMipmapLevelClamp, CUtexref, float, float) \
    ENTRY(cuTexRefSetFormat, CUtexref, int, int) \
    ENTRY(cuTexRefSetAddress_v2, size_t *, CUtexref, CUdeviceptr, size_t) \
    ENTRY(cuTexRefSetAddress2D_v3, CUtexref, const CUDA_ARRAY_DESCRIPTOR *, CUdeviceptr, size_t) \
    ENTRY(cuTexRefSetArray, CUtexref, CUarray, unsigned) \
    ENTRY(cuTexRefSetMipmappedArray, CUtexref, CUmipmappedArray, unsigned) \
    ENTRY(cuSurfRefSetArray, CUsurfref, CUarray, unsigned)

#define RT_STREAM_ENTRIES(ENTRY) \
    ENTRY(cuStreamCreate, CUstream *, unsigned) \
    ENTRY(cuStreamCreateWithPriority, CUstream *, unsigned, int) \
    ENTRY(cuStreamDestroy_v2, CUstream) \
    ENTRY(cuStreamQuery, CUstream) \
    ENTRY(cuStreamSynchronize, CUstream) \
    ENTRY(cuStreamGetId, CUstream, unsigned long long *) \
    ENTRY(cuStreamGetCtx, CUstream, CUcontext *) \
    ENTRY(cuStreamGetDevice, CUstream, CUdevice *) \
    ENTRY(cuStreamGetFlags, CUstream, unsigned *) \
    ENTRY(cuStreamGetPriority, CUstream, int *) \
    ENTRY(cuStreamGetAttribute, CUstream, int, CUstreamAttrValue *) \
    ENTRY(cuStreamSetAttribute, CUstream, int, const CUstreamAttrValue *) \
    ENTRY(cuStreamCopyAttributes, CUstream, CUstream) \
    ENTRY(cuStreamAddCallback, CUstream, CUstreamCallback, void *, unsigned) \
    ENTRY(cuStreamAttachMemAsync, CUstream, CUdeviceptr, size_t, unsigned) \
    ENTRY(cuStreamWaitEvent, CUstream, CUevent, unsigned) \
    ENTRY(cuEventCreate, CUevent *, unsigned) \
    ENTRY(cuEventDestroy_v2, CUevent) \
    ENTRY(cuEventRecord, CUevent, CUstream) \
    ENTRY(cuEventRecordWithFlags, CUevent, CUstream, unsigned) \
    ENTRY(cuEventQuery, CUevent) \
    ENTRY(cuEventSynchronize, CUevent) \
    ENTRY(cuEventElapsedTime, float *, CUevent, CUevent) \
    ENTRY(cuStreamBeginCapture_v2, CUstream, int) \
    ENTRY(cuStreamBeginCaptureToGraph, CUstream, CUgraph, const CUgraphNode *, \
          const CUgraphEdgeData *, size_t, int) \
    ENTRY(cuStreamEndCapture, CUstream, CUgraph *) \
    ENTRY(cuStreamIsCapturing, CUstream, int *) \
    ENTRY(cuStreamGetCaptureInfo, CUstream, int *, unsigned long long *) \
    ENTRY(cuStreamGetCaptureInfo_v2, CUstream, int *, unsigned long long *, CUgraph *, \
          const CUgraphNode **, size_t *) \
    ENTRY(cuStreamGetCaptureInfo_v3, CUstream, int *, unsigned long long *, CUgraph *, \
          const CUgraphNode **, const CUgraphEdgeData **, size_t *) \
    ENTRY(cuStreamUpdateCaptureDependencies, CUstream, CUgraphNode *, size_t, unsigned) \
    ENTRY(cuStreamUpdateCaptureDependencies_v2, CUstream, CUgraphNode *, const CUgraphEdgeData *, \
          size_t, unsigned) \
    ENTRY(cuThreadExchangeStreamCaptureMode, int *)

#define RT_GRAPH_ENTRIES(ENTRY) \
    ENTRY(cuGraphCreate, CUgraph *, unsigned) \
    ENTRY(cuGraphDestroy, CUgraph) \
    ENTRY(cuGraphClone, CUgraph *, CUgraph) \
    ENTRY(cuGraphNodeFindInClone, CUgraphNode *, CUgraphNode, CUgraph) \
    ENTRY(cuGraphNodeGetType, CUgraphNode, int *) \
    ENTRY(cuGraphGetNodes, CUgraph, CUgraphNode *, size_t *) \
    ENTRY(cuGraphGetRootNodes, CUgraph, CUgraphNode *, size_t *) \
    ENTRY(cuGraphGetEdges, CUgraph, CUgraphNode *, CUgraphNode *, size_t *) \
    ENTRY(cuGraphGetEdges_v2, CUgraph, CUgraphNode *, CUgraphNode *, CUgraphEdgeData *, size_t *) \
    ENTRY(cuGraphNodeGetDependencies, CUgraphNode, CUgraphNode *, size_t *) \
    ENTRY(cuGraphNodeGetDependencies_v2, CUgraphNode, CUgraphNode *, CUgraphEdgeData *, size_t *) \
    ENTRY(cuGraphNodeGetDependentNodes, CUgraphNode, CUgraphNode *, size_t *) \
    ENTRY(cuGraphNodeGetDependentNodes_v2, CUgraphNode, CUgraphNode *, CUgraphEdgeData *, \
          size_t *) \
    ENTRY(cuGraphAddDependencies, CUgraph, const CUgraphNode *, const CUgraphNode *, size_t) \
    ENTRY(cuGraphAddDependencies_v2, CUgraph, const CUgraphNode *, const CUgraphNode *, \
          const CUgraphEdgeData *, size_t) \
    ENTRY(cuGraphRemoveDependencies, CUgraph, const CUgraphNode *, const CUgraphNode *, size_t) \
    ENTRY(cuGraphRemoveDependencies_v2, CUgraph, const CUgraphNode *, const CUgraphNode *, \
          const CUgraphEdgeData *, size_t) \
    ENTRY(cuGraphDestroyNode, CUgraphNode) \
    ENTRY(cuGraphInstantiate_v2, CUgraphExec *, CUgraph, CUgraphNode *, char *, size_t) \
    ENTRY(cuGraphInstantiateWithFlags, CUgraphExec *, CUgraph, unsigned long long) \
    ENTRY(cuGraphInstantiateWithParams, CUgraphExec *, CUgraph, CUDA_GRAPH_INSTANTIATE_PARAMS *) \
    ENTRY(cuGraphExecGetFlags, CUgraphExec, unsigned long long *) \
    ENTRY(cuGraphExecUpdate_v2, CUgraphExec, CUgraph, CUgraphExecUpdateResultInfo *) \
    ENTRY(cuGraphExecDestroy, CUgraphExec) \
    ENTRY(cuGraphUpload, CUgraphExec, CUstream) \
    ENTRY(cuGraphLaunch, CUgraphExec, CUstream) \
    ENTRY(cuGraphNodeSetEnabled, CUgraphExec, CUgraphNode, unsigned) \
    ENTRY(cuGraphNodeGetEnabled, CUgraphExec, CUgraphNode, unsigned *) \
    ENTRY(cuGraphDebugDotPrint, CUgraph, const char *, unsigned) \
    ENTRY(cuGraphConditionalHandleCreate, CUgraphConditionalHandle *, CUgraph, CUcontext, \
          unsigned, unsigned) \
    ENTRY(cuUserObjectCreate, CUuserObject *, void *, CUhostFn, unsigned, unsigned) \
    ENTRY(cuUserObjectRetain, CUuserObject, unsigned) \
    ENTRY(cuUserObjectRelease, CUuserObject, unsigned) \
    ENTRY(cuGraphRetainUserObject, CUgraph, CUuserObject, unsigned, unsigned) \
    ENTRY(cuGraphReleaseUserObject, CUgraph, CUuserObject, unsigned)

/* A node is added to a graph behind `n` others of an array. */
#define RT_BEHIND CUgraphNode *, CUgraph, const CUgraphNode *, size_t
#define RT_NODE_ENTRIES(ENTRY) \
    ENTRY(cuGraphAddNode, RT_BEHIND, CUgraphNodeParams *) \
    ENTRY(cuGraphAddNode_v2, CUgraphNode *, CUgraph, const CUgraphNode *, \
          const CUgraphEdgeData *, size_t, CUgraphNodeParams *) \
    ENTRY(cuGraphNodeSetParams, CUgraphNode, CUgraphNodeParams *) \
    ENTRY(cuGraphExecNodeSetParams, CUgraphExec, CUgraphNode, CUgraphNodeParams *) \
    ENTRY(cuGraphAddKernelNode_v2, RT_BEHIND, const CUDA_KERNEL_NODE_PARAMS *) \
    ENTRY(cuGraphKernelNodeGetParams_v2, CUgraphNode, CUDA_KERNEL_NODE_PARAMS *) \
    ENTRY(cuGraphKernelNodeSetParams_v2, CUgraphNode, const CUDA_KERNEL_NODE_PARAMS *) \
    ENTRY(cuGraphExecKernelNodeSetParams_v2, CUgraphExec, CUgraphNode, \
          const CUDA_KERNEL_NODE_PARAMS *) \
    ENTRY(cuGraphKernelNodeCopyAttributes, CUgraphNode, CUgraphNode) \
    ENTRY(cuGraphKernelNodeGetAttribute, CUgraphNode, int, CUlaunchAttributeValue *) \
    ENTRY(cuGraphKernelNodeSetAttribute, CUgraphNode, int, const CUlaunchAttributeValue *) \
    ENTRY(cuGraphAddMemcpyNode, RT_BEHIND, const CUDA_MEMCPY3D *, CUcontext) \
    ENTRY(cuGraphMemcpyNodeGetParams, CUgraphNode, CUDA_MEMCPY3D *) \
    ENTRY(cuGraphMemcpyNodeSetParams, CUgraphNode, const CUDA_MEMCPY3D *) \
    ENTRY(cuGraphExecMemcpyNodeSetParams, CUgraphExec, CUgraphNode, const CUDA_MEMCPY3D *, \
          CUcontext) \
    ENTRY(cuGraphAddMemsetNode, RT_BEHIND, const CUDA_MEMSET_NODE_PARAMS_v1 *, CUcontext) \
    ENTRY(cuGraphMemsetNodeGetParams, CUgraphNode, CUDA_MEMSET_NODE_PARAMS_v1 *) \
    ENTRY(cuGraphMemsetNodeSetParams, CUgraphNode, const CUDA_MEMSET_NODE_PARAMS_v1 *) \
    ENTRY(cuGraphExecMemsetNodeSetParams, CUgraphExec, CUgraphNode, \
          const CUDA_MEMSET_NODE_PARAMS_v1 *, CUcontext) \
    ENTRY(cuGraphAddHostNode, RT_BEHIND, const CUDA_HOST_NODE_PARAMS *) \
    ENTRY(cuGraphHostNodeGetParams, CUgraphNode, CUDA_HOST_NODE_PARAMS *) \
    ENTRY(cuGraphHostNodeSetParams, CUgraphNode, const CUDA_HOST_NODE_PARAMS *) \
    ENTRY(cuGraphExecHostNodeSetParams, CUgraphExec, CUgraphNode, const CUDA_HOST_NODE_PARAMS *) \
    ENTRY(cuGraphAddChildGraphNode, RT_BEHIND, CUgraph) \
    ENTRY(cuGraphChildGraphNodeGetGraph, CUgraphNode, CUgraph *) \
    ENTRY(cuGraphExecChildGraphNodeSetParams, CUgraphExec, CUgraphNode, CUgraph) \
    ENTRY(cuGraphAddEmptyNode, RT_BEHIND) \
    ENTRY(cuGraphAddEventRecordNode, RT_BEHIND, CUevent) \
    ENTRY(cuGraphEventRecordNodeGetEvent, CUgraphNode, CUevent *) \
    ENTRY(cuGraphEventRecordNodeSetEvent, CUgraphNode, CUevent) \
    ENTRY(cuGraphExecEventRecordNodeSetEvent, CUgraphExec, CUgraphNode, CUevent) \
    ENTRY(cuGraphAddEventWaitNode, RT_BEHIND, CUevent) \
    ENTRY(cuGraphEventWaitNodeGetEvent, CUgraphNode, CUevent *) \
    ENTRY(cuGraphEventWaitNodeSetEvent, CUgraphNode, CUevent) \
    ENTRY(cuGraphExecEventWaitNodeSetEvent, CUgraphExec, CUgraphNode, CUevent) \
    ENTRY(cuGraphAddMemAllocNode, RT_BEHIND, CUDA_MEM_ALLOC_NODE_PARAMS *) \
    ENTRY(cuGraphMemAllocNodeGetParams, CUgraphNode, CUDA_MEM_ALLOC_NODE_PARAMS *) \
    ENTRY(cuGraphAddMemFreeNode, RT_BEHIND, CUdeviceptr) \
    ENTRY(cuGraphMemFreeNodeGetParams, CUgraphNode, CUdeviceptr *)

#endif
