/* SPDX-License-Identifier: Apache-2.0
 *
 * From a node's handle to its graph, and to the node.  Serials are given out one after the
 * other, so graphs spread evenly over the buckets; each bucket is a list.
 */
#include "backend-sim/graph/graph.h"

#include <stdio.h>

#include "base/lock.h"
#include "base/words/op_kind.h"

enum { BUCKETS = 1 << 14 };

static struct rl_lock buckets_lock; /* protects the lists, and how many graphs are in them */
static struct sim_graph *buckets[BUCKETS];
static uint32_t registered;

static struct sim_graph **bucket_of(uint32_t serial)
{
    return &buckets[serial % BUCKETS];
}

/* Returns the graph with the serial, or NULL.  Requires buckets_lock. */
static struct sim_graph *lookup_graph(uint32_t serial)
{
    struct sim_graph *graph = *bucket_of(serial);
    while (graph && graph->serial != serial) graph = graph->next_in_bucket;
    return graph;
}

/* Requires buckets_lock, and that there is a serial left.  None is 0, so that no handle is NULL. */
static uint32_t serial_for(uint64_t number)
{
    uint32_t serial = number & NODE_SERIAL_MAX;
    while (number > NODE_SERIAL_MAX && (!serial || lookup_graph(serial)))
        serial = (serial + 1) & NODE_SERIAL_MAX;
    return serial;
}

bool sim_graph_register(struct sim_graph *graph, uint64_t number)
{
    rl_lock(&buckets_lock);
    if (registered == NODE_SERIAL_MAX) {
        rl_unlock(&buckets_lock);
        return false;
    }
    uint32_t serial = graph->serial = serial_for(number);
    registered++;
    struct sim_graph **first = bucket_of(serial);
    graph->next_in_bucket = *first;
    if (*first) (*first)->previous_in_bucket = graph;
    *first = graph;
    rl_unlock(&buckets_lock);
    return true;
}

void sim_graph_unregister(struct sim_graph *graph)
{
    if (!graph->serial) return;
    rl_lock(&buckets_lock);
    if (graph->next_in_bucket)
        graph->next_in_bucket->previous_in_bucket = graph->previous_in_bucket;
    if (graph->previous_in_bucket)
        graph->previous_in_bucket->next_in_bucket = graph->next_in_bucket;
    else
        *bucket_of(graph->serial) = graph->next_in_bucket;
    registered--;
    rl_unlock(&buckets_lock);
}

/* The graph stays after the lock: only calls that end a graph unregister it. */
struct sim_graph *sim_node_graph(rill_node node)
{
    rl_lock(&buckets_lock);
    struct sim_graph *graph = lookup_graph(sim_node_serial(node));
    rl_unlock(&buckets_lock);
    return graph;
}

/* ---- Nodes --------------------------------------------------------------------------- */

rill_status sim_graph_refuse(enum graph_fate fate)
{
    if (fate == GRAPH_LEFT)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "graph",
                                 "the node that this graph was in was removed or holds another "
                                 "one by now; ask for that with rill_node_child_graph()");
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "graph",
                             "a capture into this graph failed, which took the graph with it; "
                             "destroy it and build another one");
}

static uint32_t refuse_node(const char *argument, const char *why)
{
    rill_backend_fail(RILL_ERROR_INVALID_VALUE, argument, "%s %s", argument, why);
    return NODE_NONE;
}

uint32_t sim_node_find(const struct sim_graph *graph, rill_node node, const char *argument)
{
    if (sim_graph_check(graph)) return NODE_NONE;
    uint32_t slot = sim_node_lookup(graph, node);
    if (slot != NODE_NONE) return slot;
    if (sim_node_serial(node) == graph->serial)
        return refuse_node(argument, "was a node of this graph, but was removed");
    return refuse_node(argument, node ? "is no node of this graph; nodes of clones are found "
                                        "with rill_graph_find_in_clone()"
                                      : "holds a node that is NULL");
}

void sim_node_describe(const struct sim_graph *graph, uint32_t slot, char text[RILL_LABEL_MAX])
{
    const struct node *node = sim_node(graph, slot);
    const char *kind = rl_op_name(node->kind);
    if (node->label)
        snprintf(text, RILL_LABEL_MAX, "%s node '%.*s'", kind, RILL_LABEL_MAX - 24, node->label);
    else
        snprintf(text, RILL_LABEL_MAX, "%s node %u", kind, (unsigned)slot);
}
