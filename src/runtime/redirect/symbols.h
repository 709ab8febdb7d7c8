/* SPDX-License-Identifier: Apache-2.0
 *
 * The symbols of a file that may have CUDA's runtime inside.
 */
#ifndef REDIRECT_SYMBOLS_H
#define REDIRECT_SYMBOLS_H

#include <elf.h>
#include <stddef.h>

/* All of the file, and the table of symbols that `strip` takes away. */
struct symbols {
    void *file;
    size_t file_bytes;
    const Elf64_Sym *table;
    size_t count;
    const char *names;
    size_t names_bytes;
};

/* Reads a file.  Returns 0 if that cannot be done, or it has no such table. */
int symbols_open(struct symbols *symbols, const char *path);
void symbols_close(struct symbols *symbols);

/* Returns the name of a function of the runtime that the file has, or NULL for other symbols. */
const char *symbols_function(const struct symbols *symbols, size_t i);

int symbols_has(const struct symbols *symbols, const char *function);

/* Returns the bytes from where a function begins to where the next can: functions begin at
 * multiples of 16, so that a short one has more than its own.  The last of its section may not. */
uint64_t symbols_room(const struct symbols *symbols, size_t i);

/* Returns the n-th part of the file that is mapped into memory, or NULL behind the last one. */
const Elf64_Phdr *symbols_part(const struct symbols *symbols, unsigned n);

#endif
