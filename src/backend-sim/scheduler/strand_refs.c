/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/scheduler/strand_refs.h"

void sim_strand_refs_drop(struct strand *strand)
{
    if (strand->refs_in_stock) sim_strand_release_many(strand->ref_source, strand->refs_in_stock);
    strand->refs_in_stock = 0;
}

void sim_strand_refs_restock(struct strand *strand, struct strand *of)
{
    /* Not at the first wait: it may be the only one. */
    uint32_t count = strand->ref_source == of ? STRAND_REFS_BATCH : 1;
    sim_strand_refs_drop(strand);
    atomic_fetch_add_explicit(&of->references, count, memory_order_relaxed);
    strand->ref_source = of;
    strand->refs_in_stock = count - 1;
}

void sim_strand_refs_owe(struct strand *strand, struct strand *of)
{
    sim_strand_refs_flush(strand);
    strand->refs_owed_to = of;
    strand->refs_owed = 1;
}
