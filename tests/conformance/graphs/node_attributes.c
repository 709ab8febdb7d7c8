/* SPDX-License-Identifier: Apache-2.0
 *
 * Attributes of kernel nodes.
 */
#include <string.h>

#include "conformance/nodes.h"

static rill_node nop_node(struct fixture *f, rill_graph *graph)
{
    rill_op op = kernel_op(kernel(f, &nop_function), NULL);
    op.kernel.grid.x = 4;
    return add(graph, NULL, op);
}

static rill_attribute get(rill_graph *graph, rill_node node, rill_attribute_id id)
{
    rill_attribute attribute;
    memset(&attribute, 0x33, sizeof attribute);
    attribute.id = id;
    ok(rill_node_get_attribute(graph, node, &attribute));
    assert_int_equal(attribute.id, id);
    return attribute;
}

/* node.attr_defaults */
static void a_fresh_node_has_these_attributes(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_node node = nop_node(f, g);
    assert_int_equal(get(g, node, RILL_ATTRIBUTE_PRIORITY).priority, 0);
    assert_int_equal(get(g, node, RILL_ATTRIBUTE_COOPERATIVE).cooperative, 0);
    assert_int_equal(get(g, node, RILL_ATTRIBUTE_MEM_SYNC_DOMAIN).domain, 0);
    rill_dim3 cluster = get(g, node, RILL_ATTRIBUTE_CLUSTER).cluster;
    assert_int_equal(cluster.x | cluster.y | cluster.z, 0);
    rill_access_window window = get(g, node, RILL_ATTRIBUTE_ACCESS_WINDOW).window;
    assert_int_equal(window.base, 0);
    assert_int_equal(window.bytes, 0);
    assert_true(window.hit_ratio == 0);
    assert_int_equal(window.hit | window.miss, 0);
}

/* node.attr_access_policy */
static void an_access_window_is_kept_as_it_is(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_node node = nop_node(f, g);
    const rill_attribute good = {
        .id = RILL_ATTRIBUTE_ACCESS_WINDOW,
        .window = { .base = device_words(f, 1 << 18), .bytes = 1 << 20, .hit_ratio = 0.5f,
                    .hit = 2, .miss = 1 },
    };
    ok(rill_node_set_attribute(g, node, &good));
    rill_attribute got = get(g, node, RILL_ATTRIBUTE_ACCESS_WINDOW);
    assert_int_equal(got.window.base, good.window.base);
    assert_int_equal(got.window.bytes, 1 << 20);
    assert_true(got.window.hit_ratio == 0.5f);
    assert_int_equal(got.window.hit, 2);
    assert_int_equal(got.window.miss, 1);

    const struct {
        size_t bytes;
        float hit_ratio;
        int miss;
    } bad[] = {
        { 1 << 20, 1.5f, 1 }, { 1 << 20, -1, 1 }, { 1 << 20, 0.5f, 2 },
        { TOO_MUCH, 0.5f, 1 },
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        rill_attribute refused = good;
        refused.window.bytes = bad[i].bytes;
        refused.window.hit_ratio = bad[i].hit_ratio;
        refused.window.miss = bad[i].miss;
        is(RILL_ERROR_INVALID_VALUE, rill_node_set_attribute(g, node, &refused));
    }
    assert_int_equal(get(g, node, RILL_ATTRIBUTE_ACCESS_WINDOW).window.bytes, 1 << 20);

    rill_attribute odd = good;
    odd.window.hit = 9;
    ok(rill_node_set_attribute(g, node, &odd));
    odd.window.hit = -1;
    odd.window.miss = 9;
    odd.window.base = 0;
    odd.window.bytes = (size_t)128 << 20;
    ok(rill_node_set_attribute(g, node, &odd));
    odd.window.bytes++;
    is(RILL_ERROR_INVALID_VALUE, rill_node_set_attribute(g, node, &odd));
    const rill_attribute zero = { .id = RILL_ATTRIBUTE_ACCESS_WINDOW };
    ok(rill_node_set_attribute(g, node, &zero));
    assert_int_equal(get(g, node, RILL_ATTRIBUTE_ACCESS_WINDOW).window.bytes, 0);
}

static void set_two(struct fixture *f, rill_graph *graph, rill_node node, int *greatest)
{
    int least;
    ok(rill_context_priority_range(f->context, &least, greatest));
    const rill_attribute priority = { .id = RILL_ATTRIBUTE_PRIORITY, .priority = *greatest };
    const rill_attribute cooperative = { .id = RILL_ATTRIBUTE_COOPERATIVE, .cooperative = 1 };
    ok(rill_node_set_attribute(graph, node, &priority));
    ok(rill_node_set_attribute(graph, node, &cooperative));
}

static void has_two(rill_graph *graph, rill_node node, int greatest)
{
    assert_int_equal(get(graph, node, RILL_ATTRIBUTE_PRIORITY).priority, greatest);
    assert_int_equal(get(graph, node, RILL_ATTRIBUTE_COOPERATIVE).cooperative, 1);
}

/* node.attr_copy */
static void attributes_are_copied_from_node_to_node(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_node a = nop_node(f, g), b = nop_node(f, g);
    rill_node empty = add(g, NULL, (rill_op){ .kind = RILL_OP_EMPTY });
    int greatest;
    set_two(f, g, a, &greatest);
    const rill_attribute own = { .id = RILL_ATTRIBUTE_MEM_SYNC_DOMAIN, .domain = 1 };
    ok(rill_node_set_attribute(g, b, &own));
    ok(rill_node_copy_attributes(g, b, a));
    has_two(g, b, greatest);
    assert_int_equal(get(g, b, RILL_ATTRIBUTE_MEM_SYNC_DOMAIN).domain, 0);
    ok(rill_node_copy_attributes(g, a, a));
    has_two(g, a, greatest);
    refuses(RILL_ERROR_INVALID_VALUE, "dst", rill_node_copy_attributes(g, empty, a));
    refuses(RILL_ERROR_INVALID_VALUE, "src", rill_node_copy_attributes(g, a, empty));
    is(RILL_ERROR_INVALID_VALUE, rill_node_copy_attributes(g, NULL, a));
    is(RILL_ERROR_INVALID_VALUE, rill_node_copy_attributes(g, a, NULL));
    has_two(g, a, greatest);
}

/* node.attr_copy */
static void attributes_outlive_a_change_of_the_kernel(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_node node = nop_node(f, g);
    int greatest;
    set_two(f, g, node, &greatest);
    rill_op op = kernel_op(kernel(f, &nop_function), NULL);
    op.kernel.block.x = 2;
    ok(rill_node_set_op(g, node, &op));
    has_two(g, node, greatest);
    assert_int_equal(op_of(g, node).kernel.block.x, 2);
    assert_int_equal(op_of(g, node).kernel.attribute_count, 2);
}

static void attributes_of_the_operation_are_those_of_the_node(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    const rill_attribute attributes[] = {
        { .id = RILL_ATTRIBUTE_IGNORE },
        { .id = RILL_ATTRIBUTE_PRIORITY, .priority = -1 },
        { .id = RILL_ATTRIBUTE_PRIORITY, .priority = -2 },
    };
    rill_op op = kernel_op(kernel(f, &nop_function), NULL);
    op.kernel.attributes = attributes;
    op.kernel.attribute_count = 3;
    rill_node node = add(g, NULL, op);
    assert_int_equal(get(g, node, RILL_ATTRIBUTE_PRIORITY).priority, -2);
    assert_int_equal(op_of(g, node).kernel.attribute_count, 1);
}

/* node.get_wrong_type */
static void only_kernel_nodes_have_attributes(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_node empty = add(g, NULL, (rill_op){ .kind = RILL_OP_EMPTY });
    rill_attribute attribute = { .id = RILL_ATTRIBUTE_PRIORITY };
    refuses(RILL_ERROR_INVALID_VALUE, "node", rill_node_get_attribute(g, empty, &attribute));
    refuses(RILL_ERROR_INVALID_VALUE, "node", rill_node_set_attribute(g, empty, &attribute));
}

static void only_nodes_of_the_graph_have_attributes(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_node own = nop_node(f, g), other = nop_node(f, new_graph(f));
    rill_attribute attribute = { .id = RILL_ATTRIBUTE_PRIORITY };
    refuses(RILL_ERROR_INVALID_VALUE, "node", rill_node_get_attribute(g, other, &attribute));
    refuses(RILL_ERROR_INVALID_VALUE, "node", rill_node_set_attribute(g, other, &attribute));
    refuses(RILL_ERROR_INVALID_VALUE, "dst", rill_node_copy_attributes(g, other, own));
    refuses(RILL_ERROR_INVALID_VALUE, "src", rill_node_copy_attributes(g, own, other));
}

/* H200, driver 580, as are the other rules here that name no case. */
static void what_is_no_attribute_of_nodes_is_refused(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_node node = nop_node(f, g);
    rill_event *event = new_event(f);
    static const int ids[] = { -1, 0, 3, 6, 7, 11, 12, 15, 17, 18, 19, 20, 99 };
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        rill_attribute attribute = { .id = (rill_attribute_id)ids[i], .event = { event, 0, 0 } };
        is(RILL_ERROR_INVALID_VALUE, rill_node_get_attribute(g, node, &attribute));
        refuses(RILL_ERROR_INVALID_VALUE, "attribute->id",
                rill_node_set_attribute(g, node, &attribute));
    }
    assert_int_equal(op_of(g, node).kernel.attribute_count, 0);
}

static void what_links_are_to_do_is_set_but_not_told(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_node node = nop_node(f, g);
    rill_attribute attribute = { .id = RILL_ATTRIBUTE_NVLINK_SCHEDULING };
    ok(rill_node_set_attribute(g, node, &attribute));
    is(RILL_ERROR_INVALID_VALUE, rill_node_get_attribute(g, node, &attribute));
}

static rill_status set(rill_graph *graph, rill_node node, rill_attribute attribute)
{
    return rill_node_set_attribute(graph, node, &attribute);
}

static void a_priority_is_brought_into_range(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_node node = nop_node(f, g);
    rill_attribute far = { .id = RILL_ATTRIBUTE_PRIORITY, .priority = 100 };
    int least, greatest;
    ok(rill_context_priority_range(f->context, &least, &greatest));
    ok(rill_node_set_attribute(g, node, &far));
    assert_int_equal(get(g, node, RILL_ATTRIBUTE_PRIORITY).priority, least);
    far.priority = -100;
    ok(rill_node_set_attribute(g, node, &far));
    assert_int_equal(get(g, node, RILL_ATTRIBUTE_PRIORITY).priority, greatest);
    rill_op op = kernel_op(kernel(f, &nop_function), NULL);
    op.kernel.attributes = &far;
    op.kernel.attribute_count = 1;
    assert_int_equal(get(g, add(g, NULL, op), RILL_ATTRIBUTE_PRIORITY).priority, greatest);
}

static void numbers_are_kept_as_they_are_or_refused(void **state)
{
    static const struct {
        rill_attribute attribute;
        bool good;
    } asked[] = {
        { { .id = RILL_ATTRIBUTE_COOPERATIVE, .cooperative = 7 }, true },
        { { .id = RILL_ATTRIBUTE_COOPERATIVE, .cooperative = -1 }, true },
        { { .id = RILL_ATTRIBUTE_MEM_SYNC_DOMAIN, .domain = 1 }, true },
        { { .id = RILL_ATTRIBUTE_MEM_SYNC_DOMAIN, .domain = 2 }, false },
        { { .id = RILL_ATTRIBUTE_CLUSTER_SCHEDULING, .cluster_scheduling = 9 }, true },
        { { .id = RILL_ATTRIBUTE_SHARED_CARVEOUT, .carveout = 50 }, true },
        { { .id = RILL_ATTRIBUTE_SHARED_CARVEOUT, .carveout = 101 }, false },
        { { .id = RILL_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP, .domain_map = { 3, 0 } }, true },
        { { .id = RILL_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP, .domain_map = { 9, 0 } }, false },
    };
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_node node = nop_node(f, g);
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        rill_attribute before = get(g, node, asked[i].attribute.id);
        bool good = asked[i].good;
        is(good ? RILL_SUCCESS : RILL_ERROR_INVALID_VALUE, set(g, node, asked[i].attribute));
        rill_attribute after = get(g, node, asked[i].attribute.id);
        /* The first words hold all that was asked for. */
        assert_memory_equal(after.bytes, good ? asked[i].attribute.bytes : before.bytes,
                            asked[i].attribute.id == RILL_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP ? 2 : 4);
    }
    rill_node fresh = nop_node(f, g);
    rill_domain_map map = get(g, fresh, RILL_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP).domain_map;
    assert_int_equal(map.local, 0);
    assert_int_equal(map.remote, 1);
}

/* A grid of 4 blocks. */
static void clusters_divide_the_grid_whenever_either_is_set(void **state)
{
    static const struct {
        rill_dim3 cluster;
        bool good;
    } asked[] = {
        { { 2, 1, 1 }, true },  { { 3, 1, 1 }, false }, { { 8, 1, 1 }, false },
        { { 0, 1, 1 }, false }, { { 0, 0, 0 }, true },  { { 2, 2, 1 }, false },
        { { 4, 1, 1 }, true },
    };
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_node node = nop_node(f, g);
    rill_attribute cluster = { .id = RILL_ATTRIBUTE_CLUSTER };
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        cluster.cluster = asked[i].cluster;
        is(asked[i].good ? RILL_SUCCESS : RILL_ERROR_INVALID_CLUSTER_SIZE, set(g, node, cluster));
    }
    rill_op op = kernel_op(kernel(f, &nop_function), NULL);
    op.kernel.grid.x = 3;
    is(RILL_ERROR_INVALID_CLUSTER_SIZE, rill_node_set_op(g, node, &op));
    assert_int_equal(op_of(g, node).kernel.grid.x, 4);
    rill_node three = add(g, NULL, op);
    refuses(RILL_ERROR_INVALID_VALUE, "src", rill_node_copy_attributes(g, three, node));
}

static void a_cooperative_grid_fits_whenever_either_is_set(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_node node = nop_node(f, g);
    const rill_attribute cooperative = { .id = RILL_ATTRIBUTE_COOPERATIVE, .cooperative = 1 };
    rill_op op = kernel_op(kernel(f, &nop_function), NULL);
    op.kernel.grid.x = 1000000;
    is(RILL_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, set(g, add(g, NULL, op), cooperative));
    ok(set(g, node, cooperative));
    is(RILL_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, rill_node_set_op(g, node, &op));
    assert_int_equal(op_of(g, node).kernel.grid.x, 4);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_fresh_node_has_these_attributes),
    cmocka_unit_test(an_access_window_is_kept_as_it_is),
    cmocka_unit_test(attributes_are_copied_from_node_to_node),
    cmocka_unit_test(attributes_outlive_a_change_of_the_kernel),
    cmocka_unit_test(attributes_of_the_operation_are_those_of_the_node),
    cmocka_unit_test(only_kernel_nodes_have_attributes),
    cmocka_unit_test(only_nodes_of_the_graph_have_attributes),
    cmocka_unit_test(what_is_no_attribute_of_nodes_is_refused),
    cmocka_unit_test(what_links_are_to_do_is_set_but_not_told),
    cmocka_unit_test(a_priority_is_brought_into_range),
    cmocka_unit_test(numbers_are_kept_as_they_are_or_refused),
    cmocka_unit_test(clusters_divide_the_grid_whenever_either_is_set),
    cmocka_unit_test(a_cooperative_grid_fits_whenever_either_is_set),
};

SUITE_GROUP(node_attributes, 1);
