/* SPDX-License-Identifier: Apache-2.0
 *
 * Reservations, and what is mapped there.
 *
 * The addresses are the process's: a reservation is pages that nobody can touch, and mapping puts
 * pages of the segment's file in their place.  Those can be touched as long as any device has
 * access.
 *
 * Each mapping is an allocation of its own.  A use may go on into the next one, if that is in the
 * same reservation and the same devices have access: its face tells how far such a row of
 * mappings reaches.
 */
#ifndef SIM_MAPPING_H
#define SIM_MAPPING_H

#include "backend-sim/memory/address_map.h"
#include "backend-sim/vmem/segment.h"

struct reservation {
    struct range range;   /* must stay first                                      */
    struct window window; /* in the address map: the addresses are of devices     */
};

struct mapping {
    struct allocation allocation;    /* in the address map                        */
    struct range place;              /* among vmem->mappings                      */
    struct pool_face face;           /* what the map tells of it                  */
    struct segment *segment;         /* fixed, as is the next                     */
    struct reservation *reservation;
    bool going;                      /* is being unmapped; vmem->lock             */
};

/* All of these require vmem->lock. */

/* Reserves addresses.  Fails with a note. */
rill_status sim_reservation_make(struct sim_platform *platform, size_t bytes, size_t alignment,
                                 rill_devptr wish, rill_devptr *address);

/* Gives a reservation without mappings up. */
void sim_reservation_free(struct sim_platform *platform, struct reservation *reservation);

/* Returns the reservation that holds all of a range, or NULL. */
struct reservation *sim_reservation_around(const struct vmem *vmem, rill_devptr address,
                                           size_t bytes);

/* Returns the first mapping that ends behind an address, or NULL. */
struct mapping *sim_mapping_from(const struct vmem *vmem, rill_devptr address);

/* Returns the mapping behind one, or NULL. */
struct mapping *sim_mapping_next(const struct mapping *mapping);

/* Maps a segment, for no device.  Returns NULL, with a note, if memory is short. */
struct mapping *sim_mapping_make(struct sim_platform *platform, struct reservation *reservation,
                                 rill_devptr address, size_t bytes, struct segment *segment);

/* Unmaps.  Requires that no work uses the mapping. */
void sim_mapping_free(struct sim_platform *platform, struct mapping *mapping);

/* Sets which devices have access. */
void sim_mapping_set_access(struct sim_platform *platform, struct mapping *mapping,
                            uint64_t access);

/* Finds anew how far rows of mappings reach, of those that touch a range. */
void sim_mappings_join(struct sim_platform *platform, rill_devptr address, size_t bytes);

#endif
