/* SPDX-License-Identifier: Apache-2.0
 *
 * What nodes do, in words of Graphviz labels.  Each line begins with an escaped
 * newline, since it stands within the quotes of one.
 */
#include <inttypes.h>

#include "backend-sim/dot.h"

static bool wants(const struct dot *dot, uint32_t flag)
{
    return dot->flags & (flag | RILL_DOT_VERBOSE);
}

static void put_kernel(struct dot *dot, const rill_kernel_op *op)
{
    if (wants(dot, RILL_DOT_KERNEL_PARAMS))
        sim_dot_print(dot, "\\ngrid %u,%u,%u\\nblock %u,%u,%u\\nshared %zu", op->grid.x,
                      op->grid.y, op->grid.z, op->block.x, op->block.y, op->block.z,
                      op->shared_bytes);
    if (wants(dot, RILL_DOT_KERNEL_ATTRIBUTES))
        for (size_t i = 0; i < op->attribute_count; i++)
            sim_dot_print(dot, "\\nattribute %d", (int)op->attributes[i].id);
    if (wants(dot, RILL_DOT_HANDLES)) sim_dot_print(dot, "\\nkernel %p", (void *)op->kernel);
}

static void put_place(struct dot *dot, const char *name, const rill_place *place)
{
    static const char *const kinds[] = { "", "host ", "device ", "", "" };
    sim_dot_print(dot, "\\n%s %s0x%" PRIx64, name, kinds[place->kind % 5u], place->address);
    if (place->x || place->y || place->z)
        sim_dot_print(dot, " at %zu,%zu,%zu", place->x, place->y, place->z);
    if (place->pitch) sim_dot_print(dot, " pitch %zu", place->pitch);
    if (place->rows) sim_dot_print(dot, " rows %zu", place->rows);
}

static void put_copy(struct dot *dot, const rill_copy *copy)
{
    if (!wants(dot, RILL_DOT_MEMCPY_PARAMS)) return;
    put_place(dot, "from", &copy->src);
    put_place(dot, "to", &copy->dst);
    sim_dot_print(dot, "\\nbox %zu,%zu,%zu", copy->width, copy->height, copy->depth);
}

static void put_fill(struct dot *dot, const rill_fill *fill)
{
    if (!wants(dot, RILL_DOT_MEMSET_PARAMS)) return;
    sim_dot_print(dot, "\\nat 0x%" PRIx64 " pitch %zu\\nvalue 0x%x of %u\\nbox %zu,%zu",
                  fill->dst, fill->pitch, (unsigned)fill->value, (unsigned)fill->element_bytes,
                  fill->width, fill->height);
}

static void put_host(struct dot *dot, const rill_host_op *op)
{
    if (wants(dot, RILL_DOT_HOST_PARAMS))
        sim_dot_print(dot, "\\nfunction 0x%" PRIxPTR "\\ndata %p", (uintptr_t)op->fn, op->data);
}

static void put_event(struct dot *dot, const rill_event_op *op)
{
    if (wants(dot, RILL_DOT_EVENT_PARAMS)) sim_dot_print(dot, "\\nevent %p", (void *)op->event);
}

static void put_values(struct dot *dot, const rill_values_op *op)
{
    if (!wants(dot, RILL_DOT_VALUES_PARAMS)) return;
    for (size_t i = 0; i < op->count; i++)
        sim_dot_print(dot, "\\n%s 0x%" PRIx64 " value 0x%" PRIx64 " flags 0x%x",
                      op->items[i].kind == RILL_VALUE_WRITE_32 ||
                              op->items[i].kind == RILL_VALUE_WRITE_64
                          ? "write"
                          : "wait",
                      op->items[i].address, op->items[i].value, (unsigned)op->items[i].flags);
}

static void put_conditional(struct dot *dot, const struct conditional_task *task)
{
    static const char *const kinds[] = { "if", "while", "switch" };
    if (wants(dot, RILL_DOT_CONDITIONAL_PARAMS))
        sim_dot_print(dot, "\\n%s 0x%" PRIx64 "\\nbodies %u", kinds[task->kind % 3u],
                      task->handle, (unsigned)task->body_count);
}

void sim_dot_op(struct dot *dot, const struct task *task)
{
    const char *name = task->type->name ? task->type->name(task) : NULL;
    if (name) {
        sim_dot_put(dot, "\\n");
        sim_dot_quote(dot, name);
    }
    rill_op op;
    if (task->type->kind == RILL_OP_CONDITIONAL)
        put_conditional(dot, (const struct conditional_task *)task);
    else
        sim_task_read(task, &op);
    switch ((int)task->type->kind) {
    case RILL_OP_KERNEL: put_kernel(dot, &op.kernel); break;
    case RILL_OP_MEMCPY: put_copy(dot, &op.memcpy); break;
    case RILL_OP_MEMSET: put_fill(dot, &op.memset); break;
    case RILL_OP_HOST: put_host(dot, &op.host); break;
    case RILL_OP_EVENT_WAIT:
    case RILL_OP_EVENT_RECORD: put_event(dot, &op.event); break;
    case RILL_OP_ALLOC:
        if (wants(dot, RILL_DOT_ALLOC_PARAMS))
            sim_dot_print(dot, "\\n0x%" PRIx64 "\\nbytes %zu\\ndevice %d", op.alloc.address,
                          op.alloc.bytes, op.alloc.device);
        break;
    case RILL_OP_FREE:
        if (wants(dot, RILL_DOT_FREE_PARAMS))
            sim_dot_print(dot, "\\n0x%" PRIx64, op.free.address);
        break;
    case RILL_OP_VALUES: put_values(dot, &op.values); break;
    }
}
