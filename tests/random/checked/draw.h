/* SPDX-License-Identifier: Apache-2.0
 *
 * Recorded programs while they are made from a seed.
 */
#ifndef CHECKED_DRAW_H
#define CHECKED_DRAW_H

#include "random/checked/promised.h"
#include "support/random.h"

/* Makes the program of a seed.  It is correct by construction: whatever conflicts is
 * ordered, by waits, synchronizations and edges that were put in for that. */
void draw_program(struct recorded *program, uint64_t seed);

/* ---- A program in the making ------------------------------------------------------------- */

struct drawing {
    struct recorded *program;
    struct promises promises; /* of the steps so far */
    struct dice dice;
    bool live[MEMORIES_MAX];
    bool values_wanted, graphs_wanted, captures_wanted, pools_wanted;
};

/* Adds a step, unless the program is full, whose thread is drawn. */
void draw_append(struct drawing *drawing, struct step step);

/* Adds a step after whatever orders it with what it conflicts with. */
void draw_ordered(struct drawing *drawing, struct step step);

/* Draws work for a stream, or for the host if `stream` is negative.  Returns false if
 * there is no memory for it. */
bool draw_work(struct drawing *drawing, int stream, struct work *work);

/* Draws other regions of the same memories for the work. */
void draw_regions(struct drawing *drawing, struct work *work);

/* Draws a stream that is not the legacy one, of a context unless it is negative. */
int draw_stream(struct drawing *drawing, int context);

/* Returns an event of the context that nothing has used. */
int draw_fresh_event(struct drawing *drawing, int context);

/* ---- draw_graphs.c, draw_captures.c ------------------------------------------------------ */

/* Makes a graph and an exec of it. */
void draw_graph(struct drawing *drawing);
void draw_capture(struct drawing *drawing);
void draw_launch(struct drawing *drawing);

/* Changes what a node of an exec does, or whether it does that, or all of them. */
void draw_exec_change(struct drawing *drawing);

/* Makes an exec of a graph that is complete. */
void draw_exec(struct drawing *drawing, int graph);

/* Whether the nodes of a graph that conflict are ordered by its edges. */
bool shape_is_ordered(const struct promises *promises, const struct graph_shape *shape);

/* Whether two nodes of a graph conflict, with all that is in them. */
bool nodes_conflict(const struct promises *promises, const struct graph_shape *shape, int one,
                    int other);

#endif
