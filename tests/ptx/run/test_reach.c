/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses that lead nowhere: each is a fault that names thread, bytes and address.
 */
#include <stdio.h>

#include "ptx/machine.h"

#define HEAD ".version 8.8\n.target sm_100\n.address_size 64\n"

/* Thread `bad` accesses where `at` says, all others their own place in a good row. */
static const char one_bad[] = HEAD
    ".visible .entry k(.param .u64 good, .param .u64 at, .param .u32 bad)\n{\n"
    ".reg .u64 %%a, %%b, %%q<4>; .reg .u32 %%t, %%x, %%v<8>; .reg .pred %%p;\n"
    ".shared .align 16 .b8 s[64]; .local .align 16 .b8 l[64];\n"
    "ld.param.u64 %%a, [good]; ld.param.u64 %%b, [at]; ld.param.u32 %%x, [bad];\n"
    "mov.u32 %%t, %%tid.x; mov.u32 %%v0, 7; setp.eq.u32 %%p, %%t, %%x;\n"
    "mad.wide.u32 %%a, %%t, %s, %%a; selp.b64 %%a, %%b, %%a, %%p;\n"
    "%s\nret;\n}\n";

struct reach {
    struct machine *m;
    unsigned char *good;
};

static struct reach open_with(const char *stride, const char *access)
{
    char text[2048];
    snprintf(text, sizeof text, one_bad, stride, access);
    struct reach r = { .m = machine_open() };
    machine_load(r.m, text);
    r.good = machine_memory(r.m, 256 * 16);
    return r;
}

static void fails(struct reach *r, const void *at, uint32_t bad, rill_status status,
                  const char *words, const char *more)
{
    struct { void *good; const void *at; uint32_t bad; } params = { r->good, at, bad };
    machine_fails(r->m, "k", &(struct machine_shape){ .block = { 256 } }, &params, sizeof params,
                  status, words, more);
    assert_int_equal(machine_fault(r->m)->thread[0], bad);
    assert_int_equal(machine_fault(r->m)->line, 11);
    assert_true(machine_fault(r->m)->address == (uintptr_t)at);
}

static void runs(struct reach *r, const void *at, uint32_t bad)
{
    struct { void *good; const void *at; uint32_t bad; } params = { r->good, at, bad };
    machine_run(r->m, "k", &(struct machine_shape){ .block = { 256 } }, &params, sizeof params);
}

static const uint32_t threads[] = { 0, 1, 31, 100, 255 };

#define EACH_THREAD(t) for (unsigned n_ = 0; n_ < 5; n_++) for (uint32_t t = threads[n_], \
                            once_ = 1; once_; once_ = 0)

static void an_allocation_ends_where_it_ends(void **state)
{
    (void)state;
    struct reach r = open_with("4", "st.global.u32 [%a], %v0;");
    unsigned char *small = machine_memory(r.m, 100);
    EACH_THREAD(t) {
        runs(&r, small, t);
        runs(&r, small + 96, t);
        fails(&r, small + 100, t, RILL_ERROR_ILLEGAL_ADDRESS, "store of 4 bytes", "in no");
        fails(&r, small - 4, t, RILL_ERROR_ILLEGAL_ADDRESS, "store of 4 bytes", "in no");
        fails(&r, NULL, t, RILL_ERROR_ILLEGAL_ADDRESS, "store of 4 bytes", "null");
    }
    unsigned char *odd = machine_memory(r.m, 98);
    runs(&r, odd + 92, 3);
    fails(&r, odd + 96, 3, RILL_ERROR_ILLEGAL_ADDRESS, "only 2 are inside the 98 bytes", "line 11");
    machine_close(r.m);
}

/* All lanes lie in a row, and the last or the first ones are outside. */
static void rows_are_looked_at_from_end_to_end(void **state)
{
    (void)state;
    struct machine *m = machine_open();
    machine_load(m, HEAD
        ".visible .entry k(.param .u64 at, .param .s32 step)\n{\n"
        ".reg .u64 %a; .reg .s32 %t, %s, %v;\nld.param.u64 %a, [at]; ld.param.s32 %s, [step];\n"
        "mov.u32 %t, %tid.x; mad.wide.s32 %a, %t, %s, %a;\nld.global.u32 %v, [%a];\nret;\n}\n");
    unsigned char *at = machine_memory(m, 1024);
    static const int32_t steps[] = { 4, 8, -4, -8, 0, 12 };
    struct { unsigned char *at; int32_t step; } params;
    for (unsigned s = 0; s < 6; s++) {
        uint32_t span = (uint32_t)(steps[s] < 0 ? -steps[s] : steps[s]), fit = 84;
        struct machine_shape shape = { .block = { fit } };
        params.at = steps[s] < 0 ? at + span * (fit - 1) : at + 1024 - span * (fit - 1) - 4;
        params.step = steps[s];
        machine_run(m, "k", &shape, &params, sizeof params);
        params.at += 4 * (steps[s] < 0 ? -1 : 1);
        machine_fails(m, "k", &shape, &params, sizeof params, RILL_ERROR_ILLEGAL_ADDRESS,
                      "load of 4 bytes", "in no");
        assert_int_equal(machine_fault(m)->thread[0], steps[s] ? fit - 1 : 0);
        params.at = steps[s] < 0 ? at + 1024 : at - 4;
        machine_fails(m, "k", &shape, &params, sizeof params, RILL_ERROR_ILLEGAL_ADDRESS,
                      "load of 4 bytes", "in no");
        assert_int_equal(machine_fault(m)->thread[0], 0);
    }
    machine_close(m);
}

static void a_multiple_of_its_size_is_where_an_access_may_be(void **state)
{
    (void)state;
    static const struct {
        const char *access;
        unsigned bytes;
    } accesses[] = {
        { "ld.global.u16 %v1, [%a];", 2 },       { "ld.global.f64 %d0, [%a];", 8 },
        { "ld.global.v2.u8 {%h0, %h1}, [%a];", 2 }, { "st.global.v2.u32 [%a], {%v0, %v1};", 8 },
        { "ld.global.v4.u32 {%v1,%v2,%v3,%v4}, [%a];", 16 }, { "st.global.u64 [%a], %q0;", 8 },
        { "atom.global.add.u32 %v1, [%a], 1;", 4 }, { "red.global.add.u64 [%a], %q0;", 8 },
        { "ld.volatile.global.u32 %v1, [%a];", 4 },
    };
    for (unsigned i = 0; i < sizeof accesses / sizeof *accesses; i++) {
        char text[256];
        snprintf(text, sizeof text, "{ .reg .f64 %%d0; .reg .u16 %%h<4>; .reg .u16 %%w; %s }",
                 accesses[i].access);
        if (!strncmp(accesses[i].access, "ld.global.u16", 13))
            snprintf(text, sizeof text, "{ .reg .u16 %%h; ld.global.u16 %%h, [%%a]; }");
        struct reach r = open_with("16", text);
        unsigned char *at = machine_memory(r.m, 64);
        EACH_THREAD(t) {
            runs(&r, at + accesses[i].bytes, t);
            fails(&r, at + accesses[i].bytes / 2, t, RILL_ERROR_MISALIGNED_ADDRESS,
                  "no multiple of", "global memory");
        }
        machine_close(r.m);
    }
}

static void memory_that_went_away_is_nobodys(void **state)
{
    (void)state;
    struct reach r = open_with("4", "ld.global.u32 %v1, [%a];");
    unsigned char *gone = machine_memory(r.m, 64), *fixed = machine_memory(r.m, 64);
    runs(&r, gone + 8, 9);
    machine_forget(r.m, gone);
    fails(&r, gone + 8, 9, RILL_ERROR_ILLEGAL_ADDRESS, "which is 8 bytes into 64 bytes that were "
          "freed", "global memory");
    machine_protect(r.m, fixed);
    runs(&r, fixed, 9);
    machine_close(r.m);

    r = open_with("4", "st.u32 [%a], %v1;");
    fixed = machine_memory(r.m, 64);
    machine_protect(r.m, fixed);
    fails(&r, fixed, 9, RILL_ERROR_ILLEGAL_ADDRESS, "store of 4 bytes", "may only read");
    machine_close(r.m);
}

/* The extents of an earlier kernel are not believed once something went away. */
static void a_kernel_that_frees_sees_it_at_once(void **state)
{
    (void)state;
    struct machine *m = machine_open();
    machine_load(m, HEAD
        ".extern .func (.param .b64 r) malloc(.param .b64 n);\n"
        ".extern .func free(.param .b64 p);\n"
        ".visible .entry k(.param .u64 at)\n{\n.reg .u64 %a; .reg .u32 %v;\n"
        "{ .param .b64 n; .param .b64 r; st.param.b64 [n], 40;\n"
        "call (r), malloc, (n); ld.param.b64 %a, [r]; }\n"
        "mov.u32 %v, 5; st.u32 [%a+36], %v; ld.u32 %v, [%a+36];\n"
        "{ .param .b64 p; st.param.b64 [p], %a; call free, (p); }\n"
        "ld.u32 %v, [%a];\nret;\n}\n");
    struct { void *at; } params = { NULL };
    machine_fails(m, "k", &(struct machine_shape){ 0 }, &params, sizeof params,
                  RILL_ERROR_ILLEGAL_ADDRESS, "line 13", "freed");
    machine_close(m);
}

static void a_guard_keeps_bad_lanes_away(void **state)
{
    (void)state;
    struct reach r = open_with("4", "@!%p st.global.u32 [%a], %v0; @!%p ld.u32 %v1, [%a];"
                                    "@!%p atom.add.u32 %v1, [%a], 1;");
    EACH_THREAD(t) runs(&r, (void *)(uintptr_t)3, t);
    machine_close(r.m);
}

static void shared_and_local_memory_end_too(void **state)
{
    (void)state;
    static const struct {
        const char *access;
        rill_status status;
        const char *words, *more;
    } accesses[] = {
        { "ld.shared.u32 %v1, [64];", RILL_ERROR_ILLEGAL_ADDRESS, "offset 64 of shared memory",
          "64 bytes" },
        { "ld.shared.u32 %v1, [s+60];", RILL_SUCCESS, "", "" },
        { "st.shared.v2.u32 [s+64], {%v0, %v1};", RILL_ERROR_ILLEGAL_ADDRESS, "store of 8 bytes",
          "shared memory" },
        { "ld.shared.u32 %v1, [s+2];", RILL_ERROR_MISALIGNED_ADDRESS, "shared memory", "" },
        { "atom.shared.add.u32 %v1, [64], 1;", RILL_ERROR_ILLEGAL_ADDRESS, "atomic operation",
          "shared memory" },
        { "mov.u64 %q0, 1048576; ld.local.u32 %v1, [%q0];", RILL_ERROR_ILLEGAL_ADDRESS,
          "offset 1048576 of local memory", "load" },
        { "ld.local.u16 %v1, [l+1];", RILL_ERROR_MISALIGNED_ADDRESS, "local memory", "2" },
        { "ld.local.u32 %v1, [l+2];", RILL_ERROR_MISALIGNED_ADDRESS, "local memory", "" },
        { "cvta.local.u64 %q0, 0; add.u64 %q0, %q0, -4; ld.u32 %v1, [%q0];",
          RILL_ERROR_ILLEGAL_ADDRESS, "load of 4 bytes", "" },
        { "cvta.shared.u64 %q0, 64; st.u32 [%q0], %v0;", RILL_ERROR_ILLEGAL_ADDRESS,
          "offset 64 of shared memory", "store" },
        { "cvta.shared.u64 %q0, 0; ld.global.u32 %v1, [%q0];", RILL_ERROR_ILLEGAL_ADDRESS,
          "global memory", "in no" },
        { "cvta.local.u64 %q0, 0; atom.add.u32 %v1, [%q0], 1;", RILL_ERROR_INVALID_ADDRESS_SPACE,
          "local memory", "atomic" },
        { "cvta.param.u64 %q0, 0; st.u32 [%q0], 1;", RILL_ERROR_ILLEGAL_ADDRESS, "parameters",
          "only read" },
        { "ld.param.u32 %v1, [good+24];", RILL_ERROR_ILLEGAL_ADDRESS, "parameters", "20 bytes" },
    };
    for (unsigned i = 0; i < sizeof accesses / sizeof *accesses; i++) {
        struct reach r = open_with("4", accesses[i].access);
        struct { void *good, *at; uint32_t bad; } params = { r.good, r.good, 0 };
        struct machine_shape shape = { .block = { 64 } };
        if (!accesses[i].status)
            machine_run(r.m, "k", &shape, &params, sizeof params);
        else
            machine_fails(r.m, "k", &shape, &params, sizeof params, accesses[i].status,
                          accesses[i].words, accesses[i].more);
        machine_close(r.m);
    }
}

/* As compilers do: the register holds the place of an element before the first one, and the offset
 * leads from there into the memory.  By the manual of PTX, an address is cut to the width of its
 * space. */
static const char around[] = HEAD
    ".visible .entry k(.param .u64 to)\n{\n"
    ".reg .u64 %a; .reg .u32 %t, %x, %y, %v<3>;\n"
    ".shared .align 16 .b8 s[256]; .local .align 16 .b8 l[256];\n"
    "ld.param.u64 %a, [to]; mov.u32 %t, %tid.x; mad.wide.u32 %a, %t, 12, %a;\n"
    "shl.b32 %x, %t, 2; mov.u32 %y, s; add.u32 %x, %x, %y; sub.u32 %x, %x, 128;\n"
    "st.shared.u32 [%x+128], %t; ld.shared.u32 %v0, [%x+128];\n"
    "atom.shared.add.u32 %v1, [%x+128], 1;\n"
    "shl.b32 %x, %t, 2; mov.u32 %y, l; add.u32 %x, %x, %y; sub.u32 %x, %x, 128;\n"
    "st.local.u32 [%x+128], %v1; ld.local.u32 %v2, [%x+128];\n"
    "st.global.u32 [%a], %v0; st.global.u32 [%a+4], %v1; st.global.u32 [%a+8], %v2;\n"
    "ret;\n}\n";

static void addresses_of_32_bits_wrap_around(void **state)
{
    (void)state;
    for (int watched = 0; watched < 2; watched++) {
        struct machine *m = machine_open();
        machine_load(m, around);
        uint32_t(*to)[3] = machine_memory(m, 64 * sizeof *to);
        struct { void *to; } params = { to };
        struct machine_shape shape = { .block = { 64 }, .checks = watched ? PTX_CHECK_RACES : 0 };
        machine_run(m, "k", &shape, &params, sizeof params);
        for (uint32_t t = 0; t < 64; t++)
            for (int n = 0; n < 3; n++) assert_int_equal(to[t][n], t);
        machine_close(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_allocation_ends_where_it_ends),
        cmocka_unit_test(rows_are_looked_at_from_end_to_end),
        cmocka_unit_test(a_multiple_of_its_size_is_where_an_access_may_be),
        cmocka_unit_test(memory_that_went_away_is_nobodys),
        cmocka_unit_test(a_kernel_that_frees_sees_it_at_once),
        cmocka_unit_test(a_guard_keeps_bad_lanes_away),
        cmocka_unit_test(shared_and_local_memory_end_too),
        cmocka_unit_test(addresses_of_32_bits_wrap_around),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
