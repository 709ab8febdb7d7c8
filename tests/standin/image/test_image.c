/* SPDX-License-Identifier: Apache-2.0
 *
 * Images: what is read of each kind, and what is refused with which status.
 */
#include "standin/image/samples.h"

#define HEAD ".version 7.0\n.target sm_75\n.address_size 64\n"

static rill_status refused(const char *text)
{
    struct image_refusal refusal;
    struct image *image;
    rill_status status = read_bytes(text, strlen(text), &image, &refusal);
    image_free(image);
    return status;
}

/* ---- What is read ---------------------------------------------------------------------- */

static void check_param(const struct image_entry *entry, uint32_t index, uint32_t offset,
                        uint32_t bytes)
{
    assert_true(index < entry->param_count);
    assert_int_equal(entry->params[index].offset, offset);
    assert_int_equal(entry->params[index].bytes, bytes);
    assert_int_equal(offset % entry->params[index].alignment, 0);
}

static void check_entries(const struct image *image)
{
    assert_int_equal(image->entry_count, 3);
    const struct image_entry *nop = image_find_entry(image, "nop");
    assert_non_null(nop);
    assert_int_equal(nop->param_count, 0);
    assert_int_equal(nop->param_bytes, 0);
    assert_int_equal(nop->static_shared, 0);
    assert_int_equal(nop->max_threads, 0);
    const struct image_entry *big = image_find_entry(image, "big");
    assert_non_null(big);
    assert_int_equal(big->param_count, 2);
    assert_int_equal(big->param_bytes, 5008);
    check_param(big, 0, 0, 5000);
    check_param(big, 1, 5000, 8);
    const struct image_entry *mix = image_find_entry(image, "_Z3mixh5mixed6float4Pit");
    if (!mix) mix = image_find_entry(image, "mix");
    assert_non_null(mix);
    assert_int_equal(mix->param_count, 5);
    assert_int_equal(mix->param_bytes, 58);
    check_param(mix, 0, 0, 1);
    check_param(mix, 1, 8, 24);
    check_param(mix, 2, 32, 16);
    check_param(mix, 3, 48, 8);
    check_param(mix, 4, 56, 2);
    assert_int_equal(mix->max_threads, 256);
    assert_int_equal(mix->static_shared, 32);
    assert_null(image_find_entry(image, "mi"));
    assert_null(image_find_entry(image, "counter"));
}

static const struct image_variable *variable(const struct image *image, const char *name,
                                             uint64_t bytes, enum image_space space)
{
    const struct image_variable *found = image_find_variable(image, name);
    assert_non_null(found);
    assert_int_equal(found->bytes, bytes);
    assert_int_equal(found->space, space);
    assert_true(found->initial_bytes <= bytes);
    assert_false(found->external);
    assert_false(found->managed);
    return found;
}

static void check_begins(const struct image_variable *found, const void *bytes, size_t count)
{
    assert_int_equal(found->initial_bytes, count);
    assert_memory_equal(found->initial, bytes, count);
}

/* The link at this offset. */
static void check_link(const struct image_variable *found, uint64_t offset, const char *name,
                       int64_t addend)
{
    const struct image_link *link = NULL;
    for (uint32_t i = 0; i < found->link_count; i++)
        if (found->links[i].offset == offset) link = &found->links[i];
    assert_non_null(link);
    assert_string_equal(link->name, name);
    assert_int_equal(link->addend, addend);
    assert_int_equal(link->bytes, 8);
}

/* Only of machine code: the PTX of an image begins as the simulator says. */
static void check_what_variables_begin_with(const struct image *image)
{
    static const double table[] = { 1, 2, 3.5, -1 };
    const struct image_variable *words = image_find_variable(image, "words");
    const struct image_variable *links = image_find_variable(image, "links");
    check_begins(image_find_variable(image, "counter"), "\7\0\0", 4);
    check_begins(image_find_variable(image, "table"), table, 32);
    assert_true(words->initial_bytes >= 5);
    assert_memory_equal(words->initial, "\1\0\xfe\xff\3", 5);
    assert_int_equal(image_find_variable(image, "blank")->initial_bytes, 0);
    assert_int_equal(links->link_count, 2);
    check_link(links, 0, "counter", 0);
    check_link(links, 8, "blank", 16);
}

static void check_variables(const struct image *image)
{
    assert_int_equal(image->variable_count, 5);
    assert_int_equal(variable(image, "counter", 4, IMAGE_GLOBAL)->alignment % 4, 0);
    variable(image, "table", 32, IMAGE_GLOBAL);
    variable(image, "words", 6, IMAGE_CONSTANT);
    variable(image, "blank", 400, IMAGE_GLOBAL);
    variable(image, "links", 16, IMAGE_GLOBAL);
    if (image->binary) check_what_variables_begin_with(image);
    assert_null(image_find_variable(image, "nop"));
}

static void every_kind_of_image_has_the_same_kernels_and_variables(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        struct image *image = read_sound(samples[i].bytes, samples[i].count);
        check_entries(image);
        check_variables(image);
        assert_int_equal(image->binary, samples[i].binary);
        assert_int_equal(image->architecture, samples[i].binary ? 90 : 75);
        assert_int_equal(image->text != NULL, samples[i].text);
        if (image->text) assert_int_equal(strlen(image->text), image->text_bytes);
        image_free(image);
    }
}

static void an_image_says_its_own_size(void **state)
{
    (void)state;
    struct image_refusal refusal;
    struct image *image;
    for (size_t i = 0; i < SAMPLES; i++) {
        void *copy = malloc(samples[i].count);
        assert_non_null(copy);
        memcpy(copy, samples[i].bytes, samples[i].count);
        assert_int_equal(image_read(copy, 0, &target, &image, &refusal), RILL_SUCCESS);
        free(copy);
        check_entries(image);
        image_free(image);
    }
    assert_int_equal(image_read(HEAD ".entry a(){ret;}", 0, &target, &image, &refusal), 0);
    assert_non_null(image_find_entry(image, "a"));
    image_free(image);
}

static void a_struct_may_point_at_a_fatbin(void **state)
{
    (void)state;
    struct {
        uint32_t magic, version;
        const void *fatbin, *more;
    } pointer = { 0x466243b1, 1, sample_text_lz4, NULL };
    struct image_refusal refusal;
    struct image *image;
    assert_int_equal(image_read(&pointer, 0, &target, &image, &refusal), RILL_SUCCESS);
    check_entries(image);
    image_free(image);
    /* In a file it points nowhere. */
    assert_int_equal(image_read(&pointer, sizeof pointer, &target, &image, &refusal),
                     RILL_ERROR_INVALID_IMAGE);
    pointer.fatbin = sample_cubin;
    assert_int_equal(image_read(&pointer, 0, &target, &image, &refusal),
                     RILL_ERROR_INVALID_IMAGE);
    pointer.fatbin = NULL;
    assert_int_equal(image_read(&pointer, 0, &target, &image, &refusal),
                     RILL_ERROR_INVALID_IMAGE);
}

/* ---- What is refused --------------------------------------------------------------------- */

/* The statuses were measured on an H200 with driver 580.159. */
static void what_is_no_image_is_refused_as_the_driver_does(void **state)
{
    (void)state;
    assert_int_equal(refused("this is not a module image at all, only text"),
                     RILL_ERROR_INVALID_IMAGE);
    struct image_refusal refusal;
    struct image *image;
    assert_int_equal(image_read("", 0, &target, &image, &refusal), RILL_ERROR_INVALID_IMAGE);
    assert_int_equal(refused(HEAD ".visible .entry x() { nonsense; }\n"), RILL_ERROR_INVALID_PTX);
    assert_int_equal(refused(".version 99.0\n.target sm_75\n.address_size 64\n"),
                     RILL_ERROR_UNSUPPORTED_PTX_VERSION);
    assert_int_equal(refused(HEAD), RILL_SUCCESS);
    assert_int_equal(refused(".version 7.0\n.target sm_100\n"), RILL_ERROR_INVALID_PTX);
}

static void code_for_another_device_is_refused(void **state)
{
    (void)state;
    static const struct image_target others[] = { { 80, 90 }, { 86, 90 }, { 100, 90 }, { 89, 90 } };
    struct image_refusal refusal;
    struct image *image;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_int_equal(image_read(sample_cubin, sizeof sample_cubin, &others[i], &image,
                                    &refusal), RILL_ERROR_NO_BINARY_FOR_GPU);
        /* Its PTX is for all of them. */
        assert_int_equal(image_read(sample_both_zstd, sizeof sample_both_zstd, &others[i], &image,
                                    &refusal), RILL_SUCCESS);
        assert_false(image->binary);
        check_entries(image);
        image_free(image);
    }
    static const struct image_target old = { 70, 90 }, minor = { 92, 90 };
    assert_int_equal(image_read(sample_both_zstd, sizeof sample_both_zstd, &old, &image, &refusal),
                     RILL_ERROR_NO_BINARY_FOR_GPU);
    assert_non_null(strstr(refusal.message, "sm_70"));
    assert_int_equal(image_read(sample_cubin, sizeof sample_cubin, &minor, &image, &refusal),
                     RILL_SUCCESS);
    image_free(image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_image_has_the_same_kernels_and_variables),
        cmocka_unit_test(an_image_says_its_own_size),
        cmocka_unit_test(a_struct_may_point_at_a_fatbin),
        cmocka_unit_test(what_is_no_image_is_refused_as_the_driver_does),
        cmocka_unit_test(code_for_another_device_is_refused),
    };
    return cmocka_run_group_tests_name("standin/image", tests, NULL, NULL);
}
