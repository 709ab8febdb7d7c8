/* SPDX-License-Identifier: Apache-2.0
 *
 * Batches of value operations as nodes.
 */
#include <string.h>

#include "conformance/nodes.h"

static rill_value write32(rill_devptr address, uint32_t value)
{
    return (rill_value){ .kind = RILL_VALUE_WRITE_32, .address = address, .value = value };
}

static void a_value_node_gives_back_what_it_was_given(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_devptr d = device_words(f, 4);
    rill_value items[] = {
        write32(d, 5),
        { .kind = RILL_VALUE_WAIT_64, .flags = RILL_WAIT_EQ, .address = d + 8, .value = 6 },
        { .kind = RILL_VALUE_BARRIER },
    };
    const size_t bytes = sizeof items;
    rill_value copy[3];
    memcpy(copy, items, bytes);
    rill_node node = add(g, NULL, values_op(items, 3));
    memset(items, 0, bytes);
    rill_op got = op_of(g, node);
    assert_int_equal(got.kind, RILL_OP_VALUES);
    assert_int_equal(got.values.count, 3);
    assert_int_equal(got.values.flags, 0);
    assert_memory_equal(got.values.items, copy, bytes);
}

/* node.batch_bad */
static void a_batch_may_be_empty_and_hold_255(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_devptr d = device_words(f, 300);
    static rill_value items[300];
    for (size_t i = 0; i < 300; i++) items[i] = write32(d + 4 * i, 1);
    rill_op got = op_of(g, add(g, NULL, values_op(items, 0)));
    assert_int_equal(got.values.count, 0);
    assert_null(got.values.items);
    add(g, NULL, values_op(items, 255));
    refused_for(RILL_ERROR_INVALID_VALUE, "count", g, values_op(items, 256));
    refused(RILL_ERROR_INVALID_VALUE, g, values_op(items, 257));
    refused(RILL_ERROR_INVALID_VALUE, g, values_op(NULL, 1));
    rill_op flags = values_op(items, 1);
    flags.values.flags = 1;
    refused_for(RILL_ERROR_INVALID_VALUE, "flags", g, flags);
}

/* node.batch_bad */
static void a_bad_item_refuses_the_batch(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_devptr d = device_words(f, 4);
    const rill_value bad[] = {
        { .kind = (rill_value_kind)0, .address = d },
        { .kind = (rill_value_kind)7, .address = d },
        { .kind = (rill_value_kind)99, .address = d },
        write32(d + 2, 1),
        { .kind = RILL_VALUE_WRITE_64, .address = d + 4 },
        { .kind = RILL_VALUE_WRITE_32, .address = d, .flags = 0x10 },
        { .kind = RILL_VALUE_WRITE_32, .address = d, .flags = RILL_WRITE_NO_MEMORY_BARRIER },
        { .kind = RILL_VALUE_WAIT_32, .address = d, .flags = 8 },
        { .kind = RILL_VALUE_BARRIER, .flags = 2 },
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const rill_value items[] = { write32(d, 1), bad[i] };
        refused(RILL_ERROR_INVALID_VALUE, g, values_op(items, 2));
    }
    const rill_value flush = { .kind = RILL_VALUE_FLUSH_REMOTE_WRITES };
    refused(RILL_ERROR_NOT_SUPPORTED, g, values_op(&flush, 1));
    const rill_value wait = { .kind = RILL_VALUE_WAIT_32, .flags = RILL_WAIT_FLUSH, .address = d };
    refused(RILL_ERROR_NOT_SUPPORTED, g, values_op(&wait, 1));
    const rill_value barrier = { .kind = RILL_VALUE_BARRIER, .flags = 1 }; /* H200, driver 580 */
    add(g, NULL, values_op(&barrier, 1));
}

/* node.batch_bad: addr0 */
static void an_address_is_not_looked_for_before_the_node_runs(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    const rill_value nowhere = write32(0, 1);
    add(g, NULL, values_op(&nowhere, 1));
}

static void a_value_node_takes_other_values(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_devptr d = device_words(f, 4);
    rill_value items[] = { write32(d, 1), write32(d + 4, 2) };
    rill_node node = add(g, NULL, values_op(items, 2));
    items[0].value = 7;
    items[1].address = d + 8;
    rill_op op = values_op(items, 2);
    ok(rill_node_set_op(g, node, &op));
    rill_op got = op_of(g, node);
    assert_memory_equal(got.values.items, items, sizeof items);
    /* H200, driver 580: how many there are and of which kinds may change. */
    const rill_value wait = { .kind = RILL_VALUE_WAIT_32, .address = d };
    op = values_op(&wait, 1);
    ok(rill_node_set_op(g, node, &op));
    assert_int_equal(op_of(g, node).values.count, 1);
    op = values_op(NULL, 0);
    ok(rill_node_set_op(g, node, &op));
    op = values_op(items, 2);
    ok(rill_node_set_op(g, node, &op));
    rill_value misaligned = write32(d + 1, 1);
    op = values_op(&misaligned, 1);
    refuses(RILL_ERROR_INVALID_VALUE, "address", rill_node_set_op(g, node, &op));
    got = op_of(g, node);
    assert_memory_equal(got.values.items, items, sizeof items);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_value_node_gives_back_what_it_was_given),
    cmocka_unit_test(a_batch_may_be_empty_and_hold_255),
    cmocka_unit_test(a_bad_item_refuses_the_batch),
    cmocka_unit_test(an_address_is_not_looked_for_before_the_node_runs),
    cmocka_unit_test(a_value_node_takes_other_values),
};

SUITE_GROUP(node_values, 1);
