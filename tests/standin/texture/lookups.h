/* SPDX-License-Identifier: Apache-2.0
 *
 * Lookups in textures and surfaces: what is in them, who asks, and how.  Everything comes from
 * formulas, so that the same questions can be put to a GPU (test_lookups.c).
 */
#ifndef STANDIN_TEXTURE_LOOKUPS_H
#define STANDIN_TEXTURE_LOOKUPS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "standin/texture/arrays.h"

/* ---- Kernels ------------------------------------------------------------------------- */

#define KERNEL_HEAD \
    ".version 8.1\n.target sm_75\n.address_size 64\n" \
    ".visible .entry look(.param .u64 pt, .param .u64 pin, .param .u64 pout, .param .u32 pn)\n" \
    "{ .reg .b64 t, in, out, w; .reg .b32 i, n, b, d; .reg .pred p;\n" \
    "  .reg .f32 c<4>; .reg .b32 k<4>, r<4>; .reg .b16 h<4>;\n" \
    "  ld.param.u64 t, [pt]; ld.param.u64 in, [pin]; ld.param.u64 out, [pout];\n" \
    "  ld.param.u32 n, [pn]; mov.u32 i, %tid.x; mov.u32 b, %ctaid.x; mov.u32 d, %ntid.x;\n" \
    "  mad.lo.u32 i, b, d, i; setp.ge.u32 p, i, n; @p ret;\n" \
    "  mul.wide.u32 w, i, 16; add.u64 in, in, w; add.u64 out, out, w;\n" \
    "  ld.global.v4.f32 {c0,c1,c2,c3}, [in]; ld.global.v4.b32 {k0,k1,k2,k3}, [in];\n" \
    "  mov.u32 r0, 0; mov.u32 r1, 0; mov.u32 r2, 0; mov.u32 r3, 0;\n  "
#define KERNEL_TAIL "\n  st.global.v4.b32 [out], {r0,r1,r2,r3}; ret; }\n"
#define FOUR "{r0,r1,r2,r3}"
/* Makes three more numbers of one. */
#define SPREAD "mul.lo.u32 r1, k2, 0x9e3779b1; not.b32 r2, k2; xor.b32 r3, r1, r2;\n  "

/* A lookup by one instruction.  Coordinates are floats, or integers of the same size. */
struct kernel {
    const char *name, *body;
    unsigned dimensions;
    int integers;
};

static const struct kernel kernels[] = {
    { "1d", "tex.1d.v4.f32.f32 " FOUR ", [t, {c0}];", 1, 0 },
    { "2d", "tex.2d.v4.f32.f32 " FOUR ", [t, {c0,c1}];", 2, 0 },
    { "3d", "tex.3d.v4.f32.f32 " FOUR ", [t, {c0,c1,c2,c2}];", 3, 0 },
    { "a1d", "tex.a1d.v4.f32.f32 " FOUR ", [t, {k3,c0}];", 1, 0 },
    { "a2d", "tex.a2d.v4.f32.f32 " FOUR ", [t, {k3,c0,c1,c1}];", 2, 0 },
    { "cube", "tex.cube.v4.f32.f32 " FOUR ", [t, {c0,c1,c2,c2}];", 3, 0 },
    { "acube", "tex.acube.v4.f32.f32 " FOUR ", [t, {k3,c0,c1,c2}];", 3, 0 },
    { "1du", "tex.1d.v4.u32.f32 " FOUR ", [t, {c0}];", 1, 0 },
    { "2du", "tex.2d.v4.u32.f32 " FOUR ", [t, {c0,c1}];", 2, 0 },
    { "1di", "tex.1d.v4.f32.s32 " FOUR ", [t, {k0}];", 1, 1 },
    { "2di", "tex.2d.v4.f32.s32 " FOUR ", [t, {k0,k1}];", 2, 1 },
    { "3di", "tex.3d.v4.f32.s32 " FOUR ", [t, {k0,k1,k2,k2}];", 3, 1 },
    { "1dui", "tex.1d.v4.u32.s32 " FOUR ", [t, {k0}];", 1, 1 },
    { "2dui", "tex.2d.v4.u32.s32 " FOUR ", [t, {k0,k1}];", 2, 1 },
    { "level2d", "tex.level.2d.v4.f32.f32 " FOUR ", [t, {c0,c1}], 0f40000000;", 2, 0 },
    { "level2dany", "tex.level.2d.v4.f32.f32 " FOUR ", [t, {c0,c1}], c2;", 2, 0 },
    { "grad2d", "tex.grad.2d.v4.f32.f32 " FOUR ", [t, {c0,c1}], {0f3F800000,0f3F800000},"
                " {0f3F800000,0f3F800000};", 2, 0 },
    { "tld4r", "tld4.r.2d.v4.f32.f32 " FOUR ", [t, {c0,c1}];", 2, 0 },
    { "tld4g", "tld4.g.2d.v4.f32.f32 " FOUR ", [t, {c0,c1}];", 2, 0 },
    { "tld4b", "tld4.b.2d.v4.f32.f32 " FOUR ", [t, {c0,c1}];", 2, 0 },
    { "tld4a", "tld4.a.2d.v4.u32.f32 " FOUR ", [t, {c0,c1}];", 2, 0 },
    { "tld4rcube", "tld4.r.cube.v4.f32.f32 " FOUR ", [t, {c0,c1,c2,c2}];", 3, 0 },
    { "tld4racube", "tld4.r.acube.v4.f32.f32 " FOUR ", [t, {k3,c0,c1,c2}];", 3, 0 },
    { "tld4ra2d", "tld4.r.a2d.v4.f32.f32 " FOUR ", [t, {k3,c0,c1,c1}], {1,0};", 2, 0 },
    { "base2d", "tex.base.2d.v4.f32.f32 " FOUR ", [t, {c0,c1}];", 2, 0 },
    { "gradcube", "tex.grad.cube.v4.f32.f32 " FOUR ", [t, {c0,c1,c2,c2}], {c0,c0,c0,c0},"
                  " {c1,c1,c1,c1};", 3, 0 },
    { "depth1d", "tex.1d.v4.f32.f32 " FOUR ", [t, {c0}], 3;", 1, 0 },
    { "shift2d", "tex.2d.v4.f32.f32 " FOUR ", [t, {c0,c1}], {1,-2};", 2, 0 },
    { "shifta2d", "tex.a2d.v4.f32.f32 " FOUR ", [t, {k3,c0,c1,c1}], {-8,2};", 2, 0 },
    { "shift2di", "tex.2d.v4.f32.s32 " FOUR ", [t, {k0,k1}], {1,-2};", 2, 1 },
    { "shiftany", "tex.2d.v4.f32.f32 " FOUR ", [t, {c0,c1}], {k2,k3};", 2, 0 },
    { "halves1d", "tex.1d.v2.f16x2.f32 {r0,r1}, [t, {c0}];", 1, 0 },
    { "halves2d", "tex.2d.v2.f16x2.f32 {r0,r1}, [t, {c0,c1}];", 2, 0 },
    { "suredadd", "sured.b.add.2d.u32.clamp [t, {k0,k1}], k3;", 2, 1 },
    { "suredmin", "sured.b.min.2d.s32.zero [t, {k0,k1}], k3;", 2, 1 },
    { "suredmax", "sured.b.max.2d.u32.zero [t, {k0,k1}], k3;", 2, 1 },
    { "suredor", "sured.b.or.2d.b32.clamp [t, {k0,k1}], k3;", 2, 1 },
    { "suredadd64", "mov.b64 w, {k3,k2}; sured.b.add.2d.u64.clamp [t, {k0,k1}], w;", 2, 1 },
    { "sustp2d1clamp", SPREAD "sust.p.2d.b32.clamp [t, {k0,k1}], k2;", 2, 1 },
    { "sustp2d2clamp", SPREAD "sust.p.2d.v2.b32.clamp [t, {k0,k1}], {k2,r1};", 2, 1 },
    { "sustp2d4clamp", SPREAD "sust.p.2d.v4.b32.clamp [t, {k0,k1}], {k2,r1,r2,r3};", 2, 1 },
    { "sustp2d1zero", SPREAD "sust.p.2d.b32.zero [t, {k0,k1}], k2;", 2, 1 },
    { "sustp2d2zero", SPREAD "sust.p.2d.v2.b32.zero [t, {k0,k1}], {k2,r1};", 2, 1 },
    { "sustp2d4zero", SPREAD "sust.p.2d.v4.b32.zero [t, {k0,k1}], {k2,r1,r2,r3};", 2, 1 },
    { "sustp1d1", SPREAD "sust.p.1d.b32.zero [t, {k0}], k2;", 2, 1 },
    { "sustp1d4", SPREAD "sust.p.1d.v4.b32.clamp [t, {k0}], {k2,r1,r2,r3};", 2, 1 },
    { "sustp3d4", SPREAD "sust.p.3d.v4.b32.zero [t, {k0,k1,k3,k3}], {k2,r1,r2,r3};", 2, 1 },
    { "sustp3d1", SPREAD "sust.p.3d.b32.clamp [t, {k0,k1,k3,k3}], k2;", 2, 1 },
    { "sustpa1d1", SPREAD "sust.p.a1d.b32.zero [t, {k3,k0}], k2;", 2, 1 },
    { "sustpa1d2", SPREAD "sust.p.a1d.v2.b32.clamp [t, {k3,k0}], {k2,r1};", 2, 1 },
    { "sustpa2d1", SPREAD "sust.p.a2d.b32.zero [t, {k3,k0,k1,k1}], k2;", 2, 1 },
    { "sustpa2d4", SPREAD "sust.p.a2d.v4.b32.clamp [t, {k3,k0,k1,k1}], {k2,r1,r2,r3};", 2, 1 },
    { "suredp2dadd", SPREAD "sured.p.add.2d.b32.zero [t, {k0,k1}], k2;", 2, 1 },
    { "suredp2dmin", SPREAD "sured.p.min.2d.b32.zero [t, {k0,k1}], k2;", 2, 1 },
    { "suredp2dmax", SPREAD "sured.p.max.2d.b32.zero [t, {k0,k1}], k2;", 2, 1 },
    { "suredp2dand", SPREAD "sured.p.and.2d.b32.zero [t, {k0,k1}], k2;", 2, 1 },
    { "suredp2dor", SPREAD "sured.p.or.2d.b32.zero [t, {k0,k1}], k2;", 2, 1 },
    { "suredp1dadd", SPREAD "sured.p.add.1d.b32.clamp [t, {k0}], k2;", 2, 1 },
    { "suredp1dmin", SPREAD "sured.p.min.1d.b32.zero [t, {k0}], k2;", 2, 1 },
    { "suredp3dmax", SPREAD "sured.p.max.3d.b32.clamp [t, {k0,k1,k3,k3}], k2;", 2, 1 },
    { "suredp2daddclamp", SPREAD "sured.p.add.2d.b32.clamp [t, {k0,k1}], k2;", 2, 1 },
    { "suredp2dmin64", SPREAD "mov.b64 w, {k2,r1}; sured.p.min.2d.b64.zero "
      "[t, {k0,k1}], w;", 2, 1 },
    { "suredp2dmax64", SPREAD "mov.b64 w, {k2,r1}; sured.p.max.2d.b64.zero "
      "[t, {k0,k1}], w;", 2, 1 },
    { "suredb2dmin64", SPREAD "shl.b32 k0, k0, 3; mov.b64 w, {k2,r1}; sured.b.min.2d.s64.zero "
      "[t, {k0,k1}], w;", 2, 1 },
    { "d2d", "tex.2d.v4.f32.f32 " FOUR ", [t, {c0,c1}], c2;", 2, 0 },
    { "d2du", "tex.2d.v4.u32.f32 " FOUR ", [t, {c0,c1}], c2;", 2, 0 },
    { "dbase2d", "tex.base.2d.v4.f32.f32 " FOUR ", [t, {c0,c1}], c2;", 2, 0 },
    { "dlevel2d", "tex.level.2d.v4.f32.f32 " FOUR ", [t, {c0,c1}], 0f00000000, c2;", 2, 0 },
    { "dgrad2d", "tex.grad.2d.v4.f32.f32 " FOUR
      ", [t, {c0,c1}], {0f3F800000,0f00000000}, {0f00000000,0f3F800000}, c2;", 2, 0 },
    { "dshift2d", "tex.2d.v4.f32.f32 " FOUR ", [t, {c0,c1}], {1,-2}, c2;", 2, 0 },
    { "dtld4r", "tld4.r.2d.v4.f32.f32 " FOUR ", [t, {c0,c1}], c2;", 2, 0 },
    { "dtld4g", "tld4.g.2d.v4.f32.f32 " FOUR ", [t, {c0,c1}], c2;", 2, 0 },
    { "dtld4a", "tld4.a.2d.v4.u32.f32 " FOUR ", [t, {c0,c1}], c2;", 2, 0 },
    { "dshifttld4", "tld4.r.2d.v4.f32.f32 " FOUR ", [t, {c0,c1}], {-1,3}, c2;", 2, 0 },
    { "d1d", "tex.1d.v4.f32.f32 " FOUR ", [t, {c0}], c2;", 2, 0 },
    { "d1dshift", "tex.1d.v4.f32.f32 " FOUR ", [t, {c0}], {2}, c2;", 2, 0 },
    { "d1dpair", "tex.1d.v4.f32.f32 " FOUR ", [t, {c0}], 2, c2;", 2, 0 },
    { "da1d", "tex.a1d.v4.f32.f32 " FOUR ", [t, {k3,c0}], c2;", 2, 0 },
    { "da1dr", "tex.a1d.v4.f32.f32 " FOUR ", [t, {k3,c0}], k2;", 2, 0 },
    { "da1dshift", "tex.a1d.v4.f32.f32 " FOUR ", [t, {k3,c0}], {2}, c2;", 2, 0 },
    { "da1dpair", "tex.a1d.v4.f32.f32 " FOUR ", [t, {k3,c0}], 2, c2;", 2, 0 },
    { "da2d", "tex.a2d.v4.f32.f32 " FOUR ", [t, {k3,c0,c1,c1}], c2;", 2, 0 },
    { "da2dshift", "tex.a2d.v4.f32.f32 " FOUR ", [t, {k3,c0,c1,c1}], {1,-2}, c2;", 2, 0 },
    { "dtld4a2d", "tld4.r.a2d.v4.f32.f32 " FOUR ", [t, {k3,c0,c1,c1}], c2;", 2, 0 },
    { "dtld4a2ds", "tld4.r.a2d.v4.f32.f32 " FOUR ", [t, {k3,c0,c1,c1}], {1,0}, c2;", 2, 0 },
    { "dcube", "tex.cube.v4.f32.f32 " FOUR ", [t, {c0,c1,c2,c2}], c3;", 3, 0 },
    { "dlevelcube", "tex.level.cube.v4.f32.f32 " FOUR
      ", [t, {c0,c1,c2,c2}], 0f00000000, c3;", 3, 0 },
    { "dacube", "tex.acube.v4.f32.f32 " FOUR ", [t, {k3,c0,c1,c2}], 0f3f400000;", 3, 0 },
    { "dtld4cube", "tld4.r.cube.v4.f32.f32 " FOUR ", [t, {c0,c1,c2,c2}], c3;", 3, 0 },
    { "dtld4acube", "tld4.r.acube.v4.f32.f32 " FOUR ", [t, {k3,c0,c1,c2}], 0f3f400000;", 3, 0 },
    { "ms2d", "tex.2dms.v4.f32.s32 " FOUR ", [t, {k3,k0,k1,k1}];", 2, 1 },
    { "ms2dshift", "tex.2dms.v4.f32.s32 " FOUR ", [t, {k3,k0,k1,k1}], {1,-2};", 2, 1 },
    { "msa2d", "tex.a2dms.v4.f32.s32 " FOUR ", [t, {k2,k3,k0,k1}];", 2, 1 },
    { "msbase2d", "tex.base.2dms.v4.u32.s32 " FOUR ", [t, {k3,k0,k1,k1}];", 2, 1 },
    { "a2di", "tex.a2d.v4.f32.s32 " FOUR ", [t, {k3,k0,k1,k1}];", 2, 1 },
    { "a2dishift", "tex.a2d.v4.f32.s32 " FOUR ", [t, {k3,k0,k1,k1}], {1,-1};", 2, 1 },
    { "a1di", "tex.a1d.v4.f32.s32 " FOUR ", [t, {k3,k0}];", 2, 1 },
    { "levelwidth", "txq.level.width.b32 r0, [t], k3;", 2, 1 },
    { "levelheight", "txq.level.height.b32 r0, [t], k3;", 2, 1 },
    { "leveldepth", "txq.level.depth.b32 r0, [t], k3;", 2, 1 },
    { "txq", "txq.width.b32 r0, [t]; txq.height.b32 r1, [t];\n"
             "  txq.depth.b32 r2, [t];", 0, 0 },
    { "suq", "suq.width.b32 r0, [t]; suq.height.b32 r1, [t];\n"
             "  suq.depth.b32 r2, [t];", 0, 0 },
    { "suld1z", "suld.b.1d.b32.zero r0, [t, {k0}];", 1, 1 },
    { "suld1c", "suld.b.1d.b32.clamp r0, [t, {k0}];", 1, 1 },
    { "suld2z", "suld.b.2d.v2.b32.zero {r0,r1}, [t, {k0,k1}];", 2, 1 },
    { "suld2c", "suld.b.2d.v2.b32.clamp {r0,r1}, [t, {k0,k1}];", 2, 1 },
    { "suld2v4c", "suld.b.2d.v4.b32.clamp " FOUR ", [t, {k0,k1}];", 2, 1 },
    { "suld2hc", "suld.b.2d.v4.b16.clamp {h0,h1,h2,h3}, [t, {k0,k1}];\n"
                 "  cvt.u32.u16 r0, h0; cvt.u32.u16 r1, h1; cvt.u32.u16 r2, h2;\n"
                 "  cvt.u32.u16 r3, h3;", 2, 1 },
    { "suld2bz", "suld.b.2d.v2.b8.zero {h0,h1}, [t, {k0,k1}];\n"
                 "  cvt.u32.u16 r0, h0; cvt.u32.u16 r1, h1;", 2, 1 },
    { "suld3z", "suld.b.3d.b32.zero r0, [t, {k0,k1,k2,k2}];", 3, 1 },
    { "suld3c", "suld.b.3d.b32.clamp r0, [t, {k0,k1,k2,k2}];", 3, 1 },
    { "sulda2z", "suld.b.a2d.b32.zero r0, [t, {k2,k0,k1,k1}];", 3, 1 },
    { "sulda2c", "suld.b.a2d.b32.clamp r0, [t, {k2,k0,k1,k1}];", 3, 1 },
    { "sulda1c", "suld.b.a1d.b32.clamp r0, [t, {k2,k0}];", 3, 1 },
    { "sust1z", "sust.b.1d.b32.zero [t, {k0}], k3;", 1, 1 },
    { "sust1c", "sust.b.1d.b32.clamp [t, {k0}], k3;", 1, 1 },
    { "sust1t", "sust.b.1d.b32.trap [t, {k0}], k3;", 1, 1 },
    { "sust2c", "sust.b.2d.v2.b32.clamp [t, {k0,k1}], {k3,k2};", 2, 1 },
    { "suld2brace", "suld.b.2d.b32.zero {r0}, [t, {k0,k1}];", 2, 1 },
    { "sust2brace", "sust.b.2d.b32.zero [t, {k0,k1}], {k3};", 2, 1 },
    { "sust2z", "sust.b.2d.v2.b32.zero [t, {k0,k1}], {k3,k2};", 2, 1 },
};

enum { KERNELS = sizeof kernels / sizeof *kernels };

static inline const struct kernel *kernel_named(const char *name)
{
    for (int i = 0; i < KERNELS; i++)
        if (!strcmp(kernels[i].name, name)) return &kernels[i];
    fail_msg("no kernel %s", name);
    return NULL;
}

/* Returns NULL if the text is refused. */
static inline CUfunction load_kernel(const struct kernel *kernel)
{
    static CUfunction loaded[KERNELS];
    static int refused[KERNELS];
    static CUcontext of;
    static char text[4096];
    CUmodule module = NULL;
    CUfunction *function = &loaded[kernel - kernels];
    if (of != context) {
        memset(loaded, 0, sizeof loaded);
        memset(refused, 0, sizeof refused);
        of = context;
    }
    if (*function || refused[kernel - kernels]) return *function;
    snprintf(text, sizeof text, "%s%s%s", KERNEL_HEAD, kernel->body, KERNEL_TAIL);
    if (CALL(cuModuleLoadData, (CUmodule *, const void *), (&module, text)) ||
        CALL(cuModuleGetFunction, (CUfunction *, CUmodule, const char *),
             (function, module, "look"))) {
        refused[kernel - kernels] = 1;
        *function = NULL;
    }
    return *function;
}

/* ---- Asking -------------------------------------------------------------------------- */

enum { MOST = 8192 };

typedef union {
    float f[4];
    uint32_t u[4];
    int32_t i[4];
} quad;

/* Asks `count` questions of a texture or a surface. */
static inline CUresult look_up(const struct kernel *kernel, uint64_t object, const quad *in,
                               quad *out, unsigned count)
{
    CUdeviceptr from = 0, to = 0;
    CUfunction function = load_kernel(kernel);
    if (!function) return RILL_ERROR_NOT_SUPPORTED;
    OK(CALL(cuMemAlloc_v2, (CUdeviceptr *, size_t), (&from, MOST * sizeof *in)));
    OK(CALL(cuMemAlloc_v2, (CUdeviceptr *, size_t), (&to, MOST * sizeof *out)));
    OK(CALL(cuMemcpyHtoD_v2, (CUdeviceptr, const void *, size_t),
            (from, in, count * sizeof *in)));
    void *params[] = { &object, &from, &to, &count };
    CUresult status = CALL(cuLaunchKernel,
                           (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                            unsigned, CUstream, void **, void **),
                           (function, (count + 63) / 64, 1, 1, 64, 1, 1, 0, NULL, params, NULL));
    if (!status)
        status = CALL(cuMemcpyDtoH_v2, (void *, CUdeviceptr, size_t),
                      (out, to, count * sizeof *out));
    CALL(cuMemFree_v2, (CUdeviceptr), (from));
    CALL(cuMemFree_v2, (CUdeviceptr), (to));
    return status;
}

static inline CUresult make_texture(CUtexObject *texture, const CUDA_RESOURCE_DESC *resource,
                                    const CUDA_TEXTURE_DESC *how)
{
    return CALL(cuTexObjectCreate,
                (CUtexObject *, const CUDA_RESOURCE_DESC *, const CUDA_TEXTURE_DESC *,
                 const CUDA_RESOURCE_VIEW_DESC *), (texture, resource, how, NULL));
}

static inline CUresult end_texture(CUtexObject texture)
{
    return CALL(cuTexObjectDestroy, (CUtexObject), (texture));
}

/* ---- What is in them ----------------------------------------------------------------- */

static inline uint32_t mixed(uint32_t n)
{
    n ^= n >> 16, n *= 0x7feb352du, n ^= n >> 15, n *= 0x846ca68bu;
    return n ^ n >> 16;
}

static inline unsigned bytes_of(int format)
{
    static const unsigned char bytes[] = { [1] = 1, [2] = 2, [3] = 4, [8] = 1, [9] = 2, [10] = 4,
                                           [16] = 2, [32] = 4 };
    return bytes[format];
}

/* Bits of any pattern; floats are finite, and of a few orders of magnitude. */
static inline void put_number(unsigned char *to, int format, uint32_t n)
{
    uint32_t bits = mixed(n);
    if (format == CU_AD_FORMAT_FLOAT)
        bits = (bits & 0x807fffff) | (124 + (bits >> 24 & 7)) << 23;
    if (format == CU_AD_FORMAT_HALF) bits = (bits & 0x83ff) | (12 + (bits >> 24 & 7)) << 10;
    memcpy(to, &bits, bytes_of(format));
}

static inline unsigned char *contents(int format, size_t numbers, uint32_t seed)
{
    unsigned bytes = bytes_of(format);
    unsigned char *made = malloc(numbers * bytes);
    assert_non_null(made);
    for (size_t i = 0; i < numbers; i++)
        put_number(made + i * bytes, format, seed + (uint32_t)i);
    return made;
}

/* ---- Where is looked ----------------------------------------------------------------- */

/* In units of elements: corners, centres, seams between the hardware's weights, and beyond. */
static const float spots[] = {
    0.5f, 0.0f, 1.0f, 0.75f, 1.2519531f, 1.2519532f, 2.3505859f, 3.4990234f, 3.5f, 4.9980469f,
    5.0f, -0.25f, -0.5f, -3.7f, 6.1f, 8.37f, 9.75f, 17.13f, 1.501f, 2.499f, 3.0009766f, -100.3f,
    1000.7f, 2.7182817f,
};

enum { PLACES = sizeof spots / sizeof *spots };

static inline void place(quad *in, unsigned k, const struct kernel *kernel, int normalized,
                         const size_t extent[3])
{
    memset(in, 0, sizeof *in);
    for (unsigned d = 0; d < 3 && d < kernel->dimensions; d++) {
        float where = spots[(k * (2 * d + 1) + 5 * d) % PLACES];
        if (kernel->integers) in->i[d] = (int32_t)floorf(where);
        else in->f[d] = normalized ? where / (float)extent[d] : where;
    }
}

#endif
