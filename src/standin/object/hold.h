/* SPDX-License-Identifier: Apache-2.0
 *
 * What calls hold, so that whoever destroys it in another thread lets them finish.
 *
 * Each thread has a list of what the calls that it is inside have found behind handles.
 * To put something on it is two plain stores; all of a call's goes off again when the
 * call returns, which ENTRY() sees to.  Who destroys something first makes its handle
 * dead, then makes all processors fence (base/fence.h), then looks at the lists: a call
 * is seen there, or it finds the handle dead.  What is on no list ends at once.  What is
 * on one ends when the last call returns that has it:
 *
 *     si_end()   in that call's thread, and the destroyer does not wait.  For all that
 *                blocking calls hold, and the end of which is never refused.
 *     si_await() in the destroyer's, which waits.  For contexts, whose end waits for their
 *                work anyway, and for what can refuse to end and is held by no call that
 *                blocks.
 *
 * Who holds a part holds the whole: a stream its context, a function its module, a kernel
 * its library, a child graph the graph around it.
 *
 * A call also may hold a kind, since what it looks up by other ways than a handle (the
 * graph of a node, the context of an address) has to stay until it is found.
 */
#ifndef SI_HOLD_H
#define SI_HOLD_H

#include <stdatomic.h>
#include <stdint.h>

#include "base/fence.h"
#include "base/thread.h"
#include "standin/abi/abi.h"

struct si_slot;

/* What one thread holds.  Others read `held` and `top` under the list's lock. */
struct si_holder {
    atomic_uint top;         /* how much; its own                                      */
    unsigned outer;          /* how much of that calls hold around the innermost; its own */
    unsigned room;           /* never changes                                          */
    unsigned ending;         /* what it is just ending of a kind; its own              */
    unsigned short_of_memory; /* something could not be held; its own                  */
    atomic_uint asked;       /* it holds what is to end: it is to look when it lets go */
    struct si_holder *next;  /* the list's lock                                        */
    _Atomic(const void *) held[];
};

/* NULL: not inside a call yet, or there is no machine. */
extern _Thread_local struct si_holder *si_holder RL_THREAD_WORD;

/* ---- On the way of every call -------------------------------------------------------- */

struct si_holder *si_holder_make(void);
struct si_holder *si_holder_grow(void);
void si_asked(void);

/* How things were before a call. */
struct si_call {
    unsigned top, outer;
};

static inline struct si_call si_enter(void)
{
    struct si_holder *mine = si_holder;
    if (__builtin_expect(!mine, 0) && !(mine = si_holder_make())) return (struct si_call){ 0, 0 };
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

/* Until the call returns.  What was alive behind it is looked at afterwards.  0: there is
 * no memory, or no machine. */
static inline int si_hold(const void *what)
{
    struct si_holder *mine = si_holder;
    if (__builtin_expect(!mine, 0)) return 0;
    unsigned top = atomic_load_explicit(&mine->top, memory_order_relaxed);
    if (__builtin_expect(top == mine->room, 0) && !(mine = si_holder_grow())) return 0;
    atomic_store_explicit(&mine->held[top], what, memory_order_relaxed);
    atomic_store_explicit(&mine->top, top + 1, memory_order_release);
    rl_fence_often();
    return 1;
}

/* For calls that hold one of many after the other: what was held since si_mark() goes. */
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

/* Calls `end` once no call but the calling one holds the slot, whose handle is dead, or a
 * part of it: at once, with its status, or later, and then the answer is success. */
CUresult si_end(struct si_slot *slot, void *object, si_end_fn *end);

/* Waits until no other thread holds the slot, whose handle is dead, or a part of it. */
void si_await(const void *slot);

/* Around the end of one of a kind that calls may hold as a kind. */
void si_kind_ends(int kind);
void si_kind_ended(int kind);

/* Holds what there is of a kind: none of them goes until the call returns. */
void si_hold_kind(int kind);

/* ---- Begin and end (init.c) ------------------------------------------------------------ */

CUresult si_holders_begin(void);
void si_holders_end(void);
void si_holders_forked(void); /* in the child */

#endif
