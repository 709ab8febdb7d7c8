/* SPDX-License-Identifier: Apache-2.0
 *
 * What was made in a context that has ended.
 */
#include "ends.h"

static const char image[] = ".version 7.0\n.target sm_50\n.address_size 64\n"
                            ".visible .global .align 4 .u32 word;\n"
                            ".visible .entry nothing()\n{\n    ret;\n}\n";

struct parts {
    CUstream stream, other_stream;
    CUevent event, unused;
    CUdeviceptr memory;
    void *host;
    CUmodule module;
    CUfunction function;
    CUgraphExec exec;
};

static void make(T *t, struct parts *p)
{
    CUgraph graph = NULL;
    CUgraphNode node;
    CUcontext c = NULL;
    CUDA_MEMSET_NODE_PARAMS fill = { .elementSize = 4, .width = 1, .height = 1, .value = 5 };
    CUresult r = cuStreamCreate(&p->stream, 0);
    if (!r) r = cuStreamCreate(&p->other_stream, CU_STREAM_NON_BLOCKING);
    if (!r) r = cuEventCreate(&p->event, 0);
    if (!r) r = cuEventCreate(&p->unused, 0);
    if (!r) r = cuMemAlloc(&p->memory, 4096);
    if (!r) r = cuMemHostAlloc(&p->host, 4096, 0);
    if (!r) r = cuModuleLoadData(&p->module, image);
    if (!r) r = cuModuleGetFunction(&p->function, p->module, "nothing");
    if (!r) r = cuEventRecord(p->event, p->stream);
    if (!r) r = cuGraphCreate(&graph, 0);
    if (!r) r = cuCtxGetCurrent(&c);
    fill.dst = p->memory;
    if (!r) r = cuGraphAddMemsetNode(&node, graph, NULL, 0, &fill, c);
    if (!r) r = cuGraphInstantiate(&p->exec, graph, 0);
    if (!r) r = cuCtxSynchronize();
    if (r) die(t, "make", r);
}

/* ---- Streams and events -------------------------------------------------------------------- */

static void ask_streams(T *t, const struct parts *p)
{
    CUcontext c = (CUcontext)0x10;
    CUdevice device = 77;
    unsigned flags = 77;
    int priority = 77;
    unsigned long long id = 77;
    CUstreamCaptureStatus status = (CUstreamCaptureStatus)77;
    R("query", cuStreamQuery(p->stream));
    R("sync", cuStreamSynchronize(p->stream));
    R("ctx", cuStreamGetCtx(p->stream, &c));
    say(t, ":%zx", (size_t)c);
    R("device", cuStreamGetDevice(p->stream, &device));
    R("flags", cuStreamGetFlags(p->stream, &flags));
    R("priority", cuStreamGetPriority(p->stream, &priority));
    R("id", cuStreamGetId(p->stream, &id));
    R("capturing", cuStreamIsCapturing(p->stream, &status));
    R("begin", cuStreamBeginCapture(p->stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    R("no_flags", cuStreamGetFlags(p->stream, NULL));
    R("fill", cuMemsetD8Async(p->memory, 0, 4, p->stream));
    R("free", cuMemFreeAsync(p->memory, p->stream));
    R("host", cuLaunchHostFunc(p->stream, (CUhostFn)0, NULL));
    R("graph", cuGraphLaunch(p->exec, p->stream));
    R("destroy", cuStreamDestroy(p->other_stream));
    R("again", cuStreamDestroy(p->other_stream));
}

static void ask_events(T *t, const struct parts *p, CUstream stream, CUevent event)
{
    float ms = 77;
    R("query", cuEventQuery(p->event));
    R("query_unused", cuEventQuery(p->unused));
    R("sync", cuEventSynchronize(p->event));
    R("elapsed", cuEventElapsedTime(&ms, p->event, p->event));
    R("record", cuEventRecord(p->event, p->stream));
    if (event) R("record_there", cuEventRecord(event, p->stream));
    R("record_null", cuEventRecord(p->event, NULL));
    if (stream) R("record_here", cuEventRecord(p->event, stream));
    R("wait", cuStreamWaitEvent(p->stream, p->event, 0));
    R("wait_null", cuStreamWaitEvent(NULL, p->event, 0));
    if (stream) R("wait_here", cuStreamWaitEvent(stream, p->event, 0));
    if (event) R("wait_there", cuStreamWaitEvent(p->stream, event, 0));
    R("destroy", cuEventDestroy(p->unused));
    R("again", cuEventDestroy(p->unused));
}

CASES_OF_ENDS(streams)
{
    struct parts p = { 0 };
    CUcontext c = begin(t, way);
    make(t, &p);
    end(t, way, c);
    ask_streams(t, &p);
}

CASES_OF_ENDS(streams_elsewhere)
{
    struct parts p = { 0 };
    CUcontext c = begin(t, way);
    make(t, &p);
    end_elsewhere(t, way, c);
    ask_streams(t, &p);
}

CASES_OF_ENDS(events)
{
    struct parts p = { 0 };
    CUcontext c = begin(t, way);
    make(t, &p);
    end(t, way, c);
    ask_events(t, &p, NULL, NULL);
}

CASES_OF_ENDS(events_elsewhere)
{
    struct parts p = { 0 };
    CUstream stream = NULL;
    CUevent event = NULL;
    CUcontext c = begin(t, way);
    make(t, &p);
    end_elsewhere(t, way, c);
    OK(cuStreamCreate(&stream, 0));
    OK(cuEventCreate(&event, 0));
    ask_events(t, &p, stream, event);
}

/* Nowhere to put the answer. */
CASES_OF_ENDS(streams_null_out)
{
    struct parts p = { 0 };
    CUcontext c = begin(t, way);
    make(t, &p);
    end(t, way, c);
    R("flags", cuStreamGetFlags(p.stream, NULL));
    R("priority", cuStreamGetPriority(p.stream, NULL));
    R("id", cuStreamGetId(p.stream, NULL));
    R("device", cuStreamGetDevice(p.stream, NULL));
    R("ctx", cuStreamGetCtx(p.stream, NULL));
    R("capturing", cuStreamIsCapturing(p.stream, NULL));
    R("callback", cuStreamAddCallback(p.stream, NULL, NULL, 0));
    R("null_flags", cuStreamGetFlags(NULL, NULL));
    R("null_priority", cuStreamGetPriority(NULL, NULL));
    R("null_id", cuStreamGetId(NULL, NULL));
    R("null_device", cuStreamGetDevice(NULL, NULL));
    R("null_ctx", cuStreamGetCtx(NULL, NULL));
    R("null_host", cuLaunchHostFunc(NULL, NULL, NULL));
    R("elapsed", cuEventElapsedTime(NULL, p.event, p.event));
    R("stream", cuStreamCreate(NULL, 0));
    R("event", cuEventCreate(NULL, 0));
    R("module", cuModuleLoadData(NULL, image));
    R("info", cuMemGetInfo(NULL, NULL));
    R("wait_flags", cuStreamWaitEvent(p.stream, p.event, 99));
    R("record_flags", cuEventRecordWithFlags(p.event, p.stream, 99));
}

/* ---- Memory ------------------------------------------------------------------------------ */

static void ask_memory(T *t, const struct parts *p)
{
    CUcontext c = (CUcontext)0x10;
    CUdeviceptr base = 77;
    size_t bytes = 77;
    int device = 77;
    unsigned flags = 77;
    static uint32_t word;
    R("ctx", cuPointerGetAttribute(&c, CU_POINTER_ATTRIBUTE_CONTEXT, p->memory));
    R("device", cuPointerGetAttribute(&device, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, p->memory));
    R("range", cuMemGetAddressRange(&base, &bytes, p->memory));
    say(t, ":%llx,%zu", (unsigned long long)base, bytes);
    R("copy", cuMemcpyDtoH(&word, p->memory, 4));
    R("fill", cuMemsetD8(p->memory, 0, 4));
    R("fill_async", cuMemsetD8Async(p->memory, 0, 4, NULL));
    R("free", cuMemFree(p->memory));
    R("host_flags", cuMemHostGetFlags(&flags, p->host));
    R("host_device", cuMemHostGetDevicePointer(&base, p->host, 0));
    R("host_type", cuPointerGetAttribute(&flags, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                         (CUdeviceptr)(uintptr_t)p->host));
    R("free_host", cuMemFreeHost(p->host));
}

CASES_OF_ENDS(memory)
{
    struct parts p = { 0 };
    CUcontext c = begin(t, way);
    make(t, &p);
    end(t, way, c);
    ask_memory(t, &p);
}

CASES_OF_ENDS(memory_elsewhere)
{
    struct parts p = { 0 };
    CUcontext c = begin(t, way);
    make(t, &p);
    end_elsewhere(t, way, c);
    ask_memory(t, &p);
}

/* Memory of the host that every context may use. */
CASES_OF_ENDS(portable_memory)
{
    CUcontext c = begin(t, way);
    void *host = NULL;
    unsigned flags = 77;
    CUdeviceptr p = 0;
    OK(cuMemHostAlloc(&host, 4096, CU_MEMHOSTALLOC_PORTABLE));
    end_elsewhere(t, way, c);
    R("flags", cuMemHostGetFlags(&flags, host));
    R("device", cuMemHostGetDevicePointer(&p, host, 0));
    R("free", cuMemFreeHost(host));
}

/* ---- Code: each question in a case of its own, since it may be the last ---------------------- */

CASES_OF_ENDS(module_unload)
{
    struct parts p = { 0 };
    CUcontext c = begin(t, way);
    make(t, &p);
    end(t, way, c);
    R("unload", cuModuleUnload(p.module));
}

CASES_OF_ENDS(module_unload_elsewhere)
{
    struct parts p = { 0 };
    CUcontext c = begin(t, way);
    make(t, &p);
    end_elsewhere(t, way, c);
    R("unload", cuModuleUnload(p.module));
}

CASES_OF_ENDS(module_function)
{
    struct parts p = { 0 };
    CUfunction f = (CUfunction)0x10;
    CUcontext c = begin(t, way);
    make(t, &p);
    end(t, way, c);
    R("function", cuModuleGetFunction(&f, p.module, "nothing"));
    say(t, ":%zx", (size_t)f);
}

CASES_OF_ENDS(module_function_elsewhere)
{
    struct parts p = { 0 };
    CUfunction f = (CUfunction)0x10;
    CUdeviceptr variable = 0x10;
    CUcontext c = begin(t, way);
    make(t, &p);
    end_elsewhere(t, way, c);
    R("function", cuModuleGetFunction(&f, p.module, "nothing"));
    R("variable", cuModuleGetGlobal(&variable, NULL, p.module, "word"));
}

CASES_OF_ENDS(function_launch)
{
    struct parts p = { 0 };
    CUcontext c = begin(t, way);
    make(t, &p);
    end(t, way, c);
    R("launch", cuLaunchKernel(p.function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
}

CASES_OF_ENDS(function_launch_elsewhere)
{
    struct parts p = { 0 };
    CUcontext c = begin(t, way);
    make(t, &p);
    end_elsewhere(t, way, c);
    R("launch", cuLaunchKernel(p.function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
}

CASES_OF_ENDS(function_attribute)
{
    struct parts p = { 0 };
    int value = 77;
    CUmodule m = (CUmodule)0x10;
    CUcontext c = begin(t, way);
    make(t, &p);
    end(t, way, c);
    R("threads", cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, p.function));
    R("module", cuFuncGetModule(&m, p.function));
}
