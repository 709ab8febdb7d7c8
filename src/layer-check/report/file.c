/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/report/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Programs that count on low numbers still get them. */
enum { LEAST = 64 };

static int move_up(int file)
{
    return fcntl(file, F_DUPFD_CLOEXEC, LEAST);
}

/* Returns false if the path is too long. */
static bool expand_path(char *out, const char *path)
{
    size_t used = 0;
    for (; *path && used < CK_PATH_MAX; path++) {
        if (*path != '%') {
            out[used++] = *path;
        } else if (path[1] == 'p') {
            used += (size_t)snprintf(out + used, CK_PATH_MAX - used, "%ld", (long)getpid());
            path++;
        } else {
            out[used++] = '%';
            path += path[1] == '%';
        }
    }
    if (used >= CK_PATH_MAX) return false;
    out[used] = 0;
    return true;
}

int ck_file_open(const char *setting, const char *path, bool again, char why[CK_WHY_MAX])
{
    char name[CK_PATH_MAX];
    errno = ENAMETOOLONG;
    int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (again ? 0 : O_TRUNC);
    int file = expand_path(name, path) ? open(name, flags, 0666) : -1;
    if (file < 0) {
        snprintf(why, CK_WHY_MAX, "$RILL_CHECK: %s=%s cannot be written: %s", setting, path,
                 strerror(errno));
        return -1;
    }
    int moved = move_up(file);
    if (moved < 0) return file;
    close(file);
    return moved;
}

int ck_file_stderr(void)
{
    int moved = move_up(STDERR_FILENO);
    return moved < 0 ? STDERR_FILENO : moved;
}

int ck_file_read_by_users(int file)
{
    struct stat kept, now;
    if (fstat(file, &kept) || !S_ISREG(kept.st_mode) || kept.st_nlink) return file;
    if (fstat(STDERR_FILENO, &now)) return file;
    return kept.st_dev == now.st_dev && kept.st_ino == now.st_ino ? file : STDERR_FILENO;
}

void ck_file_close(int *file)
{
    if (*file > STDERR_FILENO) close(*file);
    *file = -1;
}
