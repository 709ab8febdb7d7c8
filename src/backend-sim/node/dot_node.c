/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>

#include "backend-sim/node/dot.h"

void sim_dot_id(struct dot *dot, uint32_t slot)
{
    sim_dot_print(dot, "%u", (unsigned)slot);
    if (dot->ranks) sim_dot_print(dot, " (topoId: %u)", (unsigned)dot->ranks[slot]);
}

void sim_dot_handle(struct dot *dot, const void *handle)
{
    sim_dot_print(dot, "0x%016" PRIXPTR, (uintptr_t)handle);
}

void sim_dot_address(struct dot *dot, uint64_t address)
{
    sim_dot_print(dot, "0x%016" PRIX64, address);
}

void sim_dot_node(struct dot *dot, uint32_t slot)
{
    const struct task *task = sim_node_task(dot->graph, slot);
    const struct node_kind *kind = task->kind;
    rill_op op;
    sim_task_read(task, &op);
    if (!kind->draw || (kind->draw_record && sim_dot_wants(dot, kind->record_flag)))
        kind->draw_record(dot, slot, task, &op);
    else
        kind->draw(dot, slot, task, &op);
}

/* ---- Boxes ------------------------------------------------------------------------------- */

void sim_dot_box_begin(struct dot *dot, uint32_t slot, const char *style, const char *shape)
{
    sim_dot_print(dot, "[style=\"%s\" shape=\"%s\" label=\"", style, shape);
    sim_dot_id(dot, slot);
    sim_dot_put(dot, "\n");
}

void sim_dot_box_handle(struct dot *dot, const char *what, const void *handle)
{
    sim_dot_print(dot, "%s: 0x%016" PRIXPTR "\n", what, (uintptr_t)handle);
}

void sim_dot_box_common(struct dot *dot, uint32_t slot)
{
    const char *label = sim_node(dot->graph, slot)->label;
    if (label) {
        sim_dot_put(dot, "'");
        sim_dot_quote(dot, label);
        sim_dot_put(dot, "'\n");
    }
    if (sim_dot_has_handles(dot))
        sim_dot_box_handle(dot, "node handle", sim_node_handle(dot->graph, slot));
}

void sim_dot_box_plain(struct dot *dot, uint32_t slot, const char *word)
{
    sim_dot_box_begin(dot, slot, "solid", "rectangle");
    sim_dot_print(dot, "%s\n", word);
    sim_dot_box_common(dot, slot);
}

void sim_dot_box_end(struct dot *dot)
{
    sim_dot_put(dot, "\"];\n\n");
}

/* ---- Records ----------------------------------------------------------------------------- */

void sim_dot_record_begin(struct dot *dot, const char *style, const char *word)
{
    sim_dot_print(dot, "[style=\"%s\" shape=\"record\" label=\"{%s\n", style, word);
}

void sim_dot_record_label(struct dot *dot, uint32_t slot)
{
    const char *label = sim_node(dot->graph, slot)->label;
    if (!label) return;
    sim_dot_put(dot, "| {label | '");
    sim_dot_field(dot, label);
    sim_dot_put(dot, "'}\n");
}

void sim_dot_record_id(struct dot *dot, uint32_t slot, const char *names)
{
    sim_dot_print(dot, "| {{ID%s%s} | {", sim_dot_has_handles(dot) ? " | node handle" : "", names);
    sim_dot_id(dot, slot);
    if (!sim_dot_has_handles(dot)) return;
    sim_dot_put(dot, " | ");
    sim_dot_handle(dot, sim_node_handle(dot->graph, slot));
}

void sim_dot_record_end(struct dot *dot)
{
    sim_dot_put(dot, "}\"];\n\n");
}
