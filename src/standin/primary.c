/* SPDX-License-Identifier: Apache-2.0
 *
 * The primary context of each device: one handle for good, which has a context behind
 * it while somebody retains it.
 */
#include "standin/context.h"

int si_context_is_primary(const struct si_context *context)
{
    for (int i = 0; i < si_device_count; i++)
        if (si_devices[i].primary == context) return 1;
    return 0;
}

static CUresult find(CUdevice number, struct si_device **device)
{
    CUresult status = si_check_ready();
    if (status) return status;
    *device = si_device(number);
    return *device ? RILL_SUCCESS : RILL_ERROR_INVALID_DEVICE;
}

/* ---- Retain and release --------------------------------------------------------------- */

static int is_active(const struct si_device *device)
{
    return device->primary &&
           atomic_load_explicit(&device->primary->slot.object, memory_order_acquire);
}

/* Whoever retains it while there is none makes it.  Under the device's lock. */
static CUresult begin(struct si_device *device, CUdevice number)
{
    if (is_active(device)) return RILL_SUCCESS;
    if (!device->primary) device->primary = si_handle_reserve(SI_CONTEXT, NULL);
    if (!device->primary) return RILL_ERROR_OUT_OF_MEMORY;
    __atomic_store_n(&device->primary->flags, 0, __ATOMIC_RELAXED);
    si_context_set_flags(device->primary, device->flags);
    return si_context_open(device->primary, number, 0);
}

ENTRY(cuDevicePrimaryCtxRetain, CUcontext *context, CUdevice number)
{
    struct si_device *device;
    CUresult status = find(number, &device);
    if (!status) status = si_check_outside();
    if (status) return status;
    if (!context) return RILL_ERROR_INVALID_VALUE;
    rl_lock(&device->lock);
    status = begin(device, number);
    if (!status) {
        device->uses++;
        *context = si_context_handle(device->primary);
    }
    rl_unlock(&device->lock);
    return status;
}

/* Its end is not waited for under the lock: the work that it waits for may ask about the
 * device.  That this work failed is no failure of the call. */
static CUresult end(struct si_device *device)
{
    CUresult status = is_active(device) ? si_context_close(device->primary) : RILL_SUCCESS;
    return is_active(device) ? status : RILL_SUCCESS;
}

ENTRY(cuDevicePrimaryCtxRelease_v2, CUdevice number)
{
    struct si_device *device;
    CUresult status = find(number, &device);
    if (!status) status = si_check_outside();
    if (status) return status;
    rl_lock(&device->lock);
    unsigned uses = device->uses;
    if (uses) device->uses--;
    rl_unlock(&device->lock);
    if (!uses) return RILL_ERROR_INVALID_CONTEXT;
    return uses == 1 ? end(device) : RILL_SUCCESS;
}

/* Those who retained it may still release it, but have to retain it again to use it. */
ENTRY(cuDevicePrimaryCtxReset_v2, CUdevice number)
{
    struct si_device *device;
    CUresult status = find(number, &device);
    return status ? status : end(device);
}

SAME_AS(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2, (CUdevice device), (device))
SAME_AS(cuDevicePrimaryCtxReset, cuDevicePrimaryCtxReset_v2, (CUdevice device), (device))

/* ---- Flags and state ------------------------------------------------------------------ */

ENTRY(cuDevicePrimaryCtxSetFlags_v2, CUdevice number, unsigned flags)
{
    struct si_device *device;
    CUresult status = find(number, &device);
    if (!status) status = si_check_context_flags(flags);
    if (status) return status;
    rl_lock(&device->lock);
    device->flags = flags;
    if (device->primary) si_context_set_flags(device->primary, flags);
    rl_unlock(&device->lock);
    return RILL_SUCCESS;
}

SAME_AS(cuDevicePrimaryCtxSetFlags, cuDevicePrimaryCtxSetFlags_v2,
        (CUdevice device, unsigned flags), (device, flags))

ENTRY(cuDevicePrimaryCtxGetState, CUdevice number, unsigned *flags, int *active)
{
    struct si_device *device;
    CUresult status = find(number, &device);
    if (status) return status;
    if (!flags && !active) return RILL_ERROR_INVALID_VALUE;
    rl_lock(&device->lock);
    if (flags) *flags = device->flags;
    if (active) *active = is_active(device);
    rl_unlock(&device->lock);
    return RILL_SUCCESS;
}
