/* SPDX-License-Identifier: Apache-2.0
 *
 * What an image has of PTX text: kernels with their parameters and blocks, variables, and
 * why a text is refused.  How PTX is read is tested with its reader (tests/ptx).
 */
#include "support/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "standin/image/image.h"

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
        ".func (.reg .pred p) f(.reg .b32 x) { .shared .b8 s[4]; ret; }\n"
        ".visible .entry k();\n"
        ".visible .entry k() { ret; }\n"
        ".entry declared();");
    assert_int_equal(image->entry_count, 1);
    assert_string_equal(image->entries[0].name, "k");
    assert_int_equal(image->variable_count, 0);
    image_free(image);
}

static void what_does_nothing_is_empty(void **state)
{
    (void)state;
    struct image *image = read_text(HEAD
        ".entry a() { .reg .pred p; ret; }\n"
        ".entry b() { exit; }\n"
        ".entry c() { }\n"
        ".entry d() { trap; }");
    assert_true(entry(image, "a")->empty);
    assert_true(entry(image, "b")->empty);
    assert_true(entry(image, "c")->empty);
    assert_false(entry(image, "d")->empty);
    image_free(image);
}

static void shared_memory_counts_where_it_is_used(void **state)
{
    (void)state;
    struct image *image = read_text(HEAD
        ".extern .shared .align 16 .b8 dynamic[];\n"
        ".shared .align 8 .b8 common[24];\n"
        ".func f() { .shared .align 4 .b8 s[12]; .reg .b64 r; mov.u64 r, s; ret; }\n"
        ".entry a() { .shared .align 8 .b8 x[8]; .reg .b64 r; mov.u64 r, common; }\n"
        ".entry b() { .reg .b64 r; mov.u64 r, dynamic; mov.u64 r, common; }\n"
        ".entry c() { call f; }\n"
        ".entry d() { ret; }");
    assert_int_equal(entry(image, "a")->static_shared, 32);
    assert_int_equal(entry(image, "b")->static_shared, 32); /* up to where `dynamic` begins */
    assert_int_equal(entry(image, "c")->static_shared, 12);
    assert_int_equal(entry(image, "d")->static_shared, 0);
    image_free(image);
}

/* ---- Variables ---------------------------------------------------------------------------- */

static const struct image_variable *variable(const struct image *image, const char *name)
{
    const struct image_variable *found = image_find_variable(image, name);
    if (!found) fail_msg("there is no variable %s", name);
    return found;
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
        ".extern .const .u32 known; .visible .const .u32 known = 3;");
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
    image_free(image);
}

/* ---- What is wrong -------------------------------------------------------------------------- */

static void wrong_text_is_refused_with_its_line(void **state)
{
    (void)state;
    static const struct { const char *text, *why; } cases[] = {
        { "rubbish", "line 4, column 1, at 'rubbish'" },
        { "\n\n.entry k() { nonsense; }", "line 6, column 14, at 'nonsense'" },
        { ".entry k(", "and the text ends here" },
        { ".entry k(.param .b8 a[32765]) { ret; }", "1 to 32764 bytes" },
        { ".entry k() { .shared .b8 x[250000]; }", "up to 232448 bytes" },
        { ".entry k() {} .entry k() {}", "at 'k'" },
        { ".global .u32 a[2] = { 1, 2, 3 };", "line 4, column 29" },
        { ".global .u32 a;\n.entry k() { mov.u32 r, a; }", "line 5, column 22, at 'r'" },
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
    check_refused(".version 7.0\n", RILL_ERROR_INVALID_PTX, "'.target sm_90'");
    check_refused(".version x\n.target sm_75", RILL_ERROR_INVALID_PTX, "such as 9.0");
    check_refused(".version 9.1\n.target sm_75 rubbish", RILL_ERROR_UNSUPPORTED_PTX_VERSION,
                  "the newest PTX that is understood is 9.0");
    check_refused(".version 8.0\n.target sm_91", RILL_ERROR_INVALID_PTX, "sm_91");
    image_free(read_text("  // first\n.version 9.0\n.target sm_90a, debug\n"));
}

/* A driver understands the PTX of its time. */
static void an_older_driver_understands_older_text(void **state)
{
    (void)state;
    static const struct image_target older = { 90, 78 };
    static const char *const texts[] = { ".version 7.8\n.target sm_75\n",
                                         ".version 7.9\n.target sm_75\nrubbish" };
    struct image_refusal refusal;
    struct image *image;
    assert_int_equal(image_read(texts[0], 0, &older, &image, &refusal), RILL_SUCCESS);
    image_free(image);
    assert_int_equal(image_read(texts[1], 0, &older, &image, &refusal),
                     RILL_ERROR_UNSUPPORTED_PTX_VERSION);
    assert_non_null(strstr(refusal.message, "7.8"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_lie_where_their_alignment_puts_them),
        cmocka_unit_test(what_is_said_of_blocks_is_read),
        cmocka_unit_test(only_kernels_are_entries),
        cmocka_unit_test(what_does_nothing_is_empty),
        cmocka_unit_test(shared_memory_counts_where_it_is_used),
        cmocka_unit_test(variables_have_sizes_and_places),
        cmocka_unit_test(wrong_text_is_refused_with_its_line),
        cmocka_unit_test(the_head_is_looked_at_first),
        cmocka_unit_test(an_older_driver_understands_older_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
