/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables of graphs: launches on one thread and on two, then costs.
 */
#include "../bench.h"

static enum metric time_of(int shape, int threads)
{
    return (enum metric)(GRAPH_TIME + graph_case((enum shape)shape, threads));
}

/* ---- Launches --------------------------------------------------------------------- */

/* The plain loop has one thread, and is the floor of both tables. */
static struct spread time_spread(const struct outcome *outcome, int shape, int threads, int c)
{
    return pooled(outcome, time_of(shape, c == SERIAL ? 1 : threads), (enum contender)c);
}

/* Of the table for so many threads. */
static void columns_of(const struct outcome *outcome, int threads, bool columns[CONTENDERS])
{
    for (int c = 0; c < CONTENDERS; c++) columns[c] = c == SERIAL;
    for (int shape = 0; shape < SHAPES; shape++)
        find_columns(outcome, (int)time_of(shape, threads), 1, columns);
}

static void ratios(FILE *out, const struct outcome *outcome, int shape, int threads)
{
    enum metric metric = time_of(shape, threads);
    enum contender best = best_peer(outcome, metric);
    struct spread none = { .count = 0 }, times = none;
    if (best != CONTENDERS) times = ratio(outcome, metric, best, metric, RILL);
    cell(out, &times);
    times = ratio(outcome, metric, RILL, time_of(shape, 1), SERIAL);
    cell(out, &times);
    times = ratio(outcome, metric, RILL, metric, SPLIT);
    if (times.count) cell(out, &times);
}

static void medians(FILE *out, const struct outcome *outcome, int threads)
{
    char head[64];
    bool columns[CONTENDERS];
    snprintf(head, sizeof head, "%d thread%s: ns for each node, median", threads,
             threads == 1 ? "" : "s");
    columns_of(outcome, threads, columns);
    names_line(out, head, 38, columns, 9);
    fprintf(out, " %-24s %-24s%s\n", " best peer/rill", "    rill/loop",
            columns[SPLIT] ? "    rill/split" : "");
    for (int shape = 0; shape < SHAPES; shape++) {
        if (!any_of(outcome, (int)time_of(shape, threads), 1)) continue;
        fprintf(out, "%-38s", shapes[shape].title);
        for (int c = 0; c < CONTENDERS; c++) {
            struct spread spread = time_spread(outcome, shape, threads, c);
            if (columns[c]) median_cell(out, &spread);
        }
        ratios(out, outcome, shape, threads);
        fputc('\n', out);
    }
    fputc('\n', out);
}

static void ranges(FILE *out, const struct outcome *outcome, int threads)
{
    char head[64];
    bool columns[CONTENDERS];
    snprintf(head, sizeof head, "%d thread%s: p10-p90", threads, threads == 1 ? "" : "s");
    columns_of(outcome, threads, columns);
    names_line(out, head, 38, columns, 15);
    fputc('\n', out);
    for (int shape = 0; shape < SHAPES; shape++) {
        if (!any_of(outcome, (int)time_of(shape, threads), 1)) continue;
        fprintf(out, "%-38s", shapes[shape].title);
        for (int c = 0; c < CONTENDERS; c++) {
            struct spread spread = time_spread(outcome, shape, threads, c);
            if (columns[c]) range_cell(out, &spread);
        }
        fputc('\n', out);
    }
    fputc('\n', out);
}

/* Threads that a contender has beyond those it was given do not go unseen. */
static void processors_used(FILE *out, const struct outcome *outcome, int threads)
{
    for (int c = 0; c < CONTENDERS; c++) {
        double most = 0;
        const char *title = NULL;
        for (int shape = 0; shape < SHAPES; shape++) {
            int metric = GRAPH_USE + graph_case((enum shape)shape, threads);
            struct spread used = pooled(outcome, (enum metric)metric, (enum contender)c);
            if (!used.count || used.median <= most) continue;
            most = used.median;
            title = shapes[shape].title;
        }
        if (most > threads + 0.1)
            fprintf(out, "%s, given %d thread%s, kept %.2f processors busy (%s)\n",
                    contenders[c].title, threads, threads == 1 ? "" : "s", most, title);
    }
}

void report_graphs(FILE *out, const struct outcome *outcome)
{
    if (!any_of(outcome, GRAPH_TIME, GRAPH_CASES)) return;
    fprintf(out, "Graphs: a launch and a wait for it\n\n");
    for (int threads = 1; threads <= GRAPH_THREADS; threads++) medians(out, outcome, threads);
    for (int threads = 1; threads <= GRAPH_THREADS; threads++) ranges(out, outcome, threads);
    for (int threads = 1; threads <= GRAPH_THREADS; threads++)
        processors_used(out, outcome, threads);
    fputc('\n', out);
}

/* ---- Costs ------------------------------------------------------------------------- */

const struct cost_info costs[COSTS] = {
    [COST_NEW] = { "build_first", "build for the first time, ns for each node", 0, 0 },
    [COST_BUILD] = { "build", "build again", 0, 0 },
    [COST_FREEZE] = { "freeze", "make an exec of it", 100, 0 },
    [COST_UPDATE_ONE] = { "update_one", "change one node of the exec, ns", 0, 0 },
    [COST_UPDATE_ALL] = { "update_all", "update the exec from a graph, ns for each node", 60, 0 },
    [COST_FIRST] = { "first_launch", "first launch, ns for each node", 0, 0 },
    [COST_LAUNCH] = { "launch", "later launches", 0, 0 },
    [COST_FREE_EXEC] = { "destroy_exec", "destroy the exec", 0, 0 },
    [COST_FREE_GRAPH] = { "destroy_graph", "destroy the graph", 0, 0 },
    [COST_GRAPH_BYTES] = { "graph_bytes", "bytes of the graph for each node", 192, 16 },
    [COST_EXEC_BYTES] = { "exec_bytes", "bytes of the exec for each node", 64, 0 },
};

double cost_goal(enum cost cost, enum cost_size size)
{
    const struct cost_shape *shape = &cost_shapes[size];
    return costs[cost].goal + costs[cost].goal_of_edge * shape->edges / (shape->layers * 100.0);
}

static const enum contender cost_columns[] = { RILL, TBB, GLIB, SERIAL };
#define COLUMNS (sizeof cost_columns / sizeof *cost_columns)

static void cost_table(FILE *out, const struct outcome *outcome, enum cost_size size)
{
    int first = GRAPH_COST + (int)size * COSTS;
    if (!any_of(outcome, first, COSTS)) return;
    fprintf(out, "%-48s", cost_shapes[size].title);
    for (size_t i = 0; i < COLUMNS; i++)
        fprintf(out, " %8s %-15s%s", contenders[cost_columns[i]].title, "",
                i ? "" : "     goal");
    fputc('\n', out);
    for (int k = 0; k < COSTS; k++) {
        /* Pages are too coarse for what is small. */
        if (!any_of(outcome, first + k, 1) || (size == COST_10K && k >= COST_GRAPH_BYTES))
            continue;
        fprintf(out, "%-48s", costs[k].title);
        for (size_t i = 0; i < COLUMNS; i++) {
            struct spread spread = pooled(outcome, (enum metric)(first + k), cost_columns[i]);
            double goal = cost_goal((enum cost)k, size);
            cell(out, &spread);
            if (i == 0 && goal > 0) fprintf(out, " %8.0f", goal);
            else if (i == 0) fprintf(out, " %8s", "");
        }
        fputc('\n', out);
    }
    fputc('\n', out);
}

void report_costs(FILE *out, const struct outcome *outcome)
{
    if (!any_of(outcome, GRAPH_COST, COST_SIZES * COSTS)) return;
    fprintf(out, "Costs of a graph; peers make graph and exec in one\n\n");
    for (int size = 0; size < COST_SIZES; size++)
        cost_table(out, outcome, (enum cost_size)size);
}
