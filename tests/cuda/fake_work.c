/* SPDX-License-Identifier: Apache-2.0
 *
 * What the fake libcuda keeps while it works: the one capture, host functions that wait to
 * be run, and what graphs hold.
 */
#include "cuda/fake_libcuda.h"

#define HELD_MAX 256

static struct held {
    CUhostFn fn;
    void *data;
    CUstreamCallback callback;
    CUstream stream;
} held[HELD_MAX];
static int held_count;

/* References that graphs hold, and the stream that captures. */
static struct kept {
    CUgraph graph;
    CUuserObject object;
    unsigned count;
} kept[HELD_MAX];
static CUstream capturing;
static CUgraph captured;

void fake_forget_work(void)
{
    held_count = 0;
    capturing = NULL;
    memset(kept, 0, sizeof kept);
}

/* ---- One capture at a time ------------------------------------------------------------- */

DO(StreamBeginCapture, CUstream stream, CUstreamCaptureMode mode)
{
    (void)mode;
    BEGIN(StreamBeginCapture);
    capturing = stream;
    captured = fake_handle(1);
    return CUDA_SUCCESS;
}

static void end_graph(CUgraph graph);

/* What was captured is lost when it fails. */
DO(StreamEndCapture, CUstream stream, CUgraph *graph)
{
    CUresult result = fake_begun("cuStreamEndCapture");
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

/* ---- Host functions -------------------------------------------------------------------- */

/* Nothing runs by itself. */
static CUresult hold(struct held work)
{
    pthread_mutex_lock(&fake_lock);
    bool room = held_count < HELD_MAX;
    if (room) held[held_count++] = work;
    pthread_mutex_unlock(&fake_lock);
    return room ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
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

/* ---- User objects ---------------------------------------------------------------------- */

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
    fake_handle(1);
    return CUDA_SUCCESS;
}

static void let_go(CUuserObject raw, unsigned count)
{
    struct object *object = (struct object *)raw;
    object->references -= count;
    if (object->references > 0) return;
    object->destroy(object->data);
    free(object);
    fake_end_handle();
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
    fake_end_handle();
}

DO(GraphDestroy, CUgraph graph)
{
    BEGIN(GraphDestroy);
    end_graph(graph);
    return CUDA_SUCCESS;
}

/* ---- Graphs ---------------------------------------------------------------------------- */

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

const struct fake_entry fake_work[] = {
    GIVEN(StreamBeginCapture), GIVEN(StreamEndCapture), GIVEN(StreamIsCapturing),
    GIVEN(LaunchHostFunc), GIVEN(StreamAddCallback), GIVEN(UserObjectCreate),
    GIVEN(UserObjectRetain), GIVEN(UserObjectRelease), GIVEN(GraphRetainUserObject),
    GIVEN(GraphReleaseUserObject), GIVEN(GraphDestroy), GIVEN(GraphGetNodes),
    GIVEN_LATER(StreamGetCaptureInfo, 12030), GIVEN_LATER(GraphGetEdges, 12030), { NULL, 0, NULL },
};
