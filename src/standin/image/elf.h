/* SPDX-License-Identifier: Apache-2.0
 *
 * A cubin while it is read.
 */
#ifndef STANDIN_IMAGE_ELF_H
#define STANDIN_IMAGE_ELF_H

#include "standin/image/parts.h"

/* Bytes that lie within the file. */
struct span {
    const unsigned char *at;
    size_t bytes;
};

struct section {
    const char *name;
    uint32_t type, link, info;
    uint64_t bytes, alignment;
    struct span span; /* its bytes; empty if the file has none, or ends before them */
};

struct symbol {
    const char *name;
    unsigned char type, other;
    uint32_t section;
    uint64_t value, bytes;
};

/* Where in its section a variable with initial bytes has them. */
struct place {
    uint32_t section, variable;
    uint64_t begin, end; /* in the section */
};

struct elf {
    struct image_reader *reader;
    const unsigned char *code;
    size_t bytes;
    const unsigned char *sections; /* their table */
    uint32_t section_count;
    struct span names, symbols, symbol_names, long_indexes;
    uint32_t *entry_of; /* by section: the number of its kernel, from 1, or 0 */
    struct place *places;
    uint32_t place_count;
};

/* Returns the symbol of this number, or one without a name. */
struct symbol image_elf_symbol(const struct elf *elf, uint32_t index);

/* Returns the kernel in the section of this number, or NULL. */
struct image_entry *image_elf_entry(const struct elf *elf, uint32_t section);

/* Read the attributes of a kernel, and those of all kernels, each with a kernel's symbol. */
rill_status image_elf_read_info(struct elf *elf, struct span span, struct image_entry *entry);
void image_elf_read_common_info(const struct elf *elf, struct span span);

/* Reads addresses in variables: first where each variable is, ... */
rill_status image_elf_place(struct elf *elf, const struct symbol *symbol, uint32_t variable);
void image_elf_sort_places(struct elf *elf);

/* ... then the relocations of that section. */
rill_status image_elf_read_links(struct elf *elf, struct span span, uint32_t section);

#endif
