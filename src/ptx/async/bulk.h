/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps of cp.async.bulk: copies and reductions of many bytes between global memory and
 * shared memory, also of other blocks of a cluster.
 *
 * They are done at once, as those of cp.async are, and then counted at their barrier.  All
 * addresses are generic ones.
 */
#ifndef PTX_ASYNC_BULK_H
#define PTX_ASYNC_BULK_H

#include "ptx/run/memory.h"

/* What `more` lists: columns of addresses of 8 bytes, of a number of bytes, of a mask of 16 bits
 * that has a bit for each block which gets a copy; or none.  The map is that of a tensor. */
enum bulk_column {
    BULK_TO, BULK_FROM, BULK_BYTES, BULK_BARRIER, BULK_BLOCKS, BULK_MAP, BULK_COLUMNS
};

/* Copies; or, if `kind` is an enum reduction, reduces what is there.  `width` is the type then. */
ptx_run ptx_bulk_step;

/* What a lane has in one of those columns, or 0 if there is none. */
uint64_t ptx_bulk_operand(struct ptx_group *group, const struct ptx_step *step, uint32_t which,
                          uint32_t lane);

/* Returns the place of bytes at an address, or NULL if they are not there; the lane has failed
 * then.  `misaligned` are bits that the address may not have. */
struct bulk_place {
    uint64_t address;
    uint32_t bytes, misaligned;
    bool write, atomic;
};
unsigned char *ptx_bulk_find(struct ptx_group *group, const struct ptx_step *step, uint32_t lane,
                             const struct bulk_place *place, bool *shared);

/* Calls a function with the address to write to, and the one of the barrier, for each block that
 * a lane's copy goes to.  Returns false if the lane has failed. */
typedef bool bulk_deliver(void *data, uint64_t to, uint64_t barrier);
bool ptx_bulk_deliver(struct ptx_group *group, const struct ptx_step *step, uint32_t lane,
                      bulk_deliver *deliver, void *data);

#endif
