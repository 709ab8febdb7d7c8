/* SPDX-License-Identifier: Apache-2.0
 *
 * See fake.h.  Every entry has a stub that the compiler writes out of the table; what
 * has to give something out is a function of its own below, and says so by its name.
 */
#include "cuda/fake.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "backend-cuda/driver/abi.h"
#include "backend-cuda/driver/entries.h"

#define EXPORT __attribute__((visibility("default")))
#define HIDDEN_MAX 16
#define LOG_MAX 65536
#define HELD_MAX 256

/* ---- What the test decided, and what it sees ------------------------------------------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all that follows */
static int version, devices, hidden_count, held_count;
static const char *hidden[HIDDEN_MAX];
static const char *fail_name, *failed_name;
static int fail_result, fail_always;
static long fail_after;
static const char *made[LOG_MAX];
static long made_count, live;
static uintptr_t last_handle;
static struct held {
    CUhostFn fn;
    void *data;
    CUstreamCallback callback;
    CUstream stream;
} held[HELD_MAX];

/* References that graphs hold, and the stream that captures. */
static struct kept {
    CUgraph graph;
    CUuserObject object;
    unsigned count;
} kept[HELD_MAX];
static CUstream capturing;
static CUgraph captured;

static __thread CUcontext current[8];
static __thread int depth;

/* Notes the call; what it is to answer. */
static CUresult begun(const char *name)
{
    CUresult result = CUDA_SUCCESS;
    pthread_mutex_lock(&lock);
    if (made_count < LOG_MAX) made[made_count++] = name;
    if (fail_result && (!fail_name || !strcmp(fail_name, name)) && fail_after-- <= 0) {
        result = (CUresult)fail_result;
        failed_name = name;
        if (!fail_always) fail_result = 0;
    }
    pthread_mutex_unlock(&lock);
    return result;
}

static void *new_handle(long objects)
{
    pthread_mutex_lock(&lock);
    live += objects;
    void *handle = (void *)(last_handle += 4096);
    pthread_mutex_unlock(&lock);
    return handle;
}

static void end_handle(void)
{
    pthread_mutex_lock(&lock);
    live--;
    pthread_mutex_unlock(&lock);
}

EXPORT void fake_reset(void)
{
    version = 13000;
    devices = 2;
    hidden_count = held_count = fail_result = 0;
    made_count = live = 0;
    failed_name = NULL;
    capturing = NULL;
    memset(kept, 0, sizeof kept);
    last_handle = 4096;
    depth = 0;
    current[0] = NULL;
}

EXPORT void fake_set_version(int number) { version = number; }
EXPORT void fake_set_devices(int count) { devices = count; }
EXPORT void fake_hide(const char *name) { hidden[hidden_count++] = name; }
EXPORT const char *fake_failed(void) { return failed_name; }
EXPORT long fake_live(void) { return live; }
EXPORT void *fake_current(void) { return current[depth]; }
EXPORT void fake_set_current(void *context) { current[depth] = context; }

EXPORT void fake_refuse(const char *name, int result, long after, int always)
{
    fail_name = name;
    failed_name = NULL;
    fail_after = after;
    fail_always = always;
    fail_result = result;
}

EXPORT long fake_calls(const char *name)
{
    long count = 0;
    for (long i = 0; i < made_count; i++) count += !name || !strcmp(made[i], name);
    return count;
}

EXPORT void fake_run(void)
{
    for (int i = 0; i < held_count; i++) {
        struct held *work = &held[i];
        if (work->callback) work->callback(work->stream, CUDA_SUCCESS, work->data);
        else work->fn(work->data);
    }
    held_count = 0;
}

EXPORT void fake_drop(void) { held_count = 0; }

/* ---- Calls that give something out -------------------------------------------------------- */

#define DO(name, ...) static CUresult CUDAAPI do_##name(__VA_ARGS__)
#define BEGIN(name) \
    CUresult result = begun("cu" #name); \
    if (result) return result

DO(DriverGetVersion, int *number)
{
    BEGIN(DriverGetVersion);
    *number = version;
    return CUDA_SUCCESS;
}

DO(GetErrorName, CUresult error, const char **name)
{
    BEGIN(GetErrorName);
    *name = error == CUDA_ERROR_LAUNCH_FAILED ? "CUDA_ERROR_LAUNCH_FAILED" : "CUDA_ERROR_FAKE";
    return CUDA_SUCCESS;
}

DO(GetErrorString, CUresult error, const char **text)
{
    BEGIN(GetErrorString);
    *text = error == CUDA_ERROR_LAUNCH_FAILED ? "unspecified launch failure" : "as the fake says";
    return CUDA_SUCCESS;
}

DO(DeviceGetCount, int *count)
{
    BEGIN(DeviceGetCount);
    *count = devices;
    return CUDA_SUCCESS;
}

DO(DeviceGet, CUdevice *device, int ordinal)
{
    BEGIN(DeviceGet);
    *device = ordinal;
    return CUDA_SUCCESS;
}

DO(DeviceGetName, char *name, int room, CUdevice device)
{
    BEGIN(DeviceGetName);
    strncpy(name, "a fake", (size_t)room);
    return device < devices ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

DO(DevicePrimaryCtxRetain, CUcontext *context, CUdevice device)
{
    BEGIN(DevicePrimaryCtxRetain);
    new_handle(1);
    *context = (CUcontext)(uintptr_t)(0x100 + 16 * device);
    return CUDA_SUCCESS;
}

DO(DevicePrimaryCtxRelease, CUdevice device)
{
    (void)device;
    BEGIN(DevicePrimaryCtxRelease);
    end_handle();
    return CUDA_SUCCESS;
}

DO(CtxCreate, CUcontext *context, unsigned flags, CUdevice device)
{
    (void)flags, (void)device;
    BEGIN(CtxCreate);
    *context = new_handle(1);
    current[++depth] = *context;
    return CUDA_SUCCESS;
}

DO(CtxGetCurrent, CUcontext *context)
{
    BEGIN(CtxGetCurrent);
    *context = current[depth];
    return CUDA_SUCCESS;
}

DO(CtxPushCurrent, CUcontext context)
{
    BEGIN(CtxPushCurrent);
    current[++depth] = context;
    return CUDA_SUCCESS;
}

DO(CtxPopCurrent, CUcontext *context)
{
    BEGIN(CtxPopCurrent);
    *context = current[depth--];
    return CUDA_SUCCESS;
}

DO(CtxGetDevice, CUdevice *device)
{
    BEGIN(CtxGetDevice);
    *device = 0;
    return CUDA_SUCCESS;
}

/* What makes an object, and what ends one. */
#define MAKES(name, type, ...) \
    DO(name, type *made, ##__VA_ARGS__) \
    { \
        BEGIN(name); \
        *made = (type)(uintptr_t)new_handle(1); \
        return CUDA_SUCCESS; \
    }
#define ENDS(name, type) \
    DO(name, type object) \
    { \
        (void)object; \
        BEGIN(name); \
        end_handle(); \
        return CUDA_SUCCESS; \
    }

/* What gives a handle out that nobody has to give back. */
#define FINDS(name, type, ...) \
    DO(name, __VA_ARGS__, type *found) \
    { \
        BEGIN(name); \
        *found = (type)(uintptr_t)new_handle(0); \
        return CUDA_SUCCESS; \
    }
#define GIVES(name, type, ...) \
    DO(name, type *given, __VA_ARGS__) \
    { \
        BEGIN(name); \
        *given = (type)(uintptr_t)new_handle(0); \
        return CUDA_SUCCESS; \
    }

ENDS(CtxDestroy, CUcontext)
MAKES(StreamCreateWithPriority, CUstream, unsigned flags, int priority)
ENDS(StreamDestroy, CUstream)
MAKES(EventCreate, CUevent, unsigned flags)
ENDS(EventDestroy, CUevent)
MAKES(ModuleLoadDataEx, CUmodule, const void *code, unsigned count, CUjit_option *options,
      void **values)
ENDS(ModuleUnload, CUmodule)
MAKES(GraphCreate, CUgraph, unsigned flags)
MAKES(GraphClone, CUgraph, CUgraph original)
MAKES(GraphInstantiateWithFlags, CUgraphExec, CUgraph graph, unsigned long long flags)
ENDS(GraphExecDestroy, CUgraphExec)
GIVES(MemAlloc, CUdeviceptr, size_t bytes)
GIVES(MemAllocAsync, CUdeviceptr, size_t bytes, CUstream stream)
GIVES(MemAllocFromPoolAsync, CUdeviceptr, size_t bytes, CUmemoryPool pool, CUstream stream)
GIVES(MemHostAlloc, void *, size_t bytes, unsigned flags)
GIVES(MemHostGetDevicePointer, CUdeviceptr, void *pointer, unsigned flags)
GIVES(MemPoolCreate, CUmemoryPool, const CUmemPoolProps *properties)
GIVES(DeviceGetDefaultMemPool, CUmemoryPool, CUdevice device)
GIVES(DeviceGetMemPool, CUmemoryPool, CUdevice device)
GIVES(ModuleGetFunction, CUfunction, CUmodule module, const char *name)
GIVES(GraphAddEmptyNode, CUgraphNode, CUgraph graph, const CUgraphNode *dependencies,
      size_t count)
GIVES(GraphAddChildGraphNode, CUgraphNode, CUgraph graph, const CUgraphNode *dependencies,
      size_t count, CUgraph child)
GIVES(GraphNodeFindInClone, CUgraphNode, CUgraphNode original, CUgraph clone)
FINDS(GraphChildGraphNodeGetGraph, CUgraph, CUgraphNode node)

/* Bodies belong to the driver, as does the array of them. */
DO(GraphAddNode, CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
   const rill_edge *edges, size_t count, struct cuda_node_params *params)
{
    static CUgraph bodies[8];
    (void)graph, (void)dependencies, (void)edges, (void)count;
    BEGIN(GraphAddNode);
    *node = new_handle(0);
    if (params->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC)
        params->alloc.address = (CUdeviceptr)(uintptr_t)new_handle(0);
    if (params->type == (CUgraphNodeType)CUDA_NODE_CONDITIONAL) {
        for (unsigned i = 0; i < params->conditional.count && i < 8; i++) bodies[i] = new_handle(0);
        params->conditional.bodies = bodies;
    }
    return CUDA_SUCCESS;
}

DO(GraphInstantiateWithParams, CUgraphExec *exec, CUgraph graph,
   CUDA_GRAPH_INSTANTIATE_PARAMS *params)
{
    (void)graph;
    BEGIN(GraphInstantiateWithParams);
    *exec = new_handle(1);
    params->result_out = CUDA_GRAPH_INSTANTIATE_SUCCESS;
    params->hErrNode_out = NULL;
    return CUDA_SUCCESS;
}

/* ---- One capture at a time ------------------------------------------------------------- */

DO(StreamBeginCapture, CUstream stream, CUstreamCaptureMode mode)
{
    (void)mode;
    BEGIN(StreamBeginCapture);
    capturing = stream;
    captured = new_handle(1);
    return CUDA_SUCCESS;
}

static void end_graph(CUgraph graph);

/* What was captured is lost when it fails. */
DO(StreamEndCapture, CUstream stream, CUgraph *graph)
{
    CUresult result = begun("cuStreamEndCapture");
    *graph = NULL;
    if (capturing != stream) return CUDA_ERROR_ILLEGAL_STATE;
    capturing = NULL;
    if (result) end_graph(captured);
    else *graph = captured;
    return result;
}

static CUstreamCaptureStatus state_of(CUstream stream)
{
    return capturing && stream == capturing ? CU_STREAM_CAPTURE_STATUS_ACTIVE
                                            : CU_STREAM_CAPTURE_STATUS_NONE;
}

DO(StreamIsCapturing, CUstream stream, CUstreamCaptureStatus *state)
{
    BEGIN(StreamIsCapturing);
    *state = state_of(stream);
    return CUDA_SUCCESS;
}

DO(StreamGetCaptureInfo, CUstream stream, CUstreamCaptureStatus *state, uint64_t *id,
   CUgraph *graph, const CUgraphNode **nodes, const rill_edge **edges, size_t *count)
{
    BEGIN(StreamGetCaptureInfo);
    *state = state_of(stream);
    if (*state == CU_STREAM_CAPTURE_STATUS_NONE) return CUDA_SUCCESS;
    if (id) *id = (uint64_t)(uintptr_t)captured;
    if (graph) *graph = captured;
    if (nodes) *nodes = NULL;
    if (edges) *edges = NULL;
    if (count) *count = 0;
    return CUDA_SUCCESS;
}

DO(FuncGetParamInfo, CUfunction function, size_t index, size_t *offset, size_t *bytes)
{
    (void)function;
    BEGIN(FuncGetParamInfo);
    if (index) return CUDA_ERROR_INVALID_VALUE;
    *offset = 0;
    if (bytes) *bytes = 8;
    return CUDA_SUCCESS;
}

/* Nothing runs by itself. */
static CUresult hold(struct held work)
{
    pthread_mutex_lock(&lock);
    bool room = held_count < HELD_MAX;
    if (room) held[held_count++] = work;
    pthread_mutex_unlock(&lock);
    return room ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

DO(LaunchHostFunc, CUstream stream, CUhostFn fn, void *data)
{
    BEGIN(LaunchHostFunc);
    return hold((struct held){ .fn = fn, .data = data, .stream = stream });
}

DO(StreamAddCallback, CUstream stream, CUstreamCallback callback, void *data, unsigned flags)
{
    (void)flags;
    BEGIN(StreamAddCallback);
    return hold((struct held){ .callback = callback, .data = data, .stream = stream });
}

/* A reference is one to its data, whoever holds it. */
struct object {
    void *data;
    CUhostFn destroy;
    long references;
};

DO(UserObjectCreate, CUuserObject *made_object, void *data, CUhostFn destroy, unsigned references,
   unsigned flags)
{
    (void)flags;
    BEGIN(UserObjectCreate);
    struct object *object = calloc(1, sizeof *object);
    if (!object) return CUDA_ERROR_OUT_OF_MEMORY;
    *object = (struct object){ data, destroy, references };
    *made_object = (CUuserObject)object;
    new_handle(1);
    return CUDA_SUCCESS;
}

static void let_go(CUuserObject raw, unsigned count)
{
    struct object *object = (struct object *)raw;
    object->references -= count;
    if (object->references > 0) return;
    object->destroy(object->data);
    free(object);
    end_handle();
}

DO(UserObjectRetain, CUuserObject object, unsigned count)
{
    BEGIN(UserObjectRetain);
    ((struct object *)object)->references += count;
    return CUDA_SUCCESS;
}

DO(UserObjectRelease, CUuserObject object, unsigned count)
{
    BEGIN(UserObjectRelease);
    let_go(object, count);
    return CUDA_SUCCESS;
}

DO(GraphRetainUserObject, CUgraph graph, CUuserObject object, unsigned count, unsigned flags)
{
    int i = 0;
    BEGIN(GraphRetainUserObject);
    if (!(flags & CU_GRAPH_USER_OBJECT_MOVE)) ((struct object *)object)->references += count;
    while (kept[i].count) i++;
    kept[i] = (struct kept){ graph, object, count };
    return CUDA_SUCCESS;
}

DO(GraphReleaseUserObject, CUgraph graph, CUuserObject object, unsigned count)
{
    int i = 0;
    BEGIN(GraphReleaseUserObject);
    while (i < HELD_MAX && (kept[i].graph != graph || kept[i].object != object)) i++;
    if (i == HELD_MAX || kept[i].count < count) return CUDA_ERROR_INVALID_VALUE;
    kept[i].count -= count;
    if (!kept[i].count) kept[i].graph = NULL;
    let_go(object, count);
    return CUDA_SUCCESS;
}

static void end_graph(CUgraph graph)
{
    for (int i = 0; i < HELD_MAX; i++) {
        if (kept[i].graph != graph) continue;
        let_go(kept[i].object, kept[i].count);
        kept[i] = (struct kept){ NULL, NULL, 0 };
    }
    end_handle();
}

DO(GraphDestroy, CUgraph graph)
{
    BEGIN(GraphDestroy);
    end_graph(graph);
    return CUDA_SUCCESS;
}

/* Lists are empty. */
DO(GraphGetNodes, CUgraph graph, CUgraphNode *nodes, size_t *count)
{
    (void)graph, (void)nodes;
    BEGIN(GraphGetNodes);
    *count = 0;
    return CUDA_SUCCESS;
}

DO(GraphGetEdges, CUgraph graph, CUgraphNode *from, CUgraphNode *to, rill_edge *edges,
   size_t *count)
{
    (void)graph, (void)from, (void)to, (void)edges;
    BEGIN(GraphGetEdges);
    *count = 0;
    return CUDA_SUCCESS;
}

static const struct {
    const char *name;
    void *entry;
} given[] = {
#define GIVEN(name) { "cu" #name, (void *)do_##name }
    GIVEN(DriverGetVersion), GIVEN(GetErrorName), GIVEN(GetErrorString), GIVEN(DeviceGetCount),
    GIVEN(DeviceGet), GIVEN(DeviceGetName), GIVEN(DevicePrimaryCtxRetain),
    GIVEN(DevicePrimaryCtxRelease), GIVEN(CtxCreate), GIVEN(CtxDestroy), GIVEN(CtxGetCurrent),
    GIVEN(CtxPushCurrent), GIVEN(CtxPopCurrent), GIVEN(CtxGetDevice),
    GIVEN(StreamCreateWithPriority), GIVEN(StreamDestroy), GIVEN(EventCreate), GIVEN(EventDestroy),
    GIVEN(ModuleLoadDataEx), GIVEN(ModuleUnload), GIVEN(ModuleGetFunction), GIVEN(GraphCreate),
    GIVEN(GraphClone), GIVEN(GraphDestroy), GIVEN(GraphInstantiateWithFlags),
    GIVEN(GraphInstantiateWithParams), GIVEN(GraphExecDestroy), GIVEN(MemAlloc),
    GIVEN(MemAllocAsync), GIVEN(MemAllocFromPoolAsync), GIVEN(MemHostAlloc),
    GIVEN(MemHostGetDevicePointer), GIVEN(MemPoolCreate), GIVEN(DeviceGetDefaultMemPool),
    GIVEN(DeviceGetMemPool), GIVEN(GraphAddEmptyNode), GIVEN(GraphAddChildGraphNode),
    GIVEN(GraphNodeFindInClone), GIVEN(GraphChildGraphNodeGetGraph), GIVEN(StreamEndCapture),
    GIVEN(StreamBeginCapture), GIVEN(StreamIsCapturing),
    GIVEN(FuncGetParamInfo), GIVEN(LaunchHostFunc), GIVEN(StreamAddCallback),
    GIVEN(UserObjectCreate), GIVEN(UserObjectRetain), GIVEN(UserObjectRelease),
    GIVEN(GraphRetainUserObject), GIVEN(GraphReleaseUserObject), GIVEN(GraphGetNodes),
};

/* The same, of names that had another signature once: this is the later one. */
static const struct {
    const char *name;
    int version;
    void *entry;
} given_later[] = {
    { "cuGraphAddNode", 12030, (void *)do_GraphAddNode },
    { "cuGraphGetEdges", 12030, (void *)do_GraphGetEdges },
    { "cuStreamGetCaptureInfo", 12030, (void *)do_StreamGetCaptureInfo },
};

/* ---- The rest, and how all are found -------------------------------------------------------- */

#define STUB(name, version, ...) \
    static CUresult CUDAAPI stub_##name(__VA_ARGS__) { return begun("cu" #name); }
#define EARLIER_STUB(name, version, ...) \
    static CUresult CUDAAPI stub_##name##_##version(__VA_ARGS__) { return begun("cu" #name); }
CUDA_ENTRIES(STUB, EARLIER_STUB)

static const struct {
    const char *name;
    int version;
    void *entry;
} stubs[] = {
#define ROW(name, version, ...) { "cu" #name, version, (void *)stub_##name },
#define EARLIER_ROW(name, version, ...) { "cu" #name, version, (void *)stub_##name##_##version },
    CUDA_ENTRIES(ROW, EARLIER_ROW)
};
#define COUNT(table) (sizeof table / sizeof *table)

/* As the driver does it: the newest signature up to the version that is asked for.
 * cuda.h declares it with types that came later. */
EXPORT CUresult find_entry(const char *name, void **entry, int wanted, uint64_t flags, int *said)
    __asm__("cuGetProcAddress_v2");

CUresult find_entry(const char *name, void **entry, int wanted, uint64_t flags, int *said)
{
    int best = 0;
    (void)flags;
    *entry = NULL;
    for (int i = 0; i < hidden_count; i++)
        if (!strcmp(hidden[i], name)) return CUDA_ERROR_NOT_FOUND;
    for (size_t i = 0; i < COUNT(stubs); i++) {
        int has = stubs[i].version;
        if (strcmp(stubs[i].name, name) || has > wanted || has > version || has <= best) continue;
        best = has;
        *entry = stubs[i].entry;
    }
    for (size_t i = 0; best && i < COUNT(given); i++)
        if (!strcmp(given[i].name, name)) *entry = given[i].entry;
    for (size_t i = 0; best && i < COUNT(given_later); i++)
        if (!strcmp(given_later[i].name, name) && best >= given_later[i].version)
            *entry = given_later[i].entry;
    if (said) *said = *entry ? 0 : 1;
    return *entry ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
