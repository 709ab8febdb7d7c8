/* SPDX-License-Identifier: Apache-2.0
 *
 * Each thread has a stack of contexts.  The top is a variable of the thread; what is below
 * it is memory that is freed when the thread ends.
 */
#include <pthread.h>

#include "base/alloc.h"
#include "standin/context/current.h"

_Thread_local struct si_frame si_now RL_THREAD_WORD;

/* The frames below the top.  If there is no top, there are none. */
struct lower_frames {
    size_t count, room;
    struct si_frame frames[];
};

static _Thread_local struct lower_frames *lower;
static pthread_key_t end_key;

static void end_stack(void *frames)
{
    rl_free(frames);
    lower = NULL;
    si_now = (struct si_frame){ NULL, 0 };
}

CUresult si_stacks_begin(void)
{
    return pthread_key_create(&end_key, end_stack) ? RILL_ERROR_OPERATING_SYSTEM : RILL_SUCCESS;
}

/* Threads that still run lose their lower frames. */
void si_stacks_end(void)
{
    end_stack(lower);
    pthread_key_delete(end_key);
}

/* ---- The stack ----------------------------------------------------------------------- */

/* One that has ended gets a life that no context will have, lest it be mistaken for the one that
 * gets its place.  A primary one begins again in the same life. */
static struct si_frame frame_of(struct si_context *context)
{
    const int lives = atomic_load_explicit(&context->slot.object, memory_order_relaxed) != NULL;
    const uint32_t life = atomic_load_explicit(&context->slot.life, memory_order_relaxed);
    return (struct si_frame){ context, life - !(lives || si_context_is_primary(context)) };
}

static CUresult grow_stack(void)
{
    if (lower && lower->count < lower->room) return RILL_SUCCESS;
    size_t room = lower ? 2 * lower->room : 8;
    struct lower_frames *made = rl_alloc(sizeof *made + room * sizeof made->frames[0]);
    if (!made) return RILL_ERROR_OUT_OF_MEMORY;
    if (pthread_setspecific(end_key, made)) {
        rl_free(made);
        return RILL_ERROR_OUT_OF_MEMORY;
    }
    made->room = room;
    made->count = lower ? lower->count : 0;
    for (size_t i = 0; i < made->count; i++) made->frames[i] = lower->frames[i];
    rl_free(lower);
    lower = made;
    return RILL_SUCCESS;
}

CUresult si_push(struct si_context *context)
{
    if (si_now.context) {
        CUresult status = grow_stack();
        if (status) return status;
        lower->frames[lower->count++] = si_now;
    }
    si_now = frame_of(context);
    return RILL_SUCCESS;
}

struct si_context *si_pop(void)
{
    struct si_context *context = si_now.context;
    if (lower && lower->count)
        si_now = lower->frames[--lower->count];
    else
        si_now = (struct si_frame){ NULL, 0 };
    return context;
}

/* Inside a host function nothing is current, but the call is refused for being there. */
CUresult si_nowhere(void)
{
    CUresult status = si_check_ready();
    if (!status) status = si_check_outside();
    if (status) return status;
    return si_now.context ? RILL_ERROR_CONTEXT_IS_DESTROYED : RILL_ERROR_INVALID_CONTEXT;
}

static void note_slot(void *slot, void *object, void *found)
{
    (void)object;
    *(void **)found = slot;
}

/* Returns NULL if there is none.  A context that ends during the search does not count. */
static rill_context *find_any_context(void)
{
    rill_context *context;
    void *found;
    do {
        found = NULL;
        si_handle_each(SI_CONTEXT, note_slot, &found);
        context = found ? si_object(SI_CONTEXT, found) : NULL;
    } while (found && !context);
    return context;
}

CUresult si_anywhere(rill_context **context)
{
    CUresult status = si_check_ready();
    if (!status && si_here(context)) *context = find_any_context();
    return status;
}

/* ---- Streams ----------------------------------------------------------------------------- */

CUresult si_stream_context(CUstream handle, struct si_context **context)
{
    if ((uintptr_t)handle <= (uintptr_t)CU_STREAM_PER_THREAD) return si_current(context);
    if (!si_object(SI_STREAM, handle)) return si_wrong(SI_STREAM, handle);
    *context = ((struct si_slot *)handle)->context;
    return RILL_SUCCESS;
}

/* ---- Entry points ----------------------------------------------------------------------- */

/* What was a context once can become current, as on an H200. */
static CUresult check_settable(CUcontext handle)
{
    return si_is_slot(SI_CONTEXT, handle) ? RILL_SUCCESS : si_wrong(SI_CONTEXT, handle);
}

/* The current context cannot be changed inside a host function. */
static CUresult check_change(void)
{
    CUresult status = si_check_ready();
    return status ? status : si_check_outside();
}

ENTRY(cuCtxSetCurrent, (CUcontext context), (context))
{
    CUresult status = check_change();
    if (status) return status;
    if (!context) {
        si_pop();
        return RILL_SUCCESS;
    }
    status = check_settable(context);
    if (!status) si_now = frame_of((struct si_context *)context);
    return status;
}

ENTRY(cuCtxGetCurrent, (CUcontext *context), (context))
{
    CUresult status = si_check_ready();
    if (!status) status = si_check_outside();
    if (status) return status;
    if (!context) return RILL_ERROR_INVALID_VALUE;
    *context = si_context_handle(si_now.context);
    return RILL_SUCCESS;
}

ENTRY(cuCtxPushCurrent_v2, (CUcontext context), (context))
{
    CUresult status = check_change();
    if (status) return status;
    if (!context) return RILL_ERROR_INVALID_VALUE;
    status = check_settable(context);
    return status ? status : si_push((struct si_context *)context);
}

ENTRY(cuCtxPopCurrent_v2, (CUcontext *context), (context))
{
    CUresult status = check_change();
    if (status) return status;
    if (!si_now.context) return RILL_ERROR_INVALID_CONTEXT;
    struct si_context *popped = si_pop();
    if (context) *context = si_context_handle(popped);
    return RILL_SUCCESS;
}

SAME_AS(cuCtxPushCurrent, cuCtxPushCurrent_v2, (CUcontext context), (context))
SAME_AS(cuCtxPopCurrent, cuCtxPopCurrent_v2, (CUcontext *context), (context))
