/* SPDX-License-Identifier: Apache-2.0
 *
 * Libraries: code that is loaded once for all contexts.
 */
#include "standin/code/library.h"

#include "base/alloc.h"
#include "standin/code/function.h"
#include "standin/code/variables.h"

struct rl_lock si_library_modules;

/* Publishes a handle whose object is none of rill's. */
static void publish_slot(struct si_slot *slot, void *object)
{
    atomic_store_explicit(&slot->object, object, memory_order_release);
}

static struct si_library *find_library(CUlibrary handle)
{
    return si_object(SI_LIBRARY, handle);
}

/* ---- Modules in contexts ------------------------------------------------------------ */

/* Applies what was set for a kernel.  Requires library->lock. */
static void apply_settings(const struct si_kernel *kernel, struct si_module *module)
{
    CUfunction function;
    for (const struct si_setting *setting = kernel->settings; setting; setting = setting->next)
        if (setting->device == module->context->device &&
            !si_module_function(module, kernel->entry, &function))
            si_function_set((struct si_function *)(void *)function, setting->attribute,
                            setting->value);
}

/* Requires library->lock. */
static void apply_all_settings(struct si_library *library, struct si_module *module)
{
    for (uint32_t i = 0; i < si_library_kernels(library); i++) {
        const struct si_kernel *kernel = atomic_load(&library->kernels[i]);
        if (kernel) apply_settings(kernel, module);
    }
}

/* Requires library->lock. */
static struct si_module *find_module(const struct si_library *library,
                                     const struct si_context *context)
{
    struct si_module *module = library->modules;
    while (module && module->context != context) module = module->next;
    return module;
}

CUresult si_library_module(struct si_library *library, struct si_context *context,
                           struct si_module **out)
{
    CUresult status = library->flaw;
    if (status) return status;
    rl_lock(&library->lock);
    struct si_module *module = find_module(library, context);
    if (!module) {
        status = si_module_load(library->code, context, library, NULL, &module);
        if (!status) {
            module->next = library->modules;
            library->modules = module;
            apply_all_settings(library, module);
        }
    }
    rl_unlock(&library->lock);
    *out = module;
    return status;
}

void si_library_forget(struct si_library *library, struct si_module *module)
{
    rl_lock(&library->lock);
    struct si_module **link = &library->modules;
    while (*link && *link != module) link = &(*link)->next;
    if (*link) *link = module->next;
    rl_unlock(&library->lock);
}

/* ---- Loading ------------------------------------------------------------------------ */

/* Consumes the caller's reference of the code, which is NULL if the image has a flaw. */
static CUresult make_library(struct si_code *code, CUresult flaw, CUlibrary *out)
{
    size_t count = code ? code->image->entry_count : 0;
    struct si_library *library = rl_zalloc(sizeof *library + count * sizeof library->kernels[0]);
    struct si_slot *slot = library ? si_handle_reserve(SI_LIBRARY, NULL) : NULL;
    if (!slot) {
        rl_free(library);
        if (code) si_code_release(code);
        return RILL_ERROR_OUT_OF_MEMORY;
    }
    library->code = code;
    library->flaw = flaw;
    library->slot = slot;
    publish_slot(slot, library);
    *out = (CUlibrary)(void *)slot;
    return RILL_SUCCESS;
}

static CUresult check_options(const struct si_jit *jit, unsigned count, const int *options)
{
    CUresult status = si_check_ready();
    if (!status) status = si_jit_check(jit);
    if (status) return status;
    if (count && !options) return RILL_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < count; i++)
        if (options[i] < 0 || options[i] > CU_LIBRARY_BINARY_IS_PRESERVED)
            return RILL_ERROR_INVALID_VALUE;
    return RILL_SUCCESS;
}

/* A driver looks at an image in memory when something of it is asked for, and not before: then it
 * tells what is wrong with it.  That something is not simulated is told at once. */
static bool is_told_later(CUresult status)
{
    switch (status) {
    case RILL_ERROR_INVALID_IMAGE:
    case RILL_ERROR_INVALID_PTX:
    case RILL_ERROR_UNSUPPORTED_PTX_VERSION: return true;
    default: return false;
    }
}

ENTRY(cuLibraryLoadData,
      (CUlibrary *library, const void *image, int *jit_options, void **jit_values,
       unsigned jit_count, int *options, void **values, unsigned count),
      (library, image, jit_options, jit_values, jit_count, options, values, count))
{
    const struct si_jit jit = { jit_count, jit_options, jit_values };
    struct si_code *code;
    CUresult status = check_options(&jit, count, options);
    (void)values;
    if (status) return status;
    if (!library || !image) return RILL_ERROR_INVALID_VALUE;
    status = si_code_read(image, 0, SI_ALL_DEVICES, &jit, &code);
    if (is_told_later(status)) return make_library(NULL, status, library);
    if (status) return status;
    si_jit_say(&jit, "");
    return make_library(code, RILL_SUCCESS, library);
}

ENTRY(cuLibraryLoadFromFile,
      (CUlibrary *library, const char *path, int *jit_options, void **jit_values,
       unsigned jit_count, int *options, void **values, unsigned count),
      (library, path, jit_options, jit_values, jit_count, options, values, count))
{
    const struct si_jit jit = { jit_count, jit_options, jit_values };
    struct si_code *code;
    CUresult status = check_options(&jit, count, options);
    (void)values;
    if (status) return status;
    if (!library || !path) return RILL_ERROR_INVALID_VALUE;
    status = si_code_read_file(path, SI_ALL_DEVICES, &jit, &code);
    if (status) return status;
    si_jit_say(&jit, "");
    return make_library(code, RILL_SUCCESS, library);
}

static void kill_kernels(struct si_library *library)
{
    for (uint32_t i = 0; i < si_library_kernels(library); i++) {
        struct si_kernel *kernel = atomic_load(&library->kernels[i]);
        if (kernel) si_handle_kill(kernel);
    }
}

static void free_kernel(struct si_kernel *kernel)
{
    for (struct si_setting *setting = kernel->settings, *next; setting; setting = next) {
        next = setting->next;
        rl_free(setting);
    }
    si_handle_free(SI_KERNEL, kernel);
}

/* Takes the modules that are left: those that no context has taken. */
static struct si_module *take_modules(struct si_library *library)
{
    rl_lock(&si_library_modules);
    struct si_module *taken = NULL, *next;
    for (struct si_module *module = library->modules; module; module = next) {
        next = module->next;
        if (!si_module_take(module)) continue;
        module->next = taken;
        taken = module;
    }
    library->modules = NULL;
    rl_unlock(&si_library_modules);
    return taken;
}

/* No call holds any of it. */
static CUresult end_library(struct si_slot *slot, void *object)
{
    struct si_library *library = object;
    CUresult status = RILL_SUCCESS;
    for (struct si_module *module = take_modules(library), *next; module; module = next) {
        next = module->next;
        CUresult ended = si_module_end(module);
        if (ended) status = ended;
    }
    for (uint32_t i = 0; i < si_library_kernels(library); i++) {
        struct si_kernel *kernel = atomic_load(&library->kernels[i]);
        if (kernel) free_kernel(kernel);
    }
    if (library->code) si_code_release(library->code);
    rl_free(library);
    si_handle_free(SI_LIBRARY, slot);
    return status;
}

static CUresult unload_library(CUlibrary handle)
{
    struct si_library *library = si_handle_take(SI_LIBRARY, handle);
    if (!library) return si_wrong(SI_LIBRARY, handle);
    kill_kernels(library);
    return si_end((struct si_slot *)handle, library, end_library);
}

static void unload_slot(void *slot, void *library, void *data)
{
    (void)library, (void)data;
    unload_library((CUlibrary)slot);
}

void si_libraries_end(void)
{
    si_handle_each(SI_LIBRARY, unload_slot, NULL);
}

ENTRY(cuLibraryUnload, (CUlibrary handle), (handle))
{
    return unload_library(handle);
}

/* ---- Kernels ------------------------------------------------------------------------ */

static CUresult find_kernel(struct si_library *library, uint32_t entry, CUkernel *out)
{
    struct si_kernel *kernel =
        atomic_load_explicit(&library->kernels[entry], memory_order_acquire);
    if (!kernel) {
        rl_lock(&library->lock);
        kernel = atomic_load_explicit(&library->kernels[entry], memory_order_relaxed);
        if (!kernel && (kernel = si_handle_reserve(SI_KERNEL, NULL))) {
            atomic_store_explicit(&kernel->part.owner, library->slot, memory_order_relaxed);
            kernel->library = library;
            kernel->entry = entry;
            publish_slot(&kernel->part.slot, library);
            atomic_store(&library->kernels[entry], kernel);
            si_part_made(&kernel->part);
        }
        rl_unlock(&library->lock);
    }
    if (kernel) *out = (CUkernel)(void *)kernel;
    return kernel ? RILL_SUCCESS : RILL_ERROR_OUT_OF_MEMORY;
}

ENTRY(cuLibraryGetKernel,
      (CUkernel *kernel, CUlibrary handle, const char *name), (kernel, handle, name))
{
    struct si_library *library = find_library(handle);
    if (!library) return si_wrong(SI_LIBRARY, handle);
    if (!kernel || !name) return RILL_ERROR_INVALID_VALUE;
    if (library->flaw) return library->flaw;
    int entry = si_code_find(library->code, name);
    return entry < 0 ? RILL_ERROR_NOT_FOUND : find_kernel(library, (uint32_t)entry, kernel);
}

ENTRY(cuLibraryGetKernelCount, (unsigned *count, CUlibrary handle), (count, handle))
{
    struct si_library *library = find_library(handle);
    if (!library) return si_wrong(SI_LIBRARY, handle);
    if (!count) return RILL_ERROR_INVALID_VALUE;
    *count = si_library_kernels(library);
    return RILL_SUCCESS;
}

ENTRY(cuLibraryEnumerateKernels,
      (CUkernel *kernels, unsigned count, CUlibrary handle), (kernels, count, handle))
{
    struct si_library *library = find_library(handle);
    CUresult status = RILL_SUCCESS;
    if (!library) return si_wrong(SI_LIBRARY, handle);
    if (!kernels) return RILL_ERROR_INVALID_VALUE;
    if (count > si_library_kernels(library)) count = si_library_kernels(library);
    for (unsigned i = 0; !status && i < count; i++) status = find_kernel(library, i, &kernels[i]);
    return status;
}

/* ---- In the current context --------------------------------------------------------- */

static CUresult find_module_here(CUlibrary handle, struct si_module **module)
{
    struct si_context *context;
    struct si_library *library = find_library(handle);
    if (!library) return si_wrong(SI_LIBRARY, handle);
    CUresult status = si_current(&context);
    return status ? status : si_library_module(library, context, module);
}

ENTRY(cuLibraryGetModule, (CUmodule *out, CUlibrary handle), (out, handle))
{
    struct si_module *module;
    if (!find_library(handle)) return si_wrong(SI_LIBRARY, handle);
    if (!out) return RILL_ERROR_INVALID_VALUE;
    CUresult status = find_module_here(handle, &module);
    if (!status) *out = (CUmodule)(void *)module->slot;
    return status;
}

ENTRY(cuLibraryGetGlobal,
      (CUdeviceptr *address, size_t *bytes, CUlibrary handle, const char *name),
      (address, bytes, handle, name))
{
    struct si_module *module;
    if (!find_library(handle)) return si_wrong(SI_LIBRARY, handle);
    if (!name || !*name) return RILL_ERROR_INVALID_VALUE;
    CUresult status = find_module_here(handle, &module);
    return status ? status : si_module_variable(module, name, address, bytes);
}

/* Finds managed variables alone. */
ENTRY(cuLibraryGetManaged,
      (CUdeviceptr *address, size_t *bytes, CUlibrary handle, const char *name),
      (address, bytes, handle, name))
{
    struct si_library *library = find_library(handle);
    if (!library) return si_wrong(SI_LIBRARY, handle);
    if (!name) return RILL_ERROR_INVALID_VALUE;
    if (library->flaw) return library->flaw;
    const struct image_variable *variable = image_find_variable(library->code->image, name);
    if (!variable || !variable->managed) return RILL_ERROR_NOT_FOUND;
    return cuLibraryGetGlobal(address, bytes, handle, name);
}

/* A function that host and device can both call needs machine code for both. */
ENTRY(cuLibraryGetUnifiedFunction,
      (void **function, CUlibrary handle, const char *name), (function, handle, name))
{
    struct si_library *library = find_library(handle);
    if (!library) return si_wrong(SI_LIBRARY, handle);
    return function && name ? RILL_ERROR_NOT_FOUND : RILL_ERROR_INVALID_VALUE;
}
