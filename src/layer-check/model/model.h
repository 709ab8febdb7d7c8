/* SPDX-License-Identifier: Apache-2.0
 *
 * Models of execs: what each node does, and the shape of all of them.
 *
 * A model never changes once a launch has it: to set a node, a new one is made that shares
 * the shape and the other nodes.
 */
#ifndef CK_MODEL_H
#define CK_MODEL_H

#include "layer-check/model/notes.h"
#include "layer-check/model/shape.h"
#include "layer-check/order/values.h"

/* The state of an event, which nodes keep beyond the event's end. */
struct ck_event_state {
    uint32_t references;
    bool ended;                 /* the event is gone: nodes that record it do nothing      */
    struct ck_event event;
    const rill_stream *captured; /* the stream in whose capture it was recorded last, ...  */
    uint64_t captured_at;        /* ... and how much had been captured there, see forks.c   */
    const void *captured_site;   /* of that record, or NULL                                */
};

/* Ends the state of an event that is destroyed; nodes may keep it. */
void ck_event_state_end(struct ck_event_state *state);

/* What a node does.  Shared by models; the checker's lock protects the references. */
struct ck_node {
    uint32_t references;
    struct ck_what what;
    rill_node handle;         /* of the graph that the exec was made from, or one inside it */
    uint64_t born;            /* see ck_note */
    bool disabled;
    struct ck_event_state *event; /* of a record or a wait; retained */
    rill_value *values;       /* of a values node */
    size_t value_count;
    size_t row_count;
    rill_touched rows[];
};

/* Addresses from one up to another one; none if `to` is 0. */
struct ck_hull {
    uint64_t from, to;
};

struct ck_model {
    uint32_t references;
    struct ck_shape *shape;
    bool bodies;
    bool touches;             /* some nodes say what they touch                         */
    bool effects;             /* some nodes record or wait for events, or have values */
    struct ck_hull host;      /* memory of the host's that nodes copy from or to lies in it */
    struct ck_node *nodes[];  /* by number, from 1; NULL: the end of a child graph or a
                                 conditional */
};

/* What is asked while a model is made. */
struct ck_survey {
    const struct rill_backend *beneath;
    /* Return the notes of a graph, the state of an event (retained) and the lasting name of a
     * kernel; or NULL. */
    struct ck_notes *(*notes)(void *data, rill_graph *graph);
    struct ck_event_state *(*event)(void *data, rill_event *event);
    const char *(*kernel_name)(void *data, rill_kernel *kernel);
    void *data;
    const void *site; /* of the call, for nodes without a note */
    uint64_t born;    /* ditto */
};

/* Makes a model of a graph.  Returns NULL if it cannot be read, or memory is short. */
struct ck_model *ck_model_create(const struct ck_survey *survey, rill_graph *graph);
void ck_model_release(struct ck_model *model); /* which may be NULL */

/* Puts something else in place of a node of *model, which another model takes the place of if a
 * launch has it.  A node that is a graph or a conditional stays as it was.  Returns false if memory
 * is short. */
bool ck_model_set_op(const struct ck_survey *survey, struct ck_model **model, rill_node handle,
                     const rill_op *op);
bool ck_model_set_enabled(struct ck_model **model, rill_node handle, bool enabled);

/* Makes the inside of a launch, which retains the model.  Returns NULL if memory is short. */
struct ck_inside *ck_launch_create(struct ck_model *model);

/* Tells the number for the rounds in which a node runs, or 0 if there are no more.  Returns false
 * if memory is short. */
bool ck_launch_round(struct ck_inside *inside, const uint32_t *rounds, uint32_t depth,
                     uint16_t *number);

/* Returns the model of a launch. */
struct ck_model *ck_launch_model(struct ck_inside *inside);

#endif
