/* SPDX-License-Identifier: Apache-2.0
 *
 * Handles, as programs hold them.
 *
 * A handle is the address of a slot.  Each kind has a region of address space for its
 * slots, which are never given back to the system or used for another kind while the
 * library is loaded.  So any value that a program passes can be examined: two compares tell
 * whether it is a slot of the kind at all, one load whether the slot has an object now.  No
 * lock is taken, and no freed memory is read.
 *
 * The way back, from an object that a call hands out to the program's handle, is a word
 * on the object (rill_data()): si_handle_publish() writes the slot's address there.
 *
 * A slot whose handle was destroyed is used again, but only after SI_SLOTS_AT_REST others,
 * oldest first, so that a handle that was kept too long is found to be dead for a long
 * time.  Each kind has its own answer for dead handles (si_wrong()).
 *
 * The life of a slot: si_handle_new() fills it and publishes the object.  Calls read the
 * object, and hold the slot until they return (object/hold.h).  si_handle_take() takes the
 * object out, for exactly one caller, which has the object ended when no other call holds
 * it (si_end(), si_await()) and then gives the slot back with si_handle_free(); if the
 * object could not be ended, it puts the object back with si_handle_restore().  So when a
 * call and a destroy meet, the call either finds the handle dead or finishes with the
 * object.
 */
#ifndef SI_HANDLE_H
#define SI_HANDLE_H

#include <stdatomic.h>

#include "base/lock.h"
#include "standin/abi/abi.h"
#include "standin/object/hold.h"

enum si_kind {
    SI_CONTEXT,
    SI_STREAM,
    SI_EVENT,
    SI_GRAPH,
    SI_EXEC,
    SI_MODULE,
    SI_FUNCTION,
    SI_LIBRARY,
    SI_KERNEL,
    SI_POOL,
    SI_USER_OBJECT,
    SI_ARRAY,
    SI_MIPMAP,
    SI_REFERENCE, /* to a texture or a surface */
    SI_KINDS
};

enum {
    SI_SLOT_BYTES = 64,    /* of every kind, what the kind adds included */
    SI_SLOTS_AT_REST = 256
};

struct si_context;

/* The head of each slot.  A kind may have a struct of its own that begins with it. */
struct si_slot {
    _Atomic(void *) object;               /* rill's; NULL if the handle is dead          */
    _Atomic(struct si_context *) context; /* that it belongs to, or NULL; set before the object */
    _Atomic uint32_t life;                /* how often it was given back; the region's lock */
    uint32_t next_free;                   /* region's lock                               */
};

/* The last bytes of a slot that is to end; only the thread that ends it uses them. */
struct si_last {
    void *object;
    struct si_slot *next;
    si_end_fn *end;
};

static inline struct si_last *si_last_of(void *slot)
{
    return (void *)((char *)slot + SI_SLOT_BYTES - sizeof(struct si_last));
}

/* The head of a slot that is part of something else than a context: a function is part of
 * its module, as a reference is, a kernel of its library, a child graph of the graph around
 * it. */
struct si_part {
    struct si_slot slot;
    _Atomic(struct si_slot *) owner; /* set before the object; NULL if there is none */
};

struct si_region {
    _Atomic(char *) base;       /* set once, before `used` becomes more than 0 */
    atomic_size_t used;         /* bytes that were ever slots; only grows     */
    struct rl_lock lock;        /* protects what follows, and growth of `used` */
    size_t committed;
    uint32_t first_free, last_free, free_count; /* numbers of slots, from 1 */
};

extern struct si_region si_regions[SI_KINDS];

/* Tells whether `handle` is, or was, a handle of the kind. */
static inline int si_is_slot(enum si_kind kind, const void *handle)
{
    struct si_region *region = &si_regions[kind];
    size_t at = (uintptr_t)handle -
                (uintptr_t)atomic_load_explicit(&region->base, memory_order_relaxed);
    return at < atomic_load_explicit(&region->used, memory_order_relaxed) &&
           !(at & (SI_SLOT_BYTES - 1));
}

/* Returns the object of a live handle of the kind, which stays until the call returns.  For
 * other values it returns NULL, and si_wrong() says what the call is to answer. */
static inline void *si_object(enum si_kind kind, const void *handle)
{
    if (!__builtin_expect(si_is_slot(kind, handle) && si_hold(handle), 1)) return NULL;
    return atomic_load_explicit(&((struct si_slot *)(uintptr_t)handle)->object,
                                memory_order_acquire);
}

/* Returns what a call answers for a handle that si_object() refused.  Never success. */
CUresult si_wrong(enum si_kind kind, const void *handle);

/* Does the same for a handle that was an operand of work for a stream.  rill was called
 * without the object, since a stream that captures has its own answer and the call may break
 * the capture: `status` is rill's answer, `wrong` that of si_wrong(), or success. */
static inline CUresult si_wrong_in(CUresult status, CUresult wrong)
{
    int plain = status == RILL_ERROR_INVALID_HANDLE || status == RILL_ERROR_INVALID_VALUE;
    return __builtin_expect(wrong != RILL_SUCCESS, 0) && plain ? wrong : status;
}

/* Reserves a slot without an object, zeroed after its head; returns NULL if there is no
 * memory.  Fill it in, then publish it. */
void *si_handle_reserve(enum si_kind kind, struct si_context *context);
void si_handle_publish(void *slot, void *object);

/* Does both at once, for kinds that add nothing. */
void *si_handle_new(enum si_kind kind, struct si_context *context, void *object);

/* Returns the handle that the program has for an object, or NULL if it has none yet. */
static inline void *si_handle_of(const void *object)
{
    return rill_data(object);
}

/* Return the context that something belongs to, and what else it is part of.  NULL if there
 * is none, or if it is no slot. */
const void *si_handle_context(const void *slot);
const void *si_handle_owner(const void *slot);

/* Takes the object out of a live handle, and holds the slot.  Returns NULL for any other
 * handle, or if another thread was quicker. */
void *si_handle_take(enum si_kind kind, void *handle);

/* Does the same for what is known to be a slot.  The thread may be outside any call. */
static inline void *si_handle_kill(void *slot)
{
    return atomic_exchange(&((struct si_slot *)slot)->object, NULL);
}

/* Called when a part was put into the table of its owner, both with sequential consistency.  A
 * thread that takes an owner first makes its handle dead, then reads the table, and here it is
 * the other way round: one of the two sees the part, which so never outlives an owner that ends. */
static inline void si_part_made(struct si_part *part)
{
    struct si_slot *owner = atomic_load_explicit(&part->owner, memory_order_relaxed);
    if (!atomic_load(&owner->object)) si_handle_kill(part);
}

/* Tells whether all that a part is part of is alive. */
static inline int si_owners_live(const struct si_part *part)
{
    const struct si_slot *owner = atomic_load_explicit(&part->owner, memory_order_relaxed);
    while (owner && atomic_load_explicit(&owner->object, memory_order_acquire))
        owner = si_handle_owner(owner);
    return !owner;
}

void si_handle_restore(void *slot, void *object);
void si_handle_free(enum si_kind kind, void *slot);

/* Calls `see` for each slot that has an object, and holds the slot during the call. */
void si_handle_each(enum si_kind kind, void (*see)(void *slot, void *object, void *data),
                    void *data);

/* Gives all regions back, when the library is unloaded. */
void si_handles_unmap(void);

#endif
