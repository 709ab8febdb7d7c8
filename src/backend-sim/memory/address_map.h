/* SPDX-License-Identifier: Apache-2.0
 *
 * The platform's address map: which allocation an address belongs to, over the
 * memory of all devices and the host memory that was pinned or registered.
 *
 * An allocation is in the map from the moment it is made until its memory is
 * freed.  Its life:
 *
 *     live --claim--> going --remove--> gone
 *       ^               |
 *       +---unclaim-----+
 *
 * The thread that frees an allocation claims it first, so that one of two frees
 * fails.  Memory of mem_alloc and host memory stays visible while it is going,
 * since the work that its free waits for may use it.  Memory of a pool or of a
 * graph leaves the map as soon as the program has freed it, whatever its streams
 * have yet to do.
 *
 * One lock protects the whole map, and nothing else is locked under it.
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
    ALLOCATION_HEAP = 64,     /* malloc() of a kernel     */
    ALLOCATION_SPLIT = 128,   /* host_alloc, mapped twice: views.h */
    ALLOCATION_MANAGED = 256, /* mem_alloc_managed        */
    ALLOCATION_MANAGED_SPLIT = 512,   /* the same, mapped twice */
    ALLOCATION_MANAGED_VARIABLE = 1024, /* of a module */
    ALLOCATION_MAPPED = 2048, /* a piece of vmem/mapping.h */
    ALLOCATION_IMPORTED = 4096 /* of another process: vmem/shared.h */
};

/* What the map tells about a pool; changes under the map's lock.  Memory of graphs has one
 * too, since it is reached as memory of pools is, and so has each mapping. */
struct pool_face {
    rill_pool *handle; /* NULL once the pool is destroyed      */
    uint64_t access;   /* bit n: device n may reach its memory */
    uint64_t reading;  /* bit n: device n may only read it      */
    uint64_t base, bytes; /* of a mapping: itself and the mappings beside it that the same devices
                             reach; otherwise 0              */
    bool shareable;    /* fixed: other processes can open it   */
    bool host;         /* fixed: a mapping's memory is the host's */
    struct range reserved; /* fixed: of a mapping, the reservation that it begins in; base and
                              bytes alone                       */
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
    struct extent *extent;        /* the owner's; of device memory, and of pinned memory that
                                     is mapped twice                        */
    void *bytes;                  /* the owner's; other pinned memory, to free */
    struct allocation *next;      /* the owner's list, once out of the map  */

    /* ---- the map's lock ---- */
    struct sim_context *context;  /* made it; NULL if a pool did, or if gone */
    bool going;
    bool sync_memops;
};

struct address_map {
    struct rl_lock lock;
    struct ranges allocations, windows;
    atomic_uint_least64_t removals; /* of allocations, so far; written under the lock */
};

/* Returns a number that stays the same as long as no allocation leaves the map, and no device
 * loses its access to one. */
static inline uint64_t sim_map_removals(const struct address_map *map)
{
    return atomic_load_explicit(&map->removals, memory_order_acquire);
}

/* What the map says of an address. */
struct address_info {
    bool known;                   /* the address is in an allocation        */
    bool in_window;               /* it is a device's, known or not         */
    bool used;                    /* in a window, and handed out once       */
    enum allocation_kind kind;    /* this and the rest: set only if known   */
    int device;
    uint32_t flags;
    bool read_only, constant;
    uint64_t base, bytes, id;     /* base, bytes: those of its face, if it has some */
    struct sim_context *context;
    rill_pool *pool;
    uint64_t access, reading;     /* of a pool or a mapping                 */
    bool shareable;               /* it can be exported to other processes  */
    bool host;                    /* it is mapped, and the host's           */
    uint64_t reserved, reserved_bytes; /* of what is mapped                 */
    bool going, sync_memops;
};

static inline bool sim_address_is_host(const struct address_info *info)
{
    return info->kind & (ALLOCATION_PINNED | ALLOCATION_SPLIT | ALLOCATION_REGISTERED);
}

/* Whether it was registered to be read only: no copy and no fill of a stream may write to it. */
static inline bool sim_address_is_for_reading(const struct address_info *info)
{
    return info->known && info->kind == ALLOCATION_REGISTERED && info->read_only;
}

/* Refuses to write there, if it was; `argument` is what the call says of the address. */
rill_status sim_address_check_writable(const struct address_info *info, uint64_t address,
                                       const char *argument);

static inline bool sim_address_is_managed(const struct address_info *info)
{
    return info->kind & (ALLOCATION_MANAGED | ALLOCATION_MANAGED_SPLIT |
                         ALLOCATION_MANAGED_VARIABLE);
}

/* What has a list of the devices that reach it, or is mapped twice; the latter has none in
 * `access`. */
#define ALLOCATION_INDIRECT \
    (ALLOCATION_POOL | ALLOCATION_GRAPH | ALLOCATION_SPLIT | ALLOCATION_MANAGED_SPLIT | \
     ALLOCATION_MAPPED)

/* Tells whether the memory has a list of the devices that reach it. */
static inline bool sim_address_is_listed(const struct address_info *info)
{
    return info->kind & (ALLOCATION_POOL | ALLOCATION_GRAPH | ALLOCATION_MAPPED);
}

/* Tells whether work of the context's device can reach the memory. */
bool sim_address_reached(struct sim_context *context, const struct address_info *info);

/* Tells whether the context's device may read the memory alone. */
bool sim_address_is_only_read(const struct sim_context *context, const struct address_info *info);

/* Refuses to write it then. */
rill_status sim_address_check_given(const struct sim_context *context,
                                    const struct address_info *info, uint64_t address,
                                    const char *argument);

/* Tells the same as sim_address_reached(), and that the simulator uses the program's addresses of
 * the memory. */
bool sim_address_is_direct(struct sim_context *context, const struct address_info *info);

rill_status sim_map_open(struct address_map **map);
void sim_map_close(struct address_map *map);

/* Adds or removes a window: addresses that are a device's, whether allocated or not. */
void sim_map_add_window(struct address_map *map, struct window *window);
void sim_map_remove_window(struct address_map *map, struct window *window);

/* Fills `info` with what the map knows about an address. */
void sim_map_lookup(struct address_map *map, uint64_t address, struct address_info *info);

/* Makes `info`, of an address in an allocation, tell of the allocation alone and not of those
 * beside it that are used as one with it. */
void sim_map_narrow(struct address_map *map, uint64_t address, struct address_info *info);

/* Also returns the handle of the context that made the memory, or NULL.  That context may
 * end once the lock is free; `info->context` then only identifies it. */
void sim_map_lookup_owner(struct address_map *map, uint64_t address, struct address_info *info,
                          rill_context **owner);

/* Looks two addresses up at once, for copies. */
void sim_map_lookup_both(struct address_map *map, uint64_t first, struct address_info *first_info,
                         uint64_t second, struct address_info *second_info);

/* Tells whether a range overlaps an allocation or a device's window; `info` describes
 * which, as for an address there. */
bool sim_map_touches(struct address_map *map, const struct range *range,
                     struct address_info *info);

/* Adds an allocation whose addresses are known to be free. */
void sim_map_add(struct address_map *map, struct allocation *allocation);

/* Adds an allocation whose addresses the program chose.  Returns false, with `info` filled,
 * if they overlap anything. */
bool sim_map_add_if_apart(struct address_map *map, struct allocation *allocation,
                          struct address_info *info);

/* Claims the live allocation of one of these kinds that begins at `address`.  Returns NULL
 * if there is none; either way `info` describes what was there before. */
struct allocation *sim_map_claim(struct address_map *map, uint64_t address, unsigned kinds,
                                 struct address_info *info);
void sim_map_unclaim(struct address_map *map, struct allocation *allocation);

/* Returns the claimed allocation that begins at an address.  For the caller that claimed
 * it. */
struct allocation *sim_map_claimed(struct address_map *map, uint64_t address);

void sim_map_remove(struct address_map *map, struct allocation *allocation);

/* Takes everything that `context` made out of the map and returns it as a list; NULL takes
 * everything.  What other threads are about to free stays, and forgets the context. */
struct allocation *sim_map_remove_all(struct address_map *map, const struct sim_context *context);

/* Returns what `ask` says of the allocation of one of the kinds that begins at the address, or 0
 * if there is none.  `ask` is called under the map's lock. */
typedef uint64_t sim_ask_fn(const void *data, const struct allocation *allocation);
uint64_t sim_map_ask(struct address_map *map, uint64_t base, unsigned kinds, sim_ask_fn *ask,
                     const void *data);

bool sim_map_set_sync_memops(struct address_map *map, uint64_t address, bool on);

/* Changes what the map tells about a pool or a mapping. */
void sim_map_set_face(struct address_map *map, struct pool_face *face, struct pool_face now);

/* Returns "device memory", "memory of a pool", ... */
const char *sim_describe_allocation(enum allocation_kind kind);

/* Describes an address in words that follow "which is" in a sentence. */
#define SIM_DESCRIPTION_MAX 128
const char *sim_describe_address(const struct address_info *info, uint64_t address,
                                 char words[SIM_DESCRIPTION_MAX]);

#endif
