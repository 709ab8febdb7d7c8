/* SPDX-License-Identifier: Apache-2.0 */
#include "answers.h"

#define INTEGERS "{u16,s16,u32,s32,u64,s64}"
#define WORDS "{u32,s32,u64,s64}"
#define ROUND "{rn,rz,rm,rp}"
#define COMPARE "{eq,ne,lt,le,gt,ge}"
#define SIGNS ".{u32,s32}"
#define SUMS "{vadd,vsub,vabsdiff}" SIGNS SIGNS SIGNS
#define SCALARS "{vadd,vsub,vabsdiff,vmin,vmax}" SIGNS SIGNS SIGNS
#define UNORDERED "{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}"

const struct answer_row answer_rows[] = {
    /* Integers */
    { "{add,sub,mul.lo,mul.hi,div,rem,min,max}." INTEGERS " %d, %a, %b;", "$2 $2 $2", 0, 0 },
    { "{add,sub}.sat.s32 %d, %a, %b;", "s32 s32 s32", 0, 0 },
    { "mul.wide.{u16,s16} %d, %a, %b;", "b32 $1 $1", 0, 0 },
    { "mul.wide.{u32,s32} %d, %a, %b;", "b64 $1 $1", 0, 0 },
    { "mad.{lo,hi}." INTEGERS " %d, %a, %b, %c;", "$2 $2 $2 $2", 0, 0 },
    { "mad.hi.sat.s32 %d, %a, %b, %c;", "s32 s32 s32 s32", 0, 0 },
    { "mad.wide.{u16,s16} %d, %a, %b, %c;", "b32 $1 $1 b32", 0, 0 },
    { "mad.wide.{u32,s32} %d, %a, %b, %c;", "b64 $1 $1 b64", 0, 0 },
    { "mul24.{lo,hi}.{u32,s32} %d, %a, %b;", "$2 $2 $2", 0, 0 },
    { "mad24.{lo,hi}.{u32,s32} %d, %a, %b, %c;", "$2 $2 $2 $2", 0, 0 },
    { "mad24.hi.sat.s32 %d, %a, %b, %c;", "s32 s32 s32 s32", 0, 0 },
    { "sad." INTEGERS " %d, %a, %b, %c;", "$1 $1 $1 $1", 0, 0 },
    { "{abs,neg}.{s16,s32,s64} %d, %a;", "$2 $2", 0, 0 },
    { "{min,max}.relu.s32 %d, %a, %b;", "s32 s32 s32", 0, 0 },
    { "{add,min,max}.{u16x2,s16x2} %d, %a, %b;", "b32 b32 b32", 0, 0 },
    { "{min,max}.relu.s16x2 %d, %a, %b;", "b32 b32 b32", 0, 0 },
    { "{popc,clz}.{b32,b64} %d, %a;", "u32 $2", 0, 0 },
    { "bfind{,.shiftamt}." WORDS " %d, %a;", "u32 $2", 0, 0 },
    { "{brev,not,cnot}.{b32,b64} %d, %a;", "$2 $2", 0, 0 },
    { "{not,cnot}.b16 %d, %a;", "b16 b16", 0, 0 },
    { "bfe." WORDS " %d, %a, %b, %c;", "$1 $1 u32 u32", 0, 0 },
    { "bfi.{b32,b64} %d, %a, %b, %c, {0,1,7,31,32,200};", "$1 $1 $1 u32", 0, 0 },
    { "bfi.{b32,b64} %d, %a, %b, {0,5,31,63,255}, %c;", "$1 $1 $1 u32", 0, 0 },
    { "szext.{clamp,wrap}.{u32,s32} %d, %a, %b;", "$2 $2 u32", 0, 0 },
    { "bmsk.{clamp,wrap}.b32 %d, %a, %b;", "b32 u32 u32", 0, 0 },
    { "dp4a.{u32,s32}.{u32,s32} %d, %a, %b, %c;", "b32 b32 b32 b32", 0, 0 },
    { "dp2a.{lo,hi}.{u32,s32}.{u32,s32} %d, %a, %b, %c;", "b32 b32 b32 b32", 0, 0 },
    { "lop3.b32 %d, %a, %b, %c, {0x00,0x96,0xe8,0xca,0x80,0xfe,0x1b,0xff};", "b32 b32 b32 b32",
      0, 0 },
    { "{and,or,xor}.{b16,b32,b64} %d, %a, %b;", "$2 $2 $2", 0, 0 },
    { "{and,or,xor}.pred %d, %a, %b;", "pred pred pred", 0, 0 },
    { "not.pred %d, %a;", "pred pred", 0, 0 },
    { "shl.{b16,b32,b64} %d, %a, %b;", "$1 $1 u32", 0, 0 },
    { "shr." INTEGERS " %d, %a, %b;", "$1 $1 u32", 0, 0 },
    { "shf.{l,r}.{clamp,wrap}.b32 %d, %a, %b, %c;", "b32 b32 b32 u32", 0, 0 },
    { "prmt.b32{,.f4e,.b4e,.rc8,.ecl,.ecr,.rc16} %d, %a, %b, %c;", "b32 b32 b32 b32", 0, 0 },
    { "fns.b32 %d, %a, 3, {1,2,-1,0}; and.b32 %d, %d, %b;", "b32 b32 b32", 0, 0 },
    { "{add,sub}.cc.{u32,s32} %r0, %a, %b; $1c.$2 %d, %c, %r0;", "b32 b32 b32 b32", 0, 0 },
    { "{add,sub}.cc.u64 %l0, %a, %b; $1c.u64 %d, %c, %l0;", "b64 b64 b64 b64", 0, 0 },
    { "add.cc.u32 %r0, %a, %b; addc.cc.u32 %r1, %c, %a; addc.u32 %d, %r0, %r1;",
      "b32 b32 b32 b32", 0, 0 },
    { "sub.cc.u32 %r0, %a, %b; subc.cc.u32 %r1, %c, %a; subc.u32 %d, %r0, %r1;",
      "b32 b32 b32 b32", 0, 0 },
    { "mad.{lo,hi}.cc.{u32,s32} %r0, %a, %b, %c; madc.{lo,hi}.$2 %d, %a, %c, %r0;",
      "b32 b32 b32 b32", 0, 0 },
    { "{add,sub}.cc.u32 %r0, %a, %b; mad.lo.u32 %r0, %r0, 3, %c; madc.lo.u32 %d, %a, 5, %r0;",
      "b32 b32 b32 b32", 0, 0 },

    /* Comparisons */
    { "setp." COMPARE "." INTEGERS " %d, %a, %b;", "pred $2 $2", 0, 0 },
    { "setp.{lo,ls,hi,hs}.{u16,u32,u64} %d, %a, %b;", "pred $2 $2", 0, 0 },
    { "setp.{eq,ne}.{b16,b32,b64} %d, %a, %b;", "pred $2 $2", 0, 0 },
    { "setp." UNORDERED ".{f32,f64} %d, %a, %b;", "pred $2 $2", 0, 0 },
    { "setp." UNORDERED ".ftz.f32 %d, %a, %b;", "pred f32 f32", 0, 0 },
    { "setp." UNORDERED ".{f16,bf16} %d, %a, %b;", "pred $2 $2", 0, 0 },
    { "setp.{lt,ge}.{and,or,xor}.{s32,f64} %d|%p0, %a, %b, {,!}%c; selp.b32 %r0, 1, 0, %p0; "
      "setp.ne.u32 %p1, %r0, 0; xor.pred %d, %d, %p1;", "pred $3 $3 pred", 0, 0 },
    { "set." COMPARE ".{u32,s32,f32}.{s16,u32,s64} %d, %a, %b;", "$2 $3 $3", 0, 0 },
    { "set." UNORDERED ".{u32,f32}.{f32,f64} %d, %a, %b;", "$2 $3 $3", 0, 0 },
    { "set.lt.{and,or,xor}.u32.f32 %d, %a, %b, {,!}%c;", "u32 f32 f32 pred", 0, 0 },
    { "selp.{b16,b32,b64,f32,f64} %d, %a, %b, %c;", "$1 $1 $1 pred", 0, 0 },
    { "slct.{b16,u32,s64,f32,f64}.{s32,f32} %d, %a, %b, %c;", "$1 $1 $1 $2", 0, 0 },
    { "slct.ftz.b32.f32 %d, %a, %b, %c;", "b32 b32 b32 f32", 0, 0 },

    /* Conversions */
    { "cvt." INTEGERS "." INTEGERS " %d, %a;", "$1 $2", 0, 0 },
    { "cvt.{u8,s8}." INTEGERS " %d, %a;", "$1 $2", 0, 0 },
    { "cvt." INTEGERS ".{u8,s8} %d, %a;", "$1 $2", 0, 0 },
    { "cvt." ROUND ".{f32,f64}." INTEGERS " %d, %a;", "$2 $3", 0, 0 },
    { "cvt." ROUND ".{f32,f64}.{u8,s8} %d, %a;", "$2 $3", 0, 0 },
    { "cvt." ROUND ".sat.f32.{u32,s64} %d, %a;", "f32 $2", 0, 0 },
    { "cvt.{rni,rzi,rmi,rpi}." INTEGERS ".{f32,f64} %d, %a;", "$2 $3", 0, 0 },
    { "cvt.{rni,rzi,rmi,rpi}.{u8,s8}.{f32,f64} %d, %a;", "$2 $3", 0, 0 },
    { "cvt.rzi.sat.{u8,s8,s16,u32,s64}.{f32,f64} %d, %a;", "$1 $2", 0, 0 },
    { "cvt.{rni,rmi}.ftz.{s32,u64}.f32 %d, %a;", "$2 f32", 0, 0 },
    { "cvt.{rni,rzi,rmi,rpi}{,.ftz,.sat}.f32.f32 %d, %a;", "f32 f32", 0, 0 },
    { "cvt.{rni,rzi,rmi,rpi}{,.sat}.f64.f64 %d, %a;", "f64 f64", 0, 0 },
    { "cvt{,.sat}.f64.f32 %d, %a;", "f64 f32", 0, 0 },
    { "cvt.ftz.f64.f32 %d, %a;", "f64 f32", 0, 0 },
    { "cvt." ROUND "{,.ftz,.sat}.f32.f64 %d, %a;", "f32 f64", 0, 0 },
    { "cvt." ROUND ".f16.{f32,f64} %d, %a;", "f16 $2", 0, 0 },
    { "cvt." ROUND ".f16.{u16,s32,u64,s64} %d, %a;", "f16 $2", 0, 0 },
    { "cvt.{rni,rzi,rmi,rpi}.{u16,s16,u32,s32,u64,s64}.f16 %d, %a;", "$2 f16", 0, 0 },
    { "cvt.{rni,rzi,rmi,rpi}.f16.f16 %d, %a;", "f16 f16", 0, 0 },
    { "cvt.{f32,f64}.f16 %d, %a;", "$1 f16", 0, 0 },
    { "cvt.f32.bf16 %d, %a;", "f32 bf16", 0, 0 },
    { "cvt.{rn,rz}{,.relu}.{f16,bf16}.f32 %d, %a;", "$3 f32", 0, 0 },
    { "cvt.{rn,rz}{,.relu}.{f16x2,bf16x2}.f32 %d, %a, %b;", "$3 f32 f32", 0, 0 },

    /* f32 */
    { "{add,sub,mul}." ROUND "{,.ftz}{,.sat}.f32 %d, %a, %b;", "f32 f32 f32", 0, 0 },
    { "fma." ROUND "{,.ftz}{,.sat}.f32 %d, %a, %b, %c;", "f32 f32 f32 f32", 0, 0 },
    { "mad." ROUND ".f32 %d, %a, %b, %c;", "f32 f32 f32 f32", 0, 0 },
    { "div." ROUND "{,.ftz}.f32 %d, %a, %b;", "f32 f32 f32", 0, 0 },
    { "{rcp,sqrt}." ROUND "{,.ftz}.f32 %d, %a;", "f32 f32", 0, 0 },
    { "{min,max}{,.ftz}{,.NaN}{,.xorsign.abs}.f32 %d, %a, %b;", "f32 f32 f32", 0, 0 },
    { "{abs,neg}{,.ftz}.f32 %d, %a;", "f32 f32", 0, 0 },
    { "testp.{finite,infinite,number,notanumber,normal,subnormal}.{f32,f64} %d, %a;", "pred $2",
      0, 0 },
    { "copysign.{f32,f64} %d, %a, %b;", "$1 $1 $1", 0, 0 },
    { "div.{approx,full}{,.ftz}.f32 %d, %a, %b;", "f32 f32 f32", 2.5, 0 },
    { "{rcp,sqrt}.approx{,.ftz}.f32 %d, %a;", "f32 f32", 2, 0 },
    { "rsqrt.approx{,.ftz}.f32 %d, %a;", "f32 f32", 2.5, 0 },
    { "{sin,cos}.approx{,.ftz}.f32 %d, %a;", "f32 f32", 0, 0x1p-21 }, /* once it is reduced */
    { "lg2.approx{,.ftz}.f32 %d, %a;", "f32 f32", 3, 0x1p-21 },
    { "ex2.approx{,.ftz}.f32 %d, %a;", "f32 f32", 2.5, 0 },
    { "tanh.approx.f32 %d, %a;", "f32 f32", 0, 0x1p-10 },

    /* f64 */
    { "{add,sub,mul}." ROUND ".f64 %d, %a, %b;", "f64 f64 f64", 0, 0 },
    { "{fma,mad}." ROUND ".f64 %d, %a, %b, %c;", "f64 f64 f64 f64", 0, 0 },
    { "div." ROUND ".f64 %d, %a, %b;", "f64 f64 f64", 0, 0 },
    { "{rcp,sqrt}." ROUND ".f64 %d, %a;", "f64 f64", 0, 0 },
    { "{min,max}.f64 %d, %a, %b;", "f64 f64 f64", 0, 0 },
    { "{abs,neg}.f64 %d, %a;", "f64 f64", 0, 0 },
    { "{rcp,rsqrt}.approx.ftz.f64 %d, %a;", "f64 f64", 0x1p33, 0 },
    { "rsqrt.approx.f64 %d, %a;", "f64 f64", 0.5, 0 },

    /* Numbers of 16 bits */
    { "{add,sub,mul}{,.rn}{,.ftz}{,.sat}.{f16,f16x2} %d, %a, %b;", "$5 $5 $5", 0, 0 },
    { "{add,sub,mul}{,.rn}.{bf16,bf16x2} %d, %a, %b;", "$3 $3 $3", 0, 0 },
    { "fma.rn{,.ftz}{,.sat,.relu}.{f16,f16x2} %d, %a, %b, %c;", "$3 $3 $3 $3", 0, 0 },
    { "fma.rn{,.relu}.{bf16,bf16x2} %d, %a, %b, %c;", "$2 $2 $2 $2", 0, 0 },
    { "{min,max}{,.ftz}{,.NaN}{,.xorsign.abs}.{f16,f16x2} %d, %a, %b;", "$5 $5 $5", 0, 0 },
    { "{min,max}{,.NaN}{,.xorsign.abs}.{bf16,bf16x2} %d, %a, %b;", "$4 $4 $4", 0, 0 },
    { "{abs,neg}{,.ftz}.{f16,f16x2} %d, %a;", "$3 $3", 0, 0 },
    { "{abs,neg}.{bf16,bf16x2} %d, %a;", "$2 $2", 0, 0 },
    { "set.{eq,lt,geu,nan}.{f16x2,bf16x2}.$2 %d, %a, %b;", "$2 $2 $2", 0, 0 },
    { "set.{eq,lt,geu,nan}.u32.{f16,bf16} %d, %a, %b;", "u32 $2 $2", 0, 0 },

    /* Atomics: what was there, and what is there then */
    { "atom.global.{add.u32,min.u32,max.u32,min.s32,max.s32,add.s32,and.b32,or.b32,xor.b32,"
      "exch.b32,inc.u32,dec.u32} %d, [%at], %a; ld.global.u32 %r0, [%at]; "
      "mad.lo.u32 %d, %d, 31, %r0;", "u32 u32 u32", 0, 0 },
    { "atom.global.{add.u64,min.u64,max.u64,min.s64,max.s64,and.b64,or.b64,xor.b64,exch.b64} "
      "%d, [%at], %a; ld.global.u64 %l0, [%at]; mad.lo.u64 %d, %d, 31, %l0;", "u64 u64 u64", 0, 0 },
    { "atom.global.cas.{b16,b32,b64} %d, [%at], %c, %a; ld.global.$1 %d, [%at];", "$1 $1 $1 $1",
      0, 0 },
    { "atom.global.add.f32 %d, [%at], %a; ld.global.f32 %d, [%at];", "f32 f32 f32", 0, 0 },
    { "atom.global.add.f64 %d, [%at], %a; ld.global.f64 %d, [%at];", "f64 f64 f64", 0, 0 },
    { "atom.global.add.noftz.f16x2 %d, [%at], %a; ld.global.b32 %d, [%at];", "b32 b32 b32", 0, 0 },
    { "red.global.{add.u32,max.s32,inc.u32,xor.b32} [%at], %a; ld.global.u32 %d, [%at];",
      "u32 u32 u32", 0, 0 },
    { "red.global.add.{f32,f64} [%at], %a; ld.global.$1 %d, [%at];", "$1 $1 $1", 0, 0 },

    /* Video: whole registers, parts of sources, of results, of both; a second operation */
    { SCALARS "{,.sat} %d, %a, %b;", "b32 b32 b32", 0, 0 },
    { SUMS ".sat %d, %a.{b1,h0}, %b.h1;", "b32 b32 b32", 0, 0 },
    { SCALARS ".sat %d.{b0,h0,h1}, %a, %b, %c;", "b32 b32 b32 b32", 0, 0 },
    { SUMS " %d.{b0,h1}, %a, %b, %c;", "b32 b32 b32 b32", 0, 0 },
    { SUMS ".sat %d.{b2,h1}, %a.b3, %b.h1, %c;", "b32 b32 b32 b32", 0, 0 },
    { SUMS ".sat.{add,min,max} %d, %a.b0, %b, %c;", "b32 b32 b32 b32", 0, 0 },
    { "vset" SIGNS SIGNS "." COMPARE " %d.{b1,h1}, %a, %b.h0, %c;", "b32 b32 b32 b32", 0, 0 },
    { "vset" SIGNS SIGNS ".{lt,ge}.{add,min,max} %d, %a.b1, %b, %c;", "b32 b32 b32 b32", 0, 0 },
    { "vshl" SIGNS SIGNS ".u32.{clamp,wrap} %d.{b2,h1}, %a.{b0,h1}, %b, %c;", "b32 b32 b32 b32",
      0, 0 },
    { "vshr" SIGNS SIGNS ".u32{,.sat}.{clamp,wrap} %d, %a.{b3,h1}, %b, %c;", "b32 b32 b32 b32",
      0, 0 },
    { "vmad" SIGNS SIGNS SIGNS "{,.sat}{,.shr7,.shr15} %d, %a, %b.h1, %c;", "b32 b32 b32 b32",
      0, 0 },
    { "v{add,sub,absdiff,avrg}{2,4}" SIGNS SIGNS SIGNS "{.sat,.add} %d, %a, %b, %c;",
      "b32 b32 b32 b32", 0, 0 },
    { "v{min,max}{2,4}" SIGNS SIGNS SIGNS " %d, %a, %b, %c;", "b32 b32 b32 b32", 0, 0 },
    { "vset{2,4}" SIGNS SIGNS "." COMPARE "{,.add} %d, %a, %b, %c;", "b32 b32 b32 b32", 0, 0 },

    /* Shifts that saturate, or are compared */
    { "vshl" SIGNS SIGNS ".u32{,.sat}.{clamp,wrap}{.add,.min,.max} %d, %a{,.b1,.h0}, %b, %c;",
      "b32 b32 b32 b32", 0, 0 },
    { "vshl" SIGNS SIGNS ".u32{,.sat}.{clamp,wrap} %d, %a{,.b3,.h1}, %b;", "b32 b32 b32", 0, 0 },
    { "vshl" SIGNS SIGNS ".u32.sat.{clamp,wrap} %d.{b1,h0}, %a{.b0,.h1,}, %b, %c;",
      "b32 b32 b32 b32", 0, 0 },
    { "vshr" SIGNS SIGNS ".u32{,.sat}.{clamp,wrap}{.add,.min,.max} %d, %a{,.b1,.h0}, %b, %c;",
      "b32 b32 b32 b32", 0, 0 },
    { "vshr" SIGNS SIGNS ".u32{,.sat}.{clamp,wrap} %d.{b1,h0}, %a{.b0,.h1,}, %b, %c;",
      "b32 b32 b32 b32", 0, 0 },

    /* Seldom: a carry into 16 bits, and what copies of tensors put where nothing is */
    { "add.cc.u32 %r0, %b, %b; madc.{lo,hi}.{u16,s16} %d, %a, %c, %a;", "$2 $2 b32 $2", 0, 0 },
    { "fma.rn.oob{,.relu}.{f16,bf16,f16x2,bf16x2} %d, %a, %b, %c;", "$2 $2 $2 $2", 0, 0 },
    { "mov.b16 %h0, {0x7ff7,0xfff7,0x7fff,0xffff,0x7ff8,0x7ff6,0x7e00,0x7fe7}; "
      "fma.rn.oob{,.relu}.{f16,bf16} %d, %h0, %b, %c;",
      "$3 $3 $3 $3", 0, 0 },
    { "mov.b16 %h0, {0x7ff7,0xfff7,0x7fff,0xffff,0x7ff8,0x7ff6,0x7e00,0x7fe7}; "
      "fma.rn.oob{,.relu}.{f16,bf16} %d, %a, %h0, %c;",
      "$3 $3 $3 $3", 0, 0 },
    { "mov.b16 %h0, {0x7ff7,0x7fff,0xffff}; fma.rn.oob{,.relu}.{f16,bf16} %d, %a, %b, %h0;",
      "$3 $3 $3 $3", 0, 0 },
    { "mov.b32 %r0, {0x7ff73c00,0x3c007ff7,0x7fff3c00,0x3c00ffff}; "
      "fma.rn.oob{,.relu}.{f16x2,bf16x2} %d, %r0, %b, %c;",
      "$3 $3 $3 $3", 0, 0 },
};
const size_t answer_row_count = sizeof answer_rows / sizeof answer_rows[0];
