/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions: kernels of modules.
 */
#ifndef SI_FUNCTION_H
#define SI_FUNCTION_H

#include "standin/code/module.h"
#include "standin/context/current.h"

/* What programs hold as CUfunction: the object is rill's kernel. */
struct si_function {
    struct si_part part; /* of the module's slot */
    struct si_module *module;
    uint32_t entry;
    uint8_t runs;              /* it has a C function, does nothing, or is PTX        */
    uint8_t plain;             /* relaxed; it runs, with any block and any cluster    */
    uint8_t large_clusters;    /* relaxed                                             */
    uint8_t cluster_policy;    /* relaxed                                             */
    _Atomic(uint16_t) cluster[3]; /* that launches must have, UINT16_MAX for more; all 0
                                     for any                                          */
    uint8_t cache_config;      /* relaxed                                             */
    _Atomic(struct si_launch_setup *) setup; /* for the launches of old, or NULL      */
};

_Static_assert(sizeof(struct si_function) <= SI_SLOT_BYTES, "a function fits its slot");

/* Finds the function of a library's kernel in the context of that place, and refuses what is
 * neither a function nor a kernel. */
CUresult si_kernel_at(CUfunction handle, const struct si_place *place,
                      struct si_function **function);

/* Finds a function or kernel that was given as an argument, to be launched in the context of
 * that place. */
static inline CUresult si_function(CUfunction handle, const struct si_place *place,
                                   struct si_function **function)
{
    *function = (struct si_function *)(void *)handle;
    return si_object(SI_FUNCTION, handle) ? RILL_SUCCESS : si_kernel_at(handle, place, function);
}

/* Finds one for the current context. */
CUresult si_function_here(CUfunction handle, struct si_function **function);

/* Finds the function of a library's kernel in a context; NULL is the current one. */
CUresult si_kernel_in(CUkernel handle, CUcontext where, struct si_function **function);

static inline rill_kernel *si_function_kernel(const struct si_function *function)
{
    return atomic_load_explicit(&function->part.slot.object, memory_order_acquire);
}

static inline const struct image_entry *si_entry_of(const struct si_function *function)
{
    return &function->module->code->image->entries[function->entry];
}

/* Refuses a function that is machine code alone and has no C function in a library, and
 * says so if asked. */
CUresult si_refuse_missing(const struct si_function *function);

CUresult si_function_get(const struct si_function *function, int attribute, int *value);
CUresult si_function_set(struct si_function *function, int attribute, int value);

/* The cluster that launches must have; all 0 for any, and a 0 for any that they say. */
rill_dim3 si_function_cluster(const struct si_function *function);

/* Returns the cluster of a launch, or, if it is not as the function wants it, one that cannot
 * be. */
rill_dim3 si_function_fit_cluster(const struct si_function *function, rill_dim3 given);

/* Notes which of its caches a function prefers (CU_FUNC_CACHE_*). */
CUresult si_function_prefer_cache(struct si_function *function, int config);

/* Finds where a parameter lies. */
CUresult si_entry_param(const struct image_entry *entry, size_t index, size_t *offset,
                        size_t *bytes);

#endif
