/* SPDX-License-Identifier: Apache-2.0
 *
 * What the library asks of the system, in the form that this build has: sleeping on a word,
 * joining a thread up to a time, more stack.
 */
#include "support/cmocka_all.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/park.h"
#include "base/stack.h"
#include "base/thread.h"

#define SECOND UINT64_C(1000000000)

/* ---- Sleeping on a word ------------------------------------------------------------------- */

static atomic_uint word;
static atomic_int awake;

static void *sleep_on_word(void *data)
{
    (void)data;
    while (!atomic_load(&word)) rl_park(&word, 0, RL_FOREVER);
    atomic_fetch_add(&awake, 1);
    return NULL;
}

static void each_sleeper_is_woken_when_its_word_changes(void **state)
{
    (void)state;
    pthread_t threads[4];
    atomic_store(&word, 0);
    atomic_store(&awake, 0);
    for (int i = 0; i < 4; i++) assert_true(rl_thread_start(&threads[i], sleep_on_word, NULL));
    assert_int_equal(atomic_load(&awake), 0);
    atomic_store(&word, 1);
    rl_unpark(&word, 4);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    assert_int_equal(atomic_load(&awake), 4);
}

static void nobody_sleeps_on_a_word_that_has_changed(void **state)
{
    (void)state;
    atomic_store(&word, 1);
    rl_park(&word, 0, RL_FOREVER);
}

static void sleep_ends_with_its_time(void **state)
{
    (void)state;
    atomic_store(&word, 0);
    rl_park(&word, 0, SECOND / 1000);
}

/* ---- Joining ------------------------------------------------------------------------------ */

static void a_thread_is_joined_when_it_has_ended_and_not_before(void **state)
{
    (void)state;
    pthread_t thread;
    atomic_store(&word, 0);
    assert_true(rl_thread_start(&thread, sleep_on_word, NULL));
    struct timespec now = rl_in(0);
    assert_false(rl_join_until(thread, &now));
    struct timespec soon = rl_in(SECOND / 100);
    assert_false(rl_join_until(thread, &soon));
    atomic_store(&word, 1);
    rl_unpark(&word, 1);
    struct timespec late = rl_in(600 * SECOND);
    assert_true(rl_join_until(thread, &late));
}

static void *join_itself(void *data)
{
    struct timespec late = rl_in(600 * SECOND);
    *(bool *)data = rl_join_until(pthread_self(), &late);
    return NULL;
}

static void no_thread_joins_itself(void **state)
{
    (void)state;
    pthread_t thread;
    bool joined = true;
    assert_true(rl_thread_start(&thread, join_itself, &joined));
    pthread_join(thread, NULL);
    assert_false(joined);
}

/* ---- Numbers ------------------------------------------------------------------------------ */

static void *store_number(void *data)
{
    *(uint64_t *)data = rl_thread_id();
    return NULL;
}

static void threads_have_numbers_of_their_own(void **state)
{
    (void)state;
    pthread_t thread;
    uint64_t number = 0, own = rl_thread_id();
    assert_true(rl_thread_start(&thread, store_number, &number));
    pthread_join(thread, NULL);
    assert_true(number);
    assert_true(number != own);
    assert_true(rl_thread_id() == own);
}

/* ---- Stack -------------------------------------------------------------------------------- */

#define STACK_NEEDED ((size_t)512 << 10)

static void fill_stack(void *data)
{
    volatile unsigned char bytes[STACK_NEEDED - 16384];
    for (size_t i = 0; i < sizeof bytes; i += 1024) bytes[i] = 1;
    *(bool *)data = bytes[0];
}

static void *ask_for_stack(void *data)
{
    bool filled = false;
    bool called = rl_with_stack(STACK_NEEDED, fill_stack, &filled);
    *(bool *)data = called == filled;
    return NULL;
}

static void a_function_has_the_stack_it_asked_for_or_is_not_called(void **state)
{
    (void)state;
    pthread_attr_t small;
    pthread_t thread;
    bool as_told = false;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 128 << 10);
    assert_int_equal(pthread_create(&thread, &small, ask_for_stack, &as_told), 0);
    pthread_attr_destroy(&small);
    pthread_join(thread, NULL);
    assert_true(as_told);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_sleeper_is_woken_when_its_word_changes),
        cmocka_unit_test(nobody_sleeps_on_a_word_that_has_changed),
        cmocka_unit_test(sleep_ends_with_its_time),
        cmocka_unit_test(a_thread_is_joined_when_it_has_ended_and_not_before),
        cmocka_unit_test(no_thread_joins_itself),
        cmocka_unit_test(threads_have_numbers_of_their_own),
        cmocka_unit_test(a_function_has_the_stack_it_asked_for_or_is_not_called),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
