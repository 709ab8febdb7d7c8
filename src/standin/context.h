/* SPDX-License-Identifier: Apache-2.0
 *
 * Contexts, the current one of each thread, and streams as arguments.
 *
 * A context is current in a thread as a slot and the life of it: when it is destroyed,
 * by whatever thread, it stays current and every call that needs it answers
 * CONTEXT_IS_DESTROYED.  The slot of a primary context is its device's for good; it has
 * an object while somebody retains it.
 */
#ifndef SI_CONTEXT_H
#define SI_CONTEXT_H

#include "base/thread.h"
#include "standin/handle.h"
#include "standin/machine.h"
#include "standin/standin.h"

/* What programs hold as CUcontext.  All but the head is set before the object. */
struct si_context {
    struct si_slot slot; /* object: rill_context */
    rill_stream *legacy, *per_thread;
    uint64_t id;
    int device;
    unsigned flags;      /* as it was made; relaxed, cuCtxSetFlags() changes them */
    struct si_settings *settings; /* what few have (settings.h); atomic, NULL at first */
};

_Static_assert(sizeof(struct si_context) <= SI_SLOT_BYTES, "a context fits its slot");

/* Among the flags, our own: CU_CTX_SYNC_MEMOPS was set once, and memory that is allocated
 * is one that calls wait for. */
#define SI_CONTEXT_WAITS 0x80000000u

/* What was set once stays while the context does. */
static inline void si_context_set_flags(struct si_context *context, unsigned flags)
{
    unsigned kept = __atomic_load_n(&context->flags, __ATOMIC_RELAXED) & SI_CONTEXT_WAITS;
    if (flags & CU_CTX_SYNC_MEMOPS) kept = SI_CONTEXT_WAITS;
    __atomic_store_n(&context->flags, flags | kept, __ATOMIC_RELAXED);
}

/* A thread's current context. */
struct si_frame {
    struct si_context *context; /* NULL: none */
    uint32_t life;
};

extern _Thread_local struct si_frame si_now RL_THREAD_WORD;

/* Whether the context of a frame is there still. */
static inline int si_frame_lives(struct si_frame frame)
{
    return frame.context &&
           atomic_load_explicit(&frame.context->slot.life, memory_order_relaxed) == frame.life &&
           atomic_load_explicit(&frame.context->slot.object, memory_order_acquire);
}

/* What a call that needs a current context answers when there is none to use: never
 * success. */
CUresult si_nowhere(void);

/* The current context, as the program knows it; it stays until the call returns. */
static inline CUresult si_current(struct si_context **context)
{
    *context = si_now.context;
    int lives = *context && si_hold(*context) && si_frame_lives(si_now);
    return __builtin_expect(lives, 1) ? RILL_SUCCESS : si_nowhere();
}

/* The current context, as rill knows it. */
static inline CUresult si_here(rill_context **context)
{
    struct si_context *current;
    CUresult status = si_current(&current);
    *context = status ? NULL : atomic_load_explicit(&current->slot.object, memory_order_acquire);
    return __builtin_expect(status || *context, 1) ? status : si_nowhere();
}

/* A context for calls on an address, which says by itself where it belongs: the current
 * one if it can be used, else some other; NULL if there is none at all. */
CUresult si_anywhere(rill_context **context);

/* A context that was given as an argument; NULL is an error here. */
static inline CUresult si_context(CUcontext handle, rill_context **context)
{
    *context = si_object(SI_CONTEXT, handle);
    return *context ? RILL_SUCCESS : si_wrong(SI_CONTEXT, handle);
}

/* The default streams of the current context; `handle` is 0, legacy or per thread. */
static inline CUresult si_default_stream(CUstream handle, rill_stream **stream)
{
    struct si_context *context;
    CUresult status = si_current(&context);
    *stream = status ? NULL
              : handle == CU_STREAM_PER_THREAD ? context->per_thread : context->legacy;
    return status;
}

/* A stream that was given as an argument, in whatever form. */
static inline CUresult si_stream(CUstream handle, rill_stream **stream)
{
    if ((uintptr_t)handle <= (uintptr_t)CU_STREAM_PER_THREAD)
        return si_default_stream(handle, stream);
    *stream = si_object(SI_STREAM, handle);
    return __builtin_expect(*stream != NULL, 1) ? RILL_SUCCESS : si_wrong(SI_STREAM, handle);
}

static inline CUresult si_event(CUevent handle, rill_event **event)
{
    *event = si_object(SI_EVENT, handle);
    return __builtin_expect(*event != NULL, 1) ? RILL_SUCCESS : si_wrong(SI_EVENT, handle);
}

/* The context of a stream that si_stream() accepts. */
CUresult si_stream_context(CUstream handle, struct si_context **context);

static inline CUcontext si_context_handle(struct si_context *context)
{
    return (CUcontext)(void *)context;
}

/* ---- For contexts' own files --------------------------------------------------------- */

/* A reserved slot gets a rill context on `device`, with rill's `flags`. */
CUresult si_context_open(struct si_context *context, int device, uint32_t flags);

/* Ends a context and all that was made in it; its slot stays.  0: it could not, or somebody
 * else is quicker, as the status says. */
int si_context_close(struct si_context *context, CUresult *status);

/* What ends with it (stream.c, event.c): its handle is dead, and nobody holds it. */
CUresult si_stream_end(struct si_slot *slot, void *object);
CUresult si_event_end(struct si_slot *slot, void *object);

/* A new stream waits for what the whole context was told to wait for (context_event.c). */
CUresult si_pass_threshold(struct si_context *context, rill_stream *stream);

/* What few contexts have goes with them (settings.c). */
void si_settings_free(struct si_context *context);

int si_context_is_primary(const struct si_context *context);
CUresult si_check_context_flags(unsigned flags);

/* The calling thread's stack of contexts (current.c). */
CUresult si_push(struct si_context *context);
struct si_context *si_pop(void);

/* Called when the library is loaded first and before it goes. */
CUresult si_stacks_begin(void);
void si_stacks_end(void);

#endif
