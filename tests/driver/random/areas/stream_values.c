/* SPDX-License-Identifier: Apache-2.0
 *
 * Work in streams: waits for values that are there, writes of values, with right and
 * wrong flags and addresses; kernels, fills and host functions.
 */
#include "stream_steps.h"

/* Words of the source are 0x01020304 and its multiples; a wait for them that is not over
 * at once would be for ever. */
static unsigned draw_wait(struct world *w, uint32_t *value)
{
    switch (dice(w, 8)) {
    case 0: *value = 0x01020304; return CU_STREAM_WAIT_VALUE_EQ;
    case 1: *value = 0x00000300; return CU_STREAM_WAIT_VALUE_AND;
    case 2: *value = 0x00000001; return CU_STREAM_WAIT_VALUE_NOR;
    case 3: *value = 0x01020304; return 7; /* none such */
    case 4: *value = 0; return CU_STREAM_WAIT_VALUE_GEQ | CU_STREAM_WAIT_VALUE_FLUSH;
    default: *value = dice(w, 100); return CU_STREAM_WAIT_VALUE_GEQ;
    }
}

static CUdeviceptr spoilt(struct world *w, CUdeviceptr p)
{
    return chance(w, 12) ? 0 : chance(w, 12) ? p + 2 : p;
}

void value_one_step(struct world *w)
{
    CUstream s = draw_any_stream(w);
    const char *name = name_stream(w, s);
    uint32_t value;
    const unsigned flags = draw_wait(w, &value);
    const unsigned write_flags = chance(w, 3) ? 1 + dice(w, 2) : 0;
    const CUdeviceptr from = spoilt(w, w->source), to = spoilt(w, slot_address(w, draw_slot(w)));
    const unsigned least = flags & ~3u;
    switch (dice(w, 4)) {
    case 0:
        CALL(w, cuStreamWaitValue32(s, from, value, flags), "cuStreamWaitValue32",
             "%s, %s, %x, %u", name, name_address(w, from), value, flags);
        break;
    case 1:
        CALL(w, cuStreamWaitValue64(s, from, 0, least), "cuStreamWaitValue64", "%s, %s, 0, %u",
             name, name_address(w, from), least);
        break;
    case 2:
        CALL(w, cuStreamWriteValue32(s, to, value, write_flags), "cuStreamWriteValue32",
             "%s, %s, %x, %u", name, name_address(w, to), value, write_flags);
        break;
    default:
        CALL(w, cuStreamWriteValue64(s, to, value, write_flags), "cuStreamWriteValue64",
             "%s, %s, %x, %u", name, name_address(w, to), value, write_flags);
    }
}

void value_batch_step(struct world *w)
{
    CUstream s = draw_any_stream(w);
    struct drawn d;
    draw_batch(w, &d);
    CALL(w,
         cuStreamBatchMemOp(s, d.params.memOp.count, d.params.memOp.paramArray,
                            d.params.memOp.flags),
         "cuStreamBatchMemOp", "%s, %s", name_stream(w, s), d.text);
}

static void CUDA_CB told(CUstream s, CUresult r, void *data)
{
    (void)s, (void)r;
    count_call(data);
}

void stream_work_step(struct world *w)
{
    CUstream s = draw_any_stream(w);
    const char *name = name_stream(w, s);
    const int slot = draw_slot(w);
    struct drawn d;
    switch (dice(w, 4)) {
    case 0: {
        draw_params(w, CU_GRAPH_NODE_TYPE_KERNEL, &d);
        const CUDA_KERNEL_NODE_PARAMS_v3 *k = &d.params.kernel;
        CALL(w,
             cuLaunchKernel(k->func, k->gridDimX, k->gridDimY, k->gridDimZ, k->blockDimX,
                            k->blockDimY, k->blockDimZ, k->sharedMemBytes, s, k->kernelParams,
                            NULL),
             "cuLaunchKernel", "%s, %s", name, d.text);
        break;
    }
    case 1:
        CALL(w, cuMemsetD32Async(slot_address(w, slot), 1, 4, s), "cuMemsetD32Async", "%s, D%d",
             name, slot);
        break;
    case 2: {
        const unsigned flags = chance(w, 8);
        CALL(w, cuStreamAddCallback(s, told, &w->calls[slot], flags), "cuStreamAddCallback",
             "%s, C%d, %u", name, slot, flags);
        break;
    }
    default:
        CALL(w, cuLaunchHostFunc(s, count_call, &w->calls[slot]), "cuLaunchHostFunc", "%s, C%d",
             name, slot);
    }
}
