/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs that go on: what no call asks for, functions that wait for the host, ends.
 * None of them is called a hang.
 */
#include "sim/schedule/going_on.h"

#include <sys/wait.h>

#include "base/alloc.h"
#include "support/process.h"

/* ---- Without a call --------------------------------------------------------------------- */

static void a_host_that_looks_at_memory_gets_on(void **state)
{
    (void)state;
    for (int p = 0; p < POLICIES; p++) {
        struct steered s;
        atomic_uint flag = 0;
        open_steered(&s, policies[p], 1);
        ok(rill_launch_host(s.streams[0], set_flag, &flag, NULL));
        while (!atomic_load(&flag)) continue;
        close_steered(&s);
    }
}

static void so_does_one_that_writes_a_value_and_naps_in_between(void **state)
{
    struct steered s;
    atomic_uint flag = 0;
    (void)state;
    open_steered(&s, "early", 1);
    ok(rill_stream_wait_value32(s.streams[0], word_at(&s, 0), 1, RILL_WAIT_GEQ));
    ok(rill_launch_host(s.streams[0], set_flag, &flag, NULL));
    atomic_store(&s.words[0], 1);
    while (!atomic_load(&flag)) nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
    close_steered(&s);
}

/* ---- Functions that wait for the host --------------------------------------------------- */

static void a_function_may_wait_for_what_the_host_does_later(void **state)
{
    (void)state;
    for (int p = 0; p < POLICIES; p++) {
        struct steered s;
        sem_t posted;
        sem_init(&posted, 0, 0);
        open_steered(&s, policies[p], 2);
        for (int i = 0; i < 3; i++) {
            ok(rill_launch_host(s.streams[0], wait_for_semaphore, &posted, NULL));
            letter(s.streams[0], 'a');
            letter(s.streams[1], 'b');
            sem_post(&posted);
        }
        wait_all(&s);
        assert_int_equal(atomic_load(&ran_count), 6);
        close_steered(&s);
        sem_destroy(&posted);
    }
}

/* The function waits for what comes after the wait. */
static void so_may_it_while_the_host_looks_at_memory(void **state)
{
    struct steered s;
    atomic_uint flag = 0;
    sem_t posted;
    (void)state;
    sem_init(&posted, 0, 0);
    open_steered(&s, "replay:2.1", 2);
    ok(rill_stream_wait_value32(s.streams[0], word_at(&s, 0), 1, RILL_WAIT_GEQ));
    ok(rill_launch_host(s.streams[1], set_flag, &flag, NULL));
    atomic_store(&s.words[0], 1);
    ok(rill_launch_host(s.streams[0], wait_for_semaphore, &posted, NULL));
    while (!atomic_load(&flag)) continue;
    sem_post(&posted);
    wait_all(&s);
    close_steered(&s);
    sem_destroy(&posted);
}

static void look_for_flag(void *data)
{
    while (!atomic_load((atomic_uint *)data)) continue;
}

/* It does not sleep, so that only the time for which it is at work tells. */
static void so_may_one_that_looks_at_memory(void **state)
{
    (void)state;
    for (int p = 0; p < POLICIES; p++) {
        struct steered s;
        atomic_uint flag = 0;
        open_steered(&s, policies[p], 1);
        ok(rill_launch_host(s.streams[0], look_for_flag, &flag, NULL));
        letter(s.streams[0], 'a');
        atomic_store(&flag, 1);
        wait_all(&s);
        ran_is("a");
        close_steered(&s);
    }
}

/* The thread that was in such a function has another in its place, and is one too many. */
static void its_thread_is_given_back_when_it_has_ended(void **state)
{
    struct steered s;
    sem_t posted;
    (void)state;
    sem_init(&posted, 0, 0);
    open_steered(&s, "early", 1);
    letter(s.streams[0], 'a');
    wait_all(&s);
    long before = rl_alloc_live();
    ok(rill_launch_host(s.streams[0], wait_for_semaphore, &posted, NULL));
    assert_true(rl_alloc_live() > before);
    sem_post(&posted);
    wait_all(&s);
    for (int i = 0; rl_alloc_live() > before && i < 5000; i++) {
        nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
        ok(rill_stream_query(s.streams[0]));
    }
    assert_int_equal(rl_alloc_live(), before);
    close_steered(&s);
    sem_destroy(&posted);
}

static pthread_mutex_t program_lock = PTHREAD_MUTEX_INITIALIZER;

static void take_program_lock(void *data)
{
    pthread_mutex_lock(&program_lock);
    pthread_mutex_unlock(&program_lock);
    run_letter(data);
}

static void a_call_may_be_made_with_a_lock_that_functions_need(void **state)
{
    (void)state;
    for (int p = 0; p < POLICIES; p++) {
        struct steered s;
        open_steered(&s, policies[p], 1);
        for (int i = 0; i < 3; i++) {
            pthread_mutex_lock(&program_lock);
            ok(rill_launch_host(s.streams[0], take_program_lock, letter_data('a'), NULL));
            pthread_mutex_unlock(&program_lock);
        }
        wait_all(&s);
        ran_is("aaa");
        close_steered(&s);
    }
}

/* ---- Functions that wait for streams ------------------------------------------------------ */

struct inner {
    rill_stream *stream;
    rill_event *event;
    rill_status status;
};

static void synchronize_event(void *data)
{
    struct inner *inner = data;
    inner->status = rill_event_synchronize(inner->event);
    run_letter(letter_data('b'));
}

static void a_function_may_wait_for_another_stream(void **state)
{
    (void)state;
    for (int p = 0; p < POLICIES; p++) {
        struct steered s;
        struct inner inner = { .event = NULL };
        open_steered(&s, policies[p], 2);
        ok(rill_event_create(s.context, NULL, &inner.event));
        letter(s.streams[1], 'a');
        ok(rill_event_record(inner.event, s.streams[1], 0));
        ok(rill_launch_host(s.streams[0], synchronize_event, &inner, NULL));
        wait_all(&s);
        ran_is("ab");
        ok(inner.status);
        ok(rill_event_destroy(&inner.event));
        close_steered(&s);
    }
}

static void synchronize_own_stream(void *data)
{
    struct inner *inner = data;
    inner->status = rill_stream_synchronize(inner->stream);
}

static void one_that_waits_for_itself_is_refused(void **state)
{
    (void)state;
    for (int p = 0; p < POLICIES; p++) {
        struct steered s;
        struct inner inner;
        open_steered(&s, policies[p], 1);
        inner.stream = s.streams[0];
        inner.status = RILL_SUCCESS;
        ok(rill_launch_host(s.streams[0], synchronize_own_stream, &inner, NULL));
        ok(rill_stream_synchronize(s.streams[0]));
        assert_int_equal(inner.status, RILL_ERROR_NOT_PERMITTED);
        close_steered(&s);
    }
}

/* ---- The end ------------------------------------------------------------------------------ */

static void closing_runs_what_is_held(void **state)
{
    (void)state;
    for (int p = 0; p < POLICIES; p++) {
        struct steered s;
        open_steered(&s, policies[p], 2);
        letter(s.streams[0], 'a');
        letter(s.streams[1], 'b');
        close_steered(&s);
        assert_int_equal(atomic_load(&ran_count), 2);
    }
}

static void abandoning_drops_what_is_held(void **state)
{
    (void)state;
    for (int p = 0; p < POLICIES; p++) {
        struct steered s;
        open_steered(&s, policies[p], 1);
        ok(rill_stream_wait_value32(s.streams[0], word_at(&s, 0), 1, RILL_WAIT_GEQ));
        letter(s.streams[0], 'a');
        ok(rill_sim_abandon(s.platform, 1000000000));
        close_steered(&s);
        ran_is("");
    }
}

static void abandoning_leaves_a_function_that_does_not_end(void **state)
{
    struct steered s;
    static sem_t posted;
    (void)state;
    sem_init(&posted, 0, 0);
    open_steered(&s, "early", 1);
    ok(rill_launch_host(s.streams[0], wait_for_semaphore, &posted, NULL));
    is(RILL_ERROR_NOT_READY, rill_sim_abandon(s.platform, 10000000));
    sem_post(&posted);
    ok(rill_sim_abandon(s.platform, 10000000000));
    close_steered(&s);
}

static void a_forked_child_ends(void **state)
{
    struct steered s;
    int status = 0;
    (void)state;
    open_steered(&s, "late", 1);
    letter(s.streams[0], 'a');
    fflush(NULL);
    pid_t child = fork();
    if (!child) process_leave(rill_stream_synchronize(s.streams[0]) == RILL_SUCCESS);
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    ok(rill_stream_synchronize(s.streams[0]));
    ran_is("a");
    close_steered(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_host_that_looks_at_memory_gets_on),
        cmocka_unit_test(so_does_one_that_writes_a_value_and_naps_in_between),
        cmocka_unit_test(a_function_may_wait_for_what_the_host_does_later),
        cmocka_unit_test(so_may_it_while_the_host_looks_at_memory),
        cmocka_unit_test(so_may_one_that_looks_at_memory),
        cmocka_unit_test(its_thread_is_given_back_when_it_has_ended),
        cmocka_unit_test(a_call_may_be_made_with_a_lock_that_functions_need),
        cmocka_unit_test(a_function_may_wait_for_another_stream),
        cmocka_unit_test(one_that_waits_for_itself_is_refused),
        cmocka_unit_test(closing_runs_what_is_held),
        cmocka_unit_test(abandoning_drops_what_is_held),
        cmocka_unit_test(abandoning_leaves_a_function_that_does_not_end),
        cmocka_unit_test(a_forked_child_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
