/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls before cuInit, and without a current context.
 */
#include "../streams.h"

static void CUDA_CB nothing(void *p)
{
    (void)p;
}

static void ask_device(T *t)
{
    int n = -1;
    CUdevice d = -1;
    char name[64] = "";
    size_t sz = 0;
    unsigned fl = 0;
    CUuuid u;
    CUmemoryPool m = NULL;
    R("driver_version", cuDriverGetVersion(&n));
    say(t, ":%d", n > 0);
    R("count", cuDeviceGetCount(&n));
    R("get", cuDeviceGet(&d, 0));
    R("name", cuDeviceGetName(name, sizeof name, 0));
    R("total", cuDeviceTotalMem(&sz, 0));
    R("attr", cuDeviceGetAttribute(&n, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
    R("uuid", cuDeviceGetUuid(&u, 0));
    R("pci", cuDeviceGetPCIBusId(name, sizeof name, 0));
    R("pool", cuDeviceGetDefaultMemPool(&m, 0));
    R("primary_state", cuDevicePrimaryCtxGetState(0, &fl, &n));
}
static void ask_context(T *t)
{
    CUcontext c = (CUcontext)1;
    CUdevice d = -1;
    unsigned fl = 0;
    int a = 0, b = 0;
    size_t v = 0;
    R("current", cuCtxGetCurrent(&c));
    say(t, ":%s", c == NULL ? "null" : c == (CUcontext)1 ? "untouched" : "set");
    R("pop", cuCtxPopCurrent(&c));
    R("set_null", cuCtxSetCurrent(NULL));
    R("push_null", cuCtxPushCurrent(NULL));
    R("sync", cuCtxSynchronize());
    R("device", cuCtxGetDevice(&d));
    R("flags", cuCtxGetFlags(&fl));
    R("prio", cuCtxGetStreamPriorityRange(&a, &b));
    R("limit", cuCtxGetLimit(&v, CU_LIMIT_STACK_SIZE));
    R("version", cuCtxGetApiVersion(NULL, &fl));
}
static void ask_memory(T *t)
{
    CUdeviceptr p = 0;
    size_t a = 0, b = 0;
    void *v = NULL;
    static uint32_t h;
    unsigned u = 0;
    R("alloc", cuMemAlloc(&p, 64));
    R("free_null", cuMemFree(0));
    R("info", cuMemGetInfo(&a, &b));
    R("host_alloc", cuMemHostAlloc(&v, 64, 0));
    R("alloc_host", cuMemAllocHost(&v, 64));
    R("pitch", cuMemAllocPitch(&p, &a, 64, 2, 4));
    R("htod_0", cuMemcpyHtoD(0, &h, 0));
    R("dtoh", cuMemcpyDtoH(&h, 0x1000, 4));
    R("memset", cuMemsetD32(0x1000, 0, 1));
    R("alloc_async", cuMemAllocAsync(&p, 64, NULL));
    R("free_async", cuMemFreeAsync(0x1000, NULL));
    R("range", cuMemGetAddressRange(&p, &a, 0x1000));
    R("ptr_attr", cuPointerGetAttribute(&u, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, 0x1000));
    R("host_flags", cuMemHostGetFlags(&u, &h));
}
static void ask_stream(T *t)
{
    CUstream s = NULL;
    CUevent e = NULL;
    unsigned fl = 0;
    int n = 0;
    unsigned long long id = 0;
    CUcontext c = NULL;
    R("create", cuStreamCreate(&s, 0));
    R("create_prio", cuStreamCreateWithPriority(&s, 0, 0));
    R("event", cuEventCreate(&e, 0));
    R("query", cuStreamQuery(NULL));
    R("query_legacy", cuStreamQuery(CU_STREAM_LEGACY));
    R("query_pt", cuStreamQuery(CU_STREAM_PER_THREAD));
    R("sync", cuStreamSynchronize(NULL));
    R("flags", cuStreamGetFlags(NULL, &fl));
    R("prio", cuStreamGetPriority(NULL, &n));
    R("id", cuStreamGetId(NULL, &id));
    R("ctx", cuStreamGetCtx(NULL, &c));
    R("hostfn", cuLaunchHostFunc(NULL, nothing, NULL));
    R("write", cuStreamWriteValue32(NULL, 0x1000, 0, 0));
}

CASE_RAW(err, preinit_context)
{
    ask_context(t);
}

CASE_RAW(err, preinit_stream)
{
    ask_stream(t);
}

CASE_RAW(err, noctx_device)
{
    OK(cuInit(0));
    ask_device(t);
}
CASE_RAW(err, noctx_context)
{
    OK(cuInit(0));
    ask_context(t);
}
CASE_RAW(err, noctx_memory)
{
    OK(cuInit(0));
    ask_memory(t);
}
CASE_RAW(err, noctx_stream)
{
    OK(cuInit(0));
    ask_stream(t);
}

/* Flags of cuInit, and calling it again. */
CASE_RAW(err, init)
{
    int n = 0;
    R("flag_1", cuInit(1));
    R("flag_high", cuInit(0x80000000u));
    R("count", cuDeviceGetCount(&n));
    R("zero", cuInit(0));
    R("again", cuInit(0));
    R("flag_1", cuInit(1));
    R("count", cuDeviceGetCount(&n));
    say(t, ":%d", n >= 1);
}

/* Handles made while a context was current, used when none is. */
CASE(err, handles_without_context)
{
    CUstream s;
    CUevent e;
    CUcontext c = NULL;
    CUfunction f = warm(t, "put"), f2 = NULL;
    CUdeviceptr p = dalloc(t, 64), q = 0;
    static uint32_t h = 1;
    static int n;
    unsigned fl = 0;
    int v = 0;
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
    OK(cuCtxSetCurrent(NULL));
    R("current", cuCtxGetCurrent(&c));
    say(t, ":%s", c ? "set" : "null");
    R("query", cuStreamQuery(s));
    R("flags", cuStreamGetFlags(s, &fl));
    R("launch", put(f, s, p, 3));
    R("launch_null", put(f, NULL, p, 4));
    R("memset", cuMemsetD32Async(p + 4, 5, 1, s));
    R("dtod_async", cuMemcpyDtoDAsync(p + 8, p, 4, s));
    R("memset_sync", cuMemsetD32(p + 12, 5, 1));
    R("dtoh_sync", cuMemcpyDtoH(&h, p, 4));
    R("record", cuEventRecord(e, s));
    R("record_null", cuEventRecord(e, NULL));
    R("wait", cuStreamWaitEvent(s, e, 0));
    R("hostfn", cuLaunchHostFunc(s, count, &n));
    R("memop", cuStreamWriteValue32(s, p + 16, 6, 0));
    R("alloc_async", cuMemAllocAsync(&q, 64, s));
    for (int i = 0; i < 3000 && cuEventQuery(e) == CUDA_ERROR_NOT_READY; i++) msleep(1);
    R("event_query", cuEventQuery(e));
    R("event_sync", cuEventSynchronize(e));
    R("sync", cuStreamSynchronize(s));
    R("ptr_attr", cuPointerGetAttribute(&fl, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p));
    R("func_attr", cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_NUM_REGS, f));
    R("get_function", cuModuleGetFunction(&f2, t->mod, "inc"));
    R("event_destroy", cuEventDestroy(e));
    R("stream_destroy", cuStreamDestroy(s));
    R("free", cuMemFree(p));
}
