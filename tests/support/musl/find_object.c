/* SPDX-License-Identifier: Apache-2.0
 *
 * For test programs that Debian's musl-gcc links. It takes gcc's unwinder, which was made for
 * glibc 2.35 and asks it for the table of a piece of code; a gcc for musl, such as Alpine's, has
 * one that walks the list of objects by itself, as is done here.
 */
#define _GNU_SOURCE
#include <link.h>

/* As glibc has it, on processors whose tables hold offsets from their own address. */
struct dl_find_object {
    unsigned long long flags;
    void *map_start, *map_end;
    struct link_map *link_map;
    void *eh_frame;
    unsigned long long reserved[7];
};

struct search {
    ElfW(Addr) code, table;
};

static int look(struct dl_phdr_info *info, size_t bytes, void *data)
{
    struct search *search = data;
    ElfW(Addr) table = 0;
    int here = 0;
    (void)bytes;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        ElfW(Addr) start = info->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD && search->code - start < part->p_memsz) here = 1;
        if (part->p_type == PT_GNU_EH_FRAME) table = start;
    }
    if (here) search->table = table;
    return here;
}

int _dl_find_object(void *code, struct dl_find_object *found);

int _dl_find_object(void *code, struct dl_find_object *found)
{
    struct search search = { .code = (ElfW(Addr))code };
    dl_iterate_phdr(look, &search);
    if (!search.table) return -1;
    found->eh_frame = (void *)search.table;
    return 0;
}
