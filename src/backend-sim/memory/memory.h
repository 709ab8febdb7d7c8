/* SPDX-License-Identifier: Apache-2.0
 *
 * The simulator's memory: an address map over all devices and host ranges,
 * heaps, pools, and copies and fills that are checked against the map when
 * they are submitted and run later.
 *
 * Device memory is ordinary memory of the process, in one reserved window for
 * each device: a device address is the address of the bytes.
 *
 * This is the header of the room: what other rooms need of it.
 */
#ifndef SIM_MEMORY_H
#define SIM_MEMORY_H

#include <rill/backend.h>

#include "backend-sim/scheduler/point.h"

struct sim_platform;
struct sim_device;
struct sim_context;

/* Opens the platform's address map and the heaps and default pools of its devices. */
rill_status sim_memory_open(struct sim_platform *platform);
void sim_memory_close(struct sim_platform *platform);

/* ---- Pieces of the heap of kernels (kernel/heap.h) ----------------------- */

struct allocation;

/* Returns what a piece of so many bytes counts for. */
uint64_t sim_kernel_heap_weight(uint64_t bytes);

/* Stops counting a piece of so many bytes. */
void sim_kernel_heap_leave(struct sim_device *device, uint64_t bytes);

/* Frees a piece that has left the map. */
void sim_kernel_piece_free(struct sim_platform *platform, struct allocation *allocation);

/* Frees everything that the context allocated, except for memory of pools. */
void sim_memory_release_context(struct sim_context *context);

/* ---- Copies and fills --------------------------------------------------- */

/* A checked copy, ready to run from any thread.  `staged` is a copy of the
 * source bytes when the source is pageable. */
struct sim_copy {
    uint64_t dst, src;
    size_t width, height, depth;
    size_t dst_pitch, dst_slice, src_pitch, src_slice; /* in bytes */
    bool from_pageable; /* the source must be read before the call returns */
    bool to_pageable;   /* the caller must wait for the destination        */
    bool touches_host;  /* a synchronous call must wait for the copy       */
    struct sim_context *owners[2]; /* of dst and src; NULL for memory of none */
    void *staged;       /* owned; freed by sim_copy_drop()                 */
};

/* Checks every argument against the map.  Copies of zero bytes give width 0. */
rill_status sim_copy_prepare(struct sim_context *context, const rill_copy *copy,
                             struct sim_copy *out);

/* Does the same for a node, which may also name memory that a graph has yet to allocate.
 * With a NULL `context`, all memory is in reach. */
rill_status sim_copy_prepare_node(struct sim_platform *platform, struct sim_context *context,
                                  const rill_copy *copy, struct sim_copy *out);

/* Has a copy, or a fill, that was checked work through the simulator's addresses (views.h). */
struct sim_fill;
void sim_copy_see(const struct sim_platform *platform, struct sim_copy *copy);
void sim_fill_see(const struct sim_platform *platform, struct sim_fill *fill);

/* The most frequent copy: one row of bytes between memory that the map knows, for which no
 * call has to wait. */
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

/* Say what a copy, a row or a fill demands (scheduler/demand.h). */
struct demand;
void sim_copy_demand(const struct sim_platform *platform, const struct sim_copy *copy,
                     struct demand *demand);
void sim_row_demand(const struct sim_platform *platform, const struct sim_row *row,
                    struct demand *demand);
void sim_fill_demand(const struct sim_fill *fill, struct demand *demand);

/* Tells whether value operations of the context reach `bytes` at an address, which must lie
 * in one allocation or pinned range of its device or of a peer.  As measured, they reach
 * neither pools of another device, whatever access was granted, nor memory of graphs. */
bool sim_memory_takes_values(struct sim_context *context, rill_devptr address, size_t bytes);

/* Tells whether work that runs now may use `bytes` at an address.  They must lie in one live
 * allocation or pinned range, or in memory that a pool holds, since work that precedes a
 * free in stream order may still use that.  Memory of a graph may be used from the run of
 * its alloc node to that of its free. */
bool sim_memory_holds(struct sim_platform *platform, rill_devptr address, size_t bytes);

/* ---- Stream-ordered memory ---------------------------------------------- */

/* What the pools must know about the stream that allocates: its strand, and whether an
 * earlier wait has ordered its work after a point. */
struct sim_orderer {
    struct strand *strand;
    bool (*ordered_after)(const struct sim_orderer *orderer, struct point point);
};

/* Allocates in stream order; 0 bytes are at the address 0.  A NULL `pool` is the current
 * pool of `device`.  If after->strand is set, the caller must order the allocation after
 * that point, whose strand is retained for the caller. */
rill_status sim_pool_acquire(struct sim_platform *platform, int device, rill_pool *pool,
                             size_t bytes, const struct sim_orderer *orderer,
                             rill_devptr *address, struct point *after);

/* Withdraws an allocation that was never submitted. */
void sim_pool_cancel(struct sim_platform *platform, rill_devptr address);

/* What a free in a stream has to do. */
enum free_kind {
    FREE_NOTHING, /* the address 0                                                */
    FREE_HEAP,    /* memory of mem_alloc: sim_free_run() when the stream gets there */
    FREE_POOL,    /* sim_free_at() when the place is known                        */
    FREE_GRAPH    /* sim_graph_free_at() then, and its run (graph_heap.h)         */
};

/* Marks `address` freed for the program.  Fails with RILL_ERROR_INVALID_VALUE unless it is
 * the start of a live allocation, or 0, which frees nothing. */
rill_status sim_free_prepare(struct sim_platform *platform, rill_devptr address,
                             enum free_kind *kind);
void sim_free_cancel(struct sim_platform *platform, rill_devptr address); /* also of 0 */
void sim_free_at(struct sim_platform *platform, rill_devptr address, struct point freed);
void sim_free_run(struct sim_platform *platform, rill_devptr address);

/* What a host thread has waited for.  `of` returns the number of the last point of a strand
 * that the thread knows to be reached, or 0. */
struct sim_known_points {
    uint64_t (*of)(const struct sim_known_points *known, const struct strand *strand);
};

/* Follows a synchronize: blocks whose frees are now known to have happened become free, and
 * pools that had any unclaim what exceeds their threshold.  Call it if
 * sim_pools_dirty(). */
void sim_pools_synchronized(struct sim_platform *platform, const struct sim_known_points *known);

/* ---- Managed memory ----------------------------------------------------- */

/* Has memory of a device that is freed, and that other processes may have open, be this process's
 * alone. */
void sim_memory_unshare(struct sim_platform *platform, uint64_t base);

/* Checks an attachment of managed memory, of which nothing remains to be done: the host and all
 * devices reach that memory at all times.  `shared` says that the stream stands for all. */
rill_status sim_attachment_check(struct sim_platform *platform, rill_devptr address, size_t bytes,
                                 uint32_t flags, bool shared);

/* ---- Slots -------------------------------------------------------------- */

rill_status sim_mem_acquire(rill_context *context, size_t bytes, rill_devptr *address);
rill_status sim_mem_acquire_pitch(rill_context *context, size_t width, size_t height,
                                  uint32_t element_bytes, rill_devptr *address, size_t *pitch);
rill_status sim_mem_acquire_managed(rill_context *context, size_t bytes, uint32_t flags,
                                    rill_devptr *address);
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
