/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables of graphs on many threads: how many times as fast as the plain loop on one.
 */
#include "../bench.h"

static int case_of(int shape, int count)
{
    return shape * WIDE_COUNTS + count;
}

static void speeds_line(FILE *out, const struct outcome *outcome, int shape, int count,
                        const bool *columns)
{
    enum metric metric = (enum metric)(WIDE_TIME + case_of(shape, count));
    enum metric floor = (enum metric)(WIDE_TIME + case_of(shape, 0));
    if (!any_of(outcome, (int)metric, 1)) return;
    fprintf(out, "  %-36d", wide_threads[count]);
    for (int c = SPLIT; c < CONTENDERS; c++) {
        struct spread times = ratio(outcome, floor, SERIAL, metric, (enum contender)c);
        if (columns[c]) median_cell(out, &times);
    }
    struct spread used = pooled(outcome, (enum metric)(WIDE_USE + case_of(shape, count)), RILL);
    median_cell(out, &used);
    fputc('\n', out);
}

void report_wide(FILE *out, const struct outcome *outcome)
{
    bool columns[CONTENDERS] = { false };
    if (!any_of(outcome, WIDE_TIME, WIDE_CASES)) return;
    find_columns(outcome, WIDE_TIME, WIDE_CASES, columns);
    columns[SERIAL] = false;
    names_line(out, "Times as fast as the loop, by threads", 38, columns, 9);
    fprintf(out, "  rill busy\n");
    for (int shape = 0; shape < WIDE_SHAPES; shape++) {
        fprintf(out, "%s\n", wide_shapes[shape].title);
        for (int count = 1; count < WIDE_COUNTS; count++)
            speeds_line(out, outcome, shape, count, columns);
    }
    fputc('\n', out);
}
