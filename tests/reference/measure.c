/* SPDX-License-Identifier: Apache-2.0
 *
 * What each public call does, as the simulator shows it; run by tests/reference.sh, which
 * compares it with what the manual says (man/calls.txt). A line for each call:
 *
 *     NAME WAITS CAPTURE HOST
 *
 * WAITS   yes: work that was in the call's streams before it was over when it returned
 * CAPTURE what happens while its stream is being captured by a thread in the global mode:
 *         node, it became part of the graph; free, the capture took no notice; or the status
 *         that refused it, with a ! if the capture was broken by it
 * HOST    what happens in a host function: free, or the status that refused it
 *
 * Each answer is from a machine of its own, under the schedule "late": there nothing runs
 * before a call waits for it, so what has run tells what was waited for, and no time is measured.
 */
#include <rill/rill.h>

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reference/own_calls.h"

/* ---- Calls --------------------------------------------------------------------------------- */

static int is_own(const char *name)
{
    for (size_t i = 0; i < own_call_count; i++)
        if (!strcmp(own_calls[i].name, name)) return 1;
    return 0;
}

/* ---- Machines ------------------------------------------------------------------------------ */

static void demand(rill_status status, const char *what)
{
    if (!status) return;
    fprintf(stderr, "%s: %s\n", what, rill_last_error()->message);
    exit(1);
}

/* Two worlds of one machine, and arguments that are right for any call. */
struct trial {
    struct world w, peer;
    struct arguments a;
};

static void begin(struct trial *t, const struct call *call)
{
    demand(world_open(&t->w, "sim"), "a machine");
    demand(world_fill(&t->peer, t->w.platform), "a second context");
    arguments_init(&t->a, &t->w, &t->peer);
    preparation = RILL_SUCCESS;
    if (call->before) call->before(&t->a);
    demand(preparation, call->name);
}

/* The platform takes what is left with it, but for a capture. */
static void end(struct trial *t)
{
    rill_graph *graph = NULL;
    if (t->a.w.platform && t->a.w.context && t->a.w.stream)
        (void)rill_stream_end_capture(t->w.stream, &graph);
    if (t->a.w.platform) demand(rill_close(&t->a.w.platform), "the end");
}

/* ---- Trials -------------------------------------------------------------------------------- */

static void set_flag(void *data)
{
    atomic_store((atomic_int *)data, 1);
}

static int waits(const struct call *call)
{
    struct trial t;
    static atomic_int done;
    begin(&t, call);
    demand(rill_launch_host(t.w.stream, set_flag, &done, NULL), "work");
    (void)rill_event_record(t.w.event, t.w.stream, 0);
    atomic_store(&done, 0);
    rill_status status = call->make(&t.a);
    int waited = atomic_load(&done);
    if (status && status != RILL_ERROR_NOT_READY)
        fprintf(stderr, "# %s: %s\n", call->name, rill_last_error()->message);
    end(&t);
    return waited;
}

static size_t nodes_of(rill_stream *stream, rill_capture_state *state)
{
    rill_capture_info info = { .size = sizeof info };
    size_t count = 0;
    *state = RILL_CAPTURE_NONE;
    if (rill_stream_capture_info(stream, &info)) {
        *state = RILL_CAPTURE_INVALIDATED;
        return 0;
    }
    *state = info.state;
    if (info.state == RILL_CAPTURE_ACTIVE) (void)rill_graph_nodes(info.graph, NULL, &count);
    return count;
}

static void capture(const struct call *call)
{
    struct trial t;
    rill_capture_state state;
    begin(&t, call);
    if (rill_stream_begin_capture(t.w.stream, NULL)) {
        printf(" -");
        end(&t);
        return;
    }
    size_t before = nodes_of(t.w.stream, &state);
    rill_status status = call->make(&t.a);
    size_t after = t.a.w.stream ? nodes_of(t.w.stream, &state) : 0;
    if (status)
        printf(" %s%s", rill_error_name(status), state == RILL_CAPTURE_ACTIVE ? "" : "!");
    else if (state == RILL_CAPTURE_INVALIDATED)
        printf(" free!");
    else
        printf(" %s", after > before ? "node" : "free");
    end(&t);
}

struct inside {
    const struct call *call;
    struct arguments *a;
    rill_status status;
};

static void call_inside(void *data)
{
    struct inside *inside = data;
    inside->status = inside->call->make(inside->a);
}

static void host(const struct call *call)
{
    struct trial t;
    rill_stream *third = NULL;
    begin(&t, call);
    struct inside inside = { call, &t.a, RILL_SUCCESS };
    demand(rill_stream_create(t.peer.context, NULL, &third), "a stream");
    demand(rill_launch_host(third, call_inside, &inside, NULL), "a host function");
    demand(rill_stream_synchronize(third), "its end");
    printf(" %s", inside.status ? rill_error_name(inside.status) : "free");
    end(&t);
}

/* In a process of its own, since a call may change what its thread may do from then on. */
static void measure(const struct call *call)
{
    fflush(stdout);
    pid_t child = fork();
    if (child) {
        int status = 0;
        if (child < 0 || waitpid(child, &status, 0) != child || status) exit(1);
        return;
    }
    printf("%s %s", call->name, waits(call) ? "yes" : "no");
    capture(call);
    host(call);
    printf("\n");
    fflush(stdout);
    _exit(0);
}

int main(int argc, char **argv)
{
    const char *only = argc > 1 ? argv[1] : NULL;
    setenv("RILL_SIM_SCHEDULE", "late", 1);
    setenv("RILL_SIM_WORKERS", "1", 1);
    setenv("RILL_SIM_DEVICES", "2", 1);
    for (size_t i = 0; i < call_count; i++)
        if (!is_own(calls[i].name) && (!only || !strcmp(only, calls[i].name))) measure(&calls[i]);
    for (size_t i = 0; i < own_call_count; i++)
        if (!only || !strcmp(only, own_calls[i].name)) measure(&own_calls[i]);
    for (size_t i = 0; i < asking_call_count; i++)
        if (!only || !strcmp(only, asking_calls[i].name)) measure(&asking_calls[i]);
    return 0;
}
