/* SPDX-License-Identifier: Apache-2.0
 *
 * Which context is current: each thread has a stack of them.  The top is a variable of
 * the thread; what is below is memory that the thread gives back when it ends.
 */
#include <pthread.h>

#include "base/alloc.h"
#include "standin/context/current.h"

_Thread_local struct si_frame si_now RL_THREAD_WORD;

/* What is below the top.  Without the top there is nothing below. */
struct below {
    size_t count, room;
    struct si_frame frames[];
};

static _Thread_local struct below *mine;
static pthread_key_t end_key;

static void thread_ends(void *below)
{
    rl_free(below);
    mine = NULL;
    si_now = (struct si_frame){ NULL, 0 };
}

CUresult si_stacks_begin(void)
{
    return pthread_key_create(&end_key, thread_ends) ? RILL_ERROR_OPERATING_SYSTEM : RILL_SUCCESS;
}

/* Threads that are left lose what they had below. */
void si_stacks_end(void)
{
    thread_ends(mine);
    pthread_key_delete(end_key);
}

/* ---- The stack ----------------------------------------------------------------------- */

static struct si_frame frame_of(struct si_context *context)
{
    return (struct si_frame){ context, context->slot.life };
}

static CUresult make_room(void)
{
    if (mine && mine->count < mine->room) return RILL_SUCCESS;
    size_t room = mine ? 2 * mine->room : 8;
    struct below *made = rl_alloc(sizeof *made + room * sizeof made->frames[0]);
    if (!made) return RILL_ERROR_OUT_OF_MEMORY;
    if (pthread_setspecific(end_key, made)) {
        rl_free(made);
        return RILL_ERROR_OUT_OF_MEMORY;
    }
    made->room = room;
    made->count = mine ? mine->count : 0;
    for (size_t i = 0; i < made->count; i++) made->frames[i] = mine->frames[i];
    rl_free(mine);
    mine = made;
    return RILL_SUCCESS;
}

CUresult si_push(struct si_context *context)
{
    if (si_now.context) {
        CUresult status = make_room();
        if (status) return status;
        mine->frames[mine->count++] = si_now;
    }
    si_now = frame_of(context);
    return RILL_SUCCESS;
}

struct si_context *si_pop(void)
{
    struct si_context *context = si_now.context;
    if (mine && mine->count)
        si_now = mine->frames[--mine->count];
    else
        si_now = (struct si_frame){ NULL, 0 };
    return context;
}

/* Inside a host function nothing is current, but that is not what is wrong there. */
CUresult si_nowhere(void)
{
    CUresult status = si_check_ready();
    if (!status) status = si_check_outside();
    if (status) return status;
    return si_now.context ? RILL_ERROR_CONTEXT_IS_DESTROYED : RILL_ERROR_INVALID_CONTEXT;
}

static void note(void *slot, void *object, void *found)
{
    (void)object;
    *(void **)found = slot;
}

/* One that goes meanwhile is not there. */
static rill_context *find_any(void)
{
    rill_context *context;
    void *found;
    do {
        found = NULL;
        si_handle_each(SI_CONTEXT, note, &found);
        context = found ? si_object(SI_CONTEXT, found) : NULL;
    } while (found && !context);
    return context;
}

CUresult si_anywhere(rill_context **context)
{
    CUresult status = si_check_ready();
    if (!status && si_here(context)) *context = find_any();
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

/* What can become current: a context that lives, or the primary one of a device, which
 * may be used again once somebody retains it. */
static CUresult may_be_current(CUcontext handle)
{
    if (si_object(SI_CONTEXT, handle)) return RILL_SUCCESS;
    if (si_is_slot(SI_CONTEXT, handle) && si_context_is_primary((const void *)handle))
        return RILL_SUCCESS;
    return si_wrong(SI_CONTEXT, handle);
}

/* What is current changes only outside host functions. */
static CUresult may_change(void)
{
    CUresult status = si_check_ready();
    return status ? status : si_check_outside();
}

ENTRY(cuCtxSetCurrent, (CUcontext context), (context))
{
    CUresult status = may_change();
    if (status) return status;
    if (!context) {
        si_pop();
        return RILL_SUCCESS;
    }
    status = may_be_current(context);
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
    CUresult status = may_change();
    if (status) return status;
    if (!context) return RILL_ERROR_INVALID_VALUE;
    status = may_be_current(context);
    return status ? status : si_push((struct si_context *)context);
}

ENTRY(cuCtxPopCurrent_v2, (CUcontext *context), (context))
{
    CUresult status = may_change();
    if (status) return status;
    if (!si_now.context) return RILL_ERROR_INVALID_CONTEXT;
    struct si_context *popped = si_pop();
    if (context) *context = si_context_handle(popped);
    return RILL_SUCCESS;
}

SAME_AS(cuCtxPushCurrent, cuCtxPushCurrent_v2, (CUcontext context), (context))
SAME_AS(cuCtxPopCurrent, cuCtxPopCurrent_v2, (CUcontext *context), (context))
