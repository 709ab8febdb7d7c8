/* SPDX-License-Identifier: Apache-2.0
 *
 * How much memory a device keeps for graphs, and faults of work that comes too
 * early or too late for it.
 */
#include <string.h>

#include "conformance/nodes.h"

#define SIZE (8 * MB)

static uint64_t value(struct fixture *f, rill_graph_memory_attribute attribute)
{
    uint64_t is = 0;
    ok(rill_device_get_graph_memory(f->platform, 0, attribute, &is));
    return is;
}

/* Whether each of used, its high, reserved, its high is at least SIZE. */
#define numbers_are(f, used, used_high, reserved, reserved_high)                                  \
    do {                                                                                          \
        assert_int_equal(value(f, RILL_GRAPH_MEMORY_USED_CURRENT) >= SIZE, used);                 \
        assert_int_equal(value(f, RILL_GRAPH_MEMORY_USED_HIGH) >= SIZE, used_high);               \
        assert_int_equal(value(f, RILL_GRAPH_MEMORY_RESERVED_CURRENT) >= SIZE, reserved);         \
        assert_int_equal(value(f, RILL_GRAPH_MEMORY_RESERVED_HIGH) >= SIZE, reserved_high);       \
        assert_true(value(f, RILL_GRAPH_MEMORY_USED_CURRENT) <=                                   \
                    value(f, RILL_GRAPH_MEMORY_RESERVED_CURRENT));                                \
    } while (0)

static rill_status go(rill_exec *exec, rill_stream *stream)
{
    rill_status status = rill_exec_launch(exec, stream), end = rill_stream_synchronize(stream);
    return status ? status : end;
}

static void reset(struct fixture *f)
{
    ok(rill_device_trim_graph_memory(f->platform, 0));
    ok(rill_device_set_graph_memory(f->platform, 0, RILL_GRAPH_MEMORY_USED_HIGH, 0));
    ok(rill_device_set_graph_memory(f->platform, 0, RILL_GRAPH_MEMORY_RESERVED_HIGH, 0));
}

/* gmem.attr_life */
static void memory_of_graphs_comes_with_a_launch_and_goes_with_a_trim(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_stream *s = new_non_blocking(f);
    rill_devptr p;
    reset(f);
    numbers_are(f, 0, 0, 0, 0);
    rill_node a = add_alloc(g, NULL, SIZE, &p);
    add(g, a, fill_op(p, 1, 1));
    rill_exec *x = new_exec(f, g);
    numbers_are(f, 0, 0, 0, 0);
    ok(go(x, s));
    numbers_are(f, 1, 1, 1, 1);
    ok(rill_device_trim_graph_memory(f->platform, 0));
    numbers_are(f, 1, 1, 1, 1);
    assert_int_equal(peek(f, p), 1);
    ok(rill_mem_free(f->context, p));
    numbers_are(f, 1, 1, 1, 1);
    ok(rill_device_trim_graph_memory(f->platform, 0));
    numbers_are(f, 0, 1, 0, 1);
    ok(go(x, s));
    assert_int_equal(peek(f, p), 1);
    numbers_are(f, 1, 1, 1, 1);
    ok(rill_mem_free(f->context, p));
    forget(f, x);
    ok(rill_exec_destroy(&x));
    forget(f, g);
    ok(rill_graph_destroy(&g));
    numbers_are(f, 1, 1, 1, 1);
    ok(rill_device_trim_graph_memory(f->platform, 0));
    numbers_are(f, 0, 1, 0, 1);
    reset(f);
    numbers_are(f, 0, 0, 0, 0);
}

/* H200, driver 580.159.04 */
static void memory_of_graphs_comes_with_an_upload(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_stream *s = new_non_blocking(f);
    rill_devptr p;
    reset(f);
    add_alloc(g, NULL, SIZE, &p);
    rill_exec *x = new_exec(f, g);
    ok(rill_exec_upload(x, s));
    ok(rill_stream_synchronize(s));
    numbers_are(f, 1, 1, 1, 1);
    ok(go(x, s));
    numbers_are(f, 1, 1, 1, 1);
    ok(rill_mem_free(f->context, p));
}

/* gmem.attr_args */
static void only_high_watermarks_can_be_set_and_only_to_0(void **state)
{
    struct fixture *f = *state;
    uint64_t v = 7;
    for (int i = 0; i < 4; i++) {
        bool high = i == RILL_GRAPH_MEMORY_USED_HIGH || i == RILL_GRAPH_MEMORY_RESERVED_HIGH;
        rill_graph_memory_attribute attribute = (rill_graph_memory_attribute)i;
        is(high ? RILL_SUCCESS : RILL_ERROR_INVALID_VALUE,
           rill_device_set_graph_memory(f->platform, 0, attribute, 0));
        is(RILL_ERROR_INVALID_VALUE, rill_device_set_graph_memory(f->platform, 0, attribute, 1));
        blames("rill_device_set_graph_memory", high ? "value" : "attribute");
    }
    const rill_graph_memory_attribute none = (rill_graph_memory_attribute)9;
    is(RILL_ERROR_INVALID_VALUE, rill_device_get_graph_memory(f->platform, 0, none, &v));
    is(RILL_ERROR_INVALID_VALUE, rill_device_set_graph_memory(f->platform, 0, none, 0));
    is(RILL_ERROR_INVALID_DEVICE,
       rill_device_get_graph_memory(f->platform, 99, RILL_GRAPH_MEMORY_USED_CURRENT, &v));
    is(RILL_ERROR_INVALID_DEVICE, rill_device_trim_graph_memory(f->platform, 99));
    is(RILL_ERROR_INVALID_DEVICE, rill_device_trim_graph_memory(f->platform, -1));
    assert_int_equal(v, 7);
}

/* ---- Faults --------------------------------------------------------------------- */

/* What work finds that comes at a time when the memory is not there; on hardware it
 * may well find memory. */
static void fails(struct fixture *f, rill_exec *exec, const char *operation, const char *word)
{
    rill_stream *s = new_non_blocking(f);
    rill_status status = go(exec, s);
    if (status == RILL_SUCCESS) return;
    assert_int_equal(status, RILL_ERROR_LAUNCH_FAILED);
    const rill_error *last = rill_last_error();
    if (!strstr(last->message, operation) || !strstr(last->message, word))
        fail_msg("\"%s\" says neither %s nor %s", last->message, operation, word);
}

static void a_node_behind_the_free_finds_no_memory(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_devptr p;
    rill_node a = add_alloc(g, NULL, 4096, &p);
    ok(rill_node_set_label(g, a, "scratch"));
    rill_node fill = add(g, a, fill_op(p, 1, 1)), free = add(g, a, free_op(p));
    refused(RILL_ERROR_INVALID_VALUE, g, fill_op(p, 1, 1));
    blames("rill_graph_add_node", "dst");
    rill_op again = fill_op(p, 2, 1);
    ok(rill_node_set_op(g, fill, &again));
    add(new_graph(f), NULL, again);
    ok(rill_graph_add_edges(g, &free, &fill, NULL, 1));
    fails(f, new_exec(f, g), "memset", "'scratch'");
}

static void a_graph_that_comes_before_the_launch_finds_no_memory(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f), *other = new_graph(f);
    rill_devptr p, d = device_words(f, 1);
    add_alloc(g, NULL, 4096, &p);
    const rill_place from = { .kind = RILL_MEMORY_DEVICE, .address = p };
    const rill_place to = { .kind = RILL_MEMORY_DEVICE, .address = d };
    add(other, NULL, copy_op(to, from, 4));
    fails(f, new_exec(f, other), "memcpy", "alloc node 0");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(memory_of_graphs_comes_with_a_launch_and_goes_with_a_trim),
    cmocka_unit_test(memory_of_graphs_comes_with_an_upload),
    cmocka_unit_test(only_high_watermarks_can_be_set_and_only_to_0),
    cmocka_unit_test(a_node_behind_the_free_finds_no_memory),
    cmocka_unit_test(a_graph_that_comes_before_the_launch_finds_no_memory),
};

SUITE_GROUP(graph_memory, 1);
