/* SPDX-License-Identifier: Apache-2.0
 *
 * What contexts say of themselves, and what can be set.
 */
#include "context_steps.h"

/* ---- Flags ------------------------------------------------------------------------- */

void context_flags_step(struct world *w)
{
    unsigned flags = 77;
    line_call(w, "cuCtxGetFlags", "%s", "");
    line_result(w, cuCtxGetFlags(&flags));
    line_see(w, "%u", flags);
    line_end(w);
}

/* A driver does not survive the call where the current context has ended. */
void context_set_flags_step(struct world *w)
{
    const unsigned set = draw_context_flags(w);
    unsigned flags = 77;
    if (current_ended(w)) return;
    line_call(w, "cuCtxSetFlags", "%u", set);
    line_result(w, cuCtxSetFlags(set));
    line_see(w, "%s", ename(cuCtxGetFlags(&flags)));
    line_see(w, "%u", flags);
    line_end(w);
}

/* ---- Questions --------------------------------------------------------------------- */

static void ask_device(struct world *w)
{
    CUdevice device = 77;
    line_call(w, "cuCtxGetDevice", "%s", "");
    line_result(w, cuCtxGetDevice(&device));
    line_see(w, "%d", device);
}

/* Nor this one of a context that was destroyed, where none is current. */
static void ask_device_of(struct world *w)
{
    CUdevice device = 77;
    CUcontext c = current_object(w) ? draw_context(w) : NULL;
    line_call(w, "cuCtxGetDevice_v2", "%s", context_name(w, c));
    line_result(w, cuCtxGetDevice_v2(&device, c));
    line_see(w, "%d", device);
}

/* Ids differ from run to run: seen is only whether there is one, and that asking again says
 * the same. */
static void ask_id(struct world *w)
{
    unsigned long long id = 77, again = 78;
    CUcontext c = draw_context(w);
    line_call(w, "cuCtxGetId", "%s", context_name(w, c));
    if (line_result(w, cuCtxGetId(c, &id))) line_see(w, "%llu", id);
    else line_see(w, "%s", !cuCtxGetId(c, &again) && again == id ? "same" : "other");
}

static void ask_version(struct world *w)
{
    unsigned version = 77;
    CUcontext c = draw_context(w);
    line_call(w, "cuCtxGetApiVersion", "%s", context_name(w, c));
    line_result(w, cuCtxGetApiVersion(c, &version));
    line_see(w, "%u", version);
}

static void ask_priorities(struct world *w)
{
    int least = 77, greatest = 77;
    line_call(w, "cuCtxGetStreamPriorityRange", "%s", "");
    line_result(w, cuCtxGetStreamPriorityRange(&least, &greatest));
    line_see(w, "%d %d", least, greatest);
}

static void ask_affinity(struct world *w)
{
    CUexecAffinityParam affinity = { 0 };
    line_call(w, "cuCtxGetExecAffinity", "%s", "");
    line_result(w, cuCtxGetExecAffinity(&affinity, CU_EXEC_AFFINITY_TYPE_SM_COUNT));
    line_see(w, "%u", affinity.param.smCount.val);
}

void context_ask_step(struct world *w)
{
    static const struct choice choices[] = {
        { 4, ask_device }, { 4, ask_device_of },  { 4, ask_id },
        { 3, ask_version }, { 3, ask_priorities }, { 1, ask_affinity },
    };
    CHOOSE(w, choices);
    line_end(w);
}

/* ---- Limits and caches ------------------------------------------------------------- */

static void set_limit(struct world *w)
{
    static const CUlimit limits[] = { CU_LIMIT_STACK_SIZE, CU_LIMIT_PRINTF_FIFO_SIZE,
                                      CU_LIMIT_MALLOC_HEAP_SIZE,
                                      CU_LIMIT_MAX_L2_FETCH_GRANULARITY };
    static const size_t values[][3] = { { 512, 1024, 4096 }, { 4096, 1 << 20, 2 << 20 },
                                        { 4096, 8 << 20, 16 << 20 }, { 0, 32, 129 } };
    const unsigned which = dice(w, 4);
    const size_t value = values[which][dice(w, 3)];
    size_t now = 77;
    line_call(w, "cuCtxSetLimit", "%d, %zu", (int)limits[which], value);
    line_result(w, cuCtxSetLimit(limits[which], value));
    line_see(w, "%s", ename(cuCtxGetLimit(&now, limits[which])));
    line_see(w, "%zu", now);
}

static void get_limit(struct world *w)
{
    const int limit = (int)dice(w, chance(w, 4) ? 11 : 6);
    size_t now = 77;
    line_call(w, "cuCtxGetLimit", "%d", limit);
    line_result(w, cuCtxGetLimit(&now, (CUlimit)limit));
    line_see(w, "%zu", now);
}

void context_limit_step(struct world *w)
{
    if (chance(w, 2)) set_limit(w);
    else get_limit(w);
    line_end(w);
}

void context_cache_step(struct world *w)
{
    CUfunc_cache config = (CUfunc_cache)77;
    const int set = (int)dice(w, 5);
    switch (dice(w, 3)) {
    case 0:
        CALL(w, cuCtxSetCacheConfig((CUfunc_cache)set), "cuCtxSetCacheConfig", "%d", set);
        break;
    case 1:
        CALL(w, cuCtxResetPersistingL2Cache(), "cuCtxResetPersistingL2Cache", "%s", "");
        break;
    default:
        line_call(w, "cuCtxGetCacheConfig", "%s", "");
        line_result(w, cuCtxGetCacheConfig(&config));
        line_see(w, "%d", (int)config);
        line_end(w);
    }
}

void context_synchronize_step(struct world *w)
{
    if (chance(w, 2)) {
        CALL(w, cuCtxSynchronize(), "cuCtxSynchronize", "%s", "");
        return;
    }
    CUcontext c = draw_context(w);
    CALL(w, cuCtxSynchronize_v2(c), "cuCtxSynchronize_v2", "%s", context_name(w, c));
}
