/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions as arguments, and questions about them.
 */
#include "standin/code/function.h"

#include <rill/backend.h>
#include <stdio.h>

#include "base/words/log_words.h"
#include "core/object/error.h"
#include "standin/abi/log.h"
#include "standin/code/library.h"

/* ---- As arguments ------------------------------------------------------------------- */

/* Finds the function of a library's kernel in a context, into which the library is loaded if need
 * be. */
static CUresult look_up_function(struct si_kernel *kernel, struct si_context *context,
                                 struct si_function **function)
{
    struct si_module *module;
    CUfunction handle = NULL;
    CUresult status = si_library_module(kernel->library, context, &module);
    if (!status) status = si_module_function(module, kernel->entry, &handle);
    *function = (struct si_function *)(void *)handle;
    if (!status) atomic_store_explicit(&kernel->recent, *function, memory_order_release);
    return status;
}

/* Tells whether a function lives and is the one of that kernel in that context.  The function may
 * be long gone, and its slot another function's.  But slots of functions are used for nothing else,
 * so the slot can be held in any case, and a function that lives and is held keeps its module. */
static inline bool is_function_of(struct si_function *function, const struct si_kernel *kernel,
                                  const struct si_context *context)
{
    return function && si_hold(function) && si_function_kernel(function) &&
           function->module->context == context && function->entry == kernel->entry &&
           function->module->library == kernel->library;
}

/* Finds the function of a library's kernel in the context where it is to run.  All launches of a
 * runtime come here, mostly for the function that the last one found: that takes no lock. */
static inline CUresult find_in_context(struct si_kernel *kernel, struct si_context *context,
                                       struct si_function **function)
{
    *function = atomic_load_explicit(&kernel->recent, memory_order_acquire);
    if (__builtin_expect(is_function_of(*function, kernel, context), 1)) return RILL_SUCCESS;
    return look_up_function(kernel, context, function);
}

CUresult si_kernel_in(CUkernel handle, CUcontext where, struct si_function **function)
{
    struct si_kernel *kernel = si_kernel(handle);
    struct si_context *context = (struct si_context *)where;
    if (!kernel) return si_wrong(SI_KERNEL, handle);
    CUresult status = RILL_SUCCESS;
    if (!where) status = si_current(&context);
    else if (!si_object(SI_CONTEXT, where)) status = si_wrong(SI_CONTEXT, where);
    return status ? status : find_in_context(kernel, context, function);
}

CUresult si_kernel_at(CUfunction handle, const struct si_place *place,
                      struct si_function **function)
{
    struct si_kernel *kernel = si_kernel(handle);
    if (!kernel && !place->status) return si_wrong(SI_FUNCTION, handle);
    return place->status ? place->status : find_in_context(kernel, place->context, function);
}

CUresult si_function_here(CUfunction handle, struct si_function **function)
{
    *function = (struct si_function *)(void *)handle;
    if (si_object(SI_FUNCTION, handle)) return RILL_SUCCESS;
    struct si_kernel *kernel = si_kernel(handle);
    struct si_context *context;
    if (!kernel) return si_wrong(SI_FUNCTION, handle);
    CUresult status = si_current(&context);
    return status ? status : find_in_context(kernel, context, function);
}

CUresult si_refuse_missing(const struct si_function *function)
{
    if (function->runs) return RILL_SUCCESS;
    char words[RILL_ERROR_MESSAGE_MAX];
    snprintf(words, sizeof words,
             "kernel '%s' cannot be launched: it is machine code alone, without PTX, and no "
             "library that RILL_KERNELS names has a function for it", si_entry_of(function)->name);
    if (rl_log_wants("kernels")) si_log("%s", words);
    return rl_finish("launch", NULL,
                     rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, NULL, "%s", words));
}

/* ---- Attributes --------------------------------------------------------------------- */

static int constant_bytes(const struct image *image)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < image->variable_count && bytes <= INT32_MAX; i++) {
        const struct image_variable *variable = &image->variables[i];
        if (variable->space != IMAGE_CONSTANT) continue;
        bytes += variable->bytes < INT32_MAX ? variable->bytes : INT32_MAX;
    }
    return bytes > INT32_MAX ? INT32_MAX : (int)bytes;
}

/* Answers what the image knows better than rill; returns 0 if rill is to be asked. */
static int ask_image(const struct si_function *function, int attribute, int *value)
{
    const struct image_entry *entry = si_entry_of(function);
    const struct image *image = function->module->code->image;
    switch (attribute) {
    case RILL_KERNEL_CONST_BYTES: *value = constant_bytes(image); return 1;
    case RILL_KERNEL_LOCAL_BYTES: *value = (int)entry->local_bytes; return 1;
    case RILL_KERNEL_REGISTERS: *value = (int)entry->registers; return entry->registers != 0;
    case RILL_KERNEL_PTX_VERSION: *value = (int)image->architecture; return 1;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET: *value = entry->cluster[0] != 0; return 1;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
        *value = atomic_load_explicit(
            &function->cluster[attribute - CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH],
            memory_order_relaxed);
        return 1;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
        *value = __atomic_load_n(&function->large_clusters, __ATOMIC_RELAXED);
        return 1;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
        *value = __atomic_load_n(&function->cluster_policy, __ATOMIC_RELAXED);
        return 1;
    default: return 0;
    }
}

CUresult si_function_get(const struct si_function *function, int attribute, int *value)
{
    int known = 0;
    if (ask_image(function, attribute, &known)) {
        *value = known;
        return RILL_SUCCESS;
    }
    return rill_kernel_get_attribute(si_function_kernel(function), (rill_kernel_attribute)attribute,
                                     value);
}

/* Sets one size of the cluster, unless the kernel was compiled for a cluster.  Whether there can
 * be such clusters is for launches to see. */
static CUresult set_cluster(struct si_function *function, int which, int value)
{
    const struct image_entry *entry = si_entry_of(function);
    if (value < 0 || entry->cluster[0]) return RILL_ERROR_INVALID_VALUE;
    uint16_t kept = value < UINT16_MAX ? (uint16_t)value : UINT16_MAX;
    atomic_store_explicit(&function->cluster[which], kept, memory_order_relaxed);
    if (value) __atomic_store_n(&function->plain, 0, __ATOMIC_RELAXED);
    return RILL_SUCCESS;
}

CUresult si_function_set(struct si_function *function, int attribute, int value)
{
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
        return set_cluster(function, attribute - CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, value);
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
        __atomic_store_n(&function->large_clusters, value != 0, __ATOMIC_RELAXED);
        return RILL_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
        if (value < 0 || value > 2) return RILL_ERROR_INVALID_VALUE;
        __atomic_store_n(&function->cluster_policy, (uint8_t)value, __ATOMIC_RELAXED);
        return RILL_SUCCESS;
    default:
        return rill_kernel_set_attribute(si_function_kernel(function),
                                         (rill_kernel_attribute)attribute, value);
    }
}

/* ---- Parameters --------------------------------------------------------------------- */

CUresult si_entry_param(const struct image_entry *entry, size_t index, size_t *offset,
                        size_t *bytes)
{
    if (!offset || index >= entry->param_count) return RILL_ERROR_INVALID_VALUE;
    *offset = entry->params[index].offset;
    if (bytes) *bytes = entry->params[index].bytes;
    return RILL_SUCCESS;
}

/* ---- Entry points ------------------------------------------------------------------- */

/* Attributes are of functions alone: a kernel of a library has calls of its own. */

ENTRY(cuFuncGetAttribute,
      (int *value, int attribute, CUfunction handle), (value, attribute, handle))
{
    const struct si_function *function = (const struct si_function *)(const void *)handle;
    CUresult status = si_check_ready();
    if (status) return status;
    if (!value) return RILL_ERROR_INVALID_VALUE;
    if (!si_object(SI_FUNCTION, handle)) return si_wrong(SI_FUNCTION, handle);
    return si_function_get(function, attribute, value);
}

ENTRY(cuFuncSetAttribute, (CUfunction handle, int attribute, int value), (handle, attribute, value))
{
    struct si_function *function = (struct si_function *)(void *)handle;
    if (!si_object(SI_FUNCTION, handle)) return si_wrong(SI_FUNCTION, handle);
    return si_function_set(function, attribute, value);
}

CUresult si_function_prefer_cache(struct si_function *function, int config)
{
    if (config < 0 || config > CU_FUNC_CACHE_PREFER_EQUAL) return RILL_ERROR_INVALID_VALUE;
    __atomic_store_n(&function->cache_config, (uint8_t)config, __ATOMIC_RELAXED);
    return RILL_SUCCESS;
}

ENTRY(cuFuncSetCacheConfig, (CUfunction handle, int config), (handle, config))
{
    struct si_function *function;
    CUresult status = si_function_here(handle, &function);
    return status ? status : si_function_prefer_cache(function, config);
}

ENTRY(cuFuncSetSharedMemConfig, (CUfunction handle, int config), (handle, config))
{
    struct si_function *function;
    CUresult status = si_function_here(handle, &function);
    if (status) return status;
    int known = config >= 0 && config <= CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE;
    return known ? RILL_SUCCESS : RILL_ERROR_INVALID_VALUE;
}

ENTRY(cuFuncGetModule, (CUmodule *module, CUfunction handle), (module, handle))
{
    struct si_function *function;
    CUresult status = si_function_here(handle, &function);
    if (status) return status;
    if (!module) return RILL_ERROR_INVALID_VALUE;
    *module = (CUmodule)(void *)function->module->slot;
    return RILL_SUCCESS;
}

ENTRY(cuFuncGetName, (const char **name, CUfunction handle), (name, handle))
{
    struct si_function *function;
    CUresult status = si_function_here(handle, &function);
    if (status) return status;
    if (!name) return RILL_ERROR_INVALID_VALUE;
    *name = si_entry_of(function)->name;
    return RILL_SUCCESS;
}

ENTRY(cuFuncGetParamInfo,
      (CUfunction handle, size_t index, size_t *offset, size_t *bytes),
      (handle, index, offset, bytes))
{
    struct si_function *function;
    CUresult status = si_function_here(handle, &function);
    return status ? status : si_entry_param(si_entry_of(function), index, offset, bytes);
}

/* A module is loaded as a whole. */
ENTRY(cuFuncIsLoaded, (int *state, CUfunction handle), (state, handle))
{
    struct si_function *function;
    CUresult status = si_function_here(handle, &function);
    if (status) return status;
    if (!state) return RILL_ERROR_INVALID_VALUE;
    *state = CU_FUNCTION_LOADING_STATE_LOADED;
    return RILL_SUCCESS;
}

ENTRY(cuFuncLoad, (CUfunction handle), (handle))
{
    struct si_function *function;
    return si_function_here(handle, &function);
}
