/* SPDX-License-Identifier: Apache-2.0
 *
 * Fills as nodes.
 */
#include "backend-sim/graph/task.h"
#include "backend-sim/graph/task_slab.h"
#include "backend-sim/memory/address_map.h"
#include "backend-sim/memory/graph_heap.h"
#include "backend-sim/memory/memory.h"
#include "backend-sim/memory/operand.h"
#include "backend-sim/node/dot.h"
#include "backend-sim/node/kinds.h"
#include "backend-sim/node/may_replace.h"
#include "backend-sim/node/memory_task.h"

struct fill_task {
    struct task task;
    struct sim_platform *platform;
    rill_fill given;
    struct sim_fill fill;
    struct operands operands;
    uint64_t context; /* the id of the context that owns the memory, or, if none does, of the
                         context that the node was made for; 0 in a graph without one */
};

static void fill_run(struct task *task)
{
    struct fill_task *fill = (struct fill_task *)task;
    const struct operand *missing = sim_operands_missing(fill->platform, &fill->operands);
    if (missing) sim_operand_raise(task, fill->platform, missing, "memset");
    else sim_fill_run(&fill->fill);
}

static void fill_demand(const struct task *task, struct demand *demand)
{
    sim_fill_demand(&((const struct fill_task *)task)->fill, demand);
}

static void fill_free(struct task *task)
{
    sim_task_free(task);
}

static void fill_read(const struct task *task, rill_op *op)
{
    op->memset = ((const struct fill_task *)task)->given;
}

static uint64_t fill_context(const struct task *task)
{
    return ((const struct fill_task *)task)->context;
}

/* ---- Making ---------------------------------------------------------------------- */

/* Unlike a fill in a stream, that of a node cannot be empty. */
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

/* Returns the context that fills: that of the memory, not that of the node's graph. */
static struct sim_context *find_owner(const struct node_site *site, rill_devptr address)
{
    struct address_info info;
    sim_map_lookup(site->platform->map, address, &info);
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
    struct fill_task *fill = sim_task_alloc(sim_task_room(site->context), sizeof *fill);
    if (!fill) return sim_out_of_memory_for_node();
    sim_task_init(&fill->task, &sim_kind_fill, 0);
    fill->platform = site->platform;
    fill->given = op->memset;
    fill->fill = prepared;
    sim_fill_see(site->platform, &fill->fill);
    fill->context = owner ? owner->id : 0;
    uint64_t rows = (prepared.height - 1) * prepared.pitch;
    uint64_t row = (uint64_t)prepared.width * prepared.element_bytes;
    sim_operands_init(&fill->operands, (struct operand){ prepared.dst, rows + row },
                      (struct operand){ 0, 0 });
    *task = &fill->task;
    return RILL_SUCCESS;
}

/* ---- Changing -------------------------------------------------------------------- */

/* As measured, an exec is refused for the memory of fills alone: copies fail when they
 * run.  Memory of graphs comes and goes. */
static rill_status fill_check_exec(const struct task *task)
{
    struct fill_task *fill = (struct fill_task *)(uintptr_t)task;
    const struct operand *lost = sim_operands_missing(fill->platform, &fill->operands);
    if (!lost || sim_graph_heap_at(fill->platform, lost->address)) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "graph",
                             "the memory of a fill node was freed since it was added");
}

static const char *find_changed_size(const rill_fill *before, const rill_fill *after)
{
    if (before->width != after->width) return "width";
    if (before->height != after->height) return "height";
    if (before->pitch != after->pitch) return "pitch";
    return before->element_bytes != after->element_bytes ? "element_bytes" : NULL;
}

static bool fill_may_replace(const struct task *before, const struct task *after,
                             bool priorities, struct update_refusal *refusal)
{
    (void)priorities;
    struct sim_platform *platform = ((const struct fill_task *)before)->platform;
    const rill_fill *old = &((const struct fill_task *)before)->given;
    const rill_fill *new = &((const struct fill_task *)after)->given;
    if (old->height == 1 && new->height != 1)
        return sim_refuse_update(refusal, "height",
                                 "a fill of one row cannot become one of several");
    const char *changed = old->height == 1 ? NULL : find_changed_size(old, new);
    if (changed)
        return sim_refuse_update(refusal, changed,
                                 "of a fill of several rows, only address and value can change");
    if (old->dst == new->dst) return true;
    if (!sim_same_owner(platform, old->dst, new->dst))
        return sim_refuse_update(refusal, "dst", "its memory cannot be that of another context");
    if (!sim_graph_memory_is_given_back(platform, new->dst)) return true;
    *refusal = (struct update_refusal){ RILL_UPDATE_ERROR, "dst",
                                        "it fills memory that its graph frees" };
    return false;
}

/* ---- Drawing --------------------------------------------------------------------- */

static void fill_draw(struct dot *dot, uint32_t slot, const struct task *task,
                      const rill_op *op)
{
    (void)task;
    const rill_fill *fill = &op->memset;
    sim_dot_box_begin(dot, slot, "solid", "invtrapezium");
    sim_dot_print(dot, "MEMSET\n(%u,%zu)\n", (unsigned)fill->value,
                  fill->element_bytes * fill->width * fill->height);
    sim_dot_box_common(dot, slot);
    sim_dot_box_end(dot);
}

static void fill_draw_record(struct dot *dot, uint32_t slot, const struct task *task,
                             const rill_op *op)
{
    (void)task;
    const rill_fill *fill = &op->memset;
    sim_dot_record_begin(dot, "solid", "MEMSET");
    sim_dot_record_id(dot, slot, " | dptr | pitch | value | elementSize | width | height");
    sim_dot_put(dot, " | ");
    sim_dot_address(dot, fill->dst);
    sim_dot_print(dot, " | %zu | %u | %u | %zu | %zu}}\n", fill->pitch, (unsigned)fill->value,
                  (unsigned)fill->element_bytes, fill->width, fill->height);
    sim_dot_record_label(dot, slot);
    sim_dot_record_end(dot);
}

/* ---- The kind ---------------------------------------------------------------------- */

const struct node_kind sim_kind_fill = {
    .op = RILL_OP_MEMSET, .traits = KIND_CAN_BE_DISABLED | KIND_IS_PLAIN | KIND_ON_DEVICE,
    .run = fill_run, .demand = fill_demand, .free = fill_free, .read = fill_read,
    .check_named = fill_check_named, .create = fill_create,
    .context = fill_context, .check_exec = fill_check_exec, .may_replace = fill_may_replace,
    .draw = fill_draw, .draw_record = fill_draw_record, .record_flag = RILL_DOT_MEMSET_PARAMS,
};
