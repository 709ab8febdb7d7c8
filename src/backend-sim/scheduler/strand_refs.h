/* SPDX-License-Identifier: Apache-2.0
 *
 * References in batches.
 *
 * A pending wait holds a reference to the strand that it waits for.  A strand that waits for the
 * same other strand again and again takes such references by the batch where it submits, and
 * gives them back by the batch where it runs, so most waits touch nothing that both sides write.
 */
#ifndef SIM_STRAND_REFS_H
#define SIM_STRAND_REFS_H

#include "backend-sim/scheduler/strand.h"

#define STRAND_REFS_BATCH 64

/* The slow paths of the next two: for another strand than the last time, or at the end of a
 * batch. */
void sim_strand_refs_restock(struct strand *strand, struct strand *of);
void sim_strand_refs_owe(struct strand *strand, struct strand *of);

/* Takes a reference to `of` for a wait in `strand`.  Requires strand->submit_lock. */
static inline void sim_strand_refs_take(struct strand *strand, struct strand *of)
{
    if (strand->ref_source == of && strand->refs_in_stock) strand->refs_in_stock--;
    else sim_strand_refs_restock(strand, of);
}

/* Gives back the references in stock.  Requires strand->submit_lock. */
void sim_strand_refs_drop(struct strand *strand);

/* Gives back the reference of a wait that is over; called by the owner of `strand`. */
static inline void sim_strand_refs_return(struct strand *strand, struct strand *of)
{
    if (strand->refs_owed_to == of && strand->refs_owed < STRAND_REFS_BATCH) strand->refs_owed++;
    else sim_strand_refs_owe(strand, of);
}

/* Gives back all references that are owed; called before the owner lets go of the strand. */
static inline void sim_strand_refs_flush(struct strand *strand)
{
    if (strand->refs_owed) sim_strand_return(strand->refs_owed_to, strand->refs_owed);
    strand->refs_owed = 0;
}

#endif
