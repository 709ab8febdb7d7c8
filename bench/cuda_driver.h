/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver's own calls for bench/cuda-overhead.c, found in the library as a program
 * finds them that does without the link stub.
 */
#ifndef BENCH_CUDA_DRIVER_H
#define BENCH_CUDA_DRIVER_H

#include <cuda.h>

/* Name, and the symbol of the signature that is meant. */
#define DRIVER_CALLS(CALL) \
    CALL(Init, "cuInit", unsigned) \
    CALL(DriverGetVersion, "cuDriverGetVersion", int *) \
    CALL(CtxSetCurrent, "cuCtxSetCurrent", CUcontext) \
    CALL(StreamQuery, "cuStreamQuery", CUstream) \
    CALL(StreamSynchronize, "cuStreamSynchronize", CUstream) \
    CALL(StreamIsCapturing, "cuStreamIsCapturing", CUstream, CUstreamCaptureStatus *) \
    CALL(StreamGetCaptureInfo, "cuStreamGetCaptureInfo_v2", CUstream, CUstreamCaptureStatus *, \
         cuuint64_t *, CUgraph *, const CUgraphNode **, size_t *) \
    CALL(StreamWaitEvent, "cuStreamWaitEvent", CUstream, CUevent, unsigned) \
    CALL(EventRecord, "cuEventRecord", CUevent, CUstream) \
    CALL(EventQuery, "cuEventQuery", CUevent) \
    CALL(LaunchHostFunc, "cuLaunchHostFunc", CUstream, CUhostFn, void *) \
    CALL(MemcpyHtoDAsync, "cuMemcpyHtoDAsync_v2", CUdeviceptr, const void *, size_t, CUstream) \
    CALL(MemcpyDtoDAsync, "cuMemcpyDtoDAsync_v2", CUdeviceptr, CUdeviceptr, size_t, CUstream) \
    CALL(MemsetD32Async, "cuMemsetD32Async", CUdeviceptr, unsigned, size_t, CUstream) \
    CALL(MemAllocAsync, "cuMemAllocAsync", CUdeviceptr *, size_t, CUstream) \
    CALL(MemFreeAsync, "cuMemFreeAsync", CUdeviceptr, CUstream) \
    CALL(LaunchKernel, "cuLaunchKernel", CUfunction, unsigned, unsigned, unsigned, unsigned, \
         unsigned, unsigned, unsigned, CUstream, void **, void **) \
    CALL(BeginCapture, "cuStreamBeginCapture_v2", CUstream, CUstreamCaptureMode) \
    CALL(EndCapture, "cuStreamEndCapture", CUstream, CUgraph *) \
    CALL(GraphDestroy, "cuGraphDestroy", CUgraph) \
    CALL(GraphLaunch, "cuGraphLaunch", CUgraphExec, CUstream) \
    CALL(GraphExecUpdate, "cuGraphExecUpdate_v2", CUgraphExec, CUgraph, \
         CUgraphExecUpdateResultInfo *) \
    CALL(ExecKernelNodeSetParams, "cuGraphExecKernelNodeSetParams_v2", CUgraphExec, CUgraphNode, \
         const CUDA_KERNEL_NODE_PARAMS *)

struct driver {
#define DRIVER_FIELD(name, symbol, ...) CUresult(CUDAAPI *name)(__VA_ARGS__);
    DRIVER_CALLS(DRIVER_FIELD)
#undef DRIVER_FIELD
};

extern struct driver driver;

/* Loads it, from $RILL_CUDA_LIBRARY or where rill looks, or ends the program. */
void load_driver(void);

/* Ends the program unless the call succeeded. */
#define DRIVER(call) driver_check((call), #call)
void driver_check(CUresult result, const char *call);

#endif
