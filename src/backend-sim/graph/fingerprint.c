/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/graph/fingerprint.h"

#include <string.h>
#include <sys/auxv.h>

#include "backend-sim/graph/graph.h"

/* The system gives each process some random bytes.  The words are made odd, so that multiplying
 * by them loses nothing. */
void sim_fingerprint_draw_secret(struct fingerprint_secret *secret)
{
    const void *random = (const void *)(uintptr_t)getauxval(AT_RANDOM);
    static const struct fingerprint_secret none = { { 0x9e3779b97f4a7c15, 0xd1b54a32d192ed03 } };
    memcpy(secret, random ? random : &none, sizeof *secret);
    secret->words[0] |= 1;
    secret->words[1] |= 1;
}

static uint64_t fingerprint_of_node(const struct sim_graph *graph, uint32_t slot)
{
    const struct fingerprint_secret *secret = sim_graph_secret(graph);
    const struct node *node = sim_node(graph, slot);
    uint64_t fingerprint = sim_fingerprint_of_node(secret, slot, node->kind);
    for (uint32_t i = 0; i < node->successors.count; i++) {
        const struct link *link = &sim_links(&node->successors)[i];
        fingerprint +=
            sim_fingerprint_of_edge(secret, slot, link->slot, link->data, i, link->mirror);
    }
    return fingerprint;
}

uint64_t sim_graph_fingerprint(const struct sim_graph *graph)
{
    uint64_t fingerprint = 0;
    if (!graph->cut) return graph->fingerprint;
    for (uint32_t slot = graph->first; slot != NODE_NONE; slot = sim_graph_next(graph, slot))
        fingerprint += fingerprint_of_node(graph, slot);
    return fingerprint;
}
