/* SPDX-License-Identifier: Apache-2.0
 *
 * The primary context: how often it is retained, and what is left when it begins again.
 */
#include "ends.h"

CASE_RAW(ctx, primary_count)
{
    CUcontext c = NULL;
    OK(cuInit(0));
    R("release", cuDevicePrimaryCtxRelease(0));
    R("reset", cuDevicePrimaryCtxReset(0));
    say_primary_state(t, "state");
    for (int i = 0; i < 2; i++) R("retain", cuDevicePrimaryCtxRetain(&c, 0));
    R("reset", cuDevicePrimaryCtxReset(0));
    say_primary_state(t, "state");
    R("reset", cuDevicePrimaryCtxReset(0));
    R("release", cuDevicePrimaryCtxRelease(0));
    say_primary_state(t, "state");
    R("retain", cuDevicePrimaryCtxRetain(&c, 0));
    say_primary_state(t, "state");
    R("release", cuDevicePrimaryCtxRelease(0));
    say_primary_state(t, "state");
    R("release", cuDevicePrimaryCtxRelease(0));
    say_primary_state(t, "state");
    R("release", cuDevicePrimaryCtxRelease(0));
}

/* No retain follows the reset: does anything else begin it again? */
CASE_RAW(ctx, primary_after_reset)
{
    CUcontext c = NULL;
    CUdeviceptr p = 0;
    OK(cuInit(0));
    OK(cuDevicePrimaryCtxRetain(&c, 0));
    OK(cuCtxSetCurrent(c));
    R("reset", cuDevicePrimaryCtxReset(0));
    R("set", cuCtxSetCurrent(c));
    R("alloc", cuMemAlloc(&p, 64));
    R("push", cuCtxPushCurrent(c));
    R("alloc", cuMemAlloc(&p, 64));
    R("sync", cuCtxSynchronize_v2(c));
    say_primary_state(t, "state");
}

/* Without a call that makes it current anew. */
CASES_OF_PRIMARY_ENDS(begins_again)
{
    CUcontext c = begin(t, way), again = NULL;
    size_t limit = 77;
    unsigned long long id = 77, later = 77;
    CUfunc_cache cache = (CUfunc_cache)77;
    OK(cuCtxGetId(c, &id));
    R("set_limit", cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096));
    R("set_cache", cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_L1));
    R("set_flags", cuCtxSetFlags(CU_CTX_SCHED_YIELD));
    end(t, way, c);
    R("retain", cuDevicePrimaryCtxRetain(&again, 0));
    say(t, " same=%d", c == again);
    R("sync", cuCtxSynchronize());
    R("limit", cuCtxGetLimit(&limit, CU_LIMIT_STACK_SIZE));
    say(t, ":%zu", limit);
    R("cache", cuCtxGetCacheConfig(&cache));
    say(t, ":%d", (int)cache);
    say_flags(t, "flags");
    R("id", cuCtxGetId(c, &later));
    say(t, ":%s", later == id ? "same" : later > id ? "later" : "earlier");
}

CASE_RAW(ctx, primary_destroyed)
{
    CUcontext c = NULL, popped = NULL;
    OK(cuInit(0));
    OK(cuDevicePrimaryCtxRetain(&c, 0));
    R("destroy", cuCtxDestroy(c));
    say_primary_state(t, "state");
    R("detach", cuCtxDetach(c));
    OK(cuCtxSetCurrent(c));
    R("destroy", cuCtxDestroy(c));
    say_current(t, "top", c, NULL);
    say_primary_state(t, "state");
    R("attach", cuCtxAttach(&popped, 0));
    R("detach", cuCtxDetach(c));
    R("detach", cuCtxDetach(c));
    say_current(t, "top", c, NULL);
    say_primary_state(t, "state");
    R("release", cuDevicePrimaryCtxRelease(0));
    R("destroy", cuCtxDestroy(c));
    say_current(t, "top", c, NULL);
}

/* ---- Ids --------------------------------------------------------------------------------- */

CASE_RAW(ctx, ids)
{
    CUcontext a = NULL, b = NULL, primary = NULL;
    unsigned long long ids[4] = { 0 };
    OK(cuInit(0));
    OK(cuCtxCreate(&a, NULL, 0, 0));
    OK(cuCtxCreate(&b, NULL, 0, 0));
    OK(cuDevicePrimaryCtxRetain(&primary, 0));
    R("a", cuCtxGetId(a, &ids[0]));
    R("b", cuCtxGetId(b, &ids[1]));
    R("primary", cuCtxGetId(primary, &ids[2]));
    R("current", cuCtxGetId(NULL, &ids[3]));
    say(t, " b-a=%lld p-b=%lld current=%d", (long long)(ids[1] - ids[0]),
        (long long)(ids[2] - ids[1]), ids[3] == ids[1]);
    OK(cuCtxDestroy(a));
    OK(cuCtxCreate(&a, NULL, 0, 0));
    R("next", cuCtxGetId(a, &ids[0]));
    say(t, ":%lld", (long long)(ids[0] - ids[2]));
}
