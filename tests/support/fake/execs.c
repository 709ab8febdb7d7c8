/* SPDX-License-Identifier: Apache-2.0
 *
 * The fake backend's execs.  An update is refused for another number of nodes, other kinds
 * or edges; for fills of another height; and always where memory is allocated, as the driver
 * does.
 */
#include "support/fake/nodes.h"

size_t fake_exec_bytes;

struct fake_exec {
    struct fake_nodes program;
    uint32_t flags;
};

static struct fake_exec *exec_of(const rill_exec *exec)
{
    return rill_private(exec);
}

/* ---- Lifetime ----------------------------------------------------------- */

static rill_status fake_exec_create(rill_exec *exec, rill_graph *graph, rill_exec_options *options)
{
    exec_of(exec)->flags = options->flags;
    if (options->flags >= 0x100) {
        options->result = RILL_EXEC_INVALID_STRUCTURE;
        options->failing_node = (rill_node)fake_nodes_of(graph)->first;
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "options->flags", "unknown flags");
    }
    rill_status status = fake_copy_nodes(&exec_of(exec)->program, fake_nodes_of(graph));
    if (status) return status;
    fake_record.mode = fake_thread_mode();
    fake_record.execs++;
    fake_record.execs_made++;
    return RILL_SUCCESS;
}

static rill_status fake_exec_destroy(rill_exec *exec)
{
    fake_clear_nodes(&exec_of(exec)->program);
    fake_record.mode = fake_thread_mode();
    fake_record.execs--;
    return RILL_SUCCESS;
}

GIVES(fake_exec_flags, *flags = exec_of(exec)->flags, rill_exec *exec, uint32_t *flags)
GIVES(fake_exec_size, *bytes = fake_exec_bytes, rill_exec *exec, size_t *bytes)

/* ---- Running ------------------------------------------------------------ */

static rill_status fake_exec_launch(rill_exec *exec, rill_stream *stream)
{
    rill_status status = RILL_SUCCESS;
    struct fake_node *node = exec_of(exec)->program.first;
    for (; node && !status; node = node->next) {
        if (node->host)
            fake_call_host(node->host);
        else
            status = fake_submit_any(stream, &node->op);
    }
    return status;
}

YES(fake_exec_upload, rill_exec *exec, rill_stream *stream)

/* ---- Changing ----------------------------------------------------------- */

GIVES(fake_exec_set_op, rl_op_give_back(op), rill_exec *exec, rill_node node, const rill_op *op)
GIVES(fake_set_enabled, ((struct fake_node *)node)->enabled = enabled, rill_exec *exec,
      rill_node node, int enabled)
GIVES(fake_get_enabled, *enabled = ((const struct fake_node *)node)->enabled, rill_exec *exec,
      rill_node node, int *enabled)

static rill_status refuse_update(rill_update_result *result, rill_update_reason reason,
                                 const struct fake_node *node, const char *why)
{
    result->reason = reason;
    result->node = (rill_node)(uintptr_t)node;
    return rill_backend_fail(RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE, "graph", "%s", why);
}

static rill_status check_update(const struct fake_node *old, const struct fake_node *new,
                                rill_update_result *result)
{
    for (; old; old = old->next, new = new->next) {
        if (old->before != new->before)
            return refuse_update(result, RILL_UPDATE_TOPOLOGY_CHANGED, new, "an edge is another");
        if (old->op.kind != new->op.kind)
            return refuse_update(result, RILL_UPDATE_NODE_TYPE_CHANGED, new, "a kind is another");
        if (new->op.kind == RILL_OP_MEMSET && old->op.memset.height != new->op.memset.height)
            return refuse_update(result, RILL_UPDATE_PARAMETERS_CHANGED, new,
                                 "a fill has another height");
        if (new->op.kind == RILL_OP_ALLOC)
            return refuse_update(result, RILL_UPDATE_ERROR, new, "memory is allocated elsewhere");
    }
    return RILL_SUCCESS;
}

/* Returns the first node of a graph that an exec has no counterpart of, or NULL. */
static const struct fake_node *find_extra(const struct fake_nodes *program,
                                          const struct fake_nodes *from)
{
    const struct fake_node *node = from->first;
    for (size_t i = 0; node && i < program->count; i++) node = node->next;
    return node;
}

static rill_status fake_exec_update(rill_exec *exec, rill_graph *graph, rill_update_result *result)
{
    struct fake_nodes *program = &exec_of(exec)->program, *from = fake_nodes_of(graph);
    if (program->count != from->count)
        return refuse_update(result, RILL_UPDATE_TOPOLOGY_CHANGED, find_extra(program, from),
                             "graph has other nodes");
    rill_status status = check_update(program->first, from->first, result);
    return status ? status : fake_copy_nodes(program, from);
}

/* ---- The table ---------------------------------------------------------- */

const struct rill_exec_ops fake_exec_ops = {
    .private_bytes = sizeof(struct fake_exec),
    .create = fake_exec_create,
    .destroy = fake_exec_destroy,
    .launch = fake_exec_launch,
    .upload = fake_exec_upload,
    .flags = fake_exec_flags,
    .set_op = fake_exec_set_op,
    .set_enabled = fake_set_enabled,
    .get_enabled = fake_get_enabled,
    .update = fake_exec_update,
    .bytes = fake_exec_size,
};
