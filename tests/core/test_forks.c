/* SPDX-License-Identifier: Apache-2.0
 *
 * Forks and joins: what the account of the core says is out.
 */
#include "core/recording.h"

static rill_stream *side[3];

static int begin_with_sides(void **state)
{
    static const char *const labels[3] = { "left", "right", "far" };
    if (begin(state)) return -1;
    for (int i = 0; i < 3; i++) side[i] = new_stream(labels[i]);
    return 0;
}

static int end_with_sides(void **state)
{
    shim_restore();
    for (int i = 0; i < 3; i++) rill_stream_destroy(&side[i]);
    return end(state);
}

/* ---- Forks and joins ---------------------------------------------------- */

static size_t out_of(rill_stream *from, rill_fork *forks, size_t room)
{
    size_t count = room;
    assert_int_equal(rill_stream_unjoined(from, forks, &count), RILL_SUCCESS);
    return count;
}

static void submit(rill_stream *into)
{
    assert_int_equal(rill_launch_host(into, run, NULL, NULL), RILL_SUCCESS);
}

static void begin_with_forks(void)
{
    assert_int_equal(rill_stream_begin_capture(stream, NULL), RILL_SUCCESS);
    submit(stream);
    assert_int_equal(rill_stream_fork(stream, side, 3), RILL_SUCCESS);
    for (int i = 0; i < 3; i++) submit(side[i]);
}

static void forks_join_their_capture(void **state)
{
    (void)state;
    rill_fork forks[4];
    begin_with_forks();
    for (int i = 0; i < 3; i++) assert_int_equal(state_of(side[i]), RILL_CAPTURE_ACTIVE);
    assert_int_equal(out_of(stream, NULL, 0), 3);
    assert_int_equal(rill_stream_join(stream, side, 1), RILL_SUCCESS);
    assert_int_equal(out_of(stream, forks, 4), 2);
    assert_ptr_equal(forks[0].stream, side[1]);
    assert_string_equal(forks[0].name, "stream 'right'");
    assert_string_equal(forks[1].name, "stream 'far'");
    assert_null(forks[2].stream);
    assert_int_equal(forks[3].name[0], '\0');
    assert_int_equal(out_of(stream, forks, 1), 1);
    assert_int_equal(rill_stream_join_all(stream), RILL_SUCCESS);
    assert_int_equal(out_of(stream, NULL, 0), 0);
    submit(stream);
    assert_int_equal(rill_stream_end_capture(stream, &graph), RILL_SUCCESS);
    size_t edges = 0;
    assert_int_equal(rill_graph_edges(graph, NULL, NULL, NULL, &edges), RILL_SUCCESS);
    assert_int_equal(edges, 3 + 3 + 1); /* the last waits for the first directly, too */
}

static void what_is_not_out_is_not_joined(void **state)
{
    (void)state;
    begin_with_forks();
    rill_stream *twice[2] = { side[0], stream };
    assert_int_equal(rill_stream_join(stream, twice, 2), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(out_of(stream, NULL, 0), 3); /* none of it was done */
    assert_int_equal(rill_stream_join(stream, side, 1), RILL_SUCCESS);
    assert_int_equal(rill_stream_join(stream, side, 1), RILL_ERROR_ILLEGAL_STATE);
    assert_string_equal(rill_last_error()->argument, "others");
    assert_non_null(strstr(rill_last_error()->message, "stream 'left'"));
    assert_int_equal(rill_stream_join(side[1], &side[2], 1), RILL_ERROR_ILLEGAL_STATE);
    assert_int_equal(rill_stream_join_all(stream), RILL_SUCCESS);
    assert_int_equal(rill_stream_end_capture(stream, &graph), RILL_SUCCESS);
}

static void an_unjoined_capture_names_its_streams(void **state)
{
    (void)state;
    begin_with_forks();
    assert_int_equal(rill_stream_join(stream, &side[1], 1), RILL_SUCCESS);
    assert_int_equal(rill_stream_end_capture(stream, &graph), RILL_ERROR_STREAM_CAPTURE_UNJOINED);
    const char *message = rill_last_error()->message;
    assert_non_null(strstr(message, "stream 'left', stream 'far'"));
    assert_null(strstr(message, "right"));
    assert_int_equal(out_of(stream, NULL, 0), 0); /* and forgets them */
    for (int i = 0; i < 3; i++) assert_int_equal(state_of(side[i]), RILL_CAPTURE_NONE);
}

static void forks_of_forks_are_out_of_both(void **state)
{
    (void)state;
    rill_fork forks[3];
    assert_int_equal(rill_stream_begin_capture(stream, NULL), RILL_SUCCESS);
    assert_int_equal(rill_stream_fork(stream, &side[0], 1), RILL_SUCCESS);
    submit(side[0]);
    assert_int_equal(rill_stream_fork(side[0], &side[1], 2), RILL_SUCCESS);
    submit(side[1]);
    submit(side[2]);
    assert_int_equal(out_of(stream, NULL, 0), 3);
    assert_int_equal(out_of(side[0], NULL, 0), 2);
    assert_int_equal(rill_stream_join(stream, &side[2], 1), RILL_SUCCESS); /* past its origin */
    assert_int_equal(out_of(side[0], forks, 3), 1);
    assert_ptr_equal(forks[0].stream, side[1]);
    assert_int_equal(rill_stream_join(stream, &side[0], 1), RILL_SUCCESS);
    assert_int_equal(out_of(side[0], NULL, 0), 0);
    assert_int_equal(out_of(stream, forks, 3), 1); /* inherited */
    assert_ptr_equal(forks[0].stream, side[1]);
    assert_int_equal(rill_stream_join_all(stream), RILL_SUCCESS);
    assert_int_equal(rill_stream_end_capture(stream, &graph), RILL_SUCCESS);
}

static void forks_work_without_a_capture(void **state)
{
    (void)state;
    assert_int_equal(rill_stream_fork(stream, side, 2), RILL_SUCCESS);
    assert_int_equal(rill_stream_fork(stream, side, 2), RILL_SUCCESS); /* behind it again */
    assert_int_equal(out_of(stream, NULL, 0), 2);
    assert_int_equal(rill_stream_fork(side[2], side, 1), RILL_SUCCESS); /* and another's, too */
    assert_int_equal(rill_stream_join(stream, side, 2), RILL_SUCCESS);
    assert_int_equal(out_of(stream, NULL, 0), 0);
    assert_int_equal(out_of(side[2], NULL, 0), 1);
    assert_int_equal(rill_stream_join_all(side[2]), RILL_SUCCESS);
    assert_int_equal(rill_stream_fork(stream, NULL, 0), RILL_SUCCESS);
    assert_int_equal(rill_stream_join(stream, NULL, 0), RILL_SUCCESS);
    assert_int_equal(rill_stream_join_all(stream), RILL_SUCCESS);
}

/* Those of a capture and those outside of it are two accounts. */
static void a_capture_has_its_own_forks(void **state)
{
    (void)state;
    assert_int_equal(rill_stream_fork(stream, side, 1), RILL_SUCCESS);
    assert_int_equal(rill_stream_begin_capture(stream, NULL), RILL_SUCCESS);
    assert_int_equal(out_of(stream, NULL, 0), 0);
    assert_int_equal(rill_stream_join(stream, side, 1), RILL_ERROR_ILLEGAL_STATE);
    assert_int_equal(rill_stream_fork(stream, &side[1], 1), RILL_SUCCESS);
    assert_int_equal(out_of(stream, NULL, 0), 1);
    assert_int_equal(rill_stream_end_capture(stream, &graph), RILL_SUCCESS); /* it had no work */
    assert_int_equal(out_of(stream, NULL, 0), 1);
    assert_int_equal(rill_stream_join_all(stream), RILL_SUCCESS);
}

static void destroyed_forks_are_told_by_name(void **state)
{
    (void)state;
    rill_fork fork;
    assert_int_equal(rill_stream_fork(stream, side, 2), RILL_SUCCESS);
    rill_stream_destroy(&side[0]); /* outside of a capture it is as good as joined */
    assert_int_equal(out_of(stream, NULL, 0), 1);
    assert_int_equal(rill_stream_join_all(stream), RILL_SUCCESS);

    assert_int_equal(rill_stream_begin_capture(stream, NULL), RILL_SUCCESS);
    assert_int_equal(rill_stream_fork(stream, &side[1], 1), RILL_SUCCESS);
    assert_int_equal(rill_stream_fork(side[1], &side[2], 1), RILL_SUCCESS);
    rill_stream_destroy(&side[2]);
    assert_int_equal(rill_stream_join(stream, &side[1], 1), RILL_SUCCESS);
    assert_int_equal(out_of(stream, &fork, 1), 1);
    assert_null(fork.stream);
    assert_string_equal(fork.name, "stream 'far'");
    assert_int_equal(rill_stream_join_all(stream), RILL_ERROR_STREAM_CAPTURE_UNJOINED);
    assert_non_null(strstr(rill_last_error()->message, "stream 'far'"));
    rill_stream_destroy(&stream); /* and the capture with it */
}

static void what_a_destroyed_fork_had_out_is_out_of_its_origin(void **state)
{
    (void)state;
    assert_int_equal(rill_stream_fork(stream, side, 1), RILL_SUCCESS);
    assert_int_equal(rill_stream_fork(side[0], &side[1], 1), RILL_SUCCESS);
    assert_int_equal(rill_stream_fork(side[1], &side[2], 1), RILL_SUCCESS);
    rill_stream_destroy(&side[0]);
    rill_fork forks[3];
    assert_int_equal(out_of(stream, forks, 3), 2);
    assert_ptr_equal(forks[0].stream, side[1]);
    assert_ptr_equal(forks[1].stream, side[2]);
    rill_stream_destroy(&side[1]);
    assert_int_equal(rill_stream_join(stream, &side[2], 1), RILL_SUCCESS);

    side[0] = new_stream("left");
    assert_int_equal(rill_stream_begin_capture(stream, NULL), RILL_SUCCESS);
    assert_int_equal(rill_stream_fork(stream, side, 1), RILL_SUCCESS);
    assert_int_equal(rill_stream_fork(side[0], &side[2], 1), RILL_SUCCESS);
    rill_stream_destroy(&side[0]);
    assert_int_equal(out_of(stream, forks, 3), 2); /* by name, and what it had out */
    assert_null(forks[0].stream);
    assert_ptr_equal(forks[1].stream, side[2]);
    rill_stream_destroy(&stream);
}

static void a_stream_that_is_out_twice_is_told_once(void **state)
{
    (void)state;
    rill_fork forks[3];
    assert_int_equal(rill_stream_fork(stream, side, 2), RILL_SUCCESS);
    assert_int_equal(rill_stream_fork(side[0], &side[1], 1), RILL_SUCCESS);
    assert_int_equal(out_of(stream, NULL, 0), 2);
    assert_int_equal(out_of(stream, forks, 3), 2);
    assert_ptr_equal(forks[0].stream, side[0]);
    assert_ptr_equal(forks[1].stream, side[1]);
    assert_int_equal(rill_stream_join(stream, side, 1), RILL_SUCCESS);
    assert_int_equal(out_of(stream, forks, 3), 1);
    assert_ptr_equal(forks[0].stream, side[1]);
    assert_int_equal(rill_stream_join_all(stream), RILL_SUCCESS);
    assert_int_equal(out_of(stream, NULL, 0), 0);

    assert_int_equal(rill_stream_begin_capture(stream, NULL), RILL_SUCCESS);
    assert_int_equal(rill_stream_fork(stream, side, 2), RILL_SUCCESS);
    assert_int_equal(rill_stream_fork(side[0], &side[1], 1), RILL_SUCCESS);
    submit(side[0]);
    submit(side[1]);
    assert_int_equal(rill_stream_end_capture(stream, &graph), RILL_ERROR_STREAM_CAPTURE_UNJOINED);
    const char *told = strstr(rill_last_error()->message, "stream 'right'");
    assert_non_null(told);
    assert_null(strstr(told + 1, "stream 'right'"));
}

static void forks_of_a_context_go_with_it(void **state)
{
    (void)state;
    assert_int_equal(rill_stream_fork(stream, side, 3), RILL_SUCCESS);
    assert_int_equal(rill_context_destroy(&context), RILL_SUCCESS);
    assert_int_equal(rill_stream_unjoined(stream, NULL, &(size_t){ 0 }),
                     RILL_ERROR_CONTEXT_IS_DESTROYED);
}

static void a_fork_that_the_backend_refuses_is_not_out(void **state)
{
    (void)state;
    shim_fail("backend->stream->submit", 3, RILL_ERROR_UNKNOWN); /* record, wait, wait */
    assert_int_equal(rill_stream_fork(stream, side, 3), RILL_ERROR_UNKNOWN);
    assert_int_equal(out_of(stream, NULL, 0), 1);
    shim_fail("backend->stream->submit", 2, RILL_ERROR_UNKNOWN);
    assert_int_equal(rill_stream_join_all(stream), RILL_ERROR_UNKNOWN);
    assert_int_equal(out_of(stream, NULL, 0), 1);
    shim_fail("", 0, RILL_SUCCESS);
    assert_int_equal(rill_stream_join_all(stream), RILL_SUCCESS);
}

static void forks_work_on_a_backend_without_captures(void **state)
{
    (void)state;
    shim_lack("backend->capture");
    assert_int_equal(rill_stream_fork(stream, side, 3), RILL_SUCCESS);
    assert_int_equal(rill_stream_join(stream, side, 3), RILL_SUCCESS);
    assert_int_equal(rill_last_error()->status, RILL_SUCCESS);
}

#define FORKED(name) cmocka_unit_test_setup_teardown(name, begin_with_sides, end_with_sides)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FORKED(forks_join_their_capture),
        FORKED(what_is_not_out_is_not_joined),
        FORKED(an_unjoined_capture_names_its_streams),
        FORKED(forks_of_forks_are_out_of_both),
        FORKED(forks_work_without_a_capture),
        FORKED(a_capture_has_its_own_forks),
        FORKED(destroyed_forks_are_told_by_name),
        FORKED(what_a_destroyed_fork_had_out_is_out_of_its_origin),
        FORKED(a_stream_that_is_out_twice_is_told_once),
        FORKED(forks_of_a_context_go_with_it),
        FORKED(a_fork_that_the_backend_refuses_is_not_out),
        FORKED(forks_work_on_a_backend_without_captures),
    };
    return cmocka_run_group_tests(tests, open_backend, NULL);
}
