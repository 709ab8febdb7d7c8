/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory_file.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#if RL_HAS_MEMORY_FILES

#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW)

int rl_memory_file_open(const char *name)
{
    return memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
}

void rl_memory_file_discard(int file, uint64_t offset, uint64_t bytes)
{
    int refused = fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset,
                            (off_t)bytes);
    (void)refused;
}

bool rl_memory_file_seal(int file)
{
    return !fcntl(file, F_ADD_SEALS, SEALS);
}

bool rl_memory_file_is_sealed(int file)
{
    int seals = fcntl(file, F_GET_SEALS);
    return seals != -1 && (seals & SEALS) == SEALS;
}

#else

int rl_memory_file_open(const char *name)
{
    (void)name;
    return -1;
}

void rl_memory_file_discard(int file, uint64_t offset, uint64_t bytes)
{
    (void)file;
    (void)offset;
    (void)bytes;
}

bool rl_memory_file_seal(int file)
{
    (void)file;
    return false;
}

bool rl_memory_file_is_sealed(int file)
{
    (void)file;
    return false;
}

#endif

/* Tells whether a file may have so many bytes: otherwise the system ends the process. */
static bool may_have(uint64_t bytes)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur == RLIM_INFINITY ||
           bytes <= limit.rlim_cur;
}

bool rl_memory_file_grow(int file, uint64_t bytes)
{
    struct stat now;
    if (fstat(file, &now)) return false;
    if ((uint64_t)now.st_size >= bytes) return true;
    return bytes <= INT64_MAX && may_have(bytes) && !ftruncate(file, (off_t)bytes);
}
