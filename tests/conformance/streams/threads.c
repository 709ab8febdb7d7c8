/* SPDX-License-Identifier: Apache-2.0
 *
 * Many host threads: they share streams, events and contexts as they like.
 */
#include <sched.h>

#include <rill/backend.h>
#include <rill/check.h>

#include "conformance/work.h"

enum { CREW = 8, EACH = 100 };

/* What the members of a crew share. */
struct shared {
    struct fixture *f;
    rill_stream *streams[CREW];
    int plain; /* added to by host functions, without any lock */
    int overlapped, inside;
    atomic_int turn;
};

/* ---- One stream -------------------------------------------------------------------- */

struct entry {
    struct shared *shared;
    int thread, number;
};

static struct {
    int thread, number;
} logged[CREW * EACH];

static void log_entry(void *data)
{
    struct entry *entry = data;
    int at = entry->shared->plain++;
    logged[at].thread = entry->thread;
    logged[at].number = entry->number;
}

static struct entry entries[CREW][EACH];

static void submit_entries(void *data, int index)
{
    struct shared *shared = data;
    for (int i = 0; i < EACH; i++) {
        entries[index][i] = (struct entry){ shared, index, i };
        works(shared->f, rill_launch_host(shared->streams[0], log_entry, &entries[index][i],
                                          NULL));
    }
}

static void check_log(struct shared *shared)
{
    int next[CREW] = { 0 };
    all_worked(shared->f);
    assert_int_equal(shared->plain, CREW * EACH);
    for (int i = 0; i < CREW * EACH; i++)
        assert_int_equal(logged[i].number, next[logged[i].thread]++);
}

/* TS-2 */
static void each_threads_work_in_a_shared_stream_keeps_its_order(void **state)
{
    struct shared shared = { .f = *state };
    shared.streams[0] = new_stream(shared.f);
    crew(CREW, submit_entries, &shared);
    ok(rill_stream_synchronize(shared.streams[0]));
    check_log(&shared);
}

/* TS-2: the same while nothing runs, and then everything. */
static void each_threads_work_behind_a_gate_keeps_its_order(void **state)
{
    struct shared shared = { .f = *state };
    shared.streams[0] = new_stream(shared.f);
    struct gate *closed = gate(shared.f, shared.streams[0]);
    crew(CREW, submit_entries, &shared);
    assert_int_equal(shared.plain, 0);
    open_gate(closed);
    ok(rill_stream_synchronize(shared.streams[0]));
    check_log(&shared);
}

/* TS-1; oracle thread.legacy_stream */
static void threads_share_the_legacy_stream(void **state)
{
    struct shared shared = { .f = *state };
    shared.streams[0] = shared.f->legacy;
    crew(CREW, submit_entries, &shared);
    ok(rill_stream_synchronize(shared.f->legacy));
    check_log(&shared);
}

static void alone(void *data)
{
    struct shared *shared = data;
    if (shared->inside++) shared->overlapped = 1;
    sched_yield();
    shared->inside--;
    shared->plain++;
}

static void submit_alone(void *data, int index)
{
    struct shared *shared = data;
    (void)index;
    for (int i = 0; i < 50; i++)
        works(shared->f, rill_launch_host(shared->streams[0], alone, shared, NULL));
    works(shared->f, rill_stream_synchronize(shared->streams[0]));
}

/* ST-5; oracle thread.hostfns_one_stream: also while several threads wait, each
 * of which may be the one that runs them. */
static void host_functions_of_one_stream_never_overlap(void **state)
{
    struct shared shared = { .f = *state };
    shared.streams[0] = new_non_blocking(shared.f);
    crew(4, submit_alone, &shared);
    ok(rill_stream_synchronize(shared.streams[0]));
    all_worked(shared.f);
    assert_int_equal(shared.plain, 200);
    assert_int_equal(shared.overlapped, 0);
}

/* ---- Streams of their own ------------------------------------------------------------ */

static void add_one(void *data)
{
    ++*(int *)data;
}

static void make_use_destroy(void *data, int index)
{
    static int counters[CREW]; /* functions may run after a wait that failed */
    struct shared *shared = data;
    for (int i = 0; i < 30; i++) {
        const rill_event_options options = {
            .size = sizeof options, .flags = i & 2 ? RILL_EVENT_TIMING : 0,
        };
        const rill_stream_options kind = {
            .size = sizeof kind, .flags = (uint32_t)i & 1, .priority = -index,
        };
        rill_stream *stream = NULL;
        rill_event *event = NULL;
        counters[index] = 0;
        works(shared->f, rill_stream_create(shared->f->context, &kind, &stream));
        works(shared->f, rill_event_create(shared->f->context, &options, &event));
        for (int k = 0; k < 10; k++)
            works(shared->f, rill_launch_host(stream, add_one, &counters[index], NULL));
        works(shared->f, rill_event_record(event, stream, 0));
        if (i % 3) works(shared->f, rill_event_synchronize(event));
        else works(shared->f, rill_stream_synchronize(stream));
        works(shared->f, counters[index] == 10 ? RILL_SUCCESS : RILL_ERROR_UNKNOWN);
        works(shared->f, rill_event_destroy(&event));
        works(shared->f, rill_stream_destroy(&stream));
    }
}

/* TS-1; oracle thread.own_streams */
static void each_thread_makes_uses_and_destroys_its_own(void **state)
{
    struct shared shared = { .f = *state };
    crew(CREW, make_use_destroy, &shared);
    all_worked(shared.f);
}

static void create_primary(void *data, int index)
{
    struct shared *shared = data;
    rill_context *context = NULL;
    (void)index;
    for (int i = 0; i < 20; i++) {
        works(shared->f, rill_context_create(shared->f->platform, NULL, &context));
        works(shared->f, context == shared->f->context ? RILL_SUCCESS : RILL_ERROR_UNKNOWN);
        works(shared->f, rill_context_destroy(&context));
    }
}

/* TS-1 */
static void all_threads_get_the_same_primary_context(void **state)
{
    struct shared shared = { .f = *state };
    crew(CREW, create_primary, &shared);
    all_worked(shared.f);
    ok(rill_context_status(shared.f->context));
}

/* ---- Waiting -------------------------------------------------------------------------- */

/* Half of the calls wait for the stream, half for the event.  oracle
 * thread.many_waiters */
static void many_threads_wait_for_one_stream(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f);
    rill_event *event = new_event(f);
    struct call *calls[CREW];
    struct gate *closed = gate(f, stream);
    mark(f, stream, 'a');
    ok(rill_event_record(event, stream, 0));
    for (int i = 0; i < CREW; i++)
        calls[i] = i & 1 ? start_call(f, synchronize_event, event)
                         : start_call(f, synchronize_stream, stream);
    for (int i = 0; i < CREW; i++) blocked(calls[i]);
    order(f, "");
    open_gate(closed);
    for (int i = 0; i < CREW; i++) ok(finish_call(calls[i]));
    order(f, "a");
}

static void synchronize_until_told(void *data, int index)
{
    struct shared *shared = data;
    if (!index) {
        for (int i = 0; i < 500; i++)
            works(shared->f, rill_launch_host(shared->streams[i & 1], add_one, &shared->plain,
                                              NULL));
        atomic_store(&shared->turn, 1);
        return;
    }
    while (!atomic_load(&shared->turn))
        works(shared->f, rill_context_synchronize(shared->f->context));
}

/* ST-9, ST-17 */
static void the_context_is_synchronized_while_another_thread_submits(void **state)
{
    struct shared shared = { .f = *state };
    shared.streams[0] = shared.streams[1] = new_stream(shared.f);
    crew(4, synchronize_until_told, &shared);
    ok(rill_context_synchronize(shared.f->context));
    all_worked(shared.f);
    assert_int_equal(shared.plain, 500);
}

/* ---- Modules --------------------------------------------------------------------------------- */

static void add_to(const rill_launch *launch)
{
    rill_devptr sum = RILL_ARGUMENT(launch, 0, rill_devptr);
    rill_touch(sum, 4, RILL_TOUCH_ATOMIC);
    atomic_fetch_add(RILL_DEVICE_MEMORY(sum, atomic_int), RILL_ARGUMENT(launch, 1, int));
}

static const rill_param add_params[] = { RILL_PARAM(rill_devptr), RILL_PARAM(int) };

struct sum {
    struct fixture *f;
    rill_devptr word;
};

static void load_run_unload(void *data, int index)
{
    static const rill_function function = {
        .name = "add", .over_grid = add_to, .params = add_params, .param_count = 2,
    };
    const rill_image image = image_of(&function, 1);
    struct sum *sum = data;
    struct fixture *f = sum->f;
    for (int i = 0; i < 20; i++) {
        rill_module *module = NULL;
        rill_kernel *kernel = NULL;
        const void *params[] = { &sum->word, &index };
        works(f, rill_module_load(f->context, &image, &module));
        works(f, rill_module_kernel(module, "add", &kernel));
        works(f, launch(kernel, f->per_thread, params));
        if (i & 1) works(f, rill_stream_synchronize(f->per_thread));
        works(f, rill_module_unload(&module));
    }
    works(f, rill_stream_synchronize(f->per_thread));
}

/* TS-1; oracle thread.modules */
static void threads_load_run_and_unload_modules(void **state)
{
    struct sum sum = { .f = *state };
    sum.word = device_words(sum.f, 1);
    crew(CREW, load_run_unload, &sum);
    all_worked(sum.f);
    assert_int_equal(peek(sum.f, sum.word), 20 * (CREW * (CREW - 1) / 2));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(each_threads_work_in_a_shared_stream_keeps_its_order),
    cmocka_unit_test(each_threads_work_behind_a_gate_keeps_its_order),
    cmocka_unit_test(threads_share_the_legacy_stream),
    cmocka_unit_test(host_functions_of_one_stream_never_overlap),
    cmocka_unit_test(each_thread_makes_uses_and_destroys_its_own),
    cmocka_unit_test(all_threads_get_the_same_primary_context),
    cmocka_unit_test(many_threads_wait_for_one_stream),
    cmocka_unit_test(the_context_is_synchronized_while_another_thread_submits),
    cmocka_unit_test(threads_load_run_and_unload_modules),
};

SUITE_GROUP(threads, 1);
