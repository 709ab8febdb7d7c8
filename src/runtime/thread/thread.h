/* SPDX-License-Identifier: Apache-2.0
 *
 * The calling thread: the device it chose, whether the context of that device is current, and
 * the last error of its calls.
 *
 * Every device has its primary context, which the first call of any thread makes that needs
 * one.  A context that the program made current through the driver is used as it is.
 */
#ifndef RT_THREAD_H
#define RT_THREAD_H

#include <stdatomic.h>

#include "runtime/driver/driver.h"

enum { RT_DEVICES = 64 };

struct rt_thread {
    unsigned epoch;   /* the one in which the thread's context was last known to be current */
    int device;       /* what cudaSetDevice() chose                                         */
    cudaError_t last; /* what cudaGetLastError() returns                                    */
};

/* Not RL_THREAD_WORD: a library that is loaded late has no room for that beside the driver. */
extern _Thread_local struct rt_thread rt_thread;

/* Moves on with each cudaDeviceReset(), after which every thread looks anew. */
extern atomic_uint rt_epoch;

/* ---- Contexts ---------------------------------------------------------------------------- */

/* Makes the primary context of the thread's device current unless there is a current one. */
cudaError_t rt_bind(void);

/* The same after a call that found no context, because the program took it away through the
 * driver.  Returns true if the call may be tried again. */
int rt_bind_again(void);

static inline cudaError_t rt_ready(void)
{
    unsigned now = atomic_load_explicit(&rt_epoch, memory_order_relaxed);
    return __builtin_expect(rt_thread.epoch == now, 1) ? cudaSuccess : rt_bind();
}

/* Chooses a device and makes its primary context current. */
cudaError_t rt_choose_device(int device);

/* Gives the primary context of a device, which it makes if there is none. */
cudaError_t rt_primary(int device, CUcontext *context);

/* Destroys all that the primary context of a device has. */
cudaError_t rt_reset_device(int device);

/* Gives the device of the current context, or else the one that the thread chose. */
int rt_device(void);

/* ---- Captures ---------------------------------------------------------------------------- */

/* Returns what the runtime says of a stream before it looks at what is to be done there: that its
 * capture is invalid, or that it is the legacy one while another is captured. */
cudaError_t rt_capture_refuses(CUstream stream) __attribute__((cold));

/* Returns what captures say of calls that they forbid, whatever those are given: such a call makes
 * them invalid. */
static inline cudaError_t rt_capture_forbids(void)
{
    return (cudaError_t)rt_driver.cuMemFree_v2(0);
}

/* ---- Errors ------------------------------------------------------------------------------ */

/* Notes, and logs, that a call of the program failed.  Returns the status. */
cudaError_t rt_failed(const char *call, cudaError_t status) __attribute__((cold, noinline));

#endif
