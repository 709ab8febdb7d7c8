/* SPDX-License-Identifier: Apache-2.0
 *
 * Loading modules, and the calls on them.
 */
#include "standin/code/module.h"

#include <rill/sim.h>

#include "base/alloc.h"
#include "base/words/log_words.h"
#include "standin/abi/log.h"
#include "standin/code/function.h"
#include "standin/code/library.h"
#include "standin/code/old_launch.h"
#include "standin/code/variables.h"

/* ---- Loading ------------------------------------------------------------------------ */

static void free_module(struct si_module *module)
{
    si_code_release(module->code);
    rl_free(module);
}

/* Logs which kernels cannot be launched, before a program tries. */
static void log_unsupported(rill_module *module)
{
    const char *name = NULL, *why = NULL;
    if (!rl_log_wants("kernels")) return;
    for (size_t i = 0; !rill_sim_lacking_kernel(module, i, &name, &why) && name; i++)
        si_log("%s", why);
}

/* Returns another module of the library, since they share managed variables, or NULL.  Requires
 * library->lock. */
static rill_module *sibling_of(const struct si_module *module)
{
    const struct si_module *sibling = module->library ? module->library->modules : NULL;
    while (sibling && !sibling->is_text) sibling = sibling->next;
    return sibling ? sibling->raw : NULL;
}

/* Loads the text, with C functions in place of kernels. */
static CUresult load_text(struct si_module *module, const struct image *text,
                          const struct si_jit *jit)
{
    const struct si_code *code = module->code;
    rill_context *context = atomic_load(&module->context->slot.object);
    rill_image image = {
        .size = sizeof image,
        .code = text->text,
        .code_bytes = text->text_bytes,
        .functions = code->functions,
        .function_count = code->function_count,
        .managed_of = sibling_of(module),
    };
    CUresult status = rill_module_load(context, &image, &module->raw);
    module->is_text = !status;
    if (!status) log_unsupported(module->raw);
    if (status && rl_log_wants("images")) si_log("PTX is refused: %s", rill_last_error()->message);
    if (status && jit && !text->binary) si_jit_say(jit, rill_last_error()->message);
    return status;
}

static CUresult load_functions(struct si_module *module)
{
    const struct si_code *code = module->code;
    rill_context *context = atomic_load(&module->context->slot.object);
    rill_image image = {
        .size = sizeof image,
        .functions = code->functions,
        .function_count = code->image->entry_count ? code->image->entry_count : 1,
    };
    return rill_module_load(context, &image, &module->raw);
}

/* If an image has machine code for the device as well, a driver ignores the text: whatever is
 * wrong with the text is no reason to refuse. */
static CUresult load_raw(struct si_module *module, const struct si_jit *jit)
{
    const struct image *image;
    CUresult status = si_code_image(module->code, module->context->device, &image);
    if (status) return status;
    if (image->text) status = load_text(module, image, jit);
    return !image->text || (status && image->binary) ? load_functions(module) : status;
}

static CUresult open_module(struct si_module *module, const struct si_jit *jit)
{
    CUresult status = load_raw(module, jit);
    if (status) return status;
    status = si_variables_make(module);
    struct si_module_slot *slot = status ? NULL : si_handle_reserve(SI_MODULE, module->context);
    if (slot) {
        slot->module = module;
        module->slot = &slot->slot;
        si_handle_publish(slot, module->raw);
        return RILL_SUCCESS;
    }
    si_variables_free(module);
    rill_module_unload(&module->raw);
    return status ? status : RILL_ERROR_OUT_OF_MEMORY;
}

CUresult si_module_load(struct si_code *code, struct si_context *context,
                        struct si_library *library, const struct si_jit *jit,
                        struct si_module **out)
{
    size_t count = code->image->entry_count;
    struct si_module *module = rl_zalloc(sizeof *module + count * sizeof module->functions[0]);
    if (!module) return RILL_ERROR_OUT_OF_MEMORY;
    atomic_fetch_add_explicit(&code->references, 1, memory_order_relaxed);
    module->code = code;
    module->context = context;
    module->library = library;
    CUresult status = open_module(module, jit);
    if (status)
        free_module(module);
    else
        *out = module;
    return status;
}

int si_module_take(struct si_module *module)
{
    if (!si_handle_take(SI_MODULE, module->slot)) return 0;
    for (uint32_t i = 0; i < module->code->image->entry_count; i++) {
        struct si_function *function = atomic_load(&module->functions[i]);
        if (function) si_handle_kill(function);
    }
    rl_lock(&module->lock);
    if (module->references_type) module->references_type->kill(module);
    rl_unlock(&module->lock);
    return 1;
}

/* No call holds any of it, and all handles are dead. */
static CUresult end_module(struct si_slot *slot, void *object)
{
    struct si_module *module = object;
    for (uint32_t i = 0; i < module->code->image->entry_count; i++) {
        struct si_function *function = atomic_load(&module->functions[i]);
        if (!function) continue;
        si_launch_setup_free(function);
        si_handle_free(SI_FUNCTION, function);
    }
    if (module->references_type) module->references_type->end(module);
    si_handle_free(SI_MODULE, slot);
    si_variables_free(module);
    CUresult status = rill_module_unload(&module->raw);
    free_module(module);
    return status;
}

CUresult si_module_end(struct si_module *module)
{
    return si_end(module->slot, module, end_module);
}

struct taking {
    struct si_context *context;
    struct si_slot *taken;
};

static void take_module(void *slot, void *object, void *data)
{
    struct taking *taking = data;
    struct si_module *module = ((struct si_module_slot *)slot)->module;
    (void)object;
    if (((struct si_slot *)slot)->context != taking->context || !si_module_take(module)) return;
    if (module->library) si_library_forget(module->library, module);
    *si_last_of(slot) = (struct si_last){ module, taking->taken, end_module };
    taking->taken = slot;
}

struct si_slot *si_modules_take(struct si_context *context, struct si_slot *taken)
{
    struct taking taking = { context, taken };
    rl_lock(&si_library_modules);
    si_handle_each(SI_MODULE, take_module, &taking);
    rl_unlock(&si_library_modules);
    return taking.taken;
}

/* ---- Functions ---------------------------------------------------------------------- */

static CUresult make_function(struct si_module *module, uint32_t entry)
{
    const struct image_entry *about = &module->code->image->entries[entry];
    rill_kernel *kernel = NULL;
    CUresult status = rill_module_kernel(module->raw, about->name, &kernel);
    if (status) return status;
    struct si_function *function = si_handle_reserve(SI_FUNCTION, module->context);
    if (!function) return RILL_ERROR_OUT_OF_MEMORY;
    atomic_store_explicit(&function->part.owner, module->slot, memory_order_relaxed);
    function->module = module;
    function->entry = entry;
    function->runs = module->is_text || module->code->runs[entry];
    atomic_init(&function->setup, NULL);
    function->plain = function->runs && !about->block[0] && !about->cluster[0];
    for (int i = 0; i < 3; i++) {
        uint32_t size = about->cluster[i] || !about->cluster[0] ? about->cluster[i] : 1;
        atomic_init(&function->cluster[i], (uint16_t)size);
    }
    si_handle_publish(function, kernel);
    atomic_store(&module->functions[entry], function);
    si_part_made(&function->part);
    return RILL_SUCCESS;
}

CUresult si_module_function(struct si_module *module, uint32_t entry, CUfunction *out)
{
    CUresult status = RILL_SUCCESS;
    if (!atomic_load_explicit(&module->functions[entry], memory_order_acquire)) {
        rl_lock(&module->lock);
        if (!atomic_load_explicit(&module->functions[entry], memory_order_relaxed))
            status = make_function(module, entry);
        rl_unlock(&module->lock);
    }
    if (!status) *out = (CUfunction)(void *)atomic_load(&module->functions[entry]);
    return status;
}

/* ---- Entry points ------------------------------------------------------------------- */

/* Consumes the caller's reference of the code. */
static CUresult load_here(struct si_code *code, const struct si_jit *jit, CUmodule *out)
{
    struct si_context *context;
    struct si_module *module;
    CUresult status = si_current(&context);
    if (!status) status = si_module_load(code, context, NULL, jit, &module);
    si_code_release(code);
    if (status) return status;
    si_jit_say(jit, "");
    *out = (CUmodule)(void *)module->slot;
    return RILL_SUCCESS;
}

static CUresult load_data(CUmodule *module, const void *image, const struct si_jit *jit)
{
    struct si_context *context;
    struct si_code *code;
    uint64_t begin = rl_monotonic_ns();
    CUresult status = si_current(&context);
    if (status) return status;
    if (!module || !image) return RILL_ERROR_INVALID_VALUE;
    status = si_jit_check(jit);
    if (status) return status;
    status = si_code_read(image, 0, context->device, jit, &code);
    if (!status) status = load_here(code, jit, module);
    if (!status) si_jit_took(jit, begin);
    return status;
}

ENTRY(cuModuleLoadDataEx,
      (CUmodule *module, const void *image, unsigned count, int *options, void **values),
      (module, image, count, options, values))
{
    const struct si_jit jit = { count, options, values };
    return load_data(module, image, &jit);
}

ENTRY(cuModuleLoadData, (CUmodule *module, const void *image), (module, image))
{
    const struct si_jit none = { 0, NULL, NULL };
    return load_data(module, image, &none);
}

SAME_AS(cuModuleLoadFatBinary, cuModuleLoadData, (CUmodule *module, const void *image),
        (module, image))

ENTRY(cuModuleLoad, (CUmodule *module, const char *path), (module, path))
{
    struct si_context *context;
    struct si_code *code;
    const struct si_jit none = { 0, NULL, NULL };
    CUresult status = si_current(&context);
    if (status) return status;
    if (!module || !path || !*path) return RILL_ERROR_INVALID_VALUE;
    status = si_code_read_file(path, context->device, &none, &code);
    return status ? status : load_here(code, &none, module);
}

ENTRY(cuModuleUnload, (CUmodule handle), (handle))
{
    struct si_module *module = si_module_of(handle);
    if (!module) return si_wrong(SI_MODULE, handle);
    if (module->library) return RILL_ERROR_NOT_PERMITTED;
    return si_module_take(module) ? si_module_end(module) : si_wrong(SI_MODULE, handle);
}

ENTRY(cuModuleGetLoadingMode, (int *mode), (mode))
{
    CUresult status = si_check_ready();
    if (status) return status;
    if (!mode) return RILL_ERROR_INVALID_VALUE;
    *mode = CU_MODULE_LAZY_LOADING;
    return RILL_SUCCESS;
}

/* Leaves NULL when it fails. */
ENTRY(cuModuleGetFunction,
      (CUfunction *function, CUmodule handle, const char *name), (function, handle, name))
{
    struct si_module *module = si_module_of(handle);
    if (!module) return si_wrong(SI_MODULE, handle);
    if (!function || !name || !*name) return RILL_ERROR_INVALID_VALUE;
    *function = NULL;
    int entry = si_code_find(module->code, name);
    if (entry >= 0) return si_module_function(module, (uint32_t)entry, function);
    /* rill knows what forbids the call, which comes first. */
    rill_kernel *none;
    *function = NULL; /* as the driver leaves it */
    return rill_module_kernel(module->raw, name, &none);
}

ENTRY(cuModuleGetFunctionCount, (unsigned *count, CUmodule handle), (count, handle))
{
    struct si_module *module = si_module_of(handle);
    if (!module) return si_wrong(SI_MODULE, handle);
    if (!count) return RILL_ERROR_INVALID_VALUE;
    *count = module->code->image->entry_count;
    return RILL_SUCCESS;
}

ENTRY(cuModuleEnumerateFunctions,
      (CUfunction *functions, unsigned count, CUmodule handle), (functions, count, handle))
{
    struct si_module *module = si_module_of(handle);
    if (!module) return si_wrong(SI_MODULE, handle);
    if (!functions) return RILL_ERROR_INVALID_VALUE;
    CUresult status = RILL_SUCCESS;
    if (count > module->code->image->entry_count) count = module->code->image->entry_count;
    for (unsigned i = 0; !status && i < count; i++)
        status = si_module_function(module, i, &functions[i]);
    return status;
}

static CUresult find_variable(CUmodule handle, const char *name, CUdeviceptr *address,
                              size_t *bytes)
{
    struct si_module *module = si_module_of(handle);
    if (!module) return si_wrong(SI_MODULE, handle);
    if (!name || !*name || (!address && !bytes)) return RILL_ERROR_INVALID_VALUE;
    return si_module_variable(module, name, address, bytes);
}

ENTRY(cuModuleGetGlobal_v2,
      (CUdeviceptr *address, size_t *bytes, CUmodule handle, const char *name),
      (address, bytes, handle, name))
{
    CUresult status = find_variable(handle, name, address, bytes);
    if (status && address) *address = 0; /* as the driver leaves them */
    if (status && bytes) *bytes = 0;
    return status;
}

/* From the time when addresses had 32 bits. */
ENTRY(cuModuleGetGlobal,
      (unsigned *address, unsigned *bytes, CUmodule handle, const char *name),
      (address, bytes, handle, name))
{
    CUdeviceptr wide = 0;
    size_t size = 0;
    CUresult status = cuModuleGetGlobal_v2(&wide, &size, handle, name);
    if (status) return status;
    if (address && wide > UINT32_MAX) return RILL_ERROR_NOT_SUPPORTED;
    if (address) *address = (unsigned)wide;
    if (bytes) *bytes = (unsigned)size;
    return RILL_SUCCESS;
}
