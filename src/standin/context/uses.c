/* SPDX-License-Identifier: Apache-2.0
 *
 * Uses of a context, which old programs count: the program that made a context has one, and
 * the context ends with the last.  Destroying it ignores them.
 */
#include "standin/context/settings.h"

ENTRY(cuCtxAttach, (CUcontext *out, unsigned flags), (out, flags))
{
    struct si_context *context;
    CUresult status = si_current(&context);
    if (status) return status;
    if (!out || flags) return RILL_ERROR_INVALID_VALUE;
    struct si_settings *settings = si_settings_make(context);
    if (!settings) return RILL_ERROR_OUT_OF_MEMORY;
    atomic_fetch_add_explicit(&settings->uses, 1, memory_order_relaxed);
    *out = si_context_handle(context);
    return RILL_SUCCESS;
}

/* Removes one use.  Returns 0 if there is none but that of the program that made it. */
static int remove_use(struct si_context *context)
{
    struct si_settings *settings = si_settings_of(context);
    unsigned uses = settings ? atomic_load_explicit(&settings->uses, memory_order_relaxed) : 0;
    while (uses)
        if (atomic_compare_exchange_weak_explicit(&settings->uses, &uses, uses - 1,
                                                  memory_order_relaxed, memory_order_relaxed))
            return 1;
    return 0;
}

SI_EXPORT CUresult cuCtxDestroy_v2(CUcontext context);

/* Takes the current context alone.  A primary one stays, since programs release it. */
ENTRY(cuCtxDetach, (CUcontext handle), (handle))
{
    struct si_context *context;
    CUresult status = si_current(&context);
    if (status) return status;
    if (si_context_handle(context) != handle) return RILL_ERROR_INVALID_CONTEXT;
    if (remove_use(context) || si_context_is_primary(context)) return RILL_SUCCESS;
    return cuCtxDestroy_v2(handle);
}
