/* SPDX-License-Identifier: Apache-2.0
 *
 * A window: a contiguous range of addresses that memory is handed out from, far larger
 * than what is handed out.
 *
 * Its addresses are reserved at once; its memory is made usable from the front, as far as
 * anything was handed out so far.  The rest costs nothing: the system does not count it as
 * usable memory, and tools that scan all memory of a process, such as valgrind's leak
 * check, skip it.
 */
#ifndef SIM_WINDOW_H
#define SIM_WINDOW_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/range.h"

struct window {
    struct range range;         /* must stay first; fixed.  It is in the address map  */
    atomic_uint_least64_t used; /* bytes from the base that can be touched; grows under
                                   the owner's lock                                 */
};

/* Reserves the addresses.  Returns false if the system refuses so many. */
bool sim_window_open(struct window *window, uint64_t bytes);

/* Does so for memory of a file, from its beginning on. */
bool sim_window_open_file(struct window *window, uint64_t bytes, int file);

void sim_window_close(struct window *window);

/* Makes the addresses before `end` usable; AddressSanitizer, if the program has it, reports
 * accesses to them until they are in an allocation (address_map.h).  Returns false if the system
 * refuses.  Requires the owner's lock. */
bool sim_window_use(struct window *window, uint64_t end);

/* Tells whether memory at an address of the window was ever handed out. */
static inline bool sim_window_was_used(const struct window *window, uint64_t address)
{
    return address - window->range.base <
           atomic_load_explicit(&window->used, memory_order_relaxed);
}

/* Asks the system for huge pages where much memory was handed out: kernels go through it in blocks,
 * so they meet a page again and again when the processor has forgotten where it is. */
void sim_window_prefer_huge(uint64_t base, uint64_t bytes);

/* Returns the memory of whole pages of a window to the system. */
void sim_window_discard(uint64_t base, uint64_t bytes);

#endif
