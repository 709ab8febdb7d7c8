/* SPDX-License-Identifier: Apache-2.0
 *
 * What is mapped where addresses were reserved.
 *
 * The addresses are the process's: mapping puts pages of the segment's file in the place of those
 * that nobody can touch.  They can be touched as long as any device has access.
 *
 * Each mapping is an allocation of its own.  A use may go on into the next one, if that is in the
 * same reservation and the same devices have access: its face tells how far such a row of
 * mappings reaches.
 */
#ifndef SIM_MAPPING_H
#define SIM_MAPPING_H

#include "backend-sim/memory/address_map.h"
#include "backend-sim/vmem/reservation.h"
#include "backend-sim/vmem/segment.h"

struct mapping {
    struct allocation allocation;    /* in the address map                        */
    struct range place;              /* among vmem->mappings                      */
    struct pool_face face;           /* what the map tells of it                  */
    struct segment *segment;         /* fixed, as is the next                     */
    struct reservation *reservation;
    bool going;                      /* is being unmapped; vmem->lock             */
    rill_access host_access;         /* of the host's processors; vmem->lock      */
};

/* All of these require vmem->lock. */

/* Returns the first mapping that ends behind an address, or NULL. */
struct mapping *sim_mapping_from(const struct vmem *vmem, rill_devptr address);

/* Returns the mapping behind one, or NULL; or if that begins before an end. */
struct mapping *sim_mapping_next(const struct mapping *mapping);
struct mapping *sim_mapping_next_before(const struct mapping *mapping, uint64_t end);

/* Finds the mappings of a range, of which the first begins where it does, the last ends where it
 * does, and none is missing.  Fails with a note. */
rill_status sim_mappings_find(struct vmem *vmem, rill_devptr address, size_t bytes,
                              struct mapping **first);

/* Maps a segment, for no device.  Returns NULL, with a note, if memory is short. */
struct mapping *sim_mapping_make(struct sim_platform *platform, struct reservation *reservation,
                                 rill_devptr address, size_t bytes, struct segment *segment);

/* Unmaps.  Requires that no work uses the mapping. */
void sim_mapping_free(struct sim_platform *platform, struct mapping *mapping);

/* Sets what a device may do. */
void sim_mapping_set_access(struct sim_platform *platform, struct mapping *mapping, int device,
                            rill_access access);

/* Sets what the host's processors may do. */
void sim_mapping_set_host_access(struct mapping *mapping, rill_access access);

/* Finds anew how far rows of mappings reach, of those that touch a range. */
void sim_mappings_join(struct sim_platform *platform, rill_devptr address, size_t bytes);

#endif
