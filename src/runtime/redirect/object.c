/* SPDX-License-Identifier: Apache-2.0 */
#include "object.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "jump.h"

int file_begins(const char *file, const char *name)
{
    const char *slash = strrchr(file, '/');
    return !strncmp(slash ? slash + 1 : file, name, strlen(name));
}

int code_protect(uintptr_t at, size_t bytes, int protection)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), first = at & ~(page - 1);
    return !mprotect((void *)first, at + bytes - first, protection);
}

int object_protect(const struct object *object, int protection)
{
    const Elf64_Phdr *part;
    int done = 1;
    for (unsigned n = 0; (part = symbols_part(&object->symbols, n)); n++)
        if (part->p_flags & PF_X)
            done &= code_protect(object->base + part->p_vaddr, part->p_memsz, protection);
    return done;
}

/* Returns how many functions have no room for a jump. */
static unsigned write_jumps(const struct object *object, replacement_fn *find, void *data)
{
    const struct symbols *symbols = &object->symbols;
    unsigned left = 0;
    for (size_t i = 0; i < symbols->count; i++) {
        const char *name = symbols_function(symbols, i);
        const void *target = name ? find(name, data) : NULL;
        const uintptr_t at = object->base + symbols->table[i].st_value;
        if (target && !jump_write(at, symbols_room(symbols, i), target)) left++;
    }
    return left;
}

int object_redirect(const struct object *object, replacement_fn *find, void *data)
{
    int written = object_protect(object, PROT_READ | PROT_WRITE | PROT_EXEC) &&
                  !write_jumps(object, find, data);
    object_protect(object, PROT_READ | PROT_EXEC);
    return written;
}
