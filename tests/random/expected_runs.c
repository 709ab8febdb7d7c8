/* SPDX-License-Identifier: Apache-2.0 */
#include "random/expected_runs.h"

#include <string.h>

void tally_start(struct tally *tally)
{
    memset(tally, 0, sizeof *tally);
    tally->enabled_now = UINT32_MAX;
}

static uint32_t content_after(const struct tally *tally, const struct chart *chart, int graph,
                              int launch, int n)
{
    const struct chart_node *node = &chart->node[n];
    unsigned version = tally->version[launch][n];
    if (!chart_has_cell(chart, n) || !node->times || !(tally->enabled[launch] >> n & 1))
        return tally->content[launch][n];
    /* What it copies stands before it in the list. */
    if (node->kind == CHART_COPY) return tally->content[launch + 1][node->source[version % 2]];
    return chart_mark(graph, n, version);
}

static void add_launch(struct tally *tally, const struct chart *chart, int graph, int step)
{
    int launch = tally->launches++;
    tally->step[launch] = (int16_t)step;
    tally->enabled[launch] = tally->enabled_now;
    memcpy(tally->version[launch], tally->version_now, sizeof tally->version_now);
    for (int n = 0; n < chart->nodes; n++)
        tally->content[launch + 1][n] = content_after(tally, chart, graph, launch, n);
}

void tally_add(struct tally *tally, const struct chart *chart, const struct program *program,
               int step)
{
    const struct step *s = &program->step[step];
    switch (s->verb) {
    case DO_LAUNCH:
        add_launch(tally, chart, s->graph, step);
        break;
    case DO_CHANGE:
        tally->version_now[s->node] = s->how;
        break;
    case DO_SWITCH:
        tally->enabled_now &= ~(UINT32_C(1) << s->node);
        tally->enabled_now |= (uint32_t)s->how << s->node;
        break;
    case DO_UPDATE:
        memset(tally->version_now, s->how, sizeof tally->version_now);
        break;
    default:
        break;
    }
}
