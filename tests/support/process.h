/* SPDX-License-Identifier: Apache-2.0
 *
 * What a test cannot take for granted of its process when a wrapper runs it, above all valgrind.
 */
#ifndef TEST_PROCESS_H
#define TEST_PROCESS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Returns whether a wrapper runs this program (tests/run.sh): maybe one thread at a time. */
static inline bool process_is_wrapped(void)
{
    return getenv("RILL_TEST_WRAPPER") != NULL;
}

/* Ends a child that was forked. To valgrind, all that the parent holds is a leak of a child that
 * ends, so the child becomes a shell first, which is not watched. */
static inline void process_leave(int status)
{
    char command[32];
    snprintf(command, sizeof command, "exit %d", status);
    if (process_is_wrapped()) execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(status);
}

/* Writes the path of this program, which can be started again, and returns it. Under valgrind
 * "/proc/self/exe" itself would start valgrind. */
static inline char *process_program(char path[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    if (length < 0) abort();
    path[length] = '\0';
    return path;
}

/* Returns whether so many addresses in a row are free. */
static inline bool process_has_addresses(size_t bytes)
{
    void *range = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) return false;
    munmap(range, bytes);
    return true;
}

#endif
