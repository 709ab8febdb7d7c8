/* SPDX-License-Identifier: Apache-2.0
 *
 * How a process ends that was checked: what it writes, when, and with which status.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "layer-check/reports.h"

static char log_file[64], said[65536];

/* The platform that a child leaves open: memory that is found from here has not leaked. */
static struct ck_report *volatile left_open;

/* What the child does after the session began; its platform stays open. */
typedef void child_fn(struct ck_report *report);

static void begin_child(const char *settings, child_fn *act)
{
    char all[256], why[CK_WHY_MAX];
    snprintf(all, sizeof all, "log=%s %s", log_file, settings);
    setenv("RILL_CHECK", all, 1);
    alarm(60);
    struct ck_session *session = ck_session_of_process(why);
    if (!session) _exit(100);
    session->finder.source = find_made_up;
    struct ck_report *report = ck_report_create(session);
    if (!report) _exit(101);
    left_open = report;
    act(report);
}

/* Returns how a child ended that acts so; what it wrote is in `said`. */
static int run_child(const char *settings, child_fn *act)
{
    const struct rlimit no_core = { 0, 0 };
    int ended = 0;
    name_file(log_file, "log");
    fflush(NULL);
    pid_t child = fork();
    if (!child) {
        for (int number = 1; number < 32; number++) signal(number, SIG_DFL);
        setrlimit(RLIMIT_CORE, &no_core);
        begin_child(settings, act);
        _exit(102);
    }
    while (waitpid(child, &ended, 0) < 0 && errno == EINTR) { }
    read_file(log_file, said, sizeof said);
    unlink(log_file);
    return ended;
}

static void add_race(struct ck_report *report)
{
    const struct ck_finding finding = race(10);
    ck_report_add(report, &finding);
}

static const char block_end[] = "==rill==   id race-6811bb, once\n==rill==\n"
                                "==rill== 1 finding: 1 race\n";

static void expect_report(void)
{
    const char *end = strstr(said, "==rill==   id");
    if (!end) fail_msg("it wrote: %s", said);
    assert_string_equal(end, block_end);
}

/* ---- exit() --------------------------------------------------------------------------------- */

static void find_and_exit(struct ck_report *report)
{
    add_race(report);
    exit(7);
}

static void see_a_kernel_fail(struct ck_report *report)
{
    ck_report_failed(report);
    exit(7);
}

static void find_nothing(struct ck_report *report)
{
    (void)report;
    exit(7);
}

static void close_and_exit(struct ck_report *report)
{
    add_race(report);
    ck_report_destroy(report);
    exit(7);
}

static void the_programs_status_stands_unless_another_is_asked_for(void **state)
{
    (void)state;
    assert_int_equal(WEXITSTATUS(run_child("", find_and_exit)), 7);
    expect_report();
    assert_int_equal(WEXITSTATUS(run_child("exitcode=99", find_and_exit)), 99);
    expect_report();
    assert_int_equal(WEXITSTATUS(run_child("exitcode=99", close_and_exit)), 99);
    expect_report();
    assert_int_equal(WEXITSTATUS(run_child("exitcode=99", see_a_kernel_fail)), 99);
    assert_string_equal(said, "==rill== no findings; 1 failed kernel; "
                              "looked for race, life, capture, hang\n");
    assert_int_equal(WEXITSTATUS(run_child("exitcode=99", find_nothing)), 7);
    assert_string_equal(said, "==rill== no findings; looked for race, life, capture, hang\n");
}

/* As pytest does: the first call of the library is made while a file without a name takes what a
 * test prints. */
static void the_report_of_a_captured_process_is_seen(void **state)
{
    char why[CK_WHY_MAX];
    int ended;
    (void)state;
    name_file(log_file, "log");
    fflush(NULL);
    pid_t child = fork();
    if (!child) {
        unsetenv("RILL_CHECK");
        dup2(open(log_file, O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
        int uncaptured = dup(STDERR_FILENO);
        dup2(fileno(tmpfile()), STDERR_FILENO);
        struct ck_session *session = ck_session_of_process(why);
        if (!session) _exit(100);
        session->finder.source = find_made_up;
        left_open = ck_report_create(session);
        add_race(left_open);
        dup2(uncaptured, STDERR_FILENO);
        exit(7);
    }
    while (waitpid(child, &ended, 0) < 0 && errno == EINTR) { }
    read_file(log_file, said, sizeof said);
    unlink(log_file);
    assert_int_equal(WEXITSTATUS(ended), 7);
    expect_report();
}

static char late_file[64];
static FILE *late;

static void write_late(void) { fputs("late", late); }

static void write_at_exit(struct ck_report *report)
{
    late = fopen(late_file, "w");
    fputs("early, ", late);
    atexit(write_late);
    find_and_exit(report);
}

static void functions_for_the_end_run_and_buffers_arrive(void **state)
{
    char words[64];
    (void)state;
    name_file(late_file, "late");
    assert_int_equal(WEXITSTATUS(run_child("exitcode=99", write_at_exit)), 99);
    read_file(late_file, words, sizeof words);
    unlink(late_file);
    assert_string_equal(words, "early, late");
}

static void *hold_input(void *data)
{
    flockfile(stdin);
    atomic_store((atomic_int *)data, 1);
    pause();
    return NULL;
}

/* As a thread does that reads the input when the process ends. */
static void exit_while_input_is_read(struct ck_report *report)
{
    pthread_t thread;
    static atomic_int held;
    pthread_create(&thread, NULL, hold_input, &held);
    while (!atomic_load(&held)) sched_yield();
    find_and_exit(report);
}

/* Tells whether a process ends so without the library: where exit() waits for the input, no
 * library can help. */
static bool ends_while_input_is_read(void)
{
    int ended;
    pid_t child = fork();
    if (!child) {
        static atomic_int held;
        pthread_t thread;
        signal(SIGALRM, SIG_DFL);
        alarm(3);
        pthread_create(&thread, NULL, hold_input, &held);
        while (!atomic_load(&held)) sched_yield();
        exit(7);
    }
    while (waitpid(child, &ended, 0) < 0 && errno == EINTR) { }
    return WIFEXITED(ended);
}

static void a_thread_that_reads_does_not_hold_the_end_up(void **state)
{
    (void)state;
#ifdef __GLIBC__
    fflush(NULL);
    if (!ends_while_input_is_read()) skip();
    assert_int_equal(WEXITSTATUS(run_child("exitcode=99", exit_while_input_is_read)), 99);
    expect_report();
#else
    (void)exit_while_input_is_read;
#endif
}

/* ---- fork() ---------------------------------------------------------------------------------- */

static void exit_in_a_child_too(struct ck_report *report)
{
    int ended;
    add_race(report);
    pid_t child = fork();
    if (!child) exit(0);
    waitpid(child, &ended, 0);
    exit(WEXITSTATUS(ended) ? 103 : 7);
}

static void check_again_in_a_child(struct ck_report *report)
{
    char why[CK_WHY_MAX];
    int ended;
    ck_report_destroy(report);
    pid_t child = fork();
    if (!child) {
        struct ck_session *session = ck_session_of_process(why);
        if (!session) _exit(104);
        session->finder.source = find_made_up;
        find_and_exit(left_open = ck_report_create(session));
    }
    waitpid(child, &ended, 0);
    exit(WEXITSTATUS(ended));
}

static void a_child_says_nothing_of_what_its_parent_found(void **state)
{
    (void)state;
    assert_int_equal(WEXITSTATUS(run_child("exitcode=99", exit_in_a_child_too)), 99);
    expect_report();
}

static void a_child_that_checks_adds_to_the_file(void **state)
{
    (void)state;
    assert_int_equal(WEXITSTATUS(run_child("exitcode=98", check_again_in_a_child)), 98);
    assert_non_null(strstr(said, block_end));
    assert_non_null(strstr(said, "1 race\n==rill== no findings; looked for"));
}

/* ---- Signals ----------------------------------------------------------------------------- */

static void find_and_abort(struct ck_report *report)
{
    add_race(report);
    abort();
}

static void find_and_terminate(struct ck_report *report)
{
    add_race(report);
    raise(SIGTERM);
}

static void find_and_divide(struct ck_report *report)
{
    add_race(report);
    kill(getpid(), SIGFPE);
    for (;;) pause();
}

static void find_and_read_nothing(struct ck_report *report)
{
    const char *volatile nowhere = (const char *)8;
    add_race(report);
    exit(*nowhere);
}

static void a_process_that_dies_writes_first(void **state)
{
    static const struct {
        child_fn *act;
        int number;
    } deaths[] = {
        { find_and_abort, SIGABRT },
        { find_and_terminate, SIGTERM },
        { find_and_divide, SIGFPE },
        { find_and_read_nothing, SIGSEGV },
    };
    (void)state;
    for (size_t i = 0; i < sizeof deaths / sizeof *deaths; i++) {
        int ended = run_child("exitcode=99", deaths[i].act);
        assert_true(WIFSIGNALED(ended));
        assert_int_equal(WTERMSIG(ended), deaths[i].number);
        expect_report();
    }
}

static void die_inside(struct ck_report *report)
{
    add_race(report);
    rl_lock(&report->session->lock);
    abort();
}

static void a_process_that_dies_inside_says_so(void **state)
{
    (void)state;
    assert_int_equal(WTERMSIG(run_child("", die_inside)), SIGABRT);
    assert_string_equal(said, "==rill== the process died while a finding was noted; what was found "
                              "is not written\n");
}

static void leave_well(int number)
{
    (void)number;
    _exit(12);
}

static void begin_with_a_handler(struct ck_report *report)
{
    char why[CK_WHY_MAX];
    struct sigaction action = { .sa_handler = leave_well }, now;
    signal(SIGTERM, SIG_DFL);
    sigaction(SIGTERM, &action, NULL);
    if (!ck_session_of_process(why)) _exit(105);
    ck_session_watch_death(report->session);
    sigaction(SIGTERM, NULL, &now);
    _exit(now.sa_handler == leave_well ? 0 : 106);
}

static void a_handler_of_the_program_stays(void **state)
{
    (void)state;
    assert_int_equal(run_child("", begin_with_a_handler), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_programs_status_stands_unless_another_is_asked_for),
        cmocka_unit_test(the_report_of_a_captured_process_is_seen),
        cmocka_unit_test(functions_for_the_end_run_and_buffers_arrive),
        cmocka_unit_test(a_thread_that_reads_does_not_hold_the_end_up),
        cmocka_unit_test(a_child_says_nothing_of_what_its_parent_found),
        cmocka_unit_test(a_child_that_checks_adds_to_the_file),
        cmocka_unit_test(a_process_that_dies_writes_first),
        cmocka_unit_test(a_process_that_dies_inside_says_so),
        cmocka_unit_test(a_handler_of_the_program_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
