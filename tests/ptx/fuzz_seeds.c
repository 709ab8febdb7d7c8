/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts with what compilers seldom write. */
#include "fuzz.h"

#define HEAD ".version 8.6\n.target sm_90\n.address_size 64\n"

const char *const fuzz_seeds[] = {
    HEAD ".visible .entry k() { ret; }",
    HEAD ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
         ".global .align 1 .b8 words[9] = {37, 100, 32, 37, 115, 10, 37, 110, 0};\n"
         ".visible .entry k(.param .u64 p) {\n .local .align 8 .b8 room[16];\n .reg .b64 %l<4>;\n"
         " .reg .b32 %r<4>;\n mov.u64 %l0, room;\n cvta.local.u64 %l0, %l0;\n mov.u32 %r0, 7;\n"
         " st.u32 [%l0], %r0;\n mov.u64 %l1, words;\n cvta.global.u64 %l1, %l1;\n st.u64 [%l0+8],"
         " %l1;\n"
         " { .param .b64 a; .param .b64 b; .param .b32 c;\n st.param.b64 [a], %l1;\n"
         " st.param.b64 [b], %l0;\n call.uni (c), vprintf, (a, b);\n ld.param.b32 %r1, [c]; }\n"
         " ret;\n}\n",
    HEAD ".extern .func (.param .b64 r) malloc(.param .b64 n);\n"
         ".extern .func free(.param .b64 n);\n"
         ".visible .entry k() {\n .reg .b64 %l<4>;\n .reg .b32 %r<2>;\n .reg .pred %p;\n"
         " mov.u32 %r0, %tid.x;\n"
         " cvt.u64.u32 %l0, %r0;\n"
         " { .param .b64 a; .param .b64 b;\n st.param.b64 [a], %l0;\n call (b), malloc, (a);\n"
         " ld.param.b64 %l1, [b]; }\n setp.eq.u64 %p, %l1, 0;\n @%p ret;\n st.u8 [%l1], %r0;\n"
         " { .param .b64 a;\n st.param.b64 [a], %l1;\n call free, (a); }\n ret;\n}\n",
    HEAD ".const .align 4 .b32 c[4] = {1, 2, 3 + 4 * (5 - 2), -1};\n"
         ".global .u64 base; .global .u64 self = generic(base);\n"
         ".global .u32 low[2] = {0xFF(self), 0xFF00(self)};\n"
         ".global .align 8 .u64 at[3] = {self+8, low, c};\n.global .f32 f = 0f3F800000;\n"
         ".global .f64 d[2][2] = {{1.5, -2e10}, {0d3FF0000000000000}};\n.shared .align 16 .b8"
         " s[64];\n"
         ".extern .shared .align 16 .b8 dynamic[];\n.weak .global .b8 w;\n.common .global .b32 m;\n"
         ".visible .entry k(.param .u64 .ptr .global .align 8 p, .param .align 8 .b8 q[24])\n"
         ".maxntid 128, 1, 1\n.minnctapersm 2\n{\n .reg .b64 %a, %b; .reg .v4 .f32 %v; .reg .u32"
         " %x<3>;\n"
         " ld.param.u64 %a, [p];\n ld.param.u64 %b, [q+16];\n ld.const.u32 %x0, [c+4];\n"
         " st.shared.u32 [s+8], %x0;\n bar.sync 0;\n ld.shared.v2.u32 {%x1, _}, [s+8];\n"
         " mov.u64 %b, dynamic;\n st.shared.u8 [%b+511], 1;\n st.global.u32 [%a], %x1;\n ret;\n}\n",
    HEAD ".func (.reg .b32 r) f(.reg .b32 x, .reg .b32 y) { add.u32 r, x, y; ret; }\n"
         ".visible .entry k(.param .u64 p) { .reg .b32 a, b; .reg .b64 t; .reg .pred q;\n"
         " ld.param.u64 t, [p]; mov.u32 a, %laneid; call (b), f, (a, 3);\n"
         " LOOP: add.u32 a, a, 1; setp.lt.u32 q, a, 50; @q bra LOOP;\n"
         " bar.red.and.pred q, 1, 40, q; atom.global.cas.b32 b, [t], b, a;\n"
         " red.global.add.f32 [t+4], 0f3F800000; bar.arrive 2, 64; bar.sync 2, 64; trap; }\n",
    HEAD ".visible .entry k(.param .u64 p) { .reg .b32 a<9>; .reg .b64 t; .reg .pred q, r; .reg"
    " .f32 x;\n"
         " .reg .b16 h<4>; .reg .f64 y;\n"
         " ld.param.u64 t, [p]; mov.u32 a0, %tid.x; mul.wide.u32 t, a0, 16;\n"
         " setp.lt.and.s32 q|r, a0, 20, !q; shfl.sync.idx.b32 a1|q, a0, 3, 31, -1;\n"
         " match.any.sync.b32 a2, a0, -1; vote.sync.all.pred q, r, -1; redux.sync.add.s32 a3, a0,"
         " -1;\n"
         " prmt.b32.f4e a4, a0, a1, a2; lop3.b32 a5, a0, a1, a2, 0xE8; dp4a.u32.s32 a6, a0, a1,"
         " a2;\n"
         " bfe.s32 a7, a0, a1, a2; bfi.b32 a8, a0, a1, a2, a3; cvt.rn.f32.s32 x, a0;"
         " sin.approx.f32 x, x;\n"
         " cvt.rn.f16.f32 h0, x; fma.rn.f16 h1, h0, h0, h0; mov.b32 {h2, h3}, a0; cvt.f64.f32 y,"
         " x;\n"
         " sqrt.rn.f64 y, y; add.cc.u32 a1, a2, a3; addc.u32 a4, a5, a6; nanosleep.u32 100;\n"
         " setp.ne.u32 q, a0, 0; @q brkpt; activemask.b32 a1; }\n",
    0,
};
