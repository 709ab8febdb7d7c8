/* SPDX-License-Identifier: Apache-2.0 */
#include "standin/code/kernel_libraries.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include <rill/standin.h>

#include "base/alloc.h"
#include "base/lock.h"
#include "base/words/log_words.h"
#include "base/thread.h"
#include "standin/abi/log.h"

/* ---- Libraries ---------------------------------------------------------------------- */

struct library {
    struct library *next;
    void *handle;
    const rill_kernel_table *table;
};

static struct {
    struct rl_lock lock;     /* protects what follows                                      */
    int loaded;
    CUresult status;         /* of loading                                                 */
    struct library *first;   /* in the order of RILL_KERNELS; never changes once loaded    */
} libraries;

static CUresult refuse_library(const char *path, const char *why)
{
    if (rl_log_wants("kernels")) si_log("RILL_KERNELS: %s: %s", path, why);
    return RILL_ERROR_SHARED_OBJECT_INIT_FAILED;
}

/* ---- Tables ------------------------------------------------------------------------- */

enum { PARAMS_MAX = 4096 };

/* Returns what is wrong with a row, or NULL.  What a row leaves out comes from the image. */
static const char *fault_of(const rill_function *function)
{
    if (!function->name || !*function->name) return "has no name";
    if (!function->over_grid == !function->over_block)
        return "has to have one of over_grid and over_block";
    if (function->param_count > PARAMS_MAX) return "has more parameters than there can be";
    if (function->param_count && !function->params) return "counts parameters and has none";
    for (size_t i = 0; i < function->param_count; i++)
        if (!function->params[i].bytes) return "has a parameter without a size";
    return NULL;
}

static CUresult check_table(const char *path, const rill_kernel_table *table)
{
    char why[160];
    if (table->size < sizeof *table) return refuse_library(path, "its table is of another version");
    if (table->function_count && !table->functions)
        return refuse_library(path, "its table counts functions and has none");
    if (table->function_count > PTRDIFF_MAX / sizeof *table->functions)
        return refuse_library(path, "its table counts more functions than there can be");
    for (size_t i = 0; i < table->function_count; i++) {
        const char *fault = fault_of(&table->functions[i]);
        if (!fault) continue;
        snprintf(why, sizeof why, "function %zu of its table %s", i, fault);
        return refuse_library(path, why);
    }
    return RILL_SUCCESS;
}

/* Loads a library, which stays until the stand-in goes: pending kernels may still run. */
static CUresult load_library(const char *path, struct library ***end)
{
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        const char *why = dlerror();
        return refuse_library(path, why ? why : "it does not load");
    }
    const rill_kernel_table *table = dlsym(handle, "rill_kernels");
    CUresult status = table ? check_table(path, table)
                            : refuse_library(path, "it has no rill_kernels; see <rill/standin.h>");
    struct library *library = status ? NULL : rl_alloc(sizeof *library);
    if (!library) {
        dlclose(handle);
        return status ? status : RILL_ERROR_OUT_OF_MEMORY;
    }
    *library = (struct library){ NULL, handle, table };
    **end = library;
    *end = &library->next;
    return RILL_SUCCESS;
}

static CUresult load_all(const char *paths)
{
    struct library **end = &libraries.first;
    char *copy = rl_strdup(paths), *rest = copy;
    if (!copy) return RILL_ERROR_OUT_OF_MEMORY;
    CUresult status = RILL_SUCCESS;
    for (const char *path; !status && (path = strsep(&rest, ":"));)
        if (*path) status = load_library(path, &end);
    rl_free(copy);
    return status;
}

CUresult si_kernel_libraries_load(void)
{
    rl_lock(&libraries.lock);
    if (!libraries.loaded) {
        const char *paths = rl_getenv("RILL_KERNELS");
        libraries.status = paths ? load_all(paths) : RILL_SUCCESS;
        libraries.loaded = 1;
    }
    CUresult status = libraries.status;
    rl_unlock(&libraries.lock);
    return status;
}

/* ---- Functions ---------------------------------------------------------------------- */

static void fail_missing(const rill_launch *launch)
{
    rill_sim_fault(launch, RILL_ERROR_LAUNCH_FAILED,
                   "no library that RILL_KERNELS names has a function for this kernel");
}

/* Runs a kernel that does nothing. */
static void run_nothing(const rill_launch *launch)
{
    (void)launch;
}

/* A function that does not list its parameters takes those of the image. */
static int fits_entry(const rill_function *function, const struct image_entry *entry)
{
    if (!function->param_count) return 1;
    if (function->param_count != entry->param_count) return 0;
    for (uint32_t i = 0; i < entry->param_count; i++)
        if (function->params[i].bytes != entry->params[i].bytes) return 0;
    return 1;
}

static const rill_function *find_function(const struct image_entry *entry)
{
    for (const struct library *library = libraries.first; library; library = library->next) {
        for (size_t i = 0; i < library->table->function_count; i++) {
            const rill_function *function = &library->table->functions[i];
            if (strcmp(function->name, entry->name) != 0) continue;
            if (fits_entry(function, entry)) return function;
            if (rl_log_wants("kernels"))
                si_log("the function for kernel '%s' has other parameters than the image",
                       entry->name);
        }
    }
    return NULL;
}

int si_find_c_function(const struct image_entry *entry, rill_param *params, rill_function *function)
{
    const rill_function *found = find_function(entry);
    for (uint32_t i = 0; i < entry->param_count; i++)
        params[i] = (rill_param){ (uint16_t)entry->params[i].bytes,
                                  (uint16_t)entry->params[i].alignment };
    *function = (rill_function){
        .name = entry->name,
        .over_grid = found ? found->over_grid : entry->empty ? run_nothing : fail_missing,
        .over_block = found ? found->over_block : NULL,
        .params = params,
        .param_count = entry->param_count,
        .static_shared_bytes = entry->static_shared,
        .max_threads = entry->max_threads,
        .flags = found ? found->flags & RILL_FUNCTION_BLOCKS_AT_ONCE : 0,
    };
    return found || entry->empty;
}

/* ---- The end -------------------------------------------------------------------------- */

void si_kernel_libraries_end(void)
{
    for (struct library *library = libraries.first, *next; library; library = next) {
        next = library->next;
        dlclose(library->handle);
        rl_free(library);
    }
}
