/* SPDX-License-Identifier: Apache-2.0
 *
 * Leaks: allocations that went, or are still there at the end, without having been freed.
 *
 * The end of a context takes its memory back, and the memory of a pool stays as long as the
 * pool: both were left by the program all the same, which asked to be told.
 */
#ifndef CK_LEAKS_H
#define CK_LEAKS_H

#include "layer-check/access/verdict.h"

/* What one call site has allocated and nobody has freed.  The checker's lock protects it. */
struct ck_leak {
    struct ck_leak *next;
    const void *made;        /* the call site                    */
    enum ck_block_kind kind;
    uint64_t count, bytes;
    uint64_t born;           /* the lowest serial of those works */
};

struct ck_leaks {
    struct ck_leak *first;
    bool failed; /* memory was short */
};

/* Counts an allocation if nobody has freed it. */
void ck_leaks_note(struct ck_leaks *leaks, const struct ck_block *block);

void ck_leaks_fini(struct ck_leaks *leaks);

/* Adds up what has gone and what is in `memory` still. */
void ck_leaks_collect(struct ck_leaks *leaks, const struct ck_memory *memory);

/* Makes one of the leaks of one line.  Finds sources, so the caller should hold no lock. */
void ck_leaks_merge(struct ck_leaks *leaks);

/* Lists a finding for each leak, in the order in which they were allocated first, and forgets the
 * leaks.  Returns false if memory is short or was. */
bool ck_leaks_tell(struct ck_leaks *leaks, struct ck_verdicts *verdicts);

#endif
