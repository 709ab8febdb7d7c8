/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/program/section.h"

#include "backend-sim/graph/fingerprint.h"
#include "backend-sim/program/leaves.h"
#include "base/alloc.h"

/* Keeps order and generations, if slots were used again.  Returns false if memory is short. */
static bool keep_slots(struct section *section, const struct sim_graph *graph)
{
    uint32_t count = 0;
    if (!graph->reused) return true;
    section->order = rl_alloc(graph->count * sizeof *section->order);
    section->generations = rl_zalloc(graph->slots);
    if (!section->order || !section->generations) return false;
    for (uint32_t slot = graph->first; slot != NODE_NONE; slot = sim_node(graph, slot)->next) {
        section->order[count++] = slot;
        section->generations[slot] = sim_node(graph, slot)->generation;
    }
    return true;
}

static bool keep_leaves(struct section *section, const struct sim_graph *graph)
{
    struct numbering of;
    if (sim_numbering_make(&of, graph))
        section->leaves = sim_leaves_list(graph, &of, &section->leaf_count);
    rl_free(of.slots);
    return section->leaves;
}

bool sim_section_keep(struct section *section, const struct sim_graph *graph)
{
    section->serial = graph->serial;
    section->count = graph->count;
    section->slots = graph->reused ? graph->slots : graph->count;
    if (!graph->reused && !graph->leaf_orders) section->fingerprint = sim_graph_fingerprint(graph);
    return keep_slots(section, graph) && (!graph->leaf_orders || keep_leaves(section, graph));
}

void sim_section_free(struct section *section)
{
    rl_free(section->places);
    rl_free(section->generations);
    rl_free(section->order);
    rl_free(section->leaves);
}

size_t sim_section_bytes(const struct section *section)
{
    size_t words = section->leaf_count, bytes = 0;
    if (section->places) words += section->slots;
    if (section->order) words += section->count;
    if (section->generations) bytes += section->slots;
    return sizeof *section + words * sizeof(uint32_t) + bytes;
}

uint32_t sim_section_find(const struct section *section, rill_node node)
{
    uint32_t slot = sim_node_slot(node);
    if (slot >= section->slots) return NODE_NONE;
    uint32_t generation = section->generations ? section->generations[slot] : 0;
    return generation == sim_node_generation(node) ? sim_section_place(section, slot) : NODE_NONE;
}
