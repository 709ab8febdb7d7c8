/* SPDX-License-Identifier: Apache-2.0
 *
 * What each policy promises among streams.
 */
#include "sim/schedule/steered.h"

/* ---- early ---------------------------------------------------------------------------- */

static void early_runs_at_the_call_all_that_can_run(void **state)
{
    struct steered s;
    (void)state;
    open_steered(&s, "early", 2);
    letter(s.streams[0], 'a');
    ran_is("a");
    letter(s.streams[1], 'b');
    ran_is("ab");
    letter(s.streams[0], 'c');
    ran_is("abc");
    close_steered(&s);
}

static void early_holds_what_waits_and_runs_it_at_the_call_that_ends_the_wait(void **state)
{
    struct steered s;
    (void)state;
    open_steered(&s, "early", 2);
    ok(rill_stream_wait_value32(s.streams[0], word_at(&s, 0), 1, RILL_WAIT_GEQ));
    letter(s.streams[0], 'a');
    letter(s.streams[1], 'b');
    ran_is("b");
    ok(rill_stream_write_value32(s.streams[1], word_at(&s, 0), 1, 0));
    ran_is("ba");
    close_steered(&s);
}

/* ---- late ----------------------------------------------------------------------------- */

static void late_runs_nothing_before_something_waits(void **state)
{
    struct steered s;
    (void)state;
    open_steered(&s, "late", 2);
    letter(s.streams[0], 'a');
    letter(s.streams[1], 'b');
    ran_is("");
    ok(rill_stream_synchronize(s.streams[1]));
    ran_is("b");
    ok(rill_stream_synchronize(s.streams[0]));
    ran_is("ba");
    close_steered(&s);
}

static void late_runs_what_the_wait_needs_and_nothing_else(void **state)
{
    struct steered s;
    (void)state;
    open_steered(&s, "late", 3);
    letter(s.streams[0], 'a');
    pass(&s, s.streams[0], s.streams[2]);
    letter(s.streams[0], 'x');
    letter(s.streams[1], 'y');
    letter(s.streams[2], 'b');
    ok(rill_stream_synchronize(s.streams[2]));
    ran_is("ab");
    wait_all(&s);
    close_steered(&s);
}

static void late_runs_what_comes_before_an_event_that_is_waited_for(void **state)
{
    struct steered s;
    rill_event *event = NULL;
    (void)state;
    open_steered(&s, "late", 1);
    ok(rill_event_create(s.context, NULL, &event));
    letter(s.streams[0], 'a');
    ok(rill_event_record(event, s.streams[0], 0));
    letter(s.streams[0], 'b');
    ok(rill_event_synchronize(event));
    ran_is("a");
    ok(rill_event_destroy(&event));
    ok(rill_context_synchronize(s.context));
    ran_is("ab");
    close_steered(&s);
}

/* ---- serial --------------------------------------------------------------------------- */

static void serial_runs_in_the_order_of_submission(void **state)
{
    struct steered s;
    (void)state;
    open_steered(&s, "serial", 3);
    for (char which = 'a'; which < 'm'; which++) letter(s.streams[which * 7 % 3], which);
    wait_all(&s);
    ran_is("abcdefghijkl");
    close_steered(&s);
}

/* A function that ends a wait by writing to memory. */
static void write_one(void *data)
{
    atomic_store((atomic_uint *)data, 1);
}

static void serial_lets_nothing_pass_what_waits(void **state)
{
    struct steered s;
    (void)state;
    open_steered(&s, "serial", 2);
    ok(rill_stream_wait_value32(s.streams[0], word_at(&s, 0), 1, RILL_WAIT_GEQ));
    letter(s.streams[0], 'a');
    letter(s.streams[1], 'b');
    ran_is("");
    write_one(&s.words[0]);
    ok(rill_stream_synchronize(s.streams[1]));
    ran_is("ab");
    close_steered(&s);
}

static void serial_has_a_queue_for_each_device(void **state)
{
    struct steered s;
    (void)state;
    open_steered_with(&s, "serial", 2, 1);
    rill_context *other = machine_context(s.platform, 1);
    rill_stream *first = machine_stream(s.context), *second = machine_stream(other);
    ok(rill_stream_wait_value32(first, word_at(&s, 0), 1, RILL_WAIT_GEQ));
    letter(first, 'a');
    letter(second, 'b');
    ok(rill_stream_synchronize(second));
    ran_is("b");
    write_one(&s.words[0]);
    ok(rill_stream_synchronize(first));
    ran_is("ba");
    ok(rill_stream_destroy(&second));
    ok(rill_stream_destroy(&first));
    ok(rill_context_destroy(&other));
    close_steered(&s);
}

/* ---- starve --------------------------------------------------------------------------- */

static void starve_runs_the_stream_only_when_it_is_needed(void **state)
{
    struct steered s;
    (void)state;
    open_steered(&s, "starve:1", 2);
    letter(s.streams[0], 'a'); /* stream 1: the first that had anything to run */
    letter(s.streams[1], 'b');
    letter(s.streams[1], 'c');
    ran_is("bc");
    ok(rill_stream_synchronize(s.streams[0]));
    ran_is("bca");
    close_steered(&s);
}

static void starve_leaves_a_stream_that_is_not_there_out(void **state)
{
    struct steered s;
    (void)state;
    open_steered(&s, "starve:9", 2);
    letter(s.streams[0], 'a');
    letter(s.streams[1], 'b');
    ran_is("ab");
    close_steered(&s);
}

/* ---- replay --------------------------------------------------------------------------- */

static void replay_of_nothing_is_early(void **state)
{
    struct steered s;
    (void)state;
    open_steered(&s, "replay:", 2);
    letter(s.streams[0], 'a');
    letter(s.streams[1], 'b');
    ran_is("ab");
    close_steered(&s);
}

static void replay_holds_an_operation_until_it_is_needed(void **state)
{
    struct steered s;
    (void)state;
    open_steered(&s, "replay:1.2", 2);
    letter(s.streams[0], 'a');
    letter(s.streams[0], 'b');
    letter(s.streams[0], 'c');
    letter(s.streams[1], 'd');
    ran_is("ad");
    ok(rill_stream_synchronize(s.streams[0]));
    ran_is("adbc");
    close_steered(&s);
}

static void replay_holds_an_operation_until_a_call(void **state)
{
    struct steered s;
    (void)state;
    open_steered(&s, "replay:1.1@4", 2);
    letter(s.streams[0], 'a'); /* the calls of the host are counted from 1 */
    letter(s.streams[1], 'b');
    letter(s.streams[1], 'c');
    ran_is("bc");
    letter(s.streams[1], 'd');
    ran_is("bcda"); /* after what is not held */
    close_steered(&s);
}

static void replay_holds_several(void **state)
{
    struct steered s;
    (void)state;
    open_steered(&s, "replay:1.1,2.1", 3);
    letter(s.streams[0], 'a');
    letter(s.streams[1], 'b');
    letter(s.streams[2], 'c');
    ran_is("c");
    ok(rill_stream_synchronize(s.streams[1]));
    ran_is("cb");
    wait_all(&s);
    ran_is("cba");
    close_steered(&s);
}

/* ---- All of them ---------------------------------------------------------------------- */

static const char *const policies[] = {
    "early", "late", "serial", "random:1", "random:77", "pct:1:3", "pct:5:1", "starve:1",
    "starve:2", "replay:1.1,1.2@3",
};
enum { POLICIES = sizeof policies / sizeof *policies };

static void loops_of_queries_end_under_every_policy(void **state)
{
    (void)state;
    for (int p = 0; p < POLICIES; p++) {
        struct steered s;
        rill_event *event = NULL;
        open_steered(&s, policies[p], 2);
        ok(rill_event_create(s.context, NULL, &event));
        letter(s.streams[0], 'a');
        pass(&s, s.streams[0], s.streams[1]);
        letter(s.streams[1], 'b');
        ok(rill_event_record(event, s.streams[1], 0));
        while (rill_event_query(event) == RILL_ERROR_NOT_READY) continue;
        ran_is("ab");
        while (rill_stream_query(s.streams[0]) == RILL_ERROR_NOT_READY) continue;
        ok(rill_event_destroy(&event));
        close_steered(&s);
    }
}

static void order_holds_under_every_policy(void **state)
{
    (void)state;
    for (int p = 0; p < POLICIES; p++) {
        struct steered s;
        open_steered(&s, policies[p], 3);
        for (char which = 'a'; which < 'y'; which += 3)
            for (int i = 0; i < 3; i++) {
                letter(s.streams[i], (char)(which + i));
                pass(&s, s.streams[i], s.streams[(i + 1) % 3]);
            }
        wait_all(&s);
        ran_is("abcdefghijklmnopqrstuvwx");
        close_steered(&s);
    }
}

/* Blocking streams and the legacy stream come one after the other. */
static void default_streams_order_under_every_policy(void **state)
{
    (void)state;
    for (int p = 0; p < POLICIES; p++) {
        struct steered s;
        rill_stream *legacy, *blocking = NULL;
        open_steered(&s, policies[p], 0);
        ok(rill_stream_create(s.context, NULL, &blocking));
        legacy = rill_stream_legacy(s.context);
        letter(blocking, 'a');
        letter(legacy, 'b');
        letter(blocking, 'c');
        letter(legacy, 'd');
        ok(rill_context_synchronize(s.context));
        ran_is("abcd");
        ok(rill_stream_destroy(&blocking));
        close_steered(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(early_runs_at_the_call_all_that_can_run),
        cmocka_unit_test(early_holds_what_waits_and_runs_it_at_the_call_that_ends_the_wait),
        cmocka_unit_test(late_runs_nothing_before_something_waits),
        cmocka_unit_test(late_runs_what_the_wait_needs_and_nothing_else),
        cmocka_unit_test(late_runs_what_comes_before_an_event_that_is_waited_for),
        cmocka_unit_test(serial_runs_in_the_order_of_submission),
        cmocka_unit_test(serial_lets_nothing_pass_what_waits),
        cmocka_unit_test(serial_has_a_queue_for_each_device),
        cmocka_unit_test(starve_runs_the_stream_only_when_it_is_needed),
        cmocka_unit_test(starve_leaves_a_stream_that_is_not_there_out),
        cmocka_unit_test(replay_of_nothing_is_early),
        cmocka_unit_test(replay_holds_an_operation_until_it_is_needed),
        cmocka_unit_test(replay_holds_an_operation_until_a_call),
        cmocka_unit_test(replay_holds_several),
        cmocka_unit_test(loops_of_queries_end_under_every_policy),
        cmocka_unit_test(order_holds_under_every_policy),
        cmocka_unit_test(default_streams_order_under_every_policy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
