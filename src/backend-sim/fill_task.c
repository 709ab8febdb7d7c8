/* SPDX-License-Identifier: Apache-2.0
 *
 * Fills as nodes.
 */
#include "backend-sim/address_map.h"
#include "backend-sim/graph_heap.h"
#include "backend-sim/memory_nodes.h"
#include "backend-sim/node_kinds.h"
#include "backend-sim/operand.h"
#include "backend-sim/task.h"

struct fill_task {
    struct task task;
    struct sim_platform *platform;
    rill_fill given;
    struct sim_fill fill;
    struct operands operands;
    uint64_t context; /* whose memory it is: its id; 0: nobody's, in a graph of none */
};

static void fill_run(struct task *task)
{
    struct fill_task *fill = (struct fill_task *)task;
    const struct operand *missing = sim_operands_missing(fill->platform, &fill->operands);
    if (missing) sim_operand_raise(task, fill->platform, missing, "memset");
    else sim_fill_run(&fill->fill);
}

static void fill_free(struct task *task)
{
    sim_task_give(task);
}

static void fill_read(const struct task *task, rill_op *op)
{
    op->memset = ((const struct fill_task *)task)->given;
}

bool sim_fill_task_is_lost(const struct task *task)
{
    struct fill_task *fill = (struct fill_task *)(uintptr_t)task;
    const struct operand *lost = sim_operands_missing(fill->platform, &fill->operands);
    return lost && !sim_graph_heap_at(fill->platform, lost->address);
}

uint64_t sim_fill_task_context(const struct task *task)
{
    return ((const struct fill_task *)task)->context;
}

/* ---- Making ---------------------------------------------------------------------- */

/* Unlike a stream's, a node's fill cannot be of nothing. */
static rill_status check_size(const rill_fill *op)
{
    if (op->width && op->height) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, !op->width ? "width" : "height",
                             "a node cannot fill %zu elements in %zu rows", op->width, op->height);
}

static rill_status fill_check_named(const struct sim_graph *graph, const rill_op *op)
{
    return sim_graph_memory_check_named(graph, "dst", op->memset.dst);
}

/* Returns the context that fills: that of the memory, whatever graph the node is in. */
static struct sim_context *find_owner(const struct node_site *site, rill_devptr address)
{
    struct address_info info;
    sim_map_look(site->platform->map, address, &info);
    bool owned = info.known && info.kind == ALLOCATION_DEVICE && info.context;
    return owned ? info.context : site->context;
}

static rill_status fill_create(const struct node_site *site, const rill_op *op,
                               const struct task *before, struct task **task)
{
    (void)before;
    struct sim_fill prepared;
    struct sim_context *owner = find_owner(site, op->memset.dst);
    rill_status status = check_size(&op->memset);
    if (!status) status = sim_fill_prepare_node(site->platform, owner, &op->memset, &prepared);
    if (status) return status;
    struct fill_task *fill = sim_task_memory(sim_task_room(site->context), sizeof *fill);
    if (!fill) return sim_task_short();
    sim_task_init(&fill->task, &sim_kind_fill, 0);
    fill->platform = site->platform;
    fill->given = op->memset;
    fill->fill = prepared;
    fill->context = owner ? owner->id : 0;
    uint64_t rows = (prepared.height - 1) * prepared.pitch;
    uint64_t row = (uint64_t)prepared.width * prepared.element_bytes;
    sim_operands_init(&fill->operands, (struct operand){ prepared.dst, rows + row },
                      (struct operand){ 0, 0 });
    *task = &fill->task;
    return RILL_SUCCESS;
}

const struct node_kind sim_kind_fill = {
    .op = RILL_OP_MEMSET,
    .run = fill_run, .free = fill_free, .read = fill_read,
    .check_named = fill_check_named, .create = fill_create,
};
