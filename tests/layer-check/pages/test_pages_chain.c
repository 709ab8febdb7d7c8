/* SPDX-License-Identifier: Apache-2.0
 *
 * Faults that are not ours, and handlers of the program before ours and after it.  Each test runs
 * in a child, whose status it compares: with a handler that was never there before.
 */
#include "layer-check/pages/twice_mapped.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>

static struct scene scene;
static unsigned char *foreign; /* a page that nobody may touch, and is not pinned */
static volatile int their_calls; /* of handlers of the program */

static void guard_first(void)
{
    static uint64_t number;
    if (!ck_pages_guard(scene.pages, scene.memory.program, 1, RILL_TOUCH_WRITE,
                        until(1, ++number)))
        _exit(90);
}

static void touch_first(void)
{
    write_byte(scene.memory.program, 1);
}

/* Runs the function in a child and returns how it ended. */
static int status_of(void (*function)(void))
{
    int status = -1;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        const struct rlimit none = { 0, 0 };
        struct sigaction action = { .sa_handler = SIG_DFL };
        setrlimit(RLIMIT_CORE, &none);
        sigaction(SIGSEGV, &action, NULL); /* cmocka's and sanitizers' is gone */
        scene.memory = map_twice();
        scene.pages = ck_pages_create(note_touch, &scene.touches);
        foreign = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (!ck_pages_add(scene.pages, scene.memory.program, PAGES * PAGE)) _exit(91);
        function();
        _exit(92);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

#define assert_killed(function, signal)                    \
    do {                                                   \
        int how = status_of(function);                     \
        assert_true(WIFSIGNALED(how));                     \
        assert_int_equal(WTERMSIG(how), signal);           \
    } while (0)

static void assert_exit(void (*function)(void), int code)
{
    int status = status_of(function);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), code);
}

static void set_action(int flags, void *handler)
{
    struct sigaction action = { .sa_flags = flags };
    sigemptyset(&action.sa_mask);
    if (flags & SA_SIGINFO)
        action.sa_sigaction = (void (*)(int, siginfo_t *, void *))(uintptr_t)handler;
    else action.sa_handler = (void (*)(int))(uintptr_t)handler;
    sigaction(SIGSEGV, &action, NULL);
}

/* ---- Nobody's ------------------------------------------------------------------------------- */

static void fault_with_default(void)
{
    guard_first();
    touch_first();
    write_byte(foreign, 1);
}

static void fault_while_ignored(void)
{
    set_action(0, (void *)(uintptr_t)SIG_IGN);
    fault_with_default();
}

static void fault_at_no_address(void)
{
    unsigned char *volatile nowhere = (unsigned char *)16;
    guard_first();
    write_byte(nowhere, 1);
}

static void send_with_default(void)
{
    guard_first();
    raise(SIGSEGV);
}

static void send_while_ignored(void)
{
    set_action(0, (void *)(uintptr_t)SIG_IGN);
    guard_first();
    raise(SIGSEGV);
    touch_first();
    _exit(scene.touches.count == 1 ? 3 : 4);
}

static void a_fault_without_a_handler_has_the_default_action(void **state)
{
    (void)state;
    assert_killed(fault_with_default, SIGSEGV);
    assert_killed(fault_while_ignored, SIGSEGV);
    assert_killed(fault_at_no_address, SIGSEGV);
}

static void a_signal_that_is_sent_has_its_action(void **state)
{
    (void)state;
    assert_killed(send_with_default, SIGSEGV);
    assert_exit(send_while_ignored, 3);
}

/* ---- Handlers before ours ------------------------------------------------------------------- */

static void check_mask(int good_code)
{
    sigset_t mask;
    pthread_sigmask(SIG_BLOCK, NULL, &mask);
    _exit(sigismember(&mask, SIGSEGV) && !sigismember(&mask, SIGUSR1) ? good_code : 5);
}

static void handle_plainly(int signal)
{
    check_mask(signal == SIGSEGV ? 10 : 6);
}

static void handle_with_info(int signal, siginfo_t *info, void *context)
{
    if (signal != SIGSEGV || !context || info->si_addr != foreign) _exit(7);
    check_mask(11);
}

static void open_foreign(int signal, siginfo_t *info, void *context)
{
    (void)signal, (void)context;
    mprotect(info->si_addr, PAGE, PROT_READ | PROT_WRITE);
}

static void fault_before_plain(void)
{
    set_action(0, (void *)(uintptr_t)handle_plainly);
    fault_with_default();
}

static void fault_before_info(void)
{
    set_action(SA_SIGINFO, (void *)(uintptr_t)handle_with_info);
    fault_with_default();
}

static void fault_twice_before_one_that_opens(void)
{
    set_action(SA_SIGINFO, (void *)(uintptr_t)open_foreign);
    for (int i = 0; i < 2; i++) {
        fault_with_default();
        mprotect(foreign, PAGE, PROT_NONE);
    }
    _exit(scene.touches.count == 2 ? 12 : 8);
}

static void fault_twice_before_one_of_a_time(void)
{
    set_action(SA_SIGINFO | (int)SA_RESETHAND, (void *)(uintptr_t)open_foreign);
    fault_with_default();
    mprotect(foreign, PAGE, PROT_NONE);
    fault_with_default();
}

static sigjmp_buf back;

static void jump_back(int signal)
{
    (void)signal;
    siglongjmp(back, 1);
}

static void fault_often_before_one_that_jumps(void)
{
    static volatile int jumps;
    set_action(0, (void *)(uintptr_t)jump_back);
    if (sigsetjmp(back, 1)) jumps++;
    if (jumps < 5) fault_with_default();
    guard_first();
    touch_first();
    _exit(13);
}

static void a_handler_that_was_there_gets_what_is_not_ours(void **state)
{
    (void)state;
    assert_exit(fault_before_plain, 10);
    assert_exit(fault_before_info, 11);
    assert_exit(fault_twice_before_one_that_opens, 12);
    assert_killed(fault_twice_before_one_of_a_time, SIGSEGV);
    assert_exit(fault_often_before_one_that_jumps, 13);
}

/* ---- Handlers after ours -------------------------------------------------------------------- */

static struct sigaction known; /* to a handler of the program */
static void (*known_plain)(int);

static void call_known(int signal, siginfo_t *info, void *context)
{
    their_calls++;
    known.sa_sigaction(signal, info, context);
}

static void call_known_plain(int signal)
{
    their_calls++;
    known_plain(signal);
}

static void install_over_ours(void)
{
    struct sigaction action = { .sa_flags = SA_SIGINFO, .sa_sigaction = call_known };
    sigaction(SIGSEGV, &action, &known);
}

static void touch_through_a_later_handler(void)
{
    guard_first();
    install_over_ours();
    touch_first();
    if (scene.touches.count != 1 || their_calls != 1) _exit(20);
    guard_first(); /* ours is in front again */
    touch_first();
    _exit(scene.touches.count == 2 && their_calls == 1 ? 21 : 22);
}

static void fault_through_a_later_handler(void)
{
    set_action(SA_SIGINFO, (void *)(uintptr_t)handle_with_info);
    guard_first();
    install_over_ours();
    touch_first();
    fault_with_default(); /* ours, theirs, ours, and the one that was there first */
}

static void fault_through_a_later_plain_handler(void)
{
    set_action(0, (void *)(uintptr_t)handle_plainly);
    guard_first();
    sigaction(SIGSEGV, NULL, &known);
    known_plain = (void (*)(int))(uintptr_t)known.sa_sigaction;
    set_action(0, (void *)(uintptr_t)call_known_plain);
    ck_pages_remove(scene.pages, scene.memory.program);
    ck_pages_add(scene.pages, scene.memory.program, PAGE);
    fault_with_default();
}

static void put_ours_back(void)
{
    guard_first();
    install_over_ours();
    touch_first();
    guard_first();
    sigaction(SIGSEGV, &known, NULL);
    touch_first();
    guard_first();
    touch_first();
    if (scene.touches.count != 3 || their_calls != 1) _exit(23);
    write_byte(foreign, 1); /* theirs is gone: this is the end */
}

static void install_often(void)
{
    for (int i = 0; i < 100; i++) {
        set_action(0, i % 2 ? (void *)(uintptr_t)handle_plainly : (void *)(uintptr_t)jump_back);
        guard_first();
        touch_first();
    }
    if (scene.touches.count != 100) _exit(24);
    write_byte(foreign, 1); /* handle_plainly() was the last */
}

static void a_handler_that_comes_later_is_put_after_ours(void **state)
{
    (void)state;
    assert_exit(touch_through_a_later_handler, 21);
    assert_exit(fault_through_a_later_handler, 11);
    assert_exit(install_often, 10);
}

static void a_handler_may_call_ours_with_the_number_alone(void **state)
{
    (void)state;
    assert_exit(fault_through_a_later_plain_handler, 10);
}

static void a_handler_that_is_taken_back_is_not_called_any_more(void **state)
{
    (void)state;
    assert_killed(put_ours_back, SIGSEGV);
}

/* ---- Protection of the program's own -------------------------------------------------------- */

static void open_theirs(int signal, siginfo_t *info, void *context)
{
    (void)signal, (void)context;
    uintptr_t page = (uintptr_t)info->si_addr & ~(uintptr_t)(PAGE - 1);
    their_calls++;
    mprotect((void *)page, PAGE, PROT_READ | PROT_WRITE);
}

static void protect_pinned_memory(void)
{
    set_action(SA_SIGINFO, (void *)(uintptr_t)open_theirs);
    guard_first();
    for (int i = 0; i < 3; i++) {
        mprotect(scene.memory.program + PAGE, PAGE, PROT_READ);
        write_byte(scene.memory.program + PAGE, 1);
    }
    _exit(their_calls == 3 ? 30 : 31);
}

static void a_program_may_protect_its_pinned_memory_itself(void **state)
{
    (void)state;
    assert_exit(protect_pinned_memory, 30);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fault_without_a_handler_has_the_default_action),
        cmocka_unit_test(a_signal_that_is_sent_has_its_action),
        cmocka_unit_test(a_handler_that_was_there_gets_what_is_not_ours),
        cmocka_unit_test(a_handler_that_comes_later_is_put_after_ours),
        cmocka_unit_test(a_handler_may_call_ours_with_the_number_alone),
        cmocka_unit_test(a_handler_that_is_taken_back_is_not_called_any_more),
        cmocka_unit_test(a_program_may_protect_its_pinned_memory_itself),
    };
    if (skips_all()) return 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
