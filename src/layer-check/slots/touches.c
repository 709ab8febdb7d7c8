/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/slots/touches.h"

#include <stdatomic.h>

#include "base/alloc.h"

/* A place, named by its index plus one, so that 0 is none. */
struct place {
    struct ck_seen seen;
    atomic_uint next; /* of the list that it is in */
};

/* Places are used again in the reverse order, so that a few suffice for most programs. */
struct ck_touches {
    atomic_uint ready;           /* the newest that is put in */
    atomic_uint fresh;           /* places that were ever used */
    /* The places that are free again, and above them, in the upper half, how often one was taken:
     * who was about to take one sees that others did in the meantime. */
    atomic_uint_least64_t free;
    unsigned room;
    struct place places[];
};

#define ONE_TAKEN (UINT64_C(1) << 32)

struct ck_touches *ck_touches_create(unsigned room)
{
    struct ck_touches *touches = rl_alloc(sizeof *touches + room * sizeof touches->places[0]);
    if (!touches) return NULL;
    atomic_init(&touches->ready, 0);
    atomic_init(&touches->fresh, 0);
    atomic_init(&touches->free, 0);
    touches->room = room;
    return touches;
}

void ck_touches_destroy(struct ck_touches *touches)
{
    rl_free(touches);
}

/* ---- Free places ----------------------------------------------------------------------------- */

static unsigned take_fresh(struct ck_touches *touches)
{
    unsigned used = atomic_load(&touches->fresh);
    while (used < touches->room)
        if (atomic_compare_exchange_weak(&touches->fresh, &used, used + 1)) return used + 1;
    return 0;
}

static unsigned take_place(struct ck_touches *touches)
{
    uint64_t head = atomic_load(&touches->free);
    while ((unsigned)head) {
        struct place *place = &touches->places[(unsigned)head - 1];
        uint64_t next = atomic_load_explicit(&place->next, memory_order_relaxed);
        uint64_t taken = (head & ~(uint64_t)UINT32_MAX) + ONE_TAKEN;
        if (atomic_compare_exchange_weak(&touches->free, &head, taken | next))
            return (unsigned)(place - touches->places) + 1;
    }
    return take_fresh(touches);
}

static void give_place(struct ck_touches *touches, unsigned number)
{
    struct place *place = &touches->places[number - 1];
    uint64_t head = atomic_load(&touches->free), now;
    do {
        atomic_store_explicit(&place->next, (unsigned)head, memory_order_relaxed);
        now = (head & ~(uint64_t)UINT32_MAX) | number;
    } while (!atomic_compare_exchange_weak(&touches->free, &head, now));
}

/* ---- Touches --------------------------------------------------------------------------------- */

bool ck_touches_put(struct ck_touches *touches, const struct ck_seen *seen)
{
    unsigned number = take_place(touches);
    if (!number) return false;
    struct place *place = &touches->places[number - 1];
    unsigned newest = atomic_load(&touches->ready);
    place->seen = *seen;
    do {
        atomic_store_explicit(&place->next, newest, memory_order_relaxed);
    } while (!atomic_compare_exchange_weak(&touches->ready, &newest, number));
    return true;
}

bool ck_touches_wait(const struct ck_touches *touches)
{
    return atomic_load(&touches->ready);
}

/* Returns the oldest of a list that leads to older ones, and turns it round. */
static unsigned turn_list(struct ck_touches *touches, unsigned newest)
{
    unsigned oldest = 0;
    while (newest) {
        atomic_uint *next = &touches->places[newest - 1].next;
        unsigned older = atomic_load_explicit(next, memory_order_relaxed);
        atomic_store_explicit(next, oldest, memory_order_relaxed);
        oldest = newest;
        newest = older;
    }
    return oldest;
}

size_t ck_touches_take(struct ck_touches *touches, ck_seen_fn function, void *data)
{
    unsigned number = turn_list(touches, atomic_exchange(&touches->ready, 0));
    size_t count = 0;
    for (; number; count++) {
        struct place *place = &touches->places[number - 1];
        unsigned newer = atomic_load_explicit(&place->next, memory_order_relaxed);
        function(data, &place->seen);
        give_place(touches, number);
        number = newer;
    }
    return count;
}
