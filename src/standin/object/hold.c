/* SPDX-License-Identifier: Apache-2.0 */
#include "standin/object/hold.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "standin/object/handle.h"
#include "standin/object/machine.h"

enum { FIRST_ROOM = 30 };

_Thread_local struct si_holder *si_holder RL_THREAD_WORD;

static struct {
    struct rl_lock lock;      /* protects what follows                                  */
    struct si_holder *first;
    struct si_slot *waiting;  /* what is to end and is still held (si_last_of())         */
} holders;

static atomic_int kinds_ending[SI_KINDS];
static pthread_key_t end_key;

/* ---- Lists --------------------------------------------------------------------------- */

/* Returns the link to a thread's holder.  Requires holders.lock. */
static struct si_holder **holder_link(const struct si_holder *holder)
{
    struct si_holder **link = &holders.first;
    while (*link != holder) link = &(*link)->next;
    return link;
}

struct si_holder *si_holder_make(void)
{
    if (!atomic_load_explicit(&si_ready, memory_order_acquire)) return NULL;
    struct si_holder *made = rl_zalloc(sizeof *made + FIRST_ROOM * sizeof made->held[0]);
    if (!made) return NULL;
    if (pthread_setspecific(end_key, made)) {
        rl_free(made);
        return NULL;
    }
    made->room = FIRST_ROOM;
    made->outer = SI_OUTSIDE;
    rl_lock(&holders.lock);
    made->next = holders.first;
    holders.first = made;
    rl_unlock(&holders.lock);
    return si_holder = made;
}

/* Puts a larger holder in place of the thread's own. */
struct si_holder *si_holder_grow(void)
{
    struct si_holder *before = si_holder;
    unsigned room = 2 * before->room;
    struct si_holder *made = rl_zalloc(sizeof *made + room * sizeof made->held[0]);
    if (!made || pthread_setspecific(end_key, made)) {
        rl_free(made);
        before->short_of_memory = 1;
        return NULL;
    }
    rl_lock(&holders.lock);
    unsigned top = atomic_load_explicit(&before->top, memory_order_relaxed);
    for (unsigned i = 0; i < top; i++)
        atomic_init(&made->held[i], atomic_load_explicit(&before->held[i], memory_order_relaxed));
    atomic_init(&made->top, top);
    atomic_init(&made->asked, atomic_load_explicit(&before->asked, memory_order_relaxed));
    made->outer = before->outer;
    made->room = room;
    made->ending = before->ending;
    made->next = before->next;
    *holder_link(before) = made;
    rl_unlock(&holders.lock);
    rl_free(before);
    return si_holder = made;
}

static void end_holder(void *holder)
{
    rl_lock(&holders.lock);
    struct si_holder **link = holder_link(holder);
    *link = (*link)->next;
    rl_unlock(&holders.lock);
    si_holder = NULL;
    rl_free(holder);
}

CUresult si_holders_begin(void)
{
    rl_fence_init();
    return pthread_key_create(&end_key, end_holder) ? RILL_ERROR_OPERATING_SYSTEM : RILL_SUCCESS;
}

/* No thread is inside a call. */
void si_holders_end(void)
{
    si_asked();
    pthread_key_delete(end_key);
    for (struct si_holder *holder = holders.first, *next; holder; holder = next) {
        next = holder->next;
        rl_free(holder);
    }
    holders.first = NULL;
    si_holder = NULL;
}

/* The other threads do not exist here, whatever they held. */
void si_holders_forked(void)
{
    atomic_store_explicit(&holders.lock.word, 0, memory_order_relaxed);
    holders.first = si_holder;
    holders.waiting = NULL;
    if (si_holder) si_holder->next = NULL;
}

/* ---- Who holds what ------------------------------------------------------------------ */

/* Tells whether `part` ends with the slot. */
static int is_part(const void *part, const void *slot)
{
    if (part == slot) return 1;
    if (si_handle_context(part) == slot) return 1;
    for (part = si_handle_owner(part); part; part = si_handle_owner(part))
        if (part == slot) return 1;
    return 0;
}

/* A search of all holders. */
struct search {
    const void *slot;
    int others;  /* true to leave out the calling thread's holder                     */
    int ask;     /* true to ask each thread that holds it to look when it lets go     */
    int asked;   /* the result: how many were asked that had not been asked before    */
};

/* Tells whether a thread holds the slot or a part of it.  Called after a fence.  Requires
 * holders.lock. */
static int holds_slot(struct si_holder *holder, struct search *search)
{
    int own = holder == si_holder;
    unsigned top = own ? holder->outer : atomic_load_explicit(&holder->top, memory_order_acquire);
    if (own && (search->others || top == SI_OUTSIDE)) return 0;
    for (unsigned i = 0; i < top; i++) {
        if (!is_part(atomic_load_explicit(&holder->held[i], memory_order_acquire), search->slot))
            continue;
        if (search->ask && !atomic_exchange(&holder->asked, 1)) search->asked++;
        return 1;
    }
    return 0;
}

static int is_only_holder(void)
{
    return !holders.first || (holders.first == si_holder && !holders.first->next);
}

/* Requires holders.lock. */
static int is_held(struct search *search)
{
    int found = 0;
    if (!is_only_holder()) rl_fence_rarely();
    for (struct si_holder *holder = holders.first; holder; holder = holder->next)
        found |= holds_slot(holder, search);
    return found;
}

/* Does the same, and asks all that hold it: the one that lets go now will look.  Requires
 * holders.lock. */
static int is_held_for_now(const void *slot)
{
    struct search search;
    int found;
    do {
        search = (struct search){ .slot = slot, .ask = 1 };
        found = is_held(&search);
    } while (search.asked);
    return found;
}

/* ---- Ends that wait for calls ------------------------------------------------------------- */

/* Takes a waiting slot that no call holds any more, and holds it for the call that ends it. */
static struct si_slot *take_ended(void)
{
    unsigned mark = si_mark();
    if (!si_hold(&holders)) return NULL; /* makes room, which cannot be made under the lock */
    rl_lock(&holders.lock);
    struct si_slot **link = &holders.waiting;
    while (*link && is_held_for_now(*link)) link = &si_last_of(*link)->next;
    struct si_slot *found = *link;
    if (found) {
        atomic_store_explicit(&si_holder->held[mark], found, memory_order_release);
        *link = si_last_of(found)->next;
    }
    rl_unlock(&holders.lock);
    return found;
}

/* Runs as a call of its own. */
static void end_waiting(void)
{
    struct si_slot *slot;
    struct si_call before = si_enter();
    if (!si_holder) return;
    atomic_store(&si_holder->asked, 0);
    while ((slot = take_ended())) {
        struct si_last last = *si_last_of(slot);
        last.end(slot, last.object);
    }
    si_restore(before);
    rl_fence_often();
}

/* What an outer call holds that call looks at when it returns. */
void si_asked(void)
{
    do end_waiting();
    while (si_holder && !si_mark() &&
           atomic_load_explicit(&si_holder->asked, memory_order_relaxed));
}

CUresult si_end(struct si_slot *slot, void *object, si_end_fn *end)
{
    struct si_last *last = si_last_of(slot);
    rl_lock(&holders.lock);
    int held = is_held_for_now(slot);
    if (held) {
        *last = (struct si_last){ object, holders.waiting, end };
        holders.waiting = slot;
    }
    rl_unlock(&holders.lock);
    return held ? RILL_SUCCESS : end(slot, object);
}

/* ---- Ends that are waited for ---------------------------------------------------------- */

static int is_part_waiting(const void *what)
{
    struct si_slot *slot = holders.waiting;
    while (slot && !is_part(slot, what)) slot = si_last_of(slot)->next;
    return slot != NULL;
}

static int is_awaited(const void *what)
{
    struct search search = { .slot = what, .others = 1 };
    rl_lock(&holders.lock);
    int found = is_held(&search) || is_part_waiting(what);
    rl_unlock(&holders.lock);
    return found;
}

/* Sleeps, twice as long each time, up to a millisecond. */
static void pause_longer(unsigned *ns)
{
    nanosleep(&(struct timespec){ .tv_nsec = *ns }, NULL);
    if (*ns < 1000000) *ns *= 2;
}

/* Ends meanwhile what this thread was asked to end.  Another thread that ends something may
 * wait for just that, while this one waits for what the other was asked to end. */
void si_await(const void *what)
{
    unsigned ns = 1000;
    while (is_awaited(what)) {
        if (si_holder && atomic_load_explicit(&si_holder->asked, memory_order_relaxed))
            end_waiting();
        pause_longer(&ns);
    }
}

/* ---- Kinds ----------------------------------------------------------------------------- */

/* The address of a kind's region stands for the kind.  If one is just ending, this waits
 * for it, unless this thread is the one that ends it. */
void si_hold_kind(int kind)
{
    unsigned ns = 1000;
    for (;;) {
        unsigned mark = si_mark();
        if (!si_hold(&si_regions[kind]) || si_holder->ending) return;
        if (!atomic_load_explicit(&kinds_ending[kind], memory_order_acquire)) return;
        si_let_go(mark);
        pause_longer(&ns);
    }
}

void si_kind_ends(int kind)
{
    if (si_holder) si_holder->ending++;
    atomic_fetch_add(&kinds_ending[kind], 1);
    si_await(&si_regions[kind]);
}

void si_kind_ended(int kind)
{
    atomic_fetch_sub(&kinds_ending[kind], 1);
    if (si_holder) si_holder->ending--;
}
