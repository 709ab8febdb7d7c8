/* SPDX-License-Identifier: Apache-2.0
 *
 * The same string gives the same run: the same steps, and the same hash of them.
 */
#include "sim/schedule/steered.h"

/* A program with streams that wait for each other, values, graphs and queries. */
static void play(struct steered *s)
{
    rill_event *event = NULL;
    ok(rill_event_create(s->context, NULL, &event));
    for (int round = 0; round < 6; round++) {
        for (int i = 0; i < 3; i++) {
            letter(s->streams[i], (char)('a' + i));
            letter(s->streams[i], (char)('A' + i));
        }
        pass(s, s->streams[round % 3], s->streams[(round + 1) % 3]);
        unsigned wanted = (unsigned)round + 1;
        ok(rill_stream_wait_value32(s->streams[1], word_at(s, 0), wanted, RILL_WAIT_GEQ));
        ok(rill_stream_write_value32(s->streams[2], word_at(s, 0), wanted, 0));
        ok(rill_event_record(event, s->streams[0], 0));
        if (round % 2) ok(rill_event_synchronize(event));
        else while (rill_event_query(event) == RILL_ERROR_NOT_READY) continue;
    }
    ok(rill_event_destroy(&event));
    wait_all(s);
}

/* Runs the program, and returns the trail, the caller's. */
static char *trail_of(const char *spec, int workers)
{
    struct steered s;
    open_steered_with(&s, spec, 1, workers);
    for (s.count = 0; s.count < 3; s.count++) s.streams[s.count] = machine_stream(s.context);
    play(&s);
    return strdup(close_steered(&s));
}

static void the_same_string_is_the_same_run(void **state)
{
    static const char *const specs[] = { "early",     "late",    "random:3", "random:4",
                                         "pct:3:1",   "pct:9:4", "starve:2", "replay:1.1,2.3@9" };
    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        char *first = trail_of(specs[i], 1);
        assert_non_null(strstr(first, "step 1 1 "));
        for (int workers = 1; workers <= 4; workers++) {
            char *again = trail_of(specs[i], workers);
            assert_string_equal(again, first);
            free(again);
        }
        free(first);
    }
}

/* How many of the runs are told apart. */
static int different(const char *policy, const char *more, int runs)
{
    char *trails[32];
    int count = 0;
    for (int i = 0; i < runs; i++) {
        char spec[32];
        snprintf(spec, sizeof spec, "%s:%d%s", policy, i, more);
        trails[i] = trail_of(spec, 1);
        int same = 0;
        while (same < i && strcmp(trails[same], trails[i])) same++;
        count += same == i;
    }
    for (int i = 0; i < runs; i++) free(trails[i]);
    return count;
}

static void other_seeds_are_other_runs(void **state)
{
    (void)state;
    assert_int_equal(different("random", "", 20), 20);
    assert_true(different("pct", ":3", 20) >= 10);
}

/* Each line counts on from the one before, so that two trails differ from the first step that does,
 * to the end. */
static void a_line_tells_a_step(void **state)
{
    struct steered s;
    (void)state;
    open_steered(&s, "early", 1);
    letter(s.streams[0], 'a');
    letter(s.streams[0], 'b');
    const char *trail = close_steered(&s);
    unsigned stream, number, call;
    unsigned long long hash, next;
    int used = 0;
    assert_int_equal(sscanf(trail, "step %u %u call %u hash %llx\n%n", &stream, &number, &call,
                            &hash, &used), 4);
    assert_int_equal(stream, 1);
    assert_int_equal(number, 1);
    assert_int_equal(call, 1);
    assert_int_equal(sscanf(trail + used, "step %u %u call %u hash %llx", &stream, &number, &call,
                            &next), 4);
    assert_int_equal(number, 2);
    assert_int_equal(call, 2);
    assert_true(hash != next);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_string_is_the_same_run),
        cmocka_unit_test(other_seeds_are_other_runs),
        cmocka_unit_test(a_line_tells_a_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
