/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/run/random_kernel.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Blocks up to this width go on where the one before ends, now and then. */
enum { ACROSS_MOST = 66 };

enum { NUMBERS = 8, ADDRESSES = 4, PREDICATES = 3 };

__attribute__((format(printf, 2, 3)))
static void put(struct random_kernel *writer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int bytes = vsnprintf(writer->text + writer->used, sizeof writer->text - writer->used, format,
                          arguments);
    va_end(arguments);
    writer->used += (size_t)bytes;
    if (writer->used >= sizeof writer->text) abort();
}

/* (Arguments of a call are evaluated in an order that is the compiler's: no more than one of them
 * throws the dice, so that a seed is the same kernel everywhere.) */
static int number(struct random_kernel *writer)
{
    return dice_below(&writer->dice, NUMBERS);
}

static int address(struct random_kernel *writer)
{
    return dice_below(&writer->dice, ADDRESSES);
}

/* Sums and products, which keep affine what is affine. */
static void put_integer(struct random_kernel *writer)
{
    static const char *const plain[] = { "add.s32", "sub.s32", "mul.lo.s32", "add.u32", "min.s32",
                                         "and.b32", "xor.b32" };
    static const char *const special[] = { "tid.x", "tid.y", "tid.z", "ctaid.x", "ntid.x",
                                           "laneid" };
    int small = dice_below(&writer->dice, 9) - 4;
    int d = number(writer), a = number(writer), b = number(writer);
    switch (dice_below(&writer->dice, 7)) {
    case 0:
        put(writer, "mad.lo.s32 %%r%d, %%r%d, %%r%d, %%r%d;\n", d, a, b, number(writer));
        break;
    case 1: put(writer, "shl.b32 %%r%d, %%r%d, %d;\n", d, a, dice_below(&writer->dice, 33)); break;
    case 2: put(writer, "add.s32 %%r%d, %%r%d, %d;\n", d, a, small); break;
    case 3: put(writer, "mul.lo.s32 %%r%d, %%r%d, %d;\n", d, a, small); break;
    case 4:
        if (writer->apart) put(writer, "mad.lo.s32 %%r%d, %%b, %d, %%x;\n", d, small);
        else put(writer, "mov.u32 %%r%d, %%%s;\n", d, special[dice_below(&writer->dice, 6)]);
        break;
    default: put(writer, "%s %%r%d, %%r%d, %%r%d;\n", plain[dice_below(&writer->dice, 7)], d, a, b);
    }
}

/* Arithmetic of f32 on any bits: NaN, subnormal numbers, and sources that all lanes share. */
static void put_float(struct random_kernel *writer)
{
    static const char *const pairs[] = { "add.f32", "sub.f32", "mul.ftz.f32", "add.rz.f32",
                                         "sub.ftz.f32", "mul.f32", "max.f32" };
    static const char *const fused[] = { "fma.rn.f32", "fma.rn.ftz.f32", "fma.rp.f32" };
    static const uint32_t bits[] = { 0x3f800000, 0x80000001, 0x7f900001, 0x41200000 };
    int d = number(writer), a = number(writer), b = number(writer), c = number(writer);
    switch (dice_below(&writer->dice, 5)) {
    case 0: put(writer, "mov.b32 %%r%d, 0x%x;\n", d, bits[dice_below(&writer->dice, 4)]); break;
    case 1: put(writer, "cvt.rn.f32.s32 %%r%d, %%r%d;\n", d, a); break;
    case 2: put(writer, "%s %%r%d, %%r%d, %%r%d;\n", pairs[dice_below(&writer->dice, 7)], d, a, b);
        break;
    default: put(writer, "%s %%r%d, %%r%d, %%r%d, %%r%d;\n", fused[dice_below(&writer->dice, 3)], d,
                 a, b, c);
    }
}

static void put_wide(struct random_kernel *writer)
{
    int d = address(writer), a = number(writer), b = number(writer), x = address(writer);
    switch (dice_below(&writer->dice, 8)) {
    case 0: put(writer, "mul.wide.s32 %%d%d, %%r%d, %%r%d;\n", d, a, b); break;
    case 1: put(writer, "mul.wide.u32 %%d%d, %%r%d, 4;\n", d, a); break;
    case 2: put(writer, "mad.wide.s32 %%d%d, %%r%d, -3, %%d%d;\n", d, a, x); break;
    case 3: put(writer, "cvt.s64.s32 %%d%d, %%r%d;\n", d, a); break;
    case 4: put(writer, "cvt.u64.u32 %%d%d, %%r%d;\n", d, a); break;
    case 5: put(writer, "cvt.u32.u64 %%r%d, %%d%d;\n", b, x); break;
    case 6: put(writer, "sub.s64 %%d%d, %%d%d, %%d%d;\n", d, x, address(writer)); break;
    default: put(writer, "shl.b64 %%d%d, %%d%d, %d;\n", d, x, dice_below(&writer->dice, 5));
    }
}

static void put_question(struct random_kernel *writer)
{
    static const char *const words[] = { "eq.s32", "ne.u32", "lt.s32", "le.u32", "gt.s32",
                                         "ge.s32", "hi.u32", "lt.u32", "eq.b32" };
    int p = dice_below(&writer->dice, PREDICATES), q = dice_below(&writer->dice, PREDICATES);
    int a = number(writer), b = number(writer);
    const char *word = words[dice_below(&writer->dice, 9)];
    switch (dice_below(&writer->dice, writer->apart ? 4 : 6)) {
    case 0: put(writer, "setp.%s %%p%d, %%r%d, %%r%d;\n", word, p, a, b); break;
    case 1: put(writer, "setp.lt.and.s32 %%p%d, %%r%d, 9, %%p%d;\n", p, a, q); break;
    case 2: put(writer, "or.pred %%p%d, %%p%d, %%p%d;\n", p, p, q); break;
    case 3: put(writer, "selp.b32 %%r%d, %%r%d, %%r%d, %%p%d;\n", a, a, b, p); break;
    case 4: put(writer, "bar.red.popc.u32 %%r%d, 0, %%p%d;\n", a, p); break;
    default: put(writer, "setp.%s %%p%d, %%r%d, %d;\n", word, p, a, dice_below(&writer->dice, 40));
    }
}

/* An access to shared memory by an address of 32 bits.  Now and then some lanes wrap around, which
 * what is added to the address does not make good. */
static void put_shared(struct random_kernel *writer)
{
    int r = number(writer), wraps = dice_chance(&writer->dice, 5);
    put(writer, "add.s32 %%t, %%x, %%y; add.s32 %%t, %%t, %%z; mul.lo.s32 %%t, %%t, %d;\n",
        wraps ? -4 : 4);
    if (dice_chance(&writer->dice, 50))
        put(writer, "ld.shared.u32 %%r%d, [%%t+%d];\n", r, wraps ? 4092 : 0);
    else put(writer, "st.shared.u32 [%%t+%d], %%r%d;\n", wraps ? 4092 : 0, r);
}

/* A store to words that no other thread stores to. */
static void put_own(struct random_kernel *writer, int r)
{
    const int sign = writer->pitch % 2 ? 16 : -16;
    put(writer, "mul.lo.s32 %%t, %%y, %d; sub.s32 %%t, %%x, %%t;\n"
        "mad.wide.s32 %%a, %%t, %d, %%own;\n", (int)writer->pitch, sign);
    if (dice_chance(&writer->dice, 50)) {
        put(writer, "st.global.u32 [%%a+%d], %%r%d;\n", 4 * dice_below(&writer->dice, 4), r);
    } else {
        int second = number(writer);
        put(writer, "st.global.v2.u32 [%%a+%d], {%%r%d, %%r%d};\n",
            8 * dice_below(&writer->dice, 2), r, second);
    }
}

/* An access near the middle of a buffer, mostly inside it: a small multiple of each place. */
static void put_access(struct random_kernel *writer)
{
    static const char *const loads[] = { "ld.global.u32 %r", "ld.global.s8 %r", "ld.u16 %r" };
    int r = number(writer), way = dice_below(&writer->dice, 7);
    const bool across = writer->apart && writer->pitch <= ACROSS_MOST &&
                        dice_chance(&writer->dice, 50);
    int by_z = dice_below(&writer->dice, 200) - 20, by_y = dice_below(&writer->dice, 70) - 20,
        by_x = dice_below(&writer->dice, 5) - 2;
    put(writer, "mul.lo.s32 %%t, %%%s, %d; mad.lo.s32 %%t, %%y, %d, %%t;\n"
        "mad.lo.s32 %%t, %%z, %d, %%t;\n", across ? "gx" : "x", by_x, by_y, by_z);
    if (writer->apart && way > 3) {
        put_own(writer, r);
        return;
    }
    if (dice_chance(&writer->dice, 15))
        put(writer, "add.s32 %%t, %%t, %%r%d;\n%s", number(writer),
            writer->apart ? "and.b32 %t, %t, 1023;\n" : "");
    if (way == 5) {
        put(writer, "and.b32 %%t, %%t, 1023; shl.b32 %%t, %%t, 2;\n"
            "st.shared.u32 [%%t], %%r%d;\n", r);
        return;
    }
    put(writer, "mad.wide.s32 %%a, %%t, %d, %%memory;\n",
        writer->apart && way == 3 ? 8 : 4 << dice_below(&writer->dice, 2));
    if (way < 3) put(writer, "%s%d, [%%a+%d];\n", loads[way], r, 4 * dice_below(&writer->dice, 3));
    else if (way == 3)
        put(writer, "ld.global.v2.u32 {%%r%d, %%r%d}, [%%a];\n", r, (r + 1) % NUMBERS);
    else if (way == 4) put(writer, "st.global.u32 [%%a], %%r%d;\n", r);
    else put(writer, "st.global.v2.u32 [%%a], {%%r%d, %%r%d};\n", r, number(writer));
}

/* What lanes of a warp get from each other; now and then each lane asks for something else. */
static void put_exchange(struct random_kernel *writer)
{
    static const char *const ways[] = { "up", "down", "bfly", "idx" };
    static const char *const votes[] = { "all", "any", "uni" };
    int d = number(writer), a = number(writer);
    int p = dice_below(&writer->dice, PREDICATES), q = dice_below(&writer->dice, PREDICATES);
    const char *way = ways[dice_below(&writer->dice, 4)];
    int clamp = way[0] == 'u' ? 0 : 31, by = dice_below(&writer->dice, 40);
    switch (dice_below(&writer->dice, 8)) {
    case 0: put(writer, "vote.sync.ballot.b32 %%r%d, %%p%d, -1;\n", d, p); break;
    case 1: put(writer, "vote.sync.%s.pred %%p%d, %%p%d, -1;\n",
                votes[dice_below(&writer->dice, 3)], q, p);
        break;
    case 2: put(writer, "match.any.sync.b32 %%r%d, %%r%d, -1;\n", d, a); break;
    case 3: put(writer, "bar.warp.sync -1;\n"); break;
    case 4: put(writer, "shfl.sync.%s.b32 %%r%d|%%p%d, %%r%d, %%r%d, %d, -1;\n", way, d, p, a,
                number(writer), clamp);
        break;
    default: put(writer, "shfl.sync.%s.b32 %%r%d|%%p%d, %%r%d, %d, %d, -1;\n", way, d, p, a, by,
                 clamp | dice_below(&writer->dice, 4) << 11);
    }
}

/* Each thread leaves a word in shared memory, or a part of one, and each reads one when all are
 * there.  In a loop that is not the same word for all threads. */
static void put_handing_on(struct random_kernel *writer, bool in_loop)
{
    static const char *const whose[] = {
        "mov.u32 %w, %own4;", "sub.s32 %w, %last4, %own4;", "shl.b32 %w, %x, 2;",
        "shl.b32 %w, %x, 2; sub.s32 %w, %own4, %w;", "mov.u32 %w, 0;",
    };
    static const char *const stores[] = { "u32 [%own4]", "u32 [%own4]", "u16 [%own4+2]",
                                          "u8 [%own4+1]" };
    static const char *const types[] = { "u32", "u32", "s16", "u8" };
    static const int within[] = { 0, 0, 2, 3 };
    const unsigned which = (unsigned)dice_below(&writer->dice, in_loop ? 3 : 5);
    const unsigned part = (unsigned)dice_below(&writer->dice, 4);
    int from = number(writer), to = number(writer);
    put(writer, "st.shared.%s, %%r%d; bar.sync 0;\n%s\n", stores[dice_below(&writer->dice, 4)],
        from, whose[which]);
    if (which < 4 || dice_chance(&writer->dice, 50))
        put(writer, "ld.shared.%s %%r%d, [%%w+%d];\n", types[part], to, within[part]);
    else put(writer, "ld.shared.u32 %%r%d, [s+%u];\n", to, writer->meets / 2 * 4);
    put(writer, "barrier.sync 0;\n");
}

/* Now and then the place of a block in the grid says how often its threads meet: up to 3 times. */
static void put_meeting(struct random_kernel *writer)
{
    const unsigned label = writer->labels++;
    const bool in_loop = dice_chance(&writer->dice, 30);
    if (in_loop)
        put(writer, "div.u32 %%turns, %%gx, %%wide; and.b32 %%turns, %%turns, 3;\n"
            "L%u: setp.eq.u32 %%q, %%turns, 0; @%%q bra M%u;\n", label, label);
    put_handing_on(writer, in_loop);
    if (in_loop)
        put(writer, "sub.u32 %%turns, %%turns, 1; bra L%u;\nM%u:\n", label, label);
}

/* Each thread has a word, and all words are something before the first thread can end. */
static void put_words(struct random_kernel *writer)
{
    put(writer, "mov.u32 %%wide, %%ntid.x; mad.lo.s32 %%own4, %%y, %%wide, %%x;\n"
        "mul.lo.s32 %%own4, %%own4, 4;\n"
        "mov.u32 %%last4, %u; st.shared.u32 [%%own4], %%x; bar.sync 0;\n",
        (writer->meets - 1) * 4);
}

static void put_plain(struct random_kernel *writer)
{
    int what = dice_below(&writer->dice, 14);
    if (dice_chance(&writer->dice, 10)) {
        int a = number(writer), d = number(writer), p = dice_below(&writer->dice, PREDICATES);
        put(writer, "@%s%%p%d add.s32 %%r%d, %%r%d, 3;\n",
            dice_chance(&writer->dice, 50) ? "!" : "", p, d, a);
        return;
    }
    if (writer->exchanges && dice_chance(&writer->dice, 15)) put_exchange(writer);
    else if (writer->meets && dice_chance(&writer->dice, 15)) put_meeting(writer);
    else if (what < 4) put_integer(writer);
    else if (what < 7) put_wide(writer);
    else if (what < 8) put_question(writer);
    else if (what < 10) put_access(writer);
    else if (what < 11 && !writer->apart) put_shared(writer);
    else put_float(writer);
}

/* Some steps that are jumped over, or taken a few times. */
static void put_branch(struct random_kernel *writer)
{
    unsigned label = writer->labels++;
    bool loop = dice_chance(&writer->dice, 40);
    int steps = 1 + dice_below(&writer->dice, 6);
    if (loop) put(writer, "mov.u32 %%n, %d;\nL%u:\n", 1 + dice_below(&writer->dice, 4), label);
    else put(writer, "@%%p%d bra L%u;\n", dice_below(&writer->dice, PREDICATES), label);
    if (!writer->exchanges && dice_chance(&writer->dice, 10))
        put(writer, "@%%p%d bra END;\n", dice_below(&writer->dice, PREDICATES));
    for (int i = 0; i < steps; i++)
        if (dice_chance(&writer->dice, 60)) put_integer(writer);
        else if (dice_chance(&writer->dice, 40)) put_float(writer);
        else if (!writer->apart && dice_chance(&writer->dice, 50)) put_shared(writer);
        else put_access(writer);
    if (loop) put(writer, "sub.s32 %%n, %%n, 1; setp.gt.s32 %%q, %%n, 0; @%%q bra L%u;\n", label);
    else put(writer, "L%u:\n", label);
}

void random_kernel_write(struct random_kernel *writer)
{
    put(writer, ".version 7.0\n.target sm_70\n.address_size 64\n"
        ".visible .entry k(.param .u64 memory, .param .u64 saved, .param .u32 n, .param .u64 own)\n"
        "{\n"
        ".reg .pred %%p<3>, %%q; .reg .b32 %%r<8>, %%x, %%y, %%z, %%t, %%n, %%id;\n"
        ".reg .b32 %%own4, %%last4, %%w, %%wide, %%turns;\n"
        ".reg .b64 %%d<4>, %%memory, %%saved, %%a, %%own; .reg .b32 %%b, %%gx;\n"
        ".shared .align 4 .b8 s[%u];\n"
        "ld.param.u64 %%memory, [memory]; ld.param.u64 %%saved, [saved];\n"
        "ld.param.u32 %%r7, [n];\n"
        "mov.u32 %%x, %%tid.x; mov.u32 %%y, %%tid.y; mov.u32 %%z, %%tid.z;\n"
        "mov.u32 %%r0, %%tid.x; mov.u32 %%r1, %%tid.y; mov.u32 %%r2, 5;\n"
        "mov.u32 %%r3, %%ntid.x;\n"
        "mov.u32 %%b, %%ctaid.x; mad.lo.u32 %%r5, %%b, %%r3, %%r0;\n"
        "mov.u32 %%gx, %%r5;\n%s",
        writer->meets ? 4 * writer->meets : 4096,
        writer->apart ? "ld.param.u64 %own, [own]; mad.wide.u32 %own, %b, 65536, %own;\n"
                      : "mov.u32 %r4, %b;\n");
    if (writer->meets) put_words(writer);
    for (int i = 10 + dice_below(&writer->dice, 50); i-- > 0;)
        if (dice_chance(&writer->dice, 12)) put_branch(writer);
        else put_plain(writer);
    put(writer, "mov.u32 %%t, %%ntid.y; mad.lo.u32 %%id, %%z, %%t, %%y; mov.u32 %%t, %%ntid.x;\n"
        "mad.lo.u32 %%id, %%id, %%t, %%x; mov.u32 %%n, %%ntid.y; mul.lo.u32 %%t, %%t, %%n;\n"
        "mov.u32 %%n, %%ntid.z; mul.lo.u32 %%t, %%t, %%n;\n"
        "mad.lo.u32 %%id, %%t, %%b, %%id; mad.wide.u32 %%saved, %%id, %d, %%saved;\n",
        RANDOM_KERNEL_SAVED);
    for (int i = 0; i < NUMBERS; i++) put(writer, "st.global.u32 [%%saved+%d], %%r%d;\n", 4 * i, i);
    for (int i = 0; i < ADDRESSES; i++)
        put(writer, "st.global.u64 [%%saved+%d], %%d%d;\n", 4 * NUMBERS + 8 * i, i);
    put(writer, "selp.u32 %%t, 1, 0, %%p0; st.global.u32 [%%saved+%d], %%t;\nEND:\nret;\n}\n",
        RANDOM_KERNEL_SAVED - 8);
}

