/* SPDX-License-Identifier: Apache-2.0
 *
 * Webs: random graphs that check themselves.
 *
 * A web is made of knots, each of which runs once in every launch, as a host
 * function or a kernel.  When it does, the knots before it have run in this
 * launch, those behind it have not, and every knot has in the launch before.
 */
#ifndef WEB_H
#define WEB_H

#include "support/random.h"
#include "support/sized_platform.h"

struct web;

struct knot {
    struct web *web;
    struct knot *self;     /* what the kernel is given */
    uint32_t first, count; /* of the knots before it, in web->before       */
    int after;             /* one that depends on it, or -1                */
    unsigned weight;       /* from 0: how much it makes of the web's heat  */
    unsigned told;         /* runs; no atomic, so that what checks threads
                              sees each order that is missing              */
    atomic_uint runs;
};

enum web_shape { WEB_CHAIN, WEB_FAN, WEB_LAYERS, WEB_TREE, WEB_SPARSE, WEB_PIECES, WEB_SHAPES };

/* What knots cost: nothing; a few of them 1 us; 50 us; one of them some ms. */
enum web_heat { WEB_COLD, WEB_WARM, WEB_HOT, WEB_LOPSIDED, WEB_HEATS };

struct web {
    int knots;
    struct knot *knot;
    uint32_t *before;
    rill_graph *graph;
    rill_exec *exec;
    rill_node *node;
    unsigned launched;           /* the launching thread's               */
    atomic_int heat;             /* enum web_heat                        */
    atomic_uint_least64_t total; /* runs of all knots                    */
    void (*in_between)(struct knot *knot); /* called in each, or NULL    */
    void *data;                  /* its                                  */
};

/* A module with the kernel that runs a knot. */
struct web_kit {
    struct sized_platform *sized;
    int workers;
    rill_module *module;
    rill_kernel *kernel;
};

void web_kit_open(struct web_kit *kit, struct sized_platform *sized, int workers);
void web_kit_close(struct web_kit *kit);

/* What a node that is this knot does. */
void web_op(const struct web_kit *kit, struct knot *knot, bool kernel, rill_op *op);

struct web *web_make(const struct web_kit *kit, struct dice *dice, enum web_shape shape,
                     int knots);
void web_freeze(struct web *web);

/* Launches it; the stream's next operation checks that this launch is over. */
void web_launch(struct web *web, rill_stream *stream);

/* All launches are over: each ran all there is. */
void web_check(struct web *web);
void web_free(struct web *web);

/* Runs a knot, with `data` the knot. */
void web_run(void *data);

void web_spin(unsigned us);

#endif
