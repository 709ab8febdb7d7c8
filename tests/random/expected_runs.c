/* SPDX-License-Identifier: Apache-2.0 */
#include "random/expected_runs.h"

#include <string.h>

void expected_runs_start(struct expected_runs *expected)
{
    memset(expected, 0, sizeof *expected);
    expected->enabled_now = UINT32_MAX;
}

static uint32_t content_after(const struct expected_runs *expected, const struct graph_plan *plan,
                              int graph, int launch, int n)
{
    const struct node_plan *node = &plan->node[n];
    unsigned version = expected->version[launch][n];
    if (!graph_has_cell(plan, n) || !node->times || !(expected->enabled[launch] >> n & 1))
        return expected->content[launch][n];
    /* What it copies stands before it in the list. */
    if (node->kind == NODE_COPY) return expected->content[launch + 1][node->source[version % 2]];
    return graph_mark(graph, n, version);
}

static void add_launch(struct expected_runs *expected, const struct graph_plan *plan, int graph,
                       int step)
{
    int launch = expected->launches++;
    expected->step[launch] = (int16_t)step;
    expected->enabled[launch] = expected->enabled_now;
    memcpy(expected->version[launch], expected->version_now, sizeof expected->version_now);
    for (int n = 0; n < plan->nodes; n++)
        expected->content[launch + 1][n] = content_after(expected, plan, graph, launch, n);
}

void expected_runs_add(struct expected_runs *expected, const struct graph_plan *plan,
                       const struct program *program, int step)
{
    const struct step *s = &program->step[step];
    switch (s->verb) {
    case DO_LAUNCH:
        add_launch(expected, plan, s->graph, step);
        break;
    case DO_CHANGE:
        expected->version_now[s->node] = s->how;
        break;
    case DO_SWITCH:
        expected->enabled_now &= ~(UINT32_C(1) << s->node);
        expected->enabled_now |= (uint32_t)s->how << s->node;
        break;
    case DO_UPDATE:
        memset(expected->version_now, s->how, sizeof expected->version_now);
        break;
    default:
        break;
    }
}
