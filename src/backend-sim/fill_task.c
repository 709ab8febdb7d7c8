/* SPDX-License-Identifier: Apache-2.0
 *
 * Fills as nodes.
 */
#include "backend-sim/address_map.h"
#include "backend-sim/graph_heap.h"
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

static const struct task_type fill_type = {
    .kind = RILL_OP_MEMSET, .run = fill_run, .free = fill_free, .read = fill_read,
};

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
static rill_status check(const rill_fill *op)
{
    if (op->width && op->height) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, !op->width ? "width" : "height",
                             "a node cannot fill %zu elements in %zu rows", op->width, op->height);
}

/* A node fills memory on the device that has it, whatever graph it is in. */
static struct sim_context *filler(struct sim_platform *platform, struct sim_context *context,
                                  rill_devptr address)
{
    struct address_info info;
    sim_map_look(platform->map, address, &info);
    bool owned = info.known && info.kind == ALLOCATION_DEVICE && info.context;
    return owned ? info.context : context;
}

rill_status sim_fill_task_create(struct sim_platform *platform, struct sim_context *context,
                                 const rill_fill *op, struct task **task)
{
    struct sim_fill prepared;
    struct sim_context *owner = filler(platform, context, op->dst);
    rill_status status = check(op);
    if (!status) status = sim_fill_prepare_node(platform, owner, op, &prepared);
    if (status) return status;
    struct fill_task *fill = sim_task_memory(sim_task_room(context), sizeof *fill);
    if (!fill) return sim_task_short();
    sim_task_init(&fill->task, &fill_type, 0);
    fill->platform = platform;
    fill->given = *op;
    fill->fill = prepared;
    fill->context = owner ? owner->id : 0;
    uint64_t rows = (prepared.height - 1) * prepared.pitch;
    uint64_t row = (uint64_t)prepared.width * prepared.element_bytes;
    sim_operands_init(&fill->operands, (struct operand){ prepared.dst, rows + row },
                      (struct operand){ 0, 0 });
    *task = &fill->task;
    return RILL_SUCCESS;
}
