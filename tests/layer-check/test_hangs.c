/* SPDX-License-Identifier: Apache-2.0
 *
 * Hangs: proved where no schedule is given, told with the wait and the last write, and never told
 * of a program that goes on.
 */
#include <inttypes.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>

#include "layer-check/checked.h"
#include "support/own_time.h"

/* ThreadSanitizer has a thread that naps again and again: there nothing is proved. */
#if defined(__SANITIZE_THREAD__)
#define PROVED 0
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define PROVED 0
#endif
#endif
#ifndef PROVED
#define PROVED 1
#endif

/* How soon a hang is told, while the process has a processor. */
#define SOON_NS 10000000u

/* The shortest time that it took: any single one may have to read the debug information. */
static uint64_t soonest_ns = UINT64_MAX;

static void wait_in_vain(rill_stream *stream)
{
    struct own_time since;
    own_time_begin(&since);
    assert_int_equal(rill_stream_synchronize(stream), RILL_ERROR_LAUNCH_TIMEOUT);
    uint64_t took_ns = own_time_since(&since);
    if (took_ns < soonest_ns) soonest_ns = took_ns;
}

static rill_devptr word_of(struct checked *c)
{
    rill_devptr word = 0;
    OK(rill_mem_alloc(c->context, 64, &word));
    OK(rill_memset_d32(c->context, word, 0, 16));
    OK(rill_context_synchronize(c->context));
    return word;
}

static void a_value_that_nobody_writes_is_a_hang(void **state)
{
    struct checked c;
    (void)state;
    if (!PROVED || getenv("RILL_TEST_WRAPPER"))
        skip_because("threads that are not the program's hide what its own do");
    begin_checked(&c);
    rill_devptr word = word_of(&c);
    uint64_t waits, writes;
    OK(rill_stream_id(c.s, &waits));
    OK(rill_stream_id(c.t, &writes));
    OK(rill_stream_wait_value32(c.s, word, 2, RILL_WAIT_GEQ));
    OK(rill_stream_write_value32(c.t, word, 1, 0));
    wait_in_vain(c.s);
    assert_int_equal(c.count, 1);
    assert_int_equal(c.found[0].kind, RILL_FINDING_HANG);
    assert_string_equal(c.found[0].sentence, "nothing can run any more, and a stream waits for the "
                        "value 2, where 1 was written last");
    assert_int_equal(c.found[0].places, 2);
    assert_int_equal(c.found[0].stream[0], waits);
    assert_int_equal(c.found[0].stream[1], writes);
    rill_stream_destroy(&c.s); /* the device has failed, and says so */
    rill_stream_destroy(&c.t);
    rill_context_destroy(&c.context);
    OK(rill_close(&c.platform));
}

/* Each stream waits for what the other one writes afterwards. */
static void a_circle_is_told_by_each_of_its_waits(void **state)
{
    struct checked c;
    (void)state;
    if (!PROVED || getenv("RILL_TEST_WRAPPER"))
        skip_because("threads that are not the program's hide what its own do");
    begin_checked(&c);
    rill_devptr word = word_of(&c);
    OK(rill_stream_wait_value32(c.s, word, 1, RILL_WAIT_GEQ));
    OK(rill_stream_write_value32(c.s, word + 4, 1, 0));
    OK(rill_stream_wait_value32(c.t, word + 4, 1, RILL_WAIT_GEQ));
    OK(rill_stream_write_value32(c.t, word, 1, 0));
    wait_in_vain(c.t);
    assert_true(c.count >= 1);
    for (size_t i = 0; i < c.count; i++) assert_int_equal(c.found[i].kind, RILL_FINDING_HANG);
    rill_stream_destroy(&c.s);
    rill_stream_destroy(&c.t);
    rill_context_destroy(&c.context);
    OK(rill_close(&c.platform));
}

/* ---- Functions, which one thread calls, as under `rill run` --------------------------------- */

static void wait_for_post(void *data)
{
    while (sem_wait(data)) continue;
}

static void post(void *data)
{
    sem_post(data);
}

/* What it waits for comes later in its own stream, or in another one: one thread calls all. */
static void a_function_that_waits_for_a_later_one_is_a_hang(void **state)
{
    (void)state;
    if (!PROVED || getenv("RILL_TEST_WRAPPER"))
        skip_because("threads that are not the program's hide what its own do");
    for (int other = 0; other < 2; other++) {
        struct checked c;
        uint64_t waits;
        sem_t *posted = calloc(1, sizeof *posted);
        sem_init(posted, 0, 0);
        setenv("RILL_SIM_HOST_THREAD", "1", 1);
        begin_checked(&c);
        unsetenv("RILL_SIM_HOST_THREAD");
        OK(rill_stream_id(c.s, &waits));
        OK(rill_launch_host(c.s, wait_for_post, posted, NULL));
        OK(rill_launch_host(other ? c.t : c.s, post, posted, NULL));
        wait_in_vain(other ? c.t : c.s);
        assert_non_null(strstr(rill_last_error()->message,
                               "is in operation 1, a function of the program that waits for "
                               "another thread"));
        assert_int_equal(c.count, 1);
        assert_int_equal(c.found[0].kind, RILL_FINDING_HANG);
        assert_string_equal(c.found[0].sentence, "nothing can run any more, and a host function "
                            "waits for another thread");
        assert_int_equal(c.found[0].stream[0], waits);
        sem_post(posted); /* so that its thread can end */
        rill_stream_destroy(&c.s);
        rill_stream_destroy(&c.t);
        rill_context_destroy(&c.context);
        OK(rill_close(&c.platform));
        sem_destroy(posted);
        free(posted);
    }
}

/* ---- Programs that go on -------------------------------------------------------------------- */

struct writer {
    struct checked *checked;
    rill_devptr word;
    unsigned rounds, seed;
};

/* Writes one value after the other, whenever it comes to that. */
static void *write_values(void *data)
{
    struct writer *writer = data;
    for (unsigned round = 1; round <= writer->rounds; round++) {
        writer->seed = writer->seed * 1664525u + 1013904223u;
        const struct timespec nap = { 0, writer->seed >> 20 & 2047 ? 1000 : 3000000 };
        nanosleep(&nap, NULL);
        OK(rill_stream_write_value32(writer->checked->t, writer->word, round, 0));
    }
    return NULL;
}

static void nothing_is_said_while_a_thread_may_write(void **state)
{
    const char *scale = getenv("RILL_TEST_SCALE");
    int programs = 60 / (scale && atoi(scale) > 1 ? atoi(scale) : 1);
    (void)state;
    for (int program = 0; program <= programs; program++) {
        struct checked c;
        pthread_t thread;
        begin_checked(&c);
        struct writer writer = { &c, word_of(&c), 20, (unsigned)program };
        assert_int_equal(pthread_create(&thread, NULL, write_values, &writer), 0);
        for (unsigned round = 1; round <= writer.rounds; round++) {
            OK(rill_stream_wait_value32(c.s, writer.word, round, RILL_WAIT_GEQ));
            if (round % 3 == 0) OK(rill_stream_synchronize(c.s));
        }
        OK(rill_stream_synchronize(c.s));
        pthread_join(thread, NULL);
        OK(rill_stream_synchronize(c.t));
        expect_nothing(&c);
        OK(rill_mem_free(c.context, writer.word));
        end_checked(&c);
    }
}

/* A random program: the host waits for values and has functions that wait, and two threads take
 * turns at bringing about what is waited for, one thing each, so that mostly only one of all
 * threads does not wait. */
enum { THINGS = 16 };

struct turns {
    struct checked *checked;
    rill_devptr word;
    sem_t mine[2], posted;
    unsigned seed;
    bool values[THINGS]; /* else a function */
};

struct turn_taker {
    struct turns *turns;
    unsigned number;
};

static unsigned draw(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 16;
}

static void *take_turns(void *data)
{
    struct turn_taker *taker = data;
    struct turns *turns = taker->turns;
    for (unsigned i = taker->number; i < THINGS; i += 2) {
        wait_for_post(&turns->mine[taker->number]);
        const struct timespec nap = { 0, draw(&turns->seed) & 2047 };
        if (nap.tv_nsec & 1) nanosleep(&nap, NULL);
        if (turns->values[i])
            OK(rill_stream_write_value32(turns->checked->t, turns->word, i + 1, 0));
        else
            sem_post(&turns->posted);
        sem_post(&turns->mine[!taker->number]);
    }
    return NULL;
}

static void go_on(unsigned seed)
{
    struct checked c;
    struct turns turns = { .checked = &c, .seed = seed };
    struct turn_taker takers[2] = { { &turns, 0 }, { &turns, 1 } };
    pthread_t threads[2];
    if (draw(&seed) & 1) setenv("RILL_SIM_HOST_THREAD", "1", 1);
    begin_checked(&c);
    unsetenv("RILL_SIM_HOST_THREAD");
    turns.word = word_of(&c);
    sem_init(&turns.posted, 0, 0);
    for (unsigned i = 0; i < 2; i++) sem_init(&turns.mine[i], 0, !i);
    for (unsigned i = 0; i < THINGS; i++) turns.values[i] = draw(&seed) & 1;
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, take_turns, &takers[i]), 0);
    for (unsigned i = 0; i < THINGS; i++) {
        if (turns.values[i]) OK(rill_stream_wait_value32(c.s, turns.word, i + 1, RILL_WAIT_GEQ));
        else OK(rill_launch_host(c.s, wait_for_post, &turns.posted, NULL));
        if (draw(&seed) % 3 == 0) OK(rill_stream_synchronize(c.s));
    }
    OK(rill_stream_synchronize(c.s));
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    OK(rill_stream_synchronize(c.t));
    expect_nothing(&c);
    OK(rill_mem_free(c.context, turns.word));
    end_checked(&c);
    sem_destroy(&turns.posted);
    for (int i = 0; i < 2; i++) sem_destroy(&turns.mine[i]);
}

static unsigned last_seed; /* of the program that runs, or 0 */

static void nothing_is_said_of_random_programs_that_go_on(void **state)
{
    const char *scale = getenv("RILL_TEST_SCALE"), *many = getenv("RILL_RANDOM_PROGRAMS");
    const char *one = getenv("RILL_RANDOM_SEED");
    unsigned programs = many ? (unsigned)strtoul(many, NULL, 0)
                             : 100u / (scale && atoi(scale) > 1 ? (unsigned)atoi(scale) : 1u);
    (void)state;
    unsigned first = one ? (unsigned)strtoul(one, NULL, 0) : 1;
    for (last_seed = first; last_seed < (one ? first + 1 : programs + 1); last_seed++)
        go_on(last_seed);
    last_seed = 0;
}

static int name_seed(void **state)
{
    (void)state;
    if (last_seed) print_message("# to have it again: RILL_RANDOM_SEED=%u\n", last_seed);
    return 0;
}

static void a_hang_is_told_soon(void **state)
{
    (void)state;
    if (soonest_ns == UINT64_MAX) skip_because("no hang was proved");
    printf("# it took %" PRIu64 " us\n", soonest_ns / 1000);
    assert_true(soonest_ns < SOON_NS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_that_nobody_writes_is_a_hang),
        cmocka_unit_test(a_circle_is_told_by_each_of_its_waits),
        cmocka_unit_test(a_function_that_waits_for_a_later_one_is_a_hang),
        cmocka_unit_test(a_hang_is_told_soon),
        cmocka_unit_test(nothing_is_said_while_a_thread_may_write),
        cmocka_unit_test_teardown(nothing_is_said_of_random_programs_that_go_on, name_seed),
    };
    return cmocka_run_group_tests(tests, NULL, end_sources);
}
