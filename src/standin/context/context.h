/* SPDX-License-Identifier: Apache-2.0
 *
 * Contexts.  A context is a slot and, while it lives, an object of rill's.  The slot of a
 * primary context is its device's for good; it has an object while a program retains it.
 */
#ifndef SI_CONTEXT_H
#define SI_CONTEXT_H

#include "standin/object/entry.h"
#include "standin/object/handle.h"
#include "standin/object/machine.h"

/* What programs hold as CUcontext.  All but the head is set before the object. */
struct si_context {
    struct si_slot slot; /* object: rill_context */
    rill_stream *legacy, *per_thread;
    uint64_t id;
    int device;
    unsigned flags;      /* as cuCtxGetFlags() tells them, and ours; relaxed */
    struct si_settings *settings; /* what few contexts have (settings.h); atomic, NULL at first */
};

_Static_assert(sizeof(struct si_context) <= SI_SLOT_BYTES, "a context fits its slot");

/* A flag of our own among the driver's: CU_CTX_SYNC_MEMOPS was set once, so calls wait for
 * memory that is allocated. */
#define SI_CONTEXT_WAITS 0x80000000u

/* What stays as a context began: whether it maps memory of the host and writes core dumps. */
#define SI_CONTEXT_FOR_GOOD (CU_CTX_MAP_HOST | CU_CTX_COREDUMPS | SI_CONTEXT_WAITS)

/* Sets the flags that a context begins with. */
static inline void si_context_begin_flags(struct si_context *context, unsigned flags)
{
    if (flags & CU_CTX_SYNC_MEMOPS) flags |= SI_CONTEXT_WAITS;
    __atomic_store_n(&context->flags, flags, __ATOMIC_RELAXED);
}

/* Sets the driver's flags as far as they can change, and ours. */
static inline void si_context_set_flags(struct si_context *context, unsigned flags)
{
    unsigned kept = __atomic_load_n(&context->flags, __ATOMIC_RELAXED) & SI_CONTEXT_FOR_GOOD;
    si_context_begin_flags(context, (flags & ~SI_CONTEXT_FOR_GOOD) | kept);
}

CUresult si_check_context_flags(unsigned flags);

/* Finds a context that was given as an argument; NULL is an error here. */
static inline CUresult si_context(CUcontext handle, rill_context **context)
{
    *context = si_object(SI_CONTEXT, handle);
    return *context ? RILL_SUCCESS : si_wrong(SI_CONTEXT, handle);
}

static inline CUcontext si_context_handle(struct si_context *context)
{
    return (CUcontext)(void *)context;
}

int si_context_is_primary(const struct si_context *context);

/* ---- Making and ending -------------------------------------------------------------- */

/* Gives a reserved slot a context of rill's on `device`, with rill's `flags`. */
CUresult si_context_open(struct si_context *context, int device, uint32_t flags);

/* Ends a context and all that was made in it; its slot stays.  That work of the context has failed
 * is no failure of the call, as on an H100.  Fails if the context cannot end here, or if another
 * thread was quicker. */
CUresult si_context_close(struct si_context *context);

/* Takes all of one kind that ends with a context: makes their handles dead and puts their
 * slots in front of a list (si_last_of()), which is returned. */
typedef struct si_slot *si_take_fn(struct si_context *context, struct si_slot *taken);

/* Sets what ends with contexts, in this order: a list that ends with NULL.  Called once,
 * before the first context is made. */
void si_contexts_begin(si_take_fn *const *kinds);

/* Does that for the kinds whose slots need no more. */
struct si_slot *si_take_slots(enum si_kind kind, struct si_context *context,
                              struct si_slot *taken, si_end_fn *end);

#endif
