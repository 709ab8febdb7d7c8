/* SPDX-License-Identifier: Apache-2.0
 *
 * The platform's address map: which allocation an address belongs to, over the
 * memory of all devices and the host memory that was pinned or registered.
 *
 * An allocation is in the map from the moment it is made until its memory is
 * given back.  Its life:
 *
 *     live --claim--> going --remove--> gone
 *       ^               |
 *       +---unclaim-----+
 *
 * Who frees an allocation claims it first, so that of two frees one fails.
 * Memory of mem_alloc and host memory is seen as long as it is going, since the
 * work that it waits for may use it.  Memory of a pool, or of a graph, leaves the
 * map as soon as the program has freed it, whatever its streams have yet to do.
 *
 * One lock protects all of it, and nothing else is locked under it.
 */
#ifndef SIM_ADDRESS_MAP_H
#define SIM_ADDRESS_MAP_H

#include <rill/memory.h>

#include <stdatomic.h>

#include "backend-sim/memory/window.h"
#include "base/lock.h"

struct extent;
struct sim_context;

enum allocation_kind {
    ALLOCATION_DEVICE = 1,    /* mem_alloc                */
    ALLOCATION_POOL = 2,
    ALLOCATION_PINNED = 4,    /* host_alloc               */
    ALLOCATION_REGISTERED = 8, /* the program's own memory */
    ALLOCATION_GRAPH = 16,    /* of an alloc node         */
    ALLOCATION_MODULE = 32,   /* a variable of a module   */
    ALLOCATION_HEAP = 64      /* malloc() of a kernel     */
};

/* What the map tells of a pool: changes under the map's lock.  Memory of graphs, which is
 * reached as that of pools is, has one, too. */
struct pool_face {
    rill_pool *handle; /* NULL once the pool is destroyed      */
    uint64_t access;   /* bit n: device n may reach its memory */
};

struct allocation {
    struct range range;           /* base and bytes as they were asked for  */
    enum allocation_kind kind;
    int device;
    uint32_t flags;               /* RILL_HOST_*                            */
    bool read_only;               /* for kernels                            */
    bool constant;                /* a .const variable                      */
    uint64_t id;                  /* unique in the process; set by the map  */
    const struct pool_face *face; /* of its pool, or NULL                   */
    struct extent *extent;        /* its owner's; of device memory          */
    void *bytes;                  /* its owner's; of pinned memory: to free */
    struct allocation *next;      /* a list of its owner's, out of the map  */

    /* ---- the map's lock ---- */
    struct sim_context *context;  /* that made it; NULL: a pool, or gone    */
    bool going;
    bool sync_memops;
};

struct address_map {
    struct rl_lock lock;
    struct ranges allocations, windows;
    atomic_uint_least64_t removals; /* of allocations, so far; written under the lock */
};

/* While this number stays, what was there once is there still. */
static inline uint64_t sim_map_removals(const struct address_map *map)
{
    return atomic_load_explicit(&map->removals, memory_order_acquire);
}

/* What the map says of an address. */
struct address_info {
    bool known;                   /* in an allocation                       */
    bool in_window;               /* a device's address, known or not       */
    bool used;                    /* of the window, and memory once         */
    enum allocation_kind kind;    /* the rest: only when known              */
    int device;
    uint32_t flags;
    bool read_only, constant;
    uint64_t base, bytes, id;
    struct sim_context *context;
    rill_pool *pool;
    uint64_t access;              /* of a pool                              */
    bool going, sync_memops;
};

static inline bool sim_address_is_host(const struct address_info *info)
{
    return info->kind & (ALLOCATION_PINNED | ALLOCATION_REGISTERED);
}

/* Whether it has a list of the devices that reach it. */
static inline bool sim_address_is_listed(const struct address_info *info)
{
    return info->kind & (ALLOCATION_POOL | ALLOCATION_GRAPH);
}

/* Whether work of the context's device can reach what is there. (memory.c) */
bool sim_address_reached(struct sim_context *context, const struct address_info *info);

rill_status sim_map_open(struct address_map **map);
void sim_map_close(struct address_map *map);

/* Addresses that are a device's, whether allocated or not. */
void sim_map_add_window(struct address_map *map, struct window *window);
void sim_map_remove_window(struct address_map *map, struct window *window);

void sim_map_lookup(struct address_map *map, uint64_t address, struct address_info *info);

/* Also the handle of the context that made it, or NULL: with the lock free that context
 * may end, and `info` tells no more than which one it was. */
void sim_map_lookup_owner(struct address_map *map, uint64_t address, struct address_info *info,
                          rill_context **owner);

/* Two at once, for copies. */
void sim_map_lookup_both(struct address_map *map, uint64_t first, struct address_info *first_info,
                         uint64_t second, struct address_info *second_info);

/* Whether a range touches an allocation or a device's window; `info` tells
 * which, as for an address there. */
bool sim_map_touches(struct address_map *map, const struct range *range,
                     struct address_info *info);

/* Adds an allocation whose addresses nobody else can have. */
void sim_map_add(struct address_map *map, struct allocation *allocation);

/* Adds one whose addresses are the program's choice, unless they touch
 * something. */
bool sim_map_add_if_apart(struct address_map *map, struct allocation *allocation,
                          struct address_info *info);

/* Claims the live allocation of one of these kinds that begins at `address`, or
 * returns NULL; either way `info` tells what was there before. */
struct allocation *sim_map_claim(struct address_map *map, uint64_t address, unsigned kinds,
                                 struct address_info *info);
void sim_map_unclaim(struct address_map *map, struct allocation *allocation);

/* The claimed allocation that begins at an address, by who claimed it. */
struct allocation *sim_map_claimed(struct address_map *map, uint64_t address);

void sim_map_remove(struct address_map *map, struct allocation *allocation);

/* Takes everything that `context` made (NULL: everything there is) out of the
 * map, as a list; what others are about to free stays and forgets the context. */
struct allocation *sim_map_remove_all(struct address_map *map, const struct sim_context *context);

bool sim_map_set_sync_memops(struct address_map *map, uint64_t address, bool on);

/* Changes a pool's face. */
void sim_map_set_face(struct address_map *map, struct pool_face *face, struct pool_face now);

/* "device memory", "memory of a pool", ... */
const char *sim_describe_allocation(enum allocation_kind kind);

/* What an address is, in words that go on after "which is" in a sentence. */
#define SIM_DESCRIPTION_MAX 128
const char *sim_describe_address(const struct address_info *info, uint64_t address,
                                 char words[SIM_DESCRIPTION_MAX]);

#endif
