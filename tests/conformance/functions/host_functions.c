/* SPDX-License-Identifier: Apache-2.0
 *
 * Host functions in streams: what they are given, when they run, what they see.
 */
#include "conformance/work.h"

/* ---- Arguments ------------------------------------------------------------------ */

static void keep_argument(void *data)
{
    *(void **)data = data;
}

static int was_null; /* 1: it was, 2: it was not */

static void want_null(void *data)
{
    was_null = data ? 2 : 1;
}

static void a_host_function_is_given_its_data(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_stream(f);
    void *seen = NULL;
    ok(rill_launch_host(s, keep_argument, &seen, NULL));
    ok(rill_stream_synchronize(s));
    assert_ptr_equal(seen, &seen);
}

static void the_data_may_be_null(void **state)
{
    struct fixture *f = *state;
    was_null = 0;
    rill_stream *s = new_stream(f);
    ok(rill_launch_host(s, want_null, NULL, NULL));
    ok(rill_stream_synchronize(s));
    assert_int_equal(was_null, 1);
}

/* HF-1 */
static void no_function_is_refused_in_every_stream(void **state)
{
    struct fixture *f = *state;
    rill_stream *const all[] = { new_stream(f), f->legacy, f->per_thread };
    for (int i = 0; i < 3; i++) {
        refuses(RILL_ERROR_INVALID_VALUE, "fn", rill_launch_host(all[i], NULL, NULL, NULL));
    }
}

/* HF-1 */
static void no_function_is_refused_as_an_operation(void **state)
{
    struct fixture *f = *state;
    rill_op op = { .kind = RILL_OP_HOST };
    refuses(RILL_ERROR_INVALID_VALUE, "op->host.fn", rill_stream_submit(new_stream(f), &op));
}

static void every_kind_of_stream_runs_host_functions(void **state)
{
    struct fixture *f = *state;
    rill_stream *const all[] = { new_stream(f), new_non_blocking(f), f->legacy, f->per_thread };
    for (int i = 0; i < 4; i++) {
        atomic_int ran = 0;
        ok(rill_launch_host(all[i], count_up, &ran, NULL));
        ok(rill_stream_synchronize(all[i]));
        assert_int_equal(ran, 1);
    }
}

static void an_operation_runs_a_host_function(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_stream(f);
    atomic_int ran = 0;
    rill_op op = { .kind = RILL_OP_HOST, .host = { count_up, &ran, NULL } };
    ok(rill_stream_submit(s, &op));
    ok(rill_stream_submit(s, &op));
    ok(rill_stream_synchronize(s));
    assert_int_equal(ran, 2);
}

/* ---- Order ---------------------------------------------------------------------- */

struct sequence {
    int next, wrong;
};

struct step {
    struct sequence *sequence;
    int number;
};

static void take_step(void *data)
{
    struct step *step = data;
    if (step->sequence->next++ != step->number) step->sequence->wrong++;
}

/* ST-5 */
static void host_functions_of_a_stream_run_in_the_order_of_their_calls(void **state)
{
    struct fixture *f = *state;
    enum { STEPS = 2000 };
    static struct step steps[STEPS];
    struct sequence sequence = { 0, 0 };
    rill_stream *s = new_stream(f);
    for (int i = 0; i < STEPS; i++) {
        steps[i] = (struct step){ &sequence, i };
        ok(rill_launch_host(s, take_step, &steps[i], NULL));
    }
    ok(rill_stream_synchronize(s));
    assert_int_equal(sequence.next, STEPS);
    assert_int_equal(sequence.wrong, 0);
}

static _Thread_local int submitting;

static void look_who_runs(void *data)
{
    if (submitting) atomic_fetch_add((atomic_int *)data, 1);
}

/* A caller may hold a lock that the function takes. */
static void a_host_function_does_not_run_inside_the_call_that_submits_it(void **state)
{
    struct fixture *f = *state;
    atomic_int inside = 0;
    rill_stream *const all[] = { new_stream(f), f->legacy, f->per_thread };
    for (int i = 0; i < 300; i++) {
        submitting = 1;
        rill_status status = rill_launch_host(all[i % 3], look_who_runs, &inside, NULL);
        submitting = 0;
        ok(status);
    }
    ok(rill_context_synchronize(f->context));
    assert_int_equal(inside, 0);
}

static void a_host_function_waits_for_the_work_before_it(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    struct gate *g = gate(f, s);
    mark(f, s, 'a');
    held(s);
    order(f, "");
    open_gate(g);
    ok(rill_stream_synchronize(s));
    order(f, "a");
}

/* hostfn.ordered_by_event */
static void events_order_the_host_functions_of_two_streams(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_non_blocking(f), *b = new_non_blocking(f);
    rill_event *there = new_event(f), *back = new_event(f);
    struct gate *g = gate(f, a);
    mark(f, a, '1');
    ok(rill_event_record(there, a, 0));
    ok(rill_stream_wait_event(b, there, 0));
    mark(f, b, '2');
    ok(rill_event_record(back, b, 0));
    ok(rill_stream_wait_event(a, back, 0));
    mark(f, a, '3');
    held(a);
    held(b);
    open_gate(g);
    ok(rill_stream_synchronize(a));
    order(f, "123");
}

/* DS-10 */
static void a_host_function_in_the_legacy_stream_is_a_barrier(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_stream(f), *b = new_stream(f);
    struct gate *g = gate(f, a);
    mark(f, a, '1');
    mark(f, f->legacy, '2');
    mark(f, b, '3');
    held(b);
    open_gate(g);
    ok(rill_context_synchronize(f->context));
    order(f, "123");
}

/* ---- While one runs --------------------------------------------------------------- */

/* HF-4, hostfn.holds_its_stream */
static void a_host_function_that_runs_holds_its_stream(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_non_blocking(f), *b = new_non_blocking(f);
    rill_event *before = new_event(f), *after = new_event(f);
    ok(rill_event_record(before, a, 0));
    struct latch *l = latch(f, a);
    ok(rill_event_record(after, a, 0));
    mark(f, a, 'a');
    ok(rill_stream_wait_event(b, after, 0));
    mark(f, b, 'b');
    await_latch(l);
    ok(rill_event_query(before));
    event_held(after);
    held(a);
    held(b);
    order(f, "");
    open_latch(l);
    ok(rill_stream_synchronize(b));
    ok(rill_stream_synchronize(a));
    ordered(f, "a", "");
    ordered(f, "b", "");
}

/* hostfn.holds_its_stream */
static void other_streams_go_on_while_a_host_function_runs(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_non_blocking(f), *b = new_non_blocking(f);
    rill_kernel *k = kernel(f, &put_function);
    uint32_t *word = pinned(f, 4);
    struct latch *l = latch(f, a);
    await_latch(l);
    ok(put(k, b, at(word), 7));
    ok(rill_stream_synchronize(b));
    assert_int_equal(*word, 7);
    is(RILL_ERROR_NOT_READY, rill_stream_query(a));
    open_latch(l);
    ok(rill_stream_synchronize(a));
}

/* ---- What it sees ------------------------------------------------------------------ */

struct sight {
    uint32_t *words;
    uint32_t saw;
};

static void add_a_hundred(void *data)
{
    struct sight *sight = data;
    sight->saw = sight->words[0];
    sight->words[1] = sight->words[0] + 100;
}

/* HF-4, hostfn.order_with_kernels */
static void it_sees_what_kernels_before_it_wrote_and_those_behind_see_what_it_wrote(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_kernel *puts = kernel(f, &put_function), *copies = kernel(f, &copy1_function);
    struct sight sight = { pinned(f, 8), 0 };
    rill_devptr result = device_words(f, 1);
    struct gate *g = gate(f, s);
    ok(put(puts, s, at(sight.words), 5));
    ok(rill_launch_host(s, add_a_hundred, &sight, NULL));
    ok(copy1(copies, s, result, at(sight.words + 1)));
    ok(put(puts, s, at(sight.words), 6));
    held(s);
    assert_int_equal(sight.saw, 0);
    open_gate(g);
    ok(rill_stream_synchronize(s));
    assert_int_equal(sight.saw, 5);
    assert_int_equal(peek(f, result), 105);
    assert_int_equal(sight.words[0], 6);
}

/* HF-4, ST-5 */
static void it_sees_what_copies_before_it_wrote_and_those_behind_read_what_it_wrote(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    struct sight sight = { pinned(f, 8), 0 };
    rill_devptr source = device_words(f, 1), result = device_words(f, 1);
    poke(f, source, 41);
    struct gate *g = gate(f, s);
    ok(rill_memcpy_dtoh_async(s, sight.words, source, 4));
    ok(rill_launch_host(s, add_a_hundred, &sight, NULL));
    ok(rill_memcpy_htod_async(s, result, sight.words + 1, 4));
    held(s);
    open_gate(g);
    ok(rill_stream_synchronize(s));
    assert_int_equal(sight.saw, 41);
    assert_int_equal(peek(f, result), 141);
}

/* ---- How often ---------------------------------------------------------------------- */

struct burst {
    rill_stream *streams[8];
    atomic_int ran, refused;
};

static void launch_burst(void *data, int index)
{
    struct burst *burst = data;
    for (int i = 0; i < 100; i++)
        if (rill_launch_host(burst->streams[(index + i) % 8], count_up, &burst->ran, NULL))
            atomic_fetch_add(&burst->refused, 1);
}

/* hostfn.many_streams, TS-1 */
static void each_of_many_host_functions_runs_once(void **state)
{
    struct fixture *f = *state;
    struct burst burst = { .ran = 0 };
    for (int i = 0; i < 8; i++) burst.streams[i] = i % 2 ? new_stream(f) : new_non_blocking(f);
    crew(4, launch_burst, &burst);
    ok(rill_context_synchronize(f->context));
    assert_int_equal(burst.refused, 0);
    assert_int_equal(burst.ran, 400);
}

/* ST-3, hostfn.stream_destroyed */
static void host_functions_of_a_destroyed_stream_still_run(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    struct gate *g = gate(f, s);
    mark(f, s, 'a');
    mark(f, s, 'b');
    forget(f, s);
    ok(rill_stream_destroy(&s));
    order(f, "");
    open_gate(g);
    ok(rill_context_synchronize(f->context));
    order(f, "ab");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_host_function_is_given_its_data),
    cmocka_unit_test(the_data_may_be_null),
    cmocka_unit_test(no_function_is_refused_in_every_stream),
    cmocka_unit_test(no_function_is_refused_as_an_operation),
    cmocka_unit_test(every_kind_of_stream_runs_host_functions),
    cmocka_unit_test(an_operation_runs_a_host_function),
    cmocka_unit_test(host_functions_of_a_stream_run_in_the_order_of_their_calls),
    cmocka_unit_test(a_host_function_does_not_run_inside_the_call_that_submits_it),
    cmocka_unit_test(a_host_function_waits_for_the_work_before_it),
    cmocka_unit_test(events_order_the_host_functions_of_two_streams),
    cmocka_unit_test(a_host_function_in_the_legacy_stream_is_a_barrier),
    cmocka_unit_test(a_host_function_that_runs_holds_its_stream),
    cmocka_unit_test(other_streams_go_on_while_a_host_function_runs),
    cmocka_unit_test(it_sees_what_kernels_before_it_wrote_and_those_behind_see_what_it_wrote),
    cmocka_unit_test(it_sees_what_copies_before_it_wrote_and_those_behind_read_what_it_wrote),
    cmocka_unit_test(each_of_many_host_functions_runs_once),
    cmocka_unit_test(host_functions_of_a_destroyed_stream_still_run),
};

SUITE_GROUP(host_functions, 1);
