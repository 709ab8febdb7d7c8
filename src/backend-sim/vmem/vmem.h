/* SPDX-License-Identifier: Apache-2.0
 *
 * Addresses and memory, each by itself (<rill/vmem.h>): what the room offers.
 *
 * Memory is a segment (segment.h): a piece of a file in memory, counted against its device.
 * Addresses are a reservation, taken from one region (region.h), and what is mapped there is a
 * mapping (mapping.h), which is an allocation in the address map.  A segment is freed with its last
 * handle and its last mapping.
 *
 * One lock for each platform protects all of it.  The order of locks:
 *
 *     vmem->lock -> the map's
 */
#ifndef SIM_VMEM_H
#define SIM_VMEM_H

#include <rill/backend.h>

#include "backend-sim/memory/extent.h"
#include "backend-sim/memory/window.h"
#include "base/lock.h"

struct sim_platform;

/* What all sizes and addresses are multiples of, as on an H200. */
#define VMEM_GRAIN (UINT64_C(2) << 20)

struct vmem {
    struct rl_lock lock;         /* protects all below                              */
    struct ranges segments;      /* by their handles                                */
    struct ranges reservations;
    struct ranges mappings;
    struct window region;        /* region.h; of 0 bytes until it is needed         */
    bool region_refused;         /* by the system                                   */
    rill_vmem_handle newest;     /* of those that were given out                    */
    int file;                    /* of what is not shareable; -1 until it is needed */
    struct extents extents;      /* of that file                                    */
};

rill_status sim_vmem_open(struct sim_platform *platform);

/* Unmaps and frees everything.  Requires that nothing runs. */
void sim_vmem_close(struct sim_platform *platform);

extern const struct rill_vmem_ops sim_vmem_ops;

#endif
