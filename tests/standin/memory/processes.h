/* SPDX-License-Identifier: Apache-2.0
 *
 * A second process of a test: this program once more, which is told by its first word what it is
 * to do, and talks with the first one through pipes.
 */
#ifndef PROCESSES_H
#define PROCESSES_H

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "standin/library.h"

extern char **environ;

/* What files the second process has; far from those that the first one opens. */
enum { FROM_PARENT = 40, TO_PARENT = 41, FILE_OF_PARENT = 42 };

static CUcontext context;

/* ---- In the second process ----------------------------------------------------------------- */

/* Ends the process, whose status is the line that is not as it should be. */
#define WANT(condition) do { if (!(condition)) _exit(__LINE__ > 255 ? 255 : __LINE__); } while (0)

static inline void wait_for_parent(void)
{
    char c;
    WANT(write(TO_PARENT, "x", 1) == 1);
    WANT(read(FROM_PARENT, &c, 1) == 1);
}

/* ---- In the first -------------------------------------------------------------------------- */

static inline int begin(void **state)
{
    (void)state;
    OK(CALL(cuInit, (unsigned), (0)));
    OK(CALL(cuDevicePrimaryCtxRetain, (CUcontext *, CUdevice), (&context, 0)));
    OK(CALL(cuCtxSetCurrent, (CUcontext), (context)));
    return 0;
}

struct other {
    pid_t process;
    int to, from;
};

/* Starts it with one more file, or none if that is -1.  The program is found by its name: a tool
 * such as valgrind is what /proc/self/exe itself is. */
static inline struct other start_other(const char *what, int file)
{
    static char program[4096];
    struct other other;
    int down[2], up[2];
    posix_spawn_file_actions_t files;
    char *arguments[] = { program, (char *)(uintptr_t)what, NULL };
    assert_true(readlink("/proc/self/exe", program, sizeof program - 1) > 0);
    OK(pipe2(down, O_CLOEXEC)); /* the second process sees the end of the first */
    OK(pipe2(up, O_CLOEXEC));
    OK(posix_spawn_file_actions_init(&files));
    OK(posix_spawn_file_actions_adddup2(&files, down[0], FROM_PARENT));
    OK(posix_spawn_file_actions_adddup2(&files, up[1], TO_PARENT));
    if (file >= 0) OK(posix_spawn_file_actions_adddup2(&files, file, FILE_OF_PARENT));
    OK(posix_spawn(&other.process, program, &files, NULL, arguments, environ));
    posix_spawn_file_actions_destroy(&files);
    close(down[0]);
    close(up[1]);
    other.to = down[1];
    other.from = up[0];
    return other;
}

static inline void wait_for_other(const struct other *other)
{
    char c = 0;
    if (read(other->from, &c, 1) == 1) return;
    int status = 0;
    waitpid(other->process, &status, 0);
    fail_msg("the other process ended in line %d", WEXITSTATUS(status));
}

static inline void let_go_on(const struct other *other)
{
    assert_int_equal(write(other->to, "x", 1), 1);
}

/* Waits until it has ended as it should. */
static inline void end_other(const struct other *other)
{
    int status = 0;
    waitpid(other->process, &status, 0);
    assert_int_equal(WEXITSTATUS(status), 0);
    close(other->to);
    close(other->from);
}

#endif
