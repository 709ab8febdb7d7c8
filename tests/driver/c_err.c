/* SPDX-License-Identifier: Apache-2.0
 *
 * Errors: calls out of season, contexts, lookups, launches that are refused,
 * and what a failed kernel leaves behind.
 */
#include "streams.h"

static void CUDA_CB nothing(void *p)
{
    (void)p;
}

/* ---- before cuInit, and without a current context ---------------------- */

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

/* ---- devices, codes, lookups ------------------------------------------- */

/* No place to answer. */
CASE(err, device_null_out)
{
    R("version", cuDriverGetVersion(NULL));
    R("count", cuDeviceGetCount(NULL));
    R("get", cuDeviceGet(NULL, 0));
    R("attr", cuDeviceGetAttribute(NULL, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
    R("total", cuDeviceTotalMem(NULL, 0));
    R("name", cuDeviceGetName(NULL, 10, 0));
}

static void lookup(T *t, const char *label, const char *sym, int ver, cuuint64_t fl)
{
    void *f = (void *)1;
    CUdriverProcAddressQueryResult q = (CUdriverProcAddressQueryResult)9;
    CUresult r = cuGetProcAddress(sym, &f, ver, fl, &q);
    say(t, " %s=%s/%d/%s", label, ename(r), (int)q,
        f == NULL        ? "null"
        : f == (void *)1 ? "untouched"
                         : "set");
}
/* cuGetProcAddress: known and unknown names, versions, flags. */
CASE(err, proc_address)
{
    lookup(t, "known", "cuMemAlloc", 12000, 0);
    lookup(t, "oldest", "cuInit", 2000, 0);
    lookup(t, "too_old", "cuMemAllocAsync", 10000, 0);
    lookup(t, "just", "cuMemAllocAsync", 11020, 0);
    lookup(t, "before", "cuMemAllocAsync", 11010, 0);
    lookup(t, "unknown", "cuNoSuchFunction", 12000, 0);
    lookup(t, "not_ours", "malloc", 12000, 0);
    lookup(t, "runtime_name", "cudaMalloc", 12000, 0);
    lookup(t, "suffixed", "cuMemAlloc_v2", 12000, 0);
    lookup(t, "suffixed_v3", "cuStreamGetCaptureInfo_v3", 13000, 0);
    lookup(t, "ptsz_name", "cuStreamQuery_ptsz", 12000, 0);
    lookup(t, "empty", "", 12000, 0);
    lookup(t, "version_0", "cuMemAlloc", 0, 0);
    lookup(t, "version_neg", "cuMemAlloc", -1, 0);
    lookup(t, "version_future", "cuMemAlloc", 99000, 0);
    lookup(t, "legacy", "cuStreamQuery", 12000, CU_GET_PROC_ADDRESS_LEGACY_STREAM);
    lookup(t, "per_thread", "cuStreamQuery", 12000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM);
    lookup(t, "both_flags", "cuStreamQuery", 12000, 3);
    lookup(t, "flag_4", "cuStreamQuery", 12000, 4);
    lookup(t, "self", "cuGetProcAddress", 12000, 0);
}

/* ---- contexts ---------------------------------------------------------- */

static void say_current(T *t, const char *label, CUcontext a, CUcontext b)
{
    CUcontext c = (CUcontext)1;
    CUresult r = cuCtxGetCurrent(&c);
    say(t, " %s:%s", label,
        r           ? ename(r)
        : c == NULL ? "null"
        : c == a    ? "a"
        : c == b    ? "b"
                    : "other");
}

/* Nowhere to put the answer. */
CASE(err, ctx_null_out)
{
    R("current", cuCtxGetCurrent(NULL));
    R("device", cuCtxGetDevice(NULL));
    R("flags", cuCtxGetFlags(NULL));
    R("create", cuCtxCreate(NULL, NULL, 0, t->dev));
    R("retain", cuDevicePrimaryCtxRetain(NULL, t->dev));
}
/* Popping with no interest in what was popped. */
CASE(err, ctx_pop_null_out)
{
    R("pop", cuCtxPopCurrent(NULL));
    say_current(t, "top", t->ctx, NULL);
}

struct other {
    CUcontext b;
    int step;
    CUresult set, sync, alloc, query, stream, cur;
    int same;
};
static void *other_main(void *arg)
{
    struct other *x = arg;
    CUdeviceptr p = 0;
    CUstream s = NULL;
    CUcontext c = NULL;
    x->set = cuCtxSetCurrent(x->b);
    set(&x->step, 1);
    await_int(&x->step, 2, 5000);
    x->cur = cuCtxGetCurrent(&c);
    x->same = c == x->b;
    x->sync = cuCtxSynchronize();
    x->query = cuStreamQuery(NULL);
    x->alloc = cuMemAlloc(&p, 64);
    x->stream = cuStreamCreate(&s, 0);
    return NULL;
}
/* A context destroyed while it is current to another thread. */
CASE(err, ctx_destroyed_elsewhere)
{
    static struct other x;
    CUcontext c = NULL;
    pthread_t th;
    OK(cuCtxCreate(&x.b, NULL, 0, t->dev));
    OK(cuCtxPopCurrent(&c));
    pthread_create(&th, NULL, other_main, &x);
    await_int(&x.step, 1, 5000);
    R("destroy", cuCtxDestroy(x.b));
    set(&x.step, 2);
    pthread_join(th, NULL);
    say(t, " set=%s current=%s/%d sync=%s", ename(x.set), ename(x.cur), x.same, ename(x.sync));
    say(t, " query=%s alloc=%s stream=%s", ename(x.query), ename(x.alloc), ename(x.stream));
}

static void say_primary_state(T *t, const char *label)
{
    unsigned fl = 99;
    int on = 99;
    CUresult r = cuDevicePrimaryCtxGetState(0, &fl, &on);
    if (r)
        say(t, " %s:%s", label, ename(r));
    else
        say(t, " %s:%s/%u", label, on == 1 ? "active" : on == 0 ? "inactive" : "?", fl);
}

/* The primary context released for the last time while it is current. */
CASE_RAW(err, primary_released_current)
{
    CUcontext a = NULL, b = NULL, c = NULL;
    CUdeviceptr p = 0;
    CUstream s = NULL;
    OK(cuInit(0));
    OK(cuDevicePrimaryCtxRetain(&a, 0));
    OK(cuCtxSetCurrent(a));
    OK(cuMemAlloc(&p, 64));
    R("release", cuDevicePrimaryCtxRelease(0));
    say_primary_state(t, "state");
    R("current", cuCtxGetCurrent(&c));
    say(t, ":%s", c == a ? "same" : c ? "other" : "null");
    R("sync", cuCtxSynchronize());
    R("query", cuStreamQuery(NULL));
    R("alloc", cuMemAlloc(&p, 64));
    R("stream", cuStreamCreate(&s, 0));
    R("set_again", cuCtxSetCurrent(a));
    R("retain", cuDevicePrimaryCtxRetain(&b, 0));
    say(t, " same=%d", a == b);
    R("alloc", cuMemAlloc(&p, 64));
    R("set", cuCtxSetCurrent(b));
    R("alloc", cuMemAlloc(&p, 64));
}
/* Reset of the primary context while it is retained and current. */
CASE_RAW(err, primary_reset)
{
    CUcontext a = NULL, b = NULL, c = NULL;
    CUdeviceptr p = 0, q = 0;
    OK(cuInit(0));
    OK(cuDevicePrimaryCtxRetain(&a, 0));
    OK(cuCtxSetCurrent(a));
    OK(cuMemAlloc(&p, 64));
    R("reset", cuDevicePrimaryCtxReset(0));
    say_primary_state(t, "state");
    R("current", cuCtxGetCurrent(&c));
    say(t, ":%s", c == a ? "same" : c ? "other" : "null");
    R("sync", cuCtxSynchronize());
    R("alloc", cuMemAlloc(&q, 64));
    R("retain", cuDevicePrimaryCtxRetain(&b, 0));
    say(t, " same=%d", a == b);
    say_primary_state(t, "state");
    R("set", cuCtxSetCurrent(b));
    R("alloc", cuMemAlloc(&q, 64));
    R("release", cuDevicePrimaryCtxRelease(0));
    say_primary_state(t, "state");
    R("release", cuDevicePrimaryCtxRelease(0));
    say_primary_state(t, "state");
}

/* ---- modules and functions --------------------------------------------- */

/* Images that are none. */
CASE(err, module_images)
{
    CUmodule m = (CUmodule)1;
    R("garbage", cuModuleLoadData(&m, "this is not a module image at all, only text"));
    say(t, " out=%s", m == (CUmodule)1 ? "untouched" : m ? "set" : "null");
    R("empty", cuModuleLoadData(&m, ""));
    R("bad_ptx",
      cuModuleLoadData(
          &m,
          ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry x() { nonsense; }\n"));
    R("new_ptx", cuModuleLoadData(&m, ".version 99.0\n.target sm_75\n.address_size 64\n"));
    R("bare_ptx", cuModuleLoadData(&m, ".version 7.0\n.target sm_75\n.address_size 64\n"));
    R("no_file", cuModuleLoad(&m, "/nonexistent/module.cubin"));
}

/* Attributes of a function. */
CASE(err, func_attributes)
{
    CUfunction f = warm(t, "put");
    int v = -1, optin = -1;
    for (int a = 0; a <= 9; a++) {
        v = -1;
        CUresult r = cuFuncGetAttribute(&v, (CUfunction_attribute)a, f);
        if (a == CU_FUNC_ATTRIBUTE_NUM_REGS) v = v > 0;
        say(t, " %d=%s:%d", a, ename(r), v);
    }
    R("bad", cuFuncGetAttribute(&v, (CUfunction_attribute)99, f));
    R("neg", cuFuncGetAttribute(&v, (CUfunction_attribute)-1, f));
    OK(cuDeviceGetAttribute(&optin, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 0));
    R("shared_more", cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 65536));
    R("get", cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, f));
    say(t, ":%d", v);
    R("shared_optin",
      cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, optin));
    R("shared_over",
      cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, optin + 1));
    R("shared_neg", cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, -1));
    R("set_regs", cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_NUM_REGS, 8));
    R("carveout_200",
      cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 200));
}
/* A function's module, its name, its parameters. */
CASE(err, func_names)
{
    CUfunction f = warm(t, "put");
    CUmodule m = NULL;
    const char *name = NULL;
    size_t off = 99, sz = 99;
    R("module", cuFuncGetModule(&m, f));
    say(t, ":%d", m == t->mod);
    R("name", cuFuncGetName(&name, f));
    say(t, ":%s", name ? name : "null");
    for (size_t i = 0; i < 3; i++) {
        off = sz = 99;
        CUresult r = cuFuncGetParamInfo(f, i, &off, &sz);
        say(t, " param%zu=%s:%zu,%zu", i, ename(r), off, sz);
    }
}
/* No function, no place to answer. */
CASE(err, func_null)
{
    CUfunction f = warm(t, "put");
    int v = -1;
    R("func", cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_NUM_REGS, NULL));
    R("set", cuFuncSetAttribute(NULL, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 0));
    R("out", cuFuncGetAttribute(NULL, CU_FUNC_ATTRIBUTE_NUM_REGS, f));
}

/* ---- launches ----------------------------------------------------------- */

/* Shapes that are refused; none of them spoils the context. */
CASE(err, launch_shapes)
{
    static const struct {
        const char *n;
        unsigned d[6], sh;
    } v[] = { { "grid_x_0", { 0, 1, 1, 1, 1, 1 }, 0 },
              { "grid_z_0", { 1, 1, 0, 1, 1, 1 }, 0 },
              { "block_x_0", { 1, 1, 1, 0, 1, 1 }, 0 },
              { "block_z_0", { 1, 1, 1, 1, 1, 0 }, 0 },
              { "threads_1024", { 1, 1, 1, 1024, 1, 1 }, 0 },
              { "threads_1025", { 1, 1, 1, 1025, 1, 1 }, 0 },
              { "threads_2048", { 1, 1, 1, 32, 32, 2 }, 0 },
              { "block_z_64", { 1, 1, 1, 1, 1, 64 }, 0 },
              { "block_z_65", { 1, 1, 1, 1, 1, 65 }, 0 },
              { "grid_y_65535", { 1, 65535, 1, 1, 1, 1 }, 0 },
              { "grid_y_65536", { 1, 65536, 1, 1, 1, 1 }, 0 },
              { "grid_z_65536", { 1, 1, 65536, 1, 1, 1 }, 0 },
              { "grid_x_2_31", { 1u << 31, 1, 1, 1, 1, 1 }, 0 },
              { "shared_48k", { 1, 1, 1, 1, 1, 1 }, 49152 },
              { "shared_over", { 1, 1, 1, 1, 1, 1 }, 49153 },
              { "shared_huge", { 1, 1, 1, 1, 1, 1 }, 0x7fffffff } };
    CUfunction f = warm(t, "nop");
    for (unsigned i = 0; i < sizeof v / sizeof *v; i++)
        R(v[i].n, cuLaunchKernel(f, v[i].d[0], v[i].d[1], v[i].d[2], v[i].d[3], v[i].d[4],
                                 v[i].d[5], v[i].sh, NULL, NULL, NULL));
    R("sync", cuCtxSynchronize());
    R("still_fine", launch1(f, NULL, NULL));
    R("sync", cuCtxSynchronize());
}
static CUlaunchConfig config(CUstream s, CUlaunchAttribute *a, unsigned n)
{
    return (CUlaunchConfig){ .gridDimX = 1,
                             .gridDimY = 1,
                             .gridDimZ = 1,
                             .blockDimX = 1,
                             .blockDimY = 1,
                             .blockDimZ = 1,
                             .hStream = s,
                             .attrs = a,
                             .numAttrs = n };
}
/* No function to launch. */
CASE(err, launch_null_function)
{
    CUlaunchConfig c = config(NULL, NULL, 0);
    R("plain", launch1(NULL, NULL, NULL));
    R("cooperative", cuLaunchCooperativeKernel(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, NULL));
    R("ex", cuLaunchKernelEx(&c, NULL, NULL, NULL));
    R("sync", cuCtxSynchronize());
}
/* A stream handle of each default kind. */
CASE(err, launch_handles)
{
    CUfunction f = warm(t, "nop");
    R("null", launch1(f, NULL, NULL));
    R("legacy", launch1(f, CU_STREAM_LEGACY, NULL));
    R("per_thread", launch1(f, CU_STREAM_PER_THREAD, NULL));
    R("sync", cuCtxSynchronize());
}
/* Parameters as a packed buffer, and both forms at once. */
CASE(err, launch_extra)
{
    CUfunction f = warm(t, "put"), g = warm(t, "nop");
    CUdeviceptr p = dalloc(t, 8);
    struct {
        CUdeviceptr p;
        unsigned v;
    } buf = { p, 31 };
    size_t n = 12;
    unsigned v = 5;
    void *params[] = { &p, &v };
    void *extra[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, &buf, CU_LAUNCH_PARAM_BUFFER_SIZE, &n,
                      CU_LAUNCH_PARAM_END };
    void *none[] = { CU_LAUNCH_PARAM_END };
    void *odd[] = { (void *)7, &buf, CU_LAUNCH_PARAM_END };
    R("buffer", cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra));
    R("sync", cuCtxSynchronize());
    say(t, " v=%u", dread(t, p));
    buf.v = 32;
    n = sizeof buf;
    R("padded", cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra));
    R("sync", cuCtxSynchronize());
    say(t, " v=%u", dread(t, p));
    R("both", cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, params, extra));
    R("both_empty", cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, params, none));
    R("nop_end", cuLaunchKernel(g, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, none));
    R("odd_key", cuLaunchKernel(g, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, odd));
    R("sync", cuCtxSynchronize());
    say(t, " v=%u", dread(t, p));
}
/* A kernel with parameters launched with none. */
CASE(err, launch_no_params)
{
    CUfunction f = warm(t, "put");
    R("launch", launch1(f, NULL, NULL));
    R("sync", cuCtxSynchronize());
}

/* cuLaunchKernelEx: attributes that are taken, and ones that are not. */
CASE(err, launch_ex)
{
    CUfunction f = warm(t, "put");
    CUdeviceptr p = dalloc(t, 4);
    unsigned v = 1;
    void *args[] = { &p, &v };
    CUlaunchAttribute a[2];
    CUlaunchConfig c = config(NULL, NULL, 0);
    int least = 0, greatest = 0;
    OK(cuCtxGetStreamPriorityRange(&least, &greatest));
    R("plain", cuLaunchKernelEx(&c, f, args, NULL));
#define WITH(label, ident, stmt)                                                                   \
    do {                                                                                           \
        memset(a, 0, sizeof a);                                                                    \
        a[0].id = (CUlaunchAttributeID)(ident);                                                    \
        stmt;                                                                                      \
        v++;                                                                                       \
        c = config(NULL, a, 1);                                                                    \
        R(label, cuLaunchKernelEx(&c, f, args, NULL));                                             \
    } while (0)
    WITH("ignore", CU_LAUNCH_ATTRIBUTE_IGNORE, (void)0);
    WITH("priority", CU_LAUNCH_ATTRIBUTE_PRIORITY, a[0].value.priority = greatest);
    WITH("priority_far", CU_LAUNCH_ATTRIBUTE_PRIORITY, a[0].value.priority = -1000);
    WITH("cooperative", CU_LAUNCH_ATTRIBUTE_COOPERATIVE, a[0].value.cooperative = 1);
    WITH("domain", CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN,
         a[0].value.memSyncDomain = CU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE);
    WITH("domain_9", CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN,
         a[0].value.memSyncDomain = (CUlaunchMemSyncDomain)9);
    WITH("serialization", CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION,
         a[0].value.programmaticStreamSerializationAllowed = 1);
    WITH("cluster_1", CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
         (a[0].value.clusterDim.x = a[0].value.clusterDim.y = a[0].value.clusterDim.z = 1));
    WITH("cluster_2", CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
         (a[0].value.clusterDim.x = 2, a[0].value.clusterDim.y = a[0].value.clusterDim.z = 1));
    WITH("cluster_0", CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, (void)0);
    WITH("sync_policy", CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY,
         a[0].value.syncPolicy = CU_SYNC_POLICY_SPIN);
    WITH("id_99", 99, (void)0);
    WITH("id_-1", -1, (void)0);
#undef WITH
    memset(a, 0, sizeof a);
    a[0].id = a[1].id = CU_LAUNCH_ATTRIBUTE_PRIORITY;
    c = config(NULL, a, 2);
    R("twice", cuLaunchKernelEx(&c, f, args, NULL));
    c = config(NULL, NULL, 0);
    c.gridDimX = 0;
    R("grid_0", cuLaunchKernelEx(&c, f, args, NULL));
    c = config(CU_STREAM_PER_THREAD, NULL, 0);
    v = 77;
    R("per_thread", cuLaunchKernelEx(&c, f, args, NULL));
    R("sync", cuCtxSynchronize());
    say(t, " v=%u", dread(t, p));
}

/* Cooperative launches, small and too large. */
CASE(err, launch_cooperative)
{
    CUfunction f = warm(t, "nop"), g = warm(t, "put");
    CUdeviceptr p = dalloc(t, 4);
    unsigned v = 8;
    R("small", cuLaunchCooperativeKernel(g, 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){ &p, &v }));
    R("grid_0", cuLaunchCooperativeKernel(f, 0, 1, 1, 1, 1, 1, 0, NULL, NULL));
    R("too_large", cuLaunchCooperativeKernel(f, 1 << 20, 1, 1, 1024, 1, 1, 0, NULL, NULL));
    R("sync", cuCtxSynchronize());
    say(t, " v=%u", dread(t, p));
}

/* ---- what a failed kernel leaves behind --------------------------------- */

typedef struct {
    CUstream s, o;
    CUevent before, after, timed;
    CUdeviceptr p;
    CUfunction put, nop;
    CUgraphExec x;
    void *h;
    int n;
} Pre;
static CUresult prepare(T *t, Pre *a)
{
    CUgraph g = NULL;
    CUgraphNode nd;
    CUresult r;
    a->put = warm(t, "put");
    a->nop = warm(t, "nop");
    kernel(t, "crash");
    kernel(t, "badstore");
    a->p = dalloc(t, 64);
    if ((r = cuStreamCreate(&a->s, CU_STREAM_NON_BLOCKING))) return r;
    if ((r = cuStreamCreate(&a->o, CU_STREAM_NON_BLOCKING))) return r;
    if ((r = cuEventCreate(&a->before, CU_EVENT_DISABLE_TIMING))) return r;
    if ((r = cuEventCreate(&a->after, CU_EVENT_DISABLE_TIMING))) return r;
    if ((r = cuEventCreate(&a->timed, 0))) return r;
    if ((r = cuMemHostAlloc(&a->h, 4096, 0))) return r;
    CUDA_KERNEL_NODE_PARAMS k = { .func = a->nop,
                                  .gridDimX = 1,
                                  .gridDimY = 1,
                                  .gridDimZ = 1,
                                  .blockDimX = 1,
                                  .blockDimY = 1,
                                  .blockDimZ = 1 };
    if ((r = cuGraphCreate(&g, 0))) return r;
    if ((r = cuGraphAddKernelNode(&nd, g, NULL, 0, &k))) return r;
    if ((r = cuGraphInstantiate(&a->x, g, 0))) return r;
    if ((r = cuEventRecord(a->before, a->s))) return r;
    if ((r = cuEventRecord(a->timed, a->s))) return r;
    return cuCtxSynchronize();
}
static CUresult crash(T *t, CUstream s)
{
    return launch1(kernel(t, "crash"), s, NULL);
}
static CUresult badstore(T *t, CUstream s)
{
    CUdeviceptr z = 0;
    return launch1(kernel(t, "badstore"), s, (void *[]){ &z });
}

static void aftermath_waits(T *t, Pre *a)
{
    float ms = 0;
    R("sync", cuStreamSynchronize(a->s));
    R("sync_again", cuStreamSynchronize(a->s));
    R("query", cuStreamQuery(a->s));
    R("query_other", cuStreamQuery(a->o));
    R("query_null", cuStreamQuery(NULL));
    R("sync_other", cuStreamSynchronize(a->o));
    R("ctx_sync", cuCtxSynchronize());
    R("ev_before", cuEventQuery(a->before));
    R("ev_after", cuEventQuery(a->after));
    R("ev_before_sync", cuEventSynchronize(a->before));
    R("ev_after_sync", cuEventSynchronize(a->after));
    R("elapsed", cuEventElapsedTime(&ms, a->timed, a->timed));
}
static void aftermath_work(T *t, Pre *a)
{
    static uint32_t h;
    R("launch", launch1(a->nop, a->o, NULL));
    R("memset", cuMemsetD32Async(a->p, 0, 1, a->o));
    R("memset_sync", cuMemsetD32(a->p, 0, 1));
    R("htod", cuMemcpyHtoD(a->p, &h, 4));
    R("dtoh", cuMemcpyDtoH(&h, a->p, 4));
    R("dtod", cuMemcpyDtoDAsync(a->p, a->p + 4, 4, a->o));
    R("dtoh_async", cuMemcpyDtoHAsync(a->h, a->p, 4, a->o));
    R("record", cuEventRecord(a->before, a->o));
    R("wait", cuStreamWaitEvent(a->o, a->before, 0));
    R("hostfn", cuLaunchHostFunc(a->o, count, &a->n));
    R("write", cuStreamWriteValue32(a->o, a->p, 1, 0));
    R("graph", cuGraphLaunch(a->x, a->o));
    R("zero_bytes", cuMemcpyHtoD(a->p, &h, 0));
    say(t, " hostfn_ran=%d", get(&a->n));
}
static void aftermath_make(T *t, Pre *a)
{
    CUstream s = NULL;
    CUevent e = NULL;
    CUdeviceptr d = 0;
    void *v = NULL;
    CUgraph g = NULL;
    CUgraphExec x = NULL;
    CUmodule m = NULL;
    CUfunction f = NULL;
    R("alloc", cuMemAlloc(&d, 64));
    R("alloc_async", cuMemAllocAsync(&d, 64, a->o));
    R("host_alloc", cuMemHostAlloc(&v, 64, 0));
    R("stream", cuStreamCreate(&s, 0));
    R("event", cuEventCreate(&e, 0));
    R("graph", cuGraphCreate(&g, 0));
    if (g) R("instantiate", cuGraphInstantiate(&x, g, 0));
    R("module", cuModuleLoadData(&m, ".version 7.0\n.target sm_75\n.address_size 64\n"));
    R("function", cuModuleGetFunction(&f, t->mod, "inc"));
    R("free", cuMemFree(a->p));
    R("free_host", cuMemFreeHost(a->h));
    R("event_destroy", cuEventDestroy(a->before));
    R("stream_destroy", cuStreamDestroy(a->o));
    R("exec_destroy", cuGraphExecDestroy(a->x));
    R("unload", cuModuleUnload(t->mod));
}
/* After a trap: the failure is reported by everything, or is it? */
#define AFTERMATH(name, how, what)                                                                 \
    CASE(err, name)                                                                                \
    {                                                                                              \
        static Pre a;                                                                              \
        OK(prepare(t, &a));                                                                        \
        R("launch", how(t, a.s));                                                                  \
        cuEventRecord(a.after, a.s);                                                               \
        R("first", cuCtxSynchronize());                                                            \
        what(t, &a);                                                                               \
    }
AFTERMATH(trap_then_waits, crash, aftermath_waits)
AFTERMATH(trap_then_work, crash, aftermath_work)
AFTERMATH(trap_then_make, crash, aftermath_make)

/* After a store through NULL. */
AFTERMATH(badstore_then_waits, badstore, aftermath_waits)
AFTERMATH(badstore_then_work, badstore, aftermath_work)

/* Which call is the first to report a failure that nobody waited for. */
#define FIRST(name, expr)                                                                          \
    CASE(err, first_##name)                                                                        \
    {                                                                                              \
        static Pre a;                                                                              \
        static uint32_t h;                                                                         \
        CUdeviceptr d = 0;                                                                         \
        CUstream s2 = NULL;                                                                        \
        (void)h;                                                                                   \
        (void)d;                                                                                   \
        (void)s2;                                                                                  \
        OK(prepare(t, &a));                                                                        \
        R("launch", crash(t, a.s));                                                                \
        cuEventRecord(a.after, a.s);                                                               \
        msleep(400);                                                                               \
        R(#name, expr);                                                                            \
        R("then_query", cuStreamQuery(a.s));                                                       \
        R("then_sync", cuCtxSynchronize());                                                        \
    }
FIRST(query, cuStreamQuery(a.s))
FIRST(query_other, cuStreamQuery(a.o))
FIRST(event_query, cuEventQuery(a.after))
FIRST(event_query_before, cuEventQuery(a.before))

FIRST(sync_other, cuStreamSynchronize(a.o))
FIRST(launch, launch1(a.nop, a.o, NULL))

FIRST(memcpy, cuMemcpyDtoH(&h, a.p, 4))

/* A misaligned store. */
CASE(err, misaligned_store)
{
    CUfunction f = warm(t, "put");
    CUdeviceptr p = dalloc(t, 16);
    R("launch", put(f, NULL, p + 2, 1));
    R("sync", cuCtxSynchronize());
    R("query", cuStreamQuery(NULL));
    R("alloc", cuMemAlloc(&p, 64));
}

static struct {
    CUresult r;
    int n;
} told;
static void CUDA_CB tell(CUstream s, CUresult r, void *p)
{
    told.r = r;
    __atomic_fetch_add(&told.n, 1, __ATOMIC_SEQ_CST);
}
/* Work queued behind a failure, and a host function and a callback there. */
CASE(err, queued_behind_failure)
{
    static Pre a;
    volatile uint32_t *w;
    OK(prepare(t, &a));
    w = a.h;
    w[0] = w[1] = 0;
    CUdeviceptr d = (CUdeviceptr)(uintptr_t)a.h;
    shut(t);
    OK(gate(t, a.s));
    R("before", put(a.put, a.s, d, 1));
    R("crash", crash(t, a.s));
    R("behind", put(a.put, a.s, d + 4, 1));
    R("hostfn", cuLaunchHostFunc(a.s, count, &a.n));
    R("callback", cuStreamAddCallback(a.s, tell, NULL, 0));
    gate_open(t);
    R("sync", cuStreamSynchronize(a.s));
    await_int(&told.n, 1, 1000);
    say(t, " before_ran=%u behind_ran=%u hostfn=%d callback=%d", w[0], w[1], get(&a.n),
        get(&told.n));
    if (get(&told.n)) say(t, " status=%s", ename(told.r));
}

/* Another context of the same device after a failure. */
CASE(err, failure_and_new_context)
{
    static Pre a;
    CUcontext b = NULL;
    CUdeviceptr p = 0;
    OK(prepare(t, &a));
    R("crash", crash(t, a.s));
    R("sync", cuCtxSynchronize());
    R("create", cuCtxCreate(&b, NULL, 0, t->dev));
    say_current(t, "top", t->ctx, b);
    R("alloc", cuMemAlloc(&p, 64));
    R("sync", cuCtxSynchronize());
}

/* Does resetting the primary context mend it? */
CASE(err, failure_and_reset)
{
    static Pre a;
    CUcontext c = NULL;
    CUdeviceptr p = 0;
    OK(prepare(t, &a));
    R("crash", crash(t, a.s));
    R("sync", cuCtxSynchronize());
    R("reset", cuDevicePrimaryCtxReset(0));
    say_primary_state(t, "state");
    R("current", cuCtxGetCurrent(&c));
    say(t, ":%s", c == t->ctx ? "same" : c ? "other" : "null");
    R("sync", cuCtxSynchronize());
    R("retain", cuDevicePrimaryCtxRetain(&c, 0));
    say(t, " same=%d", c == t->ctx);
    R("set", cuCtxSetCurrent(c));
    R("alloc", cuMemAlloc(&p, 64));
    R("memset", cuMemsetD32(p, 7, 1));
    R("sync", cuCtxSynchronize());
}
