/* SPDX-License-Identifier: Apache-2.0
 *
 * Guards behind allocations of device memory, laid by the backend: who writes behind an
 * allocation, as only functions of C can, is found when it is freed, or at the end.
 */
#ifndef CK_GUARDS_H
#define CK_GUARDS_H

#include "layer-check/access/verdict.h"

struct rill_watch_ops;

struct ck_guards {
    const struct rill_watch_ops *watch; /* NULL: the backend has laid none; fixed, as is ... */
    rill_platform *platform;            /* ... this                                          */
};

/* Has the backend lay guards, if it can, when the platform was just opened. */
void ck_guards_lay(struct ck_guards *guards, rill_platform *platform,
                   const struct rill_watch_ops *watch);

/* Returns the first byte behind the allocation at `base`, also one that was just freed, that was
 * written, or 0. */
uint64_t ck_guards_broken(const struct ck_guards *guards, uint64_t base);

/* Lists what is to be said of a guard that was found broken by the call at `site`, `count` works
 * after the first.  Returns false if memory is short. */
bool ck_guards_tell(struct ck_verdicts *verdicts, const struct ck_block *block, uint64_t broken,
                    const struct ck_what *what, uint64_t serial);

/* Looks behind all allocations that are there.  Returns false if memory is short. */
bool ck_guards_look(const struct ck_guards *guards, const struct ck_memory *memory,
                    struct ck_verdicts *verdicts, uint64_t serial);

#endif
