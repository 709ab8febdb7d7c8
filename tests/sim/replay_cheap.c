/* SPDX-License-Identifier: Apache-2.0
 *
 * Large graphs of nodes that take next to nothing: one thread measures them, and nobody
 * takes one node after the other from it.
 */
#include <sched.h>
#include <stdlib.h>
#include <time.h>

#include "backend-sim/exec/exec.h"
#include "sim/replay.h"

/* Columns side by side, in each of which a node depends on the one above it. */
#define COLUMNS 8

struct field {
    struct board *board;
    unsigned runs;
};

struct board {
    uint32_t rows;
    struct field *fields; /* row by row */
    rill_graph *graph;
    rill_exec *exec;
    rill_stream *stream;
    int patience;         /* launches in which a schedule is to be reached */
    time_t begun;         /* in seconds; see is_late()                     */
    unsigned launches;
    atomic_bool meet;     /* in the middle two columns wait for each other */
    atomic_uint met;
};

static void run_field(void *data)
{
    struct field *field = data;
    const struct field *above = field - COLUMNS;
    field->runs++;
    must_be(above < field->board->fields || above->runs == field->runs);
}

static void run_meeting(void *data)
{
    struct board *board = ((struct field *)data)->board;
    run_field(data);
    if (!atomic_load(&board->meet)) return;
    atomic_fetch_add(&board->met, 1);
    while (atomic_load(&board->met) < 2) sched_yield();
}

/* Under some tools nodes are not cheap. */
static bool is_quick(void)
{
    struct board board = { 0 };
    struct field fields[COLUMNS + 1] = { { &board, 1 } };
    struct timespec begin, end;
    board.fields = fields;
    fields[COLUMNS].board = &board;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (int i = 0; i < 1000; i++) {
        fields[0].runs = fields[COLUMNS].runs + 1;
        run_field(&fields[COLUMNS]);
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    return end.tv_sec == begin.tv_sec && end.tv_nsec - begin.tv_nsec < 20000;
}

/* Where nodes are cheap and somebody can look on it takes a few launches to find out, and a
 * few dozen where nobody did for long. */
static bool finds_out(const struct board *board)
{
    return board->patience > 2;
}

/* Tells whether so many launches took so long that no more can be asked: a tool makes each
 * of them slow, or other programs have the processors. */
static bool is_late(const struct board *board)
{
    return time(NULL) - board->begun > 10;
}

static void set_up(struct board *board, struct web_kit *kit)
{
    rill_node nodes[COLUMNS];
    bool quick = kit->workers > 1 && is_quick();
    *board = (struct board){ .rows = quick ? 25000 : 1000, .patience = quick ? 300 : 2,
                              .begun = time(NULL) };
    board->fields = calloc((size_t)board->rows * COLUMNS, sizeof *board->fields);
    board->stream = sized_stream(kit->sized, NON_BLOCKING);
    must(rill_graph_create(kit->sized->context, NULL, &board->graph));
    for (uint32_t i = 0; i < board->rows * COLUMNS; i++) {
        uint32_t row = i / COLUMNS, column = i % COLUMNS;
        bool meets = row == board->rows / 2 && column < 2;
        board->fields[i].board = board;
        must(rill_graph_add_host(board->graph, &nodes[column], row > 0,
                                 meets ? run_meeting : run_field, &board->fields[i], NULL,
                                 &nodes[column]));
    }
    must(rill_exec_create(board->graph, NULL, &board->exec));
}

static void tear_down(struct board *board)
{
    for (uint32_t i = 0; i < board->rows * COLUMNS; i++)
        must_be(board->fields[i].runs == board->launches);
    must(rill_exec_destroy(&board->exec));
    must(rill_graph_destroy(&board->graph));
    must(rill_stream_destroy(&board->stream));
    free(board->fields);
}

static enum program_schedule run(struct board *board, bool meet)
{
    atomic_store(&board->met, 0);
    atomic_store(&board->meet, meet);
    must(rill_exec_launch(board->exec, board->stream));
    must(rill_stream_synchronize(board->stream));
    board->launches++;
    return sim_exec_of(board->exec)->program->run.schedule;
}

/* Launches until the program has that schedule. */
static bool reach(struct board *board, enum program_schedule schedule)
{
    for (int i = 0; i < board->patience && !is_late(board); i++)
        if (run(board, false) == schedule) return true;
    return false;
}

/* Whether an exec that nothing is known of is found out without being shared; not each is,
 * where other threads want the processors. */
static bool is_left_alone(struct board *board)
{
    enum program_schedule schedule = SCHEDULE_LIGHT;
    must(rill_exec_destroy(&board->exec));
    must(rill_exec_create(board->graph, NULL, &board->exec));
    for (int i = 0; schedule == SCHEDULE_LIGHT && i < board->patience && !is_late(board); i++)
        schedule = run(board, false);
    return schedule == SCHEDULE_MEASURE_SERIAL;
}

static void measure(struct web_kit *kit)
{
    struct board board;
    bool cheap = false;
    set_up(&board, kit);
    while (!cheap && board.launches < (unsigned)board.patience && !is_late(&board))
        cheap = is_left_alone(&board);
    must_be(cheap || !finds_out(&board) || is_late(&board));
    must_be(!cheap || reach(&board, SCHEDULE_PLANNED) || is_late(&board));
    for (int i = 0; i < 5; i++) run(&board, false);
    tear_down(&board);
}

void test_cheap_nodes_are_measured_by_one_thread(void **state)
{
    (void)state;
    replay_each("cheap nodes are measured by one thread", measure);
}

/* With each schedule: before anything is known, while it is measured, and by plan. */
static void meet(struct web_kit *kit)
{
    struct board board;
    set_up(&board, kit);
    run(&board, true);
    if (reach(&board, SCHEDULE_MEASURE_SERIAL)) run(&board, true);
    if (reach(&board, SCHEDULE_PLANNED)) run(&board, true);
    run(&board, false);
    tear_down(&board);
}

void test_cheap_nodes_that_meet(void **state)
{
    (void)state;
    replay_each("cheap nodes that meet", meet);
}
