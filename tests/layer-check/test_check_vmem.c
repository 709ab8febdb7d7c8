/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that is mapped piece by piece: uses go over the borders, and end before it is unmapped.
 */
#include "layer-check/pairs.h"

#define GRAIN ((size_t)2 << 20)

/* Maps two pieces of memory side by side. */
static rill_devptr map_two(const struct checked *c)
{
    rill_devptr at = 0;
    OK(rill_vmem_reserve(c->platform, 2 * GRAIN, 0, 0, &at));
    for (size_t i = 0; i < 2; i++) {
        rill_vmem_handle memory = 0;
        OK(rill_vmem_create(c->platform, GRAIN, NULL, &memory));
        OK(rill_vmem_map(c->platform, at + i * GRAIN, GRAIN, memory));
        OK(rill_vmem_release(c->platform, memory));
    }
    OK(rill_vmem_set_access(c->platform, at, 2 * GRAIN, 0, RILL_ACCESS_READ_WRITE));
    return at;
}

static void unmap_two(const struct checked *c, rill_devptr at)
{
    OK(rill_vmem_unmap(c->platform, at, 2 * GRAIN));
    OK(rill_vmem_unreserve(c->platform, at, 2 * GRAIN));
}

/* The second piece is what the two use at once. */
static void halves_over_a_border_do_not_race_program(struct checked *c, bool good)
{
    rill_devptr at = map_two(c);
    OK(rill_memset_d8_async(c->s, at, 1, GRAIN + 4096));
    OK(rill_memset_d8_async(c->t, at + GRAIN + 4096 - !good, 2, 4096));
    OK(rill_context_synchronize(c->context));
    unmap_two(c, at);
}
RACES(halves_over_a_border_do_not_race)

static void mapped_memory_is_unmapped_after_its_last_use_program(struct checked *c, bool good)
{
    rill_devptr at = map_two(c);
    OK(rill_memset_d8_async(c->s, at + GRAIN, 1, 4096)); /* of the second piece alone */
    if (good) OK(rill_stream_synchronize(c->s));
    unmap_two(c, at);
}

LIVES(mapped_memory_is_unmapped_after_its_last_use)

/* What was mapped there before is another memory, and unwritten. */
static void what_is_mapped_anew_is_new_program(struct checked *c, bool good)
{
    rill_devptr at = map_two(c);
    rill_vmem_handle memory = 0;
    OK(rill_memset_d8(c->context, at, 1, 2 * GRAIN));
    OK(rill_context_synchronize(c->context));
    OK(rill_vmem_unmap(c->platform, at, GRAIN));
    OK(rill_vmem_create(c->platform, GRAIN, NULL, &memory));
    OK(rill_vmem_map(c->platform, at, GRAIN, memory));
    OK(rill_vmem_release(c->platform, memory));
    OK(rill_vmem_set_access(c->platform, at, GRAIN, 0, RILL_ACCESS_READ_WRITE));
    OK(rill_memcpy_dtod(c->context, c->x, good ? at + GRAIN : at, 64));
    OK(rill_context_synchronize(c->context));
    unmap_two(c, at);
}

static void what_is_mapped_anew_is_new(void **state)
{
    (void)state;
    expect_bug(what_is_mapped_anew_is_new_program, RILL_FINDING_INIT);
}

/* A graph keeps the addresses, and each launch means what is mapped there by then. */
static void a_graph_may_find_other_memory_at_its_addresses(void **state)
{
    struct checked checked, *c = &checked;
    rill_graph *graph;
    rill_exec *exec;
    rill_node node;
    rill_vmem_handle memory = 0;
    (void)state;
    begin_pair(c);
    const rill_devptr at = map_two(c);
    const rill_fill fill = { .dst = at, .value = 7, .element_bytes = 1, .width = GRAIN,
                             .height = 1 };
    OK(rill_graph_create(c->context, NULL, &graph));
    OK(rill_graph_add_memset(graph, NULL, 0, &fill, &node));
    OK(rill_exec_create(graph, NULL, &exec));
    OK(rill_vmem_unmap(c->platform, at, GRAIN));
    OK(rill_vmem_create(c->platform, GRAIN, NULL, &memory));
    OK(rill_vmem_map(c->platform, at, GRAIN, memory));
    OK(rill_vmem_release(c->platform, memory));
    OK(rill_vmem_set_access(c->platform, at, GRAIN, 0, RILL_ACCESS_READ_WRITE));
    OK(rill_exec_launch(exec, c->s));
    OK(rill_stream_synchronize(c->s));
    OK(rill_exec_destroy(&exec));
    OK(rill_graph_destroy(&graph));
    unmap_two(c, at);
    expect_nothing(c);
    end_pair(c);
}

int main(void)
{
    setenv("RILL_CHECK", "race life capture init hints log=/dev/null", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halves_over_a_border_do_not_race),
        cmocka_unit_test(mapped_memory_is_unmapped_after_its_last_use),
        cmocka_unit_test(what_is_mapped_anew_is_new),
        cmocka_unit_test(a_graph_may_find_other_memory_at_its_addresses),
    };
    return cmocka_run_group_tests(tests, NULL, end_sources);
}
