/* SPDX-License-Identifier: Apache-2.0
 *
 * All strands of an engine, and what they have counted.
 */
#include "backend-sim/scheduler/engine.h"

void sim_engine_add_strand(struct engine *engine, struct strand *strand)
{
    rl_lock(&engine->strands_lock);
    strand->next = engine->strands;
    if (engine->strands) engine->strands->previous = strand;
    engine->strands = strand;
    rl_unlock(&engine->strands_lock);
}

static void add_counters(struct strand_counters *sum, const struct strand *strand)
{
    if (!atomic_load_explicit(&strand->counts_launches, memory_order_relaxed))
        sum->operations += atomic_load_explicit(&strand->completed, memory_order_relaxed);
    sum->helped += atomic_load_explicit(&strand->helped, memory_order_relaxed);
    sum->parks += atomic_load_explicit(&strand->parks, memory_order_relaxed);
}

void sim_engine_remove_strand(struct engine *engine, struct strand *strand)
{
    rl_lock(&engine->strands_lock);
    add_counters(&engine->counted, strand);
    if (strand->previous) strand->previous->next = strand->next;
    else engine->strands = strand->next;
    if (strand->next) strand->next->previous = strand->previous;
    rl_unlock(&engine->strands_lock);
}

struct strand_counters sim_engine_count(struct engine *engine)
{
    rl_lock(&engine->strands_lock);
    struct strand_counters sum = engine->counted;
    for (const struct strand *s = engine->strands; s; s = s->next) add_counters(&sum, s);
    rl_unlock(&engine->strands_lock);
    return sum;
}
