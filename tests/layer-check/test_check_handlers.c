/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs with handlers of SIGSEGV, as test frameworks and interpreters install them: touches of
 * pinned memory are seen all the same, and do not end the program.
 */
#include <setjmp.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "layer-check/pages/pages.h"
#include "layer-check/pairs.h"

static unsigned char *new_pinned(struct checked *c)
{
    void *pinned;
    OK(rill_host_alloc(c->context, BYTES, 0, &pinned));
    memset(pinned, 1, BYTES);
    return pinned;
}

static void touch(unsigned char *pinned)
{
    *(volatile unsigned char *)pinned = 2;
}

static void submit_copy(struct checked *c, const void *pinned)
{
    OK(rill_memcpy_htod_async(c->s, c->x, pinned, BYTES));
}

static void make_any_call(struct checked *c)
{
    OK(rill_event_record(c->event, c->t, 0)); /* closes no page */
}

/* Ends a program in which one place raced with a copy, so many times. */
static void expect_touches(struct checked *c, void *pinned, uint64_t times)
{
    uint64_t count = 0;
    OK(rill_context_synchronize(c->context));
    expect_found(c, RILL_FINDING_RACE,
                 "the host writes what memcpy reads, and nothing orders them");
    OK(rill_check_count(c->platform, &count));
    assert_int_equal(count, times);
    OK(rill_host_free(c->context, pinned));
    end_pair(c);
}

/* ---- One that is installed for good --------------------------------------------------------- */

static sigjmp_buf back;

static void jump_back(int signal)
{
    siglongjmp(back, signal);
}

static void one_that_is_installed_later_gets_no_fault_of_ours(void **state)
{
    struct checked c;
    struct sigaction before;
    volatile bool theirs = false;
    (void)state;
    begin_pair(&c);
    unsigned char *pinned = new_pinned(&c);
    submit_copy(&c, pinned);
    sigaction(SIGSEGV, NULL, &before);
    signal(SIGSEGV, jump_back);
    make_any_call(&c);
    if (sigsetjmp(back, 1)) theirs = true;
    else touch(pinned);
    sigaction(SIGSEGV, &before, NULL);
    assert_false(theirs);
    expect_touches(&c, pinned, 1);
}

#define JUMP(n)                                                                                    \
    static void jump_back_##n(int signal)                                                          \
    {                                                                                              \
        siglongjmp(back, signal + n);                                                              \
    }
JUMP(1) JUMP(2) JUMP(3) JUMP(4) JUMP(5) JUMP(6) JUMP(7) JUMP(8) JUMP(9)

/* When there are too many, pages are not guarded any more. */
static void there_may_be_many(void **state)
{
    static void (*const handlers[])(int) = {
        jump_back_1, jump_back_2, jump_back_3, jump_back_4, jump_back_5,
        jump_back_6, jump_back_7, jump_back_8, jump_back_9,
    };
    struct checked c;
    struct sigaction before;
    volatile int theirs = 0;
    (void)state;
    begin_pair(&c);
    unsigned char *pinned = new_pinned(&c);
    sigaction(SIGSEGV, NULL, &before);
    for (size_t i = 0; i < sizeof handlers / sizeof handlers[0]; i++) {
        submit_copy(&c, pinned);
        signal(SIGSEGV, handlers[i]);
        make_any_call(&c);
        if (sigsetjmp(back, 1)) theirs++;
        else touch(pinned);
        OK(rill_context_synchronize(c.context));
    }
    sigaction(SIGSEGV, &before, NULL);
    assert_int_equal(theirs, 0);
    assert_int_equal(c.count, 1);
    OK(rill_host_free(c.context, pinned));
    end_pair(&c);
}

/* ---- One for each test case ----------------------------------------------------------------- */

/* As Catch2 does: a handler on a small stack of its own, taken back behind each test case, which
 * writes that the test has crashed and passes the signal on to what was there before. */
static struct {
    struct sigaction before;
    stack_t stack_before;
    _Alignas(16) unsigned char stack[32768];
} framework;

static void take_back(void)
{
    sigaction(SIGSEGV, &framework.before, NULL);
    sigaltstack(&framework.stack_before, NULL);
}

static void tell_of_crash(int signal)
{
    static const char told[] = "crashed\n";
    ssize_t written = write(STDOUT_FILENO, told, sizeof told - 1);
    (void)written;
    take_back();
    raise(signal);
}

static void begin_test_case(void)
{
    const struct sigaction action = { .sa_flags = SA_ONSTACK, .sa_handler = tell_of_crash };
    const stack_t stack = { .ss_sp = framework.stack, .ss_size = sizeof framework.stack };
    sigaltstack(&stack, &framework.stack_before);
    sigaction(SIGSEGV, &action, &framework.before);
}

static void one_for_each_test_case_gets_no_fault_of_ours(void **state)
{
    enum { TEST_CASES = 20 };
    struct checked c;
    (void)state;
    begin_pair(&c);
    unsigned char *pinned = new_pinned(&c);
    for (int i = 0; i < TEST_CASES; i++) {
        begin_test_case();
        submit_copy(&c, pinned);
        touch(pinned);
        OK(rill_context_synchronize(c.context));
        take_back();
    }
    expect_touches(&c, pinned, TEST_CASES);
}

/* The platform is the test case's, too. */
static void a_platform_in_each_test_case_sees_touches(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++) {
        struct checked c;
        begin_test_case();
        begin_pair(&c);
        unsigned char *pinned = new_pinned(&c);
        submit_copy(&c, pinned);
        touch(pinned);
        expect_touches(&c, pinned, 1);
        take_back();
    }
}

/* ---- Test cases that shall crash ------------------------------------------------------------ */

static int status_of_child(void (*function)(struct checked *c, unsigned char *pinned),
                           struct checked *c, unsigned char *pinned)
{
    int status = -1;
    fflush(NULL);
    pid_t child = fork();
    if (!child) {
        const struct rlimit none = { 0, 0 };
        setrlimit(RLIMIT_CORE, &none);
        alarm(60);
        function(c, pinned);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void touch_and_abort(struct checked *c, unsigned char *pinned)
{
    (void)c;
    signal(SIGABRT, SIG_DFL);
    touch(pinned);
    abort();
}

/* A death test runs in a child, which the layer leaves alone. */
static void a_child_may_touch_and_die(void **state)
{
    struct checked c;
    (void)state;
    begin_pair(&c);
    unsigned char *pinned = new_pinned(&c);
    begin_test_case();
    submit_copy(&c, pinned);
    int status = status_of_child(touch_and_abort, &c, pinned);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGABRT);
    expect_nothing(&c);
    touch(pinned); /* in front of any call: the guard has outlived the child */
    take_back();
    expect_touches(&c, pinned, 1);
}

static void crash_in_a_test_case(struct checked *c, unsigned char *pinned)
{
    const struct sigaction action = { .sa_handler = SIG_DFL };
    unsigned char *volatile nowhere = (unsigned char *)16;
    (void)c, (void)pinned;
    sigaction(SIGSEGV, &action, NULL); /* cmocka's and sanitizers' is gone */
    begin_test_case();
    begin_pair(c);
    pinned = new_pinned(c);
    submit_copy(c, pinned);
    touch(pinned);
    *nowhere = 1;
}

/* In a process that is checked. */
static void a_crash_is_told_to_the_framework(void **state)
{
    struct checked c;
    (void)state;
    int told[2];
    char text[64] = "";
    assert_int_equal(pipe(told), 0);
    int out = dup(STDOUT_FILENO);
    dup2(told[1], STDOUT_FILENO);
    int status = status_of_child(crash_in_a_test_case, &c, NULL);
    dup2(out, STDOUT_FILENO);
    close(out);
    close(told[1]);
    ssize_t length = read(told[0], text, sizeof text - 1);
    close(told[0]);
    (void)length;
    assert_string_equal(text, "crashed\n");
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGSEGV);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crash_is_told_to_the_framework), /* in front of any platform */
        cmocka_unit_test(one_that_is_installed_later_gets_no_fault_of_ours),
        cmocka_unit_test(one_for_each_test_case_gets_no_fault_of_ours),
        cmocka_unit_test(a_platform_in_each_test_case_sees_touches),
        cmocka_unit_test(a_child_may_touch_and_die),
        cmocka_unit_test(there_may_be_many), /* the last: nothing is guarded then */
    };
    const char *unusable = ck_pages_unusable();
    if (unusable) {
        printf("1..0 # SKIP %s\n", unusable);
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, end_sources);
}
