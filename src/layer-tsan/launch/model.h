/* SPDX-License-Identifier: Apache-2.0
 *
 * The nodes of an exec as this layer needs them: places in a line in which each comes after those
 * that it depends on.  What is inside a child graph or a conditional lies between the place of
 * its node and a place for its end.
 *
 * ts_order.lock protects it.
 */
#ifndef TS_MODEL_H
#define TS_MODEL_H

#include <rill/backend.h>

#include "layer-tsan/order/stream.h"

struct ts_place {
    rill_op_kind kind;
    rill_node node;
    bool is_end;                /* of what is inside a node: comes after all places from ... */
    uint32_t begin;             /* ... this one on                                   */
    bool loops;                 /* in a body of a conditional: runs often, or never  */
    bool disabled;
    uint32_t first, count;      /* of those right before it, in ts_model.before      */
    struct ts_event *event;     /* of a record or a wait, or NULL                    */
    struct ts_access accesses[2];
    unsigned access_count;
    bool reads;                 /* pageable memory, when it is launched: ...         */
    struct ts_access read;      /* ... this                                          */
};

struct ts_model {
    unsigned references;
    uint32_t count, room;
    struct ts_place *places;
    uint32_t *before, before_count, before_room;
    uint32_t *numbers, number_count; /* places plus 1, by a watcher's numbers; 0: none */
    bool failed;                     /* memory was short                               */
};

/* What a model is read with. */
struct ts_survey {
    const struct rill_backend *beneath;
    rill_context *context;
    /* Returns the event's, retained. */
    struct ts_event *(*event)(rill_event *event);
    /* Notes what a copy or fill touches that the host sees. */
    void (*look)(rill_context *context, const rill_op *op, struct ts_place *place);
};

/* Reads a graph.  Returns NULL if memory is short, or the graph cannot be read. */
struct ts_model *ts_model_create(const struct ts_survey *survey, rill_graph *graph);

/* Notes by which numbers a watcher knows the nodes of an exec. */
void ts_model_number(const struct ts_survey *survey, struct ts_model *model, rill_exec *exec);

/* Takes the numbers and handles of a model of the same shape.  Returns false if it is another. */
bool ts_model_take_numbers(struct ts_model *model, struct ts_model *old);

/* Has the place of a node do something else. */
void ts_model_set_op(const struct ts_survey *survey, struct ts_model *model, rill_node node,
                     const rill_op *op);
void ts_model_set_enabled(struct ts_model *model, rill_node node, bool enabled);

void ts_model_release(struct ts_model *model); /* which may be NULL */

#endif
