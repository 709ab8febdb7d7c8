/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs, built and asked.  Nothing runs.
 */
#include "graph_steps.h"

static void open(struct world *w)
{
    for (int i = 0; i < 2; i++) graph_new(w);
    for (int i = 0; i < 3; i++) {
        CUevent e = NULL;
        if (!cuEventCreate(&e, CU_EVENT_DISABLE_TIMING)) object_add(w, EVENT, e, -1);
    }
}

static void step(struct world *w)
{
    static const struct choice choices[] = {
        { 30, add_node_step },   { 8, add_edges_step },   { 4, remove_edges_step },
        { 2, new_graph_step },   { 4, clone_step },       { 4, destroy_node_step },
        { 1, destroy_graph_step }, { 2, handle_step },    { 12, list_step },
        { 5, find_step },        { 4, child_step },       { 5, get_params_step },
        { 4, show_step },        { 8, set_params_step },  { 6, attribute_step },
    };
    CHOOSE(w, choices);
}

static void close_all(struct world *w)
{
    for (int i = 0; i < w->count; i++) {
        if (w->objects[i].live && w->objects[i].kind == GRAPH) {
            line_call(w, "show", "g%d", w->objects[i].number);
            line_result(w, CUDA_SUCCESS);
            graph_adopt(w, &w->objects[i]);
            graph_show(w, &w->objects[i]);
            line_end(w);
        }
    }
    graphs_close(w);
}

const struct area graph_area = { "graph", open, step, close_all, false };
