/* SPDX-License-Identifier: Apache-2.0
 *
 * What puts accesses of threads in order.
 *
 * The accesses, fences and meetings of a launch are numbered as they happen: its time.  Of two
 * threads the order knows, by such times, what one of them has certainly not seen of the other:
 *
 * - At a barrier, or where a warp meets, threads see all that those have done who came there.
 * - A strong store or atomic operation that follows a fence, or is itself a release, publishes
 *   what its thread knew at the fence, and what others had fenced before they met it.  A strong
 *   load or atomic operation that finds such a value acquires.  What is published and what is
 *   acquired later is in order; by which value is not asked.
 *
 * So two accesses that are said to be in no order have none.  Some that have none are not found.
 */
#ifndef PTX_CHECK_ORDER_H
#define PTX_CHECK_ORDER_H

#include "ptx/check/pages.h"

#define PTX_ORDER_WARP 32u
#define PTX_ORDER_WARPS 32u   /* of a block, at most                          */
#define PTX_ORDER_BARRIERS 16u

/* Whom a fence is for. */
enum ptx_reach { PTX_IN_BLOCK, PTX_IN_GRID, PTX_REACHES };

/* The order of a launch, or of one block that nobody compares with others. */
struct ptx_order {
    uint32_t now;              /* the last time                               */
    bool over;                 /* there are no more times: nothing is said any longer */
    uint32_t threads;          /* of a block                                  */
    uint64_t blocks;           /* that there are                              */
    uint32_t grid[3], cluster[3]; /* in blocks; a cluster of 1 by 1 by 1 is none */
    uint32_t **published;      /* by block, by thread: to the grid; or NULL   */
    struct ptx_allowance allowance;
};

/* What a thread last did. */
struct ptx_order_thread {
    uint32_t acquired;         /* when it last found what was published       */
    uint32_t fenced[PTX_REACHES]; /* when, ...                                */
    uint32_t met[PTX_REACHES], warp_met[PTX_REACHES]; /* ... and since when its block, and its
                                  warp, had not met by then                   */
    uint32_t told[PTX_REACHES]; /* up to which of its fences it has published */
};

/* The threads of a block that runs. */
struct ptx_order_block {
    struct ptx_order *order;
    uint64_t number;
    uint32_t met;              /* when all threads met last                   */
    uint32_t cluster_met;      /* when those of its cluster did               */
    uint32_t warp_met[PTX_ORDER_WARPS];
    uint32_t (*pairs[PTX_ORDER_WARPS])[PTX_ORDER_WARP]; /* by lane: up to when it has seen each
                                  other lane; NULL before some lanes met alone */
    uint32_t (*rows)[PTX_ORDER_WARPS]; /* the same of whole warps             */
    uint32_t arrived[PTX_ORDER_BARRIERS][PTX_ORDER_WARPS]; /* when, in this phase; or 0 */
    uint32_t waits[PTX_ORDER_BARRIERS]; /* warps that do                      */
    uint32_t looked, warp_looked[PTX_ORDER_WARPS]; /* when fences of others were last published */
    bool fences[PTX_REACHES];  /* of others that met since: there are some    */
    struct ptx_order_thread *threads;
    uint32_t *published;       /* by thread: to the block                     */
};

void ptx_order_fini(struct ptx_order *order);

/* Returns the next time. */
uint32_t ptx_order_next(struct ptx_order *order);

/* Begin a block, in memory of zeros or of another block.  Returns false if memory is short. */
bool ptx_order_begin(struct ptx_order_block *block, struct ptx_order *order, uint64_t number);
void ptx_order_end(struct ptx_order_block *block);

/* ---- What happens; threads and warps are counted in their block -------------------------- */

void ptx_order_fence(struct ptx_order_block *block, uint32_t thread, enum ptx_reach reach);

/* A strong store publishes.  Returns whether it did, to its block and to the grid, as bits.
 * `releases`: without a fence. */
unsigned ptx_order_publish(struct ptx_order_block *block, uint32_t thread, enum ptx_reach reach,
                           bool releases);

void ptx_order_acquire(struct ptx_order_block *block, uint32_t thread);

/* The lanes of a warp meet; `all`: all that have not exited. */
void ptx_order_meet_warp(struct ptx_order_block *block, uint32_t warp, uint32_t lanes, bool all);

/* A warp, or some lanes of it, come to a barrier, and wait there or go on.  Later it is complete,
 * where `left` are the warps that have not exited. */
void ptx_order_arrive(struct ptx_order_block *block, uint32_t barrier, uint32_t warp, bool waits);
void ptx_order_complete(struct ptx_order_block *block, uint32_t barrier, uint32_t left);
void ptx_order_meet_all(struct ptx_order_block *block);

/* The phase of the cluster's barrier is over, for one of its blocks. */
void ptx_order_meet_cluster(struct ptx_order_block *block);

/* ---- What is in order --------------------------------------------------------------------- */

/* Returns true if a thread of the block is known to see what `other`, counted in the grid, did at
 * that time. */
bool ptx_order_sees(const struct ptx_order_block *block, uint32_t thread, uint64_t other,
                    uint32_t time);

#endif
