/* SPDX-License-Identifier: Apache-2.0
 *
 * What ran so far on the virtual clock, and when.
 */
#ifndef SIM_HISTORY_H
#define SIM_HISTORY_H

#include <rill/sim.h>

#include "backend-sim/clock/engines.h"

struct history {
    rill_sim_span *spans; /* in the order in which they began; names are in `names` */
    size_t count, room;
    uint64_t left_out;    /* for lack of memory */
    struct span_name {
        struct span_name *next;
        char text[];
    } *names;
    size_t first;         /* the number of the first: those before were forgotten */
};

/* Adds a span.  Returns its number, or NO_SPAN if there is no memory for it. */
size_t sim_history_add(struct history *history, const rill_sim_span *span);

/* Returns a span by its number, or NULL if it was forgotten. */
rill_sim_span *sim_history_span(struct history *history, size_t number);

/* Forgets all spans. */
void sim_history_clear(struct history *history);
void sim_history_fini(struct history *history);

/* Makes the caller's copy, with what follows from the spans.  Returns NULL if memory is short. */
rill_sim_history *sim_history_copy(const struct history *history);

#endif
