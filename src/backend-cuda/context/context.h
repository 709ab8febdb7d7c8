/* SPDX-License-Identifier: Apache-2.0
 *
 * Platforms and contexts as the backend keeps them, and the way into a context.
 *
 * Calls on a stream that is no default one, on an event, and launches into such a stream need
 * no current context, as measured; they go straight to the driver.  Copies, which may reach
 * memory of other devices, and all other calls run with the context current and leave the
 * thread's current context as it was (cuda_enter()).
 */
#ifndef CUDA_CONTEXT_CONTEXT_H
#define CUDA_CONTEXT_CONTEXT_H

#include <stdatomic.h>
#include <stdbool.h>

#include "backend-cuda/context/fail.h"
#include "base/lock.h"
#include "base/range.h"

struct cuda_box;
struct cuda_capture;
struct cuda_module;
struct cuda_pool;

/* ---- Platform -------------------------------------------------------------------- */

struct cuda_device {
    CUdevice raw;
};

/* Returns a device as a place of memory. */
static inline CUmemLocation cuda_location_of(CUdevice device)
{
    return (CUmemLocation){ .type = CU_MEM_LOCATION_TYPE_DEVICE, .id = device };
}

struct cuda_platform {
    rill_platform *handle;
    int device_count;
    struct cuda_device *devices;

    struct rl_lock contexts_lock;
    struct cuda_context *contexts; /* that live; contexts_lock */

    struct rl_lock pools_lock;
    struct cuda_pool *pools; /* that live; pools_lock */

    struct rl_lock vmem_lock;
    struct ranges vmem_handles; /* of memory without an address, that live; vmem_lock */

    struct rl_lock graphs_lock;
    struct cuda_graph *graphs; /* that live, of all contexts; graphs_lock */
};

/* ---- Context ---------------------------------------------------------------------- */

/* An object of the driver's that ends with its context, or before. */
struct cuda_part {
    struct cuda_part *next, **link; /* of the context's parts; its parts_lock.  link is NULL
                                       once the driver's object is gone */
    /* end gives the driver's object back, with the context current. */
    void (*end)(struct cuda_part *part); /* fixed */
    bool first; /* ends before the context is waited for, which it may keep waiting; fixed */
    atomic_uint ending; /* 1 while the context ends the part, and its owner waits; set under
                           parts_lock */
};

/* What says nothing of a lock is fixed when the context is made. */
struct cuda_context {
    rill_context *handle;
    struct cuda_platform *platform;
    struct cuda_context *next; /* of the platform's; contexts_lock */
    CUcontext raw;
    CUdevice device;
    int ordinal;
    bool primary;  /* retained, not made */
    bool borrowed; /* neither: somebody else's, rill_context_options.native */
    rill_stream *legacy, *per_thread;
    atomic_bool over; /* `raw` is no context any more, though a graph may refer to it */
    atomic_int fault; /* the status with which the context failed, once a call was told; or 0 */

    struct rl_lock parts_lock;
    struct cuda_part *parts; /* parts_lock */
    struct rl_lock modules_lock;
    struct cuda_module *modules; /* and the kernels got from them; modules_lock */
    struct rl_lock boxes_lock;
    struct cuda_box *boxes; /* of host functions that have not run yet; boxes_lock */
    struct cuda_box *spent; /* of those that never will; boxes_lock */
    struct rl_lock retired_lock;
    struct cuda_own_box *retired; /* functions of execs that wait to be given back;
                                     retired_lock */
};

static inline struct cuda_platform *cuda_platform_of(const rill_platform *platform)
{
    return rill_private(platform);
}

static inline struct cuda_context *cuda_context_of(const rill_context *context)
{
    return rill_private(context);
}

/* Returns the context of an object that has one. */
static inline struct cuda_context *cuda_home(const void *object)
{
    return cuda_context_of(rill_object_of(object)->context);
}

/* Refuses the number of a device that the platform does not have. */
rill_status cuda_check_device(struct cuda_platform *platform, int device, const char *argument);

/* Puts a context that was made on the platform's list, and takes it off again. */
void cuda_list_context(struct cuda_context *context);
void cuda_unlist_context(struct cuda_context *context);

/* Returns the context with this handle of the driver's, or NULL if it is none of rill's. */
rill_context *cuda_find_context(struct cuda_platform *platform, CUcontext raw);

/* Notes that a call was told that the context failed: gives back the host functions that
 * will never run. */
void cuda_context_failed(struct cuda_context *context, rill_status status);

/* Ends a call that waits or asks, since such a call is told of a failure. */
static inline rill_status cuda_learn(struct cuda_context *context, rill_status status)
{
    if (__builtin_expect(status != RILL_SUCCESS, 0) && rill_error_is_sticky(status))
        cuda_context_failed(context, status);
    return status;
}

/* Returns RILL_SUCCESS, or what a call that gives an object back answers once the context has
 * failed. */
rill_status cuda_context_fault(struct cuda_context *context);

/* Adds a part to the context, and ends one by its `end`, unless the context was quicker.  The
 * part is the caller's alone when cuda_end_part() returns. */
void cuda_add_part(struct cuda_context *context, struct cuda_part *part,
                   void (*end)(struct cuda_part *part));
void cuda_end_part(struct cuda_context *context, struct cuda_part *part);

/* Ends the parts of a context that ends: all, or only those that end first. */
void cuda_end_parts(struct cuda_context *context, bool all);

/* ---- Captures of others ---------------------------------------------------------- */

/* Between these two calls no capture objects to what this thread does, and none breaks. */
static inline CUstreamCaptureMode cuda_relax(void)
{
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    cuda_api.ThreadExchangeStreamCaptureMode(&mode);
    return mode;
}

static inline void cuda_restore_mode(CUstreamCaptureMode mode)
{
    cuda_api.ThreadExchangeStreamCaptureMode(&mode);
}

/* ---- The current context ----------------------------------------------------------- */

/* What cuda_leave() has to undo. */
struct cuda_visit {
    bool pushed;
};

/* Makes the context current, and the one before it again. */
rill_status cuda_push(CUcontext raw);
void cuda_pop(void);

/* Makes the context current, unless it is.  After RILL_SUCCESS the caller calls
 * cuda_leave(). */
static inline rill_status cuda_enter(const struct cuda_context *context, struct cuda_visit *visit)
{
    CUcontext current = NULL;
    visit->pushed = false;
    if (cuda_api.CtxGetCurrent(&current) == CUDA_SUCCESS && current == context->raw)
        return RILL_SUCCESS;
    rill_status status = cuda_push(context->raw);
    visit->pushed = !status;
    return status;
}

static inline void cuda_leave(const struct cuda_visit *visit)
{
    if (visit->pushed) cuda_pop();
}

#endif
