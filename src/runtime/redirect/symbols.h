/* SPDX-License-Identifier: Apache-2.0
 *
 * The symbols of a file that may have CUDA's runtime or compiler inside.
 */
#ifndef REDIRECT_SYMBOLS_H
#define REDIRECT_SYMBOLS_H

#include <elf.h>
#include <stddef.h>

/* All of the file, and one of its tables of symbols. */
struct symbols {
    void *file;
    size_t file_bytes;
    const Elf64_Sym *table;
    size_t count;
    const char *names;
    size_t names_bytes;
};

/* Reads a file and its table of that type: SHT_SYMTAB, which `strip` takes away, or SHT_DYNSYM, of
 * what others may call.  Returns 0 if that cannot be done, or it has no such table. */
int symbols_open(struct symbols *symbols, const char *path, unsigned table);
void symbols_close(struct symbols *symbols);

/* Returns the name of a function that the file has, or NULL for other symbols. */
const char *symbols_function(const struct symbols *symbols, size_t i);

/* Returns where a function is in the table, or `count`. */
size_t symbols_find(const struct symbols *symbols, const char *function);

/* Returns the bytes from where a function begins to where the next can begin.  Functions begin at
 * multiples of 16, so a short one has more room than its own bytes, unless it is the last of its
 * section. */
uint64_t symbols_room(const struct symbols *symbols, size_t i);

/* Returns the n-th part of the file that is mapped into memory, or NULL after the last one. */
const Elf64_Phdr *symbols_part(const struct symbols *symbols, unsigned n);

#endif
