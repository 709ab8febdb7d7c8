/* SPDX-License-Identifier: Apache-2.0
 *
 * Races for global memory between threads that nobody meant to put in order.
 */
#include "ptx/run/check_pairs.h"

#define RACE .wrong = PTX_WRONG_RACE

static const struct pair rows[] = {
    { "a neighbour's word is read without a barrier", 1, 64, RACE,
      "st.global.u32 [%a], %t; xor.b32 %u, %t, 1; mad.wide.u32 %y, %u, 4, %b;\n"
      "ld.global.u32 %v, [%y];", "load of 4 bytes, which thread (1,0,0) stored in line 12",
      "st.global.u32 [%a], %t; bar.sync 0; xor.b32 %u, %t, 1; mad.wide.u32 %y, %u, 4, %b;\n"
      "ld.global.u32 %v, [%y];" },
    { "a barrier is of one block only", 4, 64, RACE,
      "st.global.u32 [%a], %t; bar.sync 0; xor.b32 %u, %g, 64; mad.wide.u32 %y, %u, 4, %b;\n"
      "ld.global.u32 %v, [%y];", "of block (0,0,0) loaded in line 13",
      "st.global.u32 [%a], %t; bar.sync 0; xor.b32 %u, %g, 33; mad.wide.u32 %y, %u, 4, %b;\n"
      "ld.global.u32 %v, [%y];" },
    { "blocks store different values to one word", 3, 32, RACE,
      "st.global.u32 [%b], %c;", "store of 4 bytes, which thread (31,0,0) of block (0,0,0) stored",
      "st.global.u32 [%b], 7;" },
    { "threads of a block store different values to one word", 1, 64, RACE,
      "st.global.u32 [%b+8], %t;", "store of 4 bytes, which thread (0,0,0) stored",
      "setp.eq.u32 %p, %t, 63; @%p st.global.u32 [%b+8], %t;" },
    { "a counter is loaded, raised and stored", 2, 32, RACE,
      "ld.global.u32 %v, [%b]; add.u32 %v, %v, 1; st.global.u32 [%b], %v;", "a race for global",
      "red.global.add.u32 [%b], 1;" },
    { "a histogram without atomic operations", 2, 64, RACE,
      "and.b32 %u, %t, 7; mad.wide.u32 %y, %u, 4, %b; ld.global.u32 %v, [%y];\n"
      "add.u32 %v, %v, 1; st.global.u32 [%y], %v;", "store of 4 bytes, which",
      "and.b32 %u, %t, 7; mad.wide.u32 %y, %u, 4, %b; red.global.add.u32 [%y], 1;" },
    { "a histogram is read before all have counted", 1, 64, RACE,
      "and.b32 %u, %t, 7; mad.wide.u32 %y, %u, 4, %b; red.global.add.u32 [%y], 1;\n"
      "setp.lt.u32 %p, %t, 8; @%p ld.global.u32 %v, [%a];", "updated in line 12",
      "and.b32 %u, %t, 7; mad.wide.u32 %y, %u, 4, %b; red.global.add.u32 [%y], 1; bar.sync 0;\n"
      "setp.lt.u32 %p, %t, 8; @%p ld.global.u32 %v, [%a];" },
    { "a sum that guesses and swaps needs no atomic load", 2, 32, RACE,
      "ld.global.u32 %v, [%b];\nround: mov.u32 %w, %v; add.u32 %u, %v, 1;\n"
      "st.global.u32 [%b], %u;", "store of 4 bytes",
      "ld.global.u32 %v, [%b];\nround: mov.u32 %w, %v; add.u32 %u, %v, 1;\n"
      "atom.global.cas.b32 %v, [%b], %w, %u; setp.ne.u32 %p, %v, %w; @%p bra round;" },
    { "a stencil in place", 4, 64, RACE,
      "ld.global.u32 %u, [%a]; ld.global.u32 %v, [%a+4]; add.u32 %u, %u, %v; add.u32 %u, %u, %g;\n"
      "st.global.u32 [%a], %u;", "loaded in line 12",
      "ld.global.u32 %u, [%a]; ld.global.u32 %v, [%a+4]; add.u32 %u, %u, %v; add.u32 %u, %u, %g;\n"
      "st.global.u32 [%a+32768], %u;" },
    { "a transposition in place", 1, 256, RACE,
      "and.b32 %u, %t, 15; shr.u32 %v, %t, 4; mad.lo.u32 %u, %u, 16, %v;\n"
      "mad.wide.u32 %y, %u, 4, %b; ld.global.u32 %v, [%a]; add.u32 %v, %v, %t;\n"
      "st.global.u32 [%y], %v;", "loaded in line 13",
      "and.b32 %u, %t, 15; shr.u32 %v, %t, 4; mad.lo.u32 %u, %u, 16, %v;\n"
      "mad.wide.u32 %y, %u, 4, %b; ld.global.u32 %v, [%a]; add.u32 %v, %v, %t; bar.sync 0;\n"
      "st.global.u32 [%y], %v;" },
    { "a word is stored where another thread has a byte", 1, 32, RACE,
      "add.u32 %v, %t, 1; cvt.u64.u32 %y, %t; add.u64 %y, %y, %b; st.global.u8 [%y], %v;\n"
      "setp.eq.u32 %p, %t, 8; @%p st.global.u32 [%b+16], %g;", "store of 4 bytes",
      "add.u32 %v, %t, 1; cvt.u64.u32 %y, %t; add.u64 %y, %y, %b; st.global.u8 [%y], %v;\n"
      "setp.eq.u32 %p, %t, 8; @%p st.global.u32 [%b+32], %g;" },
    { "vectors overlap", 1, 64, RACE,
      "add.u32 %v, %t, 9; st.global.v2.u32 [%b+8], {%t, %v}; and.b32 %u, %t, 62;\n"
      "mad.wide.u32 %y, %u, 4, %b; st.global.v2.u32 [%y+64], {%t, %v};", "store of 8 bytes",
      "add.u32 %v, %t, 9; mad.wide.u32 %y, %t, 8, %b; st.global.v2.u32 [%y], {%t, %v};" },
    { "lanes of a warp do not wait for each other", 1, 32, RACE,
      "st.global.u32 [%a], %t; xor.b32 %u, %t, 1; mad.wide.u32 %y, %u, 4, %b;\n"
      "ld.global.u32 %v, [%y];", "load of 4 bytes, which thread (1,0,0)",
      "st.global.u32 [%a], %t; bar.warp.sync -1; xor.b32 %u, %t, 1; mad.wide.u32 %y, %u, 4, %b;\n"
      "ld.global.u32 %v, [%y];" },
    { "half a warp meets and reads from the other half", 1, 32, RACE,
      "st.global.u32 [%a], %t; setp.lt.u32 %p, %t, 16; selp.u32 %w, 0xffff, 0xffff0000, %p;\n"
      "bar.warp.sync %w; xor.b32 %u, %t, 16; mad.wide.u32 %y, %u, 4, %b;\n"
      "ld.global.u32 %v, [%y];", "which thread (16,0,0) stored",
      "st.global.u32 [%a], %t; setp.lt.u32 %p, %t, 16; selp.u32 %w, 0xffff, 0xffff0000, %p;\n"
      "bar.warp.sync %w; xor.b32 %u, %t, 15; mad.wide.u32 %y, %u, 4, %b;\n"
      "ld.global.u32 %v, [%y];" },
    { "a warp's barrier is not the block's", 1, 64, RACE,
      "st.global.u32 [%a], %t; bar.warp.sync -1; xor.b32 %u, %t, 32; mad.wide.u32 %y, %u, 4, %b;\n"
      "ld.global.u32 %v, [%y];", "which thread (32,0,0) stored",
      "st.global.u32 [%a], %t; bar.sync 0; xor.b32 %u, %t, 32; mad.wide.u32 %y, %u, 4, %b;\n"
      "ld.global.u32 %v, [%y];" },
};

const struct pairs global_pairs = { rows, sizeof rows / sizeof *rows };
