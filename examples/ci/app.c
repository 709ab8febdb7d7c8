/* SPDX-License-Identifier: Apache-2.0
 *
 * A program of the CUDA driver that lacks a wait: one stream fills memory, another one copies
 * it, and nothing says in which order. Yours includes <cuda.h>; what is needed of it is
 * declared here, so that it builds where there is no toolkit.
 */
#include <stddef.h>
#include <stdio.h>

typedef int CUresult, CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;

CUresult cuInit(unsigned flags);
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device);
CUresult cuCtxSetCurrent(CUcontext context);
CUresult cuCtxSynchronize(void);
CUresult cuMemAlloc_v2(CUdeviceptr *memory, size_t bytes);
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count, CUstream stream);
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream);
CUresult cuStreamCreate(CUstream *stream, unsigned flags);
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags);
CUresult cuEventCreate(CUevent *event, unsigned flags);
CUresult cuEventRecord(CUevent event, CUstream stream);

enum { COUNT = 1024, NON_BLOCKING = 1 };

int main(void)
{
    CUcontext context;
    CUstream fills, copies;
    CUevent filled;
    CUdeviceptr x, y;
    if (cuInit(0) || cuDevicePrimaryCtxRetain(&context, 0) || cuCtxSetCurrent(context) ||
        cuStreamCreate(&fills, NON_BLOCKING) || cuStreamCreate(&copies, NON_BLOCKING) ||
        cuEventCreate(&filled, 0) || cuMemAlloc_v2(&x, 4 * COUNT) || cuMemAlloc_v2(&y, 4 * COUNT))
        return 1;

    cuMemsetD32Async(x, 7, COUNT, fills);
    /* What is missing:
    cuEventRecord(filled, fills);
    cuStreamWaitEvent(copies, filled, 0);
    */
    cuMemcpyDtoDAsync_v2(y, x, 4 * COUNT, copies);

    puts("done");
    return cuCtxSynchronize();
}
