/* SPDX-License-Identifier: Apache-2.0
 *
 * No image, however broken, makes the reader look where it must not, and without memory
 * nothing is kept of one.
 */
#include "base/alloc.h"
#include "standin/image/samples.h"
#include "support/random.h"
#include "support/sized_platform.h"

/* Looks at all that an image says. */
static void look_through(const struct image *image)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < image->entry_count; i++) {
        const struct image_entry *entry = &image->entries[i];
        sum += strlen(entry->name);
        for (uint32_t j = 0; j < entry->param_count; j++) {
            assert_true(entry->params[j].offset + entry->params[j].bytes <= entry->param_bytes);
            assert_true(entry->params[j].alignment > 0);
        }
    }
    for (uint32_t i = 0; i < image->variable_count; i++) {
        const struct image_variable *found = &image->variables[i];
        assert_true(found->initial_bytes <= found->bytes);
        for (uint64_t j = 0; j < found->initial_bytes; j++) sum += found->initial[j];
        for (uint32_t j = 0; j < found->link_count; j++) {
            sum += strlen(found->links[j].name);
            assert_true(found->links[j].offset + found->links[j].bytes <= found->bytes);
        }
    }
    if (image->text) sum += strlen(image->text);
    assert_true(sum < UINT64_MAX);
}

static void read_anything(const unsigned char *bytes, size_t count)
{
    struct image_refusal refusal;
    struct image *image;
    if (count && !read_bytes(bytes, count, &image, &refusal)) {
        look_through(image);
        image_free(image);
    }
}

static void an_image_that_is_cut_off_is_read_no_further(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        size_t step = (size_t)(1 + (4000 / sized_scaled(4000)));
        for (size_t count = samples[i].count; count > step; count -= count < 400 ? 1 : step)
            read_anything(samples[i].bytes, count - 1);
    }
}

static void an_image_has_no_more_bytes_than_there_are_addresses(void **state)
{
    (void)state;
    const size_t sizes[] = { SIZE_MAX, SIZE_MAX - 1, SIZE_MAX - 65536, (size_t)1 << 63 };
    for (size_t i = 0; i < SAMPLES * 4; i++) {
        struct image_refusal refusal;
        struct image *image;
        assert_int_equal(image_read(samples[i / 4].bytes, sizes[i % 4], &target, &image, &refusal),
                         RILL_ERROR_INVALID_VALUE);
        assert_int_equal(refusal.status, RILL_ERROR_INVALID_VALUE);
        assert_non_null(strstr(refusal.message, "more than an image can have"));
    }
}

/* Bytes that mean something more often than others. */
static unsigned char telling_byte(struct dice *dice)
{
    static const unsigned char bytes[] = { 0, 1, 2, 4, 0x7f, 0x80, 0xfe, 0xff, '{', '}', '(', ')',
                                           ',', ';', '.', '[', ']', '"', '=', '-', '9', '@' };
    if (dice_chance(dice, 30)) return (unsigned char)dice_next(dice);
    return bytes[dice_below(dice, sizeof bytes)];
}

static void spoil(struct dice *dice, unsigned char *bytes, size_t count)
{
    for (int changes = 1 + dice_below(dice, 6); changes; changes--) {
        size_t at = (size_t)dice_below(dice, (int)count);
        size_t run = dice_chance(dice, 80) ? 1 : (size_t)(1 + dice_below(dice, 8));
        for (; run && at < count; run--, at++) bytes[at] = telling_byte(dice);
    }
}

static void an_image_with_wrong_bytes_is_read_or_refused(void **state)
{
    (void)state;
    struct dice dice = { 5 };
    for (int i = 0; i < sized_scaled(8000); i++) {
        const struct sample *sample = &samples[i % SAMPLES];
        unsigned char *bytes = malloc(sample->count);
        assert_non_null(bytes);
        memcpy(bytes, sample->bytes, sample->count);
        spoil(&dice, bytes, sample->count);
        read_anything(bytes, sample->count);
        free(bytes);
    }
}

/* The text alone, with pieces of it moved about. */
static void text_in_disorder_is_read_or_refused(void **state)
{
    (void)state;
    struct image *image = read_sound(sample_text_plain, sizeof sample_text_plain);
    size_t count = image->text_bytes;
    unsigned char *bytes = malloc(count);
    assert_non_null(bytes);
    struct dice dice = { 6 };
    for (int i = 0; i < sized_scaled(8000); i++) {
        memcpy(bytes, image->text, count);
        size_t length = (size_t)(1 + dice_below(&dice, 60));
        size_t from = (size_t)dice_below(&dice, (int)(count - length));
        size_t to = (size_t)dice_below(&dice, (int)(count - length));
        memmove(bytes + to, bytes + from, length);
        if (dice_chance(&dice, 50)) spoil(&dice, bytes, count);
        read_anything(bytes, count);
    }
    free(bytes);
    image_free(image);
}

static void without_memory_an_image_is_refused_and_nothing_is_kept(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        long before = rl_alloc_live(), after = 0;
        for (rill_status status = RILL_ERROR_UNKNOWN; status; after++) {
            struct image_refusal refusal;
            struct image *image = NULL;
            rl_alloc_fail_after(after);
            status = image_read(samples[i].bytes, samples[i].count, &target, &image, &refusal);
            rl_alloc_fail_after(-1);
            if (status) assert_int_equal(status, RILL_ERROR_OUT_OF_MEMORY);
            image_free(image);
            assert_int_equal(rl_alloc_live(), before);
            assert_true(after < 1000);
        }
        assert_true(after > 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_image_that_is_cut_off_is_read_no_further),
        cmocka_unit_test(an_image_has_no_more_bytes_than_there_are_addresses),
        cmocka_unit_test(an_image_with_wrong_bytes_is_read_or_refused),
        cmocka_unit_test(text_in_disorder_is_read_or_refused),
        cmocka_unit_test(without_memory_an_image_is_refused_and_nothing_is_kept),
    };
    return cmocka_run_group_tests_name("standin/image_hostile", tests, NULL, NULL);
}
