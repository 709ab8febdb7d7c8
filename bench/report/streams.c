/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables of streams: what rill and its peers can all be asked, what only rill
 * can, and what either is in calls of the plain loop.
 */
#include "../bench.h"

const struct metric_info stream_metrics[CALIBRATION] = {
    [CALL] = { "call", "a call in a plain loop" },
    [BUSY] = { "busy", "10,000 host functions in a stream, then a wait; each" },
    [BUSY_SUBMIT] = { "busy_submit", "  of it the call that submits" },
    [BUSY_BLOCKING] = { "busy_blocking", "10,000 host functions in a blocking stream; each" },
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
};

/* ---- What peers have as well ------------------------------------------------------ */

static const enum metric shared[] = {
    BUSY, BUSY_SUBMIT, WAIT, BURST, COLD, ASLEEP, HOP, ROBIN, THREADS
};

#define SHARED (sizeof shared / sizeof *shared)

static bool is_shared(int metric)
{
    for (size_t i = 0; i < SHARED; i++)
        if ((int)shared[i] == metric) return true;
    return false;
}

static void in_calls(FILE *out, const struct outcome *outcome, enum metric metric,
                     enum contender who)
{
    char text[24];
    struct spread calls = ratio(outcome, metric, who, CALL, SERIAL);
    if (calls.count) fprintf(out, " %8s", number(text, calls.median));
    fputc('\n', out);
}

static void shared_line(FILE *out, const struct outcome *outcome, enum metric metric,
                        const bool *columns, bool medians)
{
    enum contender best = best_peer(outcome, metric);
    if (!any_of(outcome, (int)metric, 1)) return;
    fprintf(out, "%-52s", stream_metrics[metric].title);
    for (int c = 0; c < CONTENDERS; c++) {
        struct spread spread = pooled(outcome, metric, (enum contender)c);
        if (columns[c] && medians) median_cell(out, &spread);
        else if (columns[c]) range_cell(out, &spread);
    }
    struct spread times = { .count = 0 };
    if (best != CONTENDERS) times = ratio(outcome, metric, best, metric, RILL);
    if (medians) cell(out, &times);
    if (medians) in_calls(out, outcome, metric, RILL);
    else fputc('\n', out);
}

static void shared_tables(FILE *out, const struct outcome *outcome)
{
    bool columns[CONTENDERS] = { false }, any = false;
    for (size_t i = 0; i < SHARED; i++) find_columns(outcome, (int)shared[i], 1, columns);
    for (int c = 0; c < CONTENDERS; c++) any = any || columns[c];
    if (!any) return;
    names_line(out, "nanoseconds, median", 52, columns, 9);
    fprintf(out, " %-24s %8s\n", " best peer/rill", "in calls");
    for (size_t i = 0; i < SHARED; i++) shared_line(out, outcome, shared[i], columns, true);
    if (outcome->series[HOP][RILL].count)
        fprintf(out, "(1) GLib and oneTBB have no events: each function puts the next one into the "
                     "other\n    queue; the others submit ahead\n");
    fputc('\n', out);
    names_line(out, "p10-p90", 52, columns, 15);
    fputc('\n', out);
    for (size_t i = 0; i < SHARED; i++) shared_line(out, outcome, shared[i], columns, false);
    fputc('\n', out);
}

/* ---- What only rill has ------------------------------------------------------------- */

static void own_line(FILE *out, const struct outcome *outcome, enum metric metric)
{
    enum contender own = metric == CALL ? SERIAL : RILL;
    struct spread spread = pooled(outcome, metric, own);
    if (!stream_metrics[metric].title || !spread.count) return;
    fprintf(out, "%-52s", stream_metrics[metric].title);
    cell(out, &spread);
    in_calls(out, outcome, metric, own);
}

static void own_table(FILE *out, const struct outcome *outcome)
{
    bool any = false;
    for (int m = CALL + 1; m < CALIBRATION; m++)
        any = any || (!is_shared(m) && stream_metrics[m].title && any_of(outcome, m, 1));
    if (!any) return;
    fprintf(out, "%-52s %8s %-15s %8s\n", "nanoseconds, median [p10-p90]", "rill", "", "in calls");
    for (int m = 0; m < CALIBRATION; m++)
        if (!is_shared(m)) own_line(out, outcome, (enum metric)m);
    fputc('\n', out);
}

void report_streams(FILE *out, const struct outcome *outcome)
{
    if (!any_of(outcome, CALL + 1, CALIBRATION - CALL - 1)) return;
    fprintf(out, "Streams\n\n");
    shared_tables(out, outcome);
    own_table(out, outcome);
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
}
