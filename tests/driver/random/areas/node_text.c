/* SPDX-License-Identifier: Apache-2.0
 *
 * Parameters of nodes as text: those that go in, and those that come back.
 */
#include "../random.h"

static const char *const kernels[FUNCTIONS + 1] = { "put", "fill", "dims", "nop", "other" };

const char *function_text(struct world *w, CUfunction f)
{
    int context = 0, which = function_find(w, f, &context);
    return !f ? "null" : note(w, "%s%s", kernels[which], context ? "@c1" : "");
}

static const char *arguments_text(struct world *w, CUfunction f, void **arguments)
{
    int context, which = function_find(w, f, &context);
    CUdeviceptr address;
    uint32_t word[3] = { 0 };
    if (which == NOP || which == FUNCTIONS) return "";
    if (!arguments) return "null";
    memcpy(&address, arguments[0], sizeof address);
    for (int i = 1; i < (which == FILL ? 3 : which == PUT ? 2 : 1); i++) {
        memcpy(&word[i], arguments[i], sizeof word[i]);
    }
    return note(w, "%s,%u,%u", name_address(w, address), word[1], word[2]);
}

static const char *kernel_text(struct world *w, const CUDA_KERNEL_NODE_PARAMS_v3 *k)
{
    return note(w, "%s<%u,%u,%u|%u,%u,%u|%u>(%s)", function_text(w, k->func), k->gridDimX,
                k->gridDimY, k->gridDimZ, k->blockDimX, k->blockDimY, k->blockDimZ,
                k->sharedMemBytes, arguments_text(w, k->func, k->kernelParams));
}

static const char *end_text(struct world *w, CUmemorytype type, CUdeviceptr device,
                            const void *host, size_t pitch, size_t height)
{
    const char *where = type == CU_MEMORYTYPE_HOST ? name_address(w, (CUdeviceptr)(uintptr_t)host)
                        : type == CU_MEMORYTYPE_ARRAY ? "array"
                                                      : name_address(w, device);
    return note(w, "%d:%s/%zu/%zu", (int)type, where, pitch, height);
}

static const char *copy_text(struct world *w, const CUDA_MEMCPY3D *c, CUcontext context)
{
    return note(w, "%s>%s,%zux%zux%zu,%s",
                end_text(w, c->srcMemoryType, c->srcDevice, c->srcHost, c->srcPitch, c->srcHeight),
                end_text(w, c->dstMemoryType, c->dstDevice, c->dstHost, c->dstPitch, c->dstHeight),
                c->WidthInBytes, c->Height, c->Depth, name_context(w, context));
}

static const char *fill_text(struct world *w, const CUDA_MEMSET_NODE_PARAMS_v2 *m)
{
    return note(w, "%s,%u*%u,%zux%zu/%zu,%s", name_address(w, m->dst), m->value, m->elementSize,
                m->width, m->height, m->pitch, name_context(w, m->ctx));
}

static const char *operation_text(struct world *w, const CUstreamBatchMemOpParams *o)
{
    const bool wide = o->operation == CU_STREAM_MEM_OP_WAIT_VALUE_64 ||
                      o->operation == CU_STREAM_MEM_OP_WRITE_VALUE_64;
    return note(w, "%d:%s=%llu/%u", (int)o->operation, name_address(w, o->writeValue.address),
                wide ? (unsigned long long)o->writeValue.value64 : o->writeValue.value,
                o->writeValue.flags);
}

static const char *batch_text(struct world *w, const CUDA_BATCH_MEM_OP_NODE_PARAMS_v2 *b)
{
    const char *text = note(w, "%s,%u,%u", name_context(w, b->ctx), b->count, b->flags);
    if (!b->paramArray) return note(w, "%s,null", text);
    for (unsigned i = 0; i < b->count && i < 4; i++) {
        text = note(w, "%s,%s", text, operation_text(w, &b->paramArray[i]));
    }
    return text;
}

static const char *alloc_text(struct world *w, const CUDA_MEM_ALLOC_NODE_PARAMS_v2 *a)
{
    return note(w, "%zu,type%d,handles%d,%d.%d,access%zu", a->bytesize,
                (int)a->poolProps.allocType, (int)a->poolProps.handleTypes,
                (int)a->poolProps.location.type, a->poolProps.location.id, a->accessDescCount);
}

const char *params_text(struct world *w, const CUgraphNodeParams *p)
{
    switch (p->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: return kernel_text(w, &p->kernel);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        return copy_text(w, &p->memcpy.copyParams, p->memcpy.copyCtx);
    case CU_GRAPH_NODE_TYPE_MEMSET: return fill_text(w, &p->memset);
    case CU_GRAPH_NODE_TYPE_HOST:
        return note(w, "%s,%s",
                    p->host.fn == count_call ? "count"
                    : p->host.fn             ? "other"
                                             : "null",
                    name_address(w, (CUdeviceptr)(uintptr_t)p->host.userData));
    case CU_GRAPH_NODE_TYPE_GRAPH:
        return note(w, "%s,%d", name_of(w, GRAPH, p->graph.graph), (int)p->graph.ownership);
    case CU_GRAPH_NODE_TYPE_EMPTY: return "";
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD: return name_of(w, EVENT, p->eventWait.event);
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC: return alloc_text(w, &p->alloc);
    case CU_GRAPH_NODE_TYPE_MEM_FREE: return name_address(w, p->free.dptr);
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP: return batch_text(w, &p->memOp);
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
        return note(w, "%s,%d,%u,%s",
                    name_of(w, HANDLE, (const void *)(uintptr_t)p->conditional.handle),
                    (int)p->conditional.type, p->conditional.size,
                    name_context(w, p->conditional.ctx));
    default: return "?";
    }
}
