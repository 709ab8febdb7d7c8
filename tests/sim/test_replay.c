/* SPDX-License-Identifier: Apache-2.0
 *
 * Replays: graphs that check themselves, launched many times and from many
 * threads, so that they run in every way that the simulator has.
 */
#include <stdio.h>
#include <stdlib.h>

#include "backend-sim/exec/exec.h"
#include "sim/replay.h"
#include "support/cmocka_all.h"
#include "support/process.h"
#include "support/watchdog.h"

#define THREADS 3
#define STREAMS 3

static const int worker_counts[] = { 1, 2, 3, 8, 64 };
#define WORKER_COUNTS (int)(sizeof worker_counts / sizeof worker_counts[0])

static const char *_Atomic at_work = "";
static atomic_int workers_at_work; /* read by the watchdog */

void replay_on(int workers, const char *name, replay_fn *test)
{
    struct sized_platform sized;
    struct web_kit kit;
    at_work = name;
    workers_at_work = workers;
    web_kit_open(&kit, &sized, workers);
    test(&kit);
    web_kit_close(&kit);
    watchdog_pat();
}

void replay_each(const char *name, replay_fn *test)
{
    for (int i = 0; i < WORKER_COUNTS; i++) replay_on(worker_counts[i], name, test);
}

/* ---- Random graphs from several threads ------------------------------------------------- */

struct shared_web {
    pthread_mutex_t mutex; /* calls on one exec do not overlap */
    struct web *web;
};

struct party {
    struct web_kit *kit;
    int seed;
    struct shared_web *shared; /* two of them */
};

static struct web *random_web(struct party *party, struct dice *dice)
{
    int most = dice_chance(dice, 20) ? 600 : 60;
    struct web *web = web_make(party->kit, dice, (enum web_shape)dice_below(dice, WEB_SHAPES),
                               1 + dice_below(dice, most));
    web_freeze(web);
    return web;
}

static void heat(struct web *web, struct dice *dice)
{
    int chance = dice_below(dice, 100);
    enum web_heat heat = chance < 45 ? WEB_COLD : chance < 75 ? WEB_WARM
                       : chance < 92 ? WEB_HOT : WEB_LOPSIDED;
    atomic_store(&web->heat, (int)heat);
}

static void launch_shared(struct shared_web *shared, rill_stream *stream)
{
    pthread_mutex_lock(&shared->mutex);
    web_launch(shared->web, stream);
    pthread_mutex_unlock(&shared->mutex);
}

static void play_webs(struct party *party, struct dice *dice, rill_stream **streams)
{
    struct web *webs[2] = { random_web(party, dice), random_web(party, dice) };
    for (int i = 10 + dice_below(dice, 20); i; i--) {
        rill_stream *stream = streams[dice_below(dice, STREAMS)];
        int which = dice_below(dice, 4);
        if (which < 2) web_launch(webs[which], stream);
        else launch_shared(&party->shared[which - 2], stream);
        if (which < 2 && dice_chance(dice, 12)) heat(webs[which], dice);
        int other = dice_below(dice, STREAMS);
        if (dice_chance(dice, 30)) must(rill_stream_synchronize(streams[other]));
    }
    bool early = dice_chance(dice, 40);
    for (int i = 0; early && i < 2; i++) must(rill_exec_destroy(&webs[i]->exec));
    for (int i = 0; i < STREAMS; i++) must(rill_stream_synchronize(streams[i]));
    for (int i = 0; i < 2; i++) {
        web_check(webs[i]);
        web_free(webs[i]);
    }
}

static void *join_party(void *data)
{
    struct party *party = data;
    struct dice dice = { (uint64_t)party->seed };
    rill_stream *streams[STREAMS];
    for (int i = 0; i < STREAMS; i++)
        streams[i] = sized_stream(party->kit->sized, i ? RILL_STREAM_NON_BLOCKING : 0);
    for (int rounds = sized_scaled(8); rounds; rounds--) play_webs(party, &dice, streams);
    for (int i = 0; i < STREAMS; i++) must(rill_stream_destroy(&streams[i]));
    return NULL;
}

static void party(struct web_kit *kit)
{
    struct party parties[THREADS];
    struct shared_web shared[2];
    pthread_t threads[THREADS];
    struct dice dice = { 7 };
    for (int i = 0; i < 2; i++) {
        pthread_mutex_init(&shared[i].mutex, NULL);
        shared[i].web = web_make(kit, &dice, i ? WEB_LAYERS : WEB_SPARSE, 200);
        web_freeze(shared[i].web);
        atomic_store(&shared[i].web->heat, i ? WEB_COLD : WEB_WARM);
    }
    for (int i = 0; i < THREADS; i++) {
        parties[i] = (struct party){ kit, i + 1, shared };
        threads[i] = sized_thread(join_party, &parties[i]);
    }
    for (int i = 0; i < THREADS; i++) must_be(!pthread_join(threads[i], NULL));
    for (int i = 0; i < 2; i++) {
        web_check(shared[i].web);
        web_free(shared[i].web);
        pthread_mutex_destroy(&shared[i].mutex);
    }
}

static void test_random_graphs(void **state)
{
    (void)state;
    replay_each("random graphs", party);
}

/* ---- Every way through ------------------------------------------------------------------ */

/* A graph whose knots change what they cost goes from one thread to many, by nodes
 * and then by plan, and is found out when the plan is not true any more. */
static void ways(struct web_kit *kit)
{
    struct dice dice = { 3 };
    rill_stream *stream = sized_stream(kit->sized, RILL_STREAM_NON_BLOCKING);
    struct web *web = web_make(kit, &dice, WEB_LAYERS, 400);
    web_freeze(web);
    const struct program *program = sim_exec_of(web->exec)->program;
    static const enum web_heat heats[] = { WEB_COLD, WEB_HOT, WEB_COLD, WEB_WARM, WEB_LOPSIDED,
                                           WEB_HOT };
    bool planned = kit->workers == 1;
    for (size_t h = 0; h < sizeof heats / sizeof heats[0]; h++) {
        atomic_store(&web->heat, (int)heats[h]);
        int most = heats[h] == WEB_HOT && !planned ? 200 : 8;
        for (int i = 0; i < most; i++) {
            for (int n = 0; n < 3; n++) web_launch(web, stream);
            must(rill_stream_synchronize(stream));
            planned = planned || program->run.schedule == SCHEDULE_PLANNED;
            if (planned && i > 8) break;
        }
    }
    must_be(planned || process_is_wrapped()); /* where threads gain nothing by a plan */
    web_check(web);
    web_free(web);
    must(rill_stream_destroy(&stream));
}

static void test_every_way_through(void **state)
{
    (void)state;
    replay_each("every way through", ways);
}

static void narrow(struct web_kit *kit)
{
    struct dice dice = { 5 };
    rill_stream *stream = sized_stream(kit->sized, RILL_STREAM_NON_BLOCKING);
    struct web *web = web_make(kit, &dice, WEB_PIECES, 12);
    for (int i = 1; i < web->knots; i++) web->knot[i].weight = 1;
    web->knot[0].weight = 0;
    web_freeze(web);
    atomic_store(&web->heat, WEB_LOPSIDED);
    for (int i = 0; i < 8; i++) {
        web_launch(web, stream);
        must(rill_stream_synchronize(stream));
    }
    web_check(web);
    web_free(web);
    must(rill_stream_destroy(&stream));
}

static void test_one_long_node(void **state)
{
    (void)state;
    replay_each("one long node", narrow);
}

static void tell(void *data)
{
    (void)data;
    fprintf(stderr, "# %s hangs with %d workers\n", atomic_load(&at_work),
            atomic_load(&workers_at_work));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_graphs),
        cmocka_unit_test(test_every_way_through),
        cmocka_unit_test(test_one_long_node),
        cmocka_unit_test(test_nodes_that_meet),
        cmocka_unit_test(test_nodes_that_meet_late),
        cmocka_unit_test(test_nodes_that_meet_on_the_way),
        cmocka_unit_test(test_nodes_that_meet_without_help_of_the_system),
        cmocka_unit_test(test_nodes_that_wait_for_their_own_launch),
        cmocka_unit_test(test_waiting_for_something_else),
        cmocka_unit_test(test_event_before_a_node_that_waits),
        cmocka_unit_test(test_nodes_that_wait_for_streams),
        cmocka_unit_test(test_gates_in_graphs),
        cmocka_unit_test(test_conditionals),
        cmocka_unit_test(test_changes_between_launches),
        cmocka_unit_test(test_execs_that_end_while_they_run),
        cmocka_unit_test(test_execs_that_end_with_their_launch),
        cmocka_unit_test(test_faults_in_the_midst),
        cmocka_unit_test(test_memory_is_short),
        cmocka_unit_test(test_cheap_nodes_are_measured_by_one_thread),
        cmocka_unit_test(test_cheap_nodes_that_meet),
        cmocka_unit_test(test_many_execs),
        cmocka_unit_test(test_deep_nesting),
        cmocka_unit_test(test_a_million_nodes),
    };
    watchdog_start(60, tell, NULL);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    watchdog_stop();
    return failed;
}
