/* SPDX-License-Identifier: Apache-2.0
 *
 * Empty nodes.
 */
#include "standin/graph/node_kind.h"

static CUresult read_empty(const CUgraphNodeParams *params, struct si_op_buffers *buffers,
                           rill_op *op)
{
    (void)params, (void)buffers;
    *op = (rill_op){ .kind = RILL_OP_EMPTY };
    return RILL_SUCCESS;
}

const struct si_node_kind si_empty_kind = { .bytes = 0, .read = read_empty };

ENTRY(cuGraphAddEmptyNode,
      (CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count),
      (node, graph, dependencies, count))
{
    rill_op op = { .kind = RILL_OP_EMPTY };
    return si_node_add(node, graph, dependencies, count, NULL, RILL_SUCCESS, &op);
}
