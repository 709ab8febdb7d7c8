/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-trace/trace/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "layer-trace/write/writer.h"

/* Programs that count on low numbers still get them. */
enum { LEAST = 64 };

/* A dot and the number of a process, and another dot and a count. */
enum { SUFFIX_MAX = 40 };

/* Returns false if the path is too long. */
static bool expand_path(char *out, const char *path)
{
    size_t used = 0;
    for (; *path && used < TR_PATH_MAX; path++) {
        if (*path != '%') {
            out[used++] = *path;
        } else if (path[1] == 'p') {
            used += (size_t)snprintf(out + used, TR_PATH_MAX - used, "%ld", (long)getpid());
            path++;
        } else {
            out[used++] = '%';
            path += path[1] == '%';
        }
    }
    if (used >= TR_PATH_MAX) return false;
    out[used] = 0;
    return true;
}

/* Opens the file and locks it.  Returns -1 if that fails: with EWOULDBLOCK if another trace is
 * written to it, by this process or another one. */
static int open_own(const char *name)
{
    int file = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0) return -1;
    bool busy = flock(file, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK;
    int moved = busy ? -1 : fcntl(file, F_DUPFD_CLOEXEC, LEAST);
    if (!busy && moved < 0) return file;
    close(file);
    if (busy) errno = EWOULDBLOCK;
    return moved;
}

/* Opens the file or, while traces are written to it, the first of those with a number after its
 * name that is free. */
static int open_free(char *name)
{
    char *end = name + strlen(name);
    int file = open_own(name);
    for (unsigned count = 1; file < 0 && errno == EWOULDBLOCK; count++) {
        int length = snprintf(end, SUFFIX_MAX, ".%ld", (long)getpid());
        if (count > 1) snprintf(end + length, SUFFIX_MAX - (size_t)length, ".%u", count);
        file = open_own(name);
    }
    return file;
}

int tr_file_open(const char *path, char why[TR_WHY_MAX])
{
    char name[TR_PATH_MAX + SUFFIX_MAX];
    errno = ENAMETOOLONG;
    int file = expand_path(name, path) ? open_free(name) : -1;
    if (file < 0)
        snprintf(why, TR_WHY_MAX, "%s cannot be written: %s", path, strerror(errno));
    return file;
}

bool tr_file_go_on(int file)
{
    char last[sizeof TR_LAST_LINE];
    const ssize_t length = sizeof TR_LAST_LINE - 1;
    off_t end = lseek(file, 0, SEEK_END) - length;
    if (end > 0 && pread(file, last, (size_t)length, end) == length &&
        !memcmp(last, TR_LAST_LINE, (size_t)length) && !ftruncate(file, end))
        return lseek(file, end, SEEK_SET) == end;
    /* A pipe has no end, and nothing to empty. */
    if (!ftruncate(file, 0)) lseek(file, 0, SEEK_SET);
    return false;
}
