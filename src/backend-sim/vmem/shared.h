/* SPDX-License-Identifier: Apache-2.0
 *
 * Device memory that other processes open by a handle, a string of bytes: memory that was
 * allocated before anybody knew that it would be shared.
 *
 * Each process that shares has one file in memory.  When an allocation is shared, the pages that
 * hold it move there: they are copied to new pages of the file, and these are mapped in their
 * place, while nothing runs.  A page moves once, so that allocations on it share that page of the
 * file.  Another process finds the file as a descriptor of this one, and maps the pages.
 *
 *     file   | head: records | pages, in the order in which they moved ...
 *
 * A record says how many processes have an allocation open, and whether it was freed: its pages
 * are given back by the process that leaves it last.
 */
#ifndef SIM_VMEM_SHARED_H
#define SIM_VMEM_SHARED_H

#include <rill/sim.h>

#include "backend-sim/machine/machine.h"
#include "base/range.h"

#define SHARED_MAGIC 0x72694c31u

enum { SHARED_RECORDS = 4096 };

/* In memory of several processes: all of it is atomic. */
struct shared_record {
    atomic_uint_least64_t serial; /* of the allocation; 0 if the record is free */
    atomic_uint users;            /* processes that have it open                */
    atomic_uint freed;            /* by the process that allocated it           */
};

struct shared_head {
    uint64_t secret; /* tells the file from others that have its number by then; fixed */
    struct shared_record records[SHARED_RECORDS];
};

enum { SHARED_PARTS = 3 };

/* What a handle says.  The first page and the last may have moved before the others, as parts of
 * other allocations. */
struct shared_handle {
    uint32_t magic;
    int32_t process, file;        /* where the file is                           */
    int32_t device;
    uint64_t secret, serial, bytes;
    uint32_t record, lead;        /* lead: bytes before the allocation on its first page */
    uint32_t pages;
    uint32_t at[SHARED_PARTS];    /* pages of the file: the first, those between, the last */
};

_Static_assert(sizeof(struct shared_handle) <= sizeof(rill_sim_shared), "a handle has room for it");

struct shared_export;
struct shared_import;

struct sharing {
    struct rl_lock lock;          /* protects all below                           */
    struct sim_platform *platform; /* fixed                                       */
    int file;                     /* -1 until something is shared                 */
    struct shared_head *head;     /* of that file                                 */
    uint64_t file_pages;
    uint64_t newest;              /* serial                                       */
    struct ranges moved;          /* runs of pages that are in the file           */
    struct shared_export *exports;
    struct shared_import *imports;
};

#define SHARED_PAGE ((uint64_t)4096)
#define SHARED_HEAD_BYTES \
    ((sizeof(struct shared_head) + SHARED_PAGE - 1) / SHARED_PAGE * SHARED_PAGE)

rill_status sim_sharing_open(struct sim_platform *platform);

/* Unmaps what was opened, and leaves the pages that were shared to the heap.  Requires that nothing
 * runs. */
void sim_sharing_close(struct sim_platform *platform);

/* Makes a handle of the allocation around an address. */
rill_status sim_share(struct sim_platform *platform, uint64_t address, struct shared_handle *out);

rill_status sim_shared_open(struct sim_platform *platform, const struct shared_handle *handle,
                            uint64_t *address);
rill_status sim_shared_close(struct sim_platform *platform, uint64_t address);

/* Gives the pages between the first and the last of an allocation that nobody has any more back to
 * the system, and frees its record. */
void sim_shared_end(int file, struct shared_record *record, uint32_t first, uint32_t count);

/* Unmaps all that was opened. */
void sim_imports_close(struct sharing *sharing);

#endif
