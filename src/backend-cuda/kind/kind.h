/* SPDX-License-Identifier: Apache-2.0
 *
 * What the backend knows of a kind of operation, as a node and in a stream: one row for each
 * kind, in the kind's own file.  A new kind is such a file and a line of CUDA_KINDS.
 *
 * Newer drivers add and set nodes of any kind by one call (cuGraphAddNode of CUDA 12.3,
 * cuGraphNodeSetParams and cuGraphExecNodeSetParams of 12.2), which takes what `write` wrote.
 * The `typed_` slots are for drivers without these calls, which have a call for each kind.
 */
#ifndef CUDA_KIND_KIND_H
#define CUDA_KIND_KIND_H

#include "backend-cuda/context/stream.h"
#include "backend-cuda/kind/kernel.h"
#include "backend-cuda/object/graph.h"

struct cuda_box;

#define CUDA_VALUES_MOST 255 /* operations of a batch */

/* ---- What a kind is asked with -------------------------------------------------------- */

/* Where an operation is going to be a node. */
struct cuda_site {
    struct cuda_platform *platform;
    struct cuda_context *context; /* of the operation, or NULL if it needs none */
    bool replaces; /* the node is there already, in a graph or an exec */
};

/* What the driver's parameters of an operation point at, until the call that takes the
 * parameters has returned. */
struct cuda_room {
    struct cuda_packed packed;
    struct cuda_box *box; /* of a host function with a `destroy`, else NULL: the caller gives it to
                             the graph or drops it */
    CUmemAccessDesc access[64];
    CUstreamBatchMemOpParams values[CUDA_VALUES_MOST];
};

/* A node on its way into a graph. */
struct cuda_addition {
    const struct cuda_kind *kind;
    struct cuda_graph *graph;
    const rill_node *dependencies;
    const rill_edge *edges; /* NULL if none carries data */
    size_t count;           /* of dependencies and edges */
    rill_op *op;
    struct cuda_context *context; /* of the operation, or NULL */
    struct cuda_node_params params;
    struct cuda_box *box; /* as in the room */
    CUgraphNode node;     /* out */
};

/* A node of a graph on its way to another operation of its kind. */
struct cuda_change {
    const struct cuda_kind *kind;
    struct cuda_graph *graph;
    CUgraphNode node;
    const rill_op *op;
    struct cuda_node_params params;
    struct cuda_box *box; /* as in the room */
};

/* The driver refused an operation. */
struct cuda_refusal {
    const struct cuda_platform *platform;
    const struct cuda_context *context; /* of the operation, or NULL */
    CUresult result;
    const char *call; /* the driver's name for what was called */
    const rill_op *op;
};

/* ---- A row ----------------------------------------------------------------------------- */

enum {
    CUDA_KIND_IS_FIXED = 1,     /* a node stays as it was added              */
    CUDA_KIND_SAYS_NOTHING = 2, /* an operation has nothing that can be set  */
    CUDA_KIND_CAN_REST = 4,     /* a node can be disabled in an exec         */
};

/* Whether a context has to be current when a node is added. */
enum cuda_entering {
    CUDA_ENTER,              /* where there is one                              */
    CUDA_ENTER_IF_PERMITTED, /* but not inside a host function, where the driver
                                has an answer of its own, as measured           */
    CUDA_ENTER_NEVER,        /* the driver adds the node inside a host function
                                as well, as measured                            */
};

struct cuda_kind {
    rill_op_kind op;
    unsigned traits;             /* CUDA_KIND_... */
    enum cuda_entering entering; /* to add a node; to set one it is IF_PERMITTED */

    /* context_of returns the context that the operation itself names.  NULL: none does. */
    struct cuda_context *(*context_of)(const rill_op *op);
    /* find_context returns the context of an operation in a graph that has no home, or NULL
     * if there is none.  NULL: the kind needs no context. */
    struct cuda_context *(*find_context)(const struct cuda_graph *graph, const rill_op *op);

    /* write makes the driver's parameters, which are all zero but for their type.  A call
     * that fails has given the data of a host function back. */
    rill_status (*write)(const struct cuda_site *site, const rill_op *op,
                         struct cuda_node_params *params, struct cuda_room *room);
    /* read is the way back, from a node whose kind this is.  *op is all zero but for its
     * kind. */
    rill_status (*read)(struct cuda_graph *graph, CUgraphNode node, rill_op *op);
    /* recognises returns whether a node is of this kind where the driver does not tell
     * kinds, inside a host function.  NULL: the driver tells nothing of such nodes there. */
    bool (*recognises)(CUgraphNode node);
    /* count returns how many operations the node holds, for explain_change.  NULL: one. */
    size_t (*count)(CUgraphNode node);

    /* check refuses what the driver would not survive.  NULL: it survives everything. */
    rill_status (*check)(const struct cuda_addition *addition);
    /* add makes the node, by cuda_add_raw() in the end.  Takes the box over. */
    rill_status (*add)(struct cuda_addition *addition);
    /* set changes the node, by cuda_set_raw() in the end.  Takes the box over. */
    rill_status (*set)(struct cuda_change *change);

    /* By the driver's calls for this kind.  NULL: the driver has none. */
    CUresult (*typed_add)(struct cuda_addition *addition);
    CUresult (*typed_set)(CUgraphNode node, const struct cuda_node_params *params);
    CUresult (*typed_exec_set)(CUgraphExec exec, CUgraphNode node,
                               const struct cuda_node_params *params);

    /* explain says which part of the operation the driver refused, as far as one can see.
     * Never returns RILL_SUCCESS.  NULL: nothing is to be said but the driver's words. */
    rill_status (*explain)(const struct cuda_refusal *refusal);
    /* explain_change says the same of a node in an exec that had `count` operations, or 0
     * if that is not known.  Returns RILL_SUCCESS if explain is to be asked.  NULL: it is. */
    rill_status (*explain_change)(const struct cuda_refusal *refusal, size_t count);

    /* submit runs the operation in a stream, whose context is current if the stream is a
     * default one.  Each of these is jumped to and ends by itself, with cuda_submitted(): a
     * call of the driver's goes so deep that no processor foresees the returns from it, and
     * each that is saved is some nanoseconds of every submission. */
    rill_status (*submit)(struct cuda_stream *stream, rill_op *op);
    /* submit_null makes the same call without a handle.  NULL: the kind has no handle. */
    CUresult (*submit_null)(const struct cuda_stream *stream);
};

/* ---- All of them ------------------------------------------------------------------------- */

#define CUDA_KINDS(KIND) \
    KIND(KERNEL, kernel) \
    KIND(MEMCPY, copy) \
    KIND(MEMSET, fill) \
    KIND(HOST, host) \
    KIND(GRAPH, child) \
    KIND(EMPTY, empty) \
    KIND(EVENT_WAIT, wait) \
    KIND(EVENT_RECORD, record) \
    KIND(ALLOC, alloc) \
    KIND(FREE, free) \
    KIND(VALUES, values) \
    KIND(CONDITIONAL, conditional)

#define CUDA_DECLARE_KIND(op, name) extern const struct cuda_kind cuda_kind_##name;
CUDA_KINDS(CUDA_DECLARE_KIND)
#undef CUDA_DECLARE_KIND

/* What is no kind of rill's: everything is refused. */
extern const struct cuda_kind cuda_kind_none;

#define CUDA_KIND_COUNT (RILL_OP_CONDITIONAL + 1)

/* By number. */
extern const struct cuda_kind *const cuda_kinds[CUDA_KIND_COUNT];

/* Returns the row of a kind; cuda_kind_none if the number is that of no kind. */
static inline const struct cuda_kind *cuda_find_kind(rill_op_kind op)
{
    return (unsigned)op < CUDA_KIND_COUNT ? cuda_kinds[op] : &cuda_kind_none;
}

/* Returns the kind of a node that there is, or CUDA_KIND_UNKNOWN: inside a host function
 * the driver may not tell. */
#define CUDA_KIND_UNKNOWN ((rill_op_kind)-1)
rill_op_kind cuda_kind_of(CUgraphNode node);

/* ---- For all kinds alike ----------------------------------------------------------------- */

/* Finds the context for an operation of the graph's that names none: the graph's home, else
 * what the kind finds.  *context is NULL if the operation needs no context.  Refuses what
 * needs one and has none. */
rill_status cuda_find_work(const struct cuda_kind *kind, const struct cuda_graph *graph,
                           const rill_op *op, struct cuda_context **context);

/* Makes the context current that a node needs to be added, if any.  `context` is that of
 * cuda_find_work(). */
rill_status cuda_enter_to_add(const struct cuda_kind *kind, struct cuda_context *context,
                              const rill_op *op, struct cuda_visit *visit);

/* The same for a node that there is, of a graph or an exec. */
rill_status cuda_enter_to_set(const struct cuda_kind *kind, struct cuda_context *context,
                              const rill_op *op, struct cuda_visit *visit);

/* Makes the context current, but not inside a host function. */
rill_status cuda_enter_if_permitted(const struct cuda_context *context, struct cuda_visit *visit);

/* Writes the driver's parameters of an operation. */
rill_status cuda_write_params(const struct cuda_kind *kind, const struct cuda_site *site,
                              const rill_op *op, struct cuda_node_params *params,
                              struct cuda_room *room);

/* Adds or sets a node by the driver's call for any kind, or else by that for this one, and
 * explains a failure. */
rill_status cuda_add_raw(struct cuda_addition *addition);
rill_status cuda_set_raw(struct cuda_change *change);

/* Says why a node could not be added.  Never returns RILL_SUCCESS. */
rill_status cuda_explain_addition(const struct cuda_addition *addition, CUresult result);

/* Says why the driver refused an operation.  Never returns RILL_SUCCESS. */
rill_status cuda_explain_op(const struct cuda_kind *kind, const struct cuda_refusal *refusal);

/* The `submit` of a kind that streams do not run. */
rill_status cuda_refuse_in_stream(struct cuda_stream *stream, rill_op *op);

/* The dependencies as the driver takes them. */
static inline const CUgraphNode *cuda_raw_dependencies(const struct cuda_addition *addition)
{
    return cuda_const_raw_nodes(addition->dependencies);
}

#endif
