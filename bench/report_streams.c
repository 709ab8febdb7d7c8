/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of streams: rill, GLib, and what that is in calls of the plain loop.
 */
#include "bench.h"

const struct metric_info stream_metrics[CALIBRATION] = {
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
};

static void text_line(FILE *out, const struct outcome *outcome, enum metric metric)
{
    enum contender own = metric == CALL ? SERIAL : RILL;
    struct spread rill = pooled(outcome, metric, own), glib = pooled(outcome, metric, GLIB);
    if (!stream_metrics[metric].title || !rill.count) return;
    fprintf(out, "%-52s", stream_metrics[metric].title);
    cell(out, &rill);
    cell(out, &glib);
    struct spread times = ratio(outcome, metric, GLIB, metric, RILL);
    cell(out, &times);
    struct spread calls = ratio(outcome, metric, own, CALL, SERIAL);
    char text[24];
    if (calls.count) fprintf(out, " %8s", number(text, calls.median));
    fputc('\n', out);
}

void report_streams(FILE *out, const struct outcome *outcome)
{
    bool any = false;
    for (int m = CALL + 1; m < CALIBRATION; m++) any = any || outcome->series[m][RILL].count;
    if (!any) return;
    fprintf(out, "Streams\n\n");
    fprintf(out, "%-52s %8s %-15s %8s %-15s %9s %-14s %8s\n", "nanoseconds, median [p10-p90]",
            "rill", "", "GLib", "", "GLib/rill", "", "in calls");
    for (int m = 0; m < CALIBRATION; m++) text_line(out, outcome, (enum metric)m);
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
