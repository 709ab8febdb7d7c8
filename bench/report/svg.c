/* SPDX-License-Identifier: Apache-2.0
 *
 * What a node costs by the size of the graph, as a plot: a panel for each family on
 * one thread and on two, both axes logarithmic, a line for each contender.  It follows
 * the reader's choice of a light or a dark page.
 */
#include <math.h>
#include <stdlib.h>

#include "../bench.h"

#define PLOT_WIDTH 460.0
#define PLOT_HEIGHT 330.0
#define LEFT 84.0
#define LABELS 90.0 /* behind the lines */
#define TOP 70.0
#define BETWEEN 76.0 /* one row and the next */
#define BOTTOM 56.0
#define PANEL_WIDTH (LEFT + PLOT_WIDTH + LABELS)
#define WIDTH (GRAPH_THREADS * PANEL_WIDTH + 10)
#define HEIGHT (TOP + FAMILIES * PLOT_HEIGHT + (FAMILIES - 1) * BETWEEN + BOTTOM)
#define LABEL_HEIGHT 15.0

/* Seen on white as well as on black. */
static const char *const colours[CONTENDERS] = {
    [SERIAL] = "#808890", [RILL] = "#e0402c", [TBB] = "#2f7fd6", [TBB_LIGHT] = "#1fa3b8",
    [GLIB] = "#35993f", [LIBGOMP] = "#b8860b", [LIBOMP] = "#9b62d6", [STARPU] = "#d0508f",
};

struct panel {
    const struct outcome *outcome;
    enum family family;
    int threads;
    double x, y;      /* of its upper left corner */
    double low, high; /* decades of the costs */
};

/* The plain loop has one thread, and is the floor of both. */
static struct spread cost_of(const struct panel *panel, int contender, int size)
{
    int line = scale_line(panel->family, contender == SERIAL ? 1 : panel->threads);
    return pooled(panel->outcome, (enum metric)(SCALE_TIME + line * SCALE_SIZES + size),
                  (enum contender)contender);
}

static double at_size(const struct panel *panel, int size)
{
    return panel->x + PLOT_WIDTH * size / (SCALE_SIZES - 1);
}

static double at_cost(const struct panel *panel, double cost)
{
    double part = (log10(cost) - panel->low) / (panel->high - panel->low);
    part = fmin(fmax(part, 0), 1);
    return panel->y + PLOT_HEIGHT * (1 - part);
}

/* ---- Axes ------------------------------------------------------------------------------ */

static void rule(FILE *out, const char *kind, double x1, double y1, double x2, double y2)
{
    fprintf(out, "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", kind, x1,
            y1, x2, y2);
}

static void cost_axis(FILE *out, const struct panel *panel)
{
    char text[24];
    for (int decade = (int)panel->low; decade <= (int)panel->high; decade++) {
        double y = at_cost(panel, pow(10, decade));
        rule(out, "grid", panel->x, y, panel->x + PLOT_WIDTH, y);
        fprintf(out, "<text class=\"ink\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
                panel->x - 8, y + 4, with_commas(text, pow(10, decade)));
        for (int times = 2; times < 10 && decade < (int)panel->high; times++) {
            y = at_cost(panel, times * pow(10, decade));
            rule(out, "axis", panel->x - 3, y, panel->x, y);
        }
    }
}

static void size_axis(FILE *out, const struct panel *panel)
{
    char text[24];
    double bottom = panel->y + PLOT_HEIGHT;
    for (int size = 0; size < SCALE_SIZES; size++) {
        double x = at_size(panel, size);
        rule(out, "grid", x, panel->y, x, bottom);
        fprintf(out, "<text class=\"ink\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n",
                x, bottom + 18, with_commas(text, scale_nodes(size)));
    }
    rule(out, "axis", panel->x, bottom, panel->x + PLOT_WIDTH, bottom);
    rule(out, "axis", panel->x, panel->y, panel->x, bottom);
    fprintf(out, "<text class=\"faint\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">nodes</text>\n",
            panel->x + PLOT_WIDTH / 2, bottom + 36);
    fprintf(out, "<text class=\"ink title\" x=\"%.1f\" y=\"%.1f\">%s, %d thread%s</text>\n", panel->x,
            panel->y - 12, families[panel->family].title, panel->threads,
            panel->threads == 1 ? "" : "s");
}

/* ---- Lines ------------------------------------------------------------------------------- */

struct label {
    int contender;
    double x, y; /* of the line's end */
    double at;   /* where the text goes */
};

/* False when there is nothing to draw. */
static bool draw_line(FILE *out, const struct panel *panel, int contender, struct label *label)
{
    bool any = false;
    const char *kind = contender == RILL ? "line rill" : contender == SERIAL ? "line loop" : "line";
    for (int size = 0; size < SCALE_SIZES; size++) {
        struct spread cost = cost_of(panel, contender, size);
        if (!cost.count) continue;
        if (!any)
            fprintf(out, "<polyline class=\"%s\" stroke=\"%s\" points=\"", kind,
                    colours[contender]);
        any = true;
        *label = (struct label){ .contender = contender, .x = at_size(panel, size),
                                 .y = at_cost(panel, cost.median) };
        fprintf(out, " %.1f,%.1f", label->x, label->y);
    }
    if (!any) return false;
    fprintf(out, "\"/>\n<g fill=\"%s\" stroke=\"%s\">\n", colours[contender], colours[contender]);
    for (int size = 0; size < SCALE_SIZES; size++) {
        struct spread cost = cost_of(panel, contender, size);
        if (!cost.count) continue;
        double x = at_size(panel, size);
        rule(out, "spread", x, at_cost(panel, cost.low), x, at_cost(panel, cost.high));
        fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%s\"/>\n", x,
                at_cost(panel, cost.median), contender == RILL ? "4" : "3");
    }
    fprintf(out, "</g>\n");
    label->at = label->y;
    return true;
}

static int by_height(const void *a, const void *b)
{
    double x = ((const struct label *)a)->y, y = ((const struct label *)b)->y;
    return x < y ? -1 : x > y;
}

/* Pushes texts apart that would overlap, each of two by half, until none does. */
static void spread_out(struct label *labels, int count)
{
    qsort(labels, (size_t)count, sizeof *labels, by_height);
    for (int pass = 0; pass < 200; pass++)
        for (int i = 1; i < count; i++) {
            double missing = LABEL_HEIGHT - (labels[i].at - labels[i - 1].at);
            if (missing <= 0) continue;
            labels[i - 1].at -= missing / 2;
            labels[i].at += missing / 2;
        }
}

static void draw_labels(FILE *out, const struct panel *panel, struct label *labels, int count)
{
    double x = panel->x + PLOT_WIDTH + 20;
    spread_out(labels, count);
    for (int i = 0; i < count; i++) {
        const struct label *label = &labels[i];
        fprintf(out, "<polyline class=\"leader\" stroke=\"%s\" points=\"%.1f,%.1f %.1f,%.1f\"/>\n",
                colours[label->contender], label->x + 6, label->y, x - 3, label->at);
        fprintf(out, "<text fill=\"%s\" x=\"%.1f\" y=\"%.1f\"%s>%s</text>\n",
                colours[label->contender], x, label->at + 4.5,
                label->contender == RILL ? " class=\"title\"" : "",
                contenders[label->contender].title);
    }
}

/* ---- All of it ---------------------------------------------------------------------------- */

static void draw_panel(FILE *out, const struct panel *panel)
{
    struct label labels[CONTENDERS];
    int count = 0;
    cost_axis(out, panel);
    size_axis(out, panel);
    /* rill's line above the others. */
    for (int c = 0; c < CONTENDERS; c++)
        if (c != RILL && colours[c]) count += draw_line(out, panel, c, &labels[count]);
    count += draw_line(out, panel, RILL, &labels[count]);
    draw_labels(out, panel, labels, count);
}

/* Whole decades around all medians, the same for all panels; bars may be cut off. */
static void find_decades(struct panel *panel)
{
    double low = INFINITY, high = 0;
    for (int m = SCALE_TIME; m < SCALE_TIME + SCALE_CASES; m++)
        for (int c = 0; c < CONTENDERS; c++) {
            struct spread cost = pooled(panel->outcome, (enum metric)m, (enum contender)c);
            if (!cost.count) continue;
            low = fmin(low, cost.median);
            high = fmax(high, cost.median);
        }
    panel->low = floor(log10(low));
    panel->high = ceil(log10(high));
    if (panel->high <= panel->low) panel->high = panel->low + 1;
}

static const char style[] =
    "<style>\n"
    "text { font: 13px sans-serif }\n"
    ".page { fill: #ffffff } .ink { fill: #202428 } .faint { fill: #5a6068 }\n"
    ".grid { stroke: #e2e5e9 } .axis { stroke: #8a9098 }\n"
    ".title { font-weight: bold } .head { font-size: 17px; font-weight: bold }\n"
    ".line { fill: none; stroke-width: 1.8 } .rill { stroke-width: 3.2 }\n"
    ".loop { stroke-dasharray: 6 4 } .spread { stroke-width: 1; opacity: 0.6 }\n"
    ".leader { fill: none; stroke-width: 0.8 }\n"
    "@media (prefers-color-scheme: dark) {\n"
    ".page { fill: #0d1117 } .ink { fill: #e6e9ed } .faint { fill: #9aa2ac }\n"
    ".grid { stroke: #262c34 } .axis { stroke: #6a727c }\n"
    "}\n"
    "</style>\n";

static void draw_head(FILE *out, const struct outcome *outcome)
{
    struct machine machine = this_machine();
    fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" ", WIDTH,
            HEIGHT);
    fprintf(out, "width=\"%.0f\" height=\"%.0f\">\n%s", WIDTH, HEIGHT, style);
    fprintf(out, "<title>What a node of a graph costs, by the size of the graph</title>\n");
    fprintf(out, "<rect class=\"page\" width=\"%.0f\" height=\"%.0f\"/>\n", WIDTH, HEIGHT);
    fprintf(out, "<text class=\"ink head\" x=\"%.0f\" y=\"26\">A launch and the wait for it: "
                 "nanoseconds for each node</text>\n", LEFT);
    fprintf(out, "<text class=\"faint\" x=\"%.0f\" y=\"26\" text-anchor=\"end\">%s; %ld processors; "
                 "%s; medians, bars are p10 to p90</text>\n", WIDTH - 14, outcome->versions[RILL],
            machine.processors, machine.date);
    if (outcome->rough)
        fprintf(out, "<text class=\"faint\" x=\"%.0f\" y=\"44\" text-anchor=\"end\">%d of %d "
                     "blocks were disturbed by other programs</text>\n", WIDTH - 14,
                outcome->rough, outcome->blocks);
}

void report_svg(FILE *out, const struct outcome *outcome)
{
    struct panel panel = { .outcome = outcome };
    find_decades(&panel);
    draw_head(out, outcome);
    for (int family = 0; family < FAMILIES; family++)
        for (int threads = 1; threads <= GRAPH_THREADS; threads++) {
            if (!any_of(outcome, SCALE_TIME + scale_line((enum family)family, threads) * SCALE_SIZES,
                        SCALE_SIZES))
                continue;
            panel.family = (enum family)family;
            panel.threads = threads;
            panel.x = (threads - 1) * PANEL_WIDTH + LEFT;
            panel.y = TOP + family * (PLOT_HEIGHT + BETWEEN);
            draw_panel(out, &panel);
        }
    fprintf(out, "</svg>\n");
}
