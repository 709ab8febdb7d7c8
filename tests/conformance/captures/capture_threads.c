/* SPDX-License-Identifier: Apache-2.0
 *
 * Captures and threads: who may end one, several at once, one by several.
 */
#include "conformance/captures/capturing.h"
#include "conformance/nodes.h"

static const rill_capture_mode modes[3] = { RILL_CAPTURE_GLOBAL, RILL_CAPTURE_THREAD_LOCAL,
                                            RILL_CAPTURE_RELAXED };

struct far {
    struct fixture *f;
    rill_stream *stream, *side;
    rill_event *event, *last;
    rill_capture_mode mode;
    rill_status status;
    rill_graph *graph;
};

static void end_far(void *data, int index)
{
    struct far *far = data;
    (void)index;
    far->status = rill_stream_end_capture(far->stream, &far->graph);
}

/* CP-9; oracle capmode.wrong_thread */
static void only_a_relaxed_capture_is_ended_by_another_thread(void **state)
{
    struct fixture *f = *state;
    for (int i = 0; i < 3; i++) {
        struct far far = { .f = f, .stream = new_non_blocking(f) };
        bool may = modes[i] == RILL_CAPTURE_RELAXED;
        ok(begin(far.stream, modes[i]));
        ok(letter(f, far.stream, 'A'));
        crew(1, end_far, &far);
        assert_int_equal(far.status, may ? RILL_SUCCESS : RILL_ERROR_STREAM_CAPTURE_WRONG_THREAD);
        assert_int_equal(far.graph != NULL, may);
        idle(far.stream);
        works_again(f, far.stream);
        fails(RILL_ERROR_ILLEGAL_STATE, far.stream);
        rill_graph_destroy(&far.graph);
    }
}

static void begin_far(void *data, int index)
{
    struct far *far = data;
    (void)index;
    works(far->f, begin(far->stream, far->mode));
    works(far->f, letter(far->f, far->stream, 'A'));
}

/* CP-50; oracle capmode.begun_by_gone_thread */
static void so_is_one_of_a_thread_that_is_gone(void **state)
{
    struct fixture *f = *state;
    for (int i = 0; i < 3; i++) {
        struct far far = { .f = f, .stream = new_non_blocking(f), .mode = modes[i] };
        crew(1, begin_far, &far);
        all_worked(f);
        active(far.stream);
        ok(letter(f, far.stream, 'B'));
        if (modes[i] == RILL_CAPTURE_RELAXED) gives(far.stream, "A B | A>B");
        else fails(RILL_ERROR_STREAM_CAPTURE_WRONG_THREAD, far.stream);
        ok(rill_context_synchronize(f->context));
    }
}

static void work_far(void *data, int index)
{
    struct far *far = data;
    (void)index;
    works(far->f, rill_stream_wait_event(far->side, far->event, 0));
    works(far->f, letter(far->f, far->side, 'B'));
    works(far->f, rill_event_record(far->last, far->side, 0));
}

/* oracle capmode.fork_to_thread */
static void a_side_stream_may_be_another_thread_s(void **state)
{
    struct fixture *f = *state;
    for (int i = 0; i < 3; i++) {
        struct far far = { .f = f, .stream = new_non_blocking(f), .side = new_non_blocking(f),
                           .event = new_event(f), .last = new_event(f) };
        ok(begin(far.stream, modes[i]));
        ok(letter(f, far.stream, 'A'));
        ok(rill_event_record(far.event, far.stream, 0));
        crew(1, work_far, &far);
        all_worked(f);
        ok(rill_stream_wait_event(far.stream, far.last, 0));
        ok(letter(f, far.stream, 'C'));
        gives(far.stream, "A B C | A>B A>C B>C");
    }
}

static void begin_own(void *data, int index)
{
    struct far *far = data;
    (void)index;
    works(far->f, begin(far->f->per_thread, RILL_CAPTURE_GLOBAL));
    works(far->f, letter(far->f, far->f->per_thread, 'A'));
}

static void a_capture_in_a_thread_s_own_stream_goes_with_the_thread(void **state)
{
    struct fixture *f = *state;
    struct far far = { .f = f };
    crew(1, begin_own, &far);
    all_worked(f);
    idle(f->per_thread);
    ok(rill_context_synchronize(f->context));
}

/* ---- Several at once -------------------------------------------------------------------- */

enum { CREW = 4, ROUNDS = 40, NODES = 24 };

struct crowd {
    struct fixture *f;
    rill_stream *streams[CREW], *sides[CREW];
    rill_event *events[CREW], *fork;
    rill_capture_mode mode;
};

static void capture_and_check(void *data, int index)
{
    struct crowd *crowd = data;
    struct fixture *f = crowd->f;
    rill_stream *s = crowd->streams[index], *side = crowd->sides[index];
    for (int round = 0; round < ROUNDS; round++) {
        rill_graph *graph = NULL;
        size_t count = 0, edges = 0;
        works(f, begin(s, crowd->mode));
        for (int i = 0; i < NODES; i++) works(f, letter(f, s, 'A'));
        works(f, rill_event_record(crowd->events[index], s, 0));
        works(f, rill_stream_wait_event(side, crowd->events[index], 0));
        works(f, letter(f, side, 'B'));
        works(f, rill_event_record(crowd->events[index], side, 0));
        works(f, rill_stream_wait_event(s, crowd->events[index], 0));
        works(f, rill_stream_end_capture(s, &graph));
        if (graph) works(f, rill_graph_nodes(graph, NULL, &count));
        if (graph) works(f, rill_graph_edges(graph, NULL, NULL, NULL, &edges));
        if (count != NODES + 1 || edges != NODES) works(f, RILL_ERROR_UNKNOWN);
        rill_graph_destroy(&graph);
    }
}

static void make_crowd(struct fixture *f, struct crowd *crowd)
{
    *crowd = (struct crowd){ .f = f };
    for (int i = 0; i < CREW; i++) {
        crowd->streams[i] = new_non_blocking(f);
        crowd->sides[i] = new_non_blocking(f);
        crowd->events[i] = new_event(f);
    }
}

/* CP-46; oracle capmode.two_threads_local */
static void threads_capture_beside_each_other(void **state)
{
    struct crowd crowd;
    make_crowd(*state, &crowd);
    for (int i = 0; i < 3; i++) {
        crowd.mode = modes[i];
        crew(CREW, capture_and_check, &crowd);
        all_worked(crowd.f);
    }
}

static void submit_to_one_capture(void *data, int index)
{
    struct crowd *crowd = data;
    struct fixture *f = crowd->f;
    works(f, rill_stream_wait_event(crowd->sides[index], crowd->fork, 0));
    for (int i = 0; i < NODES; i++) works(f, letter(f, crowd->sides[index], 'B'));
    works(f, rill_event_record(crowd->events[index], crowd->sides[index], 0));
}

/* One graph, filled by four threads. */
static void threads_fill_one_capture_together(void **state)
{
    struct crowd crowd;
    struct fixture *f = *state;
    make_crowd(f, &crowd);
    crowd.fork = new_event(f);
    for (int round = 0; round < 10; round++) {
        rill_stream *s = new_non_blocking(f);
        size_t count = 0, edges = 0;
        ok(begin(s, RILL_CAPTURE_THREAD_LOCAL));
        ok(letter(f, s, 'A'));
        ok(rill_event_record(crowd.fork, s, 0));
        crew(CREW, submit_to_one_capture, &crowd);
        all_worked(f);
        for (int i = 0; i < CREW; i++) ok(rill_stream_wait_event(s, crowd.events[i], 0));
        rill_graph *graph = ended(s);
        ok(rill_graph_nodes(graph, NULL, &count));
        ok(rill_graph_edges(graph, NULL, NULL, NULL, &edges));
        assert_int_equal(count, 1 + CREW * NODES);
        assert_int_equal(edges, CREW * NODES);
        ok(rill_graph_destroy(&graph));
    }
}

/* Whatever comes of each call, nothing is torn and the streams come free. */
static void disturb(void *data, int index)
{
    struct crowd *crowd = data;
    rill_capture_info info = { .size = sizeof info };
    rill_graph *graph = NULL;
    for (int round = 0; round < ROUNDS; round++) {
        rill_stream *s = crowd->streams[round % 2];
        rill_event *event = crowd->events[round % 2];
        switch ((round + index) % CREW) {
        case 0:
            begin(s, crowd->mode);
            rill_event_record(event, s, 0);
            break;
        case 1:
            rill_launch_host(s, nothing, NULL, NULL);
            rill_stream_wait_event(crowd->sides[index], event, 0);
            break;
        case 2:
            rill_stream_query(s);
            rill_event_query(event);
            rill_stream_capture_info(crowd->sides[index], &info);
            break;
        default:
            if (rill_stream_end_capture(s, &graph) == RILL_SUCCESS) rill_graph_destroy(&graph);
            rill_event_record(event, crowd->sides[index], 0);
        }
    }
}

static void streams_survive_threads_that_disagree(void **state)
{
    struct crowd crowd;
    rill_graph *graph = NULL;
    if (!suite->expects.captures_stand_disputes)
        skip_since("the driver does not survive threads without order in one capture");
    make_crowd(*state, &crowd);
    for (int i = 0; i < 3; i++) {
        crowd.mode = modes[i];
        crew(CREW, disturb, &crowd);
    }
    for (int i = 0; i < 2; i++)
        if (rill_stream_end_capture(crowd.streams[i], &graph) == RILL_SUCCESS)
            ok(rill_graph_destroy(&graph));
    for (int i = 0; i < CREW; i++) {
        idle(crowd.streams[i]);
        idle(crowd.sides[i]);
        works_again(crowd.f, crowd.sides[i]);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(only_a_relaxed_capture_is_ended_by_another_thread),
    cmocka_unit_test(so_is_one_of_a_thread_that_is_gone),
    cmocka_unit_test(a_side_stream_may_be_another_thread_s),
    cmocka_unit_test(a_capture_in_a_thread_s_own_stream_goes_with_the_thread),
    cmocka_unit_test(threads_capture_beside_each_other),
    cmocka_unit_test(threads_fill_one_capture_together),
    cmocka_unit_test(streams_survive_threads_that_disagree),
};

SUITE_GROUP(capture_threads, 1);
