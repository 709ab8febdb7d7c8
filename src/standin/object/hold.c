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
    struct si_slot *waiting;  /* what is to end and was held when it should have        */
} all;

static atomic_int kinds_ending[SI_KINDS];
static pthread_key_t end_key;

/* ---- Lists --------------------------------------------------------------------------- */

/* Where the thread's own list is linked.  Under the lock. */
static struct si_holder **place_of(const struct si_holder *holder)
{
    struct si_holder **link = &all.first;
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
    rl_lock(&all.lock);
    made->next = all.first;
    all.first = made;
    rl_unlock(&all.lock);
    return si_holder = made;
}

/* A larger one in its place. */
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
    rl_lock(&all.lock);
    unsigned top = atomic_load_explicit(&before->top, memory_order_relaxed);
    for (unsigned i = 0; i < top; i++)
        atomic_init(&made->held[i], atomic_load_explicit(&before->held[i], memory_order_relaxed));
    atomic_init(&made->top, top);
    atomic_init(&made->asked, atomic_load_explicit(&before->asked, memory_order_relaxed));
    made->outer = before->outer;
    made->room = room;
    made->ending = before->ending;
    made->next = before->next;
    *place_of(before) = made;
    rl_unlock(&all.lock);
    rl_free(before);
    return si_holder = made;
}

static void thread_ends(void *holder)
{
    rl_lock(&all.lock);
    struct si_holder **link = place_of(holder);
    *link = (*link)->next;
    rl_unlock(&all.lock);
    si_holder = NULL;
    rl_free(holder);
}

CUresult si_holders_begin(void)
{
    rl_fence_init();
    return pthread_key_create(&end_key, thread_ends) ? RILL_ERROR_OPERATING_SYSTEM : RILL_SUCCESS;
}

/* Nobody is inside a call. */
void si_holders_end(void)
{
    si_asked();
    pthread_key_delete(end_key);
    for (struct si_holder *holder = all.first, *next; holder; holder = next) {
        next = holder->next;
        rl_free(holder);
    }
    all.first = NULL;
    si_holder = NULL;
}

/* The other threads are not here, whatever they held. */
void si_holders_forked(void)
{
    atomic_store_explicit(&all.lock.word, 0, memory_order_relaxed);
    all.first = si_holder;
    all.waiting = NULL;
    if (si_holder) si_holder->next = NULL;
}

/* ---- Who holds what ------------------------------------------------------------------ */

/* Whether `part` goes when the slot does. */
static int is_part(const void *part, const void *slot)
{
    if (part == slot) return 1;
    if (si_handle_context(part) == slot) return 1;
    for (part = si_handle_owner(part); part; part = si_handle_owner(part))
        if (part == slot) return 1;
    return 0;
}

/* What a look at the lists is after. */
struct look {
    const void *what;
    int others;  /* not what the calling thread holds                             */
    int ask;     /* those who hold it are to look when they let go                */
    int asked;   /* the result: how many were asked who had not been asked before */
};

/* Behind a fence, under the lock. */
static int is_on(struct si_holder *holder, struct look *look)
{
    int own = holder == si_holder;
    unsigned top = own ? holder->outer : atomic_load_explicit(&holder->top, memory_order_acquire);
    if (own && look->others) return 0;
    for (unsigned i = 0; i < top; i++) {
        if (!is_part(atomic_load_explicit(&holder->held[i], memory_order_relaxed), look->what))
            continue;
        if (look->ask && !atomic_exchange(&holder->asked, 1)) look->asked++;
        return 1;
    }
    return 0;
}

static int is_alone(void)
{
    return !all.first || (all.first == si_holder && !all.first->next);
}

/* Under the lock. */
static int is_held(struct look *look)
{
    int found = 0;
    if (!is_alone()) rl_fence_rarely();
    for (struct si_holder *holder = all.first; holder; holder = holder->next)
        found |= is_on(holder, look);
    return found;
}

/* The same, and whoever lets go of it now will look.  Under the lock. */
static int is_held_for_now(const void *slot)
{
    struct look look;
    int found;
    do {
        look = (struct look){ .what = slot, .ask = 1 };
        found = is_held(&look);
    } while (look.asked);
    return found;
}

/* ---- Ends that are put off ------------------------------------------------------------- */

/* Takes one out that nobody holds any more, and holds it for the call that ends it. */
static struct si_slot *next_to_end(void)
{
    unsigned mark = si_mark();
    if (!si_hold(&all)) return NULL; /* a place for it, which cannot be made under the lock */
    rl_lock(&all.lock);
    struct si_slot **link = &all.waiting;
    while (*link && is_held_for_now(*link)) link = &si_last_of(*link)->next;
    struct si_slot *found = *link;
    if (found) {
        atomic_store_explicit(&si_holder->held[mark], found, memory_order_relaxed);
        *link = si_last_of(found)->next;
    }
    rl_unlock(&all.lock);
    return found;
}

/* As a call of its own. */
static void end_what_can(void)
{
    struct si_slot *slot;
    struct si_call before = si_enter();
    if (!si_holder) return;
    atomic_store(&si_holder->asked, 0);
    while ((slot = next_to_end())) {
        struct si_last last = *si_last_of(slot);
        last.end(slot, last.object);
    }
    si_restore(before);
    rl_fence_often();
}

/* What is held around this is for the call around this to look at. */
void si_asked(void)
{
    do end_what_can();
    while (si_holder && !si_mark() &&
           atomic_load_explicit(&si_holder->asked, memory_order_relaxed));
}

CUresult si_end(struct si_slot *slot, void *object, si_end_fn *end)
{
    struct si_last *last = si_last_of(slot);
    rl_lock(&all.lock);
    int held = is_held_for_now(slot);
    if (held) {
        *last = (struct si_last){ object, all.waiting, end };
        all.waiting = slot;
    }
    rl_unlock(&all.lock);
    return held ? RILL_SUCCESS : end(slot, object);
}

/* ---- Ends that are waited for ---------------------------------------------------------- */

static int is_part_waiting(const void *what)
{
    struct si_slot *slot = all.waiting;
    while (slot && !is_part(slot, what)) slot = si_last_of(slot)->next;
    return slot != NULL;
}

static int is_awaited(const void *what)
{
    struct look look = { .what = what, .others = 1 };
    rl_lock(&all.lock);
    int found = is_held(&look) || is_part_waiting(what);
    rl_unlock(&all.lock);
    return found;
}

/* Longer and longer, since a call may take its time: up to a millisecond. */
static void pause_for(unsigned *ns)
{
    nanosleep(&(struct timespec){ .tv_nsec = *ns }, NULL);
    if (*ns < 1000000) *ns *= 2;
}

void si_await(const void *what)
{
    unsigned ns = 1000;
    while (is_awaited(what)) pause_for(&ns);
}

/* ---- Kinds ----------------------------------------------------------------------------- */

/* The address of a kind's region is the kind.  Who finds that one is just ending lets it:
 * unless it waits, inside, for this very thread. */
void si_hold_kind(int kind)
{
    unsigned ns = 1000;
    for (;;) {
        unsigned mark = si_mark();
        if (!si_hold(&si_regions[kind]) || si_holder->ending) return;
        if (!atomic_load_explicit(&kinds_ending[kind], memory_order_acquire)) return;
        si_let_go(mark);
        pause_for(&ns);
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
