/* SPDX-License-Identifier: Apache-2.0
 *
 * A cooperative launch on several devices, which CUDA 11 and 12 have: one for each stream.  Unless
 * it is told otherwise, each kernel begins when all is done that came before in any of the
 * streams, and what comes behind in any of them begins when all kernels are done.  Kernels that
 * wait for those of other devices are not there.
 */
#include "runtime/launch/config.h"
#include "runtime/thread/entry.h"

struct cudaLaunchParams {
    void *func;
    dim3 gridDim, blockDim;
    void **args;
    size_t sharedMem;
    cudaStream_t stream;
};

enum { WAITS_NOT_BEFORE = 1, WAITS_NOT_BEHIND = 2 };

/* Makes the context of a stream current, which cuCtxPopCurrent() is to end. */
static cudaError_t enter_context_of(cudaStream_t stream)
{
    CUcontext context;
    CUresult status = rt_driver.cuStreamGetCtx(stream, &context);
    return (cudaError_t)(status ? status : rt_driver.cuCtxPushCurrent_v2(context));
}

static void leave_context(void)
{
    CUcontext left;
    rt_driver.cuCtxPopCurrent_v2(&left);
}

/* Lets the other streams wait for what is in one of them now. */
static cudaError_t let_others_wait(const struct cudaLaunchParams *all, unsigned count, unsigned one)
{
    enum { WITHOUT_TIME = 2 };
    CUevent event;
    cudaError_t status = enter_context_of(all[one].stream);
    if (status) return status;
    status = (cudaError_t)rt_driver.cuEventCreate(&event, WITHOUT_TIME);
    if (!status) {
        status = (cudaError_t)rt_driver.cuEventRecord(event, all[one].stream);
        for (unsigned i = 0; !status && i < count; i++)
            if (i != one)
                status = (cudaError_t)rt_driver.cuStreamWaitEvent(all[i].stream, event, 0);
        rt_driver.cuEventDestroy_v2(event);
    }
    leave_context();
    return status;
}

static cudaError_t join_streams(const struct cudaLaunchParams *all, unsigned count)
{
    cudaError_t status = cudaSuccess;
    for (unsigned i = 0; !status && count > 1 && i < count; i++)
        status = let_others_wait(all, count, i);
    return status;
}

static cudaError_t launch_one(const struct cudaLaunchParams *one)
{
    cudaError_t status = enter_context_of(one->stream);
    if (status) return status;
    status = rt_launch_cooperative(one->func, one->gridDim, one->blockDim, one->args,
                                   one->sharedMem, one->stream);
    leave_context();
    return status;
}

/* Each is to be on a device of its own. */
static cudaError_t check_devices(const struct cudaLaunchParams *all, unsigned count)
{
    unsigned char used[RT_DEVICES] = { 0 };
    for (unsigned i = 0; i < count; i++) {
        CUdevice device = 0;
        if (!all[i].stream) return RILL_ERROR_INVALID_HANDLE;
        cudaError_t status = enter_context_of(all[i].stream);
        if (status) return status;
        status = (cudaError_t)rt_driver.cuCtxGetDevice(&device);
        leave_context();
        if (status) return status;
        if (device < 0 || device >= RT_DEVICES || used[device]++) return RILL_ERROR_INVALID_DEVICE;
    }
    return cudaSuccess;
}

ENTRY(cudaLaunchCooperativeKernelMultiDevice,
      (const struct cudaLaunchParams *all, unsigned count, unsigned flags), (all, count, flags))
{
    if (!all || !count || flags & ~(unsigned)(WAITS_NOT_BEFORE | WAITS_NOT_BEHIND))
        return RILL_ERROR_INVALID_VALUE;
    cudaError_t status = check_devices(all, count);
    if (!status && !(flags & WAITS_NOT_BEFORE)) status = join_streams(all, count);
    for (unsigned i = 0; !status && i < count; i++) status = launch_one(&all[i]);
    if (!status && !(flags & WAITS_NOT_BEHIND)) status = join_streams(all, count);
    return status;
}
