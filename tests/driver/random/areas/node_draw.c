/* SPDX-License-Identifier: Apache-2.0
 *
 * Random parameters for a node of any kind: right ones, and now and then wrong ones of
 * which it is known that the driver looks at them.
 */
#include "../random.h"

int draw_type(struct world *w)
{
    static const unsigned char weights[14] = { 6, 6, 6, 4, 3, 4, 2, 2, 0, 0, 1, 1, 2, 1 };
    unsigned at = dice(w, 38);
    int type = 0;
    while (at >= weights[type]) at -= weights[type++];
    /* What a body does depends on values that only its area sets. */
    const bool runs = w->area == &exec_area;
    return runs && type == CU_GRAPH_NODE_TYPE_CONDITIONAL ? CU_GRAPH_NODE_TYPE_KERNEL : type;
}

/* Slots are used anew after so many operations, more than a seed has calls. */
int draw_slot(struct world *w)
{
    w->next_slot = (w->next_slot + 1) % SLOTS;
    return w->next_slot;
}

CUdeviceptr slot_address(const struct world *w, int slot)
{
    return w->slots + (CUdeviceptr)slot * SLOT_WORDS * 4;
}

void CUDA_CB count_call(void *data)
{
    if (data) __atomic_add_fetch((uint32_t *)data, 1, __ATOMIC_SEQ_CST);
}

/* ---- Kernels --------------------------------------------------------------- */

static void arguments(struct drawn *d)
{
    d->arguments[0] = &d->address;
    for (int i = 1; i < 4; i++) d->arguments[i] = &d->words[i];
    d->params.kernel.kernelParams = d->arguments;
}

CUfunction draw_kernel(struct world *w, struct drawn *d)
{
    static const unsigned char usual[] = { PUT, PUT, FILL, DIMS, NOP };
    /* What the first context allocated is not the second's to write. */
    const bool second = chance(w, 20);
    const unsigned which = second ? NOP : usual[dice(w, sizeof usual)];
    const int slot = draw_slot(w);
    d->address = slot_address(w, slot);
    d->words[1] = which == FILL ? 1 + dice(w, 8) : (uint32_t)slot + 1;
    d->words[2] = 1000 + (uint32_t)slot;
    arguments(d);
    return w->functions[second][which];
}

static void draw_kernel_params(struct world *w, struct drawn *d)
{
    CUDA_KERNEL_NODE_PARAMS_v3 *k = &d->params.kernel;
    k->func = draw_kernel(w, d);
    k->gridDimX = 1 + dice(w, 3);
    k->gridDimY = 1 + dice(w, 2);
    k->blockDimX = 1 + dice(w, 4);
    k->blockDimY = 1 + dice(w, 2);
    k->gridDimZ = k->blockDimZ = 1;
    k->sharedMemBytes = chance(w, 4) ? 16 * dice(w, 5) : 0;
}

static void spoil_kernel(struct world *w, struct drawn *d)
{
    CUDA_KERNEL_NODE_PARAMS_v3 *k = &d->params.kernel;
    switch (dice(w, 7)) {
    case 0: k->func = NULL; break;
    case 1: k->gridDimX = 0; break;
    case 2: k->blockDimY = 0; break;
    case 3: k->blockDimX = 2048; break;
    case 4: k->gridDimY = 70000; break;
    case 5: k->sharedMemBytes = 1 << 20; break;
    default: k->kernelParams = NULL;
    }
}

/* ---- Copies and fills -------------------------------------------------------- */

static void draw_copy(struct world *w, struct drawn *d)
{
    CUDA_MEMCPY3D *c = &d->params.memcpy.copyParams;
    const int slot = draw_slot(w);
    const bool from_host = chance(w, 3), to_host = chance(w, 4);
    c->srcMemoryType = from_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    c->dstMemoryType = to_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    const size_t offset = 4 * dice(w, 8);
    if (from_host) c->srcHost = (char *)w->host_source + offset;
    else c->srcDevice = w->source + offset;
    if (to_host) c->dstHost = w->host_slots + slot * SLOT_WORDS;
    else c->dstDevice = slot_address(w, slot);
    c->WidthInBytes = 1 + dice(w, 16);
    c->Height = c->Depth = 1;
    if (chance(w, 3)) {
        c->Height = 2;
        c->srcPitch = c->dstPitch = 16;
    }
    if (chance(w, 8)) c->WidthInBytes = 4;
    d->params.memcpy.copyCtx = w->t.ctx;
}

static void spoil_copy(struct world *w, struct drawn *d)
{
    CUDA_MEMCPY3D *c = &d->params.memcpy.copyParams;
    switch (dice(w, 10)) {
    case 0: c->WidthInBytes = 0; break;
    case 1: c->Height = 0; break;
    case 2: c->Depth = 0; break;
    case 3: c->srcDevice = 0, c->srcMemoryType = CU_MEMORYTYPE_DEVICE; break;
    case 4: c->dstHost = NULL, c->dstMemoryType = CU_MEMORYTYPE_HOST; break;
    case 5: c->srcMemoryType = (CUmemorytype)0; break;
    case 6: c->dstMemoryType = (CUmemorytype)9; break;
    case 7: c->srcPitch = c->dstPitch = 3, c->Height = 2, c->WidthInBytes = 4; break;
    case 8: c->WidthInBytes = (size_t)1 << 40; break;
    default: d->params.memcpy.copyCtx = NULL;
    }
}

static void draw_fill(struct world *w, struct drawn *d)
{
    CUDA_MEMSET_NODE_PARAMS_v2 *m = &d->params.memset;
    const int slot = draw_slot(w);
    m->elementSize = 1u << dice(w, 3);
    m->dst = slot_address(w, slot);
    m->value = 1 + (uint32_t)slot % 255;
    m->width = 1 + dice(w, 16 / m->elementSize);
    m->height = 1;
    if (chance(w, 3)) {
        m->height = 2;
        m->pitch = 16;
    } else if (chance(w, 6)) {
        m->pitch = dice(w, 64);
    }
    m->ctx = w->t.ctx;
}

static void spoil_fill(struct world *w, struct drawn *d)
{
    CUDA_MEMSET_NODE_PARAMS_v2 *m = &d->params.memset;
    switch (dice(w, 8)) {
    case 0: m->elementSize = 0; break;
    case 1: m->elementSize = 3; break;
    case 2: m->elementSize = 8; break;
    case 3: m->width = 0; break;
    case 4: m->height = 0; break;
    case 5: m->height = 2, m->pitch = m->width * m->elementSize - 1; break;
    case 6: m->dst++, m->elementSize = 4, m->width = 1; break;
    default: m->ctx = NULL;
    }
}

/* ---- The others -------------------------------------------------------------- */

static void draw_host(struct world *w, struct drawn *d, bool wrong)
{
    d->params.host.fn = wrong ? NULL : count_call;
    d->params.host.userData = &w->calls[draw_slot(w)];
}

static const struct world *drawing;

/* A graph that is added to itself, or to one that is in it, crashes the driver. */
static bool is_other(const struct object *o)
{
    int around = drawing->target;
    while (around >= 0 && around != object_index(drawing, o)) {
        const int node = drawing->objects[around].owner;
        around = node < 0 ? -1 : drawing->objects[node].owner;
    }
    return around < 0;
}

static void draw_child(struct world *w, struct drawn *d, bool wrong)
{
    drawing = w;
    d->params.graph.graph =
        wrong ? NULL : HANDLE_OF(object_pick_if(w, GRAPH, is_other), CUgraph);
}

static void draw_values(struct world *w, struct drawn *d, bool wrong)
{
    const unsigned count = 1 + dice(w, 3);
    const CUdeviceptr address = slot_address(w, draw_slot(w));
    memset(d->batch, 0, sizeof d->batch);
    for (unsigned i = 0; i < count; i++) {
        const bool wide = chance(w, 4), waits = chance(w, 4);
        d->batch[i].operation = waits  ? wide ? CU_STREAM_MEM_OP_WAIT_VALUE_64
                                              : CU_STREAM_MEM_OP_WAIT_VALUE_32
                                : wide ? CU_STREAM_MEM_OP_WRITE_VALUE_64
                                       : CU_STREAM_MEM_OP_WRITE_VALUE_32;
        d->batch[i].writeValue.address = (waits ? w->source : address) + 8 * i;
        d->batch[i].writeValue.value64 = waits ? 0 : 100 + i;
    }
    d->params.memOp.ctx = w->t.ctx;
    d->params.memOp.count = count;
    d->params.memOp.paramArray = d->batch;
    if (!wrong) return;
    switch (dice(w, 7)) {
    case 0: d->params.memOp.count = 0; break;
    case 1: d->params.memOp.paramArray = NULL; break;
    case 2: d->params.memOp.flags = 1; break;
    case 3: d->params.memOp.ctx = NULL; break;
    case 4: d->batch[count - 1].operation = (CUstreamBatchMemOpType)99; break;
    case 5: d->batch[count - 1].writeValue.address += 2; break;
    default: d->batch[0].writeValue.flags = 0x10;
    }
}

static void draw_alloc(struct world *w, struct drawn *d, bool wrong)
{
    CUDA_MEM_ALLOC_NODE_PARAMS_v2 *a = &d->params.alloc;
    a->poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    a->poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    a->bytesize = (size_t)1 << (6 + dice(w, 8));
    if (chance(w, 4)) {
        d->access.location = a->poolProps.location;
        d->access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
        a->accessDescs = &d->access;
        a->accessDescCount = 1;
    }
    if (!wrong) return;
    switch (dice(w, 4)) {
    case 0: a->bytesize = 0; break;
    case 1: a->poolProps.allocType = (CUmemAllocationType)0; break;
    case 2: a->poolProps.location.id = 77; break;
    default: a->poolProps.handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    }
}

/* What belongs to the graph itself, mostly. */
static bool is_ours(const struct object *o)
{
    const int owner = o->kind == MEMORY && o->owner >= 0 ? drawing->objects[o->owner].owner
                                                         : o->owner;
    return o->kind == HANDLE ? outermost(drawing, owner) == outermost(drawing, drawing->target)
                             : owner == drawing->target;
}

static uintptr_t draw_ours(struct world *w, enum kind kind)
{
    drawing = w;
    /* A handle is a number that means another handle in another graph.  What another
     * graph allocated is freed by the memory area; here the driver may wait for ever. */
    const bool any = kind == MEMORY && w->area != &exec_area;
    struct object *o = any && chance(w, 5) ? NULL : object_pick_if(w, kind, is_ours);
    if (!o && any) o = object_pick(w, kind);
    return o ? o->value : 0;
}

static void draw_conditional(struct world *w, struct drawn *d, bool wrong)
{
    CUDA_CONDITIONAL_NODE_PARAMS *c = &d->params.conditional;
    c->handle = (CUgraphConditionalHandle)draw_ours(w, HANDLE);
    c->type = (CUgraphConditionalNodeType)dice(w, 3);
    c->size = c->type == CU_GRAPH_COND_TYPE_WHILE ? 1 : 1 + dice(w, c->type == 0 ? 2 : 4);
    c->ctx = w->t.ctx;
    if (!wrong) return;
    switch (dice(w, 4)) {
    case 0: c->size = 0; break;
    case 1: c->size = 3, c->type = (CUgraphConditionalNodeType)dice(w, 2); break;
    case 2: c->type = (CUgraphConditionalNodeType)7; break;
    default: c->ctx = NULL;
    }
}

static void draw_any(struct world *w, int type, struct drawn *d, bool wrong)
{
    memset(d, 0, sizeof *d);
    d->params.type = (CUgraphNodeType)type;
    switch (type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        draw_kernel_params(w, d);
        if (wrong) spoil_kernel(w, d);
        break;
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        draw_copy(w, d);
        if (wrong) spoil_copy(w, d);
        break;
    case CU_GRAPH_NODE_TYPE_MEMSET:
        draw_fill(w, d);
        if (wrong) spoil_fill(w, d);
        break;
    case CU_GRAPH_NODE_TYPE_HOST: draw_host(w, d, wrong); break;
    case CU_GRAPH_NODE_TYPE_GRAPH: draw_child(w, d, wrong); break;
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
        d->params.eventWait.event = wrong ? NULL : HANDLE_OF(object_pick(w, EVENT), CUevent);
        break;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC: draw_alloc(w, d, wrong); break;
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
        d->params.free.dptr = wrong ? 0 : (CUdeviceptr)draw_ours(w, MEMORY);
        break;
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP: draw_values(w, d, wrong); break;
    case CU_GRAPH_NODE_TYPE_CONDITIONAL: draw_conditional(w, d, wrong); break;
    default: break;
    }
    d->text = params_text(w, &d->params);
}

void draw_params(struct world *w, int type, struct drawn *d)
{
    draw_any(w, type, d, chance(w, 10));
}

void draw_good_params(struct world *w, int type, struct drawn *d)
{
    draw_any(w, type, d, false);
}

void draw_like(struct world *w, const CUgraphNodeParams *now, struct drawn *d)
{
    const int slot = draw_slot(w);
    memset(d, 0, sizeof *d);
    d->params = *now;
    switch (now->type) {
    case CU_GRAPH_NODE_TYPE_MEMCPY: {
        CUDA_MEMCPY3D *c = &d->params.memcpy.copyParams;
        if (c->dstMemoryType == CU_MEMORYTYPE_HOST) c->dstHost = w->host_slots + slot * SLOT_WORDS;
        else c->dstDevice = slot_address(w, slot);
        if (chance(w, 2)) c->WidthInBytes = 1 + dice(w, 16);
        if (chance(w, 6)) c->Height = 3 - c->Height, c->srcPitch = c->dstPitch = 16;
        d->params.memcpy.copyCtx = w->t.ctx;
        break;
    }
    case CU_GRAPH_NODE_TYPE_MEMSET:
        d->params.memset.dst = slot_address(w, slot);
        d->params.memset.value = 1 + (uint32_t)slot % 255;
        if (chance(w, 2)) d->params.memset.width = 1 + dice(w, 16 / d->params.memset.elementSize);
        d->params.memset.ctx = w->t.ctx;
        break;
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
        if (d->params.memOp.count > 4) d->params.memOp.count = 4;
        for (unsigned i = 0; i < d->params.memOp.count; i++) {
            CUstreamBatchMemOpParams *o = &d->batch[i];
            *o = now->memOp.paramArray[i];
            const bool writes = o->operation == CU_STREAM_MEM_OP_WRITE_VALUE_32 ||
                                o->operation == CU_STREAM_MEM_OP_WRITE_VALUE_64;
            if (writes) o->writeValue.address = slot_address(w, slot) + 8 * i;
        }
        d->params.memOp.paramArray = d->batch;
        d->params.memOp.ctx = w->t.ctx;
        break;
    default: break;
    }
    d->text = params_text(w, &d->params);
}

void draw_batch(struct world *w, struct drawn *d)
{
    draw_params(w, CU_GRAPH_NODE_TYPE_BATCH_MEM_OP, d);
    d->params.memOp.paramArray = d->batch;
    d->text = params_text(w, &d->params);
}
