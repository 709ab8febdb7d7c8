/* SPDX-License-Identifier: Apache-2.0
 *
 * A device's memory of graphs: what alloc and free nodes work on.
 *
 * An alloc node gets its addresses when it is made: a block of a window that
 * holds many times the device's memory, since graphs that take turns may promise
 * more than there is.  They are the block's for good.  Memory is the device's to
 * lend from launch to launch, by chunks; graph_reserve.h counts it as hardware
 * does:
 *
 *   - An exec's blocks lie side by side in chunks of their own: 40 MiB and 3 MiB
 *     are two chunks of 32 MiB, a single byte is one.
 *   - A launch needs its chunks from the call that submits it (or from an upload
 *     on).  What it frees itself it needs until it is over, and launches in one
 *     stream need that one after the other; what it leaves allocated, until a free
 *     of it has happened, whoever frees it: the next launch needs the same chunks.
 *   - What is needed no more, anybody may need next.  It stays with the graphs until
 *     it is trimmed; used and reserved are both all of that.
 *
 * On hardware, graphs that share memory have it behind all their addresses.  Here
 * each block has pages of its own as it is touched, and those of blocks that are at
 * rest go back to the system in time: no more of them are kept than the device has
 * memory that nobody else took.
 *
 * The life of a block is told twice.  `live` follows the order of submission: it
 * says what a program that submits may count on, and a live block is in the
 * address map.  `begun` and `ended` follow what happens: they count the lives
 * that alloc nodes began and frees ended, and the memory is there while more
 * began than ended.
 *
 * One lock for each device protects all of it.  The order of locks:
 *
 *     a strand's submit_lock -> the graph heap's lock -> the pools', the map's
 */
#ifndef SIM_GRAPH_HEAP_H
#define SIM_GRAPH_HEAP_H

#include "backend-sim/machine/machine.h"
#include "backend-sim/memory/address_map.h"
#include "backend-sim/memory/extent.h"
#include "backend-sim/memory/graph_reserve.h"
#include "backend-sim/memory/window.h"

struct free_task;

/* The alloc node that has a block. */
struct block_owner {
    uint32_t graph;             /* the serial of its graph; fixed              */

    /* ---- the heap's lock ---- */
    uint32_t node;              /* its slot; BLOCK_NODE_UNKNOWN: not yet known */
    char label[RILL_LABEL_MAX]; /* the node's                                  */
    uint32_t own_frees;         /* free nodes of it in its own graph           */
};

#define BLOCK_NODE_UNKNOWN UINT32_MAX

struct graph_block {
    struct allocation allocation; /* in the map while the block is live        */
    struct graph_heap *heap;      /* fixed                                     */
    struct range place;           /* among the heap's blocks; fixed            */
    struct extent *extent;        /* fixed                                     */
    struct pool_face face;        /* what the map tells of it; fixed           */

    /* ---- the heap's lock ---- */
    uint32_t references;          /* of tasks                                  */
    uint32_t underway;            /* allocs and frees that were submitted and
                                     have not happened yet                     */
    bool live;
    uint64_t promised;            /* lives that were submitted                 */
    uint64_t begun, ended;
    uint64_t bytes;               /* of the life that began last               */
    uint64_t most;                /* of its alloc nodes: the largest           */
    uint64_t touched;             /* its pages were noted in this season       */
    struct chunk_set *chunk_set;      /* while it stands there, else NULL          */
    uint32_t first, last;         /* the chunks of it                          */
    uint32_t standing;            /* lives that were submitted, and their frees
                                     have not happened                         */
    struct block_owner *owner;    /* the alloc node that got it last, or NULL
                                     when that is gone                         */
    struct free_task *late;       /* frees of it that were made since then     */
};

struct graph_heap {
    struct sim_device *device;    /* fixed                                     */
    struct rl_lock lock;
    struct window window;         /* fixed once `opened`; used: the lock       */
    atomic_bool opened;           /* with the first alloc node of the device   */
    struct extents extents;
    struct ranges blocks;         /* through their places                      */
    struct graph_reserve reserve;
    uint8_t *segments;           /* of the window, each as long as a chunk:
                                     enum segment_marks                        */
    uint64_t touched;             /* bytes of those that are                   */
    uint64_t season;              /* from 1; ends when pages go back           */
};

enum segment_marks { SEGMENT_TOUCHED = 1, SEGMENT_BUSY = 2 };

rill_status sim_graph_heap_open(struct sim_device *device);
void sim_graph_heap_close(struct sim_device *device);

/* The heap whose window holds an address, or NULL. */
struct graph_heap *sim_graph_heap_at(const struct sim_platform *platform, uint64_t address);

/* ---- Blocks ----------------------------------------------------------------- */

/* A block with one reference; refuses and says why. */
rill_status sim_graph_block_make(struct graph_heap *heap, uint64_t bytes, uint64_t access,
                                 struct graph_block **block);
void sim_graph_block_release(struct graph_block *block);

/* Ends a block that nobody names and nothing is underway for.  Under the lock. */
void sim_graph_block_settle(struct graph_block *block);

/* The block around an address, or NULL.  Under the lock. */
struct graph_block *sim_graph_block_at(const struct graph_heap *heap, uint64_t address);

/* Notes that a block, which is underway, will have pages.  Under the lock. */
void sim_graph_block_touch(struct graph_block *block);

/* A life of a block needs memory from now on: chunks `first` to `last` of a chunk_set,
 * if it does not stand on another still; false when there is not as much.  Its free
 * happened, or it was taken back.  Under the lock. */
bool sim_graph_block_stand(struct graph_block *block, struct chunk_set *chunk_set, uint32_t first,
                           uint32_t last);
void sim_graph_block_leave(struct graph_block *block);

/* Into the map and out of it.  Under the lock.  A block that somebody is just
 * freeing cannot be taken out: false. */
void sim_graph_block_show(struct graph_block *block, uint64_t bytes);
bool sim_graph_block_hide(struct graph_block *block);

/* Gives back the memory that nobody needs.  Under the lock. */
void sim_graph_heap_trim(struct graph_heap *heap);

/* ---- Frees outside of graphs -------------------------------------------------- */

/* What a free in a stream must know when it gets there. */
struct graph_free {
    struct graph_block *block;
    uint64_t life;
};

/* A claimed allocation goes: from the program's view now, and from the device's
 * when sim_graph_free_run() comes. */
struct graph_free sim_graph_free_at(struct allocation *allocation);
void sim_graph_free_run(struct graph_free free);

/* It goes for both at once. */
void sim_graph_free_now(struct allocation *allocation);

/* The same when it is out of the map already. */
void sim_graph_free_left(struct allocation *allocation);

/* ---- Uses --------------------------------------------------------------------- */

/* What a node may name: memory of a graph, as if it was allocated.  False when
 * the address is in no block. */
bool sim_graph_memory_lookup(const struct sim_platform *platform, uint64_t address,
                             struct address_info *info);

/* Whether a node of the graph that allocates it frees it, too. */
bool sim_graph_memory_is_given_back(const struct sim_platform *platform, uint64_t address);

/* Whether `bytes` at an address of the window are there for work that runs now. */
bool sim_graph_memory_there(struct graph_heap *heap, uint64_t address, uint64_t bytes);

/* Why not, for a device fault: "a graph's <operation> uses ...".  False when the
 * address is no graph's. */
bool sim_describe_graph_memory(const struct sim_platform *platform, const char *operation,
                               uint64_t address, uint64_t bytes, char *message, size_t size);

/* Writes "alloc node 3", "alloc node 'weights'": that which got the block last.  Requires the
 * heap's lock. */
void sim_graph_block_describe(const struct graph_block *block, char words[RILL_LABEL_MAX]);

/* Tells whether the graph with that serial, or any if it is 0, frees the memory at an address
 * that it allocates itself. */
bool sim_graph_memory_frees_itself(const struct sim_platform *platform, uint32_t serial,
                                   uint64_t address);

/* ---- Slots ------------------------------------------------------------------------ */

rill_status sim_graph_get_memory(rill_platform *platform, int device,
                                 rill_graph_memory_attribute attribute, uint64_t *value);
rill_status sim_graph_set_memory(rill_platform *platform, int device,
                                 rill_graph_memory_attribute attribute, uint64_t value);
rill_status sim_graph_trim_memory(rill_platform *platform, int device);

#endif
