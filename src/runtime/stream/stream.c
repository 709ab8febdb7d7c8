/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams, and functions of the host in their order.
 */
#include "runtime/thread/entry.h"

ENTRY(cudaStreamCreate, (cudaStream_t *stream), (stream))
{
    return (cudaError_t)rt_driver.cuStreamCreate(stream, 0);
}

FORWARD(cudaStreamCreateWithFlags, cuStreamCreate,
        (cudaStream_t *stream, unsigned flags), (stream, flags))
FORWARD(cudaStreamCreateWithPriority, cuStreamCreateWithPriority,
        (cudaStream_t *stream, unsigned flags, int priority), (stream, flags, priority))
FORWARD(cudaStreamDestroy, cuStreamDestroy_v2, (cudaStream_t stream), (stream))

FORWARD_STREAM(cudaStreamQuery, cuStreamQuery, (cudaStream_t stream), (stream))
FORWARD_STREAM(cudaStreamSynchronize, cuStreamSynchronize, (cudaStream_t stream), (stream))

FORWARD_STREAM(cudaStreamWaitEvent, cuStreamWaitEvent,
               (cudaStream_t stream, cudaEvent_t event, unsigned flags), (stream, event, flags))

/* ---- What a stream is -------------------------------------------------------------------- */

FORWARD_STREAM(cudaStreamGetId, cuStreamGetId,
               (cudaStream_t stream, unsigned long long *id), (stream, id))
FORWARD_STREAM(cudaStreamGetDevice, cuStreamGetDevice,
               (cudaStream_t stream, int *device), (stream, device))
FORWARD_STREAM(cudaStreamGetFlags, cuStreamGetFlags,
               (cudaStream_t stream, unsigned *flags), (stream, flags))
FORWARD_STREAM(cudaStreamGetPriority, cuStreamGetPriority,
               (cudaStream_t stream, int *priority), (stream, priority))
FORWARD_STREAM(cudaStreamGetAttribute, cuStreamGetAttribute,
               (cudaStream_t stream, int attribute, CUstreamAttrValue *value),
               (stream, attribute, value))
FORWARD_STREAM(cudaStreamSetAttribute, cuStreamSetAttribute,
               (cudaStream_t stream, int attribute, const CUstreamAttrValue *value),
               (stream, attribute, value))

FORWARD(cudaStreamCopyAttributes, cuStreamCopyAttributes,
        (cudaStream_t dst, cudaStream_t src), (dst, src))

RT_EXPORT cudaError_t cudaStreamCopyAttributes_ptsz(cudaStream_t dst, cudaStream_t src);
RT_EXPORT cudaError_t cudaStreamCopyAttributes_ptsz(cudaStream_t dst, cudaStream_t src)
{
    return cudaStreamCopyAttributes(dst ? dst : CU_STREAM_PER_THREAD,
                                    src ? src : CU_STREAM_PER_THREAD);
}

/* ---- The host's part --------------------------------------------------------------------- */

FORWARD_STREAM(cudaLaunchHostFunc, cuLaunchHostFunc,
               (cudaStream_t stream, cudaHostFn_t function, void *data), (stream, function, data))

/* Statuses are ints in both types of callback. */
ENTRY(cudaStreamAddCallback,
      (cudaStream_t stream, cudaStreamCallback_t callback, void *data, unsigned flags),
      (stream, callback, data, flags))
{
    return (cudaError_t)rt_driver.cuStreamAddCallback(stream, (CUstreamCallback)callback, data,
                                                      flags);
}

PER_THREAD_FORM(cudaStreamAddCallback, _ptsz,
                (cudaStream_t stream, cudaStreamCallback_t callback, void *data, unsigned flags),
                (stream, callback, data, flags))

ENTRY(cudaStreamAttachMemAsync,
      (cudaStream_t stream, void *address, size_t bytes, unsigned flags),
      (stream, address, bytes, flags))
{
    return (cudaError_t)rt_driver.cuStreamAttachMemAsync(stream, (CUdeviceptr)(uintptr_t)address,
                                                         bytes, flags);
}

PER_THREAD_FORM(cudaStreamAttachMemAsync, _ptsz,
                (cudaStream_t stream, void *address, size_t bytes, unsigned flags),
                (stream, address, bytes, flags))
