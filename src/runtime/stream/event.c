/* SPDX-License-Identifier: Apache-2.0
 *
 * Events.
 */
#include "runtime/thread/entry.h"

ENTRY(cudaEventCreate, (cudaEvent_t *event), (event))
{
    return (cudaError_t)rt_driver.cuEventCreate(event, 0);
}

FORWARD(cudaEventCreateWithFlags, cuEventCreate,
        (cudaEvent_t *event, unsigned flags), (event, flags))
FORWARD(cudaEventDestroy, cuEventDestroy_v2, (cudaEvent_t event), (event))
FORWARD(cudaEventQuery, cuEventQuery, (cudaEvent_t event), (event))
FORWARD(cudaEventSynchronize, cuEventSynchronize, (cudaEvent_t event), (event))
ENTRY(cudaEventElapsedTime,
      (float *milliseconds, cudaEvent_t start, cudaEvent_t end), (milliseconds, start, end))
{
    if (!milliseconds) return RILL_ERROR_INVALID_VALUE;
    return (cudaError_t)rt_driver.cuEventElapsedTime(milliseconds, start, end);
}

ENTRY(cudaEventRecordWithFlags,
      (cudaEvent_t event, cudaStream_t stream, unsigned flags), (event, stream, flags))
{
    cudaError_t refused = event ? cudaSuccess : rt_capture_refuses(stream);
    if (refused) return refused;
    return (cudaError_t)rt_driver.cuEventRecordWithFlags(event, stream, flags);
}

PER_THREAD_FORM(cudaEventRecordWithFlags, _ptsz,
                (cudaEvent_t event, cudaStream_t stream, unsigned flags), (event, stream, flags))

ENTRY(cudaEventRecord, (cudaEvent_t event, cudaStream_t stream), (event, stream))
{
    cudaError_t refused = event ? cudaSuccess : rt_capture_refuses(stream);
    return refused ? refused : (cudaError_t)rt_driver.cuEventRecord(event, stream);
}

PER_THREAD_FORM(cudaEventRecord, _ptsz, (cudaEvent_t event, cudaStream_t stream), (event, stream))

FORWARD(cudaIpcGetEventHandle, cuIpcGetEventHandle,
        (CUipcEventHandle *handle, cudaEvent_t event), (handle, event))
FORWARD(cudaIpcOpenEventHandle, cuIpcOpenEventHandle,
        (cudaEvent_t *event, CUipcEventHandle handle), (event, handle))
