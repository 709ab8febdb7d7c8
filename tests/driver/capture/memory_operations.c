/* SPDX-License-Identifier: Apache-2.0
 *
 * Captured operations on values.
 */
#include "captures.h"

static void say_memop(T *t, CUgraphNode n)
{
    CUDA_BATCH_MEM_OP_NODE_PARAMS b;
    memset(&b, 0, sizeof b);
    if (!n) {
        say(t, " nonode");
        return;
    }
    CUresult r = cuGraphBatchMemOpNodeGetParams(n, &b);
    say(t, " get=%s{ctx=%s flags=%u n=%u", ename(r),
        b.ctx == t->ctx ? "same"
        : b.ctx         ? "differ"
                        : "null",
        b.flags, b.count);
    for (unsigned i = 0; !r && i < b.count && i < 8; i++)
        say(t, " op%d", (int)b.paramArray[i].operation);
    if (!r && b.count) {
        int w = b.paramArray[0].operation == CU_STREAM_MEM_OP_WAIT_VALUE_64 ||
                b.paramArray[0].operation == CU_STREAM_MEM_OP_WRITE_VALUE_64;
        say(t, " v=%llx",
            w ? (unsigned long long)b.paramArray[0].waitValue.value64
              : (unsigned long long)b.paramArray[0].waitValue.value);
        say(t, " f=%u", b.paramArray[0].waitValue.flags);
    }
    say(t, "}");
}

CASE(capop, value_nodes)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 64);
    OK(cuStreamBeginCapture(s, GLOBAL));
    R("write32", cuStreamWriteValue32(s, p, 7, 0));
    say_memop(t, last_captured(s));
    R("wait32", cuStreamWaitValue32(s, p, 7, CU_STREAM_WAIT_VALUE_EQ));
    say_memop(t, last_captured(s));
    R("write64", cuStreamWriteValue64(s, p + 8, 0x100000002ull, 0));
    say_memop(t, last_captured(s));
    R("wait64", cuStreamWaitValue64(s, p + 8, 0x100000001ull, CU_STREAM_WAIT_VALUE_GEQ));
    say_memop(t, last_captured(s));
    CUgraph g = capture_end(t, s);
    say_topology(t, g);
    R("run", run_captured(g, s));
    say(t, " %u,%u,%u", dread(t, p), dread(t, p + 8), dread(t, p + 12));
}

/* A batch is one node; its array is taken when captured. */
CASE(capop, batch_node)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 64);
    CUstreamBatchMemOpParams b[3];
    memset(b, 0, sizeof b);
    b[0].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
    b[0].writeValue.address = p;
    b[0].writeValue.value = 3;
    b[1].waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
    b[1].waitValue.address = p;
    b[1].waitValue.value = 3;
    b[1].waitValue.flags = CU_STREAM_WAIT_VALUE_GEQ;
    b[2].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
    b[2].writeValue.address = p + 4;
    b[2].writeValue.value = 4;
    OK(cuStreamBeginCapture(s, GLOBAL));
    R("batch", cuStreamBatchMemOp(s, 3, b, 0));
    say_memop(t, last_captured(s));
    b[0].writeValue.value = 9;
    b[2].writeValue.value = 9;
    R("none", cuStreamBatchMemOp(s, 0, b, 0));
    say(t, " n=%zu", count_captured(s));
    say_status(t, "s", s);
    CUgraph g = capture_end(t, s);
    say_topology(t, g);
    if (g) R("run", run_captured(g, s));
    say(t, " %u,%u", dread(t, p), dread(t, p + 4));
}

/* A captured wait on a word holds its graph, and nothing before it. */
CASE(capop, wait_value_holds)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16), d = 0;
    void *h = NULL;
    CUgraphExec x = NULL;
    OK(cuMemHostAlloc(&h, 4096, CU_MEMHOSTALLOC_DEVICEMAP));
    OK(cuMemHostGetDevicePointer(&d, h, 0));
    memset(h, 0, 4096);
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(cuMemsetD32Async(d + 64, 5, 1, s));
    OK(cuStreamWaitValue32(s, d, 1, CU_STREAM_WAIT_VALUE_GEQ));
    OK(capture_mark(p, 'A', s));
    CUgraph g = capture_end(t, s);
    say_topology(t, g);
    OK(cuGraphInstantiate(&x, g, 0));
    R("launch", cuGraphLaunch(x, s));
    for (int i = 0; i < 2000 && ((volatile uint32_t *)h)[16] != 5; i++) msleep(1);
    say(t, " early=%u", ((volatile uint32_t *)h)[16]);
    R("held", cuStreamQuery(s));
    __atomic_store_n((uint32_t *)h, 1, __ATOMIC_SEQ_CST);
    R("sync", cuStreamSynchronize(s));
    say(t, " v=%u", dread(t, p));
}
