/* SPDX-License-Identifier: Apache-2.0 */
#include "support/fake/nodes.h"

#include <string.h>

#include "base/alloc.h"

/* A host function's data lives as long as the graphs and execs that have it. */
struct fake_host {
    int references;
    rill_host_op op;
};

static void release_host(struct fake_host *host)
{
    if (!host || --host->references) return;
    if (host->op.destroy) host->op.destroy(host->op.data);
    rl_free(host);
}

void fake_call_host(const struct fake_host *host)
{
    host->op.fn(host->op.data);
}

static rill_status refuse_op(const rill_op *op)
{
    rl_op_give_back(op);
    return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "there is no memory for a node");
}

rill_status fake_change_node(struct fake_node *node, const rill_op *op)
{
    struct fake_host *host = NULL;
    if (op->kind == RILL_OP_HOST) {
        host = rl_alloc(sizeof *host);
        if (!host) return refuse_op(op);
        *host = (struct fake_host){ 1, op->host };
    }
    release_host(node->host);
    node->host = host;
    memcpy(&node->op, op, sizeof *op);
    return RILL_SUCCESS;
}

/* Links a new node in at the end.  Returns NULL if there is no memory. */
static struct fake_node *link_node(struct fake_nodes *nodes, uint64_t before)
{
    struct fake_node **link = &nodes->first, *node = rl_zalloc(sizeof *node);
    if (!node) return NULL;
    node->bit = nodes->made < 64 ? (uint64_t)1 << nodes->made : 0;
    node->before = before;
    node->enabled = 1;
    while (*link) link = &(*link)->next;
    *link = node;
    nodes->count++;
    nodes->made++;
    return node;
}

rill_status fake_append_node(struct fake_nodes *nodes, rill_op *op, uint64_t before,
                             struct fake_node **added)
{
    static rill_devptr addresses = 4096;
    if (op->kind == RILL_OP_ALLOC) op->alloc.address = addresses += 4096;
    struct fake_node *node = link_node(nodes, before);
    if (!node) return refuse_op(op);
    rill_status status = fake_change_node(node, op);
    if (status)
        fake_drop_node(nodes, node);
    else
        *added = node;
    return status;
}

static void free_node(struct fake_node *node)
{
    release_host(node->host);
    if (node->child) fake_graph_disown(node->child);
    rl_free(node);
}

rill_status fake_drop_node(struct fake_nodes *nodes, const struct fake_node *node)
{
    struct fake_node **link = &nodes->first;
    while (*link && *link != node) link = &(*link)->next;
    struct fake_node *found = *link;
    if (!found)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "node", "node is not of this graph");
    *link = found->next;
    nodes->count--;
    free_node(found);
    return RILL_SUCCESS;
}

void fake_clear_nodes(struct fake_nodes *nodes)
{
    struct fake_node *node = nodes->first, *next;
    for (; node; node = next) {
        next = node->next;
        free_node(node);
    }
    *nodes = (struct fake_nodes){ .first = NULL };
}

rill_status fake_copy_nodes(struct fake_nodes *to, const struct fake_nodes *from)
{
    struct fake_nodes made = { .first = NULL };
    for (const struct fake_node *node = from->first; node; node = node->next) {
        struct fake_node *copy = link_node(&made, node->before);
        if (!copy) {
            fake_clear_nodes(&made);
            return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "there is no memory to copy");
        }
        memcpy(&copy->op, &node->op, sizeof copy->op);
        copy->bit = node->bit;
        copy->host = node->host;
        if (copy->host) copy->host->references++;
    }
    fake_clear_nodes(to);
    *to = made;
    return RILL_SUCCESS;
}
