/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/program/leaves.h"

#include <stdlib.h>

#include "base/alloc.h"

/* ---- Numbers of a graph ------------------------------------------------------------ */

bool sim_numbering_make(struct numbering *numbering, const struct sim_graph *graph)
{
    uint32_t count = 0;
    numbering->slots = rl_alloc(((size_t)graph->count + graph->slots + 1) * sizeof(uint32_t));
    if (!numbering->slots) return false;
    numbering->numbers = numbering->slots + graph->count;
    for (uint32_t slot = graph->first; slot != NODE_NONE; slot = sim_node(graph, slot)->next) {
        numbering->slots[count] = slot;
        numbering->numbers[slot] = count++;
    }
    return true;
}

/* ---- Leaves ---------------------------------------------------------------------------- */

struct leaf {
    uint32_t order, number;
};

static int later_leaf(const void *a, const void *b)
{
    const struct leaf *x = a, *y = b;
    if (x->order != y->order) return x->order < y->order ? 1 : -1;
    return x->number < y->number ? 1 : -1;
}

uint32_t *sim_leaves_list(const struct sim_graph *graph, const struct numbering *of,
                          uint32_t *count)
{
    struct leaf *leaves = rl_alloc(graph->count * sizeof *leaves);
    if (!leaves) return NULL;
    *count = 0;
    for (uint32_t n = graph->count; n-- > 0;) {
        const struct node *node = sim_node(graph, of->slots[n]);
        if (!node->successors.count)
            leaves[(*count)++] = (struct leaf){ sim_node_leaf_order(node), n };
    }
    if (graph->leaf_orders) qsort(leaves, *count, sizeof *leaves, later_leaf);
    uint32_t *numbers = &leaves->order; /* packed into the same room */
    for (uint32_t i = 0; i < *count; i++) numbers[i] = leaves[i].number;
    return numbers;
}
