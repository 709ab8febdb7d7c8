/* SPDX-License-Identifier: Apache-2.0
 *
 * The forms of whole warps.  A row stands for all ways to choose one of each {a,b,c}; "$1"
 * is what was chosen in the first braces. */
#include "ptx/answers/tiles.h"

#define MMA "mma.sync.aligned."
#define WMMA "sync.aligned."
/* A product of wmma from memory to memory: "$1" and "$2" are the layouts, "$3" the shape. */
#define PRODUCT(at, ct, dt, a, b, c, d, middle, tail)                                        \
    "wmma.load.a." WMMA "$1.$3.global." at " <x" a ">, [%pa]; "                             \
    "wmma.load.b." WMMA "$2.$3.global." at " <y" b ">, [%pb]; "                             \
    "wmma.load.c." WMMA "row.$3.global." ct " <z" c ">, [%pc]; "                            \
    middle "." tail " <w" d ">, <x" a ">, <y" b ">, <z" c ">; "                              \
    "wmma.store.d." WMMA "row.$3.global." dt " [%pd], <w" d ">;"
#define BOTH "wmma.mma." WMMA "{row,col}.{row,col}"
/* A product with a sparse factor: "$1" is the selector. */
#define SPARSE(selectors, words, types, places) \
    { "mma.sp::ordered_metadata.sync.aligned." words " %D, %A, %B, %C, %e0, " selectors ";", \
      types " " places ":1" }, \
    { "mma.sp.sync.aligned." words " %D, %A, %B, %C, %e0, " selectors ";", \
      types " " places ":1" }
#define SQUARE ".{m16n16k16,m32n8k16,m8n32k16}"

const struct tile_row tile_rows[] = {
    /* Halves */
    { MMA "m8n8k4.{row,col}.{row,col}.f16.f16.f16.f16 %D, %A, %B, %C;", "f16:4 f16:2 f16:2 f16:4" },
    { MMA "m8n8k4.{row,col}.{row,col}.f32.f16.f16.f32 %D, %A, %B, %C;", "f32:8 f16:2 f16:2 f32:8" },
    { MMA "m8n8k4.{row,col}.{row,col}.f32.f16.f16.f16 %D, %A, %B, %C;", "f32:8 f16:2 f16:2 f16:4" },
    { MMA "m16n8k8.row.col.f16.f16.f16.f16 %D, %A, %B, %C;", "f16:2 f16:2 f16:1 f16:2" },
    { MMA "m16n8k16.row.col.f16.f16.f16.f16 %D, %A, %B, %C;", "f16:2 f16:4 f16:2 f16:2" },
    { MMA "m16n8k8.row.col.f32.{f16,bf16}.$1.f32 %D, %A, %B, %C;", "f32:4 $1:2 $1:1 f32:4" },
    { MMA "m16n8k16.row.col.f32.{f16,bf16}.$1.f32 %D, %A, %B, %C;", "f32:4 $1:4 $1:2 f32:4" },
    /* tf32 */
    { MMA "m16n8k4.row.col.f32.tf32.tf32.f32 %D, %A, %B, %C;", "f32:4 tf32:2 tf32:1 f32:4" },
    { MMA "m16n8k8.row.col.f32.tf32.tf32.f32 %D, %A, %B, %C;", "f32:4 tf32:4 tf32:2 f32:4" },
    /* Bytes */
    { MMA "m16n8k16.row.col.f32.{e4m3,e5m2}.{e4m3,e5m2}.f32 %D, %A, %B, %C;",
      "f32:4 $1:2 $2:1 f32:4" },
    { MMA "m16n8k32.row.col.f32.{e4m3,e5m2}.{e4m3,e5m2}.f32 %D, %A, %B, %C;",
      "f32:4 $1:4 $2:2 f32:4" },
    { MMA "m16n8k16.row.col.f16.{e4m3,e5m2}.{e4m3,e5m2}.f16 %D, %A, %B, %C;",
      "f16:2 $1:2 $2:1 f16:2" },
    { MMA "m16n8k32.row.col.f16.{e4m3,e5m2}.{e4m3,e5m2}.f16 %D, %A, %B, %C;",
      "f16:2 $1:4 $2:2 f16:2" },
    /* f64 */
    { MMA "m8n8k4.row.col{,.rn,.rz,.rm,.rp}.f64.f64.f64.f64 %D, %A, %B, %C;",
      "f64:2 f64:1 f64:1 f64:2" },
    { MMA "m16n8k4.row.col{,.rn,.rz,.rm,.rp}.f64.f64.f64.f64 %D, %A, %B, %C;",
      "f64:4 f64:2 f64:1 f64:4" },
    { MMA "m16n8k8.row.col{,.rn,.rz,.rm,.rp}.f64.f64.f64.f64 %D, %A, %B, %C;",
      "f64:4 f64:4 f64:2 f64:4" },
    { MMA "m16n8k16.row.col{,.rn,.rz,.rm,.rp}.f64.f64.f64.f64 %D, %A, %B, %C;",
      "f64:4 f64:8 f64:4 f64:4" },
    /* Integers */
    { MMA "m8n8k16.row.col{,.satfinite}.s32.{s8,u8}.{s8,u8}.s32 %D, %A, %B, %C;",
      "s32:2 s8:1 s8:1 s32:2" },
    { MMA "m16n8k16.row.col{,.satfinite}.s32.{s8,u8}.{s8,u8}.s32 %D, %A, %B, %C;",
      "s32:4 s8:2 s8:1 s32:4" },
    { MMA "m16n8k32.row.col{,.satfinite}.s32.{s8,u8}.{s8,u8}.s32 %D, %A, %B, %C;",
      "s32:4 s8:4 s8:2 s32:4" },
    { MMA "m8n8k32.row.col{,.satfinite}.s32.{s4,u4}.{s4,u4}.s32 %D, %A, %B, %C;",
      "s32:2 s4:1 s4:1 s32:2" },
    { MMA "m16n8k32.row.col{,.satfinite}.s32.{s4,u4}.{s4,u4}.s32 %D, %A, %B, %C;",
      "s32:4 s4:2 s4:1 s32:4" },
    { MMA "m16n8k64.row.col{,.satfinite}.s32.{s4,u4}.{s4,u4}.s32 %D, %A, %B, %C;",
      "s32:4 s4:4 s4:2 s32:4" },
    { MMA "m8n8k128.row.col.s32.b1.b1.s32.{and,xor}.popc %D, %A, %B, %C;",
      "s32:2 b1:1 b1:1 s32:2" },
    { MMA "m16n8k128.row.col.s32.b1.b1.s32.{and,xor}.popc %D, %A, %B, %C;",
      "s32:4 b1:2 b1:1 s32:4" },
    { MMA "m16n8k256.row.col.s32.b1.b1.s32.{and,xor}.popc %D, %A, %B, %C;",
      "s32:4 b1:4 b1:2 s32:4" },

    /* Sparse factors */
    SPARSE("{0,1,2,3}", "m16n8k16.row.col.f32.{f16,bf16}.$1.f32", "f32:4 $1:2 $1:2 f32:4", "2of4"),
    SPARSE("{0,1,2,3}", "m16n8k16.row.col.f16.f16.f16.f16", "f16:2 f16:2 f16:2 f16:2", "2of4"),
    SPARSE("{0,1}", "m16n8k32.row.col.f32.{f16,bf16}.$1.f32", "f32:4 $1:4 $1:4 f32:4", "2of4"),
    SPARSE("{0,1}", "m16n8k32.row.col.f16.f16.f16.f16", "f16:2 f16:4 f16:4 f16:2", "2of4"),
    SPARSE("{0,1,2,3}", "m16n8k8.row.col.f32.tf32.tf32.f32", "f32:4 tf32:2 tf32:2 f32:4", "1of2"),
    SPARSE("{0,1}", "m16n8k16.row.col.f32.tf32.tf32.f32", "f32:4 tf32:4 tf32:4 f32:4", "1of2"),
    SPARSE("0", "m16n8k64.row.col.f32.{e4m3,e5m2}.{e4m3,e5m2}.f32", "f32:4 $1:4 $2:4 f32:4",
           "2of4"),
    SPARSE("{0,1}", "m16n8k32.row.col{,.satfinite}.s32.{s8,u8}.{s8,u8}.s32",
           "s32:4 s8:2 s8:2 s32:4", "2of4"),
    SPARSE("0", "m16n8k64.row.col{,.satfinite}.s32.{s8,u8}.{s8,u8}.s32", "s32:4 s8:4 s8:4 s32:4",
           "2of4"),
    SPARSE("{0,1}", "m16n8k64.row.col{,.satfinite}.s32.{s4,u4}.{s4,u4}.s32",
           "s32:4 s4:2 s4:2 s32:4", "2of4"),
    SPARSE("0", "m16n8k128.row.col{,.satfinite}.s32.{s4,u4}.{s4,u4}.s32", "s32:4 s4:4 s4:4 s32:4",
           "2of4"),
    /* ... whose elements are in any order */
    { "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 %D, %A, %B, %C, %e0, 2;",
      "f32:4 f16:2 f16:2 f32:4 any2of4:1" },
    { "mma.sp.sync.aligned.m16n8k32.row.col.f32.bf16.bf16.f32 %D, %A, %B, %C, %e0, 1;",
      "f32:4 bf16:4 bf16:4 f32:4 any2of4:1" },
    { "mma.sp.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32 %D, %A, %B, %C, %e0, 0;",
      "s32:4 s8:4 s8:4 s32:4 any2of4:1" },
    { "mma.sp.sync.aligned.m16n8k128.row.col.s32.s4.s4.s32 %D, %A, %B, %C, %e0, 0;",
      "s32:4 s4:4 s4:4 s32:4 any2of4:1" },
    { "mma.sp.sync.aligned.m16n8k64.row.col.f32.e4m3.e4m3.f32 %D, %A, %B, %C, %e0, 0;",
      "f32:4 e4m3:4 e4m3:4 f32:4 any2of4:1" },
    /* ... which PTX leaves open: all bits, and another order than was said */
    { "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 %D, %A, %B, %C, %e0, 2;",
      "f32:4 f16:2 f16:2 f32:4 b32:1" },
    { "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 %D, %A, %B, %C, %e0, 1;",
      "f32:4 f16:4 f16:4 f32:4 b32:1" },
    { "mma.sp.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32 %D, %A, %B, %C, %e0, 0;",
      "s32:4 s8:4 s8:4 s32:4 b32:1" },
    { "mma.sp.sync.aligned.m16n8k128.row.col.s32.s4.s4.s32 %D, %A, %B, %C, %e0, 0;",
      "s32:4 s4:4 s4:4 s32:4 b32:1" },
    { "mma.sp.sync.aligned.m16n8k64.row.col.f32.e4m3.e4m3.f32 %D, %A, %B, %C, %e0, 0;",
      "f32:4 e4m3:4 e4m3:4 f32:4 b32:1" },
    { "mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 %D, %A, %B, %C, "
      "%e0, 2;", "f32:4 f16:2 f16:2 f32:4 any2of4:1" },
    { "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32 %D, %A, %B, %C, %e0, "
      "0;", "s32:4 s8:4 s8:4 s32:4 any2of4:1" },

    /* Matrices in shared memory, and from lane to lane */
    { "mad.lo.u32 %s0, %lane, 16, %ps; st.shared.v4.b32 [%s0], %A; bar.warp.sync -1; "
      "ldmatrix.sync.aligned.m8n8.x4{,.trans}.shared.b16 %D, [%s0];", "b32:4 b32:4" },
    { "mad.lo.u32 %s0, %lane, 16, %ps; st.shared.v4.b32 [%s0], %A; bar.warp.sync -1; "
      "ldmatrix.sync.aligned.m8n8.x2{,.trans}.shared.b16 %D, [%s0];", "b32:2 b32:4" },
    { "mad.lo.u32 %s0, %lane, 16, %ps; st.shared.v4.b32 [%s0], %A; bar.warp.sync -1; "
      "ldmatrix.sync.aligned.m8n8.x1{,.trans}.shared.b16 %D, [%s0];", "b32:1 b32:4" },
    { "mad.lo.u32 %s0, %lane, 16, %ps; st.shared.v4.b32 [%s0], <x4>; "
      "stmatrix.sync.aligned.m8n8.x4{,.trans}.shared.b16 [%s0], %A; bar.warp.sync -1; "
      "ld.shared.v4.b32 %D, [%s0];", "b32:4 b32:4" },
    { "movmatrix.sync.aligned.m8n8.trans.b16 %d0, %a0;", "b32:1 b32:1" },

    /* Fragments of wmma: what a lane holds */
    { "wmma.load.{a,b}." WMMA "{row,col}.{m16n16k16,m32n8k16,m8n32k16}.global.f16 %D, [%pa];",
      "b32:8 b32:8" },
    { "wmma.load.{a,b}." WMMA "{row,col}.m16n16k16.global.bf16 %D, [%pa];", "b32:4 b32:4" },
    { "wmma.load.a." WMMA "{row,col}.m32n8k16.global.bf16 %D, [%pa];", "b32:8 b32:8" },
    { "wmma.load.b." WMMA "{row,col}.m32n8k16.global.bf16 %D, [%pa];", "b32:2 b32:2" },
    { "wmma.load.a." WMMA "{row,col}.m8n32k16.global.bf16 %D, [%pa];", "b32:2 b32:2" },
    { "wmma.load.b." WMMA "{row,col}.m8n32k16.global.bf16 %D, [%pa];", "b32:8 b32:8" },
    { "wmma.load.{a,b}." WMMA "{row,col}.m16n16k16.global.{s8,u8} %D, [%pa];", "b32:2 b32:2" },
    { "wmma.load.a." WMMA "{row,col}.m32n8k16.global.s8 %D, [%pa];", "b32:4 b32:4" },
    { "wmma.load.b." WMMA "{row,col}.m32n8k16.global.s8 %D, [%pa];", "b32:1 b32:1" },
    { "wmma.load.a." WMMA "{row,col}.m8n32k16.global.s8 %D, [%pa];", "b32:1 b32:1" },
    { "wmma.load.b." WMMA "{row,col}.m8n32k16.global.s8 %D, [%pa];", "b32:4 b32:4" },
    { "wmma.load.a." WMMA "row.m8n8k32.global.{s4,u4} %D, [%pa];", "b32:1 b32:1" },
    { "wmma.load.b." WMMA "col.m8n8k32.global.{s4,u4} %D, [%pa];", "b32:1 b32:1" },
    { "wmma.load.a." WMMA "row.m8n8k128.global.b1 %D, [%pa];", "b32:1 b32:1" },
    { "wmma.load.b." WMMA "col.m8n8k128.global.b1 %D, [%pa];", "b32:1 b32:1" },
    { "wmma.load.{a,b}." WMMA "{row,col}.m16n16k8.global.tf32 %D, [%pa];", "b32:4 b32:4" },
    { "wmma.load.{a,b}." WMMA "{row,col}.m8n8k4.global.f64 %D, [%pa];", "b64:1 b64:1" },
    { "wmma.load.c." WMMA "{row,col}.m8n8k4.global.f64 %D, [%pa];", "b64:2 b64:2" },
    { "wmma.load.c." WMMA "{row,col}.{m16n16k16,m32n8k16,m8n32k16}.global.f16 %D, [%pa];",
      "b32:4 b32:4" },
    { "wmma.load.c." WMMA "{row,col}.{m16n16k16,m32n8k16,m8n32k16}.global.{f32,s32} %D, [%pa];",
      "b32:8 b32:8" },
    { "wmma.load.c." WMMA "{row,col}.m16n16k8.global.f32 %D, [%pa];", "b32:8 b32:8" },
    { "wmma.load.c." WMMA "{row,col}.{m8n8k32,m8n8k128}.global.s32 %D, [%pa];", "b32:2 b32:2" },
    { "wmma.store.d." WMMA "{row,col}.{m16n16k16,m32n8k16,m8n32k16}.global.{f32,s32} [%pd], %A;",
      "b32:8 b32:8" },
    { "wmma.store.d." WMMA "{row,col}.{m16n16k16,m32n8k16,m8n32k16}.global.f16 [%pd], %A;",
      "b32:4 b32:4" },
    { "wmma.store.d." WMMA "{row,col}.m8n8k4.global.f64 [%pd], %A;", "b64:2 b64:2" },

    /* Products of wmma, from memory to memory */
    { PRODUCT("f16", "f32", "f32", "8", "8", "8", "8", BOTH SQUARE, "f32.f32"),
      "f32:8 f16:8 f16:8 f32:8" },
    { PRODUCT("f16", "f16", "f16", "8", "8", "4", "4", BOTH SQUARE, "f16.f16"),
      "f16:4 f16:8 f16:8 f16:4" },
    { PRODUCT("f16", "f16", "f32", "8", "8", "4", "8", BOTH ".{m16n16k16}", "f32.f16"),
      "f32:8 f16:8 f16:8 f16:4" },
    { PRODUCT("f16", "f32", "f16", "8", "8", "8", "4", BOTH ".{m16n16k16}", "f16.f32"),
      "f16:4 f16:8 f16:8 f32:8" },
    { PRODUCT("bf16", "f32", "f32", "4", "4", "8", "8", BOTH ".{m16n16k16}", "f32.bf16.bf16.f32"),
      "f32:8 bf16:4 bf16:4 f32:8" },
    { PRODUCT("bf16", "f32", "f32", "8", "2", "8", "8", BOTH ".{m32n8k16}", "f32.bf16.bf16.f32"),
      "f32:8 bf16:8 bf16:2 f32:8" },
    { PRODUCT("bf16", "f32", "f32", "2", "8", "8", "8", BOTH ".{m8n32k16}", "f32.bf16.bf16.f32"),
      "f32:8 bf16:2 bf16:8 f32:8" },
    { PRODUCT("tf32", "f32", "f32", "4", "4", "8", "8", BOTH ".{m16n16k8}", "f32.tf32.tf32.f32"),
      "f32:8 tf32:4 tf32:4 f32:8" },
    { PRODUCT("f64", "f64", "f64", "1", "1", "2", "2", BOTH ".{m8n8k4}",
              "f64.f64.f64.f64{,.rn,.rz,.rm,.rp}"), "f64:2 f64:1 f64:1 f64:2" },
    { PRODUCT("$4", "s32", "s32", "2", "2", "8", "8", BOTH ".{m16n16k16}",
              "s32.{s8,u8}.$4.s32{,.satfinite}"), "s32:8 s8:2 s8:2 s32:8" },
    { PRODUCT("$4", "s32", "s32", "4", "1", "8", "8", BOTH ".{m32n8k16}",
              "s32.{s8,u8}.$4.s32{,.satfinite}"), "s32:8 s8:4 s8:1 s32:8" },
    { PRODUCT("$4", "s32", "s32", "1", "4", "8", "8", BOTH ".{m8n32k16}",
              "s32.{s8,u8}.$4.s32{,.satfinite}"), "s32:8 s8:1 s8:4 s32:8" },
    { PRODUCT("$4", "s32", "s32", "1", "1", "2", "2",
              "wmma.mma." WMMA "{row}.{col}.{m8n8k32}",
              "s32.{s4,u4}.$4.s32{,.satfinite}"), "s32:2 s4:1 s4:1 s32:2" },
    { PRODUCT("b1", "s32", "s32", "1", "1", "2", "2",
              "wmma.mma.xor.popc." WMMA "{row}.{col}.{m8n8k128}", "s32.b1.b1.s32"),
      "s32:2 b1:1 b1:1 s32:2" },
    { PRODUCT("b1", "s32", "s32", "1", "1", "2", "2",
              "wmma.mma.and.popc." WMMA "{row}.{col}.{m8n8k128}", "s32.b1.b1.s32"),
      "s32:2 b1:1 b1:1 s32:2" },

    /* Conversions: some bits of the sources cut off, so that ties come up */
    { "and.b32 %a0, %a0, 0x{ffffffff,fff80000,fff00000}; and.b32 %b0, %b0, 0x$1; "
      "cvt.rn.satfinite{,.relu}.{e4m3x2,e5m2x2}.f32 %h0, %a0, %b0; cvt.u32.u16 %d0, %h0;",
      "b32:1 f32:1 f32:1" },
    { "and.b32 %a0, %a0, 0x{ffffffff,ffc0ffc0,ff80ff80}; "
      "cvt.rn.satfinite{,.relu}.{e4m3x2,e5m2x2}.f16x2 %h0, %a0; cvt.u32.u16 %d0, %h0;",
      "b32:1 f16:1" },
    { "cvt.rn.satfinite{,.relu}.{e4m3x2,e5m2x2}.f16x2 %h0, %a0; cvt.u32.u16 %d0, %h0;",
      "b32:1 b32:1" },
    { "cvt.u16.u32 %h0, %a0; cvt.rn{,.relu}.f16x2.{e4m3x2,e5m2x2} %d0, %h0;", "b32:1 b32:1" },
    { "and.b32 %a0, %a0, 0x{ffffffff,fffff000,fffff800}; cvt.rna.tf32.f32 %d0, %a0;",
      "b32:1 f32:1" },
    { "and.b32 %a0, %a0, 0x{ffffffff,fffff000,fffff800}; cvt.rna.satfinite.tf32.f32 %d0, %a0;",
      "b32:1 f32:1" },
    { "and.b32 %a0, %a0, 0x{ffffffff,fffff000,fffff800}; "
      "cvt.{rn,rz}{,.relu}.tf32.f32 %d0, %a0;", "b32:1 f32:1" },
    { "and.b32 %s0, %lane, 31; shr.s32 %a0, %a0, %s0; shr.s32 %b0, %b0, %s0; "
      "cvt.pack.sat.{u16,s16}.s32 %d0, %a0, %b0;", "b32:1 b32:1 b32:1" },
    { "and.b32 %s0, %lane, 31; shr.s32 %a0, %a0, %s0; shr.s32 %b0, %b0, %s0; "
      "cvt.pack.sat.{u8,s8,u4,s4,u2,s2}.s32.b32 %d0, %a0, %b0, %c0;", "b32:1 b32:1 b32:1 b32:1" },
    { "cvt.u16.u32 %h1, %a0; cvt.{rn,rz,rm,rp}.bf16.{u16,s16} %h0, %h1; cvt.u32.u16 %d0, %h0;",
      "b32:1 b32:1" },
    { "and.b32 %s0, %lane, 31; shr.$2 %a0, %a0, %s0; "
      "cvt.{rn,rz,rm,rp}.bf16.{u32,s32} %h0, %a0; cvt.u32.u16 %d0, %h0;", "b32:1 b32:1" },
    { "cvt.{rn,rz,rm,rp}.bf16.{u64,s64,f64} %h0, %a0; cvt.u32.u16 %d0, %h0;", "b32:1 f64:1" },
    { "cvt.u16.u32 %h0, %a0; cvt.{rn,rz,rm,rp}.bf16.f16 %h1, %h0; cvt.u32.u16 %d0, %h1;",
      "b32:1 f16:1" },
    { "cvt.u16.u32 %h0, %a0; cvt.{rn,rz,rm,rp}.f16.bf16 %h1, %h0; cvt.u32.u16 %d0, %h1;",
      "b32:1 bf16:1" },
    { "cvt.u16.u32 %h0, %a0; cvt.{rni,rzi,rmi,rpi}.{u32,s32}.bf16 %d0, %h0;", "b32:1 bf16:1" },
    { "cvt.u16.u32 %h0, %a0; cvt.{rni,rzi,rmi,rpi}.{u16,s16,bf16}.bf16 %h1, %h0; "
      "cvt.u32.u16 %d0, %h1;", "b32:1 bf16:1" },
    { "cvt.u16.u32 %h0, %a0; cvt.{rni,rzi}.{u64,s64}.bf16 %d0, %h0;", "b64:1 bf16:1" },
    { "cvt.u16.u32 %h0, %a0; cvt.f64.bf16 %d0, %h0;", "b64:1 bf16:1" },
    { "cvt.{rn,rz}{,.relu}{,.satfinite}.{f16,bf16}.f32 %h0, %a0; cvt.u32.u16 %d0, %h0;",
      "b32:1 f32:1" },
    { "cvt.{rn,rz}{,.relu}{,.satfinite}.{f16x2,bf16x2}.f32 %d0, %a0, %b0;",
      "b32:1 f32:1 f32:1" },

    /* Video instructions */
    { "vshl.{u32,s32}.{u32,s32}.u32.{clamp,wrap} %d0, %a0{,.b2,.h1}, %b0{,.b1};",
      "b32:1 b32:1 b32:1" },
    { "vshr.{u32,s32}.{u32,s32}.u32{,.sat}.{clamp,wrap} %d0, %a0{,.b2,.h1}, %b0{,.b1};",
      "b32:1 b32:1 b32:1" },
    { "{vshl,vshr}.s32.s32.u32.{clamp,wrap}.add %d0, %a0, %b0.b0, %c0;",
      "b32:1 b32:1 b32:1 b32:1" },
    { "vshr.s32.s32.u32.{clamp,wrap}.{min,max} %d0, %a0, %b0.b0, %c0;",
      "b32:1 b32:1 b32:1 b32:1" },
    { "{vshl,vshr}.u32.u32.u32.clamp %d0{.b0,.b3,.h0,.h1}, %a0, %b0.b0, %c0;",
      "b32:1 b32:1 b32:1 b32:1" },
    { "vmad.{u32,s32}.{u32,s32}.{u32,s32}{,.sat}{,.shr7,.shr15} %d0, %a0.{b1,h1}, %b0.{b2,h0}, "
      "%c0;", "b32:1 b32:1 b32:1 b32:1" },
    { "vmad.s32.s32.s32{,.sat}{,.shr7,.shr15} %d0, -%a0.h1, %b0.h0, %c0;",
      "b32:1 b32:1 b32:1 b32:1" },
    { "vmad.s32.s32.s32{,.sat}{,.shr7,.shr15} %d0, %a0.h1, %b0.h0, -%c0;",
      "b32:1 b32:1 b32:1 b32:1" },
    { "vmad.{u32,s32}.{u32,s32}.{u32,s32}.po{,.sat}{,.shr7,.shr15} %d0, %a0.b1, %b0.h0, %c0;",
      "b32:1 b32:1 b32:1 b32:1" },
    { "vset.{u32,s32}.{u32,s32}.{eq,ne,lt,le,gt,ge} %d0, %a0{,.b1,.h1}, %b0{,.b3};",
      "b32:1 b32:1 b32:1" },
    { "vset.{u32,s32}.{u32,s32}.lt.{add,min,max} %d0, %a0.b0, %b0.b1, %c0;",
      "b32:1 b32:1 b32:1 b32:1" },
    { "vset.{u32,s32}.{u32,s32}.gt %d0{.b0,.b3,.h0,.h1}, %a0.b0, %b0.b1, %c0;",
      "b32:1 b32:1 b32:1 b32:1" },
    { "{vadd,vsub,vabsdiff,vmin,vmax,vavrg}2.{u32,s32}.{u32,s32}.{u32,s32}{,.sat} %d0, %a0, %b0, "
      "%c0;", "b32:1 b32:1 b32:1 b32:1" },
    { "{vadd,vsub,vabsdiff,vmin,vmax,vavrg}2.{u32,s32}.{u32,s32}.{u32,s32}.add %d0, %a0, %b0, "
      "%c0;", "b32:1 b32:1 b32:1 b32:1" },
    { "{vadd,vsub,vabsdiff,vmin,vmax,vavrg}2.s32.u32.s32.sat %d0.{h0,h1,h10}, %a0.{h01,h32}, "
      "%b0.{h13,h20}, %c0;", "b32:1 b32:1 b32:1 b32:1" },
    { "{vadd,vsub,vabsdiff,vmin,vmax,vavrg}4.{u32,s32}.{u32,s32}.{u32,s32}{,.sat} %d0, %a0, %b0, "
      "%c0;", "b32:1 b32:1 b32:1 b32:1" },
    { "{vadd,vsub,vabsdiff,vmin,vmax,vavrg}4.{u32,s32}.{u32,s32}.{u32,s32}.add %d0, %a0, %b0, "
      "%c0;", "b32:1 b32:1 b32:1 b32:1" },
    { "{vadd,vsub,vabsdiff,vmin,vmax,vavrg}4.s32.u32.s32.sat %d0.{b0,b21,b310}, "
      "%a0.{b0123,b7640}, %b0.{b1357,b4412}, %c0;", "b32:1 b32:1 b32:1 b32:1" },
    { "vset{2,4}.{u32,s32}.{u32,s32}.{eq,ne,lt,le,gt,ge}{,.add} %d0, %a0, %b0, %c0;",
      "b32:1 b32:1 b32:1 b32:1" },
    { "vset2.{u32,s32}.{u32,s32}.lt %d0.{h0,h1}, %a0.{h01,h32}, %b0.h13, %c0;",
      "b32:1 b32:1 b32:1 b32:1" },
    { "vset4.{u32,s32}.{u32,s32}.lt %d0.{b0,b21}, %a0.{b0123,b7640}, %b0.b1357, %c0;",
      "b32:1 b32:1 b32:1 b32:1" },
};
const size_t tile_row_count = sizeof tile_rows / sizeof tile_rows[0];
