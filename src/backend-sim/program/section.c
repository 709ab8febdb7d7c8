/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/program/section.h"

#include "backend-sim/graph/fingerprint.h"
#include "backend-sim/program/leaves.h"
#include "base/alloc.h"

/* What slots that were used again do not say by themselves. */
static bool keep_slots(struct part *part, const struct sim_graph *graph)
{
    uint32_t count = 0;
    if (!graph->reused) return true;
    part->order = rl_alloc(graph->count * sizeof *part->order);
    part->generations = rl_zalloc(graph->slots);
    if (!part->order || !part->generations) return false;
    for (uint32_t slot = graph->first; slot != NODE_NONE; slot = sim_node(graph, slot)->next) {
        part->order[count++] = slot;
        part->generations[slot] = sim_node(graph, slot)->generation;
    }
    return true;
}

static bool keep_leaves(struct part *part, const struct sim_graph *graph)
{
    struct numbering of;
    if (sim_numbering_make(&of, graph)) part->ends = sim_leaves_list(graph, &of, &part->end_count);
    rl_free(of.slots);
    return part->ends;
}

bool sim_part_keep(struct part *part, const struct sim_graph *graph)
{
    part->serial = graph->serial;
    part->count = graph->count;
    part->slots = graph->reused ? graph->slots : graph->count;
    if (!graph->reused && !graph->turns) part->shape = sim_graph_shape(graph);
    return keep_slots(part, graph) && (!graph->turns || keep_leaves(part, graph));
}

void sim_part_free(struct part *part)
{
    rl_free(part->places);
    rl_free(part->generations);
    rl_free(part->order);
    rl_free(part->ends);
}

size_t sim_part_bytes(const struct part *part)
{
    size_t words = part->end_count, bytes = 0;
    if (part->places) words += part->slots;
    if (part->order) words += part->count;
    if (part->generations) bytes += part->slots;
    return sizeof *part + words * sizeof(uint32_t) + bytes;
}

uint32_t sim_part_find(const struct part *part, rill_node node)
{
    uint32_t slot = sim_node_slot(node);
    if (slot >= part->slots) return NODE_NONE;
    uint32_t generation = part->generations ? part->generations[slot] : 0;
    return generation == sim_node_generation(node) ? sim_part_place(part, slot) : NODE_NONE;
}
