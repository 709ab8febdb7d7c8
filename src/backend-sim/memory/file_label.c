/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/memory/file_label.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory_file.h"

static bool write_label(int file, const char *what, uint64_t bytes, int device)
{
    struct file_label label = { .bytes = bytes, .device = device };
    strncpy(label.what, what, sizeof label.what - 1);
    return rl_memory_file_grow(file, bytes + sizeof label) &&
           pwrite(file, &label, sizeof label, (off_t)bytes) == (ssize_t)sizeof label &&
           rl_memory_file_seal(file);
}

int sim_labelled_file(const char *what, uint64_t bytes, int device)
{
    int file = rl_memory_file_open(what);
    if (file < 0 || write_label(file, what, bytes, device)) return file;
    close(file);
    return -1;
}

/* All files in memory of a machine have numbers of one count. */
bool sim_label_read(int file, const char *what, struct file_label *label, uint64_t *id)
{
    struct stat status;
    if (fstat(file, &status) || status.st_size <= (off_t)sizeof *label) return false;
    off_t at = status.st_size - (off_t)sizeof *label;
    if (!rl_memory_file_is_sealed(file) ||
        pread(file, label, sizeof *label, at) != (ssize_t)sizeof *label)
        return false;
    *id = status.st_ino;
    return !strncmp(label->what, what, sizeof label->what) && label->bytes == (uint64_t)at;
}
