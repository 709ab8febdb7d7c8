/* SPDX-License-Identifier: Apache-2.0
 *
 * Adding nodes.
 */
#include "backend-cuda/graph/calls.h"
#include "backend-cuda/kind/host.h"
#include "backend-cuda/kind/kind.h"
#include "backend-cuda/object/graph_nodes.h"
#include "base/words/op_kind.h"

static rill_status check_dependencies(const struct cuda_addition *a)
{
    rill_status status = RILL_SUCCESS;
    for (size_t i = 0; !status && i < a->count; i++)
        status = cuda_check_node(a->graph, a->dependencies[i], "dependencies");
    if (cuda_api.GraphAddNode) return status;
    for (size_t i = 0; !status && a->edges && i < a->count; i++)
        if (cuda_has_data(&a->edges[i])) status = cuda_need(GraphAddNode, 12030);
    return status;
}

static rill_status write_and_add(struct cuda_addition *a)
{
    struct cuda_room room;
    struct cuda_visit visit;
    rill_status status = cuda_find_work(a->kind, a->graph, a->op, &a->context);
    const struct cuda_site site = { .platform = a->graph->platform, .context = a->context };
    if (!status) status = cuda_write_params(a->kind, &site, a->op, &a->params, &room);
    if (status) return status;
    status = cuda_enter_to_add(a->kind, a->context, a->op, &visit);
    if (status) {
        cuda_box_drop(room.box);
        return status;
    }
    a->box = room.box;
    status = a->kind->add(a);
    cuda_leave(&visit);
    return status;
}

rill_status cuda_graph_add_node(rill_graph *handle, const rill_node *dependencies,
                                const rill_edge *edges, size_t count, rill_op *op,
                                rill_node *node)
{
    struct cuda_addition a = { .kind = cuda_find_kind(op->kind), .graph = cuda_graph_of(handle),
                               .dependencies = dependencies, .edges = edges, .count = count,
                               .op = op };
    rill_status status = check_dependencies(&a);
    if (!status && a.kind->check) status = a.kind->check(&a);
    if (status) {
        rl_op_give_back(op);
        return status;
    }
    status = write_and_add(&a);
    if (status) return status;
    cuda_nodes_put(&a.graph->nodes, a.node); /* one that finds no room is found later */
    *node = cuda_node(a.node);
    return RILL_SUCCESS;
}
