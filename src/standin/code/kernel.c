/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels of libraries.
 */
#include "base/alloc.h"
#include "standin/code/function.h"
#include "standin/code/library.h"

static const struct image_entry *entry_of_kernel(const struct si_kernel *kernel)
{
    return &kernel->library->code->image->entries[kernel->entry];
}

ENTRY(cuKernelGetFunction, (CUfunction *function, CUkernel handle), (function, handle))
{
    struct si_function *found;
    const struct si_kernel *kernel = si_kernel(handle);
    if (!kernel) return si_wrong(SI_KERNEL, handle);
    if (!function) return RILL_ERROR_INVALID_VALUE;
    CUresult status = si_function_here((CUfunction)(void *)handle, &found);
    if (!status) *function = (CUfunction)(void *)found;
    return status;
}

ENTRY(cuKernelGetLibrary, (CUlibrary *library, CUkernel handle), (library, handle))
{
    const struct si_kernel *kernel = si_kernel(handle);
    if (!kernel) return si_wrong(SI_KERNEL, handle);
    if (!library) return RILL_ERROR_INVALID_VALUE;
    *library = (CUlibrary)(void *)kernel->library->slot;
    return RILL_SUCCESS;
}

ENTRY(cuKernelGetName, (const char **name, CUkernel handle), (name, handle))
{
    const struct si_kernel *kernel = si_kernel(handle);
    if (!kernel) return si_wrong(SI_KERNEL, handle);
    if (!name) return RILL_ERROR_INVALID_VALUE;
    *name = entry_of_kernel(kernel)->name;
    return RILL_SUCCESS;
}

ENTRY(cuKernelGetParamInfo,
      (CUkernel handle, size_t index, size_t *offset, size_t *bytes),
      (handle, index, offset, bytes))
{
    const struct si_kernel *kernel = si_kernel(handle);
    if (!kernel) return si_wrong(SI_KERNEL, handle);
    return si_entry_param(entry_of_kernel(kernel), index, offset, bytes);
}

/* ---- Attributes --------------------------------------------------------------------- */

/* Finds the function in the current context, which must be one of that device. */
static CUresult find_function_on(CUkernel handle, CUdevice device, struct si_function **function)
{
    struct si_context *context;
    if (!si_kernel(handle)) return si_wrong(SI_KERNEL, handle);
    if (!si_device(device)) return RILL_ERROR_INVALID_DEVICE;
    CUresult status = si_current(&context);
    if (status) return status;
    if (context->device != device) return RILL_ERROR_INVALID_DEVICE;
    return si_function_here((CUfunction)(void *)handle, function);
}

/* Answers what a kernel has of its own, whatever was set for a function of it: what the kernel was
 * set to, as it was given, or what it was compiled for.  Returns 0 for other attributes. */
static int ask_kernel(struct si_kernel *kernel, int attribute, CUdevice device, int *value)
{
    const struct image_entry *entry = entry_of_kernel(kernel);
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
        *value = (int)entry->cluster[attribute - CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH];
        break;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE: *value = 0; break;
    default: return 0;
    }
    rl_lock(&kernel->library->lock);
    for (const struct si_setting *setting = kernel->settings; setting; setting = setting->next)
        if (setting->attribute == attribute && setting->device == device) *value = setting->value;
    rl_unlock(&kernel->library->lock);
    return 1;
}

ENTRY(cuKernelGetAttribute,
      (int *value, int attribute, CUkernel handle, CUdevice device),
      (value, attribute, handle, device))
{
    struct si_function *function;
    struct si_kernel *kernel = si_kernel(handle);
    CUresult status = find_function_on(handle, device, &function);
    if (status) return status;
    if (!value) return RILL_ERROR_INVALID_VALUE;
    if (ask_kernel(kernel, attribute, device, value)) return RILL_SUCCESS;
    return si_function_get(function, attribute, value);
}

/* Stores an attribute for the modules that the library will have on that device.  A program
 * may set one before each launch, so the last value replaces the others. */
static CUresult store_setting(struct si_kernel *kernel, int attribute, int value, CUdevice device)
{
    CUresult status = RILL_SUCCESS;
    rl_lock(&kernel->library->lock);
    struct si_setting *setting = kernel->settings;
    while (setting && (setting->attribute != attribute || setting->device != device))
        setting = setting->next;
    if (setting) {
        setting->value = value;
    } else if ((setting = rl_alloc(sizeof *setting))) {
        *setting = (struct si_setting){ kernel->settings, attribute, value, device };
        kernel->settings = setting;
    } else {
        status = RILL_ERROR_OUT_OF_MEMORY;
    }
    rl_unlock(&kernel->library->lock);
    return status;
}

/* Sets an attribute of the functions that exist, except the first, which has taken it. */
static void set_existing(const struct si_kernel *kernel, const struct si_function *first,
                         int attribute, int value)
{
    CUfunction function;
    rl_lock(&kernel->library->lock);
    for (struct si_module *module = kernel->library->modules; module; module = module->next) {
        if (module == first->module || module->context->device != first->module->context->device ||
            si_module_function(module, kernel->entry, &function))
            continue;
        si_function_set((struct si_function *)(void *)function, attribute, value);
    }
    rl_unlock(&kernel->library->lock);
}

ENTRY(cuKernelSetAttribute,
      (int attribute, int value, CUkernel handle, CUdevice device),
      (attribute, value, handle, device))
{
    struct si_function *function;
    struct si_kernel *kernel = si_kernel(handle);
    if (!kernel) return si_wrong(SI_KERNEL, handle);
    CUresult status = find_function_on(handle, device, &function);
    if (!status) status = si_function_set(function, attribute, value);
    if (!status) status = store_setting(kernel, attribute, value, device);
    if (!status) set_existing(kernel, function, attribute, value);
    return status;
}

ENTRY(cuKernelSetCacheConfig,
      (CUkernel handle, int config, CUdevice device), (handle, config, device))
{
    struct si_function *function;
    CUresult status = find_function_on(handle, device, &function);
    return status ? status : si_function_prefer_cache(function, config);
}
