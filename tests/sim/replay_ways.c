/* SPDX-License-Identifier: Apache-2.0
 *
 * Host functions of graphs that wait: for each other, for streams, and for the
 * thread that waits for their graph, or for something else.
 */
#include <sched.h>
#include <stdlib.h>
#include <time.h>

#include "base/fence.h"
#include "sim/replay.h"

static rill_graph *new_graph(struct web_kit *kit)
{
    rill_graph *graph;
    must(rill_graph_create(kit->sized->context, NULL, &graph));
    return graph;
}

static rill_node add_host(rill_graph *graph, rill_node after, rill_host_fn fn, void *data)
{
    rill_node node;
    must(rill_graph_add_host(graph, &after, after != NULL, fn, data, NULL, &node));
    return node;
}

/* The exec; the graph is gone. */
static rill_exec *exec_of(rill_graph *graph)
{
    rill_exec *exec;
    must(rill_exec_create(graph, NULL, &exec));
    must(rill_graph_destroy(&graph));
    return exec;
}

static void sleep_ms(int ms)
{
    nanosleep(&(struct timespec){ .tv_nsec = ms * 1000000 }, NULL);
}

static void work_1us(void *data)
{
    (void)data;
    web_spin(1);
}

/* ---- For each other --------------------------------------------------------------------- */

struct meeting {
    atomic_uint arrived;
};

/* Returns when both nodes of this launch are here. */
static void meet(void *data)
{
    struct meeting *meeting = data;
    unsigned mine = atomic_fetch_add(&meeting->arrived, 1);
    while (atomic_load(&meeting->arrived) <= (mine | 1)) sched_yield();
}

/* Two nodes that meet, among `many` others. */
static rill_exec *meeting_exec(struct web_kit *kit, struct meeting *meeting, int many)
{
    rill_graph *graph = new_graph(kit);
    rill_node root = add_host(graph, NULL, work_1us, NULL);
    for (int i = 0; i < many; i++) {
        add_host(graph, root, work_1us, NULL);
        if (i == 0 || i == many / 2) add_host(graph, root, meet, meeting);
    }
    return exec_of(graph);
}

static void meet_often(struct web_kit *kit, int many, int launches)
{
    struct meeting meeting = { 0 };
    rill_stream *stream = sized_stream(kit->sized, NON_BLOCKING);
    rill_exec *exec = meeting_exec(kit, &meeting, many);
    for (int i = 0; i < launches; i++) {
        must(rill_exec_launch(exec, stream));
        must(rill_exec_launch(exec, stream));
        must(rill_stream_synchronize(stream));
    }
    must_be(atomic_load(&meeting.arrived) == 4 * (unsigned)launches);
    must(rill_exec_destroy(&exec));
    must(rill_stream_destroy(&stream));
}

static void meet_in_small(struct web_kit *kit)
{
    meet_often(kit, 2, 5);
}

static void meet_in_large(struct web_kit *kit)
{
    meet_often(kit, 200, 5);
}

void test_nodes_that_meet(void **state)
{
    (void)state;
    replay_each("nodes that meet", meet_in_small);
    replay_each("nodes that meet in a large graph", meet_in_large);
}

/* Where the system cannot fence for others, runners fence for themselves. */
void test_nodes_that_meet_without_help_of_the_system(void **state)
{
    (void)state;
    rl_fence_init();
    bool dear = rl_fence_is_dear;
    rl_fence_is_dear = true;
    replay_on(2, "nodes that meet, with dear fences", meet_in_small);
    replay_on(3, "nodes that meet in a large graph, with dear fences", meet_in_large);
    rl_fence_is_dear = dear;
}

/* The thread that waits has run the stream for so long that no worker looks on
 * any more when it comes to the graph. */
static void sleep_long(void *data)
{
    (void)data;
    sleep_ms(120);
}

static void meet_late(struct web_kit *kit)
{
    struct meeting meeting = { 0 };
    rill_stream *stream = sized_stream(kit->sized, NON_BLOCKING);
    rill_exec *exec = meeting_exec(kit, &meeting, 2);
    must(rill_launch_host(stream, sleep_long, NULL, NULL));
    must(rill_exec_launch(exec, stream));
    must(rill_stream_synchronize(stream));
    must_be(atomic_load(&meeting.arrived) == 2);
    must(rill_exec_destroy(&exec));
    must(rill_stream_destroy(&stream));
}

void test_nodes_that_meet_late(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) replay_on(1 + i, "nodes that meet late", meet_late);
}

/* ---- For the thread that waits ---------------------------------------------------------- */

static void await_flag(void *data)
{
    while (!atomic_load((atomic_int *)data)) sched_yield();
}

static void rise(void *data)
{
    atomic_store((atomic_int *)data, 1);
}

static void busy_long(void *data)
{
    rise(data);
    web_spin(3000);
}

static void rise_and_sleep(void *data)
{
    rise(data);
    sleep_ms(50);
}

/* The worker comes to the graph in the midst of another stream, for which the thread
 * waits by then. */
static void meet_on_the_way(struct web_kit *kit)
{
    struct meeting meeting = { 0 };
    atomic_int begun = 0;
    rill_stream *stream = sized_stream(kit->sized, NON_BLOCKING);
    rill_stream *other = sized_stream(kit->sized, NON_BLOCKING);
    rill_exec *exec = meeting_exec(kit, &meeting, 2);
    must(rill_launch_host(stream, rise_and_sleep, &begun, NULL));
    await_flag(&begun);
    must(rill_exec_launch(exec, other));
    must(rill_stream_wait_stream(stream, other));
    must(rill_stream_synchronize(stream));
    must_be(atomic_load(&meeting.arrived) == 2);
    must(rill_exec_destroy(&exec));
    must(rill_stream_destroy(&other));
    must(rill_stream_destroy(&stream));
}

void test_nodes_that_meet_on_the_way(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) replay_on(1 + i, "nodes that meet on the way", meet_on_the_way);
}

/* A thread that waits for one stream does not get lost in the graph of another,
 * whose nodes wait for that thread. */
static void wait_for_another(struct web_kit *kit)
{
    rill_stream *held = sized_stream(kit->sized, NON_BLOCKING);
    rill_stream *quick = sized_stream(kit->sized, NON_BLOCKING);
    for (int i = 0; i < 10; i++) {
        atomic_int flag = 0, begun = 0, busy = 0;
        rill_graph *graph = new_graph(kit);
        add_host(graph, NULL, rise, &begun);
        for (int n = 0; n < 4; n++) add_host(graph, NULL, await_flag, &flag);
        rill_exec *exec = exec_of(graph);
        must(rill_exec_launch(exec, held));
        while (!atomic_load(&begun)) (void)rill_stream_query(held);
        must(rill_launch_host(quick, busy_long, &busy, NULL));
        while (!atomic_load(&busy)) (void)rill_stream_query(quick);
        must(rill_stream_synchronize(quick));
        atomic_store(&flag, 1);
        must(rill_stream_synchronize(held));
        must(rill_exec_destroy(&exec));
    }
    must(rill_stream_destroy(&held));
    must(rill_stream_destroy(&quick));
}

void test_waiting_for_something_else(void **state)
{
    (void)state;
    replay_on(8, "waiting for something else", wait_for_another);
    replay_on(64, "waiting for something else", wait_for_another);
}

/* An event that a graph records is waited for, and then something is done that
 * another node of the graph waits for. */
static void event_first(struct web_kit *kit)
{
    rill_stream *stream = sized_stream(kit->sized, NON_BLOCKING);
    rill_event *event = sized_event(kit->sized);
    for (int i = 0; i < 20; i++) {
        atomic_int flag = 0;
        rill_graph *graph = new_graph(kit);
        rill_node record;
        must(rill_graph_add_event_record(graph, NULL, 0, event, &record));
        for (int n = 0; n <= i % 3; n++) add_host(graph, record, await_flag, &flag);
        rill_exec *exec = exec_of(graph);
        must(rill_exec_launch(exec, stream));
        must(rill_event_synchronize(event));
        atomic_store(&flag, 1);
        must(rill_stream_synchronize(stream));
        must(rill_exec_destroy(&exec));
    }
    must(rill_event_destroy(&event));
    must(rill_stream_destroy(&stream));
}

void test_event_before_a_node_that_waits(void **state)
{
    (void)state;
    replay_each("an event before a node that waits", event_first);
}

/* ---- For streams ------------------------------------------------------------------------ */

struct synchronizer {
    rill_stream *stream;
    rill_event *event;
    atomic_uint *ran;
    unsigned least;
};

static void count(void *data)
{
    atomic_fetch_add((atomic_uint *)data, 1);
}

static void synchronize(void *data)
{
    struct synchronizer *s = data;
    must(rill_launch_host(s->stream, count, s->ran, NULL));
    if (s->least % 2) must(rill_stream_synchronize(s->stream));
    else must(rill_event_synchronize(s->event));
    must_be(atomic_load(s->ran) >= s->least);
    atomic_fetch_add(s->ran, 1);
}

#define SYNCHRONIZERS 12

/* Several nodes at a time wait for streams that other graphs and host functions
 * are in. */
static void wait_for_streams(struct web_kit *kit)
{
    rill_stream *streams[3], *main_stream = sized_stream(kit->sized, NON_BLOCKING);
    struct synchronizer nodes[SYNCHRONIZERS];
    struct dice dice = { 11 };
    struct web *web = web_make(kit, &dice, WEB_LAYERS, 100);
    rill_event *event = sized_event(kit->sized);
    atomic_uint ran[3] = { 0 };
    web_freeze(web);
    for (int i = 0; i < 3; i++) streams[i] = sized_stream(kit->sized, i ? NON_BLOCKING : 0);
    rill_graph *graph = new_graph(kit);
    rill_node root = add_host(graph, NULL, work_1us, NULL);
    for (int i = 0; i < SYNCHRONIZERS; i++) {
        nodes[i] = (struct synchronizer){ streams[i % 3], event, &ran[i % 3], (unsigned)i % 2 };
        add_host(graph, i % 4 ? root : NULL, synchronize, &nodes[i]);
    }
    rill_exec *exec = exec_of(graph);
    for (int i = 0; i < 20; i++) {
        atomic_store(&web->heat, i % 5 == 0 ? WEB_HOT : WEB_COLD);
        web_launch(web, streams[i % 3]);
        must(rill_event_record(event, streams[i % 3], 0));
        must(rill_exec_launch(exec, main_stream));
        if (i % 3 == 0) must(rill_stream_synchronize(main_stream));
    }
    /* The nodes put more into the streams as they run. */
    must(rill_stream_synchronize(main_stream));
    must(rill_context_synchronize(kit->sized->context));
    for (int i = 0; i < 3; i++) must_be(atomic_load(&ran[i]) == 20 * 2 * SYNCHRONIZERS / 3);
    web_check(web);
    web_free(web);
    must(rill_exec_destroy(&exec));
    must(rill_event_destroy(&event));
    for (int i = 0; i < 3; i++) must(rill_stream_destroy(&streams[i]));
    must(rill_stream_destroy(&main_stream));
}

void test_nodes_that_wait_for_streams(void **state)
{
    (void)state;
    replay_each("nodes that wait for streams", wait_for_streams);
}

/* ---- For themselves ---------------------------------------------------------------------- */

struct own_wait {
    rill_stream *stream;
    atomic_int answer; /* plus 1; 0: none yet */
};

static void stand_until_answered(void *data)
{
    while (!atomic_load(&((struct own_wait *)data)->answer)) sched_yield();
}

static void wait_for_own(void *data)
{
    struct own_wait *wait = data;
    atomic_store(&wait->answer, (int)rill_stream_synchronize(wait->stream) + 1);
}

/* Who began the launch stands in its first node, so another thread runs the one
 * that waits for the launch, and is told that this would never end. */
static void wait_for_own_launch(struct web_kit *kit)
{
    struct own_wait wait = { .stream = sized_stream(kit->sized, NON_BLOCKING) };
    rill_graph *graph;
    rill_exec *exec;
    rill_node node;
    must(rill_graph_create(kit->sized->context, NULL, &graph));
    must(rill_graph_add_host(graph, NULL, 0, stand_until_answered, &wait, NULL, &node));
    must(rill_graph_add_host(graph, NULL, 0, wait_for_own, &wait, NULL, &node));
    must(rill_exec_create(graph, NULL, &exec));
    must(rill_exec_launch(exec, wait.stream));
    must(rill_stream_synchronize(wait.stream));
    must_be(atomic_load(&wait.answer) == RILL_ERROR_NOT_PERMITTED + 1);
    must(rill_exec_destroy(&exec));
    must(rill_graph_destroy(&graph));
    must(rill_stream_destroy(&wait.stream));
}

void test_nodes_that_wait_for_their_own_launch(void **state)
{
    (void)state;
    replay_each("nodes that wait for their own launch", wait_for_own_launch);
}
