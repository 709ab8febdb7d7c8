/* SPDX-License-Identifier: Apache-2.0
 *
 * What calls hold, so that a thread that destroys it lets them finish.
 *
 * Each thread has a list of the slots that its calls have found.  Putting one there is two
 * plain stores; when a call returns, ENTRY() takes all of the call's slots off again.  A
 * thread that destroys something first makes its handle dead, then makes all processors
 * fence (base/fence.h), then reads the lists: it sees a call there, or the call finds the
 * handle dead.  A slot that is on no list ends at once.  Any other ends when the last call
 * returns that holds it:
 *
 *     si_end()   in that call's thread; the destroying thread does not wait.  For what
 *                blocking calls hold and what never refuses to end.
 *     si_await() in the destroying thread, which waits.  For contexts, whose end waits for
 *                their work anyway, and for what can refuse to end and is held by no call
 *                that blocks.
 *
 * A call that holds a part holds the whole: with a stream its context, with a function or
 * a reference its module, with a kernel its library, with a child graph the graph around it.
 *
 * A call may also hold a kind: what it looks up by other means than a handle (the graph of
 * a node, the context of an address) has to stay until it is found.
 */
#ifndef SI_HOLD_H
#define SI_HOLD_H

#include <stdatomic.h>
#include <stdint.h>

#include "base/fence.h"
#include "base/thread.h"
#include "standin/abi/abi.h"

struct si_slot;

/* Tells calls of the program from those of other calls. */
#define SI_OUTSIDE UINT32_MAX

/* What one thread holds.  Other threads read `held` and `top` under the list's lock. */
struct si_holder {
    atomic_uint top;         /* how many; its own                                      */
    unsigned outer;          /* how many of these the outer calls hold, or SI_OUTSIDE if
                                the thread is in no call; its own                      */
    unsigned room;           /* never changes                                          */
    unsigned ending;         /* how many kinds it is ending one of; its own            */
    unsigned short_of_memory; /* something could not be held; its own                  */
    atomic_uint asked;       /* true if it holds what is to end, and must look afterwards */
    struct si_holder *next;  /* the list's lock                                        */
    _Atomic(const void *) held[];
};

/* NULL until the thread's first call, or if there is no machine. */
extern _Thread_local struct si_holder *si_holder RL_THREAD_WORD;

/* ---- For every call -------------------------------------------------------- */

struct si_holder *si_holder_make(void);
struct si_holder *si_holder_grow(void);
void si_asked(void);

/* The holder's counts before a call. */
struct si_call {
    unsigned top, outer;
};

static inline struct si_call si_enter(void)
{
    struct si_holder *mine = si_holder;
    if (__builtin_expect(!mine, 0) && !(mine = si_holder_make()))
        return (struct si_call){ 0, SI_OUTSIDE };
    unsigned top = atomic_load_explicit(&mine->top, memory_order_relaxed);
    struct si_call before = { top, mine->outer };
    mine->outer = top;
    return before;
}

static inline void si_restore(struct si_call before)
{
    atomic_store_explicit(&si_holder->top, before.top, memory_order_release);
    si_holder->outer = before.outer;
}

static inline void si_leave(struct si_call before)
{
    struct si_holder *mine = si_holder;
    if (__builtin_expect(!mine, 0)) return;
    si_restore(before);
    rl_fence_often();
    if (__builtin_expect(atomic_load_explicit(&mine->asked, memory_order_relaxed), 0)) si_asked();
}

/* Holds a slot until the call returns; only then may its object be read.  Returns 0 if there
 * is no memory, or no machine. */
static inline int si_hold(const void *what)
{
    struct si_holder *mine = si_holder;
    if (__builtin_expect(!mine, 0)) return 0;
    unsigned top = atomic_load_explicit(&mine->top, memory_order_relaxed);
    if (__builtin_expect(top == mine->room, 0) && !(mine = si_holder_grow())) return 0;
    /* A thread that finds this in place of what was held before comes after the calls on that. */
    atomic_store_explicit(&mine->held[top], what, memory_order_release);
    atomic_store_explicit(&mine->top, top + 1, memory_order_release);
    rl_fence_often();
    return 1;
}

/* Lets go of what was held since si_mark(), for calls that hold many slots in turn. */
static inline unsigned si_mark(void)
{
    return si_holder ? atomic_load_explicit(&si_holder->top, memory_order_relaxed) : 0;
}

static inline void si_let_go(unsigned mark)
{
    if (si_holder) atomic_store_explicit(&si_holder->top, mark, memory_order_release);
}

/* ---- For what ends ------------------------------------------------------------------- */

typedef CUresult si_end_fn(struct si_slot *slot, void *object);

/* Calls `end` once no other call holds the slot, whose handle is dead, or a part of it.
 * Returns its status if that is at once, else success. */
CUresult si_end(struct si_slot *slot, void *object, si_end_fn *end);

/* Waits until no other thread holds the slot, whose handle is dead, or a part of it. */
void si_await(const void *slot);

/* Enclose the end of one of a kind that calls may hold as a kind. */
void si_kind_ends(int kind);
void si_kind_ended(int kind);

/* Holds all of a kind: none of them ends until the call returns. */
void si_hold_kind(int kind);

/* ---- Begin and end ---------------------------------------------------------------------- */

CUresult si_holders_begin(void);
void si_holders_end(void);
void si_holders_forked(void); /* in the child */

#endif
