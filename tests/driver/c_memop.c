/* SPDX-License-Identifier: Apache-2.0
 *
 * Stream memory operations: write value, wait value, batches of them.
 */
#include "streams.h"

/* A zeroed page of pinned host memory and its device address. */
typedef struct {
    volatile uint32_t *h;
    CUdeviceptr d;
} Page;
static CUresult make_page(Page *g)
{
    void *p = NULL;
    CUresult r = cuMemHostAlloc(&p, 4096, CU_MEMHOSTALLOC_DEVICEMAP);
    if (r) return r;
    memset(p, 0, 4096);
    g->h = p;
    return cuMemHostGetDevicePointer(&g->d, p, 0);
}
static void store_word(volatile uint32_t *p, uint32_t v)
{
    __atomic_store_n(p, v, __ATOMIC_SEQ_CST);
}
static uint32_t load_word(volatile uint32_t *p)
{
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);
}
static void store64(volatile uint32_t *p, uint64_t v)
{
    __atomic_store_n((volatile uint64_t *)(volatile void *)p, v, __ATOMIC_SEQ_CST);
}

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

/* 32-bit writes reach device and host memory and touch four bytes only. */
CASE(memop, write32)
{
    CUstream s;
    Page g;
    CUdeviceptr p = dalloc(t, 16);
    OK(make_page(&g));
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuMemsetD8(p, 0xaa, 16));
    OK(cuCtxSynchronize());
    R("dev", cuStreamWriteValue32(s, p + 4, 0x01020304, CU_STREAM_WRITE_VALUE_DEFAULT));
    R("dev_max", cuStreamWriteValue32(s, p + 12, 0xffffffffu, 0));
    R("host", cuStreamWriteValue32(s, g.d + 8, 77, 0));
    R("sync", cuStreamSynchronize(s));
    say(t, " dev=%x,%x,%x,%x", dread(t, p), dread(t, p + 4), dread(t, p + 8), dread(t, p + 12));
    say(t, " host=%u,%u,%u", load_word(g.h + 1), load_word(g.h + 2), load_word(g.h + 3));
}

/* Which write flags are taken; the one said to be unsupported in v2 included. */
CASE(memop, write_flags)
{
    static const unsigned fl[] = {
        0, CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER, 2, 3, 4, 1u << 30, 1u << 31
    };
    CUstream s;
    Page g;
    OK(make_page(&g));
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    for (unsigned i = 0; i < sizeof fl / sizeof *fl; i++) {
        CUresult a = cuStreamWriteValue32(s, g.d + 16 * i, i + 1, fl[i]);
        CUresult b = cuStreamWriteValue64(s, g.d + 16 * i + 8, i + 1, fl[i]);
        say(t, " 0x%x=%s/%s", fl[i], ename(a), ename(b));
    }
    R("sync", cuStreamSynchronize(s));
    for (unsigned i = 0; i < sizeof fl / sizeof *fl; i++)
        say(t, " %u,%u", load_word(g.h + 4 * i), load_word(g.h + 4 * i + 2));
}

/* One wait with mem in the word: is it held, and does the release let it go? */
static int stuck; /* a stream that was not let go makes the rest pointless */
static void probe32(T *t, CUstream s, Page g, const char *label, uint32_t mem, uint32_t val,
                    unsigned fl, uint32_t release)
{
    if (stuck) return;
    store_word(g.h, mem);
    CUresult r = cuStreamWaitValue32(s, g.d, val, fl);
    say(t, " %s=%s", label, ename(r));
    if (r) return;
    say(t, "/%s", held(s));
    store_word(g.h, release);
    say(t, "/%s", done(s));
    stuck = cuStreamQuery(s) != CUDA_SUCCESS;
}
static void probe64(T *t, CUstream s, Page g, const char *label, uint64_t mem, uint64_t val,
                    unsigned fl, uint64_t release)
{
    if (stuck) return;
    store64(g.h, mem);
    CUresult r = cuStreamWaitValue64(s, g.d, val, fl);
    say(t, " %s=%s", label, ename(r));
    if (r) return;
    say(t, "/%s", held(s));
    store64(g.h, release);
    say(t, "/%s", done(s));
    stuck = cuStreamQuery(s) != CUDA_SUCCESS;
}

/* EQ holds on values above as well as below. */
CASE(memop, wait_eq)
{
    CUstream s;
    Page g;
    OK(make_page(&g));
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    probe32(t, s, g, "equal", 5, 5, CU_STREAM_WAIT_VALUE_EQ, 5);
    probe32(t, s, g, "above", 6, 5, CU_STREAM_WAIT_VALUE_EQ, 5);
    probe32(t, s, g, "below", 4, 5, CU_STREAM_WAIT_VALUE_EQ, 5);
    probe32(t, s, g, "zero", 0, 0, CU_STREAM_WAIT_VALUE_EQ, 0);
    probe32(t, s, g, "high", 0x7fffffff, 0xffffffffu, CU_STREAM_WAIT_VALUE_EQ, 0xffffffffu);
}

/* NOR wants a bit that is clear in both. */
CASE(memop, wait_nor)
{
    CUstream s;
    Page g;
    OK(make_page(&g));
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    probe32(t, s, g, "zero", 0, 0, CU_STREAM_WAIT_VALUE_NOR, 0);
    probe32(t, s, g, "full", 0xffffffffu, 0, CU_STREAM_WAIT_VALUE_NOR, 0xfffffffeu);
    probe32(t, s, g, "complement", 0x0000ffff, 0xffff0000u, CU_STREAM_WAIT_VALUE_NOR, 0x0000fff0);
    probe32(t, s, g, "one_left", 0x7fffffff, 0x00000001, CU_STREAM_WAIT_VALUE_NOR, 0);
}

/* GEQ is a signed difference that wraps around. */
CASE(memop, wait_geq_wrap)
{
    CUstream s;
    Page g;
    OK(make_page(&g));
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    probe32(t, s, g, "mem_1_val_max", 1, 0xffffffffu, 0, 1);
    probe32(t, s, g, "mem_max_val_1", 0xffffffffu, 1, 0, 1);
    probe32(t, s, g, "mem_0_val_min", 0, 0x80000000u, 0, 0x80000000u);
    probe32(t, s, g, "mem_min_val_0", 0x80000000u, 0, 0, 0);
    probe32(t, s, g, "mem_7f_val_0", 0x7fffffff, 0, 0, 0);
    probe32(t, s, g, "mem_7f_val_max", 0x7fffffff, 0xffffffffu, 0, 0xffffffffu);
    probe32(t, s, g, "mem_min_val_7f", 0x80000000u, 0x7fffffff, 0, 0x7fffffff);
}

/* The same for 64 bits, with values that differ above bit 31 only. */
CASE(memop, wait64)
{
    CUstream s;
    Page g;
    OK(make_page(&g));
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    probe64(t, s, g, "geq_equal", 5, 5, 0, 5);
    probe64(t, s, g, "geq_high_below", 0xffffffffull, 0x100000000ull, 0, 0x100000000ull);
    probe64(t, s, g, "geq_high_above", 0x200000000ull, 0x1ffffffffull, 0, 0x200000000ull);
    probe64(t, s, g, "geq_wrap", 1, ~0ull, 0, 1);
    probe64(t, s, g, "geq_max_1", ~0ull, 1, 0, 1);
    probe64(t, s, g, "geq_min_0", 1ull << 63, 0, 0, 0);
    probe64(t, s, g, "geq_32min_0", 0x80000000ull, 0, 0, 0);
    probe64(t, s, g, "eq_high", 0x100000005ull, 5, CU_STREAM_WAIT_VALUE_EQ, 5);
    probe64(t, s, g, "and_high", 1, 1ull << 40, CU_STREAM_WAIT_VALUE_AND, 1ull << 40);
    probe64(t, s, g, "nor_high", 0xffffffffull, 0, CU_STREAM_WAIT_VALUE_NOR, 0);
    probe64(t, s, g, "nor_full", ~0ull, 0, CU_STREAM_WAIT_VALUE_NOR, 0);
}

/* Wait flags outside the documented ones, and the flush flag. */
CASE(memop, wait_flags)
{
    static const unsigned fl[] = {
        4, 5, 7, 8, 0x10, CU_STREAM_WAIT_VALUE_FLUSH, CU_STREAM_WAIT_VALUE_FLUSH | 1, 1u << 31
    };
    CUstream s;
    Page g;
    OK(make_page(&g));
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    store64(g.h, 5);
    for (unsigned i = 0; i < sizeof fl / sizeof *fl; i++) {
        CUresult a = cuStreamWaitValue32(s, g.d, 5, fl[i]);
        CUresult b = cuStreamWaitValue64(s, g.d, 5, fl[i]);
        say(t, " 0x%x=%s/%s", fl[i], ename(a), ename(b));
    }
    say(t, " state=%s", done(s));
}

/* Addresses that are not a multiple of the operand's size. */
CASE(memop, misaligned)
{
    static const unsigned off[] = { 1, 2, 3, 4, 6 };
    CUstream s;
    CUdeviceptr p = dalloc(t, 64);
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    for (unsigned i = 0; i < sizeof off / sizeof *off; i++) {
        say(t, " +%u{", off[i]);
        R("w32", cuStreamWriteValue32(s, p + off[i], 0, 0));
        R("w64", cuStreamWriteValue64(s, p + off[i], 0, 0));
        R("wait32", cuStreamWaitValue32(s, p + off[i], 0, 0));
        R("wait64", cuStreamWaitValue64(s, p + off[i], 0, 0));
        say(t, " }");
    }
    say(t, " state=%s", done(s));
}

/* Address zero. */
CASE(memop, null_address)
{
    CUstream s;
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    R("w32", cuStreamWriteValue32(s, 0, 0, 0));
    R("w64", cuStreamWriteValue64(s, 0, 0, 0));
    R("wait32", cuStreamWaitValue32(s, 0, 0, 0));
    R("wait64", cuStreamWaitValue64(s, 0, 0, 0));
    say(t, " state=%s", within(s, 1000));
}

/* An address that was never allocated. */
CASE(memop, unmapped_address)
{
    CUstream s;
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    R("w32", cuStreamWriteValue32(s, 0x1000, 0, 0));
    R("w64", cuStreamWriteValue64(s, 0x1000, 0, 0));
    R("wait32", cuStreamWaitValue32(s, 0x1000, 0, 0));
    R("wait64", cuStreamWaitValue64(s, 0x1000, 0, 0));
    say(t, " state=%s", within(s, 1000));
}

/* A wait satisfied by a kernel's store, and one by a memset and a copy. */
CASE(memop, signal_from_device_work)
{
    CUstream a, b;
    CUfunction f = warm(t, "put");
    CUdeviceptr p = dalloc(t, 16);
    OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
    OK(cuStreamWaitValue32(a, p, 3, CU_STREAM_WAIT_VALUE_EQ));
    say(t, " a=%s", held(a));
    OK(put(f, b, p, 3));
    say(t, " kernel=%s", done(a));
    if (cuStreamQuery(a)) return;
    OK(cuStreamWaitValue32(a, p + 4, 4, CU_STREAM_WAIT_VALUE_EQ));
    say(t, " a=%s", held(a));
    OK(cuMemsetD32Async(p + 4, 4, 1, b));
    say(t, " memset=%s", done(a));
    if (cuStreamQuery(a)) return;
    OK(cuStreamWaitValue32(a, p + 8, 4, CU_STREAM_WAIT_VALUE_EQ));
    say(t, " a=%s", held(a));
    OK(cuMemcpyDtoDAsync(p + 8, p + 4, 4, b));
    say(t, " copy=%s", done(a));
}

/* Writes, waits and kernels of one stream run in the order they were given. */
CASE(memop, orders_with_kernels)
{
    CUstream s;
    CUfunction fp = warm(t, "put"), fm = warm(t, "mul_add");
    CUdeviceptr p = dalloc(t, 4);
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    shut(t);
    OK(gate(t, s));
    OK(put(fp, s, p, 5));
    R("w1", cuStreamWriteValue32(s, p, 6, 0));
    OK(mad(fm, s, p, 10, 1));
    R("wait", cuStreamWaitValue32(s, p, 61, CU_STREAM_WAIT_VALUE_EQ));
    R("w2", cuStreamWriteValue32(s, p, 7, 0));
    OK(mad(fm, s, p, 10, 2));
    gate_open(t);
    say(t, " state=%s", done(s));
    if (cuStreamQuery(s)) return;
    say(t, " v=%u", dread(t, p));
}

/* Memory operations take part in the legacy stream's ordering. */
CASE(memop, legacy_ordering)
{
    CUstream a;
    Page g;
    OK(make_page(&g));
    OK(cuStreamCreate(&a, CU_STREAM_DEFAULT));
    shut(t);
    OK(gate(t, a));
    R("write_null", cuStreamWriteValue32(NULL, g.d, 1, 0));
    say(t, " null=%s", held(NULL));
    say(t, " seen=%u", load_word(g.h));
    gate_open(t);
    OK(cuCtxSynchronize());
    say(t, " seen=%u", load_word(g.h));
    shut(t);
    OK(gate(t, NULL));
    R("write_a", cuStreamWriteValue32(a, g.d + 4, 1, 0));
    R("write_pt", cuStreamWriteValue32(CU_STREAM_PER_THREAD, g.d + 8, 1, 0));
    say(t, " a=%s pt=%s", held(a), held(CU_STREAM_PER_THREAD));
    say(t, " seen=%u,%u", load_word(g.h + 1), load_word(g.h + 2));
    gate_open(t);
    OK(cuCtxSynchronize());
    say(t, " seen=%u,%u", load_word(g.h + 1), load_word(g.h + 2));
}

/* Every default stream handle takes memory operations. */
CASE(memop, special_streams)
{
    Page g;
    OK(make_page(&g));
    R("null", cuStreamWriteValue32(NULL, g.d, 1, 0));
    R("legacy", cuStreamWriteValue32(CU_STREAM_LEGACY, g.d + 4, 2, 0));
    R("pt", cuStreamWriteValue32(CU_STREAM_PER_THREAD, g.d + 8, 3, 0));
    R("wait_null", cuStreamWaitValue32(NULL, g.d, 1, 0));
    R("wait_legacy", cuStreamWaitValue32(CU_STREAM_LEGACY, g.d + 4, 2, 0));
    R("wait_pt", cuStreamWaitValue32(CU_STREAM_PER_THREAD, g.d + 8, 3, 0));
    say(t, " null=%s pt=%s", done(NULL), done(CU_STREAM_PER_THREAD));
    say(t, " seen=%u,%u,%u", load_word(g.h), load_word(g.h + 1), load_word(g.h + 2));
}

/* An event recorded behind a wait, and another stream behind that event. */
CASE(memop, event_after_wait)
{
    CUstream a, b;
    CUevent before, after;
    Page g;
    OK(make_page(&g));
    OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&before, CU_EVENT_DISABLE_TIMING));
    OK(cuEventCreate(&after, CU_EVENT_DISABLE_TIMING));
    OK(cuEventRecord(before, a));
    OK(cuStreamWaitValue32(a, g.d, 1, 0));
    OK(cuEventRecord(after, a));
    OK(cuStreamWaitEvent(b, after, 0));
    OK(cuStreamWriteValue32(b, g.d + 4, 1, 0));
    R("before", cuEventSynchronize(before));
    R("after", cuEventQuery(after));
    say(t, " b=%s", held(b));
    say(t, " seen=%u", load_word(g.h + 1));
    store_word(g.h, 1);
    say(t, " a=%s b=%s", done(a), done(b));
    R("after", cuEventQuery(after));
    say(t, " seen=%u", load_word(g.h + 1));
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
