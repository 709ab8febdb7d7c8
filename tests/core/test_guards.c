/* SPDX-License-Identifier: Apache-2.0
 *
 * Guards: leave of a thread to do what captures forbid, and its end.
 */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/recording.h"

static rill_capture_mode mode_of_thread(void)
{
    rill_capture_mode mode = RILL_CAPTURE_GLOBAL;
    assert_int_equal(rill_thread_exchange_capture_mode(platform, &mode), RILL_SUCCESS);
    rill_capture_mode had = mode;
    assert_int_equal(rill_thread_exchange_capture_mode(platform, &mode), RILL_SUCCESS);
    return had;
}

static void guards_nest(void **state)
{
    (void)state;
    rill_capture_mode before = mode_of_thread();
    assert_int_not_equal(before, RILL_CAPTURE_RELAXED);
    rill_capture_guard outer = rill_capture_relax(platform);
    assert_int_equal(mode_of_thread(), RILL_CAPTURE_RELAXED);
    rill_capture_guard inner = rill_capture_relax(platform);
    assert_int_equal(rill_capture_restore(&inner), RILL_SUCCESS);
    assert_int_equal(mode_of_thread(), RILL_CAPTURE_RELAXED);
    assert_int_equal(rill_capture_restore(&inner), RILL_SUCCESS); /* nothing */
    assert_int_equal(mode_of_thread(), RILL_CAPTURE_RELAXED);
    assert_int_equal(rill_capture_restore(&outer), RILL_SUCCESS);
    assert_int_equal(mode_of_thread(), before);
}

static void *restore_elsewhere(void *guard)
{
    return (void *)(intptr_t)rill_capture_restore(guard);
}

static void a_guard_is_of_its_thread(void **state)
{
    (void)state;
    pthread_t thread;
    void *status;
    rill_capture_guard guard = rill_capture_relax(platform);
    pthread_create(&thread, NULL, restore_elsewhere, &guard);
    pthread_join(thread, &status);
    assert_int_equal((intptr_t)status, RILL_ERROR_STREAM_CAPTURE_WRONG_THREAD);
    assert_int_equal(rill_capture_restore(&guard), RILL_SUCCESS);
    assert_int_not_equal(mode_of_thread(), RILL_CAPTURE_RELAXED);
}

/* The number of the thread of a child, which has one. */
static int child_knows_itself(void)
{
    const rill_open_options shim = { .size = sizeof shim, .backend = "shim" };
    rill_platform *own = NULL;
    if (rill_open(&shim, &own)) return 2;
    return rill_capture_relax(own).thread == (uint64_t)getpid() ? 0 : 1;
}

static void a_guard_in_a_child_is_of_its_thread(void **state)
{
    (void)state;
    int left = -1;
    rill_capture_guard guard = rill_capture_relax(platform);
    assert_int_equal(guard.thread, (uint64_t)getpid());
    pid_t child = fork();
    if (!child) _exit(child_knows_itself());
    assert_int_equal(waitpid(child, &left, 0), child);
    assert_int_equal(left, 0);
    assert_int_equal(rill_capture_restore(&guard), RILL_SUCCESS);
}

static void a_guard_that_failed_restores_nothing(void **state)
{
    (void)state;
    shim_lack("backend->capture");
    rill_capture_guard guard = rill_capture_relax(platform);
    assert_null(guard.platform);
    assert_int_equal(rill_last_error()->status, RILL_ERROR_NOT_SUPPORTED);
    assert_int_equal(rill_capture_restore(&guard), RILL_SUCCESS);
    shim_restore();
    assert_int_equal(rill_capture_restore(NULL), RILL_ERROR_INVALID_VALUE);
    assert_string_equal(rill_last_error()->operation, "rill_capture_restore");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(guards_nest),
        TEST(a_guard_is_of_its_thread),
        TEST(a_guard_in_a_child_is_of_its_thread),
        TEST(a_guard_that_failed_restores_nothing),
    };
    return cmocka_run_group_tests(tests, open_backend, NULL);
}
