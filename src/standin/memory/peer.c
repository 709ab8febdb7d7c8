/* SPDX-License-Identifier: Apache-2.0
 *
 * Devices that reach each other's memory.
 */
#include "standin/context/current.h"

ENTRY(cuDeviceCanAccessPeer, (int *can, CUdevice device, CUdevice peer), (can, device, peer))
{
    CUresult status = si_check_ready();
    return status ? status : rill_device_can_access_peer(si_platform, device, peer, can);
}

/* Answers as for devices that NVLink connects: all are equal, and everything works. */
static int p2p_value(int attribute, int *value)
{
    switch (attribute) {
    case CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK: *value = 0; return 1;
    case CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED:
    case CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED:
    case CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED: *value = 1; return 1;
    case CU_DEVICE_P2P_ATTRIBUTE_ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED: *value = 0; return 1;
    }
    return 0;
}

ENTRY(cuDeviceGetP2PAttribute,
      (int *value, int attribute, CUdevice device, CUdevice peer),
      (value, attribute, device, peer))
{
    int found;
    CUresult status = si_check_ready();
    if (status) return status;
    if (!value) return RILL_ERROR_INVALID_VALUE;
    if (!si_device(device) || !si_device(peer) || device == peer) return RILL_ERROR_INVALID_DEVICE;
    if (!p2p_value(attribute, &found)) return RILL_ERROR_INVALID_VALUE;
    *value = found;
    return RILL_SUCCESS;
}

ENTRY(cuCtxEnablePeerAccess, (CUcontext handle, unsigned flags), (handle, flags))
{
    rill_context *context, *peer;
    CUresult status = si_here(&context);
    if (status) return status;
    if (!handle) return RILL_ERROR_INVALID_CONTEXT;
    if (flags) return RILL_ERROR_INVALID_VALUE;
    status = si_context(handle, &peer);
    return status ? status : rill_context_enable_peer(context, peer);
}

ENTRY(cuCtxDisablePeerAccess, (CUcontext handle), (handle))
{
    rill_context *context, *peer;
    CUresult status = si_here(&context);
    if (!status) status = si_context(handle, &peer);
    return status ? status : rill_context_disable_peer(context, peer);
}
