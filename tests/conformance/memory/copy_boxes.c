/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies of boxes: where rows and slices are taken from and put.
 */
#include <string.h>

#include "conformance/work.h"

#define BYTES 4096

/* Four tables of words: two on the device, two on the host.  The source holds
 * 0, 1, 2, ...; the target ~0. */
struct tables {
    rill_devptr from, to;
    uint32_t *host_from, *host_to;
};

static uint32_t host_source[BYTES / 4], host_target[BYTES / 4];

static struct tables fill_tables(struct fixture *f)
{
    struct tables t = { device_words(f, BYTES / 4), device_words(f, BYTES / 4), host_source,
                        host_target };
    for (uint32_t i = 0; i < BYTES / 4; i++) host_source[i] = i;
    ok(rill_memcpy_htod(f->context, t.from, host_source, BYTES));
    return t;
}

/* Runs the copy in every pairing of device and host, synchronously and in a
 * stream; each must leave exactly these words at the start of the target (the
 * rest is untouched). */
static void writes(struct fixture *f, rill_copy copy, const char *label, const int *words,
                   size_t count)
{
    struct tables t = fill_tables(f);
    for (int way = 0; way < 8; way++) {
        bool from_host = way & 1, to_host = way & 2;
        copy.src.kind = from_host ? RILL_MEMORY_HOST : RILL_MEMORY_DEVICE;
        copy.dst.kind = to_host ? RILL_MEMORY_HOST : RILL_MEMORY_DEVICE;
        copy.src.address = from_host ? at(t.host_from) : t.from;
        copy.dst.address = to_host ? at(t.host_to) : t.to;
        memset(t.host_to, 0xff, BYTES);
        ok(rill_memset_d8(f->context, t.to, 0xff, BYTES));
        if (way & 4) ok(rill_memcpy_box_async(f->per_thread, &copy));
        else ok(rill_memcpy_box(f->context, &copy));
        ok(rill_context_synchronize(f->context));
        if (!to_host) ok(rill_memcpy_dtoh(f->context, t.host_to, t.to, BYTES));
        for (size_t i = 0; i < BYTES / 4; i++) {
            uint32_t expected = i < count ? (uint32_t)words[i] : UINT32_MAX;
            if (t.host_to[i] == expected) continue;
            fail_msg("%s, way %d: word %zu is %d, not %d", label, way, i, (int)t.host_to[i],
                     (int)expected);
        }
    }
}

#define WRITES(f, copy, ...)                                                  \
    do {                                                                      \
        const int words_[] = { __VA_ARGS__ };                                 \
        writes(f, copy, #__VA_ARGS__, words_, sizeof words_ / sizeof *words_); \
    } while (0)

#define _ -1 /* a word that is left alone */

/* Two words wide. */
static rill_copy box(size_t height, size_t depth)
{
    return (rill_copy){ .width = 8, .height = height, .depth = depth };
}

/* q.zero_pitch_dd and its like */
static void one_row_is_a_flat_copy(void **state)
{
    WRITES(*state, box(1, 1), 0, 1);
}

static void without_pitches_rows_follow_each_other(void **state)
{
    WRITES(*state, box(2, 1), 0, 1, 2, 3);
    WRITES(*state, box(2, 2), 0, 1, 2, 3, 4, 5, 6, 7);
}

static void each_side_has_a_pitch_of_its_own(void **state)
{
    rill_copy copy = box(2, 1);
    copy.dst.pitch = 16;
    WRITES(*state, copy, 0, 1, _, _, 2, 3);
    copy.src.pitch = 12;
    WRITES(*state, copy, 0, 1, _, _, 3, 4);
    copy.dst.pitch = 0;
    WRITES(*state, copy, 0, 1, 3, 4);
}

static void offsets_count_bytes_and_rows(void **state)
{
    rill_copy copy = box(2, 1);
    copy.src.pitch = copy.dst.pitch = 16;
    copy.src.x = 4;
    WRITES(*state, copy, 1, 2, _, _, 5, 6);
    copy.src.y = 1;
    WRITES(*state, copy, 5, 6, _, _, 9, 10);
    copy.dst.x = 8;
    WRITES(*state, copy, _, _, 5, 6, _, _, 9, 10);
    copy.dst.y = 1;
    WRITES(*state, copy, _, _, _, _, _, _, 5, 6, _, _, 9, 10);
}

/* A pitch of zero is as tight as the region with its offset. */
static void offsets_widen_a_row_without_pitch(void **state)
{
    rill_copy copy = box(2, 1);
    copy.src.x = 4;
    copy.dst.pitch = 16;
    WRITES(*state, copy, 1, 2, _, _, 4, 5);
    copy = box(1, 1);
    copy.src.y = 1;
    WRITES(*state, copy, 2, 3);
    copy.src.x = 4;
    WRITES(*state, copy, 4, 5);
    copy = box(2, 1);
    copy.dst.x = 4;
    WRITES(*state, copy, _, 0, 1, _, 2, 3);
    copy = box(1, 1);
    copy.dst.y = 1;
    WRITES(*state, copy, _, _, 0, 1);
}

static void slices_are_rows_apart(void **state)
{
    rill_copy copy = box(2, 2);
    copy.src.pitch = copy.dst.pitch = 8;
    copy.src.rows = 3;
    copy.dst.rows = 2;
    WRITES(*state, copy, 0, 1, 2, 3, 6, 7, 8, 9);
    copy.dst.rows = 3;
    WRITES(*state, copy, 0, 1, 2, 3, _, _, 6, 7, 8, 9);
    copy = box(1, 2);
    copy.src.rows = 3;
    copy.src.pitch = 16;
    WRITES(*state, copy, 0, 1, 12, 13);
}

static void without_a_row_count_slices_follow_each_other(void **state)
{
    rill_copy copy = box(2, 2);
    copy.src.pitch = copy.dst.pitch = 16;
    WRITES(*state, copy, 0, 1, _, _, 4, 5, _, _, 8, 9, _, _, 12, 13);
    copy.src.y = 1;
    WRITES(*state, copy, 4, 5, _, _, 8, 9, _, _, 16, 17, _, _, 20, 21);
}

static void offsets_count_slices(void **state)
{
    rill_copy copy = box(1, 1);
    copy.src.z = 1;
    WRITES(*state, copy, 2, 3);
    copy.src.pitch = 16;
    WRITES(*state, copy, 4, 5);
    copy.height = 2;
    WRITES(*state, copy, 8, 9, 12, 13);
    copy.height = 1;
    copy.src.y = 1;
    WRITES(*state, copy, 12, 13);
    copy = box(1, 1);
    copy.src.z = 1;
    copy.src.rows = 2;
    WRITES(*state, copy, 4, 5);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(one_row_is_a_flat_copy),
    cmocka_unit_test(without_pitches_rows_follow_each_other),
    cmocka_unit_test(each_side_has_a_pitch_of_its_own),
    cmocka_unit_test(offsets_count_bytes_and_rows),
    cmocka_unit_test(offsets_widen_a_row_without_pitch),
    cmocka_unit_test(slices_are_rows_apart),
    cmocka_unit_test(without_a_row_count_slices_follow_each_other),
    cmocka_unit_test(offsets_count_slices),
};

SUITE_GROUP(copy_boxes, 1);
