/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays of values: each is written or waited for in its turn.
 */
#include "layer-check/pairs.h"

static rill_value wait_for(rill_devptr word)
{
    return (rill_value){ .kind = RILL_VALUE_WAIT_32, .flags = RILL_WAIT_GEQ, .address = word,
                         .value = 1 };
}

static rill_value write_to(rill_devptr word)
{
    return (rill_value){ .kind = RILL_VALUE_WRITE_32, .address = word, .value = 1 };
}

/* A third stream waits for a write that comes after a wait in the same array. */
static void values_of_an_array_are_in_order_program(struct checked *c, bool good)
{
    rill_stream *third = new_stream(c, RILL_STREAM_NON_BLOCKING);
    rill_devptr words = new_words(c);
    const rill_value items[] = { wait_for(words), write_to(words + 4) };
    write_x(c, c->s);
    OK(rill_stream_write_value32(c->s, words, 1, 0));
    OK(rill_stream_batch_values(c->t, good ? items : items + 1, good ? 2 : 1, 0));
    OK(rill_stream_wait_value32(third, words + 4, 1, RILL_WAIT_GEQ));
    read_x(c, third);
    free_words(c, words);
    OK(rill_stream_destroy(&third));
}
RACES(values_of_an_array_are_in_order)

static void a_value_may_be_written_before_another_is_waited_for_program(struct checked *c,
                                                                        bool good)
{
    rill_stream *third = new_stream(c, RILL_STREAM_NON_BLOCKING);
    rill_devptr words = new_words(c);
    const rill_value items[] = { write_to(words + 4), wait_for(words), write_to(words + 8) };
    write_x(c, c->s);
    OK(rill_stream_write_value32(c->s, words, 1, 0));
    OK(rill_stream_batch_values(c->t, items, 3, 0));
    OK(rill_stream_wait_value32(third, words + (good ? 8 : 4), 1, RILL_WAIT_GEQ));
    read_x(c, third);
    free_words(c, words);
    OK(rill_stream_destroy(&third));
}
RACES(a_value_may_be_written_before_another_is_waited_for)

/* Each stream tells the other that it is there, and waits for the same, by one array. */
static void streams_may_meet_program(struct checked *c, bool good)
{
    rill_devptr words = new_words(c);
    const rill_value here[] = { write_to(words), wait_for(words + 4) };
    const rill_value there[] = { write_to(words + 4), wait_for(words) };
    write_x(c, c->s);
    OK(rill_stream_batch_values(c->s, here, 2, 0));
    if (!good) read_x(c, c->t);
    OK(rill_stream_batch_values(c->t, there, 2, 0));
    read_x(c, c->t);
    free_words(c, words);
}
RACES(streams_may_meet)

int main(void)
{
    setenv("RILL_CHECK", "race life capture init hints log=/dev/null", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_an_array_are_in_order),
        cmocka_unit_test(a_value_may_be_written_before_another_is_waited_for),
        cmocka_unit_test(streams_may_meet),
    };
    return cmocka_run_group_tests(tests, NULL, end_sources);
}
