/* SPDX-License-Identifier: Apache-2.0
 *
 * Work for a stream that captures, or does not.
 */
#include "capture_steps.h"

void launch_step(struct world *w)
{
    CUstream s = draw_capturing(w);
    struct drawn d;
    draw_good_params(w, CU_GRAPH_NODE_TYPE_KERNEL, &d);
    const CUDA_KERNEL_NODE_PARAMS_v3 *k = &d.params.kernel;
    CUlaunchAttribute attribute;
    memset(&attribute, 0, sizeof attribute);
    CUlaunchConfig c = { .gridDimX = k->gridDimX, .gridDimY = k->gridDimY, .gridDimZ = 1,
                         .blockDimX = k->blockDimX, .blockDimY = k->blockDimY, .blockDimZ = 1,
                         .sharedMemBytes = k->sharedMemBytes, .hStream = s };
    if (chance(w, 4)) {
        c.attrs = &attribute;
        c.numAttrs = 1;
        attribute.id = chance(w, 3) ? CU_LAUNCH_ATTRIBUTE_PRIORITY
                                    : CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
        attribute.value.programmaticStreamSerializationAllowed = (int)dice(w, 2);
        CALL(w, cuLaunchKernelEx(&c, k->func, k->kernelParams, NULL), "cuLaunchKernelEx",
             "%s, %s, %d=%d", name_stream(w, s), d.text, (int)attribute.id,
             attribute.value.priority);
        return;
    }
    CALL(w,
         cuLaunchKernel(k->func, c.gridDimX, c.gridDimY, 1, c.blockDimX, c.blockDimY, 1,
                        c.sharedMemBytes, s, k->kernelParams, NULL),
         "cuLaunchKernel", "%s, %s", name_stream(w, s), d.text);
}

void fill_step(struct world *w)
{
    CUstream s = draw_capturing(w);
    struct drawn d;
    draw_good_params(w, CU_GRAPH_NODE_TYPE_MEMSET, &d);
    CUDA_MEMSET_NODE_PARAMS_v2 *m = &d.params.memset;
    const bool flat = m->height == 1;
    if (chance(w, 20)) m->width = 0;
    line_call(w, note(w, "cuMemset%s%uAsync", flat ? "D" : "D2D", 8 * m->elementSize), "%s, %s",
              name_stream(w, s), params_text(w, &d.params));
    CUresult r;
    switch (m->elementSize) {
    case 1:
        r = flat ? cuMemsetD8Async(m->dst, (unsigned char)m->value, m->width, s)
                 : cuMemsetD2D8Async(m->dst, m->pitch, (unsigned char)m->value, m->width, 2, s);
        break;
    case 2:
        r = flat ? cuMemsetD16Async(m->dst, (unsigned short)m->value, m->width, s)
                 : cuMemsetD2D16Async(m->dst, m->pitch, (unsigned short)m->value, m->width, 2, s);
        break;
    default:
        r = flat ? cuMemsetD32Async(m->dst, m->value, m->width, s)
                 : cuMemsetD2D32Async(m->dst, m->pitch, m->value, m->width, 2, s);
    }
    line_result(w, r);
    line_end(w);
}

static CUresult copy_flat(const CUDA_MEMCPY3D *c, CUstream s, bool any)
{
    const bool from = c->srcMemoryType == CU_MEMORYTYPE_HOST;
    const bool to = c->dstMemoryType == CU_MEMORYTYPE_HOST;
    if (any || (from && to)) {
        return cuMemcpyAsync(to ? (CUdeviceptr)(uintptr_t)c->dstHost : c->dstDevice,
                             from ? (CUdeviceptr)(uintptr_t)c->srcHost : c->srcDevice,
                             c->WidthInBytes, s);
    }
    if (from) return cuMemcpyHtoDAsync(c->dstDevice, c->srcHost, c->WidthInBytes, s);
    if (to) return cuMemcpyDtoHAsync(c->dstHost, c->srcDevice, c->WidthInBytes, s);
    return cuMemcpyDtoDAsync(c->dstDevice, c->srcDevice, c->WidthInBytes, s);
}

void copy_step(struct world *w)
{
    CUstream s = draw_capturing(w);
    struct drawn d;
    draw_good_params(w, CU_GRAPH_NODE_TYPE_MEMCPY, &d);
    CUDA_MEMCPY3D *c = &d.params.memcpy.copyParams;
    if (c->Height > 1) {
        if (chance(w, 10)) c->srcMemoryType = (CUmemorytype)9;
        CALL(w, cuMemcpy3DAsync(c, s), "cuMemcpy3DAsync", "%s, %s", name_stream(w, s),
             params_text(w, &d.params));
        return;
    }
    const bool any = chance(w, 2);
    if (chance(w, 16)) c->WidthInBytes = 0;
    CALL(w, copy_flat(c, s, any), any ? "cuMemcpyAsync" : "cuMemcpyXtoYAsync", "%s, %s",
         name_stream(w, s), params_text(w, &d.params));
}

static void CUDA_CB told(CUstream s, CUresult r, void *data)
{
    (void)s, (void)r, (void)data;
}

void host_step(struct world *w)
{
    CUstream s = draw_capturing(w);
    const int slot = draw_slot(w);
    if (chance(w, 12)) {
        CALL(w, cuStreamAddCallback(s, told, NULL, 0), "cuStreamAddCallback", "%s",
             name_stream(w, s));
        return;
    }
    const bool wrong = chance(w, 12);
    CALL(w, cuLaunchHostFunc(s, wrong ? NULL : count_call, &w->calls[slot]), "cuLaunchHostFunc",
         "%s, %s, C%d", name_stream(w, s), wrong ? "null" : "count", slot);
}

void value_step(struct world *w)
{
    CUstream s = draw_capturing(w);
    const CUdeviceptr to = slot_address(w, draw_slot(w));
    struct drawn d;
    switch (dice(w, 3)) {
    case 0:
        CALL(w, cuStreamWriteValue32(s, to, 5, 0), "cuStreamWriteValue32", "%s, %s",
             name_stream(w, s), name_address(w, to));
        break;
    case 1:
        CALL(w, cuStreamWaitValue64(s, w->source, 0, 0), "cuStreamWaitValue64", "%s, %s",
             name_stream(w, s), name_address(w, w->source));
        break;
    default:
        draw_batch(w, &d);
        CALL(w,
             cuStreamBatchMemOp(s, d.params.memOp.count, d.params.memOp.paramArray,
                                d.params.memOp.flags),
             "cuStreamBatchMemOp", "%s, %s", name_stream(w, s), d.text);
    }
}

void exec_step(struct world *w)
{
    CUstream s = draw_capturing(w);
    struct object *exec = object_pick(w, EXEC);
    if (!exec) return;
    const bool launch = !chance(w, 4);
    CUgraphExec x = HANDLE_OF(exec, CUgraphExec);
    CALL(w, launch ? cuGraphLaunch(x, s) : cuGraphUpload(x, s),
         launch ? "cuGraphLaunch" : "cuGraphUpload", "x%d, %s", exec->number, name_stream(w, s));
}

void pool_step(struct world *w)
{
    CUstream s = draw_capturing(w);
    CUdeviceptr p = 0;
    struct object *m = object_pick(w, MEMORY);
    if (m && chance(w, 2)) {
        line_call(w, "cuMemFreeAsync", "m%d, %s", m->number, name_stream(w, s));
        if (!line_result(w, cuMemFreeAsync((CUdeviceptr)m->value, s))) m->live = false;
        line_end(w);
        return;
    }
    line_call(w, "cuMemAllocAsync", "256, %s", name_stream(w, s));
    if (!line_result(w, cuMemAllocAsync(&p, 256, s))) {
        line_see(w, "m%d", object_add(w, MEMORY, (const void *)p, -1)->number);
    }
    line_end(w);
}
