/* SPDX-License-Identifier: Apache-2.0
 *
 * What the driver knows of an address.
 */
#ifndef CUDA_MEMORY_POINTER_H
#define CUDA_MEMORY_POINTER_H

#include "backend-cuda/context/context.h"

struct cuda_address {
    bool known; /* if not, all other fields are zero */
    bool host;
    bool sync_memops, mapped, managed, shareable;
    int device;         /* ordinal */
    CUcontext context;  /* NULL for memory of a pool */
    CUmemoryPool pool;
    rill_devptr base;
    size_t bytes;
    uint64_t id;
};

/* Asks the driver for an address, in the context, or without one if `context` is NULL or cannot
 * be entered.  The result is that of the driver, which knows no address for an error. */
CUresult cuda_lookup(const struct cuda_context *context, rill_devptr address,
                     struct cuda_address *found);

/* Returns the context that has the memory, or NULL if it is none of rill's. */
struct cuda_context *cuda_find_owner(struct cuda_platform *platform, rill_devptr address);

/* Describes an address in words that follow "0x7f00 is". */
const char *cuda_describe_address(const struct cuda_address *found);

/* Says why the driver refused in `call` to free an address, as far as one can see. */
rill_status cuda_explain_free(const struct cuda_context *context, CUresult result,
                              const char *call, rill_devptr address);

/* Slots of the memory table. */
rill_status cuda_pointer_info(rill_context *context, rill_devptr address, rill_pointer_info *info);
rill_status cuda_set_sync_memops(rill_context *context, rill_devptr address, int on);

#endif
