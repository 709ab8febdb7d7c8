/* SPDX-License-Identifier: Apache-2.0
 *
 * Attributes of kernel nodes.
 */
#include "backend-cuda/graph/calls.h"
#include "backend-cuda/kind/attribute.h"
#include "backend-cuda/kind/kernel_attributes.h"
#include "backend-cuda/kind/kind.h"
#include "backend-cuda/object/graph_nodes.h"
#include "base/words/op_kind.h"

static rill_status refuse_other_kind(CUresult result, const char *argument, CUgraphNode raw)
{
    return rill_backend_fail((rill_status)result, argument,
                             "%s is a %s node; only kernel nodes have attributes", argument,
                             rl_op_name(cuda_kind_of(raw)));
}

rill_status cuda_node_get_attribute(rill_graph *handle, rill_node node, rill_attribute *attribute)
{
    CUgraphNode raw = cuda_raw_node(node);
    CUlaunchAttribute asked = { .id = (CUlaunchAttributeID)attribute->id };
    rill_status status = cuda_check_node(cuda_graph_of(handle), node, "node");
    if (status) return status;
    CUresult result = cuda_get_node_attribute(raw, &asked);
    if (result && cuda_kind_of(raw) != RILL_OP_KERNEL)
        return refuse_other_kind(result, "node", raw);
    if (result) return cuda_fail(result, "cuGraphKernelNodeGetAttribute", "attribute->id");
    cuda_read_attribute(&asked.value, attribute);
    return RILL_SUCCESS;
}

/* Any context will do: the kernel says its own. */
static rill_status enter_home(const struct cuda_graph *graph, struct cuda_visit *visit)
{
    const struct cuda_context *home = cuda_graph_home(graph);
    visit->pushed = false;
    return home ? cuda_enter(home, visit) : RILL_SUCCESS;
}

rill_status cuda_node_set_attribute(rill_graph *handle, rill_node node,
                                    const rill_attribute *attribute)
{
    CUgraphNode raw = cuda_raw_node(node);
    struct cuda_graph *graph = cuda_graph_of(handle);
    struct cuda_visit visit;
    CUlaunchAttribute wanted;
    rill_status status = cuda_check_node(graph, node, "node");
    if (!status) status = enter_home(graph, &visit);
    if (status) return status;
    cuda_write_attribute(attribute, &wanted);
    CUresult result = cuda_set_node_attribute(raw, &wanted);
    cuda_leave(&visit);
    if (!result) return RILL_SUCCESS;
    if (cuda_kind_of(raw) != RILL_OP_KERNEL) return refuse_other_kind(result, "node", raw);
    const char *argument = attribute->id == RILL_ATTRIBUTE_SYNC_POLICY
                               ? "attribute->id" /* streams have it */
                               : cuda_blame_attribute(attribute);
    return cuda_fail(result, "cuGraphKernelNodeSetAttribute", argument);
}

rill_status cuda_node_copy_attributes(rill_graph *handle, rill_node dst, rill_node src)
{
    CUgraphNode to = cuda_raw_node(dst), from = cuda_raw_node(src);
    struct cuda_graph *graph = cuda_graph_of(handle);
    struct cuda_visit visit;
    rill_status status = cuda_check_node(graph, dst, "dst");
    if (!status) status = cuda_check_node(graph, src, "src");
    if (!status) status = enter_home(graph, &visit);
    if (status) return status;
    CUresult result = cuda_api.GraphKernelNodeCopyAttributes(to, from);
    cuda_leave(&visit);
    if (!result) return RILL_SUCCESS;
    if (cuda_kind_of(to) != RILL_OP_KERNEL) return refuse_other_kind(result, "dst", to);
    if (cuda_kind_of(from) != RILL_OP_KERNEL) return refuse_other_kind(result, "src", from);
    return cuda_fail(result, "cuGraphKernelNodeCopyAttributes", "src");
}
