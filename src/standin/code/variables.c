/* SPDX-License-Identifier: Apache-2.0
 *
 * The variables of a module of machine code are one allocation.  Those of PTX are in the
 * module that rill made of it.
 */
#include "standin/code/variables.h"

#include <string.h>

#include "base/alloc.h"

enum {
    /* Before the first one, so that no variable begins an allocation that could be freed. */
    MEMORY_HEAD = 256,
    ALIGNMENT_MIN = 16
};

#define MEMORY_MAX (SIZE_MAX / 2)

/* ---- Where they are ----------------------------------------------------------------- */

/* Places them one after another and returns where they end, or 0 if an image asks for more
 * than there can be. */
static uint64_t lay_out_variables(const struct image *image, uint64_t *offsets)
{
    uint64_t at = MEMORY_HEAD;
    for (uint32_t i = 0; i < image->variable_count; i++) {
        const struct image_variable *variable = &image->variables[i];
        uint64_t mask = variable->alignment < ALIGNMENT_MIN ? ALIGNMENT_MIN - 1
                                                            : variable->alignment - 1;
        at = (at + mask) & ~mask;
        if (at > MEMORY_MAX || variable->bytes > MEMORY_MAX - at) return 0;
        offsets[i] = at;
        at += variable->bytes;
    }
    return at;
}

CUresult si_module_variable(struct si_module *module, const char *name, CUdeviceptr *address,
                            size_t *bytes)
{
    const struct image *image = module->code->image;
    const struct image_variable *variable = image_find_variable(image, name);
    rill_devptr at;
    if (module->is_text) {
        CUresult status = rill_module_variable(module->raw, name, &at, bytes);
        if (!status && address) *address = at;
        return status;
    }
    if (!variable || variable->external)
        return image_find_entry(image, name) ? RILL_ERROR_INVALID_VALUE : RILL_ERROR_NOT_FOUND;
    if (address) *address = module->memory + module->offsets[variable - image->variables];
    if (bytes) *bytes = (size_t)variable->bytes;
    return RILL_SUCCESS;
}

/* ---- What they begin with ----------------------------------------------------------- */

/* Writes an address; that of a function means nothing here and is 0. */
static void write_link(struct si_module *module, unsigned char *to,
                       const struct image_link *link)
{
    CUdeviceptr address;
    uint64_t value = 0;
    if (!si_module_variable(module, link->name, &address, NULL))
        value = address + (uint64_t)link->addend;
    for (uint32_t i = 0; i < link->bytes; i++)
        to[link->offset + i] = (unsigned char)(value >> 8 * i);
}

/* Simulated device memory is memory of this process. */
static void write_variables(struct si_module *module)
{
    const struct image *image = module->code->image;
    for (uint32_t i = 0; i < image->variable_count; i++) {
        const struct image_variable *variable = &image->variables[i];
        unsigned char *to =
            RILL_DEVICE_MEMORY(module->memory + module->offsets[i], unsigned char);
        memset(to, 0, (size_t)variable->bytes);
        if (variable->initial_bytes)
            memcpy(to, variable->initial, (size_t)variable->initial_bytes);
        for (uint32_t k = 0; k < variable->link_count; k++)
            write_link(module, to, &variable->links[k]);
    }
}

/* ---- Their memory ------------------------------------------------------------------- */

/* The memory is allocated and freed also while a stream captures. */
static void relax_capture(rill_capture_mode *before)
{
    *before = RILL_CAPTURE_RELAXED;
    rill_thread_exchange_capture_mode(si_platform, before);
}

CUresult si_variables_make(struct si_module *module)
{
    const struct image *image = module->code->image;
    if (module->is_text || !image->variable_count) return RILL_SUCCESS;
    module->offsets = rl_alloc(image->variable_count * sizeof *module->offsets);
    if (!module->offsets) return RILL_ERROR_OUT_OF_MEMORY;
    uint64_t bytes = lay_out_variables(image, module->offsets);
    if (!bytes) return RILL_ERROR_OUT_OF_MEMORY;
    rill_context *context = atomic_load(&module->context->slot.object);
    rill_capture_mode mode;
    relax_capture(&mode);
    CUresult status = rill_mem_alloc(context, (size_t)bytes, &module->memory);
    rill_thread_exchange_capture_mode(si_platform, &mode);
    if (!status) write_variables(module);
    return status;
}

void si_variables_free(struct si_module *module)
{
    rill_context *context = atomic_load(&module->context->slot.object);
    rill_capture_mode mode;
    if (module->memory && context) { /* else it ended with the context */
        relax_capture(&mode);
        rill_mem_free(context, module->memory);
        rill_thread_exchange_capture_mode(si_platform, &mode);
    }
    rl_free(module->offsets);
}
