/* SPDX-License-Identifier: Apache-2.0
 *
 * What the later chains are made of.  $r and $f are one of the kernel's registers, $n is a
 * number below 32, $w one of 32 bits, $b the number of a label.  Only what PTX leaves in no
 * order and to no approximation can be among them: threads share nothing but what they add up.
 */
#include "chain_lines.h"

/* Two numbers of 64 bits, and what is made of one. */
#define WIDE "mov.b64 %l1, {$r,$r}; mov.b64 %l2, {$r,$r}; "
#define FOLD " mov.b64 {%t0,%t1}, %l1; add.u32 $r, %t0, %t1;"
#define DOUBLES "cvt.f64.f32 %d0, $f; cvt.f64.f32 %d1, $f; cvt.f64.f32 %d2, $f; " \
                "fma.rn.f64 %d0, %d0, 0d3FF000003A7D1E55, %d1; "
#define SINGLE " cvt.rn.f32.f64 $f, %d0;"
#define HALVES "mov.b32 {%h0,%h1}, $r; mov.b32 {%h2,%h3}, $r; "
#define PACK " mov.b32 $r, {%h0,%h1};"
#define CHOOSE " selp.b32 $r, $r, $r, %p0;"
/* A place of this thread alone, in shared memory. */
#define OWN "st.shared.v4.b32 [%mine], {$r,$r,$r,$r}; "
#define SEE " ld.shared.v2.b32 {%t1,%t2}, [%mine]; xor.b32 $r, %t0, %t1; add.u32 $r, $r, %t2;"
#define SEE_64 " mov.b64 {%t0,%t3}, %l1; add.u32 %t0, %t0, %t3;" SEE
/* One of this warp, which holds a number that all of it know. */
#define OF_WARP "mov.u32 %t1, %tid.x; shr.u32 %t1, %t1, 5; shl.b32 %t1, %t1, 2; " \
                "mov.u32 %t2, room; add.u32 %t1, %t1, %t2; st.shared.b32 [%t1+1024], $w; " \
                "bar.warp.sync -1; "
#define LOOK " bar.warp.sync -1; ld.shared.b32 %t3, [%t1+1024]; bar.warp.sync -1; " \
             "xor.b32 $r, $r, %t3;"
/* A word of the local memory. */
#define AT "and.b32 %t0, $r, 15; shl.b32 %t0, %t0, 2; mov.u32 %t1, own; add.u32 %t1, %t1, %t0; "
/* Half of a warp, as the lanes say. */
#define SOME "and.b32 %t0, $r, 1; setp.eq.u32 %p0, %t0, 0; vote.sync.ballot.b32 %t1, %p0, -1; " \
             "@!%p0 bra L$b; "
#define ALL " L$b: bar.warp.sync -1;"

const char *const chain_lines[] = {
    /* Integers. */
    "mad.lo.s32 $r, $r, $r, $r;", "mad.hi.s32 $r, $r, $r, $r;", "mad.hi.u32 $r, $r, $r, $r;",
    "mul.hi.s32 $r, $r, $r;", "mul24.lo.s32 $r, $r, $r;", "mul24.hi.u32 $r, $r, $r;",
    "mad24.lo.u32 $r, $r, $r, $r;", "mad24.hi.s32 $r, $r, $r, $r;",
    "mad24.hi.sat.s32 $r, $r, $r, $r;", "mad.hi.sat.s32 $r, $r, $r, $r;",
    "sad.s32 $r, $r, $r, $r;", "sad.u32 $r, $r, $r, $r;",
    "or.b32 %t0, $r, 1; div.s32 $r, $r, %t0;", "or.b32 %t0, $r, 1; rem.s32 $r, $r, %t0;",
    "or.b32 %t0, $r, 1; div.u32 $r, $r, %t0;", "or.b32 %t0, $r, 1; rem.u32 $r, $r, %t0;",
    "abs.s32 $r, $r;", "neg.s32 $r, $r;", "popc.b32 $r, $r;", "clz.b32 $r, $r;",
    "brev.b32 $r, $r;", "bfind.u32 $r, $r;", "bfind.s32 $r, $r;", "bfind.shiftamt.s32 $r, $r;",
    "fns.b32 $r, $r, $n, 1;", "fns.b32 $r, $r, $n, -2;", "bfe.u32 $r, $r, $r, $r;",
    "bfe.s32 $r, $r, $n, $n;", "bfi.b32 $r, $r, $r, $n, $n;", "bfi.b32 $r, $r, $r, $r, $r;",
    "shf.l.wrap.b32 $r, $r, $r, $r;", "shf.r.clamp.b32 $r, $r, $r, $r;",
    "shf.l.clamp.b32 $r, $r, $r, $n;", "shf.r.wrap.b32 $r, $r, $r, $r;", "shl.b32 $r, $r, $r;",
    "shr.s32 $r, $r, $r;", "shr.u32 $r, $r, $n;", "prmt.b32 $r, $r, $r, $r;",
    "prmt.b32.f4e $r, $r, $r, $r;", "prmt.b32.b4e $r, $r, $r, $r;",
    "prmt.b32.rc8 $r, $r, $r, $r;", "prmt.b32.ecl $r, $r, $r, $r;",
    "prmt.b32.ecr $r, $r, $r, $r;", "prmt.b32.rc16 $r, $r, $r, $r;",
    "lop3.b32 $r, $r, $r, $r, $n;", "lop3.b32 $r, $r, $r, $r, 0x96;",
    "lop3.or.b32 $r|%p0, $r, $r, $r, 0x18, %p1;" CHOOSE, "szext.clamp.s32 $r, $r, $n;",
    "szext.wrap.u32 $r, $r, $r;", "bmsk.clamp.b32 $r, $r, $r;", "bmsk.wrap.b32 $r, $r, $r;",
    "dp4a.s32.u32 $r, $r, $r, $r;", "dp4a.u32.u32 $r, $r, $r, $r;",
    "dp2a.lo.u32.s32 $r, $r, $r, $r;", "dp2a.hi.s32.s32 $r, $r, $r, $r;",
    "add.cc.u32 $r, $r, $r; addc.cc.u32 $r, $r, $r; addc.u32 $r, $r, $r;",
    "sub.cc.u32 $r, $r, $r; subc.cc.u32 $r, $r, $r; subc.u32 $r, $r, $r;",
    "mad.lo.cc.u32 $r, $r, $r, $r; madc.hi.cc.u32 $r, $r, $r, $r; madc.lo.u32 $r, $r, $r, $r;",
    "mad.hi.cc.s32 $r, $r, $r, $r; addc.u32 $r, $r, 0;", "add.sat.s32 $r, $r, $r;",
    "sub.sat.s32 $r, $r, $r;", "min.s16x2 $r, $r, $r;", "max.u16x2 $r, $r, $r;",
    "min.relu.s16x2 $r, $r, $r;", "add.s16x2 $r, $r, $r;", "max.relu.s32 $r, $r, $r;",
    "slct.s32.f32 $r, $r, $r, $f;", "slct.u32.s32 $r, $r, $r, $r;",
    "slct.f32.f32 $f, $f, $f, $f;", "set.lt.u32.s32 $r, $r, $r;", "set.hi.s32.u32 $r, $r, $r;",
    "set.le.f32.s32 $f, $r, $r;", "setp.lo.u32 %p0, $r, $r;" CHOOSE,
    "setp.ge.and.s32 %p0|%p1, $r, $r, %p2;" CHOOSE, "setp.ne.xor.b32 %p2, $r, $r, !%p0;",
    "setp.lt.or.u32 %p1|%p0, $r, $r, %p1;" CHOOSE, "and.pred %p0, %p1, %p2; not.pred %p1, %p0;",
    /* Of 64 bits. */
    WIDE "mul.lo.u64 %l1, %l1, %l2;" FOLD, WIDE "mul.hi.u64 %l1, %l1, %l2;" FOLD,
    WIDE "mul.hi.s64 %l1, %l1, %l2;" FOLD, WIDE "mad.lo.s64 %l1, %l1, %l2, %l1;" FOLD,
    WIDE "or.b64 %l2, %l2, 1; div.s64 %l1, %l1, %l2;" FOLD,
    WIDE "or.b64 %l2, %l2, 1; rem.s64 %l1, %l1, %l2;" FOLD,
    WIDE "or.b64 %l2, %l2, 1; shr.u64 %l2, %l2, $n; or.b64 %l2, %l2, 1; div.u64 %l1, %l1, " "%l2;"
    FOLD,
    WIDE "or.b64 %l2, %l2, 1; rem.u64 %l1, %l1, %l2;" FOLD, WIDE "shl.b64 %l1, %l1, $r;" FOLD,
    WIDE "shr.s64 %l1, %l1, $n;" FOLD, WIDE "min.s64 %l1, %l1, %l2;" FOLD,
    WIDE "max.u64 %l1, %l1, %l2;" FOLD, WIDE "brev.b64 %l1, %l2;" FOLD,
    WIDE "bfe.u64 %l1, %l1, $r, $r;" FOLD, WIDE "bfe.s64 %l1, %l1, $n, $n;" FOLD,
    WIDE "bfi.b64 %l1, %l1, %l2, $n, $n;" FOLD, WIDE "abs.s64 %l1, %l1;" FOLD,
    WIDE "sad.s64 %l1, %l1, %l2, %l1;" FOLD, WIDE "add.cc.u64 %l1, %l1, %l2; addc.u32 $r, $r, 0;",
    WIDE "popc.b64 $r, %l1;", WIDE "clz.b64 $r, %l2;", WIDE "bfind.s64 $r, %l1;",
    WIDE "setp.gt.s64 %p0, %l1, %l2;" CHOOSE, WIDE "set.ne.u32.u64 $r, %l1, %l2;",
    WIDE "cvt.rn.f32.u64 $f, %l1;", WIDE "cvt.rz.f32.s64 $f, %l1;",
    WIDE "cvt.rp.f64.s64 %d0, %l1; cvt.rm.f32.f64 $f, %d0;", WIDE "cvt.sat.s32.s64 $r, %l1;",
    "mul.wide.u32 %l1, $r, $r;" FOLD,
    "mul.wide.s32 %l1, $r, $r; mad.wide.s32 %l1, $r, $r, %l1;" FOLD,
    /* Floats. */
    "add.rz.f32 $f, $f, $f;", "sub.rm.f32 $f, $f, $f;", "add.rp.ftz.f32 $f, $f, $f;",
    "add.sat.f32 $f, $f, $f;", "mul.rm.ftz.f32 $f, $f, $f;", "mul.rp.f32 $f, $f, $f;",
    "fma.rn.f32 $f, $f, $f, $f;", "fma.rz.f32 $f, $f, $f, $f;",
    "fma.rp.ftz.sat.f32 $f, $f, $f, $f;", "fma.rm.f32 $f, $f, $f, $f;", "div.rn.f32 $f, $f, $f;",
    "div.rz.f32 $f, $f, $f;", "div.rp.ftz.f32 $f, $f, $f;", "sqrt.rn.f32 $f, $f;",
    "sqrt.rp.ftz.f32 $f, $f;", "rcp.rn.f32 $f, $f;", "rcp.rm.f32 $f, $f;",
    "rcp.rz.ftz.f32 $f, $f;", "min.NaN.f32 $f, $f, $f;", "max.xorsign.abs.f32 $f, $f, $f;",
    "min.NaN.xorsign.abs.f32 $f, $f, $f;", "max.ftz.f32 $f, $f, $f;", "abs.ftz.f32 $f, $f;",
    "neg.f32 $f, $f;", "copysign.f32 $f, $f, $f;", "testp.normal.f32 %p0, $f;" CHOOSE,
    "testp.subnormal.f32 %p0, $f;" CHOOSE, "testp.finite.f32 %p0, $f;" CHOOSE,
    "set.gtu.ftz.u32.f32 $r, $f, $f;", "set.nan.f32.f32 $f, $f, $f;",
    "setp.leu.f32 %p0, $f, $f;" CHOOSE, "mov.b32 $f, $r;", "mov.b32 $r, $f;",
    "cvt.rni.f32.f32 $f, $f;", "cvt.rpi.ftz.f32.f32 $f, $f;", "cvt.rmi.sat.f32.f32 $f, $f;",
    "cvt.rzi.s32.f32 $r, $f;", "cvt.rni.u32.f32 $r, $f;", "cvt.rpi.ftz.s32.f32 $r, $f;",
    "cvt.rmi.s64.f32 %l1, $f;" FOLD, "cvt.rn.f32.s32 $f, $r;", "cvt.rz.f32.u32 $f, $r;",
    "cvt.rni.u8.f32 $r, $f;", "cvt.rzi.s8.f32 $r, $f;", "cvt.sat.s8.s32 $r, $r;",
    "cvt.sat.u16.s32 %h0, $r;" PACK, "cvt.s8.s32 $r, $r;", "cvt.rp.f32.u8 $f, $r;",
    "cvt.f32.f16 $f, %h0;", "cvt.rna.tf32.f32 $r, $f;", "cvt.rn.tf32.f32 $r, $f;",
    "cvt.pack.sat.u8.s32.b32 $r, $r, $r, $r;", "cvt.pack.sat.s16.s32 $r, $r, $r;",
    "cvt.rn.f16x2.f32 $r, $f, $f;", "cvt.rz.relu.bf16x2.f32 $r, $f, $f;",
    "cvt.rn.satfinite.e4m3x2.f32 %h0, $f, $f; cvt.rn.f16x2.e4m3x2 $r, %h0;",
    "cvt.rn.satfinite.relu.e5m2x2.f32 %h1, $f, $f;" PACK,
    "mov.b32 {%h0,%h1}, $r; cvt.rn.relu.f16x2.e5m2x2 $r, %h0;",
    "cvt.rn.satfinite.e5m2x2.f16x2 %h0, $r;" PACK,
    /* Doubles. */
    DOUBLES "add.rm.f64 %d0, %d0, %d2;" SINGLE, DOUBLES "mul.rz.f64 %d0, %d0, %d2;" SINGLE,
    DOUBLES "fma.rp.f64 %d0, %d0, %d1, %d2;" SINGLE, DOUBLES "div.rn.f64 %d0, %d0, %d2;" SINGLE,
    DOUBLES "div.rm.f64 %d0, %d0, %d2; mov.b64 %l1, %d0;" FOLD,
    DOUBLES "sqrt.rn.f64 %d0, %d0; mov.b64 %l1, %d0;" FOLD,
    DOUBLES "rcp.rp.f64 %d0, %d0; mov.b64 %l1, %d0;" FOLD,
    DOUBLES "min.f64 %d0, %d0, %d2;" SINGLE, DOUBLES "cvt.rzi.s32.f64 $r, %d0;",
    DOUBLES "cvt.rni.u64.f64 %l1, %d0;" FOLD, DOUBLES "cvt.rz.f32.f64 $f, %d0;",
    DOUBLES "cvt.rp.ftz.f32.f64 $f, %d0;", DOUBLES "cvt.rn.f16.f64 %h0, %d0;" PACK,
    DOUBLES "cvt.rmi.f64.f64 %d0, %d0;" SINGLE, DOUBLES "setp.ltu.f64 %p0, %d0, %d2;" CHOOSE,
    DOUBLES "copysign.f64 %d0, %d0, %d2;" SINGLE,
    /* Halves. */
    "add.rn.f16x2 $r, $r, $r;", "sub.sat.f16x2 $r, $r, $r;", "mul.ftz.f16x2 $r, $r, $r;",
    "fma.rn.f16x2 $r, $r, $r, $r;", "fma.rn.relu.f16x2 $r, $r, $r, $r;",
    "fma.rn.ftz.sat.f16x2 $r, $r, $r, $r;", "fma.rn.oob.f16x2 $r, $r, $r, $r;",
    "add.rn.bf16x2 $r, $r, $r;", "sub.rn.bf16x2 $r, $r, $r;", "mul.rn.bf16x2 $r, $r, $r;",
    "fma.rn.bf16x2 $r, $r, $r, $r;", "fma.rn.relu.bf16x2 $r, $r, $r, $r;",
    "min.f16x2 $r, $r, $r;", "max.NaN.f16x2 $r, $r, $r;", "min.ftz.f16x2 $r, $r, $r;",
    "min.xorsign.abs.bf16x2 $r, $r, $r;", "max.NaN.xorsign.abs.f16x2 $r, $r, $r;",
    "max.bf16x2 $r, $r, $r;", "abs.f16x2 $r, $r;", "neg.bf16x2 $r, $r;", "neg.ftz.f16x2 $r, $r;",
    "set.lt.f16x2.f16x2 $r, $r, $r;", "set.gtu.bf16x2.bf16x2 $r, $r, $r;",
    "setp.lt.f16x2 %p0|%p1, $r, $r;" CHOOSE, "setp.nan.and.bf16x2 %p1|%p0, $r, $r, %p2;" CHOOSE,
    HALVES "add.sat.f16 %h0, %h0, %h2;" PACK, HALVES "mul.f16 %h0, %h1, %h3;" PACK,
    HALVES "fma.rn.sat.f16 %h1, %h0, %h2, %h3;" PACK,
    HALVES "fma.rn.bf16 %h1, %h0, %h2, %h3;" PACK, HALVES "max.ftz.NaN.f16 %h0, %h1, %h3;" PACK,
    HALVES "cvt.rni.f16.f16 %h0, %h2;" PACK, HALVES "cvt.rzi.s16.f16 %h0, %h2;" PACK,
    HALVES "cvt.f32.f16 $f, %h3;", HALVES "cvt.f32.bf16 $f, %h1;",
    HALVES "cvt.rni.s32.bf16 $r, %h1;",
    HALVES "mul.lo.s16 %h0, %h1, %h2; mad.lo.u16 %h1, %h0, %h2, %h3;" PACK,
    HALVES "mul.wide.s16 $r, %h0, %h2;", HALVES "mul.hi.u16 %h0, %h1, %h2;" PACK,
    HALVES "shr.s16 %h0, %h1, $n; min.s16 %h1, %h2, %h3;" PACK,
    HALVES "sad.u16 %h0, %h1, %h2, %h3;" PACK, "cvt.rn.f16.s32 %h0, $r;" PACK,
    "cvt.rz.f16.f32 %h0, $f;" PACK, "cvt.rn.bf16.f32 %h1, $f;" PACK,
    /* Video. */
    "vadd.s32.s32.u32.sat $r, $r.b2, $r.h1;", "vsub.u32.s32.s32 $r.h0, $r.b1, $r.h0, $r;",
    "vabsdiff.u32.s32.s32.add $r, $r.h1, $r.b3, $r;", "vmin.s32.u32.s32 $r, $r.b0, $r.h1;",
    "vmax.s32.s32.s32.max $r, $r, $r.h0, $r;", "vshl.u32.u32.u32.clamp $r, $r.h1, $r.b0;",
    "vshr.s32.u32.u32.wrap.add $r, $r, $r.b1, $r;", "vmad.s32.s32.u32.shr7 $r, $r.h0, $r.b2, $r;",
    "vmad.u32.u32.u32.po.shr15 $r, $r.b0, $r.h1, $r;",
    "vset.u32.s32.lt.add $r, $r.b1, $r.h1, $r;", "vadd2.s32.u32.s32.sat $r, $r, $r, $r;",
    "vsub2.u32.u32.u32.add $r, $r.h10, $r.h32, $r;", "vavrg2.s32.s32.s32 $r, $r, $r, $r;",
    "vabsdiff2.s32.s32.u32 $r, $r, $r.h31, $r;", "vadd4.u32.s32.u32.sat $r, $r, $r, $r;",
    "vsub4.s32.s32.s32.add $r, $r.b3210, $r.b7654, $r;", "vavrg4.u32.u32.u32 $r, $r, $r, $r;",
    "vabsdiff4.u32.u32.u32.add $r, $r, $r, $r;", "vmin4.s32.s32.s32 $r, $r, $r, $r;",
    "vmax2.u32.u32.u32 $r, $r, $r, $r;", "vset4.u32.u32.ge $r, $r, $r, $r;",
    "vset2.s32.u32.ne.add $r, $r, $r, $r;",
    /* Atomic operations, on words of a thread alone, and sums of a warp. */
    OWN "atom.shared.add.u32 %t0, [%mine], $r;" SEE,
    OWN "atom.shared.min.s32 %t0, [%mine], $r;" SEE,
    OWN "atom.shared.max.u32 %t0, [%mine], $r;" SEE,
    OWN "atom.shared.inc.u32 %t0, [%mine], $r;" SEE,
    OWN "atom.shared.dec.u32 %t0, [%mine], $r;" SEE,
    OWN "atom.shared.exch.b32 %t0, [%mine], $r;" SEE,
    OWN "ld.shared.b32 %t1, [%mine]; atom.shared.cas.b32 %t0, [%mine], %t1, $r;" SEE,
    OWN "atom.shared.cas.b32 %t0, [%mine], $r, $r;" SEE,
    OWN "atom.shared.xor.b32 %t0, [%mine], $r;" SEE,
    OWN "atom.shared.and.b32 %t0, [%mine+4], $r;" SEE,
    OWN "atom.shared.add.f32 %t0, [%mine], $f;" SEE,
    OWN "atom.shared.add.noftz.f16x2 %t0, [%mine], $r;" SEE,
    OWN "atom.shared.add.noftz.bf16x2 %t0, [%mine], $r;" SEE,
    OWN HALVES "atom.shared.add.noftz.f16 %h1, [%mine+2], %h2; mov.b32 %t0, {%h1,%h1};" SEE,
    OWN HALVES "atom.shared.cas.b16 %h1, [%mine+2], %h2, %h0; mov.b32 %t0, {%h1,%h1};" SEE,
    OWN WIDE "atom.shared.add.u64 %l1, [%mine], %l2;" SEE_64,
    OWN WIDE "atom.shared.min.s64 %l1, [%mine], %l2;" SEE_64,
    OWN WIDE "atom.shared.max.u64 %l1, [%mine], %l2;" SEE_64,
    OWN WIDE "atom.shared.exch.b64 %l1, [%mine], %l2;" SEE_64,
    OWN WIDE "atom.shared.or.b64 %l1, [%mine], %l2;" SEE_64,
    OWN DOUBLES "st.shared.f64 [%mine], %d1; atom.shared.add.f64 %d0, [%mine], %d2; mov.b64 %l1, "
    "%d0;" SEE_64,
    "st.global.v4.f32 [%l0+32], {$f,$f,$f,$f}; atom.global.v4.f32.add {%f0,%f1,%f2,%f3}, "
    "[%l0+32], {$f,$f,$f,$f}; ld.global.f32 $f, [%l0+36];",
    "st.global.v2.b32 [%l0], {$r,$r}; atom.global.v2.f16x2.add.noftz {%t0,%t1}, [%l0], "
    "{$r,$r}; xor.b32 $r, %t0, %t1; ld.global.b32 $r, [%l0+4];",
    "st.global.b32 [%l0], $r; red.global.max.s32 [%l0], $r; ld.global.b32 $r, [%l0];",
    "st.global.b32 [%l0], $f; red.global.add.f32 [%l0], $f; ld.global.b32 $f, [%l0];",
    OF_WARP "atom.shared.add.u32 %t0, [%t1+1024], $n; redux.sync.add.u32 %t0, %t0, -1; add.u32 "
    "$r, $r, %t0;" LOOK,
    OF_WARP "red.shared.add.u32 [%t1+1024], $r;" LOOK,
    OF_WARP "red.shared.xor.b32 [%t1+1024], $r;" LOOK,
    OF_WARP "red.shared.min.s32 [%t1+1024], $r;" LOOK,
    OF_WARP "red.shared.or.b32 [%t1+1024], $r;" LOOK,
    /* Warps. */
    "redux.sync.add.s32 $r, $r, -1;", "redux.sync.min.s32 $r, $r, -1;",
    "redux.sync.max.u32 $r, $r, -1;", "redux.sync.xor.b32 $r, $r, -1;",
    "and.b32 %t0, $r, 3; match.any.sync.b32 $r, %t0, -1;",
    "and.b32 %t0, $r, 0; match.all.sync.b32 $r|%p0, %t0, -1;" CHOOSE,
    "match.all.sync.b32 %t0|%p1, $r, -1; add.u32 $r, $r, %t0;",
    "vote.sync.all.pred %p0, %p1, -1;" CHOOSE, "vote.sync.any.pred %p0, %p1, -1;" CHOOSE,
    "vote.sync.uni.pred %p0, !%p2, -1;" CHOOSE,
    "elect.sync %t0|%p0, -1; add.u32 $r, $r, %t0;" CHOOSE,
    "shfl.sync.up.b32 %t0|%p0, $r, $r, 0, -1; xor.b32 $r, $r, %t0;" CHOOSE,
    "shfl.sync.down.b32 $r|%p1, $r, $n, 0x181f, -1;" CHOOSE,
    "shfl.sync.idx.b32 $r, $r, $r, 0x1007, -1;", "shfl.sync.bfly.b32 $f, $f, $n, 31, -1;",
    SOME "redux.sync.add.u32 %t2, $r, %t1; xor.b32 $r, $r, %t2;" ALL,
    SOME "bfind.u32 %t3, %t1; shfl.sync.idx.b32 %t2, $r, %t3, 31, %t1; add.u32 $r, $r, %t2;" ALL,
    SOME "match.any.sync.b32 %t2, $r, %t1; vote.sync.any.pred %p1, %p2, %t1; add.u32 $r, $r, "
    "%t2;" ALL,
    SOME "atom.shared.add.u32 %t3, [%mine], 1; redux.sync.max.s32 $r, $r, %t1;" ALL,
    /* Matrices. */
    "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f0,%f1,%f2,%f3}, "
    "{$r,$r,$r,$r}, {$r,$r}, {%f0,%f1,%f2,%f3};",
    "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%f3,%f2,%f1,%f0}, {$r,$r}, "
    "{$r}, {$f,$f,$f,$f};",
    "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%r2,%r3}, {$r,$r}, {$r}, {$r,$r};",
    "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%f0,%f1,%f2,%f3}, {$r,$r}, "
    "{$r}, {$f,$f,$f,$f};",
    "mov.b32 %t0, $f; mov.b32 %t1, $f; mov.b32 %t2, $f; mov.b32 %t3, $f; "
    "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 {%f0,%f1,%f2,%f3}, {$r,$r,$r,$r}, "
    "{$r,$r}, {%t0,%t1,%t2,%t3};",
    "mma.sync.aligned.m16n8k64.row.col.satfinite.s32.s4.u4.s32 {%r0,%r1,%r2,%r3}, "
    "{$r,$r,$r,$r}, {$r,$r}, {$r,$r,$r,$r};",
    "mma.sync.aligned.m8n8k16.row.col.s32.u8.s8.s32 {%r4,%r5}, {$r}, {$r}, {$r,$r};",
    "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%r4,%r5,%r6,%r7}, "
    "{$r,$r,$r,$r}, {$r,$r}, {$r,$r,$r,$r};",
    "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc {%r6,%r7}, {$r}, {$r}, {$r,$r};",
    DOUBLES "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%d0,%d1}, {%d2}, {%d1}, {%d0,%d2};"
    SINGLE,
    "mov.b32 %t0, 0x44EE9494; "
    "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 "
    "{%f0,%f1,%f2,%f3}, {$r,$r,$r,$r}, {$r,$r,$r,$r}, {$f,$f,$f,$f}, %t0, 0;",
    OWN "bar.warp.sync -1; stmatrix.sync.aligned.m8n8.x4.shared.b16 [%rows], {$r,$r,$r,$r}; "
    "bar.warp.sync -1; ld.shared.b32 $r, [%mine+8]; bar.warp.sync -1;",
    OWN "bar.warp.sync -1; stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%rows], {$r,$r}; "
    "bar.warp.sync -1; ld.shared.b32 $r, [%mine+4]; bar.warp.sync -1;",
    OWN "bar.warp.sync -1; ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%t0,%t1}, "
    "[%rows]; bar.warp.sync -1; xor.b32 $r, %t0, %t1;",
    /* Memory. */
    AT "st.local.b32 [%t1], $r;" AT "ld.local.b32 $r, [%t1];", AT "st.local.b8 [%t1+1], $r;",
    AT "ld.local.s8 $r, [%t1+1];", AT "ld.local.u16 $r, [%t1+2];",
    AT "ld.local.s16 %t2, [%t1]; add.u32 $r, $r, %t2;",
    "and.b32 %t0, $r, 7; shl.b32 %t0, %t0, 2; cvt.u64.u32 %l1, %t0; mov.u64 %l2, table; "
    "add.u64 %l1, %l1, %l2; ld.const.b32 $r, [%l1];",
    "st.global.b16 [%l0+2], $r; ld.global.v2.u16 {%t0,%t1}, [%l0]; mul.lo.u32 $r, %t0, %t1;",
    OWN "ld.shared.v4.u8 {%t0,%t1,%t2,%t3}, [%mine+4]; mad.lo.u32 $r, %t0, %t1, %t3;",
    OWN "cvt.u64.u32 %l1, %mine; cvta.shared.u64 %l1, %l1; ld.s8 $r, [%l1+3];",
    /* Ways. */
    "and.b32 %t0, $r, 7; L$b: mad.lo.u32 $r, $r, $r, %t0; sub.u32 %t0, %t0, 1; "
    "setp.ge.s32 %p0, %t0, 0; @%p0 bra L$b; bar.warp.sync -1;",
    "and.b32 %t0, $r, 3; WAY$b: .branchtargets ONE$b, TWO$b, SUM$b, POP$b; brx.idx %t0, WAY$b; "
    "ONE$b: add.u32 $r, $r, $r; bra OUT$b; TWO$b: xor.b32 $r, $r, $w; SUM$b: fma.rn.f32 $f, $f, "
    "$f, $f; bra OUT$b; POP$b: popc.b32 $r, $r; OUT$b: bar.warp.sync -1;",
    "setp.lt.s32 %p0|%p1, $r, $r; @%p0 add.u32 $r, $r, $r; @%p1 xor.b32 $r, $r, $w;",
    "{ .param .b32 x0; .param .align 8 .b8 x1[8]; .param .align 8 .b8 y[8]; st.param.b32 "
    "[x0], $r; st.param.v2.b32 [x1], {$r,$r}; call.uni (y), fold, (x0, x1); "
    "ld.param.v2.b32 {%t0,%t1}, [y]; } xor.b32 $r, %t0, %t1;",
};
const int chain_line_count = sizeof chain_lines / sizeof *chain_lines;
