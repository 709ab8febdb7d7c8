/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/scheduler/strand_refs.h"

void sim_loan_end(struct strand *strand)
{
    if (strand->stock) sim_strand_release_many(strand->lender, strand->stock);
    strand->stock = 0;
}

void sim_loan_renew(struct strand *strand, struct strand *of)
{
    /* Not at the first wait: it may be the only one. */
    uint32_t count = strand->lender == of ? LOAN : 1;
    sim_loan_end(strand);
    atomic_fetch_add_explicit(&of->references, count, memory_order_relaxed);
    strand->lender = of;
    strand->stock = count - 1;
}

void sim_loan_settle(struct strand *strand)
{
    if (strand->debts) sim_strand_return(strand->creditor, strand->debts);
    strand->debts = 0;
}

void sim_loan_repay(struct strand *strand, struct strand *of)
{
    sim_loan_settle(strand);
    strand->creditor = of;
    strand->debts = 1;
}
