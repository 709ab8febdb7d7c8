/* SPDX-License-Identifier: Apache-2.0
 *
 * Guards and the rest of the system: children, calls of the kernel, signals of the program.
 */
#include "layer-check/pages/twice_mapped.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "base/unseen.h"
#include "support/glibc.h"

/* ---- Children ------------------------------------------------------------------------------- */

static void assert_child_ends_well(pid_t child)
{
    int status = -1;
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void a_child_of_fork_has_open_pages_and_no_checker(void **state)
{
    struct scene *scene = *state;
    int files[2];
    guard_pages(scene, 0, 2, RILL_TOUCH_WRITE, until(1, 1));
    assert_int_equal(pipe(files), 0);
    pid_t child = fork();
    if (child == 0) {
        /* The kernel may write there, too. */
        bool good = write(files[1], "x", 1) == 1 && read(files[0], scene->memory.program, 1) == 1;
        write_byte(scene->memory.program + PAGE, 1);
        ck_pages_guard(scene->pages, scene->memory.program, 1, RILL_TOUCH_WRITE, until(1, 2));
        write_byte(scene->memory.program, 1);
        release_until(scene, 1, 1);
        ck_pages_watch_all(scene->pages, true);
        write_byte(scene->memory.program, 1);
        ck_pages_remove(scene->pages, scene->memory.program);
        ck_pages_destroy(scene->pages);
        _exit(!good || scene->touches.count);
    }
    assert_child_ends_well(child);
    close(files[0]);
    close(files[1]);
    write_byte(scene->memory.program, 1);
    assert_touched(&scene->touches, scene->memory.program, RILL_TOUCH_WRITE);
}

static bool is_never_over(void *data, struct ck_until end)
{
    (void)end;
    /* The lock is held: */
    pid_t child = fork();
    if (child == 0) {
        struct scene *scene = data;
        write_byte(scene->memory.program, 1);
        ck_pages_guard(scene->pages, scene->memory.program, 1, RILL_TOUCH_READ, until(3, 1));
        _exit((int)scene->touches.count);
    }
    assert_child_ends_well(child);
    return false;
}

static void a_fork_may_happen_while_the_lock_is_held(void **state)
{
    struct scene *scene = *state;
    guard_pages(scene, 0, 2, RILL_TOUCH_WRITE, until(1, 1));
    ck_pages_release(scene->pages, is_never_over, scene);
}

#if GLIBC_SINCE(2, 34)
static void a_child_that_no_handler_of_forks_saw_is_told_nothing(void **state)
{
    struct scene *scene = *state;
    guard_pages(scene, 0, 1, RILL_TOUCH_WRITE, until(1, 1));
    pid_t child = _Fork();
    if (child == 0) {
        write_byte(scene->memory.program, 1);
        _exit((int)scene->touches.count);
    }
    assert_child_ends_well(child);
}
#else
static void a_child_that_no_handler_of_forks_saw_is_told_nothing(void **state)
{
    (void)state;
    skip();
}
#endif

/* ---- The kernel ----------------------------------------------------------------------------- */

static void system_calls_on_guarded_memory_fail_until_it_is_released(void **state)
{
    struct scene *scene = *state;
    int zero = open("/dev/zero", O_RDONLY);
    assert_true(zero >= 0);
    guard_pages(scene, 0, 1, RILL_TOUCH_READ, until(1, 1));
    errno = 0;
    assert_int_equal(read(zero, scene->memory.program, 1), -1);
    assert_int_equal(errno, EFAULT);
    assert_untouched(&scene->touches);
    release_until(scene, 1, 1);
    assert_int_equal(read(zero, scene->memory.program, 1), 1);
    close(zero);
}

/* ---- Signals of the program ----------------------------------------------------------------- */

static struct scene *touched_in_handler;

static void touch_in_handler(int signal)
{
    (void)signal;
    write_byte(touched_in_handler->memory.program, 1);
}

static bool is_interrupted(void *data, struct ck_until end)
{
    (void)data, (void)end;
    raise(SIGUSR1);
    return false;
}

static void a_signal_handler_may_touch_memory_whatever_it_interrupts(void **state)
{
    struct scene *scene = *state;
    struct sigaction action = { .sa_handler = touch_in_handler }, old;
#ifdef RL_SEES_RACES
    skip(); /* ThreadSanitizer runs handlers with all signals blocked */
#endif
    touched_in_handler = scene;
    sigaction(SIGUSR1, &action, &old);
    guard_pages(scene, 0, 1, RILL_TOUCH_WRITE, until(1, 1));
    ck_pages_release(scene->pages, is_interrupted, NULL); /* with the lock held */
    assert_touched(&scene->touches, scene->memory.program, RILL_TOUCH_WRITE);
    sigaction(SIGUSR1, &old, NULL);
}

static void *touch_with_signals_blocked(void *data)
{
    struct scene *scene = data;
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    ck_pages_watch_all(scene->pages, true);
    write_byte(scene->memory.program + PAGE, 1);
    ck_pages_watch_all(scene->pages, false);
    return NULL;
}

static void threads_that_block_all_signals_can_watch(void **state)
{
    struct scene *scene = *state;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, touch_with_signals_blocked, scene), 0);
    pthread_join(thread, NULL);
    assert_touched(&scene->touches, scene->memory.program + PAGE, RILL_TOUCH_WRITE);
}

static void errno_is_left_as_it_was(void **state)
{
    struct scene *scene = *state;
    guard_pages(scene, 0, 1, RILL_TOUCH_WRITE, until(1, 1));
    protect_calls_refused = 1; /* sets errno in the handler */
    errno = 123;
    write_byte(scene->memory.program, 1);
    assert_int_equal(errno, 123);
    assert_touched(&scene->touches, scene->memory.program, RILL_TOUCH_WRITE);
}

/* ---- Stacks --------------------------------------------------------------------------------- */

static char *stack_of_signals;
static size_t stack_bytes;
static atomic_bool was_on_it;

static void see_stack(void *data, const struct ck_touch *touch)
{
    uintptr_t address = (uintptr_t)__builtin_frame_address(0), low = (uintptr_t)stack_of_signals;
    (void)data, (void)touch;
    was_on_it = address >= low && address < low + stack_bytes;
}

static void the_handler_runs_on_the_alternate_stack(void **state)
{
    struct memory memory = map_twice();
    struct ck_pages *pages = ck_pages_create(see_stack, NULL);
    stack_t stack = { 0 }, old;
    (void)state;
    stack_bytes = 256 * 1024;
    stack.ss_sp = stack_of_signals = malloc(stack_bytes);
    stack.ss_size = stack_bytes;
    assert_int_equal(sigaltstack(&stack, &old), 0);
    assert_true(ck_pages_add(pages, memory.program, PAGE));
    assert_true(ck_pages_guard(pages, memory.program, 1, RILL_TOUCH_WRITE, until(1, 1)));
    write_byte(memory.program, 1);
    assert_true(was_on_it);
    ck_pages_destroy(pages);
    assert_int_equal(sigaltstack(&old, NULL), 0);
    free(stack_of_signals);
    unmap_twice(&memory);
}

int main(void)
{
#define SCENE_TEST(test) cmocka_unit_test_setup_teardown(test, scene_open, scene_close)
    static const struct CMUnitTest tests[] = {
        SCENE_TEST(a_child_of_fork_has_open_pages_and_no_checker),
        SCENE_TEST(a_fork_may_happen_while_the_lock_is_held),
        SCENE_TEST(a_child_that_no_handler_of_forks_saw_is_told_nothing),
        SCENE_TEST(system_calls_on_guarded_memory_fail_until_it_is_released),
        SCENE_TEST(a_signal_handler_may_touch_memory_whatever_it_interrupts),
        SCENE_TEST(threads_that_block_all_signals_can_watch),
        SCENE_TEST(errno_is_left_as_it_was),
        cmocka_unit_test(the_handler_runs_on_the_alternate_stack),
    };
    if (skips_all()) return 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
