/* SPDX-License-Identifier: Apache-2.0
 *
 * Devices, and the one that the thread chose.
 */
#include <string.h>

#include "runtime/thread/entry.h"

/* ---- Which there are --------------------------------------------------------------------- */

/* Counts 0 devices where there is no driver. */
PLAIN(count_devices, (int *count), (count))
{
    return (cudaError_t)rt_driver.cuDeviceGetCount(count);
}

RT_EXPORT cudaError_t cudaGetDeviceCount(int *count);
RT_EXPORT cudaError_t cudaGetDeviceCount(int *count)
{
    if (!count) return rt_failed("cudaGetDeviceCount", RILL_ERROR_INVALID_VALUE);
    *count = 0;
    return count_devices(count);
}

PLAIN(cudaDeviceGetAttribute, (int *value, int attribute, int device), (value, attribute, device))
{
    return (cudaError_t)rt_driver.cuDeviceGetAttribute(value, attribute, device);
}

PLAIN(cudaDeviceGetByPCIBusId, (int *device, const char *id), (device, id))
{
    return (cudaError_t)rt_driver.cuDeviceGetByPCIBusId(device, id);
}

PLAIN(cudaDeviceGetPCIBusId, (char *id, int length, int device), (id, length, device))
{
    char whole[32];
    CUdevice found;
    if (!id) return RILL_ERROR_INVALID_VALUE;
    cudaError_t status = (cudaError_t)rt_driver.cuDeviceGet(&found, device);
    if (!status)
        status = (cudaError_t)rt_driver.cuDeviceGetPCIBusId(whole, sizeof whole, device);
    if (status || length <= 0) return status ? status : (cudaError_t)RILL_ERROR_INVALID_VALUE;
    const size_t room = (size_t)length, bytes = strlen(whole) + 1;
    memcpy(id, whole, bytes < room ? bytes : room);
    id[room < bytes ? room - 1 : bytes - 1] = 0; /* what there is room for */
    return bytes <= room ? cudaSuccess : (cudaError_t)RILL_ERROR_INVALID_VALUE;
}

/* ---- The thread's ------------------------------------------------------------------------ */

PLAIN(cudaSetDevice, (int device), (device))
{
    return rt_choose_device(device);
}

PLAIN(cudaGetDevice, (int *device), (device))
{
    if (!device) return RILL_ERROR_INVALID_VALUE;
    *device = rt_device();
    return cudaSuccess;
}

PLAIN(cudaInitDevice, (int device, unsigned device_flags, unsigned flags),
      (device, device_flags, flags))
{
    enum { DEVICE_FLAGS_ARE_VALID = 1 };
    CUcontext context;
    if (flags & DEVICE_FLAGS_ARE_VALID) { /* others are of no account */
        CUresult status = rt_driver.cuDevicePrimaryCtxSetFlags_v2(device, device_flags);
        if (status) return (cudaError_t)status;
    }
    return rt_primary(device, &context);
}

/* The first of the devices becomes the thread's, as long as it has chosen none. */
PLAIN(cudaSetValidDevices, (const int *devices, int count), (devices, count))
{
    CUdevice known;
    if (count < 0 || (count && !devices)) return RILL_ERROR_INVALID_VALUE;
    for (int i = 0; i < count; i++) {
        CUresult status = rt_driver.cuDeviceGet(&known, devices[i]);
        if (status) return (cudaError_t)status;
    }
    if (count && !rt_thread.epoch) rt_thread.device = devices[0];
    return cudaSuccess;
}

PLAIN(cudaSetDeviceFlags, (unsigned flags), (flags))
{
    return (cudaError_t)rt_driver.cuDevicePrimaryCtxSetFlags_v2(
        rt_device(), flags & ~(unsigned)CU_CTX_MAP_HOST);
}

/* Memory of the host can always be mapped. */
PLAIN(cudaGetDeviceFlags, (unsigned *flags), (flags))
{
    int active;
    if (!flags) return RILL_ERROR_INVALID_VALUE;
    CUresult status = rt_driver.cuDevicePrimaryCtxGetState(rt_device(), flags, &active);
    /* What is written after a fault can be set, and is not told. */
    if (!status) *flags = (*flags & ~(unsigned)CU_CTX_COREDUMPS) | CU_CTX_MAP_HOST;
    return (cudaError_t)status;
}

FORWARD(cudaDeviceSynchronize, cuCtxSynchronize, (void), ())

PLAIN(cudaDeviceReset, (void), ())
{
    return rt_reset_device(rt_device());
}

/* ---- Peers ------------------------------------------------------------------------------- */

PLAIN(cudaDeviceCanAccessPeer, (int *can, int device, int peer), (can, device, peer))
{
    CUdevice found;
    cudaError_t status = (cudaError_t)rt_driver.cuDeviceGet(&found, device);
    if (!status) status = (cudaError_t)rt_driver.cuDeviceGet(&found, peer);
    return status ? status : (cudaError_t)rt_driver.cuDeviceCanAccessPeer(can, device, peer);
}

PLAIN(cudaDeviceGetP2PAttribute,
      (int *value, int attribute, int src, int dst), (value, attribute, src, dst))
{
    return (cudaError_t)rt_driver.cuDeviceGetP2PAttribute(value, attribute, src, dst);
}

ENTRY(cudaDeviceEnablePeerAccess, (int peer, unsigned flags), (peer, flags))
{
    CUcontext context;
    cudaError_t status = rt_primary(peer, &context);
    return status ? status : (cudaError_t)rt_driver.cuCtxEnablePeerAccess(context, flags);
}

ENTRY(cudaDeviceDisablePeerAccess, (int peer), (peer))
{
    CUcontext context;
    cudaError_t status = rt_primary(peer, &context);
    return status ? status : (cudaError_t)rt_driver.cuCtxDisablePeerAccess(context);
}
