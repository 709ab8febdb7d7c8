/* SPDX-License-Identifier: Apache-2.0
 *
 * Reservations: addresses that nobody can touch, of the region (region.h), or from the system if
 * the region has none that fit.
 */
#ifndef SIM_RESERVATION_H
#define SIM_RESERVATION_H

#include "backend-sim/machine/machine.h"
#include "backend-sim/vmem/vmem.h"

struct reservation {
    struct range range;   /* must stay first                                               */
    struct window window; /* in the address map, if it is not of the region: the addresses are
                             of devices                                                    */
};

/* All of these require vmem->lock. */

/* Reserves addresses.  Fails with a note. */
rill_status sim_reservation_make(struct sim_platform *platform, size_t bytes, size_t alignment,
                                 rill_devptr wish, rill_devptr *address);

/* Gives a reservation without mappings up. */
void sim_reservation_free(struct sim_platform *platform, struct reservation *reservation);

/* Returns the reservation around an address, or NULL. */
struct reservation *sim_reservation_at(const struct vmem *vmem, rill_devptr address);

/* Tells whether a mapping that begins in the reservation may take up these addresses: all of them
 * are the reservation's or, since the driver looks at the first alone, the region's. */
bool sim_reservation_lets_map(const struct vmem *vmem, const struct reservation *reservation,
                              rill_devptr address, size_t bytes);

#endif
