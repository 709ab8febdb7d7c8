/* SPDX-License-Identifier: Apache-2.0 */
#include "base/lock.h"
#include "runtime/thread/thread.h"

_Thread_local struct rt_thread rt_thread;
atomic_uint rt_epoch = 1;

/* The primary contexts, whose handles stay the same for good.  The lock protects both. */
static struct rl_lock primaries_lock;
static struct {
    CUcontext context; /* NULL until it is first retained */
    int retained;
} primaries[RT_DEVICES];

/* Tells whether a kernel failed so that the process cannot go on with the device. */
static int is_of_kernel(CUresult status)
{
    return status == RILL_ERROR_ILLEGAL_ADDRESS || status == RILL_ERROR_LAUNCH_TIMEOUT ||
           status == RILL_ERROR_ASSERT ||
           (status >= RILL_ERROR_HARDWARE_STACK_ERROR && status <= RILL_ERROR_LAUNCH_FAILED);
}

/* Requires primaries_lock. */
static cudaError_t retain_primary(int device)
{
    if (primaries[device].retained) return cudaSuccess;
    CUcontext context;
    CUresult status = rt_driver.cuDevicePrimaryCtxRetain(&context, device);
    if (is_of_kernel(status)) return cudaErrorDevicesUnavailable;
    if (status) return (cudaError_t)status;
    primaries[device].context = context;
    primaries[device].retained = 1;
    return cudaSuccess;
}

cudaError_t rt_primary(int device, CUcontext *context)
{
    cudaError_t status = rt_driver_load();
    if (status) return status;
    if (device < 0 || device >= RT_DEVICES) return RILL_ERROR_INVALID_DEVICE;
    rl_lock(&primaries_lock);
    status = retain_primary(device);
    *context = primaries[device].context;
    rl_unlock(&primaries_lock);
    return status;
}

/* Returns the device whose primary context this is and that was reset since, or -1. */
static int find_reset_primary(CUcontext context)
{
    int found = -1;
    rl_lock(&primaries_lock);
    for (int i = 0; i < RT_DEVICES && found < 0; i++)
        if (primaries[i].context == context && !primaries[i].retained) found = i;
    rl_unlock(&primaries_lock);
    return found;
}

/* The epoch is read before the context: a reset in between is noticed by the next call. */
static cudaError_t make_current(int device, unsigned epoch)
{
    CUcontext context;
    cudaError_t status = rt_primary(device, &context);
    if (!status) status = (cudaError_t)rt_driver.cuCtxSetCurrent(context);
    if (!status) rt_thread.epoch = epoch;
    return status;
}

cudaError_t rt_bind(void)
{
    unsigned epoch = atomic_load(&rt_epoch);
    CUcontext current = NULL;
    cudaError_t status = rt_driver_load();
    if (!status) status = (cudaError_t)rt_driver.cuCtxGetCurrent(&current);
    if (status) return status;
    if (!current) return make_current(rt_thread.device, epoch);
    int device = find_reset_primary(current);
    /* What the program made current it may take away again: the next call looks anew. */
    return device < 0 ? cudaSuccess : make_current(device, epoch);
}

int rt_bind_again(void)
{
    CUcontext current;
    if (!rt_thread.epoch || rt_driver.cuCtxGetCurrent(&current) || current) return 0;
    rt_thread.epoch = 0;
    return !rt_bind();
}

cudaError_t rt_choose_device(int device)
{
    cudaError_t status = rt_driver_load();
    CUdevice known;
    if (!status) status = (cudaError_t)rt_driver.cuDeviceGet(&known, device);
    if (!status) status = make_current(device, atomic_load(&rt_epoch));
    if (!status) rt_thread.device = device;
    return status;
}

cudaError_t rt_reset_device(int device)
{
    rl_lock(&primaries_lock);
    cudaError_t status = (cudaError_t)rt_driver.cuDevicePrimaryCtxReset_v2(device);
    if (!status) primaries[device].retained = 0;
    rl_unlock(&primaries_lock);
    if (!status) atomic_fetch_add(&rt_epoch, 1);
    return status;
}

int rt_device(void)
{
    CUdevice device;
    return rt_driver.cuCtxGetDevice(&device) ? rt_thread.device : device;
}

/* ---- Captures ---------------------------------------------------------------------------- */

cudaError_t rt_capture_refuses(CUstream stream)
{
    int state = RILL_CAPTURE_NONE;
    CUresult status = rt_driver.cuStreamIsCapturing(stream, &state);
    if (status) return (cudaError_t)status;
    return state == RILL_CAPTURE_INVALIDATED ? (cudaError_t)RILL_ERROR_STREAM_CAPTURE_INVALIDATED
                                             : cudaSuccess;
}
