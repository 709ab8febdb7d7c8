/* SPDX-License-Identifier: Apache-2.0
 *
 * Values that streams wait for: what they order, submitted before their writes as well as after,
 * and what it costs to know.
 */
#include <stdatomic.h>

#include "base/alloc.h"
#include "layer-check/order/values.h"
#include "layer-check/pairs.h"

/* ---- Programs ------------------------------------------------------------------------------ */

/* Two streams that write x in turn, each wait submitted before the write that meets it.  The bad
 * one goes on once without being told. */
static void turns_may_be_waited_for_before_they_come_program(struct checked *c, bool good)
{
    enum { TURNS = 300 };
    rill_devptr words = new_words(c);
    for (uint32_t turn = 1; turn <= TURNS; turn++) {
        OK(rill_stream_wait_value32(c->t, words, turn, RILL_WAIT_GEQ));
        write_x(c, c->s);
        OK(rill_stream_write_value32(c->s, words, turn, 0));
        if (good || turn != TURNS / 2)
            OK(rill_stream_wait_value32(c->s, words + 4, turn, RILL_WAIT_GEQ));
        write_x(c, c->t);
        OK(rill_stream_write_value32(c->t, words + 4, turn, 0));
    }
    free_words(c, words);
}
RACES(turns_may_be_waited_for_before_they_come)

/* All waits of one stream come first; the last of them is what the writes lead up to. */
static void all_turns_of_a_stream_may_come_first_program(struct checked *c, bool good)
{
    enum { TURNS = 300 };
    rill_devptr words = new_words(c);
    for (uint32_t turn = 1; turn <= TURNS; turn++) {
        OK(rill_stream_wait_value32(c->t, words, turn, RILL_WAIT_GEQ));
        OK(rill_stream_write_value32(c->t, words + 4, turn, 0));
    }
    read_x(c, c->t);
    for (uint32_t turn = 1; turn <= TURNS; turn++) {
        if (turn == TURNS && good) write_x(c, c->s);
        OK(rill_stream_write_value32(c->s, words, turn, 0));
        OK(rill_stream_wait_value32(c->s, words + 4, turn - 1, RILL_WAIT_GEQ));
        if (turn == TURNS && !good) write_x(c, c->s);
    }
    free_words(c, words);
}
RACES(all_turns_of_a_stream_may_come_first)

/* One flag that goes up and down, all of one stream first.  A wait is let through by the next time
 * that the flag goes up, not by the first one. */
static void a_flag_may_go_to_and_fro_program(struct checked *c, bool good)
{
    enum { TURNS = 300 };
    rill_devptr words = new_words(c);
    for (int turn = 1; turn <= TURNS; turn++) {
        OK(rill_stream_wait_value32(c->t, words, 1, RILL_WAIT_EQ));
        if (good || turn != TURNS) write_x(c, c->t);
        OK(rill_stream_write_value32(c->t, words, 0, 0));
        if (!good && turn == TURNS) write_x(c, c->t);
    }
    for (int turn = 1; turn <= TURNS; turn++) {
        write_x(c, c->s);
        OK(rill_stream_write_value32(c->s, words, 1, 0));
        OK(rill_stream_wait_value32(c->s, words, 0, RILL_WAIT_EQ));
    }
    write_x(c, c->s);
    free_words(c, words);
}
RACES(a_flag_may_go_to_and_fro)

/* A flag that was up in an earlier turn and is down by now lets nobody through. */
static void a_flag_that_went_down_is_past_program(struct checked *c, bool good)
{
    rill_devptr words = new_words(c);
    OK(rill_stream_write_value32(c->s, words, 1, 0));
    OK(rill_stream_write_value32(c->s, words, 0, 0));
    if (good) order(c, c->s, c->t);
    OK(rill_stream_wait_value32(c->t, words, 1, RILL_WAIT_EQ));
    read_x(c, c->t);
    write_x(c, c->s);
    OK(rill_stream_write_value32(c->s, words, 1, 0));
    free_words(c, words);
}
RACES(a_flag_that_went_down_is_past)

/* What was written to memory that is gone lets nobody through in what is allocated there anew.
 * (Memory of pools and of graphs has no values.) */
static void a_flag_in_new_memory_was_never_up_program(struct checked *c, bool good)
{
    const rill_devptr gone = new_words(c);
    OK(rill_stream_write_value32(c->s, gone, 1, 0));
    free_words(c, gone);
    const rill_devptr words = new_words(c);
    assert_true(words == gone);
    OK(rill_stream_wait_value32(c->t, words, 1, RILL_WAIT_EQ));
    read_x(c, c->t);
    if (good) write_x(c, c->s);
    OK(rill_stream_write_value32(c->s, words, 1, 0));
    if (!good) write_x(c, c->s);
    free_words(c, words);
}
RACES(a_flag_in_new_memory_was_never_up)

static rill_value wait_for(rill_devptr word)
{
    return (rill_value){ .kind = RILL_VALUE_WAIT_32, .flags = RILL_WAIT_GEQ, .address = word,
                         .value = 1 };
}

/* A node waits for a value that is written later on. */
static void nodes_may_wait_before_the_write_program(struct checked *c, bool good)
{
    const rill_copy copy = { .dst = rill_device_place(c->y), .src = rill_device_place(c->x),
                             .width = BYTES, .height = 1, .depth = 1 };
    rill_devptr words = new_words(c);
    const rill_value wait = wait_for(words);
    rill_graph *graph;
    rill_node first, then;
    rill_exec *exec;
    OK(rill_graph_create(c->context, NULL, &graph));
    OK(rill_graph_add_values(graph, NULL, 0, &wait, 1, 0, &first));
    OK(rill_graph_add_memcpy(graph, &first, good, &copy, &then));
    OK(rill_exec_create(graph, NULL, &exec));
    OK(rill_exec_launch(exec, c->t));
    write_x(c, c->s);
    OK(rill_stream_write_value32(c->s, words, 1, 0));
    free_words(c, words);
    OK(rill_exec_destroy(&exec));
    OK(rill_graph_destroy(&graph));
}
RACES(nodes_may_wait_before_the_write)

/* What the program has written by itself says nothing of what is submitted afterwards. */
static void a_write_of_nobody_known_orders_only_what_was_before_program(struct checked *c,
                                                                        bool good)
{
    void *memory;
    OK(rill_host_alloc(c->context, 4096, 0, &memory));
    atomic_uint *word = memory;
    atomic_store(word, 0);
    OK(rill_stream_wait_value32(c->s, (uintptr_t)word, 1, RILL_WAIT_GEQ));
    atomic_store(word, 1);
    OK(rill_stream_synchronize(c->s));
    write_x(c, c->s);
    if (good) order(c, c->s, c->t);
    read_x(c, c->t);
    OK(rill_context_synchronize(c->context));
    OK(rill_host_free(c->context, memory));
}
RACES(a_write_of_nobody_known_orders_only_what_was_before)

/* ---- What it costs ------------------------------------------------------------------------- */

/* An order with two streams, and no platform. */
struct table {
    struct ck_order order;
    struct ck_values values;
    struct ck_context_order context;
    struct ck_stream *streams[2];
};

static void begin_table(struct table *table)
{
    *table = (struct table){ .context = { .streams = NULL } };
    assert_true(ck_order_init(&table->order));
    for (int i = 0; i < 2; i++) {
        struct ck_who *who = rl_zalloc(sizeof *who);
        assert_non_null(who);
        who->references = 1;
        table->streams[i] =
            ck_stream_create(&table->order, &table->context, who, false, false);
        assert_non_null(table->streams[i]);
    }
}

static void end_table(struct table *table)
{
    assert_false(table->order.failed);
    for (int i = 0; i < 2; i++) ck_stream_destroy(&table->order, table->streams[i]);
    ck_context_order_fini(&table->context);
    ck_values_fini(&table->values);
    ck_order_fini(&table->order);
}

static struct ck_work *add_work(struct table *table, int stream)
{
    const struct ck_what what = { .kind = RILL_OP_VALUES };
    struct ck_work *work = ck_stream_add(&table->order, table->streams[stream], &what, false);
    assert_non_null(work);
    return work;
}

static void wait_at(struct table *table, int stream, uint64_t address, uint64_t turn)
{
    const rill_value value = { .kind = RILL_VALUE_WAIT_32, .address = address, .value = turn };
    struct ck_work *work = add_work(table, stream);
    const struct ck_step step = { .work = work };
    struct ck_clock *clock = ck_values_wait(&table->values, &table->order, &step,
                                            table->streams[stream]->known, &value, NULL);
    assert_non_null(clock);
    ck_stream_follow(&table->order, table->streams[stream], clock,
                     (struct ck_point){ CK_HOST_LINE, 0 });
    ck_clock_release(clock);
    ck_work_release(work);
}

static void wait_in(struct table *table, int stream, uint64_t turn)
{
    wait_at(table, stream, 64, turn);
}

static void write_at(struct table *table, int stream, uint64_t address, uint64_t turn)
{
    const rill_value value = { .kind = RILL_VALUE_WRITE_32, .address = address, .value = turn };
    struct ck_work *work = add_work(table, stream);
    ck_values_write(&table->values, &table->order, &(struct ck_step){ .work = work }, &value);
    ck_work_release(work);
}

static void write_in(struct table *table, int stream, uint64_t turn)
{
    write_at(table, stream, 64, turn);
}

static bool is_open(const struct ck_stream *stream)
{
    struct ck_clock *known = ck_clock_retain(stream->known);
    assert_true(ck_clock_settle(&known));
    bool open = known->extra_count;
    ck_clock_release(known);
    return open;
}

/* New memory has no values, whatever else is waited for around it. */
static void new_memory_has_no_values(void **state)
{
    struct table table;
    const long live = rl_alloc_live();
    (void)state;
    begin_table(&table);
    write_at(&table, 0, 64, 1);
    ck_values_forget(&table.values, 68, 1 << 20);
    ck_values_forget(&table.values, 0, 64);
    wait_in(&table, 1, 1);
    assert_false(is_open(table.streams[1]));
    ck_values_forget(&table.values, 0, 1 << 20);
    wait_in(&table, 1, 1);
    assert_true(is_open(table.streams[1]));
    write_in(&table, 0, 1);
    assert_false(is_open(table.streams[1]));
    end_table(&table);
    assert_int_equal(rl_alloc_live(), live);
}

/* A wait that was submitted while the memory was there is for what was written before that, even if
 * nobody could tell until now. */
static void old_waits_are_for_old_values(void **state)
{
    struct table table;
    const long live = rl_alloc_live();
    (void)state;
    begin_table(&table);
    write_at(&table, 0, 64, 1);
    wait_at(&table, 1, 128, 1); /* nobody has written that yet */
    wait_at(&table, 1, 64, 1);
    ck_values_forget(&table.values, 64, 4);
    write_at(&table, 0, 128, 1);
    assert_false(is_open(table.streams[1]));
    ck_values_forget(&table.values, 64, 4);
    end_table(&table);
    assert_int_equal(rl_alloc_live(), live);
}

/* What is filled is numbers from the next wait on, and is freed. */
static void filled_holes_become_numbers(void **state)
{
    enum { TURNS = 12000 };
    struct table table;
    long live = 0;
    (void)state;
    begin_table(&table);
    for (uint64_t turn = 0; turn < TURNS; turn++) {
        wait_in(&table, 1, 2 * turn + 1);
        write_in(&table, 0, 2 * turn + 1);
        wait_in(&table, 0, 2 * turn + 2);
        write_in(&table, 1, 2 * turn + 2);
        for (int i = 0; i < 2; i++)
            assert_in_range(table.streams[i]->known->extra_count, 0, 1);
        if (turn == TURNS / 2) live = rl_alloc_live();
    }
    assert_in_range(rl_alloc_live(), 0, live + live / 2); /* of the writes, thousands are known */
    struct ck_clock *known = ck_clock_retain(table.streams[1]->known);
    assert_true(ck_clock_settle(&known));
    assert_int_equal(known->extra_count, 0);
    assert_true(ck_clock_upto(known, table.streams[0]->last.line) >= TURNS);
    ck_clock_release(known);
    end_table(&table);
}

/* Open ones are behind one another, not all in each clock. */
static void open_holes_of_a_stream_are_a_chain(void **state)
{
    enum { TURNS = 20000 };
    struct table table;
    long live = rl_alloc_live();
    (void)state;
    begin_table(&table);
    for (uint64_t turn = 1; turn <= TURNS; turn++) {
        wait_in(&table, 1, turn);
        assert_int_equal(table.streams[1]->known->extra_count, 1);
    }
    for (uint64_t turn = 1; turn <= TURNS; turn += TURNS / 4 - 1) write_in(&table, 0, turn);
    struct ck_clock *known = ck_clock_retain(table.streams[1]->known);
    assert_true(ck_clock_settle(&known));
    assert_int_equal(known->extra_count, 1); /* the last turns never came */
    ck_values_give_up(&table.values, &table.order, known);
    assert_true(ck_clock_settle(&known));
    assert_int_equal(known->extra_count, 0);
    ck_clock_release(known);
    end_table(&table);
    assert_int_equal(rl_alloc_live(), live);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turns_may_be_waited_for_before_they_come),
        cmocka_unit_test(all_turns_of_a_stream_may_come_first),
        cmocka_unit_test(a_flag_may_go_to_and_fro),
        cmocka_unit_test(a_flag_that_went_down_is_past),
        cmocka_unit_test(a_flag_in_new_memory_was_never_up),
        cmocka_unit_test(nodes_may_wait_before_the_write),
        cmocka_unit_test(a_write_of_nobody_known_orders_only_what_was_before),
        cmocka_unit_test(new_memory_has_no_values),
        cmocka_unit_test(old_waits_are_for_old_values),
        cmocka_unit_test(filled_holes_become_numbers),
        cmocka_unit_test(open_holes_of_a_stream_are_a_chain),
    };
    return cmocka_run_group_tests(tests, NULL, end_sources);
}
