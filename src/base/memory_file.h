/* SPDX-License-Identifier: Apache-2.0
 *
 * Files in memory, without a name in any folder: what is mapped of one in several places, or in
 * several processes, is the same memory.
 */
#ifndef RL_MEMORY_FILE_H
#define RL_MEMORY_FILE_H

#include <config.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>

/* Whether the system has such files. */
#if defined(RILL_HAVE_LINUX) && defined(MFD_ALLOW_SEALING) && defined(F_ADD_SEALS)
#define RL_HAS_MEMORY_FILES 1
#else
#define RL_HAS_MEMORY_FILES 0
#endif

/* Makes an empty file.  The name is for those who look at the process.  Returns -1 if the system
 * has no such files, or no more. */
int rl_memory_file_open(const char *name);

/* Lets the file have so many bytes at least.  Returns false if the system refuses. */
bool rl_memory_file_grow(int file, uint64_t bytes);

/* Gives memory of the file back to the system.  If the system refuses, the memory merely stays. */
void rl_memory_file_discard(int file, uint64_t offset, uint64_t bytes);

/* Fixes the size of the file for good, or tells whether it is fixed: then no other process can
 * make what is mapped of it go away. */
bool rl_memory_file_seal(int file);
bool rl_memory_file_is_sealed(int file);

#endif
