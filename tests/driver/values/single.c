/* SPDX-License-Identifier: Apache-2.0
 *
 * Operations on values: what one write or wait does.
 */
#include "pages.h"

static void store64(volatile uint32_t *p, uint64_t v)
{
    __atomic_store_n((volatile uint64_t *)(volatile void *)p, v, __ATOMIC_SEQ_CST);
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
