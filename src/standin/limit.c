/* SPDX-License-Identifier: Apache-2.0
 *
 * Limits and cache configurations of a context.  Nothing depends on them here: they are
 * kept, and given back when they are asked for.
 */
#include <rill/sim.h>

#include "standin/settings.h"

/* Those that a context has at first.  The depth of synchronization went with the device
 * runtime of compute capability 9. */
static const struct limit {
    size_t initial;
    int known, fixed;
} limits[CU_LIMIT_COUNT] = {
    [CU_LIMIT_STACK_SIZE] = { 1024, 1, 0 },
    [CU_LIMIT_PRINTF_FIFO_SIZE] = { 7340032, 1, 0 },
    [CU_LIMIT_MALLOC_HEAP_SIZE] = { 8388608, 1, 0 },
    [CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT] = { 2048, 1, 0 },
    [CU_LIMIT_MAX_L2_FETCH_GRANULARITY] = { 64, 1, 0 },
    [CU_LIMIT_PERSISTING_L2_CACHE_SIZE] = { 0, 1, 0 },
};

/* ---- Limits --------------------------------------------------------------------------- */

static CUresult check(int limit)
{
    if (limit < 0 || limit >= CU_LIMIT_COUNT) return RILL_ERROR_INVALID_VALUE;
    return limits[limit].known ? RILL_SUCCESS : RILL_ERROR_UNSUPPORTED_LIMIT;
}

ENTRY(cuCtxGetLimit, size_t *value, int limit)
{
    struct si_context *context;
    CUresult status = si_current(&context);
    if (status) return status;
    if (!value) return RILL_ERROR_INVALID_VALUE;
    status = check(limit);
    if (status) return status;
    struct si_settings *settings = si_settings_of(context);
    size_t set = settings ? atomic_load(&settings->limits[limit]) : 0;
    *value = set ? set - 1 : limits[limit].initial;
    return RILL_SUCCESS;
}

ENTRY(cuCtxSetLimit, int limit, size_t value)
{
    struct si_context *context;
    CUresult status = si_current(&context);
    if (!status) status = check(limit);
    if (!status) status = rill_sim_permits(si_platform, NULL, RILL_SIM_CALL_UNSAFE);
    if (status) return status;
    struct si_settings *settings = si_settings_make(context);
    if (!settings) return RILL_ERROR_OUT_OF_MEMORY;
    atomic_store(&settings->limits[limit], value + 1);
    return RILL_SUCCESS;
}

/* ---- Caches --------------------------------------------------------------------------- */

typedef atomic_int *setting(struct si_settings *settings);

static atomic_int *cache(struct si_settings *settings) { return &settings->cache; }
static atomic_int *banks(struct si_settings *settings) { return &settings->banks; }

static CUresult get(setting *which, int *value)
{
    struct si_context *context;
    CUresult status = si_current(&context);
    if (status) return status;
    if (!value) return RILL_ERROR_INVALID_VALUE;
    struct si_settings *settings = si_settings_of(context);
    *value = settings ? atomic_load(which(settings)) : 0;
    return RILL_SUCCESS;
}

static CUresult set(setting *which, int value, int most)
{
    struct si_context *context;
    CUresult status = si_current(&context);
    if (status) return status;
    if (value < 0 || value > most) return RILL_ERROR_INVALID_VALUE;
    struct si_settings *settings = si_settings_make(context);
    if (!settings) return RILL_ERROR_OUT_OF_MEMORY;
    atomic_store(which(settings), value);
    return RILL_SUCCESS;
}

ENTRY(cuCtxGetCacheConfig, int *config)
{
    return get(cache, config);
}

ENTRY(cuCtxSetCacheConfig, int config)
{
    return set(cache, config, CU_FUNC_CACHE_PREFER_EQUAL);
}

ENTRY(cuCtxGetSharedMemConfig, int *config)
{
    return get(banks, config);
}

ENTRY(cuCtxSetSharedMemConfig, int config)
{
    return set(banks, config, CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE);
}

ENTRY(cuCtxResetPersistingL2Cache, void)
{
    struct si_context *context;
    return si_current(&context);
}
