/* SPDX-License-Identifier: Apache-2.0 */
#include "compiler.h"

#include <stdio.h>
#include <sys/mman.h>

#include "jump.h"

int compiler_is_named(const char *file)
{
    return file_begins(file, "libnvrtc.");
}

/* Lets one function begin with a jump to another, which takes the same arguments. */
static int join(const struct object *object, const char *from, const char *to)
{
    const struct symbols *symbols = &object->symbols;
    const size_t first = symbols_find(symbols, from), second = symbols_find(symbols, to);
    if (first == symbols->count || second == symbols->count) return 0;
    return jump_write(object->base + symbols->table[first].st_value, symbols_room(symbols, first),
                      (void *)(object->base + symbols->table[second].st_value));
}

void compiler_give_text(const struct object *object)
{
    if (symbols_find(&object->symbols, "nvrtcGetCUBIN") == object->symbols.count) return;
    int written = object_protect(object, PROT_READ | PROT_WRITE | PROT_EXEC) &&
                  join(object, "nvrtcGetCUBINSize", "nvrtcGetPTXSize") &&
                  join(object, "nvrtcGetCUBIN", "nvrtcGetPTX");
    object_protect(object, PROT_READ | PROT_EXEC);
    if (!written)
        fprintf(stderr, "rill: NVRTC in %s cannot be told to answer with PTX instead of machine "
                "code: compile for compute_90 and not for sm_90\n",
                *object->name ? object->name : "the program");
}
