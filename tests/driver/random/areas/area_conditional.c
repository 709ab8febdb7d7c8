/* SPDX-License-Identifier: Apache-2.0
 *
 * Conditional nodes: handles, bodies, what a body takes, and what runs.
 */
#include "conditional_steps.h"

static void open(struct world *w)
{
    CUstream s = NULL;
    CUevent e = NULL;
    if (cuStreamCreate(&s, CU_STREAM_NON_BLOCKING)) w->over = true;
    if (cuEventCreate(&e, CU_EVENT_DISABLE_TIMING)) w->over = true;
    object_add(w, STREAM, s, -1);
    object_add(w, EVENT, e, -1);
    graph_new(w);
    condition_handle_step(w);
}

static void step(struct world *w)
{
    static const struct choice choices[] = {
        { 5, condition_handle_step }, { 2, condition_node_step },   { 8, setter_step },
        { 16, body_node_step },       { 4, body_capture_step },     { 2, condition_params_step },
        { 9, condition_exec_step },   { 10, condition_launch_step }, { 4, condition_update_step },
        { 1, new_graph_step },        { 2, clone_step },            { 3, list_step },
        { 4, show_step },             { 1, get_params_step },       { 4, add_edges_step },
    };
    CHOOSE(w, choices);
}

static void close_all(struct world *w)
{
    for (int i = 0; i < w->count && !w->over; i++) {
        struct object *o = &w->objects[i];
        if (o->live && o->kind == EXEC && o->type) launch_exec(w, o);
    }
    graphs_close(w);
}

const struct area conditional_area = { "conditional", open, step, close_all, false };
