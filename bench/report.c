/* SPDX-License-Identifier: Apache-2.0
 *
 * The outcome as a table and as JSON.
 */
#include <stdlib.h>
#include <string.h>

#include "bench.h"

static const struct {
    const char *name;  /* in JSON                         */
    const char *title; /* NULL: not a line of the table   */
} metrics[METRICS] = {
    [CALL] = { "call", "a call in a plain loop" },
    [BUSY] = { "busy", "10,000 host functions in a stream, then a wait; each" },
    [BUSY_SUBMIT] = { "busy_submit", "  of it the call that submits" },
    [BUSY_BLOCKING] = { "busy_blocking", "  the same in a blocking stream" },
    [WAIT] = { "wait", "one host function and a wait" },
    [BURST] = { "burst", "20 host functions and a wait" },
    [COLD] = { "cold", "one and a wait, after 3 ms idle" },
    [ASLEEP] = { "asleep", "one and a wait, after 120 ms idle" },
    [HOP] = { "hop", "record, wait in another stream, host function (1)" },
    [ROBIN] = { "robin", "host functions over 64 streams in turn; each" },
    [THREADS] = { "threads", "64 threads submit to 64 streams; each" },
    [KERNEL] = { "kernel", "kernel launch, 2 arguments, one block" },
    [KERNEL_SUBMIT] = { "kernel_submit", "  of it the call that submits" },
    [FILL] = { "fill", "memset of 4 bytes" },
    [FILL_SUBMIT] = { "fill_submit", "  of it the call that submits" },
    [COPY] = { "copy", "memcpy of 4 bytes" },
    [COPY_SUBMIT] = { "copy_submit", "  of it the call that submits" },
    [RECORD] = { "record", "event record" },
    [RECORD_TIMED] = { "record_timed", "event record with timing" },
    [QUERY] = { "query", "event query" },
    [EVENT_LIFE] = { "event_life", "event create and destroy" },
    [MANY_BUSY] = { "many_busy", "with 10,000 idle streams: a host function of 10,000" },
    [MANY_WAIT] = { "many_wait", "  one host function and a wait" },
    [MANY_HOP] = { "many_hop", "  record, wait, host function" },
    [STREAM_LIFE] = { "stream_life", "stream create and destroy (10,000 at once)" },
    [STREAM_BYTES] = { "stream_bytes", NULL },
    [USED_BYTES] = { "used_bytes", NULL },
    [WOKEN] = { "woken", NULL },
    [CALIBRATION] = { "calibration", NULL },
};

static const char *const contenders[CONTENDERS] = { "rill", "glib", "serial" };

static struct spread pooled(const struct outcome *outcome, enum metric metric,
                            enum contender contender)
{
    const struct series *series = &outcome->series[metric][contender];
    return spread_of(series->values, series->count);
}

/* How many times `other` takes, round by round: the machine was the same. */
static struct spread ratio(const struct outcome *outcome, enum metric metric, enum contender other,
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

/* Every calibration, whoever's block it was before. */
static struct spread calibration(const struct outcome *outcome)
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

/* ---- Text ---------------------------------------------------------------------- */

static const char *number(char text[24], double value)
{
    if (value >= 100) snprintf(text, 24, "%.0f", value);
    else if (value >= 10) snprintf(text, 24, "%.1f", value);
    else snprintf(text, 24, "%.2f", value);
    return text;
}

static void cell(FILE *out, const struct spread *spread)
{
    char median[24], range[64] = "", low[24], high[24];
    if (!spread->count) {
        fprintf(out, " %8s %-15s", "-", "");
        return;
    }
    snprintf(range, sizeof range, "[%s-%s]", number(low, spread->low), number(high, spread->high));
    fprintf(out, " %8s %-15s", number(median, spread->median), range);
}

static void text_line(FILE *out, const struct outcome *outcome, enum metric metric)
{
    enum contender own = metric == CALL ? SERIAL : RILL;
    struct spread rill = pooled(outcome, metric, own), glib = pooled(outcome, metric, GLIB);
    if (!metrics[metric].title || !rill.count) return;
    fprintf(out, "%-52s", metrics[metric].title);
    cell(out, &rill);
    cell(out, &glib);
    struct spread times = ratio(outcome, metric, GLIB, metric, RILL);
    cell(out, &times);
    struct spread calls = ratio(outcome, metric, own, CALL, SERIAL);
    char text[24];
    if (calls.count) fprintf(out, " %8s", number(text, calls.median));
    fputc('\n', out);
}

static void text_head(FILE *out, const struct outcome *outcome)
{
    struct machine machine = this_machine();
    struct spread cal = calibration(outcome);
    fprintf(out, "%s\n", outcome->versions[RILL][0] ? outcome->versions[RILL] : "rill was not run");
    fprintf(out, "%s\n", outcome->versions[GLIB][0] ? outcome->versions[GLIB]
                                                   : "GLib was not there when this was built");
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
    fprintf(out, "%-52s %8s %-15s %8s %-15s %9s %-14s %8s\n", "nanoseconds, median [p10-p90]",
            "rill", "", "GLib", "", "GLib/rill", "", "in calls");
    for (int m = 0; m < METRICS; m++) text_line(out, outcome, (enum metric)m);
    fputc('\n', out);
    struct spread fresh = pooled(outcome, STREAM_BYTES, RILL);
    struct spread used = pooled(outcome, USED_BYTES, RILL);
    struct spread woken = pooled(outcome, WOKEN, RILL), record = pooled(outcome, RECORD, RILL);
    if (fresh.count)
        fprintf(out, "an idle stream holds %.0f bytes, %.0f once it was used\n", fresh.median,
                used.median);
    if (woken.count)
        fprintf(out, "threads woken by 1,000 waits as above: %.2f (at most %.2f in a round)\n",
                woken.median, woken.high);
    if (record.count && record.median > 0)
        fprintf(out, "event records per second: %.1f million\n", 1e3 / record.median);
    if (outcome->series[HOP][RILL].count)
        fprintf(out, "(1) submitted ahead; GLib has no events: there, each function pushes the "
                     "next\n");
}

/* ---- JSON ------------------------------------------------------------------------ */

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

static void json_spread(FILE *out, const struct spread *spread)
{
    fprintf(out, "{\"median\": %.4g, \"p10\": %.4g, \"p90\": %.4g, \"samples\": %zu}",
            spread->median, spread->low, spread->high, spread->count);
}

static void json_metric(FILE *out, const struct outcome *outcome, enum metric metric)
{
    bool bytes = metric == STREAM_BYTES || metric == USED_BYTES;
    fprintf(out, "    {\"name\": \"%s\", \"unit\": \"%s\"", metrics[metric].name,
            bytes ? "bytes" : metric == WOKEN ? "threads per 1000" : "ns");
    for (int c = 0; c < CONTENDERS; c++) {
        struct spread spread = pooled(outcome, metric, (enum contender)c);
        if (!spread.count) continue;
        fprintf(out, ",\n     \"%s\": ", contenders[c]);
        json_spread(out, &spread);
    }
    struct spread times = ratio(outcome, metric, GLIB, metric, RILL);
    if (times.count) {
        fprintf(out, ",\n     \"glib_over_rill\": ");
        json_spread(out, &times);
    }
    struct spread calls = ratio(outcome, metric, RILL, CALL, SERIAL);
    if (calls.count && !bytes && metric != WOKEN) {
        fprintf(out, ",\n     \"rill_over_call\": ");
        json_spread(out, &calls);
    }
    fputc('}', out);
}

void report_json(FILE *out, const struct outcome *outcome)
{
    struct machine machine = this_machine();
    struct spread cal = calibration(outcome);
    fprintf(out, "{\n  \"rill\": ");
    json_string(out, outcome->versions[RILL]);
    fprintf(out, ",\n  \"glib\": ");
    json_string(out, outcome->versions[GLIB]);
    fprintf(out, ",\n  \"date\": \"%s\",\n  \"processor\": ", machine.date);
    json_string(out, machine.processor);
    fprintf(out, ",\n  \"processors\": %ld,\n  \"virtual\": %s,\n  \"system\": ",
            machine.processors, machine.virtual ? "true" : "false");
    json_string(out, machine.system);
    fprintf(out, ",\n  \"compiler\": ");
    json_string(out, machine.compiler);
    fprintf(out, ",\n  \"rounds\": %d,\n  \"seconds\": %.1f,\n", outcome->rounds, outcome->seconds);
    fprintf(out, "  \"blocks\": {\"run\": %d, \"repeated\": %d, \"disturbed\": %d},\n",
            outcome->blocks, outcome->repeated, outcome->rough);
    fprintf(out, "  \"calibration\": ");
    json_spread(out, &cal);
    fprintf(out, ",\n  \"metrics\": [\n");
    bool first = true;
    for (int m = 0; m < CALIBRATION; m++) {
        bool any = false;
        for (int c = 0; c < CONTENDERS; c++) any = any || outcome->series[m][c].count;
        if (!any) continue;
        fprintf(out, "%s", first ? "" : ",\n");
        json_metric(out, outcome, (enum metric)m);
        first = false;
    }
    fprintf(out, "\n  ]\n}\n");
}
