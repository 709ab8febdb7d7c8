/* SPDX-License-Identifier: Apache-2.0
 *
 * Labels of nodes, which the driver does not have.  Clones and copies in child nodes keep
 * them.
 */
#include "backend-cuda/graph/calls.h"
#include "backend-cuda/object/graph_nodes.h"
#include "base/alloc.h"

static rill_status set_label(struct cuda_graph *graph, CUgraphNode raw, const char *label)
{
    struct cuda_note *note = cuda_node_note(graph, raw, label != NULL);
    if (!note) return label ? RILL_ERROR_OUT_OF_MEMORY : RILL_SUCCESS;
    char *text = label ? rl_strdup(label) : NULL;
    if (label && !text) return RILL_ERROR_OUT_OF_MEMORY;
    rl_free(note->label);
    note->label = text;
    return RILL_SUCCESS;
}

rill_status cuda_node_set_label(rill_graph *handle, rill_node node, const char *label)
{
    struct cuda_graph *graph = cuda_graph_of(handle);
    rill_status status = cuda_check_node(graph, node, "node");
    return status ? status : set_label(graph, cuda_raw_node(node), label);
}

/* ---- Copies ---------------------------------------------------------------------------- */

bool cuda_any_label(const struct cuda_graph *graph)
{
    if (graph->nodes.notes) return true;
    for (const struct cuda_graph *inner = graph->inner; inner; inner = inner->sibling)
        if (cuda_any_label(inner)) return true;
    return false;
}

static CUgraphNode find_counterpart(const struct cuda_graph *copy, CUgraphNode raw)
{
    CUgraphNode found = NULL;
    return cuda_api.GraphNodeFindInClone(&found, raw, copy->raw) ? NULL : found;
}

static rill_status copy_labels_inside(struct cuda_graph *inner, struct cuda_graph *to)
{
    CUgraphNode holder = find_counterpart(to, inner->holder);
    CUgraph raw = NULL;
    rill_graph *child;
    if (!holder || cuda_api.GraphChildGraphNodeGetGraph(holder, &raw)) return RILL_SUCCESS;
    rill_status status = cuda_inner_graph(to, holder, raw, &child);
    return status ? status : cuda_copy_labels(inner, cuda_graph_of(child));
}

rill_status cuda_copy_labels(struct cuda_graph *from, struct cuda_graph *to)
{
    rill_status status = RILL_SUCCESS;
    if (!cuda_any_label(from)) return status;
    for (size_t i = 0; !status && i < from->nodes.room; i++) {
        const struct cuda_slot *slot = &from->nodes.slots[i];
        CUgraphNode raw = slot->raw && slot->note && slot->note->label
                              ? find_counterpart(to, slot->raw)
                              : NULL;
        if (raw) status = set_label(to, raw, slot->note->label);
    }
    for (struct cuda_graph *inner = from->inner; !status && inner; inner = inner->sibling)
        if (cuda_any_label(inner)) status = copy_labels_inside(inner, to);
    return status;
}
