/* SPDX-License-Identifier: Apache-2.0
 *
 * Pinned memory that is mapped twice: the program has one address of it, and the simulator works
 * through another.  A layer may then protect the program's, to see when the program touches it.
 *
 * All of it lies in one window of addresses, whose twin is at a fixed distance, so that a window
 * and a number tell where the simulator finds the bytes.  Both grow together over one file in
 * memory; allocations are whole pages, which share no page with others.
 *
 * What an operation names is the program's address, and so is what the address map knows.  What
 * is submitted is turned into addresses of the simulator once it was checked; rows, of which
 * nothing but the address is checked, take the long way for that (sim_address_is_direct()).
 */
#ifndef SIM_VIEWS_H
#define SIM_VIEWS_H

#include "backend-sim/machine/machine.h"
#include "backend-sim/memory/extent.h"
#include "backend-sim/memory/window.h"

struct views {
    struct window program;  /* the program's; fixed but for `used`: lock           */
    struct window engine;   /* the simulator's                                     */
    uint64_t shift;         /* from the program's addresses to the simulator's; fixed */
    int file;               /* fixed                                               */
    struct rl_lock lock;
    struct extents extents; /* of the program's window; lock                       */
};

/* Has pinned memory mapped twice from now on.  If the system refuses, it is ordinary memory as
 * before. */
rill_status sim_views_open(struct sim_platform *platform);

/* Gives everything back to the system; does nothing for NULL. */
void sim_views_close(struct views *views);

/* Returns memory of the program's window, or NULL if memory is short. */
struct extent *sim_views_alloc(struct views *views, uint64_t bytes);
void sim_views_free(struct views *views, struct extent *extent);

/* Returns the address at which the simulator reaches the bytes at an address. */
static inline uint64_t sim_view_of(const struct sim_platform *platform, uint64_t address)
{
    const struct views *views = platform->views;
    return views && rl_range_holds(&views->program.range, address) ? address + views->shift
                                                                     : address;
}

#endif
