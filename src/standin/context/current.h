/* SPDX-License-Identifier: Apache-2.0
 *
 * The current context of each thread, and streams and events as arguments: stream 0 is one
 * of the current context's.
 *
 * A context is current in a thread as a slot and the slot's life.  When another thread
 * destroys it, it stays current, and every call that needs it answers
 * CONTEXT_IS_DESTROYED.
 */
#ifndef SI_CURRENT_H
#define SI_CURRENT_H

#include "base/thread.h"
#include "standin/context/context.h"

/* ---- The current context ------------------------------------------------------------ */

struct si_frame {
    struct si_context *context; /* NULL if none is current */
    uint32_t life;
};

extern _Thread_local struct si_frame si_now RL_THREAD_WORD;

/* Tells whether the context of a frame still lives. */
static inline int si_frame_lives(struct si_frame frame)
{
    return frame.context &&
           atomic_load_explicit(&frame.context->slot.life, memory_order_relaxed) == frame.life &&
           atomic_load_explicit(&frame.context->slot.object, memory_order_acquire);
}

/* Returns what a call answers that needs a current context when there is none to use:
 * never success. */
CUresult si_nowhere(void);

/* Finds the current context as the program knows it; it stays until the call returns. */
static inline CUresult si_current(struct si_context **context)
{
    *context = si_now.context;
    int lives = *context && si_hold(*context) && si_frame_lives(si_now);
    return __builtin_expect(lives, 1) ? RILL_SUCCESS : si_nowhere();
}

/* Finds the current context as rill knows it. */
static inline CUresult si_here(rill_context **context)
{
    struct si_context *current;
    CUresult status = si_current(&current);
    *context = status ? NULL : atomic_load_explicit(&current->slot.object, memory_order_acquire);
    return __builtin_expect(status || *context, 1) ? status : si_nowhere();
}

/* Finds a context for calls on an address, which says by itself where it belongs: the
 * current one if it can be used, else another one; NULL if there is none at all. */
CUresult si_anywhere(rill_context **context);

/* Tells whether a context is current that has ended. */
static inline bool si_now_is_gone(void)
{
    return si_now.context && !si_frame_lives(si_now);
}

/* Does what si_anywhere() does for a call that frees.  If a context is current that has ended, an
 * H100 refuses whatever is to be freed, also NULL. */
static inline CUresult si_anywhere_to_free(rill_context **context)
{
    CUresult status = si_anywhere(context);
    return !status && si_now_is_gone() ? RILL_ERROR_CONTEXT_IS_DESTROYED : status;
}

/* ---- Streams and events ------------------------------------------------------------- */

/* Finds a default stream of the current context; `handle` is 0, legacy or per thread. */
static inline CUresult si_default_stream(CUstream handle, rill_stream **stream)
{
    struct si_context *context;
    CUresult status = si_current(&context);
    *stream = status ? NULL
              : handle == CU_STREAM_PER_THREAD ? context->per_thread : context->legacy;
    return status;
}

/* Finds a stream that was given as an argument, in whatever form. */
static inline CUresult si_stream(CUstream handle, rill_stream **stream)
{
    if ((uintptr_t)handle <= (uintptr_t)CU_STREAM_PER_THREAD)
        return si_default_stream(handle, stream);
    *stream = si_object(SI_STREAM, handle);
    return __builtin_expect(*stream != NULL, 1) ? RILL_SUCCESS : si_wrong(SI_STREAM, handle);
}

/* Finds the context of a stream that si_stream() accepts. */
CUresult si_stream_context(CUstream handle, struct si_context **context);

/* A stream that was given as an argument, and its context; `status` says what is wrong if there
 * is none. */
struct si_place {
    rill_stream *stream;
    struct si_context *context;
    CUresult status;
};

/* Finds both at once. */
static inline void si_place(CUstream handle, struct si_place *place)
{
    if ((uintptr_t)handle <= (uintptr_t)CU_STREAM_PER_THREAD) {
        place->status = si_current(&place->context);
        place->stream = place->status ? NULL
                        : handle == CU_STREAM_PER_THREAD ? place->context->per_thread
                                                         : place->context->legacy;
        return;
    }
    place->stream = si_object(SI_STREAM, handle);
    const bool there = __builtin_expect(place->stream != NULL, 1);
    place->status = there ? RILL_SUCCESS : si_wrong(SI_STREAM, handle);
    place->context = there ? ((struct si_slot *)handle)->context : NULL;
}

static inline CUresult si_event(CUevent handle, rill_event **event)
{
    *event = si_object(SI_EVENT, handle);
    return __builtin_expect(*event != NULL, 1) ? RILL_SUCCESS : si_wrong(SI_EVENT, handle);
}

/* ---- The calling thread's stack of contexts ----------------------------------------- */

CUresult si_push(struct si_context *context);
struct si_context *si_pop(void);

/* Called when the library is used first, and before it is unloaded. */
CUresult si_stacks_begin(void);
void si_stacks_end(void);

#endif
