/* SPDX-License-Identifier: Apache-2.0
 *
 * The short forms of operations say what they are short for: what a backend is given
 * is what the caller meant.
 */
#include "support/cmocka_all.h"

#include <string.h>

#include "support/fake/fake.h"
#include "support/world.h"

/* ---- Short forms -------------------------------------------------------- */

static struct fake_record *const seen = &fake_record; /* what the backend was given */
static struct fake_tables looking;
static struct world watched;
static rill_context *far; /* of another device than the world's */

static int argument;
static const void *const params[] = { &argument };

static int open_watched(void **state)
{
    const rill_context_options own = { .size = sizeof own, .device = 1,
                                       .flags = RILL_CONTEXT_OWN };
    (void)state;
    fake_build(&looking, "looking", FAKE_ALL | FAKE_RECORDS);
    if (rill_backend_register(&looking.backend) || plain_world_open(&watched, "looking")) return -1;
    return rill_context_create(watched.platform, &own, &far) ||
           rill_graph_create(watched.context, NULL, &watched.graph);
}

static int close_watched(void **state)
{
    (void)state;
    return rill_context_destroy(&far) || world_close(&watched) ? -1 : 0;
}

static void expect_copy(rill_memory_kind dst_kind, rill_memory_kind src_kind)
{
    assert_int_equal(seen->op.kind, RILL_OP_MEMCPY);
    assert_int_equal(seen->op.memcpy.dst.kind, dst_kind);
    assert_int_equal(seen->op.memcpy.src.kind, src_kind);
    assert_int_equal(seen->op.memcpy.dst.address, 10);
    assert_int_equal(seen->op.memcpy.src.address, 20);
    assert_int_equal(seen->op.memcpy.width, 30);
    assert_int_equal(seen->op.memcpy.height, 1);
    assert_int_equal(seen->op.memcpy.depth, 1);
    assert_int_equal(seen->op.memcpy.dst.pitch + seen->op.memcpy.dst.x + seen->op.memcpy.src.y, 0);
    seen->op.kind = RILL_OP_EMPTY;
}

static void copies_say_what_they_copy(void **state)
{
    (void)state;
    rill_context *c = watched.context;
    rill_stream *s = watched.stream;
    void *const ten = (void *)(uintptr_t)10;
    const void *const twenty = (const void *)(uintptr_t)20;
    const rill_memory_kind host_kind = RILL_MEMORY_HOST, device = RILL_MEMORY_DEVICE;
    rill_memcpy(c, 10, 20, 30), expect_copy(RILL_MEMORY_UNIFIED, RILL_MEMORY_UNIFIED);
    rill_memcpy_htod(c, 10, twenty, 30), expect_copy(device, host_kind);
    rill_memcpy_dtoh(c, ten, 20, 30), expect_copy(host_kind, device);
    rill_memcpy_dtod(c, 10, 20, 30), expect_copy(device, device);
    rill_memcpy_peer(c, 10, far, 20, 30), expect_copy(device, device);
    assert_ptr_equal(seen->op.memcpy.dst.context, c);
    assert_ptr_equal(seen->op.memcpy.src.context, far);
    rill_memcpy_async(s, 10, 20, 30), expect_copy(RILL_MEMORY_UNIFIED, RILL_MEMORY_UNIFIED);
    rill_memcpy_htod_async(s, 10, twenty, 30), expect_copy(device, host_kind);
    rill_memcpy_dtoh_async(s, ten, 20, 30), expect_copy(host_kind, device);
    rill_memcpy_dtod_async(s, 10, 20, 30), expect_copy(device, device);
    rill_memcpy_peer_async(s, far, 10, c, 20, 30), expect_copy(device, device);
    assert_ptr_equal(seen->op.memcpy.dst.context, far);
    assert_ptr_equal(seen->op.memcpy.src.context, c);
}

/* Of any shape, and with contexts in them, or without. */
static const rill_copy box = {
    .dst = { .kind = RILL_MEMORY_DEVICE, .address = 10, .pitch = 11, .rows = 12, .x = 13 },
    .src = { .kind = RILL_MEMORY_UNIFIED, .address = 20, .pitch = 21, .y = 22, .z = 23 },
    .width = 2, .height = 3, .depth = 4,
};
static const rill_fill rows = {
    .dst = 10, .pitch = 11, .value = 12, .element_bytes = 2, .width = 3, .height = 4,
};

static void expect_box(void)
{
    assert_int_equal(seen->op.kind, RILL_OP_MEMCPY);
    assert_memory_equal(&seen->op.memcpy, &box, sizeof box);
    seen->op.kind = RILL_OP_EMPTY;
}

static void expect_rows(void)
{
    assert_int_equal(seen->op.kind, RILL_OP_MEMSET);
    assert_memory_equal(&seen->op.memset, &rows, sizeof rows);
    seen->op.kind = RILL_OP_EMPTY;
}

static void boxes_are_handed_on_as_they_are(void **state)
{
    (void)state;
    rill_memcpy_box(watched.context, &box), expect_box();
    rill_memcpy_box_async(watched.stream, &box), expect_box();
    rill_memset_box(watched.context, &rows), expect_rows();
    rill_memset_box_async(watched.stream, &rows), expect_rows();
}

static void expect_fill(uint32_t value, uint32_t element_bytes)
{
    assert_int_equal(seen->op.kind, RILL_OP_MEMSET);
    assert_int_equal(seen->op.memset.dst, 10);
    assert_int_equal(seen->op.memset.value, value);
    assert_int_equal(seen->op.memset.element_bytes, element_bytes);
    assert_int_equal(seen->op.memset.width, 30);
    assert_int_equal(seen->op.memset.height, 1);
    seen->op.kind = RILL_OP_EMPTY;
}

static void fills_say_what_they_fill(void **state)
{
    (void)state;
    rill_memset_d8(watched.context, 10, 0x12, 30), expect_fill(0x12, 1);
    rill_memset_d16(watched.context, 10, 0x1234, 30), expect_fill(0x1234, 2);
    rill_memset_d32(watched.context, 10, 0x12345678, 30), expect_fill(0x12345678, 4);
    rill_memset_d8_async(watched.stream, 10, 0x12, 30), expect_fill(0x12, 1);
    rill_memset_d16_async(watched.stream, 10, 0x1234, 30), expect_fill(0x1234, 2);
    rill_memset_d32_async(watched.stream, 10, 0x12345678, 30), expect_fill(0x12345678, 4);
}

static void expect_item(rill_value_kind kind, uint64_t value)
{
    assert_int_equal(seen->op.kind, RILL_OP_VALUES);
    assert_int_equal(seen->op.values.count, 1);
    assert_int_equal(seen->op.values.flags, 0);
    assert_int_equal(seen->item.kind, kind);
    assert_int_equal(seen->item.address, 10);
    assert_int_equal(seen->item.value, value);
    assert_int_equal(seen->item.flags, 3);
    seen->op.kind = RILL_OP_EMPTY;
}

static void values_say_what_they_do(void **state)
{
    (void)state;
    const uint64_t wide = 0x123456789abcdef0;
    rill_stream_write_value32(watched.stream, 10, 20, 3), expect_item(RILL_VALUE_WRITE_32, 20);
    rill_stream_write_value64(watched.stream, 10, wide, 3), expect_item(RILL_VALUE_WRITE_64, wide);
    rill_stream_wait_value32(watched.stream, 10, 20, 3), expect_item(RILL_VALUE_WAIT_32, 20);
    rill_stream_wait_value64(watched.stream, 10, wide, 3), expect_item(RILL_VALUE_WAIT_64, wide);
    const rill_value items[2] = { { RILL_VALUE_BARRIER, 3, 10, 1 },
                                  { RILL_VALUE_BARRIER, 0, 0, 0 } };
    rill_stream_batch_values(watched.stream, items, 2, 5);
    assert_ptr_equal(seen->op.values.items, items);
    assert_int_equal(seen->op.values.count, 2);
    assert_int_equal(seen->op.values.flags, 5);
}

static void the_other_short_forms_say_what_they_do(void **state)
{
    (void)state;
    const rill_dim3 grid = { 1, 2, 3 }, block = { 4, 5, 6 };
    rill_launch_kernel(watched.stream, watched.kernel, grid, block, 99, params);
    assert_int_equal(seen->op.kind, RILL_OP_KERNEL);
    assert_ptr_equal(seen->op.kernel.kernel, watched.kernel);
    assert_memory_equal(&seen->op.kernel.grid, &grid, sizeof grid);
    assert_memory_equal(&seen->op.kernel.block, &block, sizeof block);
    assert_int_equal(seen->op.kernel.shared_bytes, 99);
    assert_ptr_equal(seen->op.kernel.params, params);
    assert_null(seen->op.kernel.buffer);
    assert_int_equal(seen->op.kernel.attribute_count, 0);

    rill_devptr address = 0;
    assert_int_equal(rill_mem_alloc_async(watched.stream, 55, &address), RILL_SUCCESS);
    assert_int_equal(seen->op.alloc.bytes, 55);
    assert_null(seen->op.alloc.pool);
    assert_int_equal(address, 77);
    rill_pool *pool = NULL;
    assert_int_equal(rill_device_pool(watched.platform, 0, &pool), RILL_SUCCESS);
    rill_mem_alloc_from_pool_async(watched.stream, pool, 66, &address);
    assert_int_equal(seen->op.alloc.bytes, 66);
    assert_ptr_equal(seen->op.alloc.pool, pool);
    rill_mem_free_async(watched.stream, 88);
    assert_int_equal(seen->op.kind, RILL_OP_FREE);
    assert_int_equal(seen->op.free.address, 88);
}

static void expect_event(rill_op_kind kind, uint32_t flags)
{
    assert_int_equal(seen->op.kind, kind);
    assert_ptr_equal(seen->op.event.event, watched.event);
    assert_int_equal(seen->op.event.flags, flags);
    seen->op.kind = RILL_OP_EMPTY;
}

static void events_are_handed_on_with_their_flags(void **state)
{
    (void)state;
    rill_event_record(watched.event, watched.stream, 3), expect_event(RILL_OP_EVENT_RECORD, 3);
    rill_stream_wait_event(watched.stream, watched.event, 5), expect_event(RILL_OP_EVENT_WAIT, 5);
}

/* ---- Nodes ----------------------------------------------------------------- */

static rill_node before[3], node; /* `node` is made anew by each */

static void expect_node(rill_status status, rill_op_kind kind)
{
    assert_int_equal(status, RILL_SUCCESS);
    assert_int_equal(seen->op.kind, kind);
    assert_ptr_equal(seen->dependencies, before);
    assert_int_equal(seen->count, 3);
    assert_null(seen->edges);
    assert_ptr_equal(node, seen);
    node = NULL;
}

static void run(void *data)
{
    (void)data;
}

static void forms_of_nodes_say_what_runs(void **state)
{
    (void)state;
    rill_graph *g = watched.graph;
    const rill_dim3 grid = { 1, 2, 3 }, block = { 4, 5, 6 };
    expect_node(rill_graph_add_kernel(g, before, 3, watched.kernel, grid, block, 99, params, &node),
                RILL_OP_KERNEL);
    assert_ptr_equal(seen->op.kernel.kernel, watched.kernel);
    assert_memory_equal(&seen->op.kernel.grid, &grid, sizeof grid);
    assert_memory_equal(&seen->op.kernel.block, &block, sizeof block);
    assert_int_equal(seen->op.kernel.shared_bytes, 99);
    assert_ptr_equal(seen->op.kernel.params, params);
    expect_node(rill_graph_add_host(g, before, 3, run, &argument, run, &node), RILL_OP_HOST);
    assert_true(seen->op.host.fn == run && seen->op.host.destroy == run);
    assert_ptr_equal(seen->op.host.data, &argument);
    expect_node(rill_graph_add_memcpy(g, before, 3, &box, &node), RILL_OP_MEMCPY);
    expect_box();
    expect_node(rill_graph_add_memset(g, before, 3, &rows, &node), RILL_OP_MEMSET);
    expect_rows();
}

static void forms_of_nodes_say_what_they_order_and_hold(void **state)
{
    (void)state;
    rill_graph *g = watched.graph, *child = NULL, *bodies[2];
    const rill_value items[2] = { { RILL_VALUE_BARRIER, 3, 10, 1 } };
    rill_devptr address = 0;
    assert_int_equal(rill_graph_create(far, NULL, &child), RILL_SUCCESS);
    expect_node(rill_graph_add_child(g, before, 3, child, 6, &node), RILL_OP_GRAPH);
    assert_ptr_equal(seen->op.graph.graph, child);
    assert_int_equal(seen->op.graph.flags, 6); /* which no backend takes */
    expect_node(rill_graph_add_empty(g, before, 3, &node), RILL_OP_EMPTY);
    expect_node(rill_graph_add_event_wait(g, before, 3, watched.event, &node), RILL_OP_EVENT_WAIT);
    expect_event(RILL_OP_EVENT_WAIT, 0);
    expect_node(rill_graph_add_event_record(g, before, 3, watched.event, &node),
                RILL_OP_EVENT_RECORD);
    expect_event(RILL_OP_EVENT_RECORD, 0);
    expect_node(rill_graph_add_alloc(child, before, 3, 55, &address, &node), RILL_OP_ALLOC);
    assert_int_equal(seen->op.alloc.bytes, 55);
    assert_int_equal(seen->op.alloc.device, 1); /* the graph's */
    assert_null(seen->op.alloc.pool);
    assert_int_equal(address, 77);
    expect_node(rill_graph_add_free(g, before, 3, 88, &node), RILL_OP_FREE);
    assert_int_equal(seen->op.free.address, 88);
    expect_node(rill_graph_add_values(g, before, 3, items, 2, 5, &node), RILL_OP_VALUES);
    assert_ptr_equal(seen->op.values.items, items);
    assert_int_equal(seen->op.values.count, 2);
    assert_int_equal(seen->op.values.flags, 5);
    expect_node(rill_graph_add_conditional(g, before, 3, 66, RILL_CONDITIONAL_SWITCH, 2, bodies,
                                           &node),
                RILL_OP_CONDITIONAL);
    assert_int_equal(seen->op.conditional.handle, 66);
    assert_int_equal(seen->op.conditional.kind, RILL_CONDITIONAL_SWITCH);
    assert_int_equal(seen->op.conditional.body_count, 2);
    assert_ptr_equal(seen->op.conditional.bodies, bodies);
    assert_int_equal(rill_graph_destroy(&child), RILL_SUCCESS);
}

static void expect_edges(const rill_node *from, const rill_node *to, const rill_edge *edges)
{
    assert_ptr_equal(seen->from, from);
    assert_ptr_equal(seen->to, to);
    assert_ptr_equal(seen->edges, edges);
    assert_int_equal(seen->count, 2);
    seen->count = 0;
}

static void edges_are_handed_on_from_end_to_end(void **state)
{
    (void)state;
    const rill_node from[2] = { 0 }, to[2] = { 0 };
    const rill_edge edges[2] = { { .from_port = 0 } };
    assert_int_equal(rill_graph_add_edges(watched.graph, from, to, edges, 2), RILL_SUCCESS);
    expect_edges(from, to, edges);
    assert_int_equal(rill_graph_remove_edges(watched.graph, to, from, NULL, 2), RILL_SUCCESS);
    expect_edges(to, from, NULL);
}

/* ---- Waiting for a stream ----------------------------------------------- */

static void waiting_for_a_stream_records_there_and_waits_here(void **state)
{
    (void)state;
    rill_stream *other = NULL;
    assert_int_equal(rill_stream_create(watched.context, NULL, &other), RILL_SUCCESS);
    seen->counts[RILL_OP_EVENT_RECORD] = seen->counts[RILL_OP_EVENT_WAIT] = 0;
    assert_int_equal(rill_stream_wait_stream(watched.stream, other), RILL_SUCCESS);
    assert_int_equal(seen->counts[RILL_OP_EVENT_RECORD], 1);
    assert_int_equal(seen->counts[RILL_OP_EVENT_WAIT], 1);
    assert_ptr_equal(seen->places[RILL_OP_EVENT_RECORD], other);
    assert_ptr_equal(seen->places[RILL_OP_EVENT_WAIT], watched.stream);
    rill_stream_destroy(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_say_what_they_copy),
        cmocka_unit_test(boxes_are_handed_on_as_they_are),
        cmocka_unit_test(fills_say_what_they_fill),
        cmocka_unit_test(values_say_what_they_do),
        cmocka_unit_test(the_other_short_forms_say_what_they_do),
        cmocka_unit_test(events_are_handed_on_with_their_flags),
        cmocka_unit_test(forms_of_nodes_say_what_runs),
        cmocka_unit_test(forms_of_nodes_say_what_they_order_and_hold),
        cmocka_unit_test(edges_are_handed_on_from_end_to_end),
        cmocka_unit_test(waiting_for_a_stream_records_there_and_waits_here),
    };
    return cmocka_run_group_tests(tests, open_watched, close_watched);
}
