/* SPDX-License-Identifier: Apache-2.0
 *
 * A device's memory of graphs: what alloc and free nodes work on.
 *
 * An alloc node gets its addresses when it is made: a block of a window that is
 * many times as large as the device's memory, since graphs that take turns may
 * promise more than there is.  The addresses stay the block's.  Memory is lent from
 * launch to launch, by chunks; graph_reserve.h counts it, as measured:
 *
 *   - An exec's blocks are adjacent in chunks of their own: 40 MiB and 3 MiB are
 *     two chunks of 32 MiB, a single byte is one.
 *   - A launch needs its chunks from the call that submits it, or from an upload.
 *     It needs what it frees itself until it is over, and launches in one stream
 *     need that one after the other.  It needs what it leaves allocated until a
 *     free of it has happened anywhere; the next launch needs the same chunks.
 *   - Chunks that are no longer needed can serve any launch.  They stay with the
 *     graphs until a trim; used and reserved both count them.
 *
 * On a GPU, graphs that share memory have it mapped at all their addresses.  Here
 * each block has pages of its own once it is touched, and pages of idle blocks
 * return to the system in time: no more of them are kept than the device has
 * unclaimed memory.
 *
 * The life of a block is recorded twice.  `live` follows the order of submission:
 * a program that submits work may rely on it, and a live block is in the address
 * map.  `begun` and `ended` follow execution: they count the lives that alloc
 * nodes began and frees ended, and the memory exists while more began than ended.
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
    uint32_t references;          /* tasks that name it                        */
    uint32_t underway;            /* allocs and frees that were submitted and
                                     have not happened yet                     */
    bool live;
    uint64_t promised;            /* lives that were submitted                 */
    uint64_t begun, ended;
    uint64_t bytes;               /* of the life that began last               */
    uint64_t most;                /* the size of its largest alloc node        */
    uint64_t touched;             /* the season in which its pages were noted  */
    struct chunk_set *chunk_set;  /* has its memory, or NULL                   */
    uint32_t first, last;         /* its chunks in that set                    */
    uint32_t standing;            /* lives that were submitted and whose frees
                                     have not happened                         */
    struct block_owner *owner;    /* the alloc node that got it last, or NULL
                                     once that is gone                         */
    struct free_task *late;       /* free nodes that were made after that      */
};

struct graph_heap {
    struct sim_device *device;    /* fixed                                     */
    struct rl_lock lock;
    struct window window;         /* fixed once `opened`, but for `used`: lock */
    atomic_bool opened;           /* set by the device's first alloc node      */
    struct extents extents;
    struct ranges blocks;         /* through their places                      */
    struct graph_reserve reserve;
    uint8_t *segments;            /* segment_marks of each part of the window
                                     that is as long as a chunk                */
    uint64_t touched;             /* bytes of touched segments                 */
    uint64_t season;              /* from 1; ends when pages go back           */
};

enum segment_marks { SEGMENT_TOUCHED = 1, SEGMENT_BUSY = 2 };

rill_status sim_graph_heap_open(struct sim_device *device);
void sim_graph_heap_close(struct sim_device *device);

/* Returns the heap whose window holds an address, or NULL. */
struct graph_heap *sim_graph_heap_at(const struct sim_platform *platform, uint64_t address);

/* ---- Blocks ----------------------------------------------------------------- */

/* Makes a block with one reference.  Fails with a note. */
rill_status sim_graph_block_make(struct graph_heap *heap, uint64_t bytes, uint64_t access,
                                 struct graph_block **block);
void sim_graph_block_release(struct graph_block *block);

/* Frees a block that no task names and that no alloc or free is underway for.  Requires
 * heap->lock. */
void sim_graph_block_settle(struct graph_block *block);

/* Returns the block around an address, or NULL.  Requires heap->lock. */
struct graph_block *sim_graph_block_at(const struct graph_heap *heap, uint64_t address);

/* Notes that a block, which is underway, will have pages.  Requires heap->lock. */
void sim_graph_block_touch(struct graph_block *block);

/* Gives a life of a block its memory: chunks `first` to `last` of a chunk set, unless the
 * block still has others.  Returns false if there is not enough.  Requires heap->lock. */
bool sim_graph_block_stand(struct graph_block *block, struct chunk_set *chunk_set, uint32_t first,
                           uint32_t last);

/* Ends that, since the free has happened or the launch was withdrawn.  Requires heap->lock. */
void sim_graph_block_leave(struct graph_block *block);

/* Notes that the lives of a block up to this one have ended.  Requires heap->lock. */
void sim_graph_block_end(struct graph_block *block, uint64_t life);

/* Adds a block to the address map.  Requires heap->lock. */
void sim_graph_block_show(struct graph_block *block, uint64_t bytes);

/* Removes it from the map.  Returns false if another thread is just freeing it.  Requires
 * heap->lock. */
bool sim_graph_block_hide(struct graph_block *block);

/* Unclaims the memory that no launch needs.  Requires heap->lock. */
void sim_graph_heap_trim(struct graph_heap *heap);

/* ---- Frees outside of graphs -------------------------------------------------- */

/* What a free in a stream must know when it runs. */
struct graph_free {
    struct graph_block *block;
    uint64_t life;
};

/* Frees a claimed allocation: for the program now, and for the device when the returned
 * value is passed to sim_graph_free_run(). */
struct graph_free sim_graph_free_at(struct allocation *allocation);
void sim_graph_free_run(struct graph_free free);

/* Frees it for both at once. */
void sim_graph_free_now(struct allocation *allocation);

/* Does the same for an allocation that has left the map already. */
void sim_graph_free_left(struct allocation *allocation);

/* ---- Uses --------------------------------------------------------------------- */

/* Fills `info` as if the memory of a graph was allocated, which is what a node may name.
 * Returns false if the address is in no block. */
bool sim_graph_memory_lookup(const struct sim_platform *platform, uint64_t address,
                             struct address_info *info);

/* Tells whether the graph that allocates the memory also frees it. */
bool sim_graph_memory_is_given_back(const struct sim_platform *platform, uint64_t address);

/* Tells whether work that runs now may use `bytes` at an address of the window. */
bool sim_graph_memory_there(struct graph_heap *heap, uint64_t address, uint64_t bytes);

/* Writes why not, for a device fault: "a graph's <operation> uses ...".  Returns false if the
 * address is not in memory of graphs. */
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
