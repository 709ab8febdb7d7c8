/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies and fills as nodes.
 */
#include "conformance/nodes.h"

/* ---- Copies ------------------------------------------------------------------------ */

static rill_op within(rill_devptr dst, rill_devptr src, size_t bytes)
{
    return copy_op(rill_device_place(dst), rill_device_place(src), bytes);
}

static void is_the_place(const rill_place *got, const rill_place *given)
{
    assert_int_equal(got->kind, given->kind);
    assert_int_equal(got->address, given->address);
    assert_int_equal(got->pitch, given->pitch);
    assert_int_equal(got->rows, given->rows);
    assert_int_equal(got->x, given->x);
    assert_int_equal(got->y, given->y);
    assert_int_equal(got->z, given->z);
    assert_ptr_equal(got->context, given->context);
}

/* By field, since what lies between them is anything. */
static void is_the_copy(const rill_copy *got, const rill_copy *given)
{
    is_the_place(&got->dst, &given->dst);
    is_the_place(&got->src, &given->src);
    assert_int_equal(got->width, given->width);
    assert_int_equal(got->height, given->height);
    assert_int_equal(got->depth, given->depth);
}

/* node.memcpy_roundtrip */
static void a_copy_node_gives_back_what_it_was_given(void **state)
{
    struct fixture *f = *state;
    static char host[64];
    rill_graph *g = new_graph(f);
    rill_devptr d = device_words(f, 256);
    rill_op op = copy_op(rill_device_place(d), rill_host_place(host), 16);
    rill_op got = op_of(g, add(g, NULL, op));
    assert_int_equal(got.kind, RILL_OP_MEMCPY);
    is_the_copy(&got.memcpy, &op.memcpy);

    op = within(d, d + 512, 8);
    op.memcpy.height = 2;
    op.memcpy.src.pitch = 32;
    op.memcpy.dst.pitch = 16;
    op.memcpy.src.x = 4;
    op.memcpy.dst.y = 1;
    got = op_of(g, add(g, NULL, op));
    is_the_copy(&got.memcpy, &op.memcpy);

    op = within(d, d + 512, 8);
    op.memcpy.dst.kind = op.memcpy.src.kind = RILL_MEMORY_UNIFIED;
    got = op_of(g, add(g, NULL, op));
    is_the_copy(&got.memcpy, &op.memcpy);
}

static rill_place pitched(rill_place place, size_t pitch)
{
    place.pitch = pitch;
    return place;
}

/* node.memcpy_bad */
static void copies_that_cannot_be_are_refused(void **state)
{
    struct fixture *f = *state;
    static char host[16]; /* pageable memory is not the device's: node.memcpy_mixed_up */
    rill_graph *g = new_graph(f);
    const rill_devptr d = device_words(f, 256);
    const rill_place dst = rill_device_place(d), src = rill_device_place(d + 512);
    const struct {
        rill_place dst, src;
        size_t width, height, depth;
        const char *blamed; /* NULL: nobody asks */
    } bad[] = {
        { dst, src, 0, 1, 1, "width" },
        { dst, src, 16, 0, 1, "height" },
        { dst, src, 16, 1, 0, "depth" },
        { dst, rill_device_place(0), 16, 1, 1, "src" },
        { rill_device_place(0), src, 16, 1, 1, NULL },
        { dst, rill_host_place(NULL), 16, 1, 1, NULL },
        { dst, { .kind = (rill_memory_kind)0, .address = d + 512 }, 16, 1, 1, NULL },
        { { .kind = (rill_memory_kind)9, .address = d }, src, 16, 1, 1, NULL },
        { pitched(dst, 8), pitched(src, 8), 16, 2, 1, NULL },
        { dst, src, SIZE_MAX / 4, 1, 1, NULL },
        { dst, rill_device_place(at(host)), 16, 1, 1, NULL },
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        rill_op op = copy_op(bad[i].dst, bad[i].src, bad[i].width);
        op.memcpy.height = bad[i].height;
        op.memcpy.depth = bad[i].depth;
        refused(RILL_ERROR_INVALID_VALUE, g, op);
        if (bad[i].blamed) blames("rill_graph_add_node", bad[i].blamed);
    }
}

/* node.memcpy_bad, node.memcpy_mixed_up */
static void odd_copies_are_taken(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_devptr d = device_words(f, 256);
    const rill_op good = within(d, d + 512, 16);
    rill_op op = good;
    op.memcpy.height = 2;
    add(g, NULL, op);
    op.memcpy.depth = 2;
    op.memcpy.src.pitch = op.memcpy.dst.pitch = 16;
    add(g, NULL, op);
    op.memcpy.src.rows = op.memcpy.dst.rows = 2;
    add(g, NULL, op);
    op = good;
    op.memcpy.src.address = d + 8; /* they overlap */
    add(g, NULL, op);
    op.memcpy.src.address = d;
    add(g, NULL, op);
    op = good;
    op.memcpy.src.kind = RILL_MEMORY_HOST; /* but it is the device's */
    add(g, NULL, op);
    op = good;
    op.memcpy.src.address = at(pinned(f, 64)); /* but it is the host's */
    add(g, NULL, op);
}

static void a_copy_node_takes_another_copy(void **state)
{
    struct fixture *f = *state;
    static char host[64];
    rill_graph *g = new_graph(f);
    rill_devptr d = device_words(f, 256);
    rill_node node = add(g, NULL, within(d, d + 512, 16));
    rill_op op = copy_op(rill_host_place(host), rill_device_place(d + 4), 8);
    ok(rill_node_set_op(g, node, &op));
    rill_op bad = op;
    bad.memcpy.width = 0;
    refuses(RILL_ERROR_INVALID_VALUE, "width", rill_node_set_op(g, node, &bad));
    rill_op got = op_of(g, node);
    is_the_copy(&got.memcpy, &op.memcpy);
}

/* ---- Fills --------------------------------------------------------------------------- */

/* node.memset_roundtrip: the pitch of a single row included */
static void a_fill_node_gives_back_what_it_was_given(void **state)
{
    struct fixture *f = *state;
    static const struct {
        uint32_t element;
        size_t width, height, pitch;
    } fills[] = { { 1, 5, 1, 0 }, { 2, 5, 1, 3 }, { 4, 5, 1, 777 }, { 4, 5, 2, 64 },
                  { 1, 5, 3, 16 } };
    rill_graph *g = new_graph(f);
    rill_devptr d = device_words(f, 256);
    for (size_t i = 0; i < sizeof fills / sizeof *fills; i++) {
        rill_op op = {
            .kind = RILL_OP_MEMSET,
            .memset = { .dst = d, .pitch = fills[i].pitch, .value = 0x12345678,
                        .element_bytes = fills[i].element, .width = fills[i].width,
                        .height = fills[i].height },
        };
        rill_op got = op_of(g, add(g, NULL, op));
        assert_int_equal(got.kind, RILL_OP_MEMSET);
        assert_int_equal(got.memset.dst, d);
        assert_int_equal(got.memset.pitch, fills[i].pitch);
        /* node.memset_value_width: of the value as much as is used */
        uint32_t used = fills[i].element < 4 ? (1u << 8 * fills[i].element) - 1 : UINT32_MAX;
        assert_int_equal(got.memset.value & used, 0x12345678 & used);
        assert_int_equal(got.memset.element_bytes, fills[i].element);
        assert_int_equal(got.memset.width, fills[i].width);
        assert_int_equal(got.memset.height, fills[i].height);
    }
}

/* node.memset_bad */
static void fills_that_cannot_be_are_refused(void **state)
{
    struct fixture *f = *state;
    static const struct {
        uint32_t element;
        size_t offset, width, height, pitch;
        bool good;
    } fills[] = {
        { 0, 0, 4, 1, 0, false },  { 1, 0, 4, 1, 0, true },   { 2, 0, 4, 1, 0, true },
        { 3, 0, 4, 1, 0, false },  { 4, 0, 4, 1, 0, true },   { 8, 0, 4, 1, 0, false },
        { 16, 0, 4, 1, 0, false }, { 4, 0, 0, 1, 0, false },  { 4, 0, 4, 0, 0, false },
        { 4, 0, 0, 0, 0, false },  { 4, 0, 4, 2, 0, false },  { 4, 0, 4, 2, 15, false },
        { 4, 0, 4, 2, 16, true },  { 4, 0, 4, 2, 18, false }, { 2, 1, 4, 1, 0, false },
        { 4, 1, 4, 1, 0, false },  { 4, 2, 4, 1, 0, false },  { 1, 1, 4, 1, 0, true },
    };
    rill_graph *g = new_graph(f);
    rill_devptr d = device_words(f, 256);
    for (size_t i = 0; i < sizeof fills / sizeof *fills; i++) {
        rill_op op = {
            .kind = RILL_OP_MEMSET,
            .memset = { .dst = d + fills[i].offset, .pitch = fills[i].pitch,
                        .element_bytes = fills[i].element, .width = fills[i].width,
                        .height = fills[i].height },
        };
        if (fills[i].good) add(g, NULL, op);
        else refused(RILL_ERROR_INVALID_VALUE, g, op);
    }
    refused(RILL_ERROR_INVALID_VALUE, g, fill_op(0, 1, 4));
    refused(RILL_ERROR_INVALID_VALUE, g, fill_op(d, 1, 257));
}

/* node.memset_set */
static void a_fill_node_takes_another_fill(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_devptr d = device_words(f, 64);
    rill_node node = add(g, NULL, fill_op(d, 7, 4));
    rill_op bad = fill_op(d, 9, 4);
    bad.memset.element_bytes = 3;
    is(RILL_ERROR_INVALID_VALUE, rill_node_set_op(g, node, &bad));
    bad = fill_op(d, 9, 0);
    is(RILL_ERROR_INVALID_VALUE, rill_node_set_op(g, node, &bad));
    bad = fill_op(0, 9, 4);
    is(RILL_ERROR_INVALID_VALUE, rill_node_set_op(g, node, &bad));
    assert_int_equal(op_of(g, node).memset.value, 7);
    rill_op good = {
        .kind = RILL_OP_MEMSET,
        .memset = { .dst = d + 8, .pitch = 32, .value = 0x1234, .element_bytes = 2, .width = 3,
                    .height = 2 },
    };
    ok(rill_node_set_op(g, node, &good));
    rill_op got = op_of(g, node);
    assert_memory_equal(&got.memset, &good.memset, sizeof good.memset);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_copy_node_gives_back_what_it_was_given),
    cmocka_unit_test(copies_that_cannot_be_are_refused),
    cmocka_unit_test(odd_copies_are_taken),
    cmocka_unit_test(a_copy_node_takes_another_copy),
    cmocka_unit_test(a_fill_node_gives_back_what_it_was_given),
    cmocka_unit_test(fills_that_cannot_be_are_refused),
    cmocka_unit_test(a_fill_node_takes_another_fill),
};

SUITE_GROUP(node_copies, 1);
