/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls on a context that has ended: as the current one, or as an argument.
 */
#include "ends.h"

static const char image[] = ".version 7.0\n.target sm_50\n.address_size 64\n"
                            ".visible .entry nothing()\n{\n    ret;\n}\n";

/* ---- The current one ----------------------------------------------------------------- */

static void ask_settings(T *t)
{
    size_t limit = 77;
    int low = 77, high = 77;
    CUfunc_cache cache = (CUfunc_cache)77;
    CUsharedconfig banks = (CUsharedconfig)77;
    CUexecAffinityParam affinity = { 0 };
    CUresult r = cuCtxGetLimit(&limit, CU_LIMIT_STACK_SIZE);
    say_number(t, "limit", r, limit);
    R("set_limit", cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 2048));
    r = cuCtxGetCacheConfig(&cache);
    say_number(t, "cache", r, cache);
    R("set_cache", cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_L1));
    r = cuCtxGetSharedMemConfig(&banks);
    say_number(t, "banks", r, banks);
    R("set_banks", cuCtxSetSharedMemConfig(CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE));
    R("priorities", cuCtxGetStreamPriorityRange(&low, &high));
    say(t, ":%d,%d", low, high);
    R("affinity", cuCtxGetExecAffinity(&affinity, CU_EXEC_AFFINITY_TYPE_SM_COUNT));
    R("l2", cuCtxResetPersistingL2Cache());
    R("no_limit", cuCtxGetLimit(NULL, CU_LIMIT_STACK_SIZE));
    R("wrong_limit", cuCtxGetLimit(&limit, (CUlimit)99));
    R("wrong_cache", cuCtxSetCacheConfig((CUfunc_cache)9));
    R("no_cache", cuCtxGetCacheConfig(NULL));
}

/* It is not told flags: the driver does not survive that. */
static void ask_current(T *t)
{
    CUdevice device = 77;
    unsigned version = 77;
    unsigned long long id = 77;
    CUcontext c = (CUcontext)0x10;
    CUresult r = cuCtxGetDevice(&device);
    say_number(t, "device", r, (unsigned)device);
    device = 77;
    r = cuCtxGetDevice_v2(&device, NULL);
    say_number(t, "device_v2", r, (unsigned)device);
    R("no_device", cuCtxGetDevice(NULL));
    say_flags(t, "flags");
    R("no_flags", cuCtxGetFlags(NULL));
    r = cuCtxGetId(NULL, &id);
    say(t, " id=%s:%d", ename(r), id == 77);
    R("no_id", cuCtxGetId(NULL, NULL));
    r = cuCtxGetApiVersion(NULL, &version);
    say_number(t, "version", r, version);
    R("sync", cuCtxSynchronize());
    R("sync_v2", cuCtxSynchronize_v2(NULL));
    R("attach", cuCtxAttach(&c, 0));
    say(t, ":%s", !c ? "null" : c == (CUcontext)0x10 ? "untouched" : "set");
}

CASES_OF_ENDS(current)
{
    CUcontext c = begin(t, way);
    end(t, way, c);
    say_current(t, "top", c, NULL);
    ask_current(t);
    ask_settings(t);
    R("detach", cuCtxDetach(c));
    say_current(t, "top", c, NULL);
}

/* ---- What is made in it ---------------------------------------------------------------- */

CASES_OF_ENDS(making)
{
    CUcontext c = begin(t, way), its = (CUcontext)0x10;
    CUdeviceptr p = 0x10;
    CUstream s = (CUstream)0x10;
    CUevent e = (CUevent)0x10;
    CUmodule m = (CUmodule)0x10;
    CUgraph g = NULL;
    CUgraphExec x = NULL;
    void *host = (void *)0x10;
    size_t some = 77, all = 77;
    static uint32_t word;
    end(t, way, c);
    R("alloc", cuMemAlloc(&p, 64));
    say(t, ":%llx", (unsigned long long)p);
    R("alloc_0", cuMemAlloc(&p, 0));
    R("alloc_null", cuMemAlloc(NULL, 64));
    R("alloc_async", cuMemAllocAsync(&p, 64, NULL));
    R("managed", cuMemAllocManaged(&p, 64, CU_MEM_ATTACH_GLOBAL));
    R("host", cuMemHostAlloc(&host, 64, 0));
    say(t, ":%zx", (size_t)host);
    R("host_old", cuMemAllocHost(&host, 64));
    R("register", cuMemHostRegister(&word, 4, 0));
    R("info", cuMemGetInfo(&some, &all));
    say(t, ":%zu", some);
    R("stream", cuStreamCreate(&s, 0));
    say(t, ":%zx", (size_t)s);
    R("stream_wrong", cuStreamCreate(&s, 99));
    R("event", cuEventCreate(&e, 0));
    say(t, ":%zx", (size_t)e);
    R("event_wrong", cuEventCreate(&e, 99));
    R("module", cuModuleLoadData(&m, image));
    say(t, ":%zx", (size_t)m);
    R("graph", cuGraphCreate(&g, 0));
    R("exec", cuGraphInstantiate(&x, g, 0));
    R("free_0", cuMemFree(0));
    R("free_host_0", cuMemFreeHost(NULL));
    R("copy", cuMemcpyDtoH(&word, 0x10, 4));
    R("copy_0", cuMemcpyDtoH(&word, 0x10, 0));
    R("fill", cuMemsetD8(0x10, 0, 4));
    R("query", cuStreamQuery(NULL));
    R("query_legacy", cuStreamQuery(CU_STREAM_LEGACY));
    R("query_own", cuStreamQuery(CU_STREAM_PER_THREAD));
    R("stream_sync", cuStreamSynchronize(NULL));
    R("stream_ctx", cuStreamGetCtx(NULL, &its));
    say(t, ":%s", its == c ? "same" : its == (CUcontext)0x10 ? "untouched" : "other");
    R("begin", cuStreamBeginCapture(CU_STREAM_PER_THREAD, CU_STREAM_CAPTURE_MODE_RELAXED));
    R("peer", cuCtxEnablePeerAccess(c, 0));
}

/* ---- As an argument --------------------------------------------------------------------- */

static void ask_given(T *t, CUcontext c)
{
    CUdevice device = 77;
    unsigned version = 77;
    unsigned long long id = 77;
    CUevent e = NULL;
    OK(cuEventCreate(&e, 0));
    CUresult r = cuCtxGetDevice_v2(&device, c);
    say_number(t, "device", r, (unsigned)device);
    R("no_device", cuCtxGetDevice_v2(NULL, c));
    r = cuCtxGetId(c, &id);
    say(t, " id=%s:%d", ename(r), id == 77);
    R("no_id", cuCtxGetId(c, NULL));
    r = cuCtxGetApiVersion(c, &version);
    say_number(t, "version", r, version);
    R("no_version", cuCtxGetApiVersion(c, NULL));
    R("sync", cuCtxSynchronize_v2(c));
    R("record", cuCtxRecordEvent(c, e));
    R("wait", cuCtxWaitEvent(c, e));
    R("peer", cuCtxEnablePeerAccess(c, 0));
    R("no_peer", cuCtxDisablePeerAccess(c));
    R("detach", cuCtxDetach(c));
}

CASES_OF_ENDS(given)
{
    CUcontext c = begin(t, way), other = end_elsewhere(t, way, c);
    ask_given(t, c);
    R("push", cuCtxPushCurrent(c));
    say_current(t, "top", c, other);
    R("set", cuCtxSetCurrent(c));
    say_current(t, "top", c, other);
    R("destroy", cuCtxDestroy(c));
    say_current(t, "top", c, other);
}

/* The same of contexts that live, where one is a program's own and the other current. */
CASES_OF_ENDS(given_before)
{
    CUcontext c = begin(t, way), other = NULL;
    OK(cuCtxCreate(&other, NULL, 0, 0));
    ask_given(t, c);
    R("destroy", cuCtxDestroy(c));
    say_current(t, "top", c, other);
    R("version", cuCtxGetApiVersion(c, &(unsigned){ 0 }));
}

/* Without any context current. */
CASES_OF_ENDS(given_alone)
{
    CUcontext c = begin(t, way), popped = NULL;
    CUdevice device = 77;
    unsigned version = 77;
    unsigned long long id = 77;
    OK(cuCtxPopCurrent(&popped));
    R("device", cuCtxGetDevice_v2(&device, c));
    R("id", cuCtxGetId(c, &id));
    R("version", cuCtxGetApiVersion(c, &version));
    R("sync", cuCtxSynchronize_v2(c));
    end(t, way, c);
    if (way != DESTROYED) R("device", cuCtxGetDevice_v2(&device, c)); /* else a crash */
    R("id", cuCtxGetId(c, &id));
    R("version", cuCtxGetApiVersion(c, &version));
    R("sync", cuCtxSynchronize_v2(c));
    if (way != DESTROYED) R("destroy", cuCtxDestroy(c)); /* else as the heap has it */
    R("push", cuCtxPushCurrent(c));
    say_current(t, "top", c, NULL);
}
