/* SPDX-License-Identifier: Apache-2.0
 *
 * Random programs while they are made: what generator.c and generator_graphs.c share.
 */
#ifndef GENERATOR_H
#define GENERATOR_H

#include "random/model.h"
#include "support/random.h"

/* A program in the making. */
struct generator {
    struct program *program;
    struct model model;
    struct dice dice;
    int weights[VERBS], total;
    int special;                      /* of 100 uses of a stream, how many go
                                         to a default stream               */
    int captured;                     /* of 100 steps that could be, how many are */
    int closed[THREADS_MAX][STEPS_MAX]; /* gates that the thread must open */
    int closed_count[THREADS_MAX];
    bool retired[GRAPHS_MAX];
    int versions[GRAPHS_MAX];
    bool stream_gone[STREAMS_MAX], event_gone[EVENTS_MAX], freed[STEPS_MAX];
};

/* The thread of the next step knows that the other one is over. */
static inline bool generator_knows(struct generator *generator, int step)
{
    return step < 0 || set_has(&generator->model.earlier[generator->model.known], step);
}

/* An event that is not shared is recorded only by who knows of all its uses, and
 * used only by who knows of all its records. */
bool generator_may_use_event(struct generator *generator, int event, bool records);

/* ---- generator_graphs.c ---------------------------------------------------------------- */

void generator_draw_graphs(struct generator *generator);

/* The rest of a step that uses an exec; false: there is none that it can use. */
bool generator_use_exec(struct generator *generator, struct step *s);

/* The latest use of an exec that the thread does not know of, to be awaited. */
bool generator_await_exec(struct generator *generator, struct step *s);

#endif
