/* SPDX-License-Identifier: Apache-2.0
 *
 * Operations on values: batches.
 */
#include "pages.h"

static CUstreamBatchMemOpParams op_write32(CUdeviceptr a, uint32_t v, unsigned fl)
{
    CUstreamBatchMemOpParams o;
    memset(&o, 0, sizeof o);
    o.writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
    o.writeValue.address = a;
    o.writeValue.value = v;
    o.writeValue.flags = fl;
    return o;
}
static CUstreamBatchMemOpParams op_write64(CUdeviceptr a, uint64_t v, unsigned fl)
{
    CUstreamBatchMemOpParams o;
    memset(&o, 0, sizeof o);
    o.writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_64;
    o.writeValue.address = a;
    o.writeValue.value64 = v;
    o.writeValue.flags = fl;
    return o;
}
static CUstreamBatchMemOpParams op_wait32(CUdeviceptr a, uint32_t v, unsigned fl)
{
    CUstreamBatchMemOpParams o;
    memset(&o, 0, sizeof o);
    o.waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
    o.waitValue.address = a;
    o.waitValue.value = v;
    o.waitValue.flags = fl;
    return o;
}
static CUstreamBatchMemOpParams op_wait64(CUdeviceptr a, uint64_t v, unsigned fl)
{
    CUstreamBatchMemOpParams o;
    memset(&o, 0, sizeof o);
    o.waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_64;
    o.waitValue.address = a;
    o.waitValue.value64 = v;
    o.waitValue.flags = fl;
    return o;
}
static CUstreamBatchMemOpParams op_plain(int op, unsigned fl)
{
    CUstreamBatchMemOpParams o;
    memset(&o, 0, sizeof o);
    o.flushRemoteWrites.operation = (CUstreamBatchMemOpType)op;
    o.flushRemoteWrites.flags = fl;
    return o;
}

/* A batch of every kind, waits satisfied by writes earlier in the batch. */
CASE(memop, batch_mixed)
{
    CUstream s;
    CUdeviceptr p = dalloc(t, 64);
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    CUstreamBatchMemOpParams ops[] = { op_write32(p, 5, 0),
                                       op_wait32(p, 5, CU_STREAM_WAIT_VALUE_EQ),
                                       op_write64(p + 8, 0x100000001ull, 0),
                                       op_wait64(p + 8, 0x100000000ull, CU_STREAM_WAIT_VALUE_GEQ),
                                       op_wait64(p + 8, 1ull << 32, CU_STREAM_WAIT_VALUE_AND),
                                       op_write32(p + 16, 9, 0) };
    R("batch", cuStreamBatchMemOp(s, 6, ops, 0));
    say(t, " state=%s", done(s));
    if (cuStreamQuery(s)) return;
    say(t, " v=%u,%u,%u,%u", dread(t, p), dread(t, p + 8), dread(t, p + 12), dread(t, p + 16));
}

/* Operations of a batch run in order: a wait in the middle divides it. */
CASE(memop, batch_order)
{
    CUstream s;
    Page g;
    OK(make_page(&g));
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    CUstreamBatchMemOpParams ops[] = { op_write32(g.d + 4, 1, 0), op_write32(g.d + 8, 2, 0),
                                       op_wait32(g.d, 1, 0), op_write32(g.d + 8, 3, 0),
                                       op_write32(g.d + 12, 4, 0) };
    R("batch", cuStreamBatchMemOp(s, 5, ops, 0));
    say(t, " state=%s", held(s));
    say(t, " seen=%u,%u,%u", load_word(g.h + 1), load_word(g.h + 2), load_word(g.h + 3));
    store_word(g.h, 1);
    say(t, " state=%s", done(s));
    say(t, " seen=%u,%u,%u", load_word(g.h + 1), load_word(g.h + 2), load_word(g.h + 3));
}

/* The array is read when the call is made. */
CASE(memop, batch_array_copied)
{
    CUstream s;
    Page g;
    OK(make_page(&g));
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    CUstreamBatchMemOpParams ops[] = { op_write32(g.d, 5, 0), op_write32(g.d + 4, 6, 0) };
    shut(t);
    OK(gate(t, s));
    R("batch", cuStreamBatchMemOp(s, 2, ops, 0));
    ops[0] = op_write32(g.d, 50, 0);
    ops[1] = op_write32(g.d + 8, 60, 0);
    gate_open(t);
    R("sync", cuStreamSynchronize(s));
    say(t, " seen=%u,%u,%u", load_word(g.h), load_word(g.h + 1), load_word(g.h + 2));
}

/* A bad operation in the middle: what is the answer, and do its neighbours run? */
CASE(memop, batch_bad_member)
{
    CUstream s;
    Page g;
    OK(make_page(&g));
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    const struct {
        const char *n;
        CUstreamBatchMemOpParams o;
    } bad[] = { { "op_0", op_plain(0, 0) },
                { "op_7", op_plain(7, 0) },
                { "op_99", op_plain(99, 0) },
                { "misaligned", op_write32(g.d + 9, 1, 0) },
                { "misaligned64", op_write64(g.d + 12, 1, 0) },
                { "wait_flags", op_wait32(g.d + 8, 0, 9) },
                { "write_flags", op_write32(g.d + 8, 1, 2) },
                { "null_address", op_write32(0, 1, 0) } };
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        CUstreamBatchMemOpParams ops[] = { op_write32(g.d, 1, 0), bad[i].o,
                                           op_write32(g.d + 4, 1, 0) };
        store_word(g.h, 0);
        store_word(g.h + 1, 0);
        CUresult r = cuStreamBatchMemOp(s, 3, ops, 0);
        say(t, " %s=%s", bad[i].n, ename(r));
        say(t, "/%s", done(s));
        say(t, "/%u,%u", load_word(g.h), load_word(g.h + 1));
        if (cuStreamQuery(s)) return;
    }
}

/* Memory operations on registered host memory, by its device pointer. */
CASE(memop, registered_memory)
{
    CUstream s;
    void *m = NULL;
    CUdeviceptr d = 0;
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    if (posix_memalign(&m, 4096, 4096)) return;
    memset(m, 0, 4096);
    R("register", cuMemHostRegister(m, 4096, CU_MEMHOSTREGISTER_DEVICEMAP));
    R("devptr", cuMemHostGetDevicePointer(&d, m, 0));
    if (!d) return;
    volatile uint32_t *h = m;
    R("wait", cuStreamWaitValue32(s, d, 1, 0));
    R("write", cuStreamWriteValue32(s, d + 4, 2, 0));
    say(t, " state=%s", held(s));
    say(t, " seen=%u", load_word(h + 1));
    store_word(h, 1);
    say(t, " state=%s", done(s));
    say(t, " seen=%u", load_word(h + 1));
    R("unregister", cuMemHostUnregister(m));
}
