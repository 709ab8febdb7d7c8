/* SPDX-License-Identifier: Apache-2.0
 *
 * From a node's handle to its graph.  Serials are given out one after the other, so
 * that graphs spread evenly over the buckets; there is no more to it than lists.
 */
#include "backend-sim/graph.h"

#include "base/lock.h"

enum { BUCKETS = 1 << 14 };

static struct rl_lock lock; /* protects the lists */
static struct sim_graph *buckets[BUCKETS];

static struct sim_graph **bucket_of(uint32_t serial)
{
    return &buckets[serial % BUCKETS];
}

/* Under the lock. */
static struct sim_graph *look(uint32_t serial)
{
    struct sim_graph *graph = *bucket_of(serial);
    while (graph && graph->serial != serial) graph = graph->beside;
    return graph;
}

/* Never 0, so that no handle is NULL. */
void sim_graph_enrol(struct sim_graph *graph, uint64_t number)
{
    uint32_t serial = (uint32_t)number;
    rl_lock(&lock);
    while (number > UINT32_MAX && (!serial || look(serial))) serial++;
    graph->serial = serial;
    struct sim_graph **first = bucket_of(serial);
    graph->beside = *first;
    if (*first) (*first)->before = graph;
    *first = graph;
    rl_unlock(&lock);
}

/* Once more, when the graph was never enrolled or struck already, is nothing. */
void sim_graph_strike(struct sim_graph *graph)
{
    if (!graph->serial) return;
    rl_lock(&lock);
    if (graph->beside) graph->beside->before = graph->before;
    if (graph->before)
        graph->before->beside = graph->beside;
    else
        *bucket_of(graph->serial) = graph->beside;
    rl_unlock(&lock);
}

/* Only the calls that end a graph change it, so that it stays after the lock. */
struct sim_graph *sim_node_graph(rill_node node)
{
    rl_lock(&lock);
    struct sim_graph *graph = look(sim_node_serial(node));
    rl_unlock(&lock);
    return graph;
}
