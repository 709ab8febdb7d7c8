/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of the report share, and its head.
 */
#include <stdlib.h>
#include <string.h>

#include "../bench.h"

struct spread pooled(const struct outcome *outcome, enum metric metric, enum contender contender)
{
    const struct series *series = &outcome->series[metric][contender];
    return spread_of(series->values, series->count);
}

struct spread ratio(const struct outcome *outcome, enum metric metric, enum contender other,
                    enum metric base_metric, enum contender base)
{
    const double *above = outcome->series[metric][other].rounds;
    const double *below = outcome->series[base_metric][base].rounds;
    double ratios[ROUNDS_MAX];
    size_t count = 0;
    for (int i = 0; i < outcome->rounds; i++)
        if (above[i] > 0 && below[i] > 0) ratios[count++] = above[i] / below[i];
    return spread_of(ratios, count);
}

/* Every calibration, whosever block it was before. */
struct spread calibration(const struct outcome *outcome)
{
    struct series all = { .values = NULL };
    for (int c = 0; c < CONTENDERS; c++) all.room += outcome->series[CALIBRATION][c].count;
    all.values = calloc(all.room + 1, sizeof *all.values);
    for (int c = 0; all.values && c < CONTENDERS; c++) {
        const struct series *series = &outcome->series[CALIBRATION][c];
        if (!series->count) continue;
        memcpy(all.values + all.count, series->values, series->count * sizeof *all.values);
        all.count += series->count;
    }
    struct spread spread = spread_of(all.values, all.values ? all.count : 0);
    free(all.values);
    return spread;
}

const char *number(char text[24], double value)
{
    if (value >= 100) snprintf(text, 24, "%.0f", value);
    else if (value >= 10) snprintf(text, 24, "%.1f", value);
    else snprintf(text, 24, "%.2f", value);
    return text;
}

const char *with_commas(char text[24], double value)
{
    unsigned number = (unsigned)(value + 0.5);
    if (number < 1000) snprintf(text, 24, "%u", number);
    else if (number < 1000000) snprintf(text, 24, "%u,%03u", number / 1000, number % 1000);
    else snprintf(text, 24, "%u,%03u,%03u", number / 1000000, number / 1000 % 1000, number % 1000);
    return text;
}

void cell(FILE *out, const struct spread *spread)
{
    char median[24], range[64] = "", low[24], high[24];
    if (!spread->count) {
        fprintf(out, " %8s %-15s", "-", "");
        return;
    }
    snprintf(range, sizeof range, "[%s-%s]", number(low, spread->low), number(high, spread->high));
    fprintf(out, " %8s %-15s", number(median, spread->median), range);
}

bool any_of(const struct outcome *outcome, int first, int count)
{
    for (int m = first; m < first + count; m++)
        for (int c = 0; c < CONTENDERS; c++)
            if (outcome->series[m][c].count) return true;
    return false;
}

enum contender best_peer(const struct outcome *outcome, enum metric metric)
{
    enum contender best = CONTENDERS;
    double least = 0;
    for (int c = RILL + 1; c < CONTENDERS; c++) {
        struct spread spread = pooled(outcome, metric, (enum contender)c);
        if (!spread.count || (best != CONTENDERS && spread.median >= least)) continue;
        best = (enum contender)c;
        least = spread.median;
    }
    return best;
}

/* ---- Tables of contenders --------------------------------------------------------- */

void find_columns(const struct outcome *outcome, int first, int count, bool columns[CONTENDERS])
{
    for (int c = 0; c < CONTENDERS; c++)
        for (int m = first; m < first + count; m++)
            if (outcome->series[m][c].count) columns[c] = true;
}

void names_line(FILE *out, const char *first, int first_width, const bool *columns, int width)
{
    fprintf(out, "%-*s", first_width, first);
    for (int c = 0; c < CONTENDERS; c++)
        if (columns[c]) fprintf(out, " %*s", width, contenders[c].title);
}

void median_cell(FILE *out, const struct spread *spread)
{
    char text[24];
    fprintf(out, " %9s", spread->count ? number(text, spread->median) : "-");
}

void range_cell(FILE *out, const struct spread *spread)
{
    char low[24], high[24], both[64] = "-";
    if (spread->count)
        snprintf(both, sizeof both, "%s-%s", number(low, spread->low), number(high, spread->high));
    fprintf(out, " %15s", both);
}

/* ---- The head ------------------------------------------------------------------------ */

static void text_head(FILE *out, const struct outcome *outcome)
{
    struct machine machine = this_machine();
    struct spread cal = calibration(outcome);
    fprintf(out, "%s\n", outcome->versions[RILL][0] ? outcome->versions[RILL] : "rill was not run");
    for (int c = RILL + 1; c < CONTENDERS; c++) {
        const char *version = outcome->versions[c];
        if (version[0]) fprintf(out, "%s\n", version);
        else fprintf(out, "%s: not there, or not asked for\n", contenders[c].title);
    }
    fprintf(out, "%s, %ld processor%s%s, %s; %s\n", machine.processor, machine.processors,
            machine.processors == 1 ? "" : "s", machine.virtual ? ", virtual" : "", machine.system,
            machine.date);
    fprintf(out, "compiled with %s\n", machine.compiler);
    fprintf(out, "%d rounds in %.0f s; %d blocks, %d repeated, %d disturbed all the same%s\n",
            outcome->rounds, outcome->seconds, outcome->blocks, outcome->repeated, outcome->rough,
            outcome->checked ? "" : " (others' load not visible here)");
    fprintf(out, "calibration: %.2f ns for a call through a pointer; 80%% are between %.2f and %.2f"
                 "\n\n", cal.median, cal.low, cal.high);
}

void report_text(FILE *out, const struct outcome *outcome)
{
    text_head(out, outcome);
    report_graphs(out, outcome);
    report_wide(out, outcome);
    report_scale(out, outcome);
    report_costs(out, outcome);
    report_streams(out, outcome);
}
