/* SPDX-License-Identifier: Apache-2.0
 *
 * What a node costs by the size of the graph, as a table.
 */
#include "../bench.h"

static void size_line(FILE *out, const struct outcome *outcome, int line, int size,
                      const bool *columns)
{
    int metric = SCALE_TIME + line * SCALE_SIZES + size;
    int floor = SCALE_TIME + (line - line % GRAPH_THREADS) * SCALE_SIZES + size;
    char title[64], text[24];
    if (!any_of(outcome, metric, 1)) return;
    snprintf(title, sizeof title, "%s of %s", families[line / GRAPH_THREADS].name,
             with_commas(text, scale_nodes(size)));
    fprintf(out, "%-38s", title);
    for (int c = 0; c < CONTENDERS; c++) {
        struct spread spread = pooled(outcome, (enum metric)(c == SERIAL ? floor : metric),
                                      (enum contender)c);
        if (columns[c]) median_cell(out, &spread);
    }
    enum contender best = best_peer(outcome, (enum metric)metric);
    struct spread times = { .count = 0 };
    if (best != CONTENDERS)
        times = ratio(outcome, (enum metric)metric, best, (enum metric)metric, RILL);
    cell(out, &times);
    times = ratio(outcome, (enum metric)metric, RILL, (enum metric)floor, SERIAL);
    cell(out, &times);
    fputc('\n', out);
}

void report_scale(FILE *out, const struct outcome *outcome)
{
    if (!any_of(outcome, SCALE_TIME, SCALE_CASES)) return;
    fprintf(out, "By size of the graph: a launch and a wait for it, for each node\n\n");
    for (int threads = 1; threads <= GRAPH_THREADS; threads++) {
        bool columns[CONTENDERS] = { [SERIAL] = true };
        char head[64];
        for (int family = 0; family < FAMILIES; family++)
            find_columns(outcome,
                         SCALE_TIME + scale_line((enum family)family, threads) * SCALE_SIZES,
                         SCALE_SIZES, columns);
        snprintf(head, sizeof head, "%d thread%s: ns, median", threads, threads == 1 ? "" : "s");
        names_line(out, head, 38, columns, 9);
        fprintf(out, " %-24s %-24s\n", " best peer/rill", "    rill/loop");
        for (int family = 0; family < FAMILIES; family++)
            for (int size = 0; size < SCALE_SIZES; size++)
                size_line(out, outcome, scale_line((enum family)family, threads), size, columns);
        fputc('\n', out);
    }
}
