/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs that wait for ever: the wait fails, with the circle in its sentence, and the program can
 * end.
 */
#include "sim/schedule/steered.h"

#include <semaphore.h>

#include "sim/schedule/soon.h"

/* Race checkers have threads of their own, which nap, and valgrind has the threads of the program
 * wait for each other in a way of its own: nothing is proved. */
#if defined(__SANITIZE_THREAD__)
#define SKIP_WHERE_THREADS_NAP() skip()
#else
#define SKIP_WHERE_THREADS_NAP() do { \
        if (getenv("RILL_TEST_WRAPPER")) skip_because("the wrapper has threads of its own"); \
    } while (0)
#endif

#define HANG RILL_ERROR_LAUNCH_TIMEOUT

static const char *const policies[] = { "early", "late", "random:1", "random:2", "pct:1:3",
                                        "starve:1", "serial" };
enum { POLICIES = sizeof policies / sizeof *policies };

static void says(const char *words)
{
    const char *message = rill_last_error()->message;
    if (strstr(message, words)) return;
    print_error("not said: \"%s\"\n  but: \"%s\"\n", words, message);
    fail();
}

static void wait_in_vain_since(const struct own_time *since, rill_stream *stream)
{
    is(HANG, rill_stream_synchronize(stream));
    assert_true(told_in_time(since));
    says("the program hangs: nothing can run");
}

static void wait_in_vain(rill_stream *stream)
{
    struct own_time since;
    own_time_begin(&since);
    wait_in_vain_since(&since, stream);
}

/* ---- Values --------------------------------------------------------------------------- */

static void a_value_that_nobody_writes(void **state)
{
    (void)state;
    SKIP_WHERE_THREADS_NAP();
    for (int p = 0; p < POLICIES; p++) {
        struct steered s;
        char address[32];
        open_steered(&s, policies[p], 1);
        ok(rill_stream_set_label(s.streams[0], "upload"));
        letter(s.streams[0], 'a');
        ok(rill_stream_wait_value32(s.streams[0], word_at(&s, 3), 7, RILL_WAIT_GEQ));
        letter(s.streams[0], 'b');
        wait_in_vain(s.streams[0]);
        says("the host waits for operation 3 of stream 'upload', whose operation 2 waits for the "
             "value at 0x");
        snprintf(address, sizeof address, "0x%llx", (unsigned long long)word_at(&s, 3));
        says(address);
        says("to be at least 7 (it is 0)");
        ran_is("a");
        assert_non_null(strstr(close_steered(&s), "\nhang\n"));
    }
}

static void streams_that_wait_for_each_others_values(void **state)
{
    (void)state;
    SKIP_WHERE_THREADS_NAP();
    for (int p = 0; p < POLICIES; p++) {
        struct steered s;
        open_steered(&s, policies[p], 3);
        ok(rill_stream_set_label(s.streams[0], "one"));
        ok(rill_stream_set_label(s.streams[1], "two"));
        for (int i = 0; i < 2; i++) {
            ok(rill_stream_wait_value32(s.streams[i], word_at(&s, i), 1, RILL_WAIT_GEQ));
            ok(rill_stream_write_value32(s.streams[i], word_at(&s, 1 - i), 1, 0));
        }
        pass(&s, s.streams[0], s.streams[2]);
        wait_in_vain(s.streams[2]);
        says("of stream 'one', whose operation 1 waits for the value at");
        if (strcmp(policies[p], "serial"))
            says("; stream 'two' waits in operation 1 for the value at");
        close_steered(&s);
    }
}

static void under_serial_a_wait_that_was_submitted_before_its_write(void **state)
{
    struct steered s;
    (void)state;
    SKIP_WHERE_THREADS_NAP();
    open_steered(&s, "serial", 2);
    ok(rill_stream_set_label(s.streams[0], "reader"));
    ok(rill_stream_set_label(s.streams[1], "writer"));
    ok(rill_stream_wait_value32(s.streams[0], word_at(&s, 0), 1, RILL_WAIT_GEQ));
    ok(rill_stream_write_value32(s.streams[1], word_at(&s, 0), 1, 0));
    wait_in_vain(s.streams[1]);
    says("stream 'writer', whose operation 1 comes, as the device has one queue, after operation 1 "
         "of stream 'reader', whose operation 1 waits for the value");
    close_steered(&s);
}

static void a_launch_that_waits_for_a_value(void **state)
{
    struct steered s;
    rill_node node = NULL;
    rill_exec *exec = NULL;
    (void)state;
    SKIP_WHERE_THREADS_NAP();
    open_steered(&s, "early", 1);
    rill_graph *graph = machine_graph(s.context);
    rill_value value = { .kind = RILL_VALUE_WAIT_32, .address = word_at(&s, 0), .value = 5,
                         .flags = RILL_WAIT_EQ };
    rill_op op = { .kind = RILL_OP_VALUES };
    op.values.items = &value;
    op.values.count = 1;
    ok(rill_graph_add_node(graph, NULL, 0, &op, &node));
    ok(rill_exec_create(graph, NULL, &exec));
    ok(rill_exec_launch(exec, s.streams[0]));
    wait_in_vain(s.streams[0]);
    says("whose operation 1 waits for the value at 0x");
    says("to be equal to 5 (it is 0)");
    ok(rill_exec_destroy(&exec));
    ok(rill_graph_destroy(&graph));
    close_steered(&s);
}

/* ---- Functions ------------------------------------------------------------------------ */

static void wait_for_semaphore(void *data)
{
    while (sem_wait(data)) continue;
}

/* Lets go of a thread that a program left behind. */
static void let_go(sem_t *posted)
{
    sem_post(posted);
}

static void a_function_that_waits_for_what_nobody_posts(void **state)
{
    (void)state;
    SKIP_WHERE_THREADS_NAP();
    for (int p = 0; p < POLICIES; p++) {
        struct steered s;
        static sem_t posted[POLICIES];
        sem_init(&posted[p], 0, 0);
        open_steered(&s, policies[p], 2);
        letter(s.streams[0], 'a');
        ok(rill_launch_host(s.streams[0], wait_for_semaphore, &posted[p], NULL));
        pass(&s, s.streams[0], s.streams[1]);
        wait_in_vain(s.streams[1]);
        says("whose operation 2 is in a function of the program that waits for another thread");
        close_steered(&s);
        let_go(&posted[p]);
    }
}

static pthread_mutex_t program_lock = PTHREAD_MUTEX_INITIALIZER;

static void take_program_lock(void *data)
{
    (void)data;
    pthread_mutex_lock(&program_lock);
    pthread_mutex_unlock(&program_lock);
}

static void synchronize_stream(void *data)
{
    rill_stream_synchronize(data);
}

/* The function is still in its call when the host, which was told of the hang, destroys the stream:
 * a program must not do that, and AddressSanitizer says so. */
static void a_function_that_waits_for_a_stream_that_waits_for_ever(void **state)
{
    (void)state;
    SKIP_WHERE_THREADS_NAP();
#ifdef __SANITIZE_ADDRESS__
    skip();
#endif
    for (int p = 0; p < POLICIES; p++) {
        struct steered s;
        struct own_time since;
        open_steered(&s, policies[p], 2);
        ok(rill_stream_wait_value32(s.streams[1], word_at(&s, 0), 1, RILL_WAIT_GEQ));
        own_time_begin(&since);
        ok(rill_launch_host(s.streams[0], synchronize_stream, s.streams[1], NULL));
        wait_in_vain_since(&since, s.streams[0]);
        close_steered(&s);
    }
}

static void a_lock_that_is_held_across_a_wait(void **state)
{
    (void)state;
    SKIP_WHERE_THREADS_NAP();
    for (int p = 0; p < POLICIES; p++) {
        struct steered s;
        open_steered(&s, policies[p], 1);
        pthread_mutex_lock(&program_lock);
        ok(rill_launch_host(s.streams[0], take_program_lock, NULL, NULL));
        wait_in_vain(s.streams[0]);
        close_steered(&s);
        pthread_mutex_unlock(&program_lock);
    }
}

/* ---- Several threads ------------------------------------------------------------------ */

struct waiting_thread {
    rill_stream *stream;
    rill_status status;
    bool in_time;
    char message[512];
};

static void *synchronize_main(void *data)
{
    struct waiting_thread *thread = data;
    struct own_time since;
    own_time_begin(&since);
    thread->status = rill_stream_synchronize(thread->stream);
    thread->in_time = told_in_time(&since);
    if (thread->status)
        snprintf(thread->message, sizeof thread->message, "%s", rill_last_error()->message);
    return NULL;
}

static void a_join_of_a_thread_that_waits(void **state)
{
    struct steered s;
    pthread_t id;
    (void)state;
    SKIP_WHERE_THREADS_NAP();
    open_steered(&s, "early", 1);
    struct waiting_thread thread = { .stream = s.streams[0] };
    ok(rill_stream_wait_value32(s.streams[0], word_at(&s, 0), 1, RILL_WAIT_GEQ));
    pthread_create(&id, NULL, synchronize_main, &thread);
    pthread_join(id, NULL); /* and would write the value */
    assert_true(thread.in_time);
    assert_int_equal(thread.status, HANG);
    assert_non_null(strstr(thread.message, "the program hangs"));
    close_steered(&s);
}

static void threads_that_wait_for_each_others_streams(void **state)
{
    struct steered s;
    pthread_t ids[2];
    struct waiting_thread threads[2];
    (void)state;
    SKIP_WHERE_THREADS_NAP();
    open_steered(&s, "early", 2);
    for (int i = 0; i < 2; i++) {
        ok(rill_stream_wait_value32(s.streams[i], word_at(&s, i), 1, RILL_WAIT_GEQ));
        threads[i] = (struct waiting_thread){ .stream = s.streams[i] };
    }
    for (int i = 0; i < 2; i++) pthread_create(&ids[i], NULL, synchronize_main, &threads[i]);
    for (int i = 0; i < 2; i++) pthread_join(ids[i], NULL);
    for (int i = 0; i < 2; i++) {
        assert_true(threads[i].in_time);
        assert_int_equal(threads[i].status, HANG);
    }
    close_steered(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_that_nobody_writes),
        cmocka_unit_test(streams_that_wait_for_each_others_values),
        cmocka_unit_test(under_serial_a_wait_that_was_submitted_before_its_write),
        cmocka_unit_test(a_launch_that_waits_for_a_value),
        cmocka_unit_test(a_function_that_waits_for_what_nobody_posts),
        cmocka_unit_test(a_function_that_waits_for_a_stream_that_waits_for_ever),
        cmocka_unit_test(a_lock_that_is_held_across_a_wait),
        cmocka_unit_test(a_join_of_a_thread_that_waits),
        cmocka_unit_test(threads_that_wait_for_each_others_streams),
        cmocka_unit_test(most_hangs_are_told_soon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
