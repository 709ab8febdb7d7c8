/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of operations: the ways that one can take, and worlds that it can be of.
 */
#ifndef OPERATIONS_H
#define OPERATIONS_H

#include "support/cmocka_all.h"

#include <string.h>

#include "core/object/object.h"
#include "support/fake/fake.h"
#include "support/shim_backend.h"
#include "support/world.h"

static struct fake_tables fake; /* behind the shim */
static struct world home;
static struct world abroad; /* on another platform                             */
static struct world ruin;   /* on the platform of home, its context is destroyed */

/* ---- The four ways ------------------------------------------------------ */

static inline rill_status submit(struct world *w, rill_op *op)
{
    return rill_stream_submit(w->stream, op);
}

static inline rill_status add_node(struct world *w, rill_op *op)
{
    rill_node node;
    return rill_graph_add_node(w->graph, NULL, 0, op, &node);
}

static inline rill_status set_op(struct world *w, rill_op *op)
{
    return rill_node_set_op(w->graph, w->node, op);
}

static inline rill_status exec_set_op(struct world *w, rill_op *op)
{
    return rill_exec_set_op(w->exec, w->node, op);
}

static const struct way {
    const char *name, *slot;
    rill_status (*go)(struct world *w, rill_op *op);
    size_t on; /* the object that it goes to */
} ways[] = {
    { "rill_stream_submit", "backend->stream->submit", submit, offsetof(struct world, stream) },
    { "rill_graph_add_node", "backend->graph->add_node", add_node, offsetof(struct world, graph) },
    { "rill_node_set_op", "backend->graph->set_op", set_op, offsetof(struct world, graph) },
    { "rill_exec_set_op", "backend->exec->set_op", exec_set_op, offsetof(struct world, exec) },
};
#define WAYS (sizeof ways / sizeof *ways)

static inline void expect_object(const void *object)
{
    char expected[RILL_LABEL_MAX];
    rl_describe(object, expected);
    assert_string_equal(rill_last_error()->object, expected);
}

static inline rill_op op_of(rill_op_kind kind)
{
    rill_op op;
    memset(&op, 0, sizeof op);
    op.kind = kind;
    return op;
}

/* ---- Setting up --------------------------------------------------------- */

static inline int open_worlds(void **state)
{
    (void)state;
    if (rill_backend_register(shim_backend(fake_build(&fake, "full", FAKE_ALL), "shim"))) return -1;
    if (world_open(&home, "shim") || world_open(&abroad, "shim")) return -1;
    if (world_fill(&ruin, home.platform)) return -1;
    rill_context *doomed = ruin.context;
    return rill_context_destroy(&doomed) ? -1 : 0;
}

static inline int close_worlds(void **state)
{
    (void)state;
    ruin.context = NULL;
    return world_empty(&ruin) || world_close(&home) || world_close(&abroad) ? -1 : 0;
}

#endif
