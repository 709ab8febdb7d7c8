/* SPDX-License-Identifier: Apache-2.0
 *
 * What is read of PTX text, case by case.
 */
#include "support/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "standin/image.h"

#define HEAD ".version 8.1\n.target sm_75\n.address_size 64\n"

static rill_status try_text(const char *text, struct image **image, struct image_refusal *refusal)
{
    static const struct image_target target = { 90, 90 };
    size_t count = strlen(text);
    char *copy = malloc(count);
    assert_non_null(copy);
    memcpy(copy, text, count);
    rill_status status = image_read(copy, count, &target, image, refusal);
    free(copy);
    return status;
}

static struct image *read_text(const char *text)
{
    struct image_refusal refusal;
    struct image *image;
    if (try_text(text, &image, &refusal)) fail_msg("%s\n%s", text, refusal.message);
    return image;
}

static void check_refused(const char *text, rill_status status, const char *why)
{
    struct image_refusal refusal;
    struct image *image;
    rill_status got = try_text(text, &image, &refusal);
    if (got != status || !strstr(refusal.message, why))
        fail_msg("%s\nrefused with %d: %s", text, (int)got, got ? refusal.message : "not at all");
}

static const struct image_entry *entry(const struct image *image, const char *name)
{
    const struct image_entry *found = image_find_entry(image, name);
    if (!found) fail_msg("there is no kernel %s", name);
    return found;
}

/* ---- Kernels ----------------------------------------------------------------------------- */

static void parameters_lie_where_their_alignment_puts_them(void **state)
{
    (void)state;
    struct image *image = read_text(HEAD
        ".visible .entry k(.param .u8 a, .param .align 8 .b8 b[24], .param .f16 c,\n"
        "  .param .u64 .ptr .global .align 4 d, .param .v4 .f32 e, .param .b8 f[2][3],\n"
        "  .param .s32 g) { ret; }");
    static const uint32_t offsets[] = { 0, 8, 32, 40, 48, 64, 72 };
    static const uint32_t bytes[] = { 1, 24, 2, 8, 16, 6, 4 };
    static const uint32_t alignments[] = { 1, 8, 2, 8, 16, 1, 4 };
    const struct image_entry *k = entry(image, "k");
    assert_int_equal(k->param_count, 7);
    for (uint32_t i = 0; i < 7; i++) {
        assert_int_equal(k->params[i].offset, offsets[i]);
        assert_int_equal(k->params[i].bytes, bytes[i]);
        assert_int_equal(k->params[i].alignment, alignments[i]);
    }
    assert_int_equal(k->param_bytes, 76);
    image_free(image);
}

static void what_is_said_of_blocks_is_read(void **state)
{
    (void)state;
    struct image *image = read_text(HEAD
        ".entry a() .maxntid 32, 4, 2 .minnctapersm 2 .maxnreg 64 .pragma \"x\"; { ret; }\n"
        ".entry b() .reqntid 64 { ret; }\n"
        ".entry c .explicitcluster .reqnctapercluster 2, 1, 1 { exit; }\n"
        ".entry d() { }");
    assert_int_equal(entry(image, "a")->max_threads, 256);
    assert_int_equal(entry(image, "a")->block[0], 0);
    assert_int_equal(entry(image, "b")->max_threads, 64);
    assert_int_equal(entry(image, "b")->block[0], 64);
    assert_int_equal(entry(image, "b")->block[2], 1);
    assert_int_equal(entry(image, "c")->cluster[0], 2);
    assert_int_equal(entry(image, "d")->max_threads, 0);
    assert_int_equal(image->entry_count, 4);
    image_free(image);
}

static void only_kernels_are_entries(void **state)
{
    (void)state;
    struct image *image = read_text(HEAD
        ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n"
        ".func (.reg .pred p) f(.reg .b32 x);\n"
        ".func (.reg .pred p) f(.reg .b32 x) .noreturn { .shared .b8 s[4]; ret; }\n"
        ".weak .func g { .reg .b32 t; { call (t), h, (t, f); } }\n"
        ".alias g, f;\n"
        ".entry k();\n"
        ".visible .entry k() { L: .branchtargets L; @!p bra L; @p ret; ld.v2.u32 {a, b}, [c+4]; }");
    assert_int_equal(image->entry_count, 1);
    assert_string_equal(image->entries[0].name, "k");
    assert_int_equal(image->variable_count, 0);
    image_free(image);
}

static void shared_memory_counts_where_it_is_used(void **state)
{
    (void)state;
    struct image *image = read_text(HEAD
        ".extern .shared .align 16 .b8 dynamic[];\n"
        ".shared .align 8 .b8 common[24];\n"
        ".entry a() { .shared .u8 x; { .shared .align 4 .b8 y[6], z[2]; } mov.u64 r, common; }\n"
        ".entry b() { mov.u64 r, dynamic; mov.u64 r, common; add.u64 r, common, common; }\n"
        ".entry c() { ret; }");
    assert_int_equal(entry(image, "a")->static_shared, 40);
    assert_int_equal(entry(image, "b")->static_shared, 24);
    assert_int_equal(entry(image, "c")->static_shared, 0);
    image_free(image);
}

static void comments_and_debug_information_are_passed_over(void **state)
{
    (void)state;
    struct image *image = read_text("// a } comment\n/* .entry no() { */\n# 1 \"a.cu\"\n" HEAD
        ".file 1 \"a \\ { b.cu\", 1234, 56\n"
        "@@DWARF .section .debug_info { \n"
        ".section .debug_str { L: .b8 1,2,0 }\n"
        ".entry k(/* nothing */) { .loc 1 2 3 .loc 1 4 5, function_name $L_i, inlined_at 1 2 3\n"
        "  .loc 1 7 1, function_name $L_i+8, inlined_at 1 2 3 ret; .pragma \"no;unroll\"; }\n"
        "/* that is not closed");
    assert_int_equal(image->entry_count, 1);
    image_free(image);
}

/* ---- Variables ---------------------------------------------------------------------------- */

static const struct image_variable *variable(const struct image *image, const char *name)
{
    const struct image_variable *found = image_find_variable(image, name);
    if (!found) fail_msg("there is no variable %s", name);
    return found;
}

static void check_begins(const struct image *image, const char *name, const void *bytes,
                         size_t count)
{
    const struct image_variable *found = variable(image, name);
    assert_int_equal(found->initial_bytes, count);
    assert_memory_equal(found->initial, bytes, count);
}

static void variables_have_sizes_and_places(void **state)
{
    (void)state;
    struct image *image = read_text(HEAD
        ".global .u32 a, b[3], c[2][5];\n"
        ".visible .global .attribute(.managed) .align 64 .b8 d[100];\n"
        ".global .v4 .f32 e[2];\n"
        ".const .u16 f;\n"
        ".global .texref t;\n"
        ".extern .global .align 4 .b8 outside[];\n"
        ".extern .const .u32 known; .const .u32 known = 3;");
    static const struct { const char *name; uint64_t bytes; uint32_t alignment; } want[] = {
        { "a", 4, 4 }, { "b", 12, 4 }, { "c", 40, 4 }, { "d", 100, 64 }, { "e", 32, 16 },
        { "f", 2, 2 }, { "t", 8, 8 }, { "outside", 0, 4 }, { "known", 4, 4 },
    };
    assert_int_equal(image->variable_count, sizeof want / sizeof *want);
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        const struct image_variable *found = variable(image, want[i].name);
        assert_int_equal(found->bytes, want[i].bytes);
        assert_int_equal(found->alignment, want[i].alignment);
        assert_int_equal(found->managed, i == 3);
        assert_int_equal(found->external, i == 7);
        assert_int_equal(found->space, i == 5 || i == 8 ? IMAGE_CONSTANT : IMAGE_GLOBAL);
    }
    check_begins(image, "known", "\3\0\0", 4);
    image_free(image);
}

static void variables_begin_with_their_values(void **state)
{
    (void)state;
    struct image *image = read_text(HEAD
        ".global .u32 a = 0x10U, b = -1, c = 010, d = 0b101;\n"
        ".global .f32 e[4] = { 0f3F800000, 1.5, -2.5e-1, 3 };\n"
        ".global .f64 f = 0d3FF0000000000000, g = 1e3;\n"
        ".global .b8 h[2][3] = { {1}, {2, 3} };\n"
        ".global .b16 i[] = { 1, 2, 3 };\n"
        ".global .v2 .u8 j[2] = { {1, 2}, {3, 4} };\n"
        ".global .b8 k[6] = { 1, 2, 3, 4 };\n"
        ".global .u64 l[3] = { 18446744073709551615, 0, 1 };");
    static const float e[] = { 1, 1.5f, -0.25f };
    static const double f = 1, g = 1000;
    check_begins(image, "a", "\x10\0\0", 4);
    check_begins(image, "b", "\xff\xff\xff\xff", 4);
    check_begins(image, "c", "\x08\0\0", 4);
    check_begins(image, "d", "\5\0\0", 4);
    assert_memory_equal(variable(image, "e")->initial, e, sizeof e);
    check_begins(image, "f", &f, 8);
    check_begins(image, "g", &g, 8);
    check_begins(image, "h", "\1\0\0\2\3", 5);
    check_begins(image, "i", "\1\0\2\0\3", 6);
    assert_int_equal(variable(image, "i")->bytes, 6);
    check_begins(image, "j", "\1\2\3\4", 4);
    check_begins(image, "k", "\1\2\3\4", 4);
    check_begins(image, "l", "\xff\xff\xff\xff\xff\xff\xff\xff\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0", 24);
    image_free(image);
}

static void check_link(const struct image_link *link, uint64_t offset, const char *name,
                       int64_t addend, uint32_t bytes, uint32_t shift)
{
    assert_int_equal(link->offset, offset);
    assert_string_equal(link->name, name);
    assert_int_equal(link->addend, addend);
    assert_int_equal(link->bytes, bytes);
    assert_int_equal(link->shift, shift);
}

static void variables_begin_with_addresses(void **state)
{
    (void)state;
    struct image *image = read_text(HEAD
        ".global .u32 a;\n"
        ".global .u64 b[4] = { a, generic(a)+8, generic(a+4)-8, 5 };\n"
        ".global .b8 c[3] = { 1, 0xff(a), 0xFF00(generic(a)) };");
    const struct image_variable *b = variable(image, "b"), *c = variable(image, "c");
    assert_int_equal(b->link_count, 3);
    check_link(&b->links[0], 0, "a", 0, 8, 0);
    check_link(&b->links[1], 8, "a", 8, 8, 0);
    check_link(&b->links[2], 16, "a", -4, 8, 0);
    assert_int_equal(b->initial[24], 5);
    assert_int_equal(c->link_count, 2);
    check_link(&c->links[0], 1, "a", 0, 1, 0);
    check_link(&c->links[1], 2, "a", 0, 1, 8);
    image_free(image);
}

/* ---- What is wrong -------------------------------------------------------------------------- */

static void wrong_text_is_refused_with_its_line(void **state)
{
    (void)state;
    static const struct { const char *text, *why; } cases[] = {
        { "rubbish", "line 4, at 'rubbish'" },
        { ".entry", "name of a function" },
        { ".entry k(", "'.param' is missing" },
        { ".entry k(.param .u32)", "a name is missing" },
        { ".entry k(.param .u33 a)", "a type is missing" },
        { ".entry k(.param .pred a)", "a type is missing" },
        { ".entry k(.param .align 3 .b8 a[4])", "power of two" },
        { ".entry k(.param .align 0 .b8 a[4])", "power of two" },
        { ".entry k(.param .b8 a[])", "1 to 32764 bytes" },
        { ".entry k(.param .b8 a[32765])", "1 to 32764 bytes" },
        { ".entry k(.param .b8 a[99999999999999999999])", "length of an array" },
        { ".entry k(.param .u32 a .param .u32 b)", "a ')' is missing" },
        { ".entry k() .maxntid {}", "number of threads" },
        { ".entry k() .maxntid 0 {}", "number of threads" },
        { ".entry k() .wrong {}", "nothing that is said" },
        { ".entry k() {", "the text ends" },
        { ".entry k() { ret }", "a ';' is missing" },
        { ".entry k() { nonsense; }", "no such instruction" },
        { ".entry k() { retx; }", "no such instruction" },
        { ".entry k() { re; }", "no such instruction" },
        { ".entry k() { @p nonsense; }", "no such instruction" },
        { ".entry k() { @; }", "a predicate" },
        { ".entry k() { 5; }", "an instruction is missing" },
        { ".entry k() { .wrong x; }", "nothing that a function" },
        { ".entry k() {} }", "nothing that a module" },
        { ".entry k() {} .entry k() {}", "'k' is there twice" },
        { ".entry k() {} .global .u32 k;", "'k' is there twice" },
        { ".extern .entry k() {}", "has no body" },
        { ".entry k()", "a ';' is missing" },
        { ".global .u32 a", "a ';' is missing" },
        { ".global .u32 a = ;", "a value is missing" },
        { ".global .u32 a = { 1, 2 };", "too many values" },
        { ".global .u32 a[2] = { 1, 2, 3 };", "too many values" },
        { ".global .u32 a[2] = {{ 1 }};", "too many braces" },
        { ".global .u32 a[2] = { 1 2 };", "a ',' is missing" },
        { ".global .u32 a[2] = { 1, 2", "a ',' is missing" },
        { ".global .u32 a = generic(5);", "name of a variable" },
        { ".global .b8 a = 0(b);", "a mask of 0" },
        { ".global .u32 a[70368744177664];", "too large" },
        { ".global .u32 a[1][1][1][1][1][1][1][1];", "too many dimensions" },
        { ".global .attribute(.managed .u32 a;", "a ')' is missing" },
        { ".address_size .x", "a number is missing" },
        { ".file 1 x", "the name of a file" },
        { ".section .debug { 1", "a '}' is missing" },
    };
    char text[256];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(text, sizeof text, HEAD "%s", cases[i].text);
        check_refused(text, RILL_ERROR_INVALID_PTX, cases[i].why);
    }
}

static void the_head_is_looked_at_first(void **state)
{
    (void)state;
    check_refused(".target sm_75\n.version 7.0\n", RILL_ERROR_INVALID_IMAGE, "begins with");
    check_refused("// .version 7.0\n", RILL_ERROR_INVALID_IMAGE, "begins with");
    check_refused(".version 7.0\n", RILL_ERROR_INVALID_PTX, "'.target' is missing");
    check_refused(".version x\n.target sm_75", RILL_ERROR_INVALID_PTX, "such as 9.0");
    check_refused(".version 7\n.target sm_75", RILL_ERROR_INVALID_PTX, "such as 9.0");
    check_refused(".version 9.1\n.target sm_75 rubbish", RILL_ERROR_UNSUPPORTED_PTX_VERSION,
                  "PTX 9.1, and the newest that is understood is 9.0");
    check_refused(".version 8.0\n.target sm_91", RILL_ERROR_INVALID_PTX, "sm_91");
    check_refused(".version 8.0\n.target 5", RILL_ERROR_INVALID_PTX, "name of a target");
    image_free(read_text("  // first\n.version 9.0\n.target sm_90a, debug\n"));
}

/* Deep and long text needs no more stack than other text. */
static void depth_and_length_are_no_burden(void **state)
{
    (void)state;
    enum { COUNT = 200000 };
    char *text = malloc(sizeof HEAD + 2 * COUNT + 64);
    assert_non_null(text);
    int head = sprintf(text, HEAD ".entry k() ");
    memset(text + head, '{', COUNT);
    memset(text + head + COUNT, '}', COUNT);
    text[head + 2 * COUNT] = 0;
    image_free(read_text(text));
    text[head + 2 * COUNT - 1] = 0;
    check_refused(text, RILL_ERROR_INVALID_PTX, "the text ends");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_lie_where_their_alignment_puts_them),
        cmocka_unit_test(what_is_said_of_blocks_is_read),
        cmocka_unit_test(only_kernels_are_entries),
        cmocka_unit_test(shared_memory_counts_where_it_is_used),
        cmocka_unit_test(comments_and_debug_information_are_passed_over),
        cmocka_unit_test(variables_have_sizes_and_places),
        cmocka_unit_test(variables_begin_with_their_values),
        cmocka_unit_test(variables_begin_with_addresses),
        cmocka_unit_test(wrong_text_is_refused_with_its_line),
        cmocka_unit_test(the_head_is_looked_at_first),
        cmocka_unit_test(depth_and_length_are_no_burden),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
