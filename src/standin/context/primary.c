/* SPDX-License-Identifier: Apache-2.0
 *
 * The primary context of each device: one handle for good, which has a context while a
 * program retains it.
 */
#include "standin/context/context.h"

/* ---- Retain and release --------------------------------------------------------------- */

static struct si_context *primary_of(struct si_device *device)
{
    return atomic_load_explicit(&device->primary, memory_order_acquire);
}

static int is_active(struct si_device *device)
{
    struct si_context *primary = primary_of(device);
    return primary && atomic_load_explicit(&primary->slot.object, memory_order_acquire);
}

/* Makes the context unless there is one.  Requires device->turn. */
static CUresult begin_primary(struct si_device *device, CUdevice number)
{
    if (is_active(device)) return RILL_SUCCESS;
    struct si_context *primary = primary_of(device);
    if (!primary) primary = si_handle_reserve(SI_CONTEXT, NULL);
    if (!primary) return RILL_ERROR_OUT_OF_MEMORY;
    atomic_store_explicit(&device->primary, primary, memory_order_release);
    rl_lock(&device->lock);
    si_context_begin_flags(primary, device->flags | CU_CTX_MAP_HOST);
    rl_unlock(&device->lock);
    return si_context_open(primary, number, 0);
}

/* Ends the context.  The turn is held until it has ended, so that a call that retains it
 * during the wait gets a new one.  The lock is not, since the work that the end waits for
 * may ask about the device.  Requires device->turn. */
static CUresult end_primary(struct si_device *device)
{
    CUresult status = is_active(device) ? si_context_close(primary_of(device)) : RILL_SUCCESS;
    if (status) return status;
    rl_lock(&device->lock);
    device->flags = 0; /* flags end with the context */
    rl_unlock(&device->lock);
    return RILL_SUCCESS;
}

/* A turn may wait for a host function, so a host function gets none. */
static CUresult take_turn(CUdevice number, struct si_device **device)
{
    CUresult status = si_find_device(number, device);
    if (!status) status = si_check_outside();
    if (!status) rl_lock(&(*device)->turn);
    return status;
}

ENTRY(cuDevicePrimaryCtxRetain, (CUcontext *context, CUdevice number), (context, number))
{
    struct si_device *device;
    CUresult status = take_turn(number, &device);
    if (status) return status;
    status = context ? begin_primary(device, number) : RILL_ERROR_INVALID_VALUE;
    if (!status) {
        device->uses++;
        *context = si_context_handle(primary_of(device));
    }
    rl_unlock(&device->turn);
    return status;
}

ENTRY(cuDevicePrimaryCtxRelease_v2, (CUdevice number), (number))
{
    struct si_device *device;
    CUresult status = take_turn(number, &device);
    if (status) return status;
    if (!device->uses)
        status = RILL_ERROR_INVALID_CONTEXT;
    else if (!--device->uses)
        status = end_primary(device);
    rl_unlock(&device->turn);
    return status;
}

/* Programs that retained it may still release it, but must retain it again to use it. */
ENTRY(cuDevicePrimaryCtxReset_v2, (CUdevice number), (number))
{
    struct si_device *device;
    CUresult status = take_turn(number, &device);
    if (status) return status;
    status = end_primary(device);
    rl_unlock(&device->turn);
    return status;
}

SAME_AS(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2, (CUdevice device), (device))
SAME_AS(cuDevicePrimaryCtxReset, cuDevicePrimaryCtxReset_v2, (CUdevice device), (device))

/* ---- Flags and state ------------------------------------------------------------------ */

ENTRY(cuDevicePrimaryCtxSetFlags_v2, (CUdevice number, unsigned flags), (number, flags))
{
    struct si_device *device;
    CUresult status = si_find_device(number, &device);
    if (!status) status = si_check_context_flags(flags);
    if (!status && flags & CU_CTX_MAP_HOST) status = RILL_ERROR_INVALID_VALUE;
    if (status) return status;
    rl_lock(&device->lock);
    device->flags = flags;
    if (primary_of(device)) si_context_set_flags(primary_of(device), flags);
    rl_unlock(&device->lock);
    return RILL_SUCCESS;
}

SAME_AS(cuDevicePrimaryCtxSetFlags, cuDevicePrimaryCtxSetFlags_v2,
        (CUdevice device, unsigned flags), (device, flags))

/* Of flags that the context itself was told, the device tells this alone. */
static unsigned waiting_flag(struct si_device *device)
{
    if (!is_active(device)) return 0;
    return __atomic_load_n(&primary_of(device)->flags, __ATOMIC_RELAXED) & CU_CTX_SYNC_MEMOPS;
}

ENTRY(cuDevicePrimaryCtxGetState,
      (CUdevice number, unsigned *flags, int *active), (number, flags, active))
{
    struct si_device *device;
    CUresult status = si_check_ready();
    if (!status && (!flags || !active)) return RILL_ERROR_INVALID_VALUE;
    if (!status) status = si_find_device(number, &device);
    if (status) return status;
    rl_lock(&device->lock);
    *flags = device->flags | waiting_flag(device);
    *active = is_active(device);
    rl_unlock(&device->lock);
    return RILL_SUCCESS;
}
