/* SPDX-License-Identifier: Apache-2.0
 *
 * Execs: instantiated with all flags, updated whole and by node, and launched.  What
 * a launch wrote is printed.
 */
#include "exec_steps.h"

static void open(struct world *w)
{
    for (int i = 0; i < 3; i++) {
        CUevent e = NULL;
        CUstream s = NULL;
        if (cuEventCreate(&e, i ? CU_EVENT_DISABLE_TIMING : 0)) w->over = true;
        if (cuStreamCreate(&s, i % 2)) w->over = true;
        object_add(w, EVENT, e, -1);
        object_add(w, STREAM, s, -1);
    }
    for (int i = 0; i < 2; i++) {
        build_graph(w, graph_new(w), 4);
        instantiate_step(w);
    }
}

static void step(struct world *w)
{
    static const struct choice choices[] = {
        { 8, add_node_step },       { 3, add_edges_step }, { 1, remove_edges_step },
        { 1, new_graph_step },      { 4, clone_step },     { 2, destroy_node_step },
        { 1, destroy_graph_step },  { 2, child_step },     { 6, set_params_step },
        { 3, attribute_step },      { 9, instantiate_step }, { 14, launch_exec_step },
        { 12, update_step_whole },  { 16, update_step_node }, { 8, enable_step },
        { 3, exec_other_step },
    };
    CHOOSE(w, choices);
}

static void close_all(struct world *w)
{
    for (int i = 0; i < w->count && !w->over; i++) {
        struct object *o = &w->objects[i];
        if (o->live && o->kind == EXEC) launch_exec(w, o);
    }
    graphs_close(w);
}

const struct area exec_area = { "exec", open, step, close_all, false };
