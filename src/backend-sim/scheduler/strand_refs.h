/* SPDX-License-Identifier: Apache-2.0
 *
 * A pending wait keeps the strand that it waits for.  A strand that waits for the same one
 * again and again takes such references by the dozen, where it submits, and gives them
 * back by the dozen, where it runs: so most waits touch nothing that both sides write.
 */
#ifndef SIM_STRAND_REFS_H
#define SIM_STRAND_REFS_H

#include "backend-sim/scheduler/strand.h"

#define STRAND_REFS_BATCH 64

/* The long ways: another strand than the last time, or a dozen is used up. */
void sim_strand_refs_restock(struct strand *strand, struct strand *of);
void sim_strand_refs_owe(struct strand *strand, struct strand *of);

/* A reference to `of`, for a wait in `strand`; under the submit lock of that. */
static inline void sim_strand_refs_take(struct strand *strand, struct strand *of)
{
    if (strand->ref_source == of && strand->refs_in_stock) strand->refs_in_stock--;
    else sim_strand_refs_restock(strand, of);
}

/* What was in stock is not needed any more; under the submit lock. */
void sim_strand_refs_drop(struct strand *strand);

/* The wait is over: for the owner of `strand`. */
static inline void sim_strand_refs_return(struct strand *strand, struct strand *of)
{
    if (strand->refs_owed_to == of && strand->refs_owed < STRAND_REFS_BATCH) strand->refs_owed++;
    else sim_strand_refs_owe(strand, of);
}

/* Whatever is owed is given back: before the owner lets go of the strand. */
void sim_strand_refs_flush(struct strand *strand);

#endif
