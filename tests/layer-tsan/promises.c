/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs that tests/tsan.sh builds with -fsanitize=thread: what they share is ordered by a
 * promise of streams, events or graphs.
 *
 *     promises right         all of them
 *     promises missing NAME  one without the order that it needs
 *     promises names         the names of those that can go without
 */
#include "parts.h"

#include <rill/sim.h>

/* ---- Streams and events ------------------------------------------------------------------- */

static void submit(const struct fixture *it, bool missing)
{
    int *shared = new_shared();
    if (!missing) *shared = 1;
    MUST(rill_launch_host(it->a, add_one, shared, NULL));
    if (missing) *shared = 1;
    MUST(rill_stream_synchronize(it->a));
}

static void same_stream(const struct fixture *it, bool missing)
{
    int *shared = new_shared();
    MUST(rill_launch_host(it->a, add_one, shared, NULL));
    MUST(rill_launch_host(missing ? it->b : it->a, add_one, shared, NULL));
    finish(it);
}

static void event_wait(const struct fixture *it, bool missing)
{
    int *shared = new_shared();
    MUST(rill_launch_host(it->a, add_one, shared, NULL));
    MUST(rill_event_record(it->event, it->a, 0));
    if (!missing) MUST(rill_stream_wait_event(it->b, it->event, 0));
    MUST(rill_launch_host(it->b, add_one, shared, NULL));
    finish(it);
}

/* The wait takes the record that is latest at the call. */
static void early_record(const struct fixture *it, bool missing)
{
    int *shared = new_shared();
    if (missing) MUST(rill_event_record(it->event, it->a, 0));
    MUST(rill_launch_host(it->a, add_one, shared, NULL));
    if (!missing) MUST(rill_event_record(it->event, it->a, 0));
    MUST(rill_stream_wait_event(it->b, it->event, 0));
    MUST(rill_launch_host(it->b, add_one, shared, NULL));
    finish(it);
}

static void stream_synchronize(const struct fixture *it, bool missing)
{
    int *shared = new_shared();
    MUST(rill_launch_host(it->a, add_one, shared, NULL));
    MUST(rill_stream_synchronize(missing ? it->b : it->a));
    ++*shared;
    finish(it);
}

static void event_synchronize(const struct fixture *it, bool missing)
{
    int *shared = new_shared();
    MUST(rill_event_record(it->other, it->a, 0));
    MUST(rill_launch_host(it->a, add_one, shared, NULL));
    MUST(rill_event_record(it->event, it->a, 0));
    MUST(rill_event_synchronize(missing ? it->other : it->event));
    ++*shared;
    finish(it);
}

static void event_query(const struct fixture *it, bool missing)
{
    int *shared = new_shared();
    MUST(rill_event_record(it->other, it->a, 0));
    MUST(rill_launch_host(it->a, add_one, shared, NULL));
    MUST(rill_event_record(it->event, it->a, 0));
    while (rill_event_query(missing ? it->other : it->event)) sched_yield();
    ++*shared;
    finish(it);
}

static void stream_query(const struct fixture *it, bool missing)
{
    int *shared = new_shared();
    MUST(rill_launch_host(it->a, add_one, shared, NULL));
    while (rill_stream_query(missing ? it->b : it->a)) sched_yield();
    ++*shared;
    finish(it);
}

static void context_synchronize(const struct fixture *it, bool missing)
{
    int *shared = new_shared();
    MUST(rill_launch_host(it->a, add_one, shared, NULL));
    if (!missing) MUST(rill_context_synchronize(it->context));
    ++*shared;
    finish(it);
}

static void legacy_stream(const struct fixture *it, bool missing)
{
    int *shared = new_shared();
    rill_stream *legacy = rill_stream_legacy(it->context);
    MUST(rill_launch_host(missing ? it->apart : it->a, add_one, shared, NULL));
    MUST(rill_launch_host(legacy, add_one, shared, NULL));
    MUST(rill_launch_host(missing ? it->apart : it->b, add_one, shared, NULL));
    finish(it);
}

static void forks(const struct fixture *it, bool missing)
{
    int *shared = new_shared();
    rill_stream *const side[] = { it->b };
    MUST(rill_launch_host(it->a, add_one, shared, NULL));
    if (!missing) MUST(rill_stream_fork(it->a, side, 1));
    MUST(rill_launch_host(it->b, add_one, shared, NULL));
    if (!missing) MUST(rill_stream_join(it->a, side, 1));
    MUST(rill_launch_host(it->a, add_one, shared, NULL));
    finish(it);
}

/* Work of a stream that is gone is waited for by who waits for the context. */
static void destroyed_stream(const struct fixture *it, bool missing)
{
    int *shared = new_shared();
    rill_stream *stream = NULL;
    MUST(rill_stream_create(it->context, NULL, &stream));
    MUST(rill_launch_host(stream, add_one, shared, NULL));
    MUST(rill_stream_destroy(&stream));
    if (!missing) MUST(rill_context_synchronize(it->context));
    ++*shared;
    finish(it);
}

/* ---- Functions ---------------------------------------------------------------------------- */

static void finish_callback(rill_stream *stream, rill_status status, void *data)
{
    (void)stream, (void)status;
    ++*(int *)data;
}

static void callbacks(const struct fixture *it, bool missing)
{
    int *shared = new_shared();
    MUST(rill_launch_host(missing ? it->b : it->a, add_one, shared, NULL));
    MUST(rill_stream_add_callback(it->a, finish_callback, shared, 0));
    MUST(rill_stream_synchronize(it->a));
    ++*shared;
    finish(it);
}

/* `destroy` comes after the function, and before what comes after the operation. */
static void destroys(const struct fixture *it, bool missing)
{
    int *shared = new_shared();
    MUST(rill_launch_host(it->a, add_one, shared, destroy_one));
    MUST(rill_launch_host(missing ? it->b : it->a, add_one, shared, NULL));
    MUST(rill_launch_host(it->a, add_one, malloc_shared(), free));
    finish(it);
}

/* One that is refused is destroyed in the call. */
static void refused(const struct fixture *it, bool missing)
{
    int *shared = new_shared();
    (void)missing;
    if (!rill_launch_host(it->a, NULL, shared, destroy_one)) exit(2);
    ++*shared;
    MUST(rill_launch_host(it->a, add_one, shared, NULL));
    finish(it);
}

/* A thread's record of a failure is its own, whichever functions run there. */
static void fail_inside(void *data)
{
    (void)data;
    if (!rill_event_record(NULL, NULL, 0) || !*rill_last_error()->message) exit(2);
    rill_clear_error();
}

static void failures_inside(const struct fixture *it, bool missing)
{
    (void)missing;
    for (int i = 0; i < 10; i++) {
        MUST(rill_launch_host(it->a, fail_inside, NULL, NULL));
        MUST(rill_launch_host(it->b, fail_inside, NULL, NULL));
        MUST(rill_launch_host(it->apart, fail_inside, NULL, NULL));
    }
    finish(it);
}

static void fail_device(const rill_launch *launch)
{
    rill_sim_fault(launch, RILL_ERROR_LAUNCH_FAILED, "on purpose");
}

static rill_kernel *failing_kernel(const struct fixture *it)
{
    static const rill_function functions[] = { { .name = "fail", .over_grid = fail_device } };
    const rill_image image = { .size = sizeof image, .functions = functions, .function_count = 1 };
    rill_module *module = NULL;
    rill_kernel *kernel = NULL;
    MUST(rill_module_load(it->context, &image, &module));
    MUST(rill_module_kernel(module, "fail", &kernel));
    return kernel;
}

/* After a fault nothing runs, and what was destroyed instead is the host's again with the end of
 * the context. */
static void dropped(const struct fixture *it, bool missing)
{
    struct fixture own;
    int *shared = new_shared();
    (void)it, (void)missing;
    set_up(&own);
    MUST(rill_launch_kernel(own.a, failing_kernel(&own), (rill_dim3){ 1, 1, 1 },
                            (rill_dim3){ 1, 1, 1 }, 0, NULL));
    MUST(rill_launch_host(own.a, add_one, shared, destroy_one));
    if (!rill_stream_synchronize(own.a)) exit(2);
    rill_context_destroy(&own.context);
    ++*shared;
    rill_close(&own.platform);
}

/* What runs in one thread one after the other shares its stack and its own variables. */
static void what_threads_own(const struct fixture *it, bool missing)
{
    (void)missing;
    for (int i = 0; i < 20; i++) {
        MUST(rill_launch_host(it->a, fill_own, NULL, NULL));
        MUST(rill_launch_host(it->b, fill_own, NULL, NULL));
    }
    fill_own(NULL);
    finish(it);
    fill_own(NULL);
}

struct inner {
    const struct fixture *it;
    int *shared;
    bool missing;
};

static void call_inside(void *data)
{
    const struct inner *inner = data;
    ++*inner->shared;
    MUST(rill_launch_host(inner->it->b, add_one, inner->shared, NULL));
    MUST(rill_event_record(inner->it->event, inner->it->b, 0));
    if (!inner->missing) MUST(rill_event_synchronize(inner->it->event));
    ++*inner->shared;
}

static void calls_inside(const struct fixture *it, bool missing)
{
    struct inner inner = { it, new_shared(), missing };
    MUST(rill_launch_host(it->a, call_inside, &inner, NULL));
    MUST(rill_stream_synchronize(it->a));
    ++*inner.shared;
    finish(it);
}

/* ---- Copies ------------------------------------------------------------------------------- */

static void copy_to_host(const struct fixture *it, bool missing)
{
    MUST(rill_memcpy_dtoh_async(it->a, it->pinned, it->memory, 64));
    if (!missing) MUST(rill_stream_synchronize(it->a));
    use(&it->pinned[5]);
    finish(it);
}

static void copy_from_host(const struct fixture *it, bool missing)
{
    it->pinned[7] = 1;
    MUST(rill_memcpy_htod_async(it->a, it->memory, it->pinned, 64));
    if (!missing) MUST(rill_stream_synchronize(it->a));
    it->pinned[7] = 2;
    finish(it);
}

static void copy_of_function(const struct fixture *it, bool missing)
{
    MUST(rill_launch_host(it->a, add_one, it->pinned, NULL));
    MUST(rill_memcpy_htod_async(missing ? it->b : it->a, it->memory, it->pinned, 64));
    MUST(rill_launch_host(it->a, add_one, it->pinned, NULL));
    finish(it);
}

/* Pageable memory has been read, or written, when the call returns. */
static void pageable_copies(const struct fixture *it, bool missing)
{
    int plain[16] = { 0 };
    (void)missing;
    MUST(rill_memcpy_htod_async(it->a, it->memory, plain, sizeof plain));
    plain[3] = 1;
    MUST(rill_memcpy_dtoh_async(it->a, plain, it->memory, sizeof plain));
    plain[3] = 2;
    MUST(rill_memcpy_htod(it->context, it->memory, plain, sizeof plain));
    plain[3] = 3;
    MUST(rill_memcpy_dtoh(it->context, plain, it->memory, sizeof plain));
    plain[3] = 4;
}

static void synchronous_copy(const struct fixture *it, bool missing)
{
    int plain[16] = { 0 };
    MUST(rill_launch_host(missing ? it->apart : it->a, add_one, plain, NULL));
    MUST(rill_memcpy_htod(it->context, it->memory, plain, sizeof plain));
    finish(it);
}

/* ---- Threads ------------------------------------------------------------------------------ */

static void *submit_shared(void *data)
{
    const struct inner *inner = data;
    MUST(rill_launch_host(inner->it->b, add_one, inner->shared, NULL));
    MUST(rill_stream_synchronize(inner->it->b));
    return NULL;
}

static void threads(const struct fixture *it, bool missing)
{
    struct inner inner = { it, new_shared(), missing };
    pthread_t thread;
    ++*inner.shared;
    if (pthread_create(&thread, NULL, submit_shared, &inner)) exit(2);
    if (missing) ++*inner.shared;
    pthread_join(thread, NULL);
    ++*inner.shared;
    MUST(rill_launch_host(it->a, add_one, inner.shared, NULL));
    finish(it);
}

/* ---- All of them -------------------------------------------------------------------------- */

static const struct program programs[] = {
    { "submit", submit, true },
    { "same_stream", same_stream, true },
    { "event_wait", event_wait, true },
    { "early_record", early_record, true },
    { "stream_synchronize", stream_synchronize, true },
    { "event_synchronize", event_synchronize, true },
    { "event_query", event_query, true },
    { "stream_query", stream_query, true },
    { "context_synchronize", context_synchronize, true },
    { "legacy_stream", legacy_stream, true },
    { "forks", forks, true },
    { "destroyed_stream", destroyed_stream, true },
    { "callbacks", callbacks, true },
    { "destroys", destroys, true },
    { "refused", refused, false },
    { "failures_inside", failures_inside, false },
    { "dropped", dropped, false },
    { "what_threads_own", what_threads_own, false },
    { "calls_inside", calls_inside, true },
    { "copy_to_host", copy_to_host, true },
    { "copy_from_host", copy_from_host, true },
    { "copy_of_function", copy_of_function, true },
    { "pageable_copies", pageable_copies, false },
    { "synchronous_copy", synchronous_copy, true },
    { "threads", threads, true },
};

int main(int argc, char **argv)
{
    return run_programs(programs, sizeof programs / sizeof *programs, argc, argv);
}
