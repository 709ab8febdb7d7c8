/* SPDX-License-Identifier: Apache-2.0
 *
 * The threads of the process, as the system lists them.
 */
#include "support/cmocka_all.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process/asleep.h"
#include "base/thread.h"
#include "support/process.h"

enum { ROUNDS = 50, THREADS = 4, FILES = 100, LISTED_MOST = 64 };

/* Leaves the system files of its own to close, which it does after it has let go those who join the
 * thread. */
static void *end_slowly(void *data)
{
    *(unsigned long *)data = (unsigned long)rl_thread_id();
    if (!unshare(CLONE_FILES))
        for (int i = 0; i < FILES; i++) (void)!memfd_create("left", 0);
    return NULL;
}

static void *end_when_told(void *data)
{
    return sem_wait(data) ? data : NULL;
}

/* Starts threads, and waits for their end. */
static void start_and_join(unsigned long ids[THREADS])
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, end_slowly, &ids[i]), 0);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
}

static bool has_id(const unsigned long *ids, int count, unsigned long id)
{
    for (int i = 0; i < count; i++)
        if (ids[i] == id) return true;
    return false;
}

static void a_thread_that_was_joined_is_not_listed(void **state)
{
    unsigned long listed[LISTED_MOST], ended[THREADS];
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        start_and_join(ended);
        int count = rl_threads_list(listed, LISTED_MOST);
        assert_true(has_id(listed, count, (unsigned long)rl_thread_id()));
        for (int i = 0; i < THREADS; i++) assert_false(has_id(listed, count, ended[i]));
    }
}

/* ThreadSanitizer has a thread of its own. */
static void one_that_lives_is_listed_while_others_end(void **state)
{
    unsigned long before[LISTED_MOST], listed[LISTED_MOST], ended[THREADS];
    pthread_t living[THREADS];
    sem_t over;
    (void)state;
    sem_init(&over, 0, 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&living[i], NULL, end_when_told, &over), 0);
    int count = rl_threads_list(before, LISTED_MOST);
    assert_true(count > THREADS);
    for (int round = 0; round < ROUNDS; round++) {
        start_and_join(ended);
        assert_int_equal(rl_threads_list(listed, LISTED_MOST), count);
        assert_memory_equal(listed, before, (size_t)count * sizeof *before);
    }
    for (int i = 0; i < THREADS; i++) sem_post(&over);
    for (int i = 0; i < THREADS; i++) pthread_join(living[i], NULL);
    sem_destroy(&over);
}

/* Tells whether the first thread has ended. */
static bool first_has_ended(void)
{
    char state = '?';
    FILE *file = fopen("/proc/self/stat", "re");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%*d (%*[^)]) %c", &state), 1);
    fclose(file);
    return state == 'Z';
}

/* Exits with 0 if the first thread, which has ended by then, is listed first. */
static void *list_without_first(void *data)
{
    unsigned long listed[LISTED_MOST], self = (unsigned long)getpid();
    (void)data;
    while (!first_has_ended()) sched_yield();
    int count = rl_threads_list(listed, LISTED_MOST);
    process_leave(count < 2 || listed[0] != self);
    return NULL;
}

static void the_first_one_keeps_its_place(void **state)
{
    int status;
    (void)state;
    pid_t child = fork();
    if (!child) {
        pthread_t other;
        if (pthread_create(&other, NULL, list_without_first, NULL)) _exit(2);
        pthread_exit(NULL);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thread_that_was_joined_is_not_listed),
        cmocka_unit_test(one_that_lives_is_listed_while_others_end),
        cmocka_unit_test(the_first_one_keeps_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
