/* SPDX-License-Identifier: Apache-2.0
 *
 * Atomic operations: what each does, lane after lane, and that none is lost.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "ptx/machine.h"

#define HEAD ".version 8.8\n.target sm_100\n.address_size 64\n"
#define LANES 96

/* ---- What an operation does --------------------------------------------------------------- */

typedef uint64_t reference(uint64_t old, uint64_t b, uint64_t c);

static uint64_t and_(uint64_t old, uint64_t b, uint64_t c) { (void)c; return old & b; }
static uint64_t or_(uint64_t old, uint64_t b, uint64_t c) { (void)c; return old | b; }
static uint64_t xor_(uint64_t old, uint64_t b, uint64_t c) { (void)c; return old ^ b; }
static uint64_t add(uint64_t old, uint64_t b, uint64_t c) { (void)c; return old + b; }
static uint64_t exch(uint64_t old, uint64_t b, uint64_t c) { (void)old, (void)c; return b; }
static uint64_t cas(uint64_t old, uint64_t b, uint64_t c) { return old == b ? c : old; }
static uint64_t umin(uint64_t old, uint64_t b, uint64_t c) { (void)c; return b < old ? b : old; }
static uint64_t umax(uint64_t old, uint64_t b, uint64_t c) { (void)c; return b > old ? b : old; }

static uint64_t inc(uint64_t old, uint64_t b, uint64_t c)
{
    (void)c;
    return old >= b ? 0 : old + 1;
}

static uint64_t dec(uint64_t old, uint64_t b, uint64_t c)
{
    (void)c;
    return old == 0 || old > b ? b : old - 1;
}

static uint64_t smin32(uint64_t old, uint64_t b, uint64_t c)
{
    (void)c;
    return (int32_t)b < (int32_t)old ? b : old;
}

static uint64_t smax32(uint64_t old, uint64_t b, uint64_t c)
{
    (void)c;
    return (int32_t)b > (int32_t)old ? b : old;
}

static uint64_t smin64(uint64_t old, uint64_t b, uint64_t c)
{
    (void)c;
    return (int64_t)b < (int64_t)old ? b : old;
}

static uint64_t smax64(uint64_t old, uint64_t b, uint64_t c)
{
    (void)c;
    return (int64_t)b > (int64_t)old ? b : old;
}

static const struct operation {
    const char *words, *type;
    reference *refer;
} operations[] = {
    { "and", "b32", and_ },   { "or", "b32", or_ },     { "xor", "b32", xor_ },
    { "and", "b64", and_ },   { "or", "b64", or_ },     { "xor", "b64", xor_ },
    { "add", "u32", add },    { "add", "s32", add },    { "add", "u64", add },
    { "inc", "u32", inc },    { "dec", "u32", dec },    { "exch", "b32", exch },
    { "exch", "b64", exch },  { "min", "u32", umin },   { "max", "u32", umax },
    { "min", "s32", smin32 }, { "max", "s32", smax32 }, { "min", "u64", umin },
    { "max", "u64", umax },   { "min", "s64", smin64 }, { "max", "s64", smax64 },
    { "cas", "b32", cas },    { "cas", "b64", cas },    { "cas", "b16", cas },
};

/* Each lane's operands in `from`, what it found in `to`; the place is one of four. */
static const char lanes_text[] = HEAD
    ".visible .entry k(.param .u64 place, .param .u64 to, .param .u64 from)\n{\n"
    ".shared .align 8 .b8 s[32];\n"
    ".reg .u64 %%p, %%a, %%b, %%o; .reg .u32 %%t; .reg .%s %%d, %%x, %%y; .reg .pred %%first;\n"
    "ld.param.u64 %%p, [place]; ld.param.u64 %%a, [to]; ld.param.u64 %%b, [from];\n"
    "mov.u32 %%t, %%tid.x; mad.wide.u32 %%a, %%t, 8, %%a; mad.wide.u32 %%b, %%t, 16, %%b;\n"
    "ld.%s %%x, [%%b]; ld.%s %%y, [%%b+8]; and.b32 %%t, %%t, 3; mul.wide.u32 %%o, %%t, 8;\n"
    "%s\nret;\n}\n";

static const char in_global[] = "add.u64 %p, %p, %o; ";
static const char in_shared[] =
    "mov.u64 %p, s; add.u64 %p, %p, %o; mov.u32 %t, %tid.x; setp.eq.u32 %first, %t, 0;"
    "@%first st.shared.v2.u64 [s], {0x7ffffff0fffffff0, 77};"
    "@%first st.shared.v2.u64 [s+16], {1, 0x8000000000000000}; bar.sync 0; ";

static uint64_t low(uint64_t value, unsigned bytes)
{
    return bytes == 8 ? value : value & ((UINT64_C(1) << 8 * bytes) - 1);
}

static void check_operation(const struct operation *operation, const char *space, bool shared)
{
    char text[4096], access[1024];
    bool swap = operation->refer == cas;
    unsigned bytes = (unsigned)atoi(operation->type + 1) / 8;
    if (shared && !*space)
        snprintf(access, sizeof access, "%s cvta.shared.u64 %%p, %%p; ", in_shared);
    else
        snprintf(access, sizeof access, "%s", shared ? in_shared : in_global);
    size_t used = strlen(access);
    snprintf(access + used, sizeof access - used,
             "atom%s.%s.%s %%d, [%%p], %%x%s; st.global.%s [%%a], %%d;", space, operation->words,
             operation->type, swap ? ", %y" : "", operation->type);
    snprintf(text, sizeof text, lanes_text, operation->type, operation->type, operation->type,
             access);
    struct machine *m = machine_open();
    machine_load(m, text);
    uint64_t *place = machine_memory(m, 32), *to = machine_memory(m, LANES * 8),
             (*from)[2] = machine_memory(m, LANES * sizeof *from);
    uint64_t model[4] = { UINT64_C(0x7ffffff0fffffff0), 77, 1, UINT64_C(1) << 63 };
    memcpy(place, model, sizeof model);
    for (uint64_t i = 0; i < LANES; i++) {
        from[i][0] = i % 3 ? i * i * UINT64_C(0x9e3779b97f4a7c15) : i;
        if (swap && i % 2) from[i][0] = i < 4 ? model[i] : from[i - 4][1];
        from[i][1] = i * UINT64_C(0x2545f4914f6cdd1d);
    }
    struct { void *place, *to, *from; } params = { place, to, from };
    machine_run(m, "k", &(struct machine_shape){ .block = { LANES } }, &params, sizeof params);
    for (unsigned i = 0; i < LANES; i++) {
        uint64_t old = low(model[i % 4], bytes);
        if (to[i] != old)
            fail_msg("%s.%s%s: lane %u found %" PRIx64 ", not %" PRIx64, operation->words,
                     operation->type, space, i, to[i], old);
        memcpy(&model[i % 4], &(uint64_t){ operation->refer(old, low(from[i][0], bytes),
                                                            low(from[i][1], bytes)) }, bytes);
    }
    if (!shared) assert_memory_equal(place, model, sizeof model);
    machine_close(m);
}

static void lanes_take_their_turn_in_order(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        check_operation(&operations[i], ".global", false);
        check_operation(&operations[i], "", false);
        check_operation(&operations[i], ".shared", true);
        check_operation(&operations[i], "", true);
        check_operation(&operations[i], ".acq_rel.gpu.global", false);
        check_operation(&operations[i], ".relaxed.cta.shared::cta", true);
    }
}

/* ---- Many at once ------------------------------------------------------------------------- */

static const char counting[] = HEAD
    ".visible .entry k(.param .u64 at)\n{\n"
    ".reg .u64 %a, %w; .reg .u32 %t, %b, %n, %m, %v; .reg .f32 %f; .reg .f64 %d; .reg .b16 %h;\n"
    ".reg .b32 %hh; .reg .b64 %q; .reg .pred %p; .reg .b128 %z, %y, %o;\n"
    "ld.param.u64 %a, [at]; mov.u32 %t, %tid.x; mov.u32 %b, %ctaid.x; mov.u32 %n, %ntid.x;\n"
    "mad.lo.u32 %n, %b, %n, %t;\n"
    "red.global.add.u32 [%a], 1; red.add.u64 [%a+8], 4294967295;\n"
    "mov.f32 %f, 0f3f800000; red.global.add.f32 [%a+16], %f;\n"
    "mov.f64 %d, 0d3fe0000000000000; atom.global.add.f64 %d, [%a+24], %d;\n"
    "red.max.u32 [%a+32], %n; not.b32 %m, %n; red.global.min.u32 [%a+36], %m;\n"
    "atom.inc.u32 %m, [%a+40], 999;\n"
    "and.b32 %m, %n, 31; mov.u32 %v, 1; shl.b32 %m, %v, %m; red.global.or.b32 [%a+44], %m;\n"
    "red.global.xor.b32 [%a+48], %n;\n"
    /* A bin for each of 16 remainders. */
    "and.b32 %m, %n, 15; mad.wide.u32 %w, %m, 4, %a; atom.global.add.u32 %m, [%w+64], 1;\n"
    /* A counter under compare-and-swap, and one under a lock of 16 bits. */
    "ld.volatile.global.u32 %m, [%a+52];\n"
    "again: add.u32 %v, %m, 3; mov.u32 %b, %m; atom.cas.b32 %m, [%a+52], %b, %v;\n"
    "setp.ne.u32 %p, %m, %b; @%p bra again;\n"
    "mov.b64 %q, 0; mov.b128 %z, {%q, %q}; mov.b64 %q, 5; mov.b128 %y, {%q, %q};\n"
    "atom.global.cas.b128 %o, [%a+128], %z, %y; mov.b128 {%q, %w}, %o;\n"
    "setp.eq.u64 %p, %q, 0; @%p red.global.add.u32 [%a+56], 1;\n"
    "ret;\n}\n";

struct counted {
    uint32_t ones, unused;
    uint64_t wide;
    float f, unused2;
    double d;
    uint32_t most, least, ring, bits, parity, swapped, winners, unused3;
    uint32_t bins[16];
    uint64_t pair[2];
};

static void none_is_lost_between_blocks(void **state)
{
    (void)state;
    struct machine *m = machine_open();
    machine_load(m, counting);
    struct counted *c = machine_memory(m, sizeof *c);
    c->least = ~0u;
    struct { void *at; } params = { c };
    const uint32_t blocks = 64, threads = 160, all = blocks * threads;
    machine_run(m, "k", &(struct machine_shape){ .grid = { blocks }, .block = { threads },
                                                 .threads = 4 }, &params, sizeof params);
    assert_int_equal(c->ones, all);
    assert_true(c->wide == all * UINT64_C(4294967295));
    assert_true(c->f == (float)all);
    /* d += d's own half each time: what was read is not added, only the half. */
    assert_true(c->d == all * 0.5);
    assert_int_equal(c->most, all - 1);
    assert_int_equal(c->least, ~(all - 1));
    assert_int_equal(c->ring, all % 1000);
    assert_int_equal(c->bits, ~0u);
    uint32_t parity = 0;
    for (uint32_t i = 0; i < all; i++) parity ^= i;
    assert_int_equal(c->parity, parity);
    assert_int_equal(c->swapped, 3 * all);
    assert_int_equal(c->winners, 1);
    assert_true(c->pair[0] == 5 && c->pair[1] == 5);
    for (unsigned i = 0; i < 16; i++) assert_int_equal(c->bins[i], all / 16);
    machine_close(m);
}

/* ---- Floats ------------------------------------------------------------------------------- */

struct float_case {
    const char *words;
    unsigned bytes;
    uint64_t first, b, result;
};

static const struct float_case float_cases[] = {
    { "add.f32", 4, 0x3f800000, 0x40000000, 0x40400000 },
    { "add.f32", 4, 0x7f800000, 0xff800000, 0x7fffffff },
    { "add.f32", 4, 3, 4, 0 },                         /* subnormal: in global memory */
    { "add.f32", 4, 0x80000003, 0x80000000, 0x80000000 },
    { "add.f64", 8, UINT64_C(0x3ff0000000000000), UINT64_C(0x4000000000000000),
      UINT64_C(0x4008000000000000) },
    { "add.f64", 8, 3, 4, 7 },
    { "add.noftz.f16", 2, 0x3c00, 0x1000, 0x3c00 },   /* 1 + 2^-11: a tie, to even */
    { "add.noftz.f16", 2, 0x3c01, 0x1000, 0x3c02 },
    { "add.noftz.f16", 2, 0x0001, 0x0002, 0x0003 },
    { "add.noftz.f16", 2, 0x7bff, 0x7bff, 0x7c00 },
    { "add.noftz.f16", 2, 0x7e01, 0x3c00, 0x7fff },
    { "add.noftz.f16", 2, 0x3c00, 0xbc00, 0x0000 },
    { "add.noftz.bf16", 2, 0x3f80, 0x3b80, 0x3f80 },
    { "add.noftz.bf16", 2, 0x3f81, 0x3b80, 0x3f82 },
    { "add.noftz.bf16", 2, 0x0001, 0x0001, 0x0002 },
    { "add.noftz.bf16", 2, 0x7f7f, 0x7f7f, 0x7f80 },
    { "add.noftz.f16x2", 4, 0x3c013c00, 0x10001000, 0x3c023c00 },
    { "add.noftz.bf16x2", 4, 0x3f803f81, 0x3b803b80, 0x3f803f82 },
};

static void floats_are_added_as_elsewhere(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof float_cases / sizeof *float_cases; i++) {
        const struct float_case *one = &float_cases[i];
        char text[1024];
        unsigned bits = 8 * one->bytes;
        snprintf(text, sizeof text, HEAD
                 ".visible .entry k(.param .u64 at, .param .u64 b)\n{\n.reg .u64 %%a; "
                 ".reg .b%u %%x, %%d;\nld.param.u64 %%a, [at]; ld.param.b%u %%x, [b];\n"
                 "atom.global.%s %%d, [%%a], %%x; st.global.b%u [%%a+8], %%d;\n"
                 "red.global.%s [%%a+16], %%x;\nret;\n}\n", bits, bits, one->words, bits,
                 one->words);
        struct machine *m = machine_open();
        machine_load(m, text);
        uint64_t *at = machine_memory(m, 24);
        struct { void *at; uint64_t b; } params = { at, one->b };
        at[0] = at[2] = one->first;
        machine_run(m, "k", &(struct machine_shape){ 0 }, &params, sizeof params);
        if (at[0] != one->result || at[1] != one->first || at[2] != one->result)
            fail_msg("%s of %" PRIx64 " and %" PRIx64 ": %" PRIx64 ", not %" PRIx64, one->words,
                     one->first, one->b, at[0], one->result);
        machine_close(m);
    }
}

static void vectors_are_added_element_by_element(void **state)
{
    (void)state;
    struct machine *m = machine_open();
    machine_load(m, HEAD
        ".visible .entry k(.param .u64 at)\n{\n.reg .u64 %a, %b; .reg .f32 %f<8>; .reg .u32 %t;\n"
        ".reg .b16 %h<8>; .reg .b32 %p<4>;\nld.param.u64 %a, [at];\n"
        "mov.f32 %f0, 0f3f800000; mov.f32 %f1, 0f40000000; mov.b16 %h0, 0x3c00;\n"
        "mov.b16 %h1, 0x4000; mov.b32 %p0, 0x3c004000;\n"
        "red.global.add.v2.f32 [%a], {%f0, %f1};\n"
        "atom.global.add.v4.f32 {%f2, %f3, %f4, %f5}, [%a+16], {%f0, %f1, %f1, %f0};\n"
        "red.global.add.noftz.v4.f16 [%a+32], {%h0, %h1, %h1, %h0};\n"
        "red.global.max.noftz.v2.bf16 [%a+40], {%h0, %h1};\n"
        "atom.global.add.noftz.v2.f16x2 {%p1, %p2}, [%a+48], {%p0, %p0};\n"
        "st.global.f32 [%a+56], %f3; ret;\n}\n");
    float *at = machine_memory(m, 64);
    struct { void *at; } params = { at };
    machine_run(m, "k", &(struct machine_shape){ .grid = { 8 }, .block = { 32 }, .threads = 2 },
                &params, sizeof params);
    const float wanted[] = { 256, 512, 0, 0, 256, 512, 512, 256 };
    assert_memory_equal(at, wanted, sizeof wanted);
    const uint16_t halves[] = { 0x5c00, 0x6000, 0x6000, 0x5c00, 0x3c00, 0x4000, 0, 0,
                                0x6000, 0x5c00, 0x6000, 0x5c00 };
    assert_memory_equal(at + 8, halves, sizeof halves);
    machine_close(m);
}

/* ---- Order -------------------------------------------------------------------------------- */

/* Block 0 hands a row of numbers over to block 1, and gets it back. */
static void what_is_released_is_seen_by_who_acquires(void **state)
{
    (void)state;
    static const char *const ways[][2] = {
        { "st.release.gpu.global.u32 [%f], %n;", "ld.acquire.gpu.global.u32 %v, [%f];" },
        { "membar.gl; st.volatile.global.u32 [%f], %n;",
          "ld.volatile.global.u32 %v, [%f]; membar.gl;" },
        { "fence.acq_rel.gpu; red.relaxed.gpu.global.max.u32 [%f], %n;",
          "ld.relaxed.gpu.global.u32 %v, [%f]; fence.sc.gpu;" },
        { "atom.exch.release.gpu.b32 %v, [%f], %n;", "atom.or.acquire.gpu.b32 %v, [%f], 0;" },
    };
    for (unsigned w = 0; w < sizeof ways / sizeof *ways; w++) {
        char text[4096];
        snprintf(text, sizeof text, HEAD
            ".visible .entry k(.param .u64 data, .param .u64 flag)\n{\n"
            ".reg .u64 %%d, %%f; .reg .u32 %%b, %%n, %%v, %%x, %%t; .reg .pred %%p, %%q, %%first;\n"
            "ld.param.u64 %%d, [data]; ld.param.u64 %%f, [flag]; mov.u32 %%b, %%ctaid.x;\n"
            "mov.u32 %%t, %%tid.x; mad.wide.u32 %%d, %%t, 4, %%d; setp.eq.u32 %%first, %%t, 0;\n"
            "mov.u32 %%n, %%b;\n"
            "turn: @!%%first bra mine;\n"
            "wait: %s setp.lt.u32 %%q, %%v, %%n; @%%q bra wait;\n"
            "mine: bar.sync 0;\n"
            "ld.global.u32 %%x, [%%d]; add.u32 %%x, %%x, 1; st.global.u32 [%%d], %%x;\n"
            "bar.sync 0; add.u32 %%n, %%n, 1; @!%%first bra next; %s\n"
            "next: add.u32 %%n, %%n, 1; setp.lt.u32 %%p, %%n, 400; @%%p bra turn; ret;\n}\n",
            ways[w][1], ways[w][0]);
        struct machine *m = machine_open();
        machine_load(m, text);
        uint32_t *data = machine_memory(m, 64 * 4), *flag = machine_memory(m, 4);
        struct { void *data, *flag; } params = { data, flag };
        machine_run(m, "k", &(struct machine_shape){ .grid = { 2 }, .block = { 64 }, .threads = 2 },
                    &params, sizeof params);
        for (unsigned i = 0; i < 64; i++) assert_int_equal(data[i], 400);
        machine_close(m);
    }
}

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "atom.local.add.u32 %r0, [%d0], 1;",  "atom.global.cas.b32 %r0, [%d0], %r1;",
        "red.global.exch.b32 [%d0], %r1;",    "atom.global.add.u32 %d1, [%d0], 1;",
        "atom.global.add.b32 %r0, [%d0], 1;", "red.acquire.release.global.add.u32 [%d0], 1;",
        "membar;", "fence.sc.cta.gpu %r0;",   "atom.global.add.v2.u32 %r0, [%d0], 1;",
    };
    struct machine *m = machine_open();
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[512];
        struct ptx_refusal refusal;
        snprintf(text, sizeof text, HEAD ".visible .entry k()\n{\n.reg .u64 %%d<2>; "
                 ".reg .u32 %%r<2>;\n%s\nret;\n}\n", wrong[i]);
        rill_status status = machine_try_load(m, text, strlen(text), NULL, &refusal);
        if (!status || refusal.line != 7)
            fail_msg("%s: status %d, line %u", wrong[i], (int)status, refusal.line);
    }
    machine_close(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_take_their_turn_in_order),
        cmocka_unit_test(none_is_lost_between_blocks),
        cmocka_unit_test(floats_are_added_as_elsewhere),
        cmocka_unit_test(vectors_are_added_element_by_element),
        cmocka_unit_test(what_is_released_is_seen_by_who_acquires),
        cmocka_unit_test(what_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
