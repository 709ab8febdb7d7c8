/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts that nobody's compiler wrote, memory that ends, and texts that compilers wrote.
 * Every text lies in memory of just its size, so that tools see who reads behind it.
 */
#include "ptx/reading.h"

#include <dirent.h>
#include <stdio.h>
#include <time.h>

/* Something of everything that the reader knows. */
static const char everything[] =
    ".version 9.0\n.target sm_90a, texmode_independent\n.address_size 64\n"
    ".file 1 \"x.cu\", 12, 34\n.pragma \"x\";\n.section .debug_str { .b8 1, 2 }\n"
    ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
    ".visible .global .align 16 .b8 bytes[2][3] = {{1}, {2, 0x3, 0b1}};\n"
    ".global .attribute(.managed) .u64 at[4] = {bytes, generic(bytes) + 8, vprintf};\n"
    ".global .u8 parts[2] = {0xff(at), 0xff00(generic(at) + 4)};\n"
    ".const .f32 f[2] = {1.5, 0f3F800000}; .const .v2 .f64 d = {.5e3, -0d3FF0000000000000};\n"
    ".extern .shared .align 8 .b8 dynamic[]; .shared .v4 .b32 quad[2];\n"
    ".weak .func (.reg .b32 r) g(.reg .b32 x, .reg .pred q) .noreturn\n"
    "{ add.u32 r, x, (1 + 2) * 3 % 4 << 1 ? 5 : ~6; ret; }\n"
    ".func h(); .func h2() { ret; } .alias h, h2;\n"
    ".visible .entry k(.param .u64 .ptr .global .align 4 p, .param .align 8 .b8 s[24])\n"
    "  .maxntid 32, 2, 1 .minnctapersm 1 .maxnreg 32\n{\n"
    "  .reg .pred %p<3>; .reg .b32 %r<9>, y; .reg .b64 %rd<5>; .reg .v4 .f32 v; /* \n */\n"
    "  .local .align 8 .b8 depot[16]; // nothing\n"
    "  .loc 1 2 3, function_name $L__info + 7, inlined_at 1 2 3\n"
    "T: .branchtargets A, B;\nP: .callprototype (.param .b32 _) _ (.param .b64 _);\n"
    "C: .calltargets g;\n"
    "A: ld.param.u64 %rd1, [s+8]; mov.u64 %rd2, depot+4; @!%p1 bra B; mov.f32 v.x, v.w;\n"
    "  ld.global.nc.L1::no_allocate.v4.f32 v, [%rd1+-16]; st.shared::cta.b32 [quad], %r1;\n"
    "  setp.lt.and.s32 %p1|_, %r1, WARP_SZ, !%p2; brx.idx %r1, T; mov.u32 %r2, %tid.y;\n"
    "  { .param .b32 ret; .param .b64 arg; st.param.b64 [arg+0], %rd1;\n"
    "    call.uni (ret), %rd2, (arg), P; call (y), g, (%r1, %p1), C; { bra A; A: exit; } }\n"
    "B: tex.2d.v4.f32.f32 {v.x, v.y, _, v.w}|%p1, [at, {v.x, v.y}]; trap; ret;\n}\n";

static rill_status read_exact(const char *text, size_t bytes, const struct ptx_limits *limits)
{
    struct ptx_module *module;
    struct ptx_refusal refusal;
    char *exact = malloc(bytes ? bytes : 1);
    assert_non_null(exact);
    memcpy(exact, text, bytes);
    rill_status status = ptx_read(exact, bytes, limits, &module, &refusal);
    free(exact);
    assert_int_equal(status, refusal.status);
    if (status) {
        assert_null(module);
        assert_true(strlen(refusal.message) > 20);
        assert_true(strlen(refusal.message) < sizeof refusal.message);
    } else {
        ptx_module_free(module);
    }
    return status;
}

static void a_text_may_end_anywhere(void **state)
{
    (void)state;
    long live = rl_alloc_live();
    size_t good = 0;
    for (size_t i = 0; i < sizeof everything; i++)
        good += read_exact(everything, i, NULL) == RILL_SUCCESS;
    /* Between two things of a module a text may well end. */
    assert_in_range(good, 20, 60);
    assert_int_equal(rl_alloc_live(), live);
    assert_int_equal(read_exact(everything, sizeof everything - 1, NULL), RILL_SUCCESS);
}

static uint64_t next(uint64_t *dice)
{
    *dice = *dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *dice >> 33;
}

/* Another byte, or some that stand elsewhere, or none where some are. */
static size_t change(char *text, size_t bytes, uint64_t *dice)
{
    static const char marks[] = "{}()[]<>;:,.@!|+-*/%=_\"\n 09xfb";
    size_t at = next(dice) % bytes, from = next(dice) % bytes, count = next(dice) % 20;
    if (count > bytes - at) count = bytes - at;
    if (count > bytes - from) count = bytes - from;
    switch (next(dice) % 4) {
    case 0: text[at] = (char)next(dice); return bytes;
    case 1: text[at] = marks[next(dice) % (sizeof marks - 1)]; return bytes;
    case 2: memmove(text + at, text + from, count); return bytes;
    default:
        memmove(text + at, text + at + count, bytes - at - count);
        return bytes - count;
    }
}

static void texts_are_changed_at_random(void **state)
{
    (void)state;
    static char text[sizeof everything];
    uint64_t dice = 7;
    long live = rl_alloc_live();
    unsigned good = 0;
    for (unsigned i = 0; i < 20000; i++) {
        size_t bytes = sizeof everything - 1;
        memcpy(text, everything, bytes);
        for (uint64_t times = next(&dice) % 4 + 1; times--;) bytes = change(text, bytes, &dice);
        good += read_exact(text, bytes, NULL) == RILL_SUCCESS;
    }
    assert_true(good > 100);
    assert_int_equal(rl_alloc_live(), live);
}

static void every_allocation_can_fail(void **state)
{
    (void)state;
    long live = rl_alloc_live();
    rill_status status = RILL_ERROR_OUT_OF_MEMORY;
    long after = 0;
    for (; status; after++) {
        assert_int_equal(status, RILL_ERROR_OUT_OF_MEMORY);
        rl_alloc_fail_after(after);
        status = read_exact(everything, sizeof everything - 1, NULL);
        rl_alloc_fail_after(-1);
        assert_int_equal(rl_alloc_live(), live);
    }
    assert_true(after > 10);
}

/* ---- Limits ---------------------------------------------------------------------------- */

static void limits_are_kept(void **state)
{
    (void)state;
    size_t bytes = sizeof everything - 1;
    struct ptx_limits limits = { .text_bytes = bytes };
    assert_int_equal(read_exact(everything, bytes, &limits), RILL_SUCCESS);
    limits.text_bytes--;
    assert_int_equal(read_exact(everything, bytes, &limits), RILL_ERROR_OUT_OF_MEMORY);
    limits = (struct ptx_limits){ .registers = 11 };
    assert_int_equal(read_exact(everything, bytes, &limits), RILL_SUCCESS);
    limits.registers--;
    assert_int_equal(read_exact(everything, bytes, &limits), RILL_ERROR_INVALID_PTX);
    size_t most = 1;
    for (; most < 1 << 20; most += most / 8 + 1) {
        limits = (struct ptx_limits){ .module_bytes = most };
        rill_status status = read_exact(everything, bytes, &limits);
        if (!status) break;
        assert_int_equal(status, RILL_ERROR_OUT_OF_MEMORY);
    }
    assert_in_range(most, 8000, 200000);
}

/* The text and `count` times the part behind it. */
static char *repeat(const char *begin, const char *part, size_t count, const char *end)
{
    size_t bytes = strlen(begin), each = strlen(part);
    char *text = malloc(bytes + each * count + strlen(end) + 1);
    assert_non_null(text);
    memcpy(text, begin, bytes);
    for (size_t i = 0; i < count; i++) memcpy(text + bytes + i * each, part, each);
    strcpy(text + bytes + each * count, end);
    return text;
}

static void check_repeated(const char *begin, const char *part, const char *end,
                           rill_status status)
{
    char *text = repeat(begin, part, 50000, end);
    assert_int_equal(read_exact(text, strlen(text), NULL), status);
    free(text);
}

static void what_is_said_often_takes_no_longer_than_it_is(void **state)
{
    (void)state;
    check_repeated(HEAD BEGIN, "{", "", RILL_ERROR_INVALID_PTX);
    check_repeated(HEAD BEGIN "mov.u32 %r1, ", "(", "", RILL_ERROR_INVALID_PTX);
    check_repeated(HEAD BEGIN "mov.u32 %r1, ", "1?", "", RILL_ERROR_INVALID_PTX);
    check_repeated(HEAD BEGIN "mov.u32 %r1, 1", "+1", ";" END, RILL_SUCCESS);
    check_repeated(HEAD BEGIN "mov.u32 ", "{", "", RILL_ERROR_INVALID_PTX);
    check_repeated(HEAD BEGIN "mov.u32 {%r1", ", %r2", "};" END, RILL_SUCCESS);
    check_repeated(HEAD BEGIN, "bra L; ", "L:" END, RILL_SUCCESS);
    check_repeated(HEAD BEGIN, "bra L; ", END, RILL_ERROR_INVALID_PTX);
    check_repeated(HEAD BEGIN "{{{{{{{{{{{{{{{{", "bra L; ", "}}}}}}}}}}}}}}}} L:" END,
                   RILL_SUCCESS);
    check_repeated(HEAD BEGIN, "{ .reg .b32 x; mov.b32 x, %r1; }", END, RILL_SUCCESS);
    check_repeated(HEAD BEGIN "T: .branchtargets L", ", L", "; L:" END, RILL_SUCCESS);
    check_repeated(HEAD ".global .u8 x[] = {1", ", 1", "};", RILL_SUCCESS);
    check_repeated(HEAD ".global .u8 x", "[2]", ";", RILL_ERROR_INVALID_PTX);
    check_repeated(HEAD, ".extern .global .u32 x;\n", "", RILL_SUCCESS);
    check_repeated(HEAD, ".func f();", "", RILL_SUCCESS);
    check_repeated(HEAD ".func f(.param .b32 _", ", .param .b32 _", ");", RILL_SUCCESS);
    check_repeated(HEAD ".section x {", "{", "", RILL_ERROR_INVALID_PTX);
    check_repeated(HEAD, "/* */ // \n", "", RILL_SUCCESS);
    check_repeated(HEAD, "/*", "", RILL_ERROR_INVALID_PTX);
    check_repeated(HEAD ".file 1 \"", "x", "", RILL_ERROR_INVALID_PTX);
    check_repeated(HEAD ".global .u32 ", "x", ";", RILL_SUCCESS);
    check_repeated(HEAD ".global .f64 x = 1", "1", ".0;", RILL_ERROR_INVALID_PTX);
    check_repeated(HEAD ".global .u64 x = 0", "1", ";", RILL_ERROR_INVALID_PTX);
}

/* Seconds of the processor that it takes to find out that a text is wrong. */
static double time_of(const char *begin, const char *part, size_t count)
{
    char *text = repeat(begin, part, count, "");
    clock_t began = clock();
    assert_int_equal(read_exact(text, strlen(text), NULL), RILL_ERROR_INVALID_PTX);
    double seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    free(text);
    return seconds;
}

/* A comment that does not end is no comment: what stands behind it is skipped like the rest. */
static void comments_that_do_not_end_are_looked_for_once(void **state)
{
    (void)state;
    double closed = time_of(HEAD ".pragma ", "/* */ x ", 50000);
    double open = time_of(HEAD ".pragma ", "/* x ", 50000);
    assert_true(open < 20 * closed + 0.1);
}

/* Two bits of letters, as far apart as a product carries the first one to the second: they
 * cancel each other out in half of all simple hashes. */
static void names_that_were_chosen_are_told_apart(void **state)
{
    static const char *const pairs[][2] = {
        { "aaaaaaapaaaaaaap", "aaaaaaa0aaaacaa0" }, { "aaaaaaaa", "aaaaaaab" }, { "a", "aa" },
    };
    uint64_t dice = 7;
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        unsigned alike = 0;
        for (unsigned n = 0; n < 1000; n++) {
            uint64_t seed = next(&dice) << 33 ^ next(&dice);
            alike += ptx_hash(seed, pairs[i][0], strlen(pairs[i][0])) ==
                     ptx_hash(seed, pairs[i][1], strlen(pairs[i][1]));
        }
        assert_in_range(alike, 0, 3);
    }
}

/* ---- What compilers write -------------------------------------------------------------- */

static unsigned read_folder(const char *folder)
{
    unsigned count = 0;
    char path[1024];
    DIR *files = opendir(folder);
    if (!files) return 0;
    for (struct dirent *file; (file = readdir(files)) != NULL;) {
        const char *dot = strrchr(file->d_name, '.');
        if (!dot || strcmp(dot, ".ptx") != 0) continue;
        snprintf(path, sizeof path, "%s/%s", folder, file->d_name);
        size_t bytes;
        struct ptx_module *module;
        struct ptx_refusal refusal;
        char *text = reading_file(path, &bytes);
        assert_non_null(text);
        if (ptx_read(text, bytes, NULL, &module, &refusal))
            fail_msg("%s: %s", path, refusal.message);
        assert_true(module->function_count > 0);
        ptx_module_free(module);
        free(text);
        count++;
    }
    closedir(files);
    return count;
}

static void what_compilers_wrote_is_read(void **state)
{
    (void)state;
    assert_true(read_folder(PTX_TEXTS "/driver") >= 2);
    assert_true(read_folder(PTX_TEXTS "/ptx/cuda") >= 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_may_end_anywhere),
        cmocka_unit_test(texts_are_changed_at_random),
        cmocka_unit_test(every_allocation_can_fail),
        cmocka_unit_test(limits_are_kept),
        cmocka_unit_test(what_is_said_often_takes_no_longer_than_it_is),
        cmocka_unit_test(comments_that_do_not_end_are_looked_for_once),
        cmocka_unit_test(names_that_were_chosen_are_told_apart),
        cmocka_unit_test(what_compilers_wrote_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
