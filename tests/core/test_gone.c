/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects that are gone: what is said of their handles, and of two threads that destroy one.
 */
#include "core/object/gone.h"
#include "core/objects.h"

/* ---- Handles of what is gone ------------------------------------------------- */

static void an_address_tells_what_was_there(void **state)
{
    (void)state;
    rill_stream *stream = NULL;
    rill_event *event = NULL;
    assert_int_equal(rill_stream_create(world.context, NULL, &stream), RILL_SUCCESS);
    assert_int_equal(rill_event_create(world.context, NULL, &event), RILL_SUCCESS);
    const void *was_stream = stream, *was_event = event;
    rill_stream_destroy(&stream);
    rill_event_destroy(&event);
    assert_int_equal(rl_gone_kind(was_stream), RILL_OBJECT_STREAM);
    assert_int_equal(rl_gone_kind(was_event), RILL_OBJECT_EVENT);
    assert_int_equal(rl_gone_kind(&stream), 0);
    assert_int_equal(rl_gone_kind(NULL), 0);
}

/* A block of memory that no handle is in, as what is freed may look. */
static void a_handle_that_was_destroyed_is_said_to_have_been(void **state)
{
    (void)state;
    static _Alignas(64) uint64_t block[64];
    rl_gone_note(block, RILL_OBJECT_STREAM);
    assert_int_equal(rill_stream_query((rill_stream *)(void *)block), RILL_ERROR_INVALID_HANDLE);
    assert_string_equal(rill_last_error()->message,
                        "stream was destroyed; make a new one with rill_stream_create()");
    assert_int_equal(rill_event_query((rill_event *)(void *)block), RILL_ERROR_INVALID_HANDLE);
    assert_string_equal(rill_last_error()->message, "event is a stream that was destroyed; pass "
                                                    "an event from rill_event_create()");
}

static void also_if_something_else_is_there_by_now(void **state)
{
    (void)state;
    rl_gone_note(world.event, RILL_OBJECT_STREAM);
    rill_stream_query((rill_stream *)world.event);
    assert_string_equal(rill_last_error()->message,
                        "stream was destroyed; make a new one with rill_stream_create()");
    rl_gone_note(world.event, RILL_OBJECT_EVENT);
    rill_stream_query((rill_stream *)world.event);
    assert_string_equal(rill_last_error()->message, "stream is an event; pass a stream from "
                                                    "rill_stream_create()");
}

static void execs_that_are_swapped_are_said_to_be(void **state)
{
    (void)state;
    assert_non_null(world.exec);
    assert_int_not_equal(rill_exec_launch((rill_exec *)world.stream, (rill_stream *)world.exec),
                         RILL_SUCCESS);
    assert_string_equal(rill_last_error()->message,
                        "exec is a stream, and stream is an exec; are they swapped?");
    assert_int_not_equal(rill_exec_update((rill_exec *)world.graph, (rill_graph *)world.exec, NULL),
                         RILL_SUCCESS);
    assert_string_equal(rill_last_error()->message,
                        "exec is a graph, and graph is an exec; are they swapped?");
}

/* ---- Threads that destroy ------------------------------------------------------ */

static atomic_int at_the_start;

static void *destroy_it(void *data)
{
    void **result = data;
    rill_stream *stream = *result;
    atomic_fetch_add(&at_the_start, 1);
    while (atomic_load(&at_the_start) < 2) continue;
    *result = rill_stream_destroy(&stream) ? NULL : &world;
    return NULL;
}

static void of_two_destroys_one_succeeds(void **state)
{
    (void)state;
    for (int i = 0; i < 200; i++) {
        rill_stream *stream = NULL;
        pthread_t threads[2];
        void *results[2];
        assert_int_equal(rill_stream_create(world.context, NULL, &stream), RILL_SUCCESS);
        rl_retain(stream); /* so that the loser finds memory */
        atomic_store(&at_the_start, 0);
        for (int j = 0; j < 2; j++) {
            results[j] = stream;
            pthread_create(&threads[j], NULL, destroy_it, &results[j]);
        }
        for (int j = 0; j < 2; j++) pthread_join(threads[j], NULL);
        assert_true(!results[0] != !results[1]);
        rl_release(stream);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_address_tells_what_was_there),
        TEST(a_handle_that_was_destroyed_is_said_to_have_been),
        TEST(also_if_something_else_is_there_by_now),
        TEST(execs_that_are_swapped_are_said_to_be),
        TEST(of_two_destroys_one_succeeds),
    };
    return cmocka_run_group_tests(tests, open_world, close_world);
}
