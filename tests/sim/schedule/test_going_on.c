/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs that go on: what no call asks for, functions that wait for the host, several threads.
 * None of them is called a hang.
 */
#include "sim/schedule/steered.h"

#include <semaphore.h>
#include <sys/wait.h>

static const char *const policies[] = { "early", "late", "random:1", "pct:1:3", "starve:1",
                                        "serial", "replay:1.1" };
enum { POLICIES = sizeof policies / sizeof *policies };

/* ---- Without a call --------------------------------------------------------------------- */

static void set_flag(void *data)
{
    atomic_store((atomic_uint *)data, 1);
}

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

static void wait_for_semaphore(void *data)
{
    while (sem_wait(data)) continue;
}

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

/* ---- What looks like a hang and is none --------------------------------------------------- */

enum { NAP_NS = 30000000 };

static void *write_after_nap(void *data)
{
    nanosleep(&(struct timespec){ .tv_nsec = NAP_NS }, NULL);
    set_flag(data);
    return NULL;
}

static void *write_after_read(void *data)
{
    struct waiting_read {
        int pipe[2];
        atomic_uint *word;
    } *read_from = data;
    char byte;
    if (read(read_from->pipe[0], &byte, 1) == 1) set_flag(read_from->word);
    return NULL;
}

static void *write_after_timed_wait(void *data)
{
    struct timespec until;
    sem_t never;
    sem_init(&never, 0, 0);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += NAP_NS;
    if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
    while (!sem_timedwait(&never, &until)) continue;
    sem_destroy(&never);
    set_flag(data);
    return NULL;
}

static void *write_after_work(void *data)
{
    struct timespec since, now;
    clock_gettime(CLOCK_MONOTONIC, &since);
    do clock_gettime(CLOCK_MONOTONIC, &now);
    while ((now.tv_sec - since.tv_sec) * 1000000000 + now.tv_nsec - since.tv_nsec < NAP_NS);
    set_flag(data);
    return NULL;
}

static void a_value_may_come_from_a_thread_that_naps_or_works(void **state)
{
    static void *(*const mains[])(void *) = { write_after_nap, write_after_timed_wait,
                                              write_after_work };
    (void)state;
    for (int i = 0; i < 3 * POLICIES; i++) {
        struct steered s;
        pthread_t id;
        open_steered(&s, policies[i / 3], 1);
        ok(rill_stream_wait_value32(s.streams[0], word_at(&s, 0), 1, RILL_WAIT_GEQ));
        letter(s.streams[0], 'a');
        pthread_create(&id, NULL, mains[i % 3], &s.words[0]);
        ok(rill_stream_synchronize(s.streams[0]));
        ran_is("a");
        pthread_join(id, NULL);
        close_steered(&s);
    }
}

/* Another process writes to the pipe. */
static void or_from_one_that_reads(void **state)
{
    struct steered s;
    pthread_t id;
    struct {
        int pipe[2];
        atomic_uint *word;
    } reads;
    (void)state;
    assert_int_equal(pipe(reads.pipe), 0);
    pid_t child = fork();
    if (!child) {
        nanosleep(&(struct timespec){ .tv_nsec = NAP_NS }, NULL);
        _exit(write(reads.pipe[1], "x", 1) != 1);
    }
    open_steered(&s, "early", 1);
    reads.word = &s.words[0];
    ok(rill_stream_wait_value32(s.streams[0], word_at(&s, 0), 1, RILL_WAIT_GEQ));
    pthread_create(&id, NULL, write_after_read, &reads);
    ok(rill_stream_synchronize(s.streams[0]));
    pthread_join(id, NULL);
    close_steered(&s);
    waitpid(child, NULL, 0);
    close(reads.pipe[0]);
    close(reads.pipe[1]);
}

static void a_function_may_wait_for_another_process(void **state)
{
    struct steered s;
    (void)state;
    sem_t *posted = mmap(NULL, sizeof *posted, PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(posted != MAP_FAILED);
    sem_init(posted, 1, 0);
    pid_t child = fork();
    if (!child) {
        nanosleep(&(struct timespec){ .tv_nsec = NAP_NS }, NULL);
        sem_post(posted);
        _exit(0);
    }
    open_steered(&s, "early", 1);
    ok(rill_launch_host(s.streams[0], wait_for_semaphore, posted, NULL));
    ok(rill_stream_synchronize(s.streams[0]));
    close_steered(&s);
    waitpid(child, NULL, 0);
    munmap(posted, sizeof *posted);
}

/* ---- Several threads ---------------------------------------------------------------------- */

struct submitter {
    struct steered *s;
    int number;
    int wrong;
};

/* Passes a number around: each waits for the value that the one before writes. */
static void *submit_main(void *data)
{
    struct submitter *me = data;
    struct steered *s = me->s;
    rill_stream *stream = s->streams[me->number];
    for (unsigned round = 1; round <= 20; round++) {
        unsigned wanted = me->number ? round : round - 1;
        int before = (me->number + 3) % 4;
        me->wrong |= rill_stream_wait_value32(stream, word_at(s, before), wanted, RILL_WAIT_GEQ);
        me->wrong |= rill_launch_host(stream, run_letter, letter_data((char)('a' + me->number)),
                                      NULL);
        me->wrong |= rill_stream_write_value32(stream, word_at(s, me->number), round, 0);
        if (round % 4 == 0) me->wrong |= rill_stream_synchronize(stream);
    }
    me->wrong |= rill_stream_synchronize(stream);
    return NULL;
}

static void threads_that_submit_at_once_get_on(void **state)
{
    (void)state;
    for (int p = 0; p < POLICIES; p++) {
        struct steered s;
        struct submitter submitters[4];
        pthread_t ids[4];
        if (!strcmp(policies[p], "serial")) continue; /* values need streams of their own */
        open_steered(&s, policies[p], 4);
        for (int i = 0; i < 4; i++) {
            submitters[i] = (struct submitter){ &s, i, 0 };
            pthread_create(&ids[i], NULL, submit_main, &submitters[i]);
        }
        for (int i = 0; i < 4; i++) {
            pthread_join(ids[i], NULL);
            assert_int_equal(submitters[i].wrong, 0);
        }
        assert_int_equal(atomic_load(&ran_count), 80);
        for (int i = 0; i < 80; i++) assert_int_equal(ran[i], 'a' + i % 4);
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
    if (!child) _exit(rill_stream_synchronize(s.streams[0]) == RILL_SUCCESS);
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
        cmocka_unit_test(a_call_may_be_made_with_a_lock_that_functions_need),
        cmocka_unit_test(a_function_may_wait_for_another_stream),
        cmocka_unit_test(one_that_waits_for_itself_is_refused),
        cmocka_unit_test(a_value_may_come_from_a_thread_that_naps_or_works),
        cmocka_unit_test(or_from_one_that_reads),
        cmocka_unit_test(a_function_may_wait_for_another_process),
        cmocka_unit_test(threads_that_submit_at_once_get_on),
        cmocka_unit_test(closing_runs_what_is_held),
        cmocka_unit_test(abandoning_drops_what_is_held),
        cmocka_unit_test(abandoning_leaves_a_function_that_does_not_end),
        cmocka_unit_test(a_forked_child_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
