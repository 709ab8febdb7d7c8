/* SPDX-License-Identifier: Apache-2.0
 *
 * A module with references to a texture and a surface, as programs have them that were written
 * before there were objects: the module declares a name, and the program binds memory or an array
 * to it.
 */
#ifndef STANDIN_TEXTURE_REFERENCES_H
#define STANDIN_TEXTURE_REFERENCES_H

#include "standin/texture/arrays.h"

#define NUMBERS 64

/* line(to, i) and flat(to, x, y) look at t; put(value) stores at element 1 of s; ask(to) asks t. */
static const char text[] =
    ".version 6.0\n.target sm_50\n.address_size 64\n"
    ".global .texref t;\n.global .surfref s;\n"
    ".visible .entry line(.param .u64 to, .param .s32 i) {\n"
    " .reg .b64 %a; .reg .b32 %i, %r<4>;\n"
    " ld.param.u64 %a, [to]; ld.param.s32 %i, [i];\n"
    " tex.1d.v4.f32.s32 {%r0,%r1,%r2,%r3}, [t, {%i}];\n"
    " st.global.v4.b32 [%a], {%r0,%r1,%r2,%r3}; ret; }\n"
    ".visible .entry flat(.param .u64 to, .param .f32 x, .param .f32 y) {\n"
    " .reg .b64 %a; .reg .f32 %x, %y, %r<4>;\n"
    " ld.param.u64 %a, [to]; ld.param.f32 %x, [x]; ld.param.f32 %y, [y];\n"
    " tex.2d.v4.f32.f32 {%r0,%r1,%r2,%r3}, [t, {%x,%y}];\n"
    " st.global.v4.f32 [%a], {%r0,%r1,%r2,%r3}; ret; }\n"
    ".func (.param .b32 r) inside(.param .b32 i) {\n"
    " .reg .b32 %i, %r<4>; ld.param.b32 %i, [i];\n"
    " tex.1d.v4.f32.s32 {%r0,%r1,%r2,%r3}, [t, {%i}]; st.param.b32 [r], %r0; ret; }\n"
    ".visible .entry calls(.param .u64 to, .param .s32 i) {\n"
    " .reg .b64 %a; .reg .b32 %i, %r;\n"
    " ld.param.u64 %a, [to]; ld.param.s32 %i, [i];\n"
    " { .param .b32 r; .param .b32 n; st.param.b32 [n], %i; call (r), inside, (n);\n"
    "   ld.param.b32 %r, [r]; }\n"
    " st.global.b32 [%a], %r; ret; }\n"
    ".visible .entry through(.param .u64 to, .param .s32 i) {\n"
    " .reg .b64 %a, %h; .reg .b32 %i, %r<4>;\n"
    " ld.param.u64 %a, [to]; ld.param.s32 %i, [i]; mov.u64 %h, t;\n"
    " tex.1d.v4.f32.s32 {%r0,%r1,%r2,%r3}, [%h, {%i}];\n"
    " st.global.v4.b32 [%a], {%r0,%r1,%r2,%r3}; ret; }\n"
    ".visible .entry put(.param .u64 to, .param .s32 i) {\n"
    " .reg .b32 %i, %z; ld.param.s32 %i, [i]; mov.b32 %z, 4;\n"
    " sust.b.1d.b32.trap [s, {%z}], %i; ret; }\n"
    ".visible .entry ask(.param .u64 to) {\n"
    " .reg .b64 %a; .reg .b32 %w, %h; ld.param.u64 %a, [to];\n"
    " txq.width.b32 %w, [t]; txq.height.b32 %h, [t];\n"
    " st.global.v2.b32 [%a], {%w,%h}; ret; }\n";

struct scene {
    CUmodule module;
    CUtexref t;
    CUdeviceptr numbers, out; /* numbers: 0.5, 1.5, ... */
};

static inline CUdeviceptr memory_of(size_t bytes)
{
    CUdeviceptr address = 0;
    OK(CALL(cuMemAlloc_v2, (CUdeviceptr *, size_t), (&address, bytes)));
    return address;
}

static inline struct scene begin_with(const char *code)
{
    struct scene scene;
    float numbers[NUMBERS];
    for (int i = 0; i < NUMBERS; i++) numbers[i] = (float)i + 0.5f;
    OK(CALL(cuModuleLoadData, (CUmodule *, const void *), (&scene.module, code)));
    OK(CALL(cuModuleGetTexRef, (CUtexref *, CUmodule, const char *),
            (&scene.t, scene.module, "t")));
    scene.numbers = memory_of(sizeof numbers);
    scene.out = memory_of(16);
    OK(CALL(cuMemcpyHtoD_v2, (CUdeviceptr, const void *, size_t),
            (scene.numbers, numbers, sizeof numbers)));
    return scene;
}

static inline struct scene begin(void)
{
    return begin_with(text);
}

static inline void end(const struct scene *scene)
{
    OK(CALL(cuModuleUnload, (CUmodule), (scene->module)));
    OK(CALL(cuMemFree_v2, (CUdeviceptr), (scene->numbers)));
    OK(CALL(cuMemFree_v2, (CUdeviceptr), (scene->out)));
}

static inline CUresult launch_in(const struct scene *scene, const char *name, void **arguments,
                                 CUstream stream)
{
    CUfunction function;
    OK(CALL(cuModuleGetFunction, (CUfunction *, CUmodule, const char *),
            (&function, scene->module, name)));
    return CALL(cuLaunchKernel,
                (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                 CUstream, void **, void **),
                (function, 1, 1, 1, 1, 1, 1, 0, stream, arguments, NULL));
}

/* What a kernel stored. */
union found {
    float f[4];
    uint32_t u[4];
};

static inline union found read_out(const struct scene *scene)
{
    union found found;
    OK(CALL(cuMemcpyDtoH_v2, (void *, CUdeviceptr, size_t), (&found, scene->out, sizeof found)));
    return found;
}

static inline union found look(const struct scene *scene, const char *name, int i)
{
    CUdeviceptr out = scene->out;
    OK(launch_in(scene, name, (void *[]){ &out, &i }, NULL));
    return read_out(scene);
}

static inline CUresult bind(const struct scene *scene, CUdeviceptr address, size_t bytes,
                            size_t *offset)
{
    return CALL(cuTexRefSetAddress_v2, (size_t *, CUtexref, CUdeviceptr, size_t),
                (offset, scene->t, address, bytes));
}

static inline void set_format(const struct scene *scene, int format, int channels)
{
    OK(CALL(cuTexRefSetFormat, (CUtexref, int, int), (scene->t, format, channels)));
}

#endif
