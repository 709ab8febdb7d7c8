/* SPDX-License-Identifier: Apache-2.0
 *
 * The figures as JSON.
 */
#include "../bench.h"

/* The strings here come from the system: only what could break the syntax is
 * replaced. */
static void json_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') fputc('\\', out);
        if ((unsigned char)*text >= 0x20) fputc(*text, out);
    }
    fputc('"', out);
}

static void json_spread(FILE *out, const char *key, const struct spread *spread)
{
    if (!spread->count) return;
    fprintf(out, ",\n     \"%s\": {\"median\": %.4g, \"p10\": %.4g, \"p90\": %.4g, ", key,
            spread->median, spread->low, spread->high);
    fprintf(out, "\"samples\": %zu}", spread->count);
}

static void json_contenders(FILE *out, const struct outcome *outcome, int metric)
{
    for (int c = 0; c < CONTENDERS; c++) {
        struct spread spread = pooled(outcome, (enum metric)metric, (enum contender)c);
        json_spread(out, contenders[c].key, &spread);
    }
}

static void json_best_peer(FILE *out, const struct outcome *outcome, enum metric metric)
{
    enum contender best = best_peer(outcome, metric);
    if (best == CONTENDERS) return;
    struct spread times = ratio(outcome, metric, best, metric, RILL);
    fprintf(out, ",\n     \"best_peer\": \"%s\"", contenders[best].key);
    json_spread(out, "best_peer_over_rill", &times);
}

/* ---- Streams ----------------------------------------------------------------------- */

static void json_stream(FILE *out, const struct outcome *outcome, int metric)
{
    bool bytes = metric == STREAM_BYTES || metric == USED_BYTES, time = !bytes && metric != WOKEN;
    fprintf(out, "    {\"name\": \"%s\", \"unit\": \"%s\"", stream_metrics[metric].name,
            time ? "ns" : bytes ? "bytes" : "threads per 1000");
    json_contenders(out, outcome, metric);
    json_best_peer(out, outcome, (enum metric)metric);
    struct spread times = ratio(outcome, (enum metric)metric, RILL, CALL, SERIAL);
    if (time) json_spread(out, "rill_over_call", &times);
    fputc('}', out);
}

/* ---- Graphs ------------------------------------------------------------------------ */

static void json_graph(FILE *out, const struct outcome *outcome, int which)
{
    int shape = which / GRAPH_THREADS, threads = which % GRAPH_THREADS + 1;
    enum metric metric = (enum metric)(GRAPH_TIME + which);
    enum metric floor = (enum metric)(GRAPH_TIME + graph_case((enum shape)shape, 1));
    fprintf(out, "    {\"name\": \"%s\", \"threads\": %d, \"unit\": \"%s\"", shapes[shape].name,
            threads, shapes[shape].whole ? "ns for a launch" : "ns for a node");
    json_contenders(out, outcome, metric);
    json_best_peer(out, outcome, metric);
    struct spread times = ratio(outcome, metric, RILL, floor, SERIAL);
    json_spread(out, "rill_over_loop", &times);
    times = ratio(outcome, metric, RILL, metric, SPLIT);
    json_spread(out, "rill_over_split", &times);
    struct spread used = pooled(outcome, (enum metric)(GRAPH_USE + which), RILL);
    json_spread(out, "rill_processors", &used);
    fputc('}', out);
}

static void json_wide(FILE *out, const struct outcome *outcome, int which)
{
    enum metric metric = (enum metric)(WIDE_TIME + which);
    fprintf(out, "    {\"name\": \"%s\", \"threads\": %d, \"unit\": \"ns for a node\"",
            wide_shapes[which / WIDE_COUNTS].name, wide_threads[which % WIDE_COUNTS]);
    json_contenders(out, outcome, (int)metric);
    json_best_peer(out, outcome, metric);
    struct spread used = pooled(outcome, (enum metric)(WIDE_USE + which), RILL);
    json_spread(out, "rill_processors", &used);
    fputc('}', out);
}

static void json_cost(FILE *out, const struct outcome *outcome, int which)
{
    enum cost_size size = (enum cost_size)(which / COSTS);
    enum cost cost = (enum cost)(which % COSTS);
    double goal = cost_goal(cost, size);
    bool bytes = cost == COST_GRAPH_BYTES || cost == COST_EXEC_BYTES;
    fprintf(out, "    {\"name\": \"%s\", \"size\": \"%s\", \"unit\": \"%s\"", costs[cost].name,
            cost_shapes[size].name,
            bytes ? "bytes for a node" : cost == COST_UPDATE_ONE ? "ns" : "ns for a node");
    if (goal > 0) fprintf(out, ", \"goal\": %.0f", goal);
    json_contenders(out, outcome, GRAPH_COST + which);
    fputc('}', out);
}

static void json_scale(FILE *out, const struct outcome *outcome, int which)
{
    int line = which / SCALE_SIZES, size = which % SCALE_SIZES;
    enum metric metric = (enum metric)(SCALE_TIME + which);
    fprintf(out, "    {\"name\": \"%s\", \"nodes\": %u, \"threads\": %d, ",
            families[line / GRAPH_THREADS].name, (unsigned)scale_nodes(size),
            line % GRAPH_THREADS + 1);
    fprintf(out, "\"unit\": \"ns for a node\"");
    json_contenders(out, outcome, (int)metric);
    json_best_peer(out, outcome, metric);
    fputc('}', out);
}

/* ---- All of it ---------------------------------------------------------------------- */

static void json_list(FILE *out, const struct outcome *outcome, const char *key, int first,
                      int count, void (*item)(FILE *out, const struct outcome *outcome, int which))
{
    bool any = false;
    fprintf(out, ",\n  \"%s\": [", key);
    for (int i = 0; i < count; i++) {
        if (!any_of(outcome, first + i, 1)) continue;
        fprintf(out, "%s\n", any ? "," : "");
        item(out, outcome, i);
        any = true;
    }
    fprintf(out, "\n  ]");
}

static void json_head(FILE *out, const struct outcome *outcome)
{
    struct machine machine = this_machine();
    struct spread cal = calibration(outcome);
    fprintf(out, "{\n  \"date\": \"%s\",\n  \"processor\": ", machine.date);
    json_string(out, machine.processor);
    fprintf(out, ",\n  \"processors\": %ld,\n  \"virtual\": %s,\n  \"system\": ",
            machine.processors, machine.virtual ? "true" : "false");
    json_string(out, machine.system);
    fprintf(out, ",\n  \"compiler\": ");
    json_string(out, machine.compiler);
    fprintf(out, ",\n  \"versions\": {");
    for (int c = 0, any = 0; c < CONTENDERS; c++) {
        if (!outcome->versions[c][0]) continue;
        fprintf(out, "%s\n    \"%s\": ", any++ ? "," : "", contenders[c].key);
        json_string(out, outcome->versions[c]);
    }
    fprintf(out, "\n  },\n  \"rounds\": %d,\n  \"seconds\": %.1f,\n", outcome->rounds,
            outcome->seconds);
    fprintf(out, "  \"blocks\": {\"run\": %d, \"repeated\": %d, \"disturbed\": %d}",
            outcome->blocks, outcome->repeated, outcome->rough);
    json_spread(out, "calibration", &cal);
}

void report_json(FILE *out, const struct outcome *outcome)
{
    json_head(out, outcome);
    json_list(out, outcome, "graphs", GRAPH_TIME, GRAPH_CASES, json_graph);
    json_list(out, outcome, "wide", WIDE_TIME, WIDE_CASES, json_wide);
    json_list(out, outcome, "scale", SCALE_TIME, SCALE_CASES, json_scale);
    json_list(out, outcome, "costs", GRAPH_COST, COST_SIZES * COSTS, json_cost);
    json_list(out, outcome, "streams", 0, CALIBRATION, json_stream);
    fprintf(out, "\n}\n");
}
