/* SPDX-License-Identifier: Apache-2.0
 *
 * Limits and cache configurations of a context.  Nothing depends on them here: they are
 * stored as an H200 would store them, and reported when a program asks.
 */
#include <rill/sim.h>

#include "device/model.h"
#include "standin/context/settings.h"
#include "standin/object/device_attribute.h"

/* What a context begins with, and how values are adjusted: at least `least`, in whole
 * `unit`s, at most `most`, where 0 is no bound.  Values above `most` are refused, but the
 * share of the level 2 cache is cut.  The depth of synchronization does not exist any more
 * since compute capability 9. */
static const struct limit {
    size_t initial, least, unit, most;
    enum { ABSENT, FREE, CAPPED, FIXED } kind;
} limits[CU_LIMIT_COUNT] = {
    [CU_LIMIT_STACK_SIZE] = { 1024, 0, 1, 0, FREE },
    [CU_LIMIT_PRINTF_FIFO_SIZE] = { 8650752, 524288, 1, 0, FREE },
    [CU_LIMIT_MALLOC_HEAP_SIZE] = { 8388608, 4194304, 1, 0, FREE },
    [CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT] = { 2048, 32, 1, 0, FREE },
    [CU_LIMIT_MAX_L2_FETCH_GRANULARITY] = { 64, 0, 1, 128, FREE },
    [CU_LIMIT_PERSISTING_L2_CACHE_SIZE] = { .kind = CAPPED }, /* both as the model has it */
    [CU_LIMIT_SHMEM_SIZE] = { .kind = FIXED },
    [CU_LIMIT_CIG_ENABLED] = { .initial = 0, .kind = FIXED },
};

/* ---- Limits --------------------------------------------------------------------------- */

/* Finds a limit as the context's device has it. */
static CUresult find_limit(const struct si_context *context, int limit, struct limit *found)
{
    if (limit < 0 || limit >= CU_LIMIT_COUNT) return RILL_ERROR_INVALID_VALUE;
    const struct device_model *model = si_device_model(&si_devices[context->device]);
    const struct device_generation *generation = device_generation_of(model);
    *found = limits[limit];
    if (limit == CU_LIMIT_SHMEM_SIZE) found->initial = generation->opt_in;
    if (limit == CU_LIMIT_PERSISTING_L2_CACHE_SIZE) {
        found->unit = ((size_t)model->l2_kib << 10) / 16;
        found->initial = 3 * found->unit;
        found->most = generation->persisting * found->unit;
        if (!found->most) found->kind = ABSENT;
    }
    return found->kind != ABSENT ? RILL_SUCCESS : RILL_ERROR_UNSUPPORTED_LIMIT;
}

/* Makes a value one that the limit can have. */
static CUresult adjust_limit(const struct limit *limit, size_t *value)
{
    if (limit->kind == FIXED) return RILL_ERROR_NOT_PERMITTED;
    if (limit->most && *value > limit->most) {
        if (limit->kind != CAPPED) return RILL_ERROR_INVALID_VALUE;
        *value = limit->most;
    }
    if (*value < limit->least) *value = limit->least;
    if (*value % limit->unit) *value += limit->unit - *value % limit->unit;
    return RILL_SUCCESS;
}

ENTRY(cuCtxGetLimit, (size_t *value, int limit), (value, limit))
{
    struct si_context *context;
    CUresult status = si_current(&context);
    if (status) return status;
    if (!value) return RILL_ERROR_INVALID_VALUE;
    struct limit found;
    status = find_limit(context, limit, &found);
    if (status) return status;
    struct si_settings *settings = si_settings_of(context);
    size_t set = settings ? atomic_load(&settings->limits[limit]) : 0;
    *value = set ? set - 1 : found.initial;
    return RILL_SUCCESS;
}

ENTRY(cuCtxSetLimit, (int limit, size_t value), (limit, value))
{
    struct si_context *context;
    CUresult status = si_current(&context);
    struct limit found;
    if (!status) status = find_limit(context, limit, &found);
    if (!status) status = rill_sim_permits(si_platform, NULL, RILL_SIM_CALL_UNSAFE);
    if (!status) status = adjust_limit(&found, &value);
    if (status) return status;
    struct si_settings *settings = si_settings_make(context);
    if (!settings) return RILL_ERROR_OUT_OF_MEMORY;
    atomic_store(&settings->limits[limit], value + 1);
    return RILL_SUCCESS;
}

/* ---- Caches --------------------------------------------------------------------------- */

ENTRY(cuCtxGetCacheConfig, (int *config), (config))
{
    struct si_context *context;
    CUresult status = si_current(&context);
    if (status) return status;
    if (!config) return RILL_ERROR_INVALID_VALUE;
    struct si_settings *settings = si_settings_of(context);
    *config = settings ? atomic_load(&settings->cache) : 0;
    return RILL_SUCCESS;
}

ENTRY(cuCtxSetCacheConfig, (int config), (config))
{
    struct si_context *context;
    CUresult status = si_current(&context);
    if (status) return status;
    if (config < 0 || config > CU_FUNC_CACHE_PREFER_EQUAL) return RILL_ERROR_INVALID_VALUE;
    struct si_settings *settings = si_settings_make(context);
    if (!settings) return RILL_ERROR_OUT_OF_MEMORY;
    atomic_store(&settings->cache, config);
    return RILL_SUCCESS;
}

/* Banks have four bytes, whatever is asked for. */
ENTRY(cuCtxGetSharedMemConfig, (int *config), (config))
{
    struct si_context *context;
    CUresult status = si_current(&context);
    if (status) return status;
    if (!config) return RILL_ERROR_INVALID_VALUE;
    *config = CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE;
    return RILL_SUCCESS;
}

ENTRY(cuCtxSetSharedMemConfig, (int config), (config))
{
    struct si_context *context;
    CUresult status = si_current(&context);
    if (status) return status;
    int known = config >= 0 && config <= CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE;
    return known ? RILL_SUCCESS : RILL_ERROR_INVALID_VALUE;
}

ENTRY(cuCtxResetPersistingL2Cache, (void), ())
{
    struct si_context *context;
    return si_current(&context);
}
