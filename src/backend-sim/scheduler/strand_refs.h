/* SPDX-License-Identifier: Apache-2.0
 *
 * A pending wait keeps the strand that it waits for.  A strand that waits for the same one
 * again and again takes such references by the dozen, where it submits, and gives them
 * back by the dozen, where it runs: so most waits touch nothing that both sides write.
 */
#ifndef SIM_STRAND_REFS_H
#define SIM_STRAND_REFS_H

#include "backend-sim/scheduler/strand.h"

#define LOAN 64

/* The long ways: another strand than the last time, or a dozen is used up. */
void sim_loan_renew(struct strand *strand, struct strand *of);
void sim_loan_repay(struct strand *strand, struct strand *of);

/* A reference to `of`, for a wait in `strand`; under the submit lock of that. */
static inline void sim_loan_take(struct strand *strand, struct strand *of)
{
    if (strand->lender == of && strand->stock) strand->stock--;
    else sim_loan_renew(strand, of);
}

/* What was in stock is not needed any more; under the submit lock. */
void sim_loan_end(struct strand *strand);

/* The wait is over: for the owner of `strand`. */
static inline void sim_loan_return(struct strand *strand, struct strand *of)
{
    if (strand->creditor == of && strand->debts < LOAN) strand->debts++;
    else sim_loan_repay(strand, of);
}

/* Whatever is owed is given back: before the owner lets go of the strand. */
void sim_loan_settle(struct strand *strand);

#endif
