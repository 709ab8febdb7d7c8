/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that other processes open by a handle.
 */
#include <rill/sim.h>

#include <string.h>

#include "standin/context/current.h"

_Static_assert(sizeof(CUipcMemHandle) == sizeof(rill_sim_shared), "a handle is passed on");

ENTRY(cuIpcGetMemHandle, (CUipcMemHandle *handle, CUdeviceptr address), (handle, address))
{
    rill_context *context;
    rill_sim_shared shared;
    CUresult status = si_here(&context);
    if (!status && (!handle || !address)) status = RILL_ERROR_INVALID_VALUE;
    if (!status) status = rill_sim_share(context, address, &shared);
    if (!status) memcpy(handle, &shared, sizeof shared);
    return status;
}

ENTRY(cuIpcOpenMemHandle_v2, (CUdeviceptr *address, CUipcMemHandle handle, unsigned flags),
      (address, handle, flags))
{
    rill_context *context;
    rill_sim_shared shared;
    CUresult status = si_here(&context);
    if (!status && (!address || flags != CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS))
        status = RILL_ERROR_INVALID_VALUE;
    if (status) return status;
    memcpy(&shared, &handle, sizeof shared);
    return rill_sim_open_shared(context, &shared, address);
}

SAME_AS(cuIpcOpenMemHandle, cuIpcOpenMemHandle_v2,
        (CUdeviceptr *address, CUipcMemHandle handle, unsigned flags), (address, handle, flags))

ENTRY(cuIpcCloseMemHandle, (CUdeviceptr address), (address))
{
    rill_context *context;
    CUresult status = si_here(&context);
    if (!status && !address) status = RILL_ERROR_INVALID_VALUE;
    return status ? status : rill_sim_close_shared(context, address);
}
