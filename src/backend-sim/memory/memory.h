/* SPDX-License-Identifier: Apache-2.0
 *
 * The simulator's memory: an address map over all devices and host ranges,
 * heaps, pools, and copies and fills that are checked against the map when
 * they are submitted and run later.
 *
 * Device memory is ordinary memory of the process, in one reserved window for
 * each device: a device address is the address of the bytes.
 */
#ifndef SIM_MEMORY_H
#define SIM_MEMORY_H

#include <rill/backend.h>

#include "backend-sim/scheduler/point.h"

struct sim_platform;
struct sim_device;
struct sim_context;

/* The platform's map and the heaps and default pools of its devices. */
rill_status sim_memory_open(struct sim_platform *platform);
void sim_memory_close(struct sim_platform *platform);

/* ---- Pieces of the heap of kernels (kernel_heap.h) ---- */

struct allocation;

/* What a piece of so many bytes counts for. */
uint64_t sim_kernel_heap_weight(uint64_t bytes);

/* A piece of so many bytes does not count any more. */
void sim_kernel_heap_leave(struct sim_device *device, uint64_t bytes);

/* Gives back a piece that is out of the map. */
void sim_kernel_piece_free(struct sim_platform *platform, struct allocation *allocation);

/* Everything that the context allocated (not memory of pools). */
void sim_memory_release_context(struct sim_context *context);

/* ---- Copies and fills --------------------------------------------------- */

/* A checked copy, ready to run from any thread.  `staged` is a copy of the
 * source bytes when the source is pageable. */
struct sim_copy {
    uint64_t dst, src;
    size_t width, height, depth;
    size_t dst_pitch, dst_slice, src_pitch, src_slice; /* in bytes */
    bool from_pageable; /* the source must be read while the caller waits  */
    bool to_pageable;   /* the caller must wait for the destination        */
    bool touches_host;  /* a synchronous call must wait                    */
    struct sim_context *owners[2]; /* of either side, or NULL: nobody's     */
    void *staged;       /* owned; rl_alloc, freed by sim_copy_drop         */
};

/* Checks every argument against the map.  Copies of zero bytes give width 0. */
rill_status sim_copy_prepare(struct sim_context *context, const rill_copy *copy,
                             struct sim_copy *out);

/* The same for a node, which may also name what a graph has yet to allocate.  `context`
 * may be NULL: all memory is in reach. */
rill_status sim_copy_prepare_node(struct sim_platform *platform, struct sim_context *context,
                                  const rill_copy *copy, struct sim_copy *out);

/* The copy that programs make most: one row of bytes, between memory that the map
 * knows, for which nobody has to wait. */
struct sim_row {
    uint64_t dst, src;
    size_t bytes;
};

/* Tells whether nothing is wrong with a row between memory of these kinds, and nobody has to
 * wait for it; if not, sim_copy_prepare() says what is wrong. */
bool sim_row_is_ready(struct sim_context *context, rill_memory_kind dst_kind,
                      rill_memory_kind src_kind, const struct sim_row *row);

/* Tells whether a copy is such a row, and which. */
bool sim_copy_is_row(struct sim_context *context, const rill_copy *copy, struct sim_row *out);

/* Reads a pageable source now; the copy then runs from the staged bytes. */
rill_status sim_copy_stage(struct sim_copy *copy);
void sim_copy_run(const struct sim_copy *copy);
void sim_copy_drop(struct sim_copy *copy);

struct sim_fill {
    uint64_t dst;
    size_t pitch, width, height; /* width in elements */
    uint32_t value;
    uint32_t element_bytes;
    bool touches_host;
};

rill_status sim_fill_prepare(struct sim_context *context, const rill_fill *fill,
                             struct sim_fill *out);
rill_status sim_fill_prepare_node(struct sim_platform *platform, struct sim_context *context,
                                  const rill_fill *fill, struct sim_fill *out);

/* Checks a fill of one row.  Returns false if anything is wrong with it: sim_fill_prepare()
 * says what. */
bool sim_fill_row_prepare(struct sim_context *context, rill_devptr dst, uint32_t value,
                          uint32_t element_bytes, size_t count, struct sim_fill *out);

void sim_fill_run(const struct sim_fill *fill);

/* Whether value operations of the context reach `bytes` at an address: they lie in
 * one allocation or pinned range, of its device or of a peer's.  A pool of another
 * device is out of their reach, whatever access was given to it, and so is memory of
 * graphs, as measured. */
bool sim_memory_takes_values(struct sim_context *context, rill_devptr address, size_t bytes);

/* Whether `bytes` at an address are there for work that runs now: in one live
 * allocation or pinned range, or where a pool has its memory, since work that comes
 * before a free of the program's may use that still.  Of memory of a graph: between
 * the runs of its alloc node and its free. */
bool sim_memory_holds(struct sim_platform *platform, rill_devptr address, size_t bytes);

/* ---- Stream-ordered memory ---------------------------------------------- */

/* What the pools must know of the stream that allocates: its strand, and
 * whether its work is already ordered behind a point (by an earlier wait). */
struct sim_orderer {
    struct strand *strand;
    bool (*ordered_after)(const struct sim_orderer *orderer, struct point point);
};

/* Gives an address for an allocation in stream order.  `pool` NULL: the current
 * pool of `device`.  When *after.strand is set the caller must order the
 * allocation behind that point (it is retained for the caller).  0 bytes: the
 * address 0. */
rill_status sim_pool_acquire(struct sim_platform *platform, int device, rill_pool *pool,
                             size_t bytes, const struct sim_orderer *orderer,
                             rill_devptr *address, struct point *after);

/* Takes a never-submitted allocation back. */
void sim_pool_cancel(struct sim_platform *platform, rill_devptr address);

/* What a free in a stream has to do besides taking its place. */
enum free_kind {
    FREE_NOTHING, /* the address 0                                                */
    FREE_HEAP,    /* memory of mem_alloc: sim_free_run() when the stream gets there */
    FREE_POOL,    /* sim_free_at() when the place is known                        */
    FREE_GRAPH    /* sim_graph_free_at() then, and its run (graph_heap.h)         */
};

/* Marks `address` freed from the program's view; RILL_ERROR_INVALID_VALUE when
 * it is neither a live allocation as it was returned nor 0, which is nothing to
 * free. */
rill_status sim_free_prepare(struct sim_platform *platform, rill_devptr address,
                             enum free_kind *kind);
void sim_free_cancel(struct sim_platform *platform, rill_devptr address); /* also of 0 */
void sim_free_at(struct sim_platform *platform, rill_devptr address, struct point freed);
void sim_free_run(struct sim_platform *platform, rill_devptr address);

/* What a host thread has waited for: how much of a strand's timeline it knows to
 * be done, as the number of a point; 0: nothing. */
struct sim_known_points {
    uint64_t (*of)(const struct sim_known_points *known, const struct strand *strand);
};

/* A synchronize happened: what it shows to be freed is nobody's any more, and
 * pools of which there was any give back what exceeds their threshold.  Call it
 * while sim_pools_dirty(). */
void sim_pools_synchronized(struct sim_platform *platform, const struct sim_known_points *known);

/* ---- Slots -------------------------------------------------------------- */

rill_status sim_mem_acquire(rill_context *context, size_t bytes, rill_devptr *address);
rill_status sim_mem_acquire_pitch(rill_context *context, size_t width, size_t height,
                                  uint32_t element_bytes, rill_devptr *address, size_t *pitch);
rill_status sim_mem_release(rill_context *context, rill_devptr address);
rill_status sim_mem_range(rill_context *context, rill_devptr address, rill_devptr *base,
                          size_t *bytes);
rill_status sim_mem_info(rill_context *context, size_t *free_bytes, size_t *total_bytes);
rill_status sim_host_alloc(rill_context *context, size_t bytes, uint32_t flags, void **pointer);
rill_status sim_host_free(rill_context *context, void *pointer);
rill_status sim_host_register(rill_context *context, void *pointer, size_t bytes, uint32_t flags);
rill_status sim_host_unregister(rill_context *context, void *pointer);
rill_status sim_host_device_pointer(rill_context *context, void *pointer, rill_devptr *address);
rill_status sim_host_flags(rill_context *context, void *pointer, uint32_t *flags);
rill_status sim_pointer_info(rill_context *context, rill_devptr address, rill_pointer_info *info);
rill_status sim_set_sync_memops(rill_context *context, rill_devptr address, int on);

extern const struct rill_pool_ops sim_pool_ops;

#endif
