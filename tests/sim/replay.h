/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of replays: what their files share.
 */
#ifndef REPLAY_H
#define REPLAY_H

#include "sim/web.h"

#define NON_BLOCKING RILL_STREAM_NON_BLOCKING

typedef void replay_fn(struct web_kit *kit);

/* Runs a test on a fresh platform with so many workers; with 1, 2, 3, 8, 64. */
void replay_on(int workers, const char *name, replay_fn *test);
void replay_each(const char *name, replay_fn *test);

/* replay_ways.c: nodes that wait, for each other and for the rest of the world. */
void test_nodes_that_meet(void **state);
void test_nodes_that_meet_late(void **state);
void test_nodes_that_meet_on_the_way(void **state);
void test_nodes_that_meet_without_help_of_the_system(void **state);
void test_nodes_that_wait_for_their_own_launch(void **state);
void test_waiting_for_something_else(void **state);
void test_event_before_a_node_that_waits(void **state);
void test_nodes_that_wait_for_streams(void **state);

/* replay_gates.c: nodes of events and values, conditionals. */
void test_gates_in_graphs(void **state);
void test_conditionals(void **state);

/* replay_life.c: execs that change, end and fail. */
void test_changes_between_launches(void **state);
void test_execs_that_end_while_they_run(void **state);
void test_execs_that_end_with_their_launch(void **state);
void test_faults_in_the_midst(void **state);
void test_memory_is_short(void **state);

/* replay_cheap.c: large ones whose nodes take next to nothing. */
void test_cheap_nodes_are_measured_by_one_thread(void **state);
void test_cheap_nodes_that_meet(void **state);

/* replay_size.c: large ones, and many. */
void test_many_execs(void **state);
void test_deep_nesting(void **state);
void test_a_million_nodes(void **state);

#endif
