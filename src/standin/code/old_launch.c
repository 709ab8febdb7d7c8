/* SPDX-License-Identifier: Apache-2.0
 *
 * The launches of old: block, shared memory and arguments are set for the function, one call
 * after another, and stay until they are set again.
 *
 * By default there is a block of one thread, no memory, and zeros: an H200 launches a kernel
 * for which nothing was set.  Arguments end where cuParamSetSize() says, and zeros follow; a
 * launch of more bytes than the kernel has is refused.  cuLaunchKernel() sets all of this, too,
 * as measured, though here only for a function for which something was set before.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/lock.h"
#include "standin/code/launch.h"
#include "standin/code/old_launch.h"

enum { ARGUMENTS = 4096 }; /* bytes, of all arguments */

struct si_launch_setup {
    struct rl_lock lock; /* protects what follows */
    unsigned block[3], shared, bytes;
    unsigned char arguments[ARGUMENTS];
};

void si_launch_setup_free(struct si_function *function)
{
    rl_free(atomic_exchange_explicit(&function->setup, NULL, memory_order_acq_rel));
}

/* Finds what was set for a function; the first call makes it. */
static CUresult find_setup(CUfunction handle, struct si_function **function,
                           struct si_launch_setup **setup)
{
    CUresult status = si_function_here(handle, function);
    if (status) return status;
    *setup = atomic_load_explicit(&(*function)->setup, memory_order_acquire);
    if (*setup) return RILL_SUCCESS;
    struct si_launch_setup *made = rl_zalloc(sizeof *made);
    if (!made) return RILL_ERROR_OUT_OF_MEMORY;
    made->block[0] = made->block[1] = made->block[2] = 1;
    if (atomic_compare_exchange_strong(&(*function)->setup, setup, made)) *setup = made;
    else rl_free(made);
    return RILL_SUCCESS;
}

/* ---- Setting ---------------------------------------------------------------------------- */

ENTRY(cuFuncSetBlockShape, (CUfunction handle, int x, int y, int z), (handle, x, y, z))
{
    const rill_device_info *device = &si_devices[0].info; /* all devices are of one kind */
    const long long most = device->max_threads_per_block;
    struct si_function *function;
    struct si_launch_setup *setup;
    CUresult status = find_setup(handle, &function, &setup);
    if (status) return status;
    if (x <= 0 || y <= 0 || z <= 0 || x > most || y > most || z > most ||
        (long long)x * y > most || (long long)x * y * z > most)
        return RILL_ERROR_INVALID_VALUE;
    rl_lock(&setup->lock);
    setup->block[0] = (unsigned)x;
    setup->block[1] = (unsigned)y;
    setup->block[2] = (unsigned)z;
    rl_unlock(&setup->lock);
    return RILL_SUCCESS;
}

ENTRY(cuFuncSetSharedSize, (CUfunction handle, unsigned bytes), (handle, bytes))
{
    struct si_function *function;
    struct si_launch_setup *setup;
    CUresult status = find_setup(handle, &function, &setup);
    if (status) return status;
    const rill_device_info *info = &si_devices[function->module->context->device].info;
    if (bytes > info->shared_bytes_per_block_opt_in) return RILL_ERROR_INVALID_VALUE;
    rl_lock(&setup->lock);
    setup->shared = bytes;
    rl_unlock(&setup->lock);
    return RILL_SUCCESS;
}

static CUresult set_argument(CUfunction handle, int offset, const void *value, unsigned bytes)
{
    struct si_function *function;
    struct si_launch_setup *setup;
    CUresult status = find_setup(handle, &function, &setup);
    if (status) return status;
    if (!value || offset < 0 || offset > ARGUMENTS || bytes > ARGUMENTS - (unsigned)offset)
        return RILL_ERROR_INVALID_VALUE;
    rl_lock(&setup->lock);
    memcpy(setup->arguments + offset, value, bytes);
    rl_unlock(&setup->lock);
    return RILL_SUCCESS;
}

ENTRY(cuParamSeti, (CUfunction handle, int offset, unsigned value), (handle, offset, value))
{
    return set_argument(handle, offset, &value, sizeof value);
}

ENTRY(cuParamSetf, (CUfunction handle, int offset, float value), (handle, offset, value))
{
    return set_argument(handle, offset, &value, sizeof value);
}

ENTRY(cuParamSetv, (CUfunction handle, int offset, void *value, unsigned bytes),
      (handle, offset, value, bytes))
{
    return set_argument(handle, offset, value, bytes);
}

ENTRY(cuParamSetSize, (CUfunction handle, unsigned bytes), (handle, bytes))
{
    struct si_function *function;
    struct si_launch_setup *setup;
    CUresult status = find_setup(handle, &function, &setup);
    if (status) return status;
    rl_lock(&setup->lock);
    setup->bytes = bytes;
    rl_unlock(&setup->lock);
    return RILL_SUCCESS;
}

static void copy_arguments(struct si_launch_setup *setup, const struct image_entry *entry,
                           const rill_kernel_op *op)
{
    setup->bytes = entry->param_bytes;
    memset(setup->arguments, 0, setup->bytes);
    if (op->buffer)
        memcpy(setup->arguments, op->buffer,
               op->buffer_bytes < setup->bytes ? op->buffer_bytes : setup->bytes);
    for (uint32_t i = 0; op->params && i < entry->param_count; i++)
        memcpy(setup->arguments + entry->params[i].offset, op->params[i], entry->params[i].bytes);
}

void si_launch_setup_set(struct si_function *function, const rill_kernel_op *op)
{
    struct si_launch_setup *setup = atomic_load_explicit(&function->setup, memory_order_acquire);
    const struct image_entry *entry = si_entry_of(function);
    if (entry->param_bytes > ARGUMENTS) return; /* no launch of old has so many */
    rl_lock(&setup->lock);
    setup->block[0] = op->block.x;
    setup->block[1] = op->block.y;
    setup->block[2] = op->block.z;
    setup->shared = (unsigned)op->shared_bytes;
    copy_arguments(setup, entry, op);
    rl_unlock(&setup->lock);
}

/* ---- Launching -------------------------------------------------------------------------- */

/* Launches with what is set now, and changes none of it. */
static CUresult launch_old(CUfunction handle, int width, int height, CUstream stream)
{
    unsigned char arguments[ARGUMENTS];
    rill_attribute room[1];
    rill_op op = { .kind = RILL_OP_KERNEL };
    struct si_function *function;
    struct si_launch_setup *setup;
    struct si_place place;
    CUresult status = find_setup(handle, &function, &setup);
    if (status) return status;
    size_t bytes = si_entry_of(function)->param_bytes;
    if (width <= 0 || height <= 0 || bytes > sizeof arguments) return RILL_ERROR_INVALID_VALUE;
    rl_lock(&setup->lock);
    unsigned said = setup->bytes;
    op.kernel.block = (rill_dim3){ setup->block[0], setup->block[1], setup->block[2] };
    op.kernel.shared_bytes = setup->shared;
    memset(arguments, 0, bytes);
    memcpy(arguments, setup->arguments, said < bytes ? said : bytes);
    rl_unlock(&setup->lock);
    if (said > bytes) return RILL_ERROR_LAUNCH_OUT_OF_RESOURCES;
    op.kernel.grid = (rill_dim3){ (unsigned)width, (unsigned)height, 1 };
    op.kernel.buffer = bytes ? arguments : NULL;
    op.kernel.buffer_bytes = bytes;
    si_place(stream, &place);
    return si_launch_submit(function, &place, &op, room);
}

ENTRY(cuLaunch, (CUfunction function), (function))
{
    return launch_old(function, 1, 1, NULL);
}

ENTRY(cuLaunchGrid, (CUfunction function, int width, int height), (function, width, height))
{
    return launch_old(function, width, height, NULL);
}

ENTRY(cuLaunchGridAsync, (CUfunction function, int width, int height, CUstream stream),
      (function, width, height, stream))
{
    return launch_old(function, width, height, stream);
}
