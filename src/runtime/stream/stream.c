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

/* Captures have the first word where the stream cannot be destroyed anyway. */
ENTRY(cudaStreamDestroy, (cudaStream_t stream), (stream))
{
    cudaError_t refused = stream == CU_STREAM_LEGACY ? rt_capture_refuses(stream) : cudaSuccess;
    return refused ? refused : (cudaError_t)rt_driver.cuStreamDestroy_v2(stream);
}

FORWARD_STREAM(cudaStreamQuery, cuStreamQuery, (cudaStream_t stream), (stream))
FORWARD_STREAM(cudaStreamSynchronize, cuStreamSynchronize, (cudaStream_t stream), (stream))

ENTRY(cudaStreamWaitEvent,
      (cudaStream_t stream, cudaEvent_t event, unsigned flags), (stream, event, flags))
{
    cudaError_t refused = event ? cudaSuccess : rt_capture_refuses(stream);
    return refused ? refused : (cudaError_t)rt_driver.cuStreamWaitEvent(stream, event, flags);
}

PER_THREAD_FORM(cudaStreamWaitEvent, _ptsz,
                (cudaStream_t stream, cudaEvent_t event, unsigned flags), (stream, event, flags))

/* ---- What a stream is -------------------------------------------------------------------- */

FORWARD_STREAM(cudaStreamGetId, cuStreamGetId,
               (cudaStream_t stream, unsigned long long *id), (stream, id))
FORWARD_STREAM(cudaStreamGetFlags, cuStreamGetFlags,
               (cudaStream_t stream, unsigned *flags), (stream, flags))

/* The device is asked for in a way that breaks a capture, as the flags are. */
ENTRY(cudaStreamGetDevice, (cudaStream_t stream, int *device), (stream, device))
{
    unsigned ignored;
    cudaError_t status = (cudaError_t)rt_driver.cuStreamGetFlags(stream, &ignored);
    return status ? status : (cudaError_t)rt_driver.cuStreamGetDevice(stream, device);
}

PER_THREAD_FORM(cudaStreamGetDevice, _ptsz, (cudaStream_t stream, int *device), (stream, device))

ENTRY(cudaStreamGetPriority, (cudaStream_t stream, int *priority), (stream, priority))
{
    cudaError_t refused = rt_capture_refuses(stream);
    return refused ? refused : (cudaError_t)rt_driver.cuStreamGetPriority(stream, priority);
}

PER_THREAD_FORM(cudaStreamGetPriority, _ptsz, (cudaStream_t stream, int *priority),
                (stream, priority))

ENTRY(cudaStreamGetAttribute,
      (cudaStream_t stream, int attribute, CUstreamAttrValue *value), (stream, attribute, value))
{
    cudaError_t refused = rt_capture_refuses(stream);
    if (refused) return refused;
    return (cudaError_t)rt_driver.cuStreamGetAttribute(stream, attribute, value);
}

PER_THREAD_FORM(cudaStreamGetAttribute, _ptsz,
                (cudaStream_t stream, int attribute, CUstreamAttrValue *value),
                (stream, attribute, value))

ENTRY(cudaStreamSetAttribute,
      (cudaStream_t stream, int attribute, const CUstreamAttrValue *value),
      (stream, attribute, value))
{
    const int known = attribute == RILL_ATTRIBUTE_ACCESS_WINDOW ||
                      attribute == RILL_ATTRIBUTE_SYNC_POLICY ||
                      attribute >= RILL_ATTRIBUTE_PRIORITY;
    if (!known) return RILL_ERROR_INVALID_VALUE;
    cudaError_t refused = rt_capture_refuses(stream);
    if (refused) return refused;
    return (cudaError_t)rt_driver.cuStreamSetAttribute(stream, attribute, value);
}

PER_THREAD_FORM(cudaStreamSetAttribute, _ptsz,
                (cudaStream_t stream, int attribute, const CUstreamAttrValue *value),
                (stream, attribute, value))

ENTRY(cudaStreamCopyAttributes, (cudaStream_t dst, cudaStream_t src), (dst, src))
{
    cudaError_t refused = rt_capture_refuses(dst);
    if (!refused) refused = rt_capture_refuses(src);
    return refused ? refused : (cudaError_t)rt_driver.cuStreamCopyAttributes(dst, src);
}

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
    if (flags) return RILL_ERROR_INVALID_VALUE;
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
    cudaError_t forbidden = rt_capture_forbids();
    if (forbidden) return forbidden;
    return (cudaError_t)rt_driver.cuStreamAttachMemAsync(stream, (CUdeviceptr)(uintptr_t)address,
                                                         bytes, flags);
}

PER_THREAD_FORM(cudaStreamAttachMemAsync, _ptsz,
                (cudaStream_t stream, void *address, size_t bytes, unsigned flags),
                (stream, address, bytes, flags))
