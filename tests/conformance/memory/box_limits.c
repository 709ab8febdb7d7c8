/* SPDX-License-Identifier: Apache-2.0
 *
 * Which boxes are copied and which are refused.
 */
#include "conformance/work.h"

struct scene {
    struct fixture *fixture;
    rill_devptr a, b; /* 4 MB each */
};

static struct scene prepare(struct fixture *f)
{
    struct scene scene = { f, 0, 0 };
    ok(rill_mem_alloc(f->context, 4 * MB, &scene.a));
    ok(rill_mem_alloc(f->context, 4 * MB, &scene.b));
    return scene;
}

/* 16 bytes from a to b. */
static rill_copy plain(const struct scene *scene, size_t height, size_t depth)
{
    return (rill_copy){ .dst = rill_device_place(scene->b), .src = rill_device_place(scene->a),
                        .width = 16, .height = height, .depth = depth };
}

static rill_copy pitched(const struct scene *scene, size_t height, size_t depth, size_t pitch)
{
    rill_copy copy = plain(scene, height, depth);
    copy.src.pitch = copy.dst.pitch = pitch;
    return copy;
}

static void answers(const struct scene *scene, rill_status status, rill_copy copy)
{
    struct fixture *f = scene->fixture;
    is(status, rill_memcpy_box(f->context, &copy));
    is(status, rill_memcpy_box_async(f->per_thread, &copy));
    rill_op op = { .kind = RILL_OP_MEMCPY, .memcpy = copy };
    is(status, rill_stream_submit(f->per_thread, &op));
    ok(rill_context_synchronize(f->context));
}

#define TAKEN(scene, height, depth, change)                  \
    do {                                                     \
        rill_copy c = plain(&scene, height, depth);          \
        change;                                              \
        answers(&scene, RILL_SUCCESS, c);                    \
    } while (0)

#define REFUSED(scene, height, depth, change)                \
    do {                                                     \
        rill_copy c = plain(&scene, height, depth);          \
        change;                                              \
        answers(&scene, RILL_ERROR_INVALID_VALUE, c);        \
    } while (0)

/* p.box3_sync: w0, h0, d0, w0bad, h0bad, h0type, w0pitch */
static void a_box_without_volume_copies_nothing_from_anywhere(void **state)
{
    struct scene s = prepare(*state);
    TAKEN(s, 1, 1, c.width = 0);
    TAKEN(s, 0, 1, (void)0);
    TAKEN(s, 1, 0, (void)0);
    TAKEN(s, 1, 1, (c.width = 0, c.src.address = 0x1000));
    TAKEN(s, 0, 1, c.src.address = 0x1000);
    TAKEN(s, 0, 1, c.src.kind = (rill_memory_kind)9);
    TAKEN(s, 2, 1, (c.width = 0, c.src.pitch = 1));
}

/* p.box3_sync: type0, type9, array */
static void kinds_of_memory_that_are_none_are_refused(void **state)
{
    struct scene s = prepare(*state);
    REFUSED(s, 1, 1, c.src.kind = (rill_memory_kind)0);
    REFUSED(s, 1, 1, c.dst.kind = (rill_memory_kind)9);
    REFUSED(s, 1, 1, c.src.kind = (rill_memory_kind)3);
}

/* p.box3_sync: h2p8, h1p8, h2p15, h2p17, h2x, h2x20, h1x_p16 */
static void a_pitch_is_at_least_as_wide_as_the_row_with_its_offset(void **state)
{
    struct scene s = prepare(*state);
    REFUSED(s, 2, 1, c.src.pitch = c.dst.pitch = 8);
    REFUSED(s, 1, 1, c.src.pitch = c.dst.pitch = 8);
    REFUSED(s, 2, 1, (c.src.pitch = 15, c.dst.pitch = 32));
    REFUSED(s, 2, 1, (c.src.pitch = 32, c.dst.pitch = 15));
    TAKEN(s, 2, 1, (c.src.pitch = 17, c.dst.pitch = 33));
    REFUSED(s, 2, 1, (c.src.pitch = c.dst.pitch = 16, c.src.x = 4));
    REFUSED(s, 1, 1, (c.src.pitch = 16, c.src.x = 4));
    TAKEN(s, 2, 1, (c.src.pitch = c.dst.pitch = 20, c.src.x = 4));
}

/* p.box3_sync: d2h1, d2h2, d2y, d1h1, d1h1y, d1h1z, z_h0 */
static void a_slice_has_at_least_the_rows_of_the_region_with_its_offset(void **state)
{
    struct scene s = prepare(*state);
    REFUSED(s, 2, 2, (c.src.pitch = c.dst.pitch = 16, c.src.rows = 1, c.dst.rows = 2));
    TAKEN(s, 2, 2, (c.src.pitch = c.dst.pitch = 16, c.src.rows = 2, c.dst.rows = 3));
    REFUSED(s, 2, 2, (c.src.pitch = c.dst.pitch = 16, c.src.rows = 2, c.dst.rows = 3, c.src.y = 1));
    REFUSED(s, 2, 1, (c.src.pitch = c.dst.pitch = 16, c.src.rows = c.dst.rows = 1));
    REFUSED(s, 1, 1, (c.src.pitch = c.dst.pitch = 16, c.src.rows = c.dst.rows = 1, c.src.y = 3));
    REFUSED(s, 2, 1, (c.src.pitch = c.dst.pitch = 16, c.src.rows = 1, c.src.z = 1));
    TAKEN(s, 1, 1, (c.src.z = 1, c.src.pitch = 16));
}

/* p.box3_sync: fit, fit_x, last_short, last_short_over, over_rows, over_y */
static void only_the_bytes_that_are_touched_must_be_inside(void **state)
{
    struct scene s = prepare(*state);
    const size_t rows = 4 * MB / 1024;
    answers(&s, RILL_SUCCESS, pitched(&s, rows, 1, 1024));
    rill_copy copy = pitched(&s, rows, 1, 1024);
    copy.width = 1024;
    answers(&s, RILL_SUCCESS, copy);
    copy.width = 1000;
    copy.src.address = s.a + 24; /* the last row ends where the allocation does */
    answers(&s, RILL_SUCCESS, copy);
    copy.src.address = s.a + 25;
    answers(&s, RILL_ERROR_INVALID_VALUE, copy);
    answers(&s, RILL_ERROR_INVALID_VALUE, pitched(&s, rows + 1, 1, 1024));
    copy = pitched(&s, rows, 1, 1024);
    copy.dst.y = 1;
    answers(&s, RILL_ERROR_INVALID_VALUE, copy);
    copy = pitched(&s, 1024, 4, 1024);
    answers(&s, RILL_SUCCESS, copy);
    copy.src.z = 1;
    answers(&s, RILL_ERROR_INVALID_VALUE, copy);
    copy.depth = 3;
    answers(&s, RILL_SUCCESS, copy);
}

/* q.base_outside */
static void a_box_is_inside_one_allocation_from_its_base_on(void **state)
{
    struct scene s = prepare(*state);
    rill_devptr other = device_words(*state, 128); /* 512 bytes */
    REFUSED(s, 1, 1, c.src.x = 4 * MB);
    REFUSED(s, 1, 1, c.src.x = 4 * MB - 8);
    REFUSED(s, 1, 1, (c.src.address = other - 64, c.src.x = 64));
    REFUSED(s, 1, 1, (c.src.address = 0x1000, c.src.x = s.a - 0x1000));
    REFUSED(s, 1, 1, (c.src.address = 0, c.src.x = s.a));
    REFUSED(s, 2, 1, (c.src.address = other, c.src.pitch = 512));
}

/* p.box3_sync: over_w, huge_w, huge_h, huge_d, huge_x, huge_y, huge_z */
static void sizes_and_offsets_that_wrap_around_are_refused(void **state)
{
    struct scene s = prepare(*state);
    REFUSED(s, 1, 1, c.width = 4 * MB + 1);
    REFUSED(s, 1, 1, c.width = SIZE_MAX);
    REFUSED(s, SIZE_MAX, 1, c.src.pitch = c.dst.pitch = 1024);
    REFUSED(s, SIZE_MAX, 1, (void)0);
    REFUSED(s, 1, SIZE_MAX, (void)0);
    REFUSED(s, 1, 1, c.src.x = SIZE_MAX);
    REFUSED(s, 1, 1, c.src.y = SIZE_MAX);
    REFUSED(s, 1, 1, c.src.z = SIZE_MAX);
    REFUSED(s, TOO_MANY, TOO_MANY, (void)0);
    REFUSED(s, 2, 1, c.src.pitch = SIZE_MAX / 2 + 1);
}

/* p.box3_sync: p_2g, p_5g, h_2g */
static void a_pitch_beyond_the_allocation_does_not_matter_to_one_row(void **state)
{
    struct scene s = prepare(*state);
    TAKEN(s, 1, 1, c.src.pitch = c.dst.pitch = (size_t)1 << 31);
    TAKEN(s, 1, 1, c.src.pitch = c.dst.pitch = (size_t)5 << 30);
    REFUSED(s, 2, 1, c.src.pitch = c.dst.pitch = (size_t)1 << 31);
}

/* p.box3_sync: h_null, h_null_w0, dev_is_host, dev_is_pinned, pinned, h_dev */
static void host_places_take_host_memory_and_device_memory(void **state)
{
    struct scene s = prepare(*state);
    static char host[256];
    char *pin = pinned(*state, 256);
    TAKEN(s, 1, 1, c.src = rill_host_place(host));
    TAKEN(s, 1, 1, c.dst = rill_host_place(host));
    TAKEN(s, 1, 1, c.src = rill_host_place(pin));
    TAKEN(s, 1, 1, c.src = rill_host_place((void *)(uintptr_t)s.b));
    TAKEN(s, 1, 1, c.src = rill_device_place(at(pin)));
    TAKEN(s, 1, 1, (c.src = rill_host_place(NULL), c.width = 0));
    REFUSED(s, 1, 1, c.src = rill_host_place(NULL));
    REFUSED(s, 1, 1, c.dst = rill_host_place(NULL));
    REFUSED(s, 1, 1, c.src = rill_device_place(at(host)));
    REFUSED(s, 2, 1, (c.src = rill_host_place(host), c.src.pitch = 8));
    REFUSED(s, 1, 1, c.src = rill_host_place((void *)(uintptr_t)(s.a + 4 * MB - 8)));
}

static void let_the_address_say(rill_place *place, rill_devptr address)
{
    *place = (rill_place){ .kind = RILL_MEMORY_UNIFIED, .address = address };
}

/* p.box3_sync: uni, uni_host, uni_hosthost, uni_null, uni_over, uni_pin */
static void unified_places_work_out_what_they_are(void **state)
{
    struct scene s = prepare(*state);
    static char host[256];
    TAKEN(s, 1, 1, let_the_address_say(&c.src, s.a));
    TAKEN(s, 1, 1, let_the_address_say(&c.src, at(host)));
    TAKEN(s, 1, 1, (let_the_address_say(&c.src, at(host)),
                    let_the_address_say(&c.dst, at(host) + 64)));
    TAKEN(s, 1, 1, let_the_address_say(&c.src, at(pinned(*state, 64))));
    REFUSED(s, 1, 1, let_the_address_say(&c.src, 0));
    REFUSED(s, 1, 1, let_the_address_say(&c.src, s.a + 4 * MB - 8));
}

static void no_box_is_refused(void **state)
{
    struct fixture *f = *state;
    refuses(RILL_ERROR_INVALID_VALUE, "copy", rill_memcpy_box(f->context, NULL));
    refuses(RILL_ERROR_INVALID_VALUE, "copy", rill_memcpy_box_async(f->per_thread, NULL));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_box_without_volume_copies_nothing_from_anywhere),
    cmocka_unit_test(kinds_of_memory_that_are_none_are_refused),
    cmocka_unit_test(a_pitch_is_at_least_as_wide_as_the_row_with_its_offset),
    cmocka_unit_test(a_slice_has_at_least_the_rows_of_the_region_with_its_offset),
    cmocka_unit_test(only_the_bytes_that_are_touched_must_be_inside),
    cmocka_unit_test(a_box_is_inside_one_allocation_from_its_base_on),
    cmocka_unit_test(sizes_and_offsets_that_wrap_around_are_refused),
    cmocka_unit_test(a_pitch_beyond_the_allocation_does_not_matter_to_one_row),
    cmocka_unit_test(host_places_take_host_memory_and_device_memory),
    cmocka_unit_test(unified_places_work_out_what_they_are),
    cmocka_unit_test(no_box_is_refused),
};

SUITE_GROUP(box_limits, 1);
