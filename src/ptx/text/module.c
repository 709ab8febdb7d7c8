/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/text/module.h"

#include <string.h>

#include "base/wide.h"
#include "ptx/text/arena.h"

/* ---- Hashes ---------------------------------------------------------------------------- */

uint32_t ptx_hash(uint64_t seed, const void *bytes_at, size_t bytes)
{
    const char *at = bytes_at;
    const uint64_t key = (seed ^ UINT64_C(0x9fb21c651e98df25)) | 1;
    uint64_t hash = seed + bytes, word = 0;
    for (; bytes >= 8; at += 8, bytes -= 8) {
        memcpy(&word, at, 8);
        hash = rl_multiply_folded(hash ^ word, key);
    }
    word = 0;
    memcpy(&word, at, bytes);
    return (uint32_t)(rl_multiply_folded(hash ^ word, key) >> 32);
}

/* ---- Names of variables ---------------------------------------------------------------- */

/* Makes a table with open addressing, each entry an index plus one. */
bool ptx_index_variables(struct ptx_module *module)
{
    uint32_t room = 4;
    while (room / 2 < module->variable_count) room *= 2;
    uint32_t *slots = ptx_arena_get(module->arena, room * sizeof *slots);
    if (!slots) return false;
    for (uint32_t i = 0; i < module->variable_count; i++) {
        const char *name = module->variables[i].name;
        uint32_t slot = ptx_hash(module->seed, name, strlen(name));
        while (slots[slot & (room - 1)]) slot++;
        slots[slot & (room - 1)] = i + 1;
    }
    module->variable_slots = slots;
    module->variable_room = room;
    return true;
}

const struct ptx_variable *ptx_find_variable(const struct ptx_module *module, const char *name)
{
    const uint32_t *slots = module->variable_slots, mask = module->variable_room - 1;
    uint32_t slot = ptx_hash(module->seed, name, strlen(name));
    for (; slots[slot & mask]; slot++) {
        const struct ptx_variable *variable = &module->variables[slots[slot & mask] - 1];
        if (!strcmp(name, variable->name)) return variable;
    }
    return NULL;
}

uint32_t ptx_count_references(const struct ptx_module *module, uint32_t variables)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < variables; i++) count += ptx_is_reference(&module->variables[i]);
    return count;
}

void ptx_module_free(struct ptx_module *module)
{
    if (module) ptx_arena_close(module->arena);
}
