/* SPDX-License-Identifier: Apache-2.0
 *
 * Verdicts: from two steps that conflict to a finding.
 */
#ifndef CK_VERDICT_H
#define CK_VERDICT_H

#include "layer-check/access/memory.h"
#include "layer-check/report/report.h"

/* A finding with all that it points to. */
struct ck_verdict {
    struct ck_verdict *next;
    struct ck_finding finding;
    char what[2][1024], stream[2][80], sentence[2200], memory[640], advice[200], cause[48];
};

/* Findings that nobody was told of yet, the oldest first: told without the checker's lock, which
 * protects the list. */
struct ck_verdicts {
    struct ck_verdict *first, **end;
    size_t count;
};

/* Once there are so many, somebody should be told before more is judged: each is large. */
#define CK_VERDICTS_MANY 256u

void ck_verdicts_init(struct ck_verdicts *verdicts);

/* Frees verdicts that nobody is told of. */
void ck_verdicts_free(struct ck_verdicts *verdicts);

/* Moves all verdicts of another list to the end of a list. */
void ck_verdicts_move(struct ck_verdicts *verdicts, struct ck_verdicts *from);

/* Makes an empty verdict and lists it.  Returns NULL if memory is short. */
struct ck_verdict *ck_verdicts_add(struct ck_verdicts *verdicts, rill_finding_kind kind);

/* Fills in one end: 0 the later one, 1 the earlier one.  `does` may be NULL. */
void ck_verdict_set_end(struct ck_verdict *verdict, unsigned end, const struct ck_step *step,
                        const char *does);

/* Does the same for a call of the host's that is no work. */
void ck_verdict_set_call(struct ck_verdict *verdict, unsigned end, const struct ck_what *what,
                         const struct ck_who *who, uint64_t number);

void ck_verdict_set_memory(struct ck_verdict *verdict, const struct ck_block *block, uint64_t from,
                           uint64_t to);

/* Lists what is to be said of a conflict.  Returns false if memory is short. */
bool ck_verdicts_conflict(struct ck_verdicts *verdicts, const struct ck_conflict *conflict,
                          const struct ck_block *block);

/* Tells whether a conflict is one of lifetimes, not a race. */
bool ck_conflict_is_life(const struct ck_conflict *conflict);

#endif
