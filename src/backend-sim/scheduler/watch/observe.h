/* SPDX-License-Identifier: Apache-2.0
 *
 * The one place where an operation's life is observed.  Nothing here is called unless an
 * observer is installed (ATTEND_OBSERVER).
 */
#ifndef SIM_OBSERVE_H
#define SIM_OBSERVE_H

#include <rill/sim.h>

struct cell;
struct strand;
struct submission;
struct observer;
struct engine;

/* What is known of an operation while it runs, since its cell may be freed by the end.
 * `seen.size` is 0 if the observer does not see the operation. */
struct sighting {
    rill_sim_sighting seen;
    char label[RILL_LABEL_MAX]; /* `seen` points here */
};

/* Shows what was added, before it is published. */
void sim_observe_submitted(const struct submission *submission);

/* Show that the operation is ready and starts, and that it is done. */
void sim_observe_started(struct sighting *sighting, struct strand *strand, const struct cell *cell,
                         uint64_t number);
void sim_observe_done(struct sighting *sighting, struct strand *strand, uint64_t number);

/* A node of a launch. */
struct observed_node {
    uint64_t point;  /* of the launch, on its strand's timeline */
    uint64_t number;
    rill_op_kind kind;
    const char *name;
};

/* Shows that the node starts or is done. */
void sim_observe_node(struct strand *strand, const struct observed_node *node,
                      rill_sim_moment moment);

/* Installs a copy of the observer, or none.  Returns once no thread is inside the observer that
 * was installed before. */
void sim_observer_set(struct engine *engine, const rill_sim_observer *observer);

rill_status sim_observer_create(struct observer **observer);
void sim_observer_destroy(struct observer *observer);

#endif
