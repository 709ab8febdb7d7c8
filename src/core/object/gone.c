/* SPDX-License-Identifier: Apache-2.0 */
#include "core/object/gone.h"

#include <stdatomic.h>
#include <stdint.h>

/* Objects begin at a cache line, so a kind fits into the low bits of an address. */
#define KIND_MASK ((uintptr_t)63)
_Static_assert(RILL_OBJECT_KINDS <= KIND_MASK, "a kind has to fit");

enum { PLACES = 1024 };

static atomic_uintptr_t places[PLACES]; /* address and kind; 0 is free */
static atomic_uint noted;               /* the next place is this one, of PLACES */

void rl_gone_note(const void *object, rill_object_kind kind)
{
    unsigned at = atomic_fetch_add_explicit(&noted, 1, memory_order_relaxed) % PLACES;
    atomic_store_explicit(&places[at], (uintptr_t)object | (unsigned)kind, memory_order_relaxed);
}

unsigned rl_gone_kind(const void *object)
{
    unsigned last = atomic_load_explicit(&noted, memory_order_relaxed);
    for (unsigned i = 1; i <= PLACES; i++) {
        uintptr_t place = atomic_load_explicit(&places[(last - i) % PLACES], memory_order_relaxed);
        if (place && (place & ~KIND_MASK) == (uintptr_t)object) return place & KIND_MASK;
    }
    return 0;
}
