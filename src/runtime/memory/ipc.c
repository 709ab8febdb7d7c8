/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory of other processes.
 */
#include "runtime/memory/copy.h"
#include "runtime/thread/entry.h"

ENTRY(cudaIpcGetMemHandle, (CUipcMemHandle *handle, void *address), (handle, address))
{
    return (cudaError_t)rt_driver.cuIpcGetMemHandle(handle, rt_address(address));
}

ENTRY(cudaIpcOpenMemHandle, (void **address, CUipcMemHandle handle, unsigned flags),
      (address, handle, flags))
{
    return (cudaError_t)rt_driver.cuIpcOpenMemHandle_v2((CUdeviceptr *)address, handle, flags);
}

ENTRY(cudaIpcCloseMemHandle, (void *address), (address))
{
    return (cudaError_t)rt_driver.cuIpcCloseMemHandle(rt_address(address));
}
