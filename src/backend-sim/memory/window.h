/* SPDX-License-Identifier: Apache-2.0
 *
 * A window: a stretch of addresses that memory is handed out from, far larger than what is
 * handed out.
 *
 * Its addresses are taken at once, its memory is made usable from the front on, as far as
 * anything was handed out yet.  What is behind costs nothing that way: it is not counted
 * where the system counts memory that may be used, and tools that go through all memory of
 * a process, as valgrind does for leaks at its end, pass it by.
 */
#ifndef SIM_WINDOW_H
#define SIM_WINDOW_H

#include <stdatomic.h>
#include <stdbool.h>

#include "backend-sim/memory/range.h"

struct window {
    struct range range;         /* first; fixed. The map knows it                  */
    atomic_uint_least64_t used; /* bytes from its base that can be touched; grows under
                                   the lock of whoever hands them out              */
};

/* False when the system refuses so many addresses. */
bool sim_window_open(struct window *window, uint64_t bytes);
void sim_window_close(struct window *window);

/* Makes what lies in front of `end` usable.  Under the owner's lock; false when the system
 * refuses. */
bool sim_window_use(struct window *window, uint64_t end);

/* Whether an address of the window lies where memory was handed out once. */
static inline bool sim_window_was_used(const struct window *window, uint64_t address)
{
    return address - window->range.base <
           atomic_load_explicit(&window->used, memory_order_relaxed);
}

/* Gives the memory behind whole pages of a window back to the system. */
void sim_window_discard(uint64_t base, uint64_t bytes);

#endif
