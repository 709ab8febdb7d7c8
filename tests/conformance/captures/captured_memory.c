/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory in captures: when that of the host is read and written, and what becomes of
 * allocations and frees.
 */
#include "conformance/captures/capturing.h"
#include "conformance/nodes.h"

/* ---- Of the host ---------------------------------------------------------------------- */

/* CP-42; oracle capop.copy_from_host */
static void host_memory_is_read_by_the_launch_not_the_capture(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_devptr p = device_words(f, 2);
    uint32_t *pin = pinned(f, 64), page = 1;
    *pin = 1;
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    ok(rill_memcpy_htod_async(s, p, pin, 4));
    ok(rill_memcpy_htod_async(s, p + 4, &page, 4));
    *pin = page = 2;
    rill_graph *graph = ended(s);
    holds(graph, "c c | c>c");
    *pin = page = 3;
    ok(run_once(f, graph));
    assert_int_equal(peek(f, p), 3);
    assert_int_equal(peek(f, p + 4), 3);
    ok(rill_graph_destroy(&graph));
}

/* A copy into pageable memory, which outside a capture holds its caller up; oracle
 * capop.copy_to_host */
static void host_memory_is_written_by_the_launch_alone(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_devptr p = device_words(f, 1);
    uint32_t *pin = pinned(f, 64), page = 0;
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    ok(rill_memset_d32_async(s, p, 'A', 1));
    ok(rill_memcpy_dtoh_async(s, pin, p, 4));
    ok(rill_memcpy_dtoh_async(s, &page, p, 4));
    rill_graph *graph = ended(s);
    holds(graph, "A c c | A>c c>c");
    assert_int_equal(*pin + page, 0);
    ok(run_once(f, graph));
    assert_int_equal(*pin, 'A');
    assert_int_equal(page, 'A');
    ok(rill_graph_destroy(&graph));
}

/* ---- Given out by the capture --------------------------------------------------------- */

/* CP-38; oracle capop.alloc_free */
static void allocations_become_nodes_and_have_their_address_at_once(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_devptr p = device_words(f, 1), address = 0;
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    ok(rill_mem_alloc_async(s, 1000, &address));
    assert_int_not_equal(address, 0);
    rill_op op = op_of(live_graph(s), last_node(s));
    assert_int_equal(op.kind, RILL_OP_ALLOC);
    assert_int_equal(op.alloc.address, address);
    ok(rill_memset_d32_async(s, address, 'A', 1));
    ok(rill_memcpy_dtod_async(s, p, address, 4));
    ok(rill_mem_free_async(s, address));
    rill_graph *graph = ended(s);
    holds(graph, "A a c f | A>c a>A c>f");
    ok(run_once(f, graph));
    assert_int_equal(peek(f, p), 'A');
    is(RILL_ERROR_INVALID_VALUE, rill_mem_free_async(s, address));
    ok(rill_graph_destroy(&graph));
}

/* oracle capop.alloc_from_pool */
static void memory_of_a_pool_does_too(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_pool *pool = new_pool(f, 0);
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    rill_devptr address = from_pool(pool, s, 1000);
    rill_op op = op_of(live_graph(s), last_node(s));
    assert_int_equal(op.kind, RILL_OP_ALLOC);
    assert_int_equal(op.alloc.address, address);
    ok(rill_memset_d32_async(s, address, 'A', 1));
    ok(rill_mem_free_async(s, address));
    rill_graph *graph = ended(s);
    holds(graph, "A a f | A>f a>A");
    ok(run_once(f, graph));
    ok(rill_graph_destroy(&graph));
    ok(rill_pool_destroy(&pool));
}

/* CP-39; oracle capop.free_foreign, capop.free_twice */
static void a_free_that_is_refused_leaves_the_capture_whole(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_devptr plain = device_words(f, 16), address = 0;
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    is(RILL_ERROR_INVALID_VALUE, rill_mem_free_async(s, plain));
    active(s);
    ok(rill_mem_alloc_async(s, 256, &address));
    is(RILL_ERROR_INVALID_VALUE, rill_mem_free_async(s, address + 16));
    ok(rill_mem_free_async(s, address));
    is(RILL_ERROR_INVALID_VALUE, rill_mem_free_async(s, address));
    active(s);
    gives(s, "a f | a>f");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(host_memory_is_read_by_the_launch_not_the_capture),
    cmocka_unit_test(host_memory_is_written_by_the_launch_alone),
    cmocka_unit_test(allocations_become_nodes_and_have_their_address_at_once),
    cmocka_unit_test(memory_of_a_pool_does_too),
    cmocka_unit_test(a_free_that_is_refused_leaves_the_capture_whole),
};

SUITE_GROUP(captured_memory, 1);
