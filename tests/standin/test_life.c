/* SPDX-License-Identifier: Apache-2.0
 *
 * The stand-in comes and goes: what a process may do before cuInit(), in a child, at its
 * end with work pending, and with a library that it loads and unloads.
 */
#include <dirent.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "standin/library.h"

/* ---- A stream that is held ------------------------------------------------------------ */

static void begin(void)
{
    CUcontext context;
    OK(CALL(cuInit, (unsigned), (0)));
    OK(CALL(cuDevicePrimaryCtxRetain, (CUcontext *, CUdevice), (&context, 0)));
    OK(CALL(cuCtxSetCurrent, (CUcontext), (context)));
}

/* Waits for a value that nobody writes. */
static CUstream held_stream(void)
{
    CUstream stream;
    CUdeviceptr word;
    OK(CALL(cuStreamCreate, (CUstream *, unsigned), (&stream, 0)));
    OK(CALL(cuMemAlloc_v2, (CUdeviceptr *, size_t), (&word, 4)));
    OK(CALL(cuMemsetD8_v2, (CUdeviceptr, unsigned char, size_t), (word, 0, 4)));
    OK(CALL(cuStreamWaitValue32_v2, (CUstream, CUdeviceptr, uint32_t, unsigned),
            (stream, word, 1, 1)));
    return stream;
}

static void pause_for_good(void *begun)
{
    __atomic_store_n((int *)begun, 1, __ATOMIC_RELEASE);
    for (;;) pause();
}

/* How many seconds it took the child to end, all by itself and with status 0. */
static double ended(pid_t child)
{
    struct timespec from, to;
    int status = 0;
    clock_gettime(CLOCK_MONOTONIC, &from);
    assert_int_equal(waitpid(child, &status, 0), child);
    clock_gettime(CLOCK_MONOTONIC, &to);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    return (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
}

/* Under valgrind, at whose end all memory that can be touched is looked through, that takes
 * its time. */
static double promptly(void)
{
    return getenv("RILL_TEST_SCALE") ? 60 : 10;
}

/* A child that ends with exit() after `work`, which must not take for ever. */
static pid_t child_that(void (*work)(void))
{
    pid_t child = fork();
    if (child) return child;
    alarm(20 * (unsigned)promptly());
    library_open();
    work();
    exit(0);
}

/* ---- Ends ------------------------------------------------------------------------------- */

static void leave_work(void)
{
    begin();
    held_stream();
}

static void leave_a_function(void)
{
    static int begun;
    begin();
    held_stream();
    CUstream other;
    OK(CALL(cuStreamCreate, (CUstream *, unsigned), (&other, CU_STREAM_NON_BLOCKING)));
    OK(CALL(cuLaunchHostFunc, (CUstream, CUhostFn, void *), (other, pause_for_good, &begun)));
    while (!__atomic_load_n(&begun, __ATOMIC_ACQUIRE)) usleep(1000);
}

static CUresult (*query)(CUstream);
static CUresult (*initialize)(unsigned flags);
static CUstream queried;

static void ask_late(void)
{
    if (query(queried) != RILL_ERROR_DEINITIALIZED) _exit(1);
    if (initialize(0) != RILL_ERROR_DEINITIALIZED) _exit(2);
    if (query(queried) != RILL_ERROR_DEINITIALIZED) _exit(3);
}

static void ask_at_the_end(void)
{
    library_open();
    find("cuStreamQuery", &query);
    find("cuInit", &initialize);
    atexit(ask_late); /* before cuInit(), so that it runs after the stand-in's end */
    begin();
    queried = held_stream();
}

static void a_process_ends_with_work_pending(void **state)
{
    (void)state;
    assert_true(ended(child_that(leave_work)) < promptly());
}

static void a_process_ends_inside_a_host_function(void **state)
{
    (void)state;
    assert_true(ended(child_that(leave_a_function)) < promptly());
}

static void calls_after_the_end_say_so(void **state)
{
    (void)state;
    assert_true(ended(child_that(ask_at_the_end)) < promptly());
}

/* ---- Forks --------------------------------------------------------------------------------- */

static void fork_first(void)
{
    pid_t child = fork();
    if (!child) {
        alarm(20 * (unsigned)promptly());
        begin();
        OK(CALL(cuCtxSynchronize, (void), ()));
        exit(0);
    }
    begin();
    ended(child);
}

/* Ends a child that was forked beside other threads.  A lock that one of them held is held
 * in the child for ever, and the leak check of AddressSanitizer takes its allocator's. */
static void end_forked(int status)
{
#ifdef __SANITIZE_ADDRESS__
    _exit(status);
#else
    exit(status);
#endif
}

static void fork_later(void)
{
    begin();
    pid_t child = fork();
    if (!child) {
        alarm(20 * (unsigned)promptly()); /* alarms are not inherited */
        CUcontext context = NULL;
        int count;
        int right = CALL(cuInit, (unsigned), (0)) == RILL_ERROR_NOT_INITIALIZED &&
                    CALL(cuDeviceGetCount, (int *), (&count)) == RILL_ERROR_NOT_INITIALIZED &&
                    CALL(cuCtxGetCurrent, (CUcontext *), (&context)) ==
                        RILL_ERROR_NOT_INITIALIZED &&
                    CALL(cuCtxSynchronize, (void), ()) == RILL_ERROR_NOT_INITIALIZED;
        end_forked(!right);
    }
    ended(child);
    OK(CALL(cuCtxSynchronize, (void), ()));
}

static void a_process_forks_before_it_begins(void **state)
{
    (void)state;
    ended(child_that(fork_first));
}

static void a_child_of_one_that_has_begun_is_told(void **state)
{
    (void)state;
    ended(child_that(fork_later));
}

/* ---- Unloading ------------------------------------------------------------------------------- */

static int threads(void)
{
    DIR *tasks = opendir("/proc/self/task");
    int count = 0;
    if (!tasks) return -1;
    for (struct dirent *entry; (entry = readdir(tasks));) count += entry->d_name[0] != '.';
    closedir(tasks);
    return count;
}

/* A thread that was joined may be listed for a moment still. */
static int threads_settle_at(int wanted)
{
    for (int i = 0; i < 1000 && threads() != wanted; i++) usleep(1000);
    return threads();
}

/* What the library has of its own goes with it: leak checkers look. */
static void leave_linking(void)
{
    static const char text[] = ".version 7.0\n.target sm_75\n.address_size 64\n";
    CUlinkState linking;
    OK(CALL(cuLinkCreate_v2, (unsigned, int *, void **, CUlinkState *),
            (0, NULL, NULL, &linking)));
    OK(CALL(cuLinkAddData_v2, (CUlinkState, int, const void *, size_t, const char *, unsigned,
                               int *, void **),
            (linking, 1, text, sizeof text, NULL, 0, NULL, NULL)));
}

static void unloading_leaves_no_thread_behind(void **state)
{
    (void)state;
    int before = threads();
    if (LIBRARY_STAYS || before < 0) skip(); /* no /proc here */
    for (int i = 0; i < 3; i++) {
        library_open();
        begin();
        held_stream();
        CUcontext own;
        OK(CALL(cuCtxCreate_v2, (CUcontext *, unsigned, CUdevice), (&own, 0, 0)));
        held_stream();
        leave_linking();
        assert_int_equal(dlclose(library), 0);
        assert_null(dlopen("./" LIBRARY, RTLD_NOW | RTLD_NOLOAD));
        assert_int_equal(threads_settle_at(before), before);
    }
}

static void a_library_that_was_not_used_is_unloaded(void **state)
{
    (void)state;
    int before = threads();
    library_open();
    assert_int_equal(CALL(cuCtxSynchronize, (void), ()), RILL_ERROR_NOT_INITIALIZED);
    assert_int_equal(threads(), before);
    assert_int_equal(library_close(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_process_ends_with_work_pending),
        cmocka_unit_test(a_process_ends_inside_a_host_function),
        cmocka_unit_test(calls_after_the_end_say_so),
        cmocka_unit_test(a_process_forks_before_it_begins),
        cmocka_unit_test(a_child_of_one_that_has_begun_is_told),
        cmocka_unit_test(a_library_that_was_not_used_is_unloaded),
        cmocka_unit_test(unloading_leaves_no_thread_behind),
    };
    return cmocka_run_group_tests_name("standin/life", tests, NULL, NULL);
}
