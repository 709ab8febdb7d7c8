/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs that go on with other threads and processes, which write what a stream waits for.
 * None of them is called a hang.
 */
#include "sim/schedule/going_on.h"

#include <sys/wait.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_may_come_from_a_thread_that_naps_or_works),
        cmocka_unit_test(or_from_one_that_reads),
        cmocka_unit_test(a_function_may_wait_for_another_process),
        cmocka_unit_test(threads_that_submit_at_once_get_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
