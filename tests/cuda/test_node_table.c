/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of a graph's nodes, by itself.
 */
#include <string.h>

#include "backend-cuda/object/graph_nodes.h"
#include "base/alloc.h"
#include "support/cmocka_all.h"

enum { NODES = 1000, TURNS = 40000 };

static CUgraphNode node(unsigned number)
{
    return (CUgraphNode)(uintptr_t)(0x10000 + number * 0x90);
}

static unsigned next(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static void holds(const struct cuda_nodes *table, const char *in)
{
    for (unsigned i = 0; i < NODES; i++) {
        const struct cuda_slot *slot = cuda_nodes_find(table, node(i));
        assert_int_equal(slot != NULL, in[i]);
        if (slot) assert_ptr_equal(slot->raw, node(i));
    }
}

/* What goes must not cut off what was put behind it. */
static void nodes_are_found_while_they_are_there(void **state)
{
    static char in[NODES];
    struct cuda_nodes table = { .room = 0 };
    unsigned seed = 7;
    size_t count = 0;
    (void)state;
    memset(in, 0, sizeof in);
    for (unsigned turn = 0; turn < TURNS; turn++) {
        unsigned number = next(&seed) % NODES;
        bool put = next(&seed) % 2;
        if (put)
            assert_ptr_equal(cuda_nodes_put(&table, node(number))->raw, node(number));
        else
            cuda_nodes_take(&table, node(number));
        count += (size_t)put;
        count -= (size_t)in[number];
        assert_int_equal(table.count, count);
        in[number] = put;
        if (turn % 1000 == 0) holds(&table, in);
    }
    holds(&table, in);
    assert_null(cuda_nodes_find(&table, NULL));
    cuda_nodes_free(&table, true);
}

static void what_was_reserved_is_there_without_memory(void **state)
{
    struct cuda_nodes table = { .room = 0 };
    (void)state;
    for (unsigned i = 0; i < NODES; i++) {
        assert_true(cuda_nodes_reserve(&table));
        rl_alloc_fail_after(0);
        struct cuda_slot *slot = cuda_nodes_put(&table, node(i));
        rl_alloc_fail_after(-1);
        assert_non_null(slot);
    }
    assert_int_equal(table.count, NODES);
    cuda_nodes_free(&table, true);
}

static void a_note_goes_with_its_node(void **state)
{
    struct cuda_graph graph = { .raw = NULL };
    long before = rl_alloc_live();
    (void)state;
    for (unsigned i = 0; i < NODES; i++) {
        struct cuda_note *note = cuda_node_note(&graph, node(i), true);
        note->label = rl_strdup("label");
        assert_ptr_equal(cuda_node_note(&graph, node(i), false), note);
    }
    assert_int_equal(graph.nodes.notes, NODES);
    for (unsigned i = 0; i < NODES / 2; i++) cuda_nodes_take(&graph.nodes, node(i));
    assert_int_equal(graph.nodes.notes, NODES / 2);
    cuda_nodes_free(&graph.nodes, true);
    assert_int_equal(rl_alloc_live(), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_are_found_while_they_are_there),
        cmocka_unit_test(what_was_reserved_is_there_without_memory),
        cmocka_unit_test(a_note_goes_with_its_node),
    };
    return cmocka_run_group_tests_name("node_table", tests, NULL, NULL);
}
