/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/node/copy_task.h"

#include "backend-sim/graph/task_slab.h"
#include "backend-sim/memory/address_map.h"
#include "backend-sim/memory/graph_heap.h"
#include "backend-sim/memory/memory.h"
#include "backend-sim/memory/operand.h"
#include "backend-sim/node/dot.h"
#include "backend-sim/node/early.h"
#include "backend-sim/node/kinds.h"
#include "backend-sim/node/may_replace.h"
#include "backend-sim/node/memory_task.h"
#include "backend-sim/node/running_launch.h"
#include "backend-sim/scheduler/demand.h"

struct copy_task {
    struct task task;
    struct sim_platform *platform;
    rill_copy given;
    struct sim_copy copy;
    struct operands operands;
};

static void copy_run(struct task *task)
{
    struct copy_task *copy = (struct copy_task *)task;
    const struct sim_copy *early = NULL;
    if (task->marks & TASK_READS_EARLY && sim_run_here)
        early = sim_early_find(sim_launch_here()->early, task);
    const struct operand *missing = sim_operands_missing(copy->platform, &copy->operands);
    if (missing) sim_operand_raise(task, copy->platform, missing, "memcpy");
    else sim_copy_run(early ? early : &copy->copy);
}

rill_status sim_copy_task_read(const struct task *task, struct sim_copy *copy)
{
    *copy = ((const struct copy_task *)task)->copy;
    return sim_copy_stage(copy);
}

static void copy_demand(const struct task *task, struct demand *demand)
{
    sim_copy_demand(demand->platform, &((const struct copy_task *)task)->copy, demand);
}

static void copy_free(struct task *task)
{
    sim_task_free(task);
}

static void copy_read(const struct task *task, rill_op *op)
{
    op->memcpy = ((const struct copy_task *)task)->given;
}

/* ---- Making ---------------------------------------------------------------------- */

/* Unlike a copy in a stream, that of a node cannot be empty. */
static rill_status check_box(const rill_copy *op)
{
    if (op->width && op->height && op->depth) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE,
                             !op->width ? "width" : !op->height ? "height" : "depth",
                             "a node cannot copy a box of %zu x %zu x %zu bytes", op->width,
                             op->height, op->depth);
}

static uint64_t box_span(const struct sim_copy *copy, size_t pitch, size_t slice)
{
    return (copy->depth - 1) * slice + (copy->height - 1) * pitch + copy->width;
}

/* Returns an operand, without bytes if the address is pageable memory: neither allocated nor in a
 * device's window. */
static struct operand make_operand(const struct sim_platform *platform, uint64_t address,
                                   uint64_t bytes)
{
    struct address_info info;
    sim_map_lookup(platform->map, address, &info);
    return (struct operand){ address, info.known || info.in_window ? bytes : 0 };
}

static rill_status copy_check_named(const struct sim_graph *graph, const rill_op *op)
{
    rill_status status = sim_graph_memory_check_named(graph, "dst", op->memcpy.dst.address);
    return status ? status : sim_graph_memory_check_named(graph, "src", op->memcpy.src.address);
}

static rill_status copy_create(const struct node_site *site, const rill_op *op,
                               const struct task *before, struct task **task)
{
    (void)before;
    struct sim_platform *platform = site->platform;
    struct sim_copy prepared;
    rill_status status = check_box(&op->memcpy);
    if (!status) status = sim_copy_prepare_node(platform, site->context, &op->memcpy, &prepared);
    if (status) return status;
    struct copy_task *copy = sim_task_alloc(sim_task_room(site->context), sizeof *copy);
    if (!copy) return sim_out_of_memory_for_node();
    struct operand dst = make_operand(platform, prepared.dst,
                                      box_span(&prepared, prepared.dst_pitch, prepared.dst_slice));
    struct operand src = make_operand(platform, prepared.src,
                                      box_span(&prepared, prepared.src_pitch, prepared.src_slice));
    unsigned marks = (dst.bytes && !src.bytes ? TASK_READS_EARLY : 0u) |
                     (!dst.bytes || !src.bytes ? TASK_IS_PAGEABLE : 0u);
    sim_task_init(&copy->task, &sim_kind_copy, marks);
    copy->platform = platform;
    copy->given = op->memcpy;
    copy->copy = prepared;
    sim_copy_see(platform, &copy->copy);
    sim_operands_init(&copy->operands, dst, src);
    *task = &copy->task;
    return RILL_SUCCESS;
}

/* ---- Changing -------------------------------------------------------------------- */

/* As measured, a copy that reads memory of a graph cannot be set to read other memory; fills can,
 * and updates of the whole exec do not check this. */
static rill_status copy_check_exec_change(const struct task *before, const rill_op *op)
{
    const struct copy_task *copy = (const struct copy_task *)before;
    if (!sim_graph_heap_at(copy->platform, copy->given.src.address) ||
        sim_graph_heap_at(copy->platform, op->memcpy.src.address))
        return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "op->memcpy.src",
                             "the node reads memory of the graph, and stays with that");
}

static bool is_flat(const rill_copy *copy)
{
    return copy->height == 1 && copy->depth == 1;
}

static bool same_place(const rill_place *before, const rill_place *after)
{
    return before->address == after->address && before->pitch == after->pitch &&
           before->rows == after->rows && before->x == after->x && before->y == after->y &&
           before->z == after->z;
}

static bool same_box(const rill_copy *before, const rill_copy *after)
{
    return before->width == after->width && before->height == after->height &&
           before->depth == after->depth && same_place(&before->dst, &after->dst) &&
           same_place(&before->src, &after->src);
}

/* What the operation says of a side counts, wherever the memory is: pinned memory that is named by
 * its address on the device counts as the device's.  Where the memory is matters only for a side
 * that may be anything. */
static bool keeps_memory_kind(const rill_place *before, const rill_place *after,
                              struct sim_platform *platform)
{
    if (before->kind != after->kind) return false;
    if (before->kind != RILL_MEMORY_UNIFIED || before->address == after->address) return true;
    return sim_is_host(platform, before->address) == sim_is_host(platform, after->address);
}

static bool place_may_replace(const rill_place *before, const rill_place *after,
                              struct sim_platform *platform, const char *name,
                              struct update_refusal *refusal)
{
    if (!keeps_memory_kind(before, after, platform))
        return sim_refuse_update(refusal, name, "its memory cannot be of another kind");
    if (sim_same_owner(platform, before->address, after->address)) return true;
    return sim_refuse_update(refusal, name, "its memory cannot be that of another context");
}

static bool copy_may_replace(const struct task *before, const struct task *after,
                             bool priorities, struct update_refusal *refusal)
{
    (void)priorities;
    struct sim_platform *platform = ((const struct copy_task *)before)->platform;
    const rill_copy *old = &((const struct copy_task *)before)->given;
    const rill_copy *new = &((const struct copy_task *)after)->given;
    if (is_flat(old) != is_flat(new))
        return sim_refuse_update(refusal, "height",
                                 "a copy of one row cannot become one of several, nor the "
                                 "contrary");
    if (!is_flat(old) && !same_box(old, new))
        return sim_refuse_update(refusal, "height", "a copy of several rows cannot change");
    return place_may_replace(&old->dst, &new->dst, platform, "dst", refusal) &&
           place_may_replace(&old->src, &new->src, platform, "src", refusal);
}

/* ---- Drawing --------------------------------------------------------------------- */

static char side_letter(const rill_place *place)
{
    return place->kind == RILL_MEMORY_HOST ? 'H' : place->kind == RILL_MEMORY_DEVICE ? 'D' : 'U';
}

static void copy_draw(struct dot *dot, uint32_t slot, const struct task *task,
                      const rill_op *op)
{
    (void)task;
    const rill_copy *copy = &op->memcpy;
    sim_dot_box_begin(dot, slot, "solid", "trapezium");
    sim_dot_print(dot, "MEMCPY\n(%cto%c,%zu)\n", side_letter(&copy->src), side_letter(&copy->dst),
                  copy->width * copy->height * copy->depth);
    sim_dot_box_common(dot, slot);
    sim_dot_box_end(dot);
}

/* Writes the kind of memory that the operation says, and the kind that it is. */
static void put_kind(struct dot *dot, const rill_place *place)
{
    struct address_info info;
    sim_map_lookup(dot->graph->platform->map, place->address, &info);
    const char *is = sim_address_is_host(&info)        ? "HOST PINNED"
                     : info.known || info.in_window ? "DEVICE"
                                                     : "HOST PAGEABLE";
    const char *said = place->kind == RILL_MEMORY_HOST     ? "HOST"
                       : place->kind == RILL_MEMORY_DEVICE ? "DEVICE"
                                                           : "UNIFIED";
    sim_dot_print(dot, "%s (%s)", said, is);
}

static void put_place(struct dot *dot, const rill_place *place)
{
    bool host = place->kind == RILL_MEMORY_HOST;
    put_kind(dot, place);
    sim_dot_put(dot, " | ");
    sim_dot_address(dot, 0); /* the array that rill does not have */
    sim_dot_put(dot, " | ");
    sim_dot_address(dot, host ? place->address : 0);
    sim_dot_put(dot, " | ");
    sim_dot_address(dot, host ? 0 : place->address);
    sim_dot_print(dot, " | %zu | %zu | %zu | %zu | %zu | 0", place->x, place->y, place->z,
                  place->pitch, place->rows);
}

#define PLACE_FIELDS "MemoryType | Array | Host | Device | XInBytes | Y | Z | Pitch | Height | LOD"

static void copy_draw_record(struct dot *dot, uint32_t slot, const struct task *task,
                             const rill_op *op)
{
    (void)task;
    const rill_copy *copy = &op->memcpy;
    sim_dot_record_begin(dot, "solid", "\nMEMCPY");
    sim_dot_record_id(dot, slot, "");
    sim_dot_put(dot, "}}\n");
    sim_dot_record_label(dot, slot);
    sim_dot_put(dot, "| {{src | dst} | { " PLACE_FIELDS " | " PLACE_FIELDS "} | {");
    put_place(dot, &copy->src);
    sim_dot_put(dot, " | ");
    put_place(dot, &copy->dst);
    sim_dot_print(dot, "}}\n| {Extent | {WidthInBytes | Height | Depth} | {%zu | %zu | %zu}}\n",
                  copy->width, copy->height, copy->depth);
    sim_dot_record_end(dot);
}

/* ---- The kind ---------------------------------------------------------------------- */

const struct node_kind sim_kind_copy = {
    .op = RILL_OP_MEMCPY, .traits = KIND_CAN_BE_DISABLED | KIND_IS_PLAIN | KIND_ON_DEVICE,
    .run = copy_run, .demand = copy_demand, .free = copy_free, .read = copy_read,
    .check_named = copy_check_named, .create = copy_create,
    .check_exec_change = copy_check_exec_change, .may_replace = copy_may_replace,
    .draw = copy_draw, .draw_record = copy_draw_record, .record_flag = RILL_DOT_MEMCPY_PARAMS,
};
