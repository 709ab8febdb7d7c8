/* SPDX-License-Identifier: Apache-2.0
 *
 * Races that tests of one call at a time do not find.  Some seconds in all, or
 * as many as RILL_TORTURE_SECONDS says.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/alloc.h"
#include "sim/torture.h"
#include "support/cmocka_all.h"
#include "support/watchdog.h"

#define SECONDS 3.0

static const char *at_work = "";
static unsigned rounds_done;

void torture_count(void *counter)
{
    atomic_fetch_add_explicit((atomic_int *)counter, 1, memory_order_relaxed);
}

static double seconds_wanted(void)
{
    const char *text = getenv("RILL_TORTURE_SECONDS");
    return text ? atof(text) : SECONDS;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* ---- A thread's stream that cannot be made ------------------------------------------------ */

/* The thread's list loses the stream of a context that is gone, and gets none in
 * its place, since memory is short; then the thread ends. */
struct shortage {
    struct sized_platform *sized;
    rill_context *gone;
    atomic_int step;
};

static void *run_short(void *data)
{
    struct shortage *shortage = data;
    uint64_t id;
    must(rill_stream_id(rill_stream_per_thread(shortage->gone), &id));
    atomic_store(&shortage->step, 1);
    while (atomic_load(&shortage->step) < 2)
        nanosleep(&(struct timespec){ .tv_nsec = 10000 }, NULL);
    rill_stream *mine = rill_stream_per_thread(shortage->sized->context);
    rl_alloc_fail_after(0);
    rill_status status = rill_stream_id(mine, &id);
    rl_alloc_fail_after(-1);
    must_be(status == RILL_ERROR_OUT_OF_MEMORY);
    return NULL;
}

static void test_thread_stream_without_memory(void **state)
{
    const rill_context_options own = { .size = sizeof own, .flags = RILL_CONTEXT_OWN };
    struct sized_platform sized;
    (void)state;
    sized_open(&sized, 1);
    struct shortage shortage = { .sized = &sized };
    must(rill_context_create(sized.platform, &own, &shortage.gone));
    pthread_t thread = sized_thread(run_short, &shortage);
    while (atomic_load(&shortage.step) < 1) nanosleep(&(struct timespec){ .tv_nsec = 10000 }, NULL);
    must(rill_context_destroy(&shortage.gone));
    atomic_store(&shortage.step, 2);
    must_be(!pthread_join(thread, NULL));
    sized_close(&sized);
}

/* ---- Rounds --------------------------------------------------------------------------------- */

static const struct trial {
    const char *name;
    torture_round *round;
} trials[] = {
    { "waiting", round_of_waiting },
    { "pings", round_of_pings },
    { "halves", round_of_halves },
    { "rest", round_of_rest },
    { "gates", round_of_gates },
    { "legacy", round_of_legacy },
    { "duels", round_of_duels },
    { "devices", round_of_devices },
    { "contexts", round_of_contexts },
    { "streams", round_of_streams },
    { "thread streams", round_of_thread_streams },
    { "platforms", round_of_platforms },
    { "primaries", round_of_primaries },
    { "observers", round_of_observers },
};

#define TRIALS (sizeof trials / sizeof *trials)

/* Each worker count has its turn at least once. */
static void torture(void **state)
{
    static const int workers[] = { 1, 2, 64 };
    const struct trial *trial = *state;
    double end = now() + seconds_wanted() / (double)TRIALS;
    at_work = trial->name;
    rounds_done = 0;
    for (unsigned number = 0; number < 3 || now() < end; number++) {
        struct sized_platform sized;
        sized_open(&sized, workers[number % 3]);
        trial->round(&sized, number);
        sized_close(&sized);
        rounds_done++;
        watchdog_pat();
    }
    if (getenv("RILL_TORTURE_SECONDS")) fprintf(stderr, "# %s: %u rounds\n", at_work, rounds_done);
}

static void say_stuck(void *data)
{
    (void)data;
    fprintf(stderr, "# nothing moves in round %u of %s\n", rounds_done, at_work);
}

int main(void)
{
    static struct trial of_test[TRIALS];
    struct CMUnitTest tests[TRIALS + 1];
    for (size_t i = 0; i < TRIALS; i++) {
        of_test[i] = trials[i];
        tests[i] = (struct CMUnitTest){ trials[i].name, torture, NULL, NULL, &of_test[i] };
    }
    tests[TRIALS] = (struct CMUnitTest)cmocka_unit_test(test_thread_stream_without_memory);
    watchdog_start(30, say_stuck, NULL);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    watchdog_stop();
    return failed;
}
