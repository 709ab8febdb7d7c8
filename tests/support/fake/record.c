/* SPDX-License-Identifier: Apache-2.0
 *
 * The fake backend: what it was asked.
 */
#include <string.h>

#include "support/fake/parts.h"

struct fake_record fake_record;

static rill_status write_down(const void *place, rill_op *op)
{
    memcpy(&fake_record.op, op, sizeof *op);
    if (op->kind == RILL_OP_VALUES) fake_record.item = op->values.items[0];
    if (op->kind == RILL_OP_ALLOC) op->alloc.address = 77;
    fake_record.counts[op->kind]++;
    fake_record.places[op->kind] = place;
    return RILL_SUCCESS;
}

static rill_status record_submit(rill_stream *stream, rill_op *op)
{
    return write_down(stream, op);
}

static rill_status record_run(rill_context *context, const rill_op *op)
{
    rill_op copy;
    memcpy(&copy, op, sizeof copy);
    return write_down(context, &copy);
}

static rill_status record_node(rill_graph *graph, const rill_node *dependencies,
                               const rill_edge *edges, size_t count, rill_op *op, rill_node *node)
{
    fake_record.dependencies = dependencies;
    fake_record.edges = edges;
    fake_record.count = count;
    *node = (rill_node)(void *)&fake_record;
    return write_down(graph, op);
}

static rill_status record_edges(rill_graph *graph, const rill_node *from, const rill_node *to,
                                const rill_edge *edges, size_t count)
{
    fake_record.from = from;
    fake_record.to = to;
    fake_record.edges = edges;
    fake_record.count = count;
    return RILL_SUCCESS;
}

void fake_add_records(struct fake_tables *tables)
{
    tables->stream.submit = record_submit;
    tables->memory.run = record_run;
    tables->graph.add_node = record_node;
    tables->graph.add_edges = record_edges;
    tables->graph.remove_edges = record_edges;
}
