/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads and stores: sizes, extension, vectors, and how the lanes' addresses lie.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "ptx/machine.h"

#define HEAD ".version 8.8\n.target sm_100\n.address_size 64\n"

__attribute__((format(printf, 1, 2))) static struct machine *load(const char *format, ...)
{
    char text[8192];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    struct machine *m = machine_open();
    machine_load(m, text);
    return m;
}

static unsigned char *bytes_of(struct machine *m, size_t count)
{
    unsigned char *bytes = machine_memory(m, count);
    for (size_t i = 0; i < count; i++) bytes[i] = (unsigned char)(i * 151 + i / 7 * 13 + 129);
    return bytes;
}

/* ---- Sizes -------------------------------------------------------------------------------- */

/* Loads an element of one type, widened to 64 bits, and stores it as it is. */
static const char widening[] = HEAD
    ".visible .entry k(.param .u64 to, .param .u64 from)\n{\n"
    ".reg .u64 %%a, %%b, %%i, %%w; .reg .u32 %%t;\n"
    "ld.param.u64 %%a, [to]; ld.param.u64 %%b, [from];\n"
    "mov.u32 %%t, %%tid.x; cvt.u64.u32 %%i, %%t;\n"
    "mad.lo.u64 %%b, %%i, %s, %%b; mad.lo.u64 %%a, %%i, 8, %%a;\n"
    "ld.global.%s %%w, [%%b]; st.global.u64 [%%a], %%w; ret;\n}\n";

static void loads_widen_as_their_type_says(void **state)
{
    (void)state;
    static const char *const types[] = { "u8", "s8", "b8", "u16", "s16", "b16",
                                         "u32", "s32", "b32", "u64", "s64", "b64" };
    for (unsigned t = 0; t < 12; t++) {
        unsigned size = 1u << t / 3;
        char size_word[4];
        snprintf(size_word, sizeof size_word, "%u", size);
        struct machine *m = load(widening, size_word, types[t]);
        unsigned char *from = bytes_of(m, (size_t)256 * size);
        uint64_t *to = machine_memory(m, 256 * sizeof *to);
        struct { void *to, *from; } params = { to, from };
        machine_run(m, "k", &(struct machine_shape){ .block = { 256 } }, &params, sizeof params);
        for (unsigned i = 0; i < 256; i++) {
            uint64_t wide = 0;
            memcpy(&wide, from + (size_t)i * size, size);
            unsigned unused = 64 - 8 * size;
            if (types[t][0] == 's') wide = (uint64_t)((int64_t)(wide << unused) >> unused);
            if (to[i] != wide)
                fail_msg("%s of lane %u: %" PRIx64 ", not %" PRIx64, types[t], i, to[i], wide);
        }
        machine_close(m);
    }
}

static const char narrowing[] = HEAD
    ".visible .entry k(.param .u64 to, .param .u64 from)\n{\n"
    ".reg .u64 %%a, %%b, %%i, %%w; .reg .u32 %%t;\n"
    "ld.param.u64 %%a, [to]; ld.param.u64 %%b, [from];\n"
    "mov.u32 %%t, %%tid.x; cvt.u64.u32 %%i, %%t;\n"
    "mad.lo.u64 %%a, %%i, %s, %%a; mad.lo.u64 %%b, %%i, 8, %%b;\n"
    "ld.global.u64 %%w, [%%b]; st.global.%s [%%a], %%w; ret;\n}\n";

static void stores_take_the_low_part(void **state)
{
    (void)state;
    static const char *const types[] = { "u8", "s16", "b32", "u64" };
    for (unsigned t = 0; t < 4; t++) {
        unsigned size = 1u << t;
        char size_word[4];
        snprintf(size_word, sizeof size_word, "%u", size);
        struct machine *m = load(narrowing, size_word, types[t]);
        unsigned char *from = bytes_of(m, 256 * 8), *to = machine_memory(m, (size_t)256 * size);
        struct { void *to, *from; } params = { to, from };
        machine_run(m, "k", &(struct machine_shape){ .block = { 256 } }, &params, sizeof params);
        for (size_t i = 0; i < 256; i++) assert_memory_equal(to + i * size, from + i * 8, size);
        machine_close(m);
    }
}

/* ---- How addresses lie -------------------------------------------------------------------- */

/* Element to[i] becomes from[(i * factor + add) & mask], in those lanes whose bit of `some`
 * is set. */
static const char pattern[] = HEAD
    ".visible .entry k(.param .u64 to, .param .u64 from, .param .u32 factor, .param .u32 add,\n"
    "                  .param .u32 mask, .param .u32 some)\n{\n"
    ".reg .u64 %%a, %%b, %%o; .reg .u32 %%t, %%f, %%s, %%m, %%x, %%v<4>; .reg .pred %%p;\n"
    "ld.param.u64 %%a, [to]; ld.param.u64 %%b, [from]; ld.param.u32 %%f, [factor];\n"
    "ld.param.u32 %%s, [add]; ld.param.u32 %%m, [mask];\n"
    "mov.u32 %%t, %%tid.x;\n"
    "mad.lo.u32 %%x, %%t, %%f, %%s; and.b32 %%x, %%x, %%m;\n"
    "mad.wide.u32 %%b, %%x, %s, %%b; mad.wide.u32 %%a, %%t, %s, %%a;\n"
    "ld.param.u32 %%m, [some]; and.b32 %%x, %%t, 31; shr.u32 %%m, %%m, %%x;\n"
    "and.b32 %%m, %%m, 1; setp.ne.u32 %%p, %%m, 0;\n";

static const struct {
    const char *name;
    uint32_t factor, add, mask;
} layouts[] = {
    { "a row", 1, 0, ~0u },          { "a row, later", 1, 7, ~0u },
    { "one place", 0, 5, ~0u },      { "every other", 2, 0, ~0u },
    { "every third", 3, 1, ~0u },    { "backwards", ~0u, 255, ~0u },
    { "scattered", 77, 3, 511 },     { "in a ring", 1, 3, 63 },
    { "alternating", 511, 0, 255 },
};

static void check_pattern(unsigned width, const char *access)
{
    char text[4096], size_word[4];
    snprintf(size_word, sizeof size_word, "%u", 4 * width);
    int used = snprintf(text, sizeof text, pattern, size_word, size_word);
    snprintf(text + used, sizeof text - (size_t)used, "%s ret;\n}\n", access);
    struct machine *m = machine_open();
    machine_load(m, text);
    size_t size = 4 * (size_t)width;
    unsigned char *from = bytes_of(m, 1024 * size), *to = machine_memory(m, 256 * size);
    for (unsigned l = 0; l < sizeof layouts / sizeof *layouts; l++)
        for (unsigned s = 0; s < 4; s++) {
            static const uint32_t sets[] = { ~0u, 0x00ffff00, 0x55555555, 0x80000001 };
            struct { void *to, *from; uint32_t factor, add, mask, some; } params = {
                to, from, layouts[l].factor, layouts[l].add, layouts[l].mask, sets[s]
            };
            memset(to, 0xee, 256 * size);
            machine_run(m, "k", &(struct machine_shape){ .block = { 256 } }, &params,
                        sizeof params);
            unsigned char none[32];
            memset(none, 0xee, sizeof none);
            for (uint32_t i = 0; i < 256; i++) {
                size_t x = (i * params.factor + params.add) & params.mask;
                const void *wanted = sets[s] >> i % 32 & 1 ? from + x * size : none;
                if (memcmp(to + i * size, wanted, size) != 0)
                    fail_msg("%s, width %u, lanes %x: lane %u", layouts[l].name, width, sets[s], i);
            }
        }
    machine_close(m);
}

static void lanes_load_from_wherever_they_like(void **state)
{
    (void)state;
    check_pattern(1, "@%p ld.global.u32 %v0, [%b]; @%p st.global.u32 [%a], %v0;");
    check_pattern(1, "@%p ld.volatile.global.u32 %v0, [%b];"
                     "@%p st.relaxed.gpu.global.u32 [%a], %v0;");
    check_pattern(2, "@%p ld.global.v2.u32 {%v0, %v1}, [%b];"
                     "@%p st.global.v2.u32 [%a], {%v0, %v1};");
    check_pattern(4, "@%p ld.v4.u32 {%v0, %v1, %v2, %v3}, [%b];"
                     "@%p st.v4.u32 [%a], {%v0, %v1, %v2, %v3};");
}

/* The same the other way round: lanes that store to wherever they like. */
static void lanes_store_to_wherever_they_like(void **state)
{
    (void)state;
    char text[4096];
    int used = snprintf(text, sizeof text, pattern, "4", "4");
    snprintf(text + used, sizeof text - (size_t)used,
             "@%%p ld.global.u32 %%v0, [%%a]; @%%p st.global.u32 [%%b], %%v0; ret;\n}\n");
    struct machine *m = machine_open();
    machine_load(m, text);
    uint32_t *from = (void *)bytes_of(m, 256 * 4), *to = machine_memory(m, 1024 * 4);
    for (unsigned l = 0; l < sizeof layouts / sizeof *layouts; l++) {
        struct { void *from, *to; uint32_t factor, add, mask, some; } params = {
            from, to, layouts[l].factor, layouts[l].add, layouts[l].mask, 0xfffffff7
        };
        uint32_t wanted[1024] = { 0 };
        for (uint32_t i = 0; i < 256; i++)
            if (i % 32 != 3) wanted[(i * params.factor + params.add) & params.mask] = from[i];
        memset(to, 0, sizeof wanted);
        machine_run(m, "k", &(struct machine_shape){ .block = { 256 } }, &params, sizeof params);
        if (memcmp(to, wanted, sizeof wanted) != 0) fail_msg("%s", layouts[l].name);
    }
    machine_close(m);
}

/* ---- Registers ---------------------------------------------------------------------------- */

static void a_register_may_hold_the_address_and_take_what_is_there(void **state)
{
    (void)state;
    struct machine *m = machine_open();
    machine_load(m, HEAD
        ".visible .entry k(.param .u64 to, .param .u64 from)\n{\n"
        ".reg .u64 %a, %b, %c; .reg .u32 %t, %x;\n"
        "ld.param.u64 %a, [to]; ld.param.u64 %b, [from];\n"
        "mov.u32 %t, %tid.x; xor.b32 %x, %t, 21;\n"
        "mad.wide.u32 %b, %x, 16, %b; mad.wide.u32 %a, %t, 16, %a;\n"
        "ld.global.v2.u64 {%b, %c}, [%b]; st.global.v2.u64 [%a], {%b, %c};\n"
        "ld.global.v2.u64 {_, %a}, [%a]; ret;\n}\n");
    unsigned char *from = bytes_of(m, 256 * 16), *to = machine_memory(m, 256 * 16);
    struct { void *to, *from; } params = { to, from };
    machine_run(m, "k", &(struct machine_shape){ .block = { 256 } }, &params, sizeof params);
    for (size_t i = 0; i < 256; i++) assert_memory_equal(to + i * 16, from + (i ^ 21) * 16, 16);
    machine_close(m);
}

static void vectors_have_up_to_eight_elements_and_32_bytes(void **state)
{
    (void)state;
    struct machine *m = machine_open();
    machine_load(m, HEAD
        ".visible .entry k(.param .u64 to, .param .u64 from)\n{\n"
        ".reg .u64 %a, %b, %d<4>; .reg .u32 %t; .reg .f32 %f<8>; .reg .b16 %h<4>; .reg .b128 %q;\n"
        "ld.param.u64 %a, [to]; ld.param.u64 %b, [from]; mov.u32 %t, %tid.x;\n"
        "mad.wide.u32 %b, %t, 128, %b; mad.wide.u32 %a, %t, 128, %a;\n"
        "ld.global.v8.f32 {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}, [%b];\n"
        "st.global.v8.f32 [%a], {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7};\n"
        "ld.global.v4.u64 {%d0,%d1,%d2,%d3}, [%b+32];\n"
        "st.global.v4.u64 [%a+32], {%d0,%d1,%d2,%d3};\n"
        "ld.global.v4.b16 {%h0,%h1,%h2,%h3}, [%b+64];\n"
        "st.global.v4.b16 [%a+64], {%h0,%h1,%h2,%h3};\n"
        "ld.global.v4.u8 {%h0,%h1,%h2,%h3}, [%b+72];\n"
        "st.global.v4.u8 [%a+72], {%h0,%h1,%h2,%h3};\n"
        "ld.global.b128 %q, [%b+80]; st.global.b128 [%a+80], %q;\n"
        "ld.relaxed.sys.global.b128 %q, [%b+96]; st.release.gpu.global.b128 [%a+96], %q;\n"
        "ret;\n}\n");
    unsigned char *from = bytes_of(m, 256 * 128), *to = machine_memory(m, 256 * 128);
    struct { void *to, *from; } params = { to, from };
    machine_run(m, "k", &(struct machine_shape){ .block = { 256 } }, &params, sizeof params);
    for (size_t i = 0; i < 256; i++) {
        assert_memory_equal(to + i * 128, from + i * 128, 76);
        assert_memory_equal(to + i * 128 + 80, from + i * 128 + 80, 32);
    }
    machine_close(m);
}

/* ---- What has no effect ------------------------------------------------------------------- */

static void hints_are_taken_and_change_nothing(void **state)
{
    (void)state;
    struct machine *m = machine_open();
    machine_load(m, HEAD
        ".visible .entry k(.param .u64 to, .param .u64 from)\n{\n"
        ".reg .u64 %a, %b, %l; .reg .u32 %v, %w<4>; .reg .f32 %f;\n"
        "ld.param.u64 %a, [to]; ld.param.u64 %b, [from];\n"
        "createpolicy.fractional.L2::evict_last.b64 %l, 0.5;\n"
        "createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 %l;\n"
        "createpolicy.range.global.L2::evict_last.L2::evict_first.b64 %l, [%b], 64, 128;\n"
        "prefetch.global.L1 [%b]; prefetch.L2 [%b+4]; prefetchu.L1 [%b];\n"
        "prefetch.global.L2::evict_last [%b]; prefetch.global.L2 [0];\n"
        "discard.global.L2 [%a], 128; applypriority.global.L2::evict_normal [%a], 128;\n"
        "ld.global.nc.L1::no_allocate.L2::256B.u32 %v, [%b]; st.global.u32 [%a], %v;\n"
        "ld.global.L2::cache_hint.u32 %v, [%b+4], %l; st.global.wt.u32 [%a+4], %v;\n"
        "ld.global.cs.u32 %v, [%b+8]; st.global.L2::cache_hint.u32 [%a+8], %v, %l;\n"
        "ldu.global.u32 %v, [%b+12]; st.global.cg.u32 [%a+12], %v;\n"
        "ld.global.nc.v4.u32 {%w0, %w1, %w2, %w3}, [%b+16];\n"
        "st.global.L1::evict_last.v4.u32 [%a+16], {%w0, %w1, %w2, %w3};\n"
        "ld.weak.global.lu.f32 %f, [%b+32]; st.weak.global.wb.f32 [%a+32], %f;\n"
        "ld.mmio.relaxed.sys.global.u32 %v, [%b+36]; st.mmio.relaxed.sys.global.u32 [%a+36], %v;\n"
        "ld.acquire.cta.u32 %v, [%b+40]; st.release.cluster.u32 [%a+40], %v;\n"
        "ret;\n}\n");
    unsigned char *from = bytes_of(m, 128), *to = machine_memory(m, 128);
    struct { void *to, *from; } params = { to, from };
    machine_run(m, "k", &(struct machine_shape){ .block = { 33 } }, &params, sizeof params);
    assert_memory_equal(to, from, 44);
    machine_close(m);
}

/* ---- Texts that are wrong ----------------------------------------------------------------- */

static void refuses(struct machine *m, const char *instruction, const char *words)
{
    char text[1024];
    snprintf(text, sizeof text, HEAD ".shared .u32 s;\n.visible .entry k(.param .u64 p)\n{\n"
             ".reg .u64 %%d<4>; .reg .u32 %%r<4>; .reg .u16 %%h; .reg .f32 %%f;\n%s\nret;\n}\n",
             instruction);
    machine_refuses(m, text, RILL_ERROR_INVALID_PTX, "line 8", words);
}

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    struct machine *m = machine_open();
    refuses(m, "ld.global.u32 %h, [%d0];", "");
    refuses(m, "ld.global.v2.u32 {%r0, %r1, %r2}, [%d0];", "2 elements");
    refuses(m, "ld.global.v2.u32 %r0, [%d0];", "2 elements");
    refuses(m, "ld.global.v8.u64 {%d0,%d0,%d0,%d0,%d0,%d0,%d0,%d0}, [%d0];", ".v8 is of types");
    refuses(m, "ld.volatile.relaxed.gpu.u32 %r0, [%d0];", "enough");
    refuses(m, "ld.relaxed.u32 %r0, [%d0];", ".cta");
    refuses(m, "ld.gpu.u32 %r0, [%d0];", "scope");
    refuses(m, "ld.global.u32 %r0, [s];", "shared");
    refuses(m, "ld.global.f16 %h, [%d0];", "");
    refuses(m, "ld.shared.nc.u32 %r0, [s];", ".nc");
    refuses(m, "st.const.u32 [%d0], %r0, %r1;", "operands");
    refuses(m, "ld.global.u32 %r0, %d0;", "");
    refuses(m, "st.release.u32 [%d0], %r0;", ".cta");
    refuses(m, "cvta.u64 %d0, %d1;", "space");
    machine_close(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_widen_as_their_type_says),
        cmocka_unit_test(stores_take_the_low_part),
        cmocka_unit_test(lanes_load_from_wherever_they_like),
        cmocka_unit_test(lanes_store_to_wherever_they_like),
        cmocka_unit_test(a_register_may_hold_the_address_and_take_what_is_there),
        cmocka_unit_test(vectors_have_up_to_eight_elements_and_32_bytes),
        cmocka_unit_test(hints_are_taken_and_change_nothing),
        cmocka_unit_test(what_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
