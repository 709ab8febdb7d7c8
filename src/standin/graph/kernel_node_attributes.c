/* SPDX-License-Identifier: Apache-2.0
 *
 * Attributes of kernel nodes.
 */
#include "standin/code/attribute.h"
#include "standin/graph/node.h"

ENTRY(cuGraphKernelNodeGetAttribute,
      (CUgraphNode node, int id, CUkernelNodeAttrValue *value), (node, id, value))
{
    rill_graph *graph;
    rill_attribute attribute = { .id = (rill_attribute_id)id };
    CUresult status = si_node_graph(node, &graph);
    if (!status && !value) status = RILL_ERROR_INVALID_VALUE;
    if (!status) status = rill_node_get_attribute(graph, node, &attribute);
    if (!status) si_attribute_write(&attribute, value);
    return status;
}

ENTRY(cuGraphKernelNodeSetAttribute,
      (CUgraphNode node, int id, const CUkernelNodeAttrValue *value), (node, id, value))
{
    rill_graph *graph;
    rill_attribute attribute;
    CUresult status = si_node_graph(node, &graph);
    if (!status && (!value || si_attribute_has_event(id))) status = RILL_ERROR_INVALID_VALUE;
    if (!status) status = si_attribute_read(id, value, &attribute);
    return status ? status : rill_node_set_attribute(graph, node, &attribute);
}

/* Returns the context of a node's kernel, or NULL if the kernel is gone or there is none. */
static const struct si_context *kernel_context(rill_graph *graph, CUgraphNode node)
{
    rill_op op;
    if (rill_node_get_op(graph, node, &op) || op.kind != RILL_OP_KERNEL) return NULL;
    const struct si_slot *slot = si_handle_of(op.kernel.kernel);
    return slot ? slot->context : NULL;
}

/* Copies between two graphs, one attribute after another, all that a node has. */
static CUresult copy_between(rill_graph *to, CUgraphNode dst, rill_graph *from, CUgraphNode src)
{
    static const rill_attribute_id all[] = {
        RILL_ATTRIBUTE_ACCESS_WINDOW, RILL_ATTRIBUTE_COOPERATIVE, RILL_ATTRIBUTE_CLUSTER,
        RILL_ATTRIBUTE_CLUSTER_SCHEDULING, RILL_ATTRIBUTE_PRIORITY,
        RILL_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP, RILL_ATTRIBUTE_MEM_SYNC_DOMAIN,
        RILL_ATTRIBUTE_SHARED_CARVEOUT,
    };
    const struct si_context *one = kernel_context(to, dst), *other = kernel_context(from, src);
    CUresult status = one && other && one != other ? RILL_ERROR_INVALID_VALUE : RILL_SUCCESS;
    for (size_t i = 0; !status && i < sizeof all / sizeof *all; i++) {
        rill_attribute attribute = { .id = all[i] };
        status = rill_node_get_attribute(from, src, &attribute);
        if (!status && rill_node_set_attribute(to, dst, &attribute))
            status = RILL_ERROR_INVALID_VALUE;
    }
    return status;
}

ENTRY(cuGraphKernelNodeCopyAttributes, (CUgraphNode dst, CUgraphNode src), (dst, src))
{
    rill_graph *to, *from;
    CUresult status = si_node_graph(dst, &to);
    if (!status) status = si_node_graph(src, &from);
    if (status) return status;
    return to == from ? rill_node_copy_attributes(to, dst, src) : copy_between(to, dst, from, src);
}
