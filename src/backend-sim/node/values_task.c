/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/node/values_task.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "backend-sim/graph/task_slab.h"
#include "backend-sim/memory/graph_heap.h"
#include "backend-sim/memory/views.h"
#include "backend-sim/node/dot.h"
#include "backend-sim/node/kinds.h"
#include "backend-sim/node/may_replace.h"
#include "backend-sim/stream/value_op.h"

bool sim_values_write(const struct values_task *values, uint32_t item)
{
    const rill_value *value = &values->items[item];
    if (!sim_value_writes(value)) return true;
    if (sim_value_is_there(values->platform, value)) {
        sim_value_write(&values->seen[item]);
        return true;
    }
    sim_values_raise(values, value);
    return false;
}

void sim_values_raise(const struct values_task *values, const rill_value *value)
{
    char message[RILL_ERROR_MESSAGE_MAX / 2];
    const char *operation = sim_value_waits(value) ? "value wait" : "value write";
    if (!sim_describe_graph_memory(values->platform, operation, value->address, 4, message,
                                   sizeof message))
        snprintf(message, sizeof message, "a graph's %s uses 0x%" PRIx64 ", where no memory is",
                 operation, value->address);
    sim_raise_part(&values->task, values->platform, RILL_ERROR_ILLEGAL_ADDRESS, operation,
                   message);
}

static void values_run(struct task *task)
{
    const struct values_task *values = (const struct values_task *)task;
    for (uint32_t i = 0; i < values->count; i++)
        if (!sim_values_write(values, i)) return;
}

static void values_free(struct task *task)
{
    sim_task_free(task);
}

static void values_read(const struct task *task, rill_op *op)
{
    const struct values_task *values = (const struct values_task *)task;
    op->values = (rill_values_op){ .items = values->count ? values->items : NULL,
                                   .count = values->count };
}

static bool may_wait(const rill_values_op *op)
{
    for (size_t i = 0; i < op->count; i++)
        if (sim_value_waits(&op->items[i])) return true;
    return false;
}

static bool is_dangling(struct sim_platform *platform, const rill_values_op *op)
{
    for (size_t i = 0; i < op->count; i++) {
        const rill_value *value = &op->items[i];
        if ((sim_value_waits(value) || sim_value_writes(value)) &&
            !sim_graph_heap_at(platform, value->address) && !sim_value_is_there(platform, value))
            return true;
    }
    return false;
}

/* Fills in the items, and what is seen of them where memory may be mapped twice. */
static void put_items(struct values_task *values, const rill_values_op *op)
{
    rill_value *seen = values->platform->views ? values->items + op->count : NULL;
    values->count = (uint32_t)op->count;
    values->seen = seen ? seen : values->items;
    if (op->count) memcpy(values->items, op->items, op->count * sizeof *op->items);
    for (size_t i = 0; seen && i < op->count; i++) {
        seen[i] = op->items[i];
        seen[i].address = sim_view_of(values->platform, seen[i].address);
    }
}

static rill_status values_create(const struct node_site *site, const rill_op *any,
                                 const struct task *before, struct task **task)
{
    (void)before;
    const rill_values_op *op = &any->values;
    rill_status status = sim_values_check(op);
    if (status) return status;
    size_t items = site->platform->views ? 2 * op->count : op->count;
    struct values_task *values = sim_task_alloc(
        sim_task_room(site->context), sizeof *values + items * sizeof *op->items);
    if (!values) return sim_out_of_memory_for_node();
    uint32_t marks = (may_wait(op) ? TASK_WAITS : 0u) |
                     (is_dangling(site->platform, op) ? TASK_DANGLING : 0u);
    sim_task_init(&values->task, &sim_kind_values, marks);
    values->platform = site->platform;
    put_items(values, op);
    *task = &values->task;
    return RILL_SUCCESS;
}

/* ---- Changing -------------------------------------------------------------------- */

static bool values_may_replace(const struct task *before, const struct task *after,
                               bool priorities, struct update_refusal *refusal)
{
    (void)priorities;
    const struct values_task *old = (const struct values_task *)before;
    const struct values_task *new = (const struct values_task *)after;
    if (old->count != new->count)
        return sim_refuse_update(refusal, "count", "the number of its operations cannot change");
    for (uint32_t i = 0; i < old->count; i++)
        if (old->items[i].kind != new->items[i].kind)
            return sim_refuse_update(refusal, "items", "the kind of its operations cannot change");
    return true;
}

/* ---- Drawing --------------------------------------------------------------------- */

static const char *flag_word(const rill_value *value)
{
    static const char *const waits[] = { "GEQ", "EQ", "AND", "NOR" };
    if (value->kind == RILL_VALUE_WAIT_32 || value->kind == RILL_VALUE_WAIT_64)
        return waits[value->flags & 3];
    return value->flags & RILL_WRITE_NO_MEMORY_BARRIER ? "NO_MEMORY_BARRIER" : "DEFAULT";
}

static void put_value(struct dot *dot, const rill_value *value)
{
    static const char *const words[] = { "", "WAIT_VALUE_32", "WRITE_VALUE_32",
                                         "FLUSH_REMOTE_WRITES", "WAIT_VALUE_64", "WRITE_VALUE_64",
                                         "BARRIER" };
    bool wide = value->kind == RILL_VALUE_WAIT_64 || value->kind == RILL_VALUE_WRITE_64;
    sim_dot_print(dot, "%s | ", words[value->kind % 7u]);
    sim_dot_address(dot, value->address);
    sim_dot_print(dot, " | 0x%0*" PRIX64 " | %s", wide ? 16 : 8, value->value, flag_word(value));
}

static void values_draw(struct dot *dot, uint32_t slot, const struct task *task,
                        const rill_op *op)
{
    (void)task, (void)op;
    sim_dot_box_plain(dot, slot, "BATCH_MEM_OP");
    sim_dot_box_end(dot);
}

static void values_draw_record(struct dot *dot, uint32_t slot, const struct task *task,
                               const rill_op *op)
{
    (void)task;
    const rill_values_op *values = &op->values;
    sim_dot_record_begin(dot, "solid", "\nBATCH_MEM_OP");
    sim_dot_record_id(dot, slot, " | count | flags ");
    sim_dot_print(dot, " | %zu | 0x%08X }}\n", values->count, (unsigned)values->flags);
    sim_dot_record_label(dot, slot);
    for (size_t i = 0; i < values->count; i++)
        sim_dot_print(dot, "%s{paramArray[%zu] | {op | addr | val | flags }}",
                      i ? "\n| " : "| {{", i);
    for (size_t i = 0; i < values->count; i++) {
        sim_dot_put(dot, i ? "\n| " : "}\n| {");
        put_value(dot, &values->items[i]);
    }
    sim_dot_put(dot, values->count ? "}}\n" : "");
    sim_dot_record_end(dot);
}

/* ---- The kind ---------------------------------------------------------------------- */

const struct node_kind sim_kind_values = {
    .op = RILL_OP_VALUES, .inside = INSIDE_ALL,
    .run = values_run, .free = values_free, .read = values_read, .create = values_create,
    .may_replace = values_may_replace,
    .draw = values_draw, .draw_record = values_draw_record, .record_flag = RILL_DOT_VALUES_PARAMS,
};
