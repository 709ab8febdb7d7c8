/* SPDX-License-Identifier: Apache-2.0
 *
 * Red zones: bytes behind allocations of device, pinned and managed memory, laid by the backend
 * (its guards).  Who writes there, as the host and functions of C can, is found when the
 * allocation is freed, or at the end.
 */
#ifndef CK_REDZONES_H
#define CK_REDZONES_H

#include "layer-check/access/verdict.h"

struct rill_watch_ops;

struct ck_redzones {
    const struct rill_watch_ops *watch; /* NULL if the backend has laid none; fixed, as is ... */
    rill_platform *platform;            /* ... this                                          */
};

/* Has the backend lay them, if it can, when the platform was just opened. */
void ck_redzones_lay(struct ck_redzones *redzones, rill_platform *platform,
                     const struct rill_watch_ops *watch);

/* Returns the first byte behind the allocation at `base`, also one that was just freed, that was
 * written, or 0. */
uint64_t ck_redzones_broken(const struct ck_redzones *redzones, uint64_t base);

/* Lists what is to be said of a red zone that was found broken by a call.  Returns false if
 * memory is short. */
bool ck_redzones_tell(struct ck_verdicts *verdicts, const struct ck_block *block, uint64_t broken,
                      const struct ck_what *what, uint64_t serial);

/* Looks behind all allocations that are there.  Returns false if memory is short. */
bool ck_redzones_look(const struct ck_redzones *redzones, const struct ck_memory *memory,
                      struct ck_verdicts *verdicts, uint64_t serial);

#endif
