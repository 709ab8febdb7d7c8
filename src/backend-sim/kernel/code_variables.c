/* SPDX-License-Identifier: Apache-2.0
 *
 * Variables of PTX: those of a module lie in one piece of the device's heap, in which
 * each is an allocation of its own, so that an access that leaves it is noticed.
 */
#include "backend-sim/kernel/code.h"

#include <string.h>

#include "backend-sim/memory/pool.h"
#include "base/alloc.h"

/* The least alignment of a variable, as measured. */
#define BOUNDARY 16

static bool is_in_memory(const struct ptx_variable *variable)
{
    return (variable->space == PTX_GLOBAL || variable->space == PTX_CONST) &&
           !variable->external && variable->bytes && !ptx_is_reference(variable);
}

/* Tells whether the code has memory of its own for the variable. */
static bool is_own(const struct sim_code *code, const struct ptx_variable *variable)
{
    return is_in_memory(variable) && !(code->lender && variable->managed);
}

static uint64_t align_address(uint64_t at, uint64_t alignment)
{
    if (alignment < BOUNDARY) alignment = BOUNDARY;
    return (at + alignment - 1) & ~(alignment - 1);
}

/* Places the variables one after the other.  Returns how much memory they take, or 0 if that
 * is more than can be addressed.  A gap after each keeps what runs over its end from landing
 * in the next.  *widest becomes the greatest of their alignments and that of all memory. */
static uint64_t lay_out_variables(struct sim_code *code, uint64_t *widest)
{
    const struct ptx_module *text = code->text;
    uint64_t at = 0;
    *widest = SIM_ALIGNMENT;
    for (uint32_t i = 0; i < text->variable_count; i++) {
        const struct ptx_variable *variable = &text->variables[i];
        if (!is_own(code, variable)) continue;
        struct sim_variable *made = &code->variables[code->variable_count++];
        at = align_address(at, variable->alignment);
        if (*widest < variable->alignment) *widest = variable->alignment;
        made->index = i;
        made->allocation.range.base = at;
        made->allocation.range.bytes = variable->bytes;
        if (__builtin_add_overflow(at, variable->bytes, &at) || at > UINT64_MAX / 4) return 0;
        at += BOUNDARY;
    }
    return at + *widest - SIM_ALIGNMENT;
}

static rill_status fail_full(const struct sim_code *code, uint64_t bytes)
{
    return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, "image->code",
                             "the variables of the module, %llu bytes, do not fit: device %d has "
                             "%llu bytes left", (unsigned long long)bytes, code->device->ordinal,
                             (unsigned long long)sim_heap_left(code->device->heap));
}

/* Adds a variable to the address map. */
static void add_variable(struct sim_code *code, struct sim_variable *variable, uint64_t base)
{
    struct allocation *allocation = &variable->allocation;
    const struct ptx_variable *about = &code->text->variables[variable->index];
    allocation->range.base += base;
    allocation->kind = about->managed ? ALLOCATION_MANAGED_VARIABLE : ALLOCATION_MODULE;
    allocation->device = code->device->ordinal;
    allocation->constant = about->space == PTX_CONST;
    allocation->context = code->context;
    sim_map_add(code->device->platform->map, allocation);
}

/* Tells whether two texts have the same managed variables in the same places. */
static bool has_same_managed(const struct ptx_module *one, const struct ptx_module *other)
{
    if (!one || !other || one->variable_count != other->variable_count) return false;
    for (uint32_t i = 0; i < one->variable_count; i++) {
        const struct ptx_variable *a = &one->variables[i], *b = &other->variables[i];
        if (a->managed != b->managed) return false;
        if (a->managed && (a->bytes != b->bytes || strcmp(a->name, b->name))) return false;
    }
    return true;
}

rill_status sim_variables_borrow(struct sim_code *code, struct sim_code *lender)
{
    if (lender->lender) lender = lender->lender;
    if (!has_same_managed(code->text, lender->text))
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "image->managed_of",
                                 "the module was loaded from other code");
    sim_code_retain(lender);
    code->lender = lender;
    return RILL_SUCCESS;
}

static bool make_references(struct sim_code *code)
{
    const uint32_t count = ptx_count_references(code->text, code->text->variable_count);
    if (!count) return true;
    code->bound = rl_zalloc(count * sizeof *code->bound);
    return code->bound;
}

rill_status sim_variables_make(struct sim_code *code)
{
    uint32_t count = code->text->variable_count;
    if (!count) return RILL_SUCCESS;
    if (!make_references(code)) return sim_code_no_memory();
    code->variables = rl_zalloc(count * sizeof *code->variables);
    if (!code->variables) return sim_code_no_memory();
    uint64_t widest, bytes = lay_out_variables(code, &widest);
    if (!code->variable_count) return RILL_SUCCESS;
    if (!bytes || sim_device_alloc(code->device, bytes, &code->extent)) {
        code->variable_count = 0;
        return fail_full(code, bytes);
    }
    uint64_t base = align_address(code->extent->range.base, widest);
    for (uint32_t i = 0; i < code->variable_count; i++)
        add_variable(code, &code->variables[i], base);
    return RILL_SUCCESS;
}

void sim_variables_end(struct sim_code *code)
{
    struct sim_platform *platform = code->device->platform;
    if (code->extent && platform->map) {
        for (uint32_t i = 0; i < code->variable_count; i++)
            sim_map_remove(platform->map, &code->variables[i].allocation);
        sim_heap_free(code->device->heap, code->extent);
    }
    rl_free(code->variables);
    rl_free(code->bound);
    if (code->lender) sim_code_release(code->lender);
}

void sim_variables_fill(struct sim_code *code)
{
    for (uint32_t i = 0; i < code->variable_count; i++) {
        const struct sim_variable *variable = &code->variables[i];
        unsigned char *bytes = (unsigned char *)(uintptr_t)variable->allocation.range.base;
        ptx_code_initial(code->ptx, variable->index, bytes);
    }
}

/* Returns the variable with this index in the text, or NULL if it is not in memory.  The
 * variables are in the order of their indices. */
static const struct sim_variable *variable_of(const struct sim_code *code, uint32_t index)
{
    if (code->lender && code->text->variables[index].managed) code = code->lender;
    uint32_t from = 0, to = code->variable_count;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (code->variables[middle].index < index) from = middle + 1;
        else to = middle;
    }
    bool found = from < code->variable_count && code->variables[from].index == index;
    return found ? &code->variables[from] : NULL;
}

uint64_t sim_variable_address(const struct sim_code *code, uint32_t index)
{
    const struct sim_variable *variable = variable_of(code, index);
    return variable ? variable->allocation.range.base : 0;
}

const struct sim_variable *sim_variable_find(const struct sim_code *code, const char *name)
{
    const struct ptx_variable *found = code->text ? ptx_find_variable(code->text, name) : NULL;
    return found ? variable_of(code, (uint32_t)(found - code->text->variables)) : NULL;
}

atomic_uint_least64_t *sim_reference_find(const struct sim_code *code, const char *name,
                                          bool surface)
{
    const struct ptx_variable *found = code->text ? ptx_find_variable(code->text, name) : NULL;
    if (!found || found->type != (surface ? PTX_SURFREF : PTX_TEXREF)) return NULL;
    return &code->bound[ptx_count_references(code->text,
                                             (uint32_t)(found - code->text->variables))];
}

uint64_t sim_variables_constant(const struct sim_code *code)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < code->variable_count; i++)
        if (code->variables[i].allocation.constant)
            bytes += code->variables[i].allocation.range.bytes;
    return bytes;
}
