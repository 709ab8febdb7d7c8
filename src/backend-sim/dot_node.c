/* SPDX-License-Identifier: Apache-2.0
 *
 * Nodes as boxes: a number, a word for what they do, and lines of what the flags ask
 * for.  Those of which there is more to say are records (dot_op.c).
 */
#include <inttypes.h>

#include "backend-sim/dot.h"

void sim_dot_id(struct dot *dot, uint32_t slot)
{
    sim_dot_print(dot, "%u", (unsigned)slot);
    if (dot->ranks) sim_dot_print(dot, " (topoId: %u)", (unsigned)dot->ranks[slot]);
}

/* ---- The parts of a box ---------------------------------------------------------------- */

static void begin(struct dot *dot, uint32_t slot, const char *style, const char *shape)
{
    sim_dot_print(dot, "[style=\"%s\" shape=\"%s\" label=\"", style, shape);
    sim_dot_id(dot, slot);
    sim_dot_put(dot, "\n");
}

static void put_handle(struct dot *dot, const char *what, const void *handle)
{
    sim_dot_print(dot, "%s: 0x%016" PRIXPTR "\n", what, (uintptr_t)handle);
}

/* What any node has to say behind its word. */
static void put_common(struct dot *dot, uint32_t slot)
{
    const char *label = sim_node(dot->graph, slot)->label;
    if (label) {
        sim_dot_put(dot, "'");
        sim_dot_quote(dot, label);
        sim_dot_put(dot, "'\n");
    }
    if (sim_dot_wants(dot, RILL_DOT_HANDLES))
        put_handle(dot, "node handle", sim_node_handle(dot->graph, slot));
}

static void end(struct dot *dot)
{
    sim_dot_put(dot, "\"];\n\n");
}

/* ---- Boxes, kind by kind ----------------------------------------------------------------- */

static void put_kernel(struct dot *dot, uint32_t slot, const struct task *task, const rill_op *op)
{
    begin(dot, slot, "bold", "octagon");
    sim_dot_quote(dot, sim_task_name(task));
    sim_dot_put(dot, "\n");
    put_common(dot, slot);
    if (sim_dot_wants(dot, RILL_DOT_HANDLES)) put_handle(dot, "func handle", op->kernel.kernel);
    if (sim_dot_wants(dot, RILL_DOT_KERNEL_PARAMS)) sim_dot_launch(dot, &op->kernel);
    end(dot);
}

static char side(const rill_place *place)
{
    return place->kind == RILL_MEMORY_HOST ? 'H' : place->kind == RILL_MEMORY_DEVICE ? 'D' : 'U';
}

static void put_copy(struct dot *dot, uint32_t slot, const rill_copy *copy)
{
    begin(dot, slot, "solid", "trapezium");
    sim_dot_print(dot, "MEMCPY\n(%cto%c,%zu)\n", side(&copy->src), side(&copy->dst),
                  copy->width * copy->height * copy->depth);
    put_common(dot, slot);
    end(dot);
}

static void put_fill(struct dot *dot, uint32_t slot, const rill_fill *fill)
{
    begin(dot, slot, "solid", "invtrapezium");
    sim_dot_print(dot, "MEMSET\n(%u,%zu)\n", (unsigned)fill->value,
                  fill->element_bytes * fill->width * fill->height);
    put_common(dot, slot);
    end(dot);
}

/* A word is all. */
static void put_plain(struct dot *dot, uint32_t slot, const char *word)
{
    begin(dot, slot, "solid", "rectangle");
    sim_dot_print(dot, "%s\n", word);
    put_common(dot, slot);
}

static void put_host(struct dot *dot, uint32_t slot, const rill_host_op *op)
{
    put_plain(dot, slot, "HOST");
    if (sim_dot_wants(dot, RILL_DOT_HOST_PARAMS)) {
        put_handle(dot, "fn", (const void *)(uintptr_t)op->fn);
        put_handle(dot, "userData", op->data);
    }
    end(dot);
}

static void put_event(struct dot *dot, uint32_t slot, const char *word, const rill_event_op *op)
{
    put_plain(dot, slot, word);
    if (sim_dot_wants(dot, RILL_DOT_EVENT_PARAMS)) put_handle(dot, "event", op->event);
    end(dot);
}

static void put_child(struct dot *dot, uint32_t slot, const rill_graph_op *op)
{
    begin(dot, slot, "solid", "rectangle");
    sim_dot_print(dot, "graph_%u\n", (unsigned)sim_graph_of(op->graph)->serial);
    put_common(dot, slot);
    end(dot);
}

static const char *word(rill_op_kind kind)
{
    switch ((int)kind) {
    case RILL_OP_ALLOC: return "MEM_ALLOC";
    case RILL_OP_FREE: return "MEM_FREE";
    case RILL_OP_VALUES: return "BATCH_MEM_OP";
    default: return "EMPTY";
    }
}

void sim_dot_node(struct dot *dot, uint32_t slot)
{
    const struct task *task = sim_node_task(dot->graph, slot);
    rill_op op;
    if (sim_dot_record(dot, slot)) return;
    sim_task_read(task, &op);
    switch ((int)op.kind) {
    case RILL_OP_KERNEL: put_kernel(dot, slot, task, &op); break;
    case RILL_OP_MEMCPY: put_copy(dot, slot, &op.memcpy); break;
    case RILL_OP_MEMSET: put_fill(dot, slot, &op.memset); break;
    case RILL_OP_HOST: put_host(dot, slot, &op.host); break;
    case RILL_OP_GRAPH: put_child(dot, slot, &op.graph); break;
    case RILL_OP_EVENT_WAIT: put_event(dot, slot, "EVENT_WAIT", &op.event); break;
    case RILL_OP_EVENT_RECORD: put_event(dot, slot, "EVENT_RECORD", &op.event); break;
    default:
        put_plain(dot, slot, word(op.kind));
        end(dot);
    }
}
