/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/module.h"

#include <string.h>

#include "ptx/arena.h"

/* ---- Hashes ---------------------------------------------------------------------------- */

__extension__ typedef unsigned __int128 uint128_t;

/* Both halves of a product in one: a bit of either factor changes bits everywhere, and which
 * ones depends on the other. */
static uint64_t fold(uint64_t a, uint64_t b)
{
    uint128_t product = (uint128_t)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

uint32_t ptx_hash(uint64_t seed, const void *bytes_at, size_t bytes)
{
    const char *at = bytes_at;
    const uint64_t key = (seed ^ UINT64_C(0x9fb21c651e98df25)) | 1;
    uint64_t hash = seed + bytes, word = 0;
    for (; bytes >= 8; at += 8, bytes -= 8) {
        memcpy(&word, at, 8);
        hash = fold(hash ^ word, key);
    }
    word = 0;
    memcpy(&word, at, bytes);
    return (uint32_t)(fold(hash ^ word, key) >> 32);
}

/* ---- Tables of names: open addresses, each an index and one more ----------------------- */

/* The name of a function or a variable: of both, the first member. */
static const char *name_of(const void *things, size_t size, uint32_t index)
{
    const char *name;
    memcpy(&name, (const char *)things + index * size, sizeof name);
    return name;
}

_Static_assert(offsetof(struct ptx_function, name) == 0, "the name comes first");
_Static_assert(offsetof(struct ptx_variable, name) == 0, "the name comes first");

static bool make_slots(struct ptx_module *module, const void *things, size_t size,
                       uint32_t count, uint32_t **slots, uint32_t *room)
{
    *room = 4;
    while (*room / 2 < count) *room *= 2;
    *slots = ptx_arena_get(module->arena, *room * sizeof **slots);
    if (!*slots) return false;
    for (uint32_t i = 0; i < count; i++) {
        const char *name = name_of(things, size, i);
        uint32_t slot = ptx_hash(module->seed, name, strlen(name));
        while ((*slots)[slot & (*room - 1)]) slot++;
        (*slots)[slot & (*room - 1)] = i + 1;
    }
    return true;
}

bool ptx_index_module(struct ptx_module *module)
{
    return make_slots(module, module->functions, sizeof *module->functions,
                      module->function_count, &module->function_slots,
                      &module->function_room) &&
           make_slots(module, module->variables, sizeof *module->variables,
                      module->variable_count, &module->variable_slots, &module->variable_room);
}

/* PTX_NONE: there is none. */
static uint32_t find(const struct ptx_module *module, const void *things, size_t size,
                     const uint32_t *slots, uint32_t room, const char *name)
{
    uint32_t slot = ptx_hash(module->seed, name, strlen(name));
    for (; slots[slot & (room - 1)]; slot++) {
        uint32_t index = slots[slot & (room - 1)] - 1;
        if (!strcmp(name, name_of(things, size, index))) return index;
    }
    return PTX_NONE;
}

const struct ptx_function *ptx_find_function(const struct ptx_module *module, const char *name)
{
    uint32_t index = find(module, module->functions, sizeof *module->functions,
                          module->function_slots, module->function_room, name);
    return index == PTX_NONE ? NULL : &module->functions[index];
}

const struct ptx_variable *ptx_find_variable(const struct ptx_module *module, const char *name)
{
    uint32_t index = find(module, module->variables, sizeof *module->variables,
                          module->variable_slots, module->variable_room, name);
    return index == PTX_NONE ? NULL : &module->variables[index];
}

void ptx_module_free(struct ptx_module *module)
{
    if (module) ptx_arena_close(module->arena);
}
