/* SPDX-License-Identifier: Apache-2.0
 *
 * Device memory in rows that start at multiples of a pitch.
 */
#include "conformance/work.h"

/* p.pitch */
static void rows_are_a_pitch_apart_and_the_allocation_holds_them_all(void **state)
{
    struct fixture *f = *state;
    static const struct { size_t width, height; uint32_t element; size_t pitch; } all[] = {
        { 1, 1, 4, 512 },   { 100, 3, 4, 512 },   { 512, 2, 8, 512 },
        { 513, 2, 16, 1024 }, { 1000, 5, 4, 1024 }, { 600, 3, 4, 1024 },
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        rill_devptr p = 0;
        size_t pitch = 0, bytes = 0;
        ok(rill_mem_alloc_pitch(f->context, all[i].width, all[i].height, all[i].element, &p,
                                &pitch));
        assert_int_equal(pitch, all[i].pitch);
        ok(rill_mem_range(f->context, p, NULL, &bytes));
        assert_int_equal(bytes, pitch * all[i].height);
        assert_int_equal(p % 256, 0);
        ok(rill_mem_free(f->context, p));
    }
}

/* p.pitch, probe.pitch */
static void elements_are_of_4_8_or_16_bytes(void **state)
{
    struct fixture *f = *state;
    for (uint32_t element = 0; element <= 32; element++) {
        rill_devptr p = 0;
        size_t pitch = 0;
        bool good = element == 4 || element == 8 || element == 16;
        is(good ? RILL_SUCCESS : RILL_ERROR_INVALID_VALUE,
           rill_mem_alloc_pitch(f->context, 64, 2, element, &p, &pitch));
        if (!good) blames("rill_mem_alloc_pitch", "element_bytes");
    }
}

/* p.pitch */
static void an_area_of_nothing_is_refused(void **state)
{
    struct fixture *f = *state;
    rill_devptr p = 0;
    size_t pitch = 0;
    is(RILL_ERROR_INVALID_VALUE, rill_mem_alloc_pitch(f->context, 0, 2, 4, &p, &pitch));
    is(RILL_ERROR_INVALID_VALUE, rill_mem_alloc_pitch(f->context, 64, 0, 4, &p, &pitch));
    is(RILL_ERROR_INVALID_VALUE, rill_mem_alloc_pitch(f->context, 0, 0, 4, &p, &pitch));
}

/* p.pitch */
static void sizes_that_do_not_fit_are_refused(void **state)
{
    struct fixture *f = *state;
    rill_devptr p = 0;
    size_t pitch = 0;
    is(RILL_ERROR_OUT_OF_MEMORY,
       rill_mem_alloc_pitch(f->context, TOO_MUCH >> 10, 1 << 10, 4, &p, &pitch));
    is(RILL_ERROR_INVALID_VALUE, rill_mem_alloc_pitch(f->context, SIZE_MAX, 1, 4, &p, &pitch));
    is(RILL_ERROR_INVALID_VALUE,
       rill_mem_alloc_pitch(f->context, SIZE_MAX - 100, 2, 4, &p, &pitch));
    is(RILL_ERROR_INVALID_VALUE,
       rill_mem_alloc_pitch(f->context, TOO_MANY, TOO_MANY, 4, &p, &pitch));
}

/* p.pitch_nullout */
static void both_outputs_are_needed(void **state)
{
    struct fixture *f = *state;
    rill_devptr p = 0;
    size_t pitch = 0;
    refuses(RILL_ERROR_INVALID_VALUE, "address",
            rill_mem_alloc_pitch(f->context, 64, 2, 4, NULL, &pitch));
    refuses(RILL_ERROR_INVALID_VALUE, "pitch",
            rill_mem_alloc_pitch(f->context, 64, 2, 4, &p, NULL));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(rows_are_a_pitch_apart_and_the_allocation_holds_them_all),
    cmocka_unit_test(elements_are_of_4_8_or_16_bytes),
    cmocka_unit_test(an_area_of_nothing_is_refused),
    cmocka_unit_test(sizes_that_do_not_fit_are_refused),
    cmocka_unit_test(both_outputs_are_needed),
};

SUITE_GROUP(pitched_memory, 1);
