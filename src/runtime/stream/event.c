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
FORWARD(cudaEventElapsedTime, cuEventElapsedTime,
        (float *milliseconds, cudaEvent_t start, cudaEvent_t end), (milliseconds, start, end))

FORWARD_STREAM(cudaEventRecord, cuEventRecord,
               (cudaEvent_t event, cudaStream_t stream), (event, stream))
FORWARD_STREAM(cudaEventRecordWithFlags, cuEventRecordWithFlags,
               (cudaEvent_t event, cudaStream_t stream, unsigned flags), (event, stream, flags))

FORWARD(cudaIpcGetEventHandle, cuIpcGetEventHandle,
        (CUipcEventHandle *handle, cudaEvent_t event), (handle, event))
FORWARD(cudaIpcOpenEventHandle, cuIpcOpenEventHandle,
        (cudaEvent_t *event, CUipcEventHandle handle), (event, handle))
