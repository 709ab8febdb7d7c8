/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes chains.txt to standard output: what a GPU, or the simulator in its place, answers to
 * random kernels of products, matrices, shuffles, votes and lanes that part.  Later seeds draw from
 * all of chain_lines.c as well, and the first of those have one line each, twice.  A line for each
 * seed: "chain SEED STATUS HASH".  Needs the driver's library and nothing else.  The first and the
 * last seed may be given; with CHAIN_TEXT set, texts go to the standard error.
 *
 * Choices are made one in a statement: C leaves open in which order arguments are evaluated.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "chain_lines.h"
#include "driver.h"
#include "support/random.h"

#define FEW 400 /* seeds of the first kind */
#define MANY 700 /* and of the last          */
#define BLOCKS 2
#define THREADS 64
#define WORDS 12 /* of a thread: eight of its %r, four of its %f */
#define VALUES (BLOCKS * THREADS * WORDS)

struct chain {
    FILE *to;
    struct dice dice;
    unsigned labels;
    bool wide; /* draws from all lines, and is for sm_90 */
};

static int choose(struct chain *chain, int count)
{
    return dice_below(&chain->dice, count);
}

static void compute(struct chain *chain)
{
    static const char *const names[] = { "add.u32", "xor.b32", "mul.lo.u32", "min.s32",
                                         "sub.u32", "max.u32", "and.b32", "or.b32" };
    int c = choose(chain, 8), b = choose(chain, 8), d = choose(chain, 8);
    fprintf(chain->to, "%s %%r%d, %%r%d, %%r%d;\n", names[choose(chain, 8)], d, b, c);
}

/* Lanes part at a bit of theirs, up to three times within each other. */
static void part(struct chain *chain, int depth)
{
    unsigned label = chain->labels++;
    int bit = choose(chain, 5), by = choose(chain, 8);
    fprintf(chain->to,
            "and.b32 %%t0, %%r%d, %d; setp.eq.u32 %%p%d, %%t0, 0; @%%p%d bra ELSE%u;\n",
            by, 1 << bit, depth, depth, label);
    for (int i = 0; i < 3; i++) compute(chain);
    if (depth < 2 && choose(chain, 2)) part(chain, depth + 1);
    fprintf(chain->to, "bra END%u; ELSE%u:\n", label, label);
    for (int i = 0; i < 2; i++) compute(chain);
    if (depth < 2 && choose(chain, 2)) part(chain, depth + 1);
    fprintf(chain->to, "END%u:\n", label);
    if (depth == 0) fputs("bar.warp.sync -1;\n", chain->to);
}

static void multiply(struct chain *chain, const int *r, int kind)
{
    if (kind == 3) {
        fprintf(chain->to,
                "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%%r0,%%r1}, "
                "{%%r%d,%%r%d,%%r%d,%%r%d}, {%%r%d,%%r%d}, {%%r%d,%%r%d};\n",
                r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7]);
    } else if (kind == 2) {
        const char *type = choose(chain, 2) ? "s8" : "u8";
        fprintf(chain->to,
                "mma.sync.aligned.m16n8k32.row.col%s.s32.s8.%s.s32 {%%r0,%%r1,%%r2,%%r3}, "
                "{%%r%d,%%r%d,%%r%d,%%r%d}, {%%r%d,%%r%d}, {%%r4,%%r5,%%r6,%%r7};\n",
                choose(chain, 2) ? ".satfinite" : "", type, r[0], r[1], r[2], r[3], r[4], r[5]);
    } else {
        fprintf(chain->to,
                "mma.sync.aligned.m16n8k16.row.col.f32.%s.f32 {%%f0,%%f1,%%f2,%%f3}, "
                "{%%r%d,%%r%d,%%r%d,%%r%d}, {%%r%d,%%r%d}, {%%f0,%%f1,%%f2,%%f3};\n",
                choose(chain, 2) ? "f16.f16" : "bf16.bf16", r[0], r[1], r[2], r[3], r[4], r[5]);
    }
}

static void load_matrices(struct chain *chain, const int *r)
{
    fprintf(chain->to,
            "st.shared.v4.b32 [%%mine], {%%r%d,%%r%d,%%r%d,%%r%d}; bar.warp.sync -1; "
            "ldmatrix.sync.aligned.m8n8.x4%s.shared.b16 {%%r%d,%%r%d,%%r%d,%%r%d}, [%%rows]; "
            "bar.warp.sync -1;\n",
            r[0], r[1], r[2], r[3], choose(chain, 2) ? ".trans" : "", r[4], (r[4] + 1) % 8,
            (r[4] + 2) % 8, (r[4] + 3) % 8);
}

static void shuffle(struct chain *chain, const int *r)
{
    static const char *const ways[] = { "up", "down", "bfly", "idx" };
    int way = choose(chain, 4), within = choose(chain, 2) ? 0 : 0x1800;
    fprintf(chain->to,
            "shfl.sync.%s.b32 %%t0, %%r%d, %%r%d, %d, -1; xor.b32 %%r%d, %%r%d, %%t0;\n",
            ways[way], r[0], r[1], within | (way ? 31 : 0), r[2], r[2]);
}

static void vote(struct chain *chain, const int *r)
{
    fprintf(chain->to,
            "setp.lt.s32 %%p0, %%r%d, %%r%d; vote.sync.ballot.b32 %%t0, %%p0, -1; "
            "add.u32 %%r%d, %%r%d, %%t0; and.b32 %%t0, %%r%d, 7; "
            "match.any.sync.b32 %%t0, %%t0, -1; xor.b32 %%r%d, %%r%d, %%t0;\n",
            r[0], r[1], r[2], r[2], r[3], r[4], r[4]);
}

/* Writes a line, and draws what stands at its places. */
static void put_line(struct chain *chain, const char *line)
{
    unsigned label = chain->labels++;
    for (; *line; line++) {
        if (*line != '$') fputc(*line, chain->to);
        else switch (*++line) {
        case 'r': fprintf(chain->to, "%%r%d", choose(chain, 8)); break;
        case 'f': fprintf(chain->to, "%%f%d", choose(chain, 4)); break;
        case 'n': fprintf(chain->to, "%d", choose(chain, 32)); break;
        case 'w': fprintf(chain->to, "0x%08x", (unsigned)dice_next(&chain->dice)); break;
        default: fprintf(chain->to, "%u", label);
        }
    }
    fputc('\n', chain->to);
}

static void act(struct chain *chain)
{
    int r[8], kind;
    if (chain->wide && choose(chain, 10) < 7) {
        put_line(chain, chain_lines[choose(chain, chain_line_count)]);
        return;
    }
    for (int i = 0; i < 8; i++) r[i] = choose(chain, 8);
    switch (kind = choose(chain, 10)) {
    case 0: case 1: case 2: case 3: multiply(chain, r, kind); break;
    case 4: load_matrices(chain, r); break;
    case 5:
        fprintf(chain->to, "movmatrix.sync.aligned.m8n8.trans.b16 %%r%d, %%r%d;\n", r[0], r[1]);
        break;
    case 6: shuffle(chain, r); break;
    case 7:
        fprintf(chain->to, "cvt.rn.f16x2.f32 %%r%d, %%f%d, %%f%d; mov.b32 %%f%d, 0f%s;\n", r[0],
                r[1] % 4, r[2] % 4, r[3] % 4, choose(chain, 2) ? "3F800001" : "C2000003");
        break;
    case 8: part(chain, 0); break;
    default: vote(chain, r);
    }
}

static const char head[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n";
static const char wide_head[] =
    ".version 8.6\n.target sm_90\n.address_size 64\n"
    ".const .b32 table[8] = { 3, 0x80000000, 0xffffffff, 77, 0x3f800001, 0x3c00bc00, 0, 1 };\n"
    ".func (.param .align 8 .b8 y[8]) fold(.param .b32 x0, .param .align 8 .b8 x1[8])\n{\n"
    ".reg .b32 %a<4>; .reg .pred %q;\nld.param.b32 %a0, [x0]; ld.param.v2.b32 {%a1,%a2}, [x1];\n"
    "setp.lt.s32 %q, %a0, %a1; @%q bra LESS; add.u32 %a0, %a0, %a2;\n"
    "LESS: mad.lo.u32 %a3, %a0, %a1, %a2; st.param.v2.b32 [y], {%a0,%a3}; ret;\n}\n";
static const char wide_registers[] =
    ".reg .b64 %l<3>;\n.reg .b16 %h<4>;\n.reg .f64 %d<3>;\n.local .align 16 .b8 own[64];\n"
    "mov.b64 %l0, 0; mov.b64 %l1, 1; mov.b64 %l2, 2; mov.f64 %d0, 0d3FF0000000000000;\n"
    "mov.f64 %d1, %d0; mov.f64 %d2, %d0; mov.b16 %h0, 0x3c01; mov.b16 %h1, 0x7bff;\n"
    "mov.b16 %h2, 3; mov.b16 %h3, -2; setp.eq.u32 %p0, %t0, %t0; not.pred %p1, %p0;\n"
    "setp.ne.u32 %p2, %t0, %t0;\n";

/* Fills the local memory of a thread with what it was given. */
static void fill_local(struct chain *chain)
{
    for (int i = 0; i < 16; i++)
        fprintf(chain->to, "st.local.b32 [own+%d], %%%c%d;%c", 4 * i, i % 3 ? 'r' : 'f', i % 4,
                i % 4 == 3 ? '\n' : ' ');
}

/* Each thread loads its 12 words, acts on them, and stores them. */
static char *text_of(struct chain *chain, unsigned seed)
{
    char *text = NULL;
    size_t bytes;
    chain->to = open_memstream(&text, &bytes);
    if (!chain->to) return NULL;
    fprintf(chain->to, "%s", chain->wide ? wide_head : head);
    fputs(".visible .entry chain(.param .u64 p)\n{\n"
          ".reg .pred %p<3>;\n.reg .b32 %r<8>, %t<4>, %mine, %rows;\n"
          ".reg .f32 %f<4>;\n", chain->to);
    fputs(chain->wide ? wide_registers : ".reg .b64 %l<3>;\n", chain->to);
    fputs(".shared .align 16 .b8 room[2048];\n"
          "mov.u32 %t0, %tid.x; mov.u32 %t1, %ctaid.x; shl.b32 %t2, %t1, 6;\n"
          "add.u32 %t2, %t2, %t0; ld.param.u64 %l0, [p]; mad.wide.u32 %l0, %t2, 48, %l0;\n"
          "mov.u32 %mine, room; mad.lo.u32 %mine, %t0, 16, %mine;\n"
          "xor.b32 %rows, %t0, 5; mov.u32 %t3, room; mad.lo.u32 %rows, %rows, 16, %t3;\n"
          "ld.global.v4.b32 {%r0,%r1,%r2,%r3}, [%l0];\n"
          "ld.global.v4.b32 {%r4,%r5,%r6,%r7}, [%l0+16];\n"
          "ld.global.v4.f32 {%f0,%f1,%f2,%f3}, [%l0+32];\n", chain->to);
    if (chain->wide) fill_local(chain);
    if (chain->wide && seed <= FEW + (unsigned)chain_line_count)
        for (int i = 0; i < 2; i++) put_line(chain, chain_lines[seed - FEW - 1]);
    else
        for (int i = 0, count = 8 + (int)(seed % 25); i < count; i++) act(chain);
    fputs("st.global.v4.b32 [%l0], {%r0,%r1,%r2,%r3};\n"
          "st.global.v4.b32 [%l0+16], {%r4,%r5,%r6,%r7};\n"
          "st.global.v4.f32 [%l0+32], {%f0,%f1,%f2,%f3};\nret;\n}\n", chain->to);
    fclose(chain->to);
    return text;
}

/* Floats near 1, and among the words of 32 bits halves that are. */
static void fill(struct dice *dice, uint32_t *values)
{
    for (int i = 0; i < VALUES; i++) {
        uint32_t bits = (uint32_t)dice_next(dice);
        if (i % WORDS >= 8) bits = (bits & 0x807fffff) | (120 + (bits >> 23) % 16) << 23;
        else if (dice_below(dice, 2)) bits = (bits & 0x83ff83ff) | 0x38003800;
        values[i] = bits;
    }
}

static uint64_t hash_of(const uint32_t *values)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int i = 0; i < VALUES; i++) {
        hash = (hash ^ values[i]) * UINT64_C(0x100000001b3);
        hash ^= hash >> 29;
    }
    return hash;
}

static result measure(unsigned seed)
{
    static uint32_t values[VALUES];
    struct chain chain = { .dice = { seed }, .wide = seed > FEW };
    struct driver_buffer buffer = { values, sizeof values, 1 };
    char words[2000] = "", *text = text_of(&chain, seed);
    if (!text) return 1;
    fill(&chain.dice, values);
    result status = driver_run(text, "chain", BLOCKS, THREADS, &buffer, 1, words, sizeof words);
    printf("chain %u %d %016llx\n", seed, status, (unsigned long long)hash_of(values));
    if (getenv("CHAIN_TEXT")) fputs(text, stderr);
    if (status) fprintf(stderr, "chain %u: %.300s\n", seed, words);
    free(text);
    return cu.synchronize();
}

int main(int argc, char **argv)
{
    unsigned first = argc > 1 ? (unsigned)atoi(argv[1]) : 1,
             last = argc > 2 ? (unsigned)atoi(argv[2]) : MANY;
    if (!driver_open()) return 2;
    for (unsigned seed = first; seed <= last; seed++)
        if (measure(seed)) return 1;
    return 0;
}
