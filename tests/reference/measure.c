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
 * Each answer is from a machine of its own, under the schedule "late" or with virtual time: there
 * nothing is over before a call waits for it, so what is over tells what was waited for, and no
 * time is measured.
 */
#include <rill/rill.h>

#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reference/own_calls.h"

/* ---- Calls --------------------------------------------------------------------------------- */

static const struct call_set *const sets[] = {
    &own_calls,   &asking_calls,  &backend_calls, &layer_calls, &shared_calls,
    &timed_calls, &checked_calls, &traced_calls,  &cuda_calls,
};

/* The list of all calls, but for those that are tried in another way. */
static int is_own(const char *name)
{
    for (size_t i = 0; i < own_calls.count; i++)
        if (!strcmp(own_calls.calls[i].name, name)) return 1;
    return 0;
}

/* The backend of those that are tried now: each is tried in a process of its own. */
static const char *backend = "sim";

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
    demand(world_open(&t->w, backend), "a machine");
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
    demand(rill_memset_d8_async(t.w.stream, t.w.address, 0, 1), "work");
    demand(rill_launch_host(t.w.stream, set_flag, &done, NULL), "more work");
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
    sem_t over;
};

static void call_inside(void *data)
{
    struct inside *inside = data;
    inside->status = inside->call->make(inside->a);
    sem_post(&inside->over);
}

static void host(const struct call *call)
{
    struct trial t;
    rill_stream *third = NULL;
    begin(&t, call);
    struct inside inside = { .call = call, .a = &t.a };
    sem_init(&inside.over, 0, 0);
    demand(rill_stream_create(t.peer.context, NULL, &third), "a stream");
    demand(rill_launch_host(third, call_inside, &inside, NULL), "a host function");
    rill_status status = rill_stream_synchronize(third);
    sem_wait(&inside.over);
    if (t.a.w.platform) demand(status, "its end");
    printf(" %s", inside.status ? rill_error_name(inside.status) : "free");
    end(&t);
}

bool is_left_to_child(void)
{
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (!child) return false;
    if (child < 0 || waitpid(child, &status, 0) != child || status) exit(1);
    return true;
}

static void measure(const struct call *call, rill_status (*prepare)(void))
{
    if (is_left_to_child()) return;
    if (prepare) demand(prepare(), call->name);
    printf("%s %s", call->name, waits(call) ? "yes" : "no");
    capture(call);
    host(call);
    printf("\n");
    fflush(stdout);
    _exit(0);
}

static void measure_set(const struct call_set *set, const char *only)
{
    backend = set->backend;
    for (size_t i = 0; i < set->count; i++)
        if (!only || !strcmp(only, set->calls[i].name)) measure(&set->calls[i], set->prepare);
}

/* measure [CALL]: what is tried on the driver needs $RILL_CUDA_LIBRARY. */
int main(int argc, char **argv)
{
    const char *only = argc > 1 ? argv[1] : NULL;
    setenv("RILL_SIM_SCHEDULE", "late", 1);
    setenv("RILL_SIM_WORKERS", "1", 1);
    setenv("RILL_SIM_DEVICES", "2", 1);
    for (size_t i = 0; i < call_count; i++)
        if (!is_own(calls[i].name) && (!only || !strcmp(only, calls[i].name)))
            measure(&calls[i], NULL);
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        if (strcmp(sets[i]->backend, "cuda") || getenv("RILL_CUDA_LIBRARY"))
            measure_set(sets[i], only);
    measure_kernel_calls(only);
    return 0;
}
