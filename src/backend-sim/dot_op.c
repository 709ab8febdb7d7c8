/* SPDX-License-Identifier: Apache-2.0
 *
 * Nodes as records, with fields for all that they were given.
 */
#include <inttypes.h>

#include "backend-sim/address_map.h"
#include "backend-sim/conditional.h"
#include "backend-sim/dot.h"
#include "backend-sim/kernel_task.h"

/* ---- The parts of a record -------------------------------------------------------- */

static void begin(struct dot *dot, const char *style, const char *word)
{
    sim_dot_print(dot, "[style=\"%s\" shape=\"record\" label=\"{%s\n", style, word);
}

static void end(struct dot *dot)
{
    sim_dot_put(dot, "}\"];\n\n");
}

/* A row for the label, where the node has one. */
static void put_label_row(struct dot *dot, uint32_t slot)
{
    const char *label = sim_node(dot->graph, slot)->label;
    if (!label) return;
    sim_dot_put(dot, "| {label | '");
    sim_dot_field(dot, label);
    sim_dot_put(dot, "'}\n");
}

static bool has_handle(const struct dot *dot)
{
    return sim_dot_wants(dot, RILL_DOT_HANDLES);
}

static void put_handle(struct dot *dot, const void *handle)
{
    sim_dot_print(dot, "0x%016" PRIXPTR, (uintptr_t)handle);
}

static void put_address(struct dot *dot, uint64_t address)
{
    sim_dot_print(dot, "0x%016" PRIX64, address);
}

/* "| {{ID | node handle`names`} | {3 | 0x5`": what such a row begins with. */
static void begin_row(struct dot *dot, uint32_t slot, const char *names)
{
    sim_dot_print(dot, "| {{ID%s%s} | {", has_handle(dot) ? " | node handle" : "", names);
    sim_dot_id(dot, slot);
    if (!has_handle(dot)) return;
    sim_dot_put(dot, " | ");
    put_handle(dot, sim_node_handle(dot->graph, slot));
}

/* ---- Kernels ---------------------------------------------------------------------- */

static void put_extent(struct dot *dot, rill_dim3 extent)
{
    if (extent.z > 1) sim_dot_print(dot, "\\{%u,%u,%u\\}", extent.x, extent.y, extent.z);
    else if (extent.y > 1) sim_dot_print(dot, "\\{%u,%u\\}", extent.x, extent.y);
    else sim_dot_print(dot, "%u", extent.x);
}

void sim_dot_launch(struct dot *dot, const rill_kernel_op *op)
{
    sim_dot_put(dot, "\\<\\<\\<");
    put_extent(dot, op->grid);
    sim_dot_put(dot, ",");
    put_extent(dot, op->block);
    sim_dot_print(dot, ",%zu\\>\\>\\>", op->shared_bytes);
}

static char property(int value)
{
    return value == 1 ? 'S' : value == 2 ? 'P' : 'N';
}

static void put_attributes(struct dot *dot, const struct kernel_task *kernel)
{
    const rill_access_window window =
        sim_kernel_task_attribute(kernel, RILL_ATTRIBUTE_ACCESS_WINDOW).window;
    sim_dot_put(dot, "| {accessPolicyWindow | {base_ptr | num_bytes | hitRatio | hitProp | "
                     "missProp} | {");
    put_address(dot, window.base);
    sim_dot_print(dot, " | %zu | %f | %c | %c}}\n", window.bytes, (double)window.hit_ratio,
                  property(window.hit), property(window.miss));
    sim_dot_print(dot, "| {cooperative | %d}\n| {priority | %d}\n",
                  sim_kernel_task_attribute(kernel, RILL_ATTRIBUTE_COOPERATIVE).cooperative,
                  sim_kernel_task_attribute(kernel, RILL_ATTRIBUTE_PRIORITY).priority);
}

static void put_kernel(struct dot *dot, uint32_t slot, const struct task *task,
                       const rill_kernel_op *op)
{
    begin(dot, "bold", "KERNEL");
    sim_dot_put(dot, "| {ID | ");
    sim_dot_id(dot, slot);
    sim_dot_put(dot, " | ");
    sim_dot_field(dot, sim_task_name(task));
    if (sim_dot_wants(dot, RILL_DOT_KERNEL_PARAMS)) sim_dot_launch(dot, op);
    sim_dot_put(dot, "}\n");
    put_label_row(dot, slot);
    if (has_handle(dot)) {
        sim_dot_put(dot, "| {{node handle | func handle} | {");
        put_handle(dot, sim_node_handle(dot->graph, slot));
        sim_dot_put(dot, " | ");
        put_handle(dot, op->kernel);
        sim_dot_put(dot, "}}\n");
    }
    put_attributes(dot, sim_kernel_task_of(task));
    end(dot);
}

/* ---- Copies and fills ------------------------------------------------------------- */

/* What was said of a place, and what it is. */
static void put_kind(struct dot *dot, const rill_place *place)
{
    struct address_info info;
    sim_map_look(dot->graph->platform->map, place->address, &info);
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
    put_address(dot, 0); /* the array that rill does not have */
    sim_dot_put(dot, " | ");
    put_address(dot, host ? place->address : 0);
    sim_dot_put(dot, " | ");
    put_address(dot, host ? 0 : place->address);
    sim_dot_print(dot, " | %zu | %zu | %zu | %zu | %zu | 0", place->x, place->y, place->z,
                  place->pitch, place->rows);
}

#define PLACE_FIELDS "MemoryType | Array | Host | Device | XInBytes | Y | Z | Pitch | Height | LOD"

static void put_copy(struct dot *dot, uint32_t slot, const rill_copy *copy)
{
    begin(dot, "solid", "\nMEMCPY");
    begin_row(dot, slot, "");
    sim_dot_put(dot, "}}\n");
    put_label_row(dot, slot);
    sim_dot_put(dot, "| {{src | dst} | { " PLACE_FIELDS " | " PLACE_FIELDS "} | {");
    put_place(dot, &copy->src);
    sim_dot_put(dot, " | ");
    put_place(dot, &copy->dst);
    sim_dot_print(dot, "}}\n| {Extent | {WidthInBytes | Height | Depth} | {%zu | %zu | %zu}}\n",
                  copy->width, copy->height, copy->depth);
    end(dot);
}

static void put_fill(struct dot *dot, uint32_t slot, const rill_fill *fill)
{
    begin(dot, "solid", "MEMSET");
    begin_row(dot, slot, " | dptr | pitch | value | elementSize | width | height");
    sim_dot_put(dot, " | ");
    put_address(dot, fill->dst);
    sim_dot_print(dot, " | %zu | %u | %u | %zu | %zu}}\n", fill->pitch, (unsigned)fill->value,
                  (unsigned)fill->element_bytes, fill->width, fill->height);
    put_label_row(dot, slot);
    end(dot);
}

/* ---- Memory and values ------------------------------------------------------------ */

static void put_alloc(struct dot *dot, uint32_t slot, const rill_alloc_op *op)
{
    begin(dot, "solid", "\nMEM_ALLOC");
    begin_row(dot, slot, "");
    sim_dot_put(dot, "}}\n");
    put_label_row(dot, slot);
    sim_dot_print(dot, "| {{{poolProps | {allocType | handleTypes | {location | {type | id}}} | "
                       "{PINNED | NONE | DEVICE | %d}}}}\n| {{bytesize | dptr} | {%zu | ",
                  op->device, op->bytes);
    put_address(dot, op->address);
    sim_dot_put(dot, "}}\n");
    end(dot);
}

static void put_free(struct dot *dot, uint32_t slot, const rill_free_op *op)
{
    begin(dot, "solid", "\nMEM_FREE");
    begin_row(dot, slot, "");
    sim_dot_put(dot, "}}\n");
    put_label_row(dot, slot);
    sim_dot_put(dot, "| {{dptr} | {");
    put_address(dot, op->address);
    sim_dot_put(dot, "}}\n");
    end(dot);
}

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
    put_address(dot, value->address);
    sim_dot_print(dot, " | 0x%0*" PRIX64 " | %s", wide ? 16 : 8, value->value, flag_word(value));
}

static void put_values(struct dot *dot, uint32_t slot, const rill_values_op *op)
{
    begin(dot, "solid", "\nBATCH_MEM_OP");
    begin_row(dot, slot, " | count | flags ");
    sim_dot_print(dot, " | %zu | 0x%08X }}\n", op->count, (unsigned)op->flags);
    put_label_row(dot, slot);
    for (size_t i = 0; i < op->count; i++)
        sim_dot_print(dot, "%s{paramArray[%zu] | {op | addr | val | flags }}",
                      i ? "\n| " : "| {{", i);
    for (size_t i = 0; i < op->count; i++) {
        sim_dot_put(dot, i ? "\n| " : "}\n| {");
        put_value(dot, &op->items[i]);
    }
    sim_dot_put(dot, op->count ? "}}\n" : "");
    end(dot);
}

/* ---- Conditionals ----------------------------------------------------------------- */

static void put_body(struct dot *dot, const struct conditional_task *task, uint32_t index)
{
    unsigned serial = sim_graph_of(task->bodies[index])->serial;
    if (task->kind == RILL_CONDITIONAL_SWITCH)
        sim_dot_print(dot, "| {%u|  graph_%u}\n", (unsigned)index, serial);
    else if (index)
        sim_dot_print(dot, "| {False| graph_%u}\n", serial);
    else
        sim_dot_print(dot, task->kind == RILL_CONDITIONAL_WHILE ? "| {True|graph_%u}\n"
                                                                 : "| {True | graph_%u}\n",
                      serial);
}

static void put_conditional(struct dot *dot, uint32_t slot, const struct conditional_task *task)
{
    static const char *const kinds[] = { "IF", "WHILE", "SWITCH" };
    begin(dot, "bold", "\nCONDITIONAL");
    sim_dot_put(dot, "| {ID | ");
    sim_dot_id(dot, slot);
    sim_dot_put(dot, "}\n");
    put_label_row(dot, slot);
    if (has_handle(dot)) {
        sim_dot_put(dot, "| {node handle| ");
        put_handle(dot, sim_node_handle(dot->graph, slot));
        sim_dot_put(dot, "}\n");
    }
    if (dot->flags & RILL_DOT_VERBOSE)
        sim_dot_print(dot, "| {Conditional Handle|%u}\n",
                      (unsigned)sim_conditional_number(task->handle));
    sim_dot_print(dot, "| {Conditional Type| %s}\n", kinds[task->kind % 3u]);
    for (uint32_t i = 0; i < task->body_count; i++) put_body(dot, task, i);
    sim_dot_put(dot, "}\n\"];\n\n");
}

/* ---- Any -------------------------------------------------------------------------- */

static uint32_t flag_of(rill_op_kind kind)
{
    switch ((int)kind) {
    case RILL_OP_KERNEL: return RILL_DOT_KERNEL_ATTRIBUTES;
    case RILL_OP_MEMCPY: return RILL_DOT_MEMCPY_PARAMS;
    case RILL_OP_MEMSET: return RILL_DOT_MEMSET_PARAMS;
    case RILL_OP_ALLOC: return RILL_DOT_ALLOC_PARAMS;
    case RILL_OP_FREE: return RILL_DOT_FREE_PARAMS;
    case RILL_OP_VALUES: return RILL_DOT_VALUES_PARAMS;
    default: return 0;
    }
}

bool sim_dot_record(struct dot *dot, uint32_t slot)
{
    const struct task *task = sim_node_task(dot->graph, slot);
    const uint32_t flag = flag_of(task->kind->op);
    rill_op op;
    if (task->kind->op == RILL_OP_CONDITIONAL) {
        put_conditional(dot, slot, (const struct conditional_task *)task);
        return true;
    }
    if (!flag || !sim_dot_wants(dot, flag)) return false;
    sim_task_read(task, &op);
    switch ((int)op.kind) {
    case RILL_OP_KERNEL: put_kernel(dot, slot, task, &op.kernel); break;
    case RILL_OP_MEMCPY: put_copy(dot, slot, &op.memcpy); break;
    case RILL_OP_MEMSET: put_fill(dot, slot, &op.memset); break;
    case RILL_OP_ALLOC: put_alloc(dot, slot, &op.alloc); break;
    case RILL_OP_FREE: put_free(dot, slot, &op.free); break;
    default: put_values(dot, slot, &op.values);
    }
    return true;
}
