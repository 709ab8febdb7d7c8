/* SPDX-License-Identifier: Apache-2.0 */
#include "standin/texture/reference.h"

#include <string.h>

#include <rill/sim.h>

#include "base/alloc.h"
#include "standin/code/function.h"
#include "standin/texture/view.h"

/* ---- Binding ------------------------------------------------------------------------------- */

static rill_context *context_of(const struct si_reference *reference)
{
    return atomic_load_explicit(&reference->module->context->slot.object, memory_order_acquire);
}

static void forget_bindings(struct si_reference *reference)
{
    while (reference->binding_count)
        ptx_texture_remove(reference->bindings[--reference->binding_count].handle);
}

/* Returns the binding of the same texture, or NULL. */
static const struct si_binding *find_binding(const struct si_reference *reference,
                                             const struct ptx_texture *texture)
{
    for (size_t i = 0; i < reference->binding_count; i++)
        if (!memcmp(&reference->bindings[i].texture, texture, sizeof *texture))
            return &reference->bindings[i];
    return NULL;
}

/* Makes room for one more, when the launches that have one of the others are done. */
static CUresult make_room(struct si_reference *reference)
{
    if (reference->binding_count == SI_BINDINGS_MOST) {
        CUresult status = rill_context_synchronize(context_of(reference));
        if (status) return status;
        forget_bindings(reference);
    }
    if (reference->bindings) return RILL_SUCCESS;
    reference->bindings = rl_alloc(SI_BINDINGS_MOST * sizeof *reference->bindings);
    return reference->bindings ? RILL_SUCCESS : RILL_ERROR_OUT_OF_MEMORY;
}

static CUresult add_binding(struct si_reference *reference, struct ptx_texture *textures,
                            unsigned levels, uint64_t *handle)
{
    const struct ptx_texture first = textures[0];
    CUresult status = make_room(reference);
    if (!status)
        status = levels ? ptx_texture_add_levels(textures, levels, handle)
                        : ptx_texture_add(textures, handle);
    if (!status)
        reference->bindings[reference->binding_count++] = (struct si_binding){ first, *handle };
    return status;
}

static CUresult bind_handle(const struct si_reference *reference, uint64_t handle)
{
    return rill_sim_bind_texture(reference->module->raw, reference->name, reference->surface,
                                 handle);
}

CUresult si_reference_bind(struct si_reference *reference)
{
    struct ptx_texture textures[SI_LEVELS_MOST];
    unsigned levels = 0;
    uint64_t handle = 0;
    if (!reference->module) return RILL_SUCCESS;
    if (!reference->bound) return bind_handle(reference, 0);
    memset(textures, 0, sizeof textures);
    CUresult status = reference->surface
        ? si_view_surface(&reference->resource, &textures[0])
        : si_view_texture(&reference->resource, &reference->how, NULL, textures, &levels);
    if (status) return bind_handle(reference, 0);
    const struct si_binding *known = levels ? NULL : find_binding(reference, &textures[0]);
    if (known) return bind_handle(reference, known->handle);
    status = add_binding(reference, textures, levels, &handle);
    return status ? status : bind_handle(reference, handle);
}

static bool is_made_of(const struct si_reference *reference, const void *resource)
{
    if (!reference->bound) return false;
    if (reference->resource.type == CU_RESOURCE_TYPE_ARRAY)
        return (const void *)reference->resource.array.handle == resource;
    return reference->resource.type == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY &&
           (const void *)reference->resource.mipmap.handle == resource;
}

static void lose_gone(void *slot, void *object, void *data)
{
    struct si_reference *reference = object;
    (void)slot;
    rl_lock(&reference->lock);
    if (is_made_of(reference, data)) {
        reference->bound = false;
        forget_bindings(reference);
        si_reference_bind(reference);
    }
    rl_unlock(&reference->lock);
}

void si_references_of_gone(const void *gone)
{
    si_handle_each(SI_REFERENCE, lose_gone, (void *)(uintptr_t)gone);
}

/* ---- Making and ending --------------------------------------------------------------------- */

static void free_reference(struct si_reference *reference)
{
    forget_bindings(reference);
    rl_free(reference->bindings);
    rl_free(reference->name);
    rl_free(reference);
}

/* Sets what a new reference has on an H100: it clamps, does not filter, and reads one float. */
static struct si_reference *new_reference(const char *name, bool surface)
{
    struct si_reference *made = rl_zalloc(sizeof *made);
    if (made) made->name = rl_alloc(strlen(name) + 1);
    if (!made || !made->name) {
        rl_free(made);
        return NULL;
    }
    strcpy(made->name, name);
    made->surface = surface;
    made->format = CU_AD_FORMAT_FLOAT;
    made->channels = 1;
    for (int d = 0; d < 3; d++) made->how.address[d] = CU_TR_ADDRESS_MODE_CLAMP;
    return made;
}

static CUresult publish(struct si_reference *reference, struct si_context *context,
                        struct si_slot *owner)
{
    struct si_part *part = si_handle_reserve(SI_REFERENCE, context);
    if (!part) return RILL_ERROR_OUT_OF_MEMORY;
    atomic_store_explicit(&part->owner, owner, memory_order_relaxed);
    reference->slot = &part->slot;
    si_handle_restore(part, reference); /* the first object that the slot has */
    if (owner) si_part_made(part);
    return RILL_SUCCESS;
}

static void kill_references(const struct si_module *module)
{
    for (struct si_reference *at = module->references; at; at = at->next) si_handle_kill(at->slot);
}

static void end_references(struct si_module *module)
{
    while (module->references) {
        struct si_reference *reference = module->references;
        module->references = reference->next;
        si_handle_free(SI_REFERENCE, reference->slot);
        free_reference(reference);
    }
}

static const struct si_references_type references_type = { kill_references, end_references };

/* Requires module->lock. */
static CUresult make_reference(struct si_module *module, const char *name, bool surface,
                               struct si_reference **found)
{
    CUresult status = rill_sim_bind_texture(module->raw, name, surface, 0);
    if (status) return status;
    struct si_reference *made = new_reference(name, surface);
    if (!made) return RILL_ERROR_OUT_OF_MEMORY;
    made->module = module;
    made->next = module->references;
    module->references = made;
    module->references_type = &references_type;
    status = publish(made, module->context, module->slot);
    if (status) {
        module->references = made->next;
        free_reference(made);
        return status;
    }
    *found = made;
    return RILL_SUCCESS;
}

/* Finds a reference of a module, or makes it. */
static CUresult find_reference(struct si_module *module, const char *name, bool surface,
                               struct si_reference **found)
{
    CUresult status = RILL_SUCCESS;
    rl_lock(&module->lock);
    *found = module->references;
    while (*found && ((*found)->surface != surface || strcmp((*found)->name, name)))
        *found = (*found)->next;
    if (!*found) status = make_reference(module, name, surface, found);
    rl_unlock(&module->lock);
    return status;
}

/* ---- Those of programs' own ---------------------------------------------------------------- */

static CUresult end_reference(struct si_slot *slot, void *object)
{
    free_reference(object);
    si_handle_free(SI_REFERENCE, slot);
    return RILL_SUCCESS;
}

struct taking {
    struct si_context *context;
    struct si_slot *taken;
};

/* Those of modules go with their modules. */
static void take_reference(void *slot, void *object, void *data)
{
    struct taking *taking = data;
    const struct si_reference *reference = object;
    if (((struct si_slot *)slot)->context != taking->context || reference->module ||
        !si_handle_take(SI_REFERENCE, slot))
        return;
    *si_last_of(slot) = (struct si_last){ object, taking->taken, end_reference };
    taking->taken = slot;
}

struct si_slot *si_references_take(struct si_context *context, struct si_slot *taken)
{
    struct taking taking = { context, taken };
    si_handle_each(SI_REFERENCE, take_reference, &taking);
    return taking.taken;
}

ENTRY(cuTexRefCreate, (CUtexref *reference), (reference))
{
    struct si_context *current;
    CUresult status = si_current(&current);
    if (status) return status;
    if (!reference) return RILL_ERROR_INVALID_VALUE;
    struct si_reference *made = new_reference("", false);
    if (!made) return RILL_ERROR_OUT_OF_MEMORY;
    status = publish(made, current, NULL);
    if (status) free_reference(made);
    else *reference = (CUtexref)(void *)made->slot;
    return status;
}

ENTRY(cuTexRefDestroy, (CUtexref handle), (handle))
{
    struct si_reference *reference;
    CUresult status = si_reference(handle, false, &reference);
    if (status) return status;
    if (reference->module) return RILL_SUCCESS; /* as on an H100; it goes with the module */
    if (!si_handle_take(SI_REFERENCE, handle)) return si_wrong(SI_REFERENCE, handle);
    return si_end((struct si_slot *)(void *)handle, reference, end_reference);
}

/* ---- Those of modules ---------------------------------------------------------------------- */

static CUresult get_reference(CUmodule handle, const char *name, bool surface, void **out)
{
    struct si_reference *reference;
    struct si_module *module = si_module_of(handle);
    if (!module) return si_wrong(SI_MODULE, handle);
    if (!out || !name || !*name) return RILL_ERROR_INVALID_VALUE;
    CUresult status = find_reference(module, name, surface, &reference);
    if (!status) *out = reference->slot;
    return status;
}

ENTRY(cuModuleGetTexRef, (CUtexref *reference, CUmodule module, const char *name),
      (reference, module, name))
{
    return get_reference(module, name, false, (void **)reference);
}

ENTRY(cuModuleGetSurfRef, (CUsurfref *reference, CUmodule module, const char *name),
      (reference, module, name))
{
    return get_reference(module, name, true, (void **)reference);
}

/* Needs to do nothing since launches take along what is bound to the references of a module. */
ENTRY(cuParamSetTexRef, (CUfunction handle, int unit, CUtexref texture), (handle, unit, texture))
{
    struct si_reference *reference;
    struct si_function *function;
    CUresult status = si_function_here(handle, &function);
    if (!status && unit != CU_PARAM_TR_DEFAULT) status = RILL_ERROR_INVALID_VALUE;
    return status ? status : si_reference(texture, false, &reference);
}
