/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-trace/trace/trace.h"

#include <rill/backend.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/alloc.h"
#include "layer-trace/trace/file.h"

/* Programs that count on low numbers of files still get them. */
enum { LEAST = 64 };

static rill_status refuse_for_memory(void)
{
    return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "there is no memory for a trace");
}

/* Returns a trace without a file, or NULL.  A program that waits for a timeline may wait in vain
 * if memory is short. */
static struct tr_trace *create_trace(const struct tr_settings *settings)
{
    struct tr_trace *trace = rl_zalloc(sizeof *trace);
    if (!trace) return NULL;
    trace->users = 1;
    trace->process = (long)getpid();
    if (!settings || !settings->timeline) return trace;
    if (*settings->drawn) trace->drawn = rl_strdup(settings->drawn);
    trace->chart_file = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, LEAST);
    trace->chart = trace->chart_file < 0 ? NULL : tr_chart_create();
    return trace;
}

static void draw_chart(struct tr_trace *trace)
{
    FILE *out = fdopen(trace->chart_file, "w");
    if (!out) {
        close(trace->chart_file);
        return;
    }
    if (!tr_trace_is_parents(trace)) {
        tr_chart_draw(trace->chart, out);
        if (trace->drawn) unlink(trace->drawn);
    }
    fclose(out);
}

/* Ends a trace.  Returns what writing failed with, or 0. */
static int end_trace(struct tr_trace *trace)
{
    int error = 0;
    if (trace->chart) draw_chart(trace);
    tr_chart_destroy(trace->chart);
    rl_free(trace->drawn);
    /* The file is the parent's, too. */
    if (trace->writer && tr_trace_is_parents(trace)) trace->writer->out.error = ECHILD;
    if (trace->writer) error = tr_writer_finish(trace->writer);
    tr_names_fini(&trace->names);
    rl_free(trace);
    return error;
}

/* Begins to write to a file that was opened, or goes on with what is in there. */
static rill_status begin_file(struct tr_trace *trace, int file, bool goes_on, uint64_t now_ns)
{
    trace->writer = tr_writer_create(file, goes_on, now_ns);
    if (trace->writer) return RILL_SUCCESS;
    close(file);
    return refuse_for_memory();
}

void tr_trace_add(struct tr_trace *trace, unsigned platform, const struct tr_record *record)
{
    if (trace->writer) tr_writer_add(trace->writer, platform, record);
    if (trace->chart) tr_chart_add(trace->chart, platform, record);
}

rill_status tr_trace_open(const char *path, uint64_t now_ns, struct tr_trace **trace)
{
    char why[TR_WHY_MAX];
    int file = tr_file_open(path, why);
    if (file < 0)
        return rill_backend_fail(RILL_ERROR_OPERATING_SYSTEM, "options->file", "%.300s", why);
    if (ftruncate(file, 0)) { /* a pipe */ }
    struct tr_trace *made = create_trace(NULL);
    if (!made) close(file);
    rill_status status = made ? begin_file(made, file, false, now_ns) : refuse_for_memory();
    if (!status) *trace = made;
    else if (made) end_trace(made);
    return status;
}

/* ---- The trace of the process ---------------------------------------------------------------
 *
 * Platforms may come and go.  While there is none, the file is whole and nothing is kept of the
 * trace but what is here: so a program that counts what the library has left finds nothing.
 */

static struct rl_lock process_lock;
static struct {
    struct tr_trace *trace; /* while there is a platform */
    unsigned platforms;     /* that there were           */
    uint64_t start_ns;
    long process;           /* that this is about        */
} process; /* process_lock */

/* Requires process_lock. */
static rill_status open_process_file(struct tr_trace *trace, const char *path, uint64_t now_ns)
{
    char why[TR_WHY_MAX];
    int file = tr_file_open(path, why);
    if (file < 0)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "RILL_TRACE", "$RILL_TRACE: %.300s",
                                 why);
    bool goes_on = process.platforms && tr_file_go_on(file);
    if (!goes_on) process.start_ns = now_ns;
    if (!goes_on && ftruncate(file, 0)) { /* a pipe */ }
    return begin_file(trace, file, goes_on, process.start_ns);
}

/* Requires process_lock. */
static rill_status open_process_trace(const struct tr_settings *settings, uint64_t now_ns)
{
    rill_status status = RILL_SUCCESS;
    struct tr_trace *trace = create_trace(settings);
    if (!trace) return refuse_for_memory();
    if (*settings->file) status = open_process_file(trace, settings->file, now_ns);
    trace->of_process = true;
    if (!status) process.trace = trace;
    else end_trace(trace);
    return status;
}

/* A child of fork() begins anew.  Requires process_lock. */
static void leave_to_parent(void)
{
    if (process.process == (long)getpid()) return;
    process.process = (long)getpid();
    process.trace = NULL;
    process.platforms = 0;
}

/* Requires process_lock. */
static rill_status use_process_trace(const struct tr_settings *settings, uint64_t now_ns)
{
    leave_to_parent();
    if (!process.trace) return open_process_trace(settings, now_ns);
    process.trace->users++;
    return RILL_SUCCESS;
}

rill_status tr_trace_of_process(const struct tr_settings *settings, uint64_t now_ns,
                                struct tr_trace **trace, unsigned *number)
{
    *trace = NULL;
    if (!*settings->file && !settings->timeline) return RILL_SUCCESS;
    rl_lock(&process_lock);
    rill_status status = use_process_trace(settings, now_ns);
    if (!status) {
        *trace = process.trace;
        if (*number == TR_NO_NUMBER) *number = process.platforms++;
    }
    rl_unlock(&process_lock);
    return status;
}

int tr_trace_close(struct tr_trace *trace)
{
    rl_lock(&process_lock);
    bool last = !--trace->users;
    if (last && process.trace == trace) process.trace = NULL;
    int error = last ? end_trace(trace) : 0;
    rl_unlock(&process_lock);
    return error;
}

bool tr_trace_is_parents(const struct tr_trace *trace)
{
    return trace->process != (long)getpid();
}
