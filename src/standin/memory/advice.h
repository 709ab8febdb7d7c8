/* SPDX-License-Identifier: Apache-2.0
 *
 * What a program has said of its managed memory, page by page: where it wants it, and where it
 * was prefetched to.  Simulated memory never moves, so this is kept to be asked for.
 */
#ifndef SI_ADVICE_H
#define SI_ADVICE_H

#include <stdbool.h>

#include "standin/abi/abi.h"

/* The advice for a stretch of memory; locations of type NONE are none. */
struct si_advice {
    bool read_mostly;
    CUmemLocation preferred, prefetched;
    uint64_t devices; /* bit n: device n accesses it */
    bool host;        /* the host does               */
};

/* Changes the advice for some memory. */
typedef void si_advise_fn(struct si_advice *advice, const void *what);

/* Calls `advise` for all pages of the range, which lies in the allocation that `info` describes.
 * Returns OUT_OF_MEMORY, and changes nothing, if memory is short. */
CUresult si_advise(const rill_pointer_info *info, CUdeviceptr address, size_t bytes,
                   si_advise_fn *advise, const void *what);

/* Returns what holds for all pages of the range: what differs from one to another is none. */
struct si_advice si_advice_of(const rill_pointer_info *info, CUdeviceptr address, size_t bytes);

/* Forgets what was said of the memory that began there, and was freed. */
void si_advice_forget(CUdeviceptr base);

#endif
