/* SPDX-License-Identifier: Apache-2.0
 *
 * Flags of kernels that others set, reset or look at: fills, copies, values and the host.  What is
 * in front of whoever sets a flag comes before the kernel that waits for it, and what a kernel has
 * done that sets one before whoever looks.
 */
#include "layer-check/flags/speaking.h"

#include <sched.h>

#include "layer-check/pages/pages.h"

/* ---- Set for a kernel ----------------------------------------------------------------------- */

/* y is the flag, x the data: the kernel in s waits for what `set` does in t. */
typedef void set_fn(struct checked *c, rill_stream *stream);

static void kernel_is_told(struct checked *c, const char *kernel, set_fn *set, bool good)
{
    launch(c, c->s, kernel, c->y, c->x);
    if (good) write_x(c, c->t);
    set(c, c->t);
    if (!good) write_x(c, c->t);
}

static void fill_flag(struct checked *c, rill_stream *stream)
{
    OK(rill_memset_d32_async(stream, c->y, 1, 1));
}

static void a_fill_may_set_a_flag_program(struct checked *c, bool good)
{
    kernel_is_told(c, "awaits", fill_flag, good);
}
RACES(a_fill_may_set_a_flag)

static void a_fill_may_set_what_is_asked_for_atomically_program(struct checked *c, bool good)
{
    kernel_is_told(c, "awaits_atomically", fill_flag, good);
}
RACES(a_fill_may_set_what_is_asked_for_atomically)

static void copy_flag(struct checked *c, rill_stream *stream)
{
    static const uint32_t up = 1;
    OK(rill_memcpy_htod_async(stream, c->y, &up, sizeof up));
}

static void a_copy_may_set_a_flag_program(struct checked *c, bool good)
{
    kernel_is_told(c, "awaits", copy_flag, good);
}
RACES(a_copy_may_set_a_flag)

static void write_flag(struct checked *c, rill_stream *stream)
{
    OK(rill_stream_write_value32(stream, c->y, 1, 0));
}

static void a_stream_may_write_a_flag_program(struct checked *c, bool good)
{
    kernel_is_told(c, "awaits", write_flag, good);
}
RACES(a_stream_may_write_a_flag)

static void a_stream_may_write_what_is_asked_for_atomically_program(struct checked *c, bool good)
{
    kernel_is_told(c, "awaits_atomically", write_flag, good);
}
RACES(a_stream_may_write_what_is_asked_for_atomically)

/* The kernel is submitted after the flag is set, too. */
static void a_flag_may_be_set_before_the_launch_program(struct checked *c, bool good)
{
    if (good) write_x(c, c->t);
    fill_flag(c, c->t);
    if (!good) write_x(c, c->t);
    launch(c, c->s, "awaits", c->y, c->x);
}
RACES(a_flag_may_be_set_before_the_launch)

/* What comes after the kernel comes after the flag, too. */
static void what_follows_a_kernel_is_told_with_it_program(struct checked *c, bool good)
{
    launch(c, c->s, "awaits", c->y, c->y + 64);
    OK(rill_memcpy_dtod_async(c->s, c->y + 1024, c->x, 1024));
    if (good) write_x(c, c->t);
    fill_flag(c, c->t);
    if (!good) write_x(c, c->t);
}
RACES(what_follows_a_kernel_is_told_with_it)

/* One fill sets the flag and what it is to be the flag of. */
static void a_fill_of_flag_and_data_orders_nothing_program(struct checked *c, bool good)
{
    if (good) OK(rill_memset_d32_async(c->t, c->x + 4, 1, 1));
    launch(c, c->s, "awaits", c->x, c->x + 4);
    OK(rill_memset_d32_async(c->t, c->x, 1, good ? 1 : 2));
}
RACES(a_fill_of_flag_and_data_orders_nothing)

static void a_node_may_set_a_flag_program(struct checked *c, bool good)
{
    const rill_fill data = { .dst = c->x, .value = 7, .element_bytes = 4, .width = 8, .height = 1 };
    const rill_fill flag = { .dst = c->y, .value = 1, .element_bytes = 4, .width = 1, .height = 1 };
    rill_graph *graph;
    rill_node filled, set;
    rill_exec *exec;
    OK(rill_graph_create(c->context, NULL, &graph));
    OK(rill_graph_add_memset(graph, NULL, 0, &data, &filled));
    OK(rill_graph_add_memset(graph, &filled, good, &flag, &set));
    OK(rill_exec_create(graph, NULL, &exec));
    launch(c, c->s, "awaits", c->y, c->x);
    OK(rill_exec_launch(exec, c->t));
    OK(rill_context_synchronize(c->context));
    OK(rill_exec_destroy(&exec));
    OK(rill_graph_destroy(&graph));
}
RACES(a_node_may_set_a_flag)

static void a_plain_load_asks_for_nothing_program(struct checked *c, bool good)
{
    if (good) {
        kernel_is_told(c, "awaits", fill_flag, true);
        return;
    }
    OK(rill_memset_d32(c->context, c->y, 1, 1)); /* or it might wait for ever */
    OK(rill_context_synchronize(c->context));
    kernel_is_told(c, "loads", fill_flag, true);
}
RACES(a_plain_load_asks_for_nothing)

/* ---- Set by a kernel ------------------------------------------------------------------------ */

/* Copies the flag until it is up. */
static void poll_flag(struct checked *c)
{
    uint32_t seen = 0;
    while (!seen) {
        OK(rill_memcpy_dtoh_async(c->t, &seen, c->y, sizeof seen));
        OK(rill_stream_synchronize(c->t));
    }
}

static void a_copy_may_look_at_a_flag_program(struct checked *c, bool good)
{
    launch(c, c->s, "tells", c->y, c->x);
    if (!good) write_x(c, c->t);
    poll_flag(c);
    if (good) write_x(c, c->t);
}
RACES(a_copy_may_look_at_a_flag)

static void a_flag_is_reset_by_who_has_seen_it_program(struct checked *c, bool good)
{
    launch(c, c->s, "tells", c->y, c->x);
    if (good) poll_flag(c);
    OK(rill_memset_d32_async(c->t, c->y, 0, 1));
}
RACES(a_flag_is_reset_by_who_has_seen_it)

/* ---- Between kernels ------------------------------------------------------------------------ */

/* The second one is launched first. */
static void what_is_before_a_kernel_is_told_program(struct checked *c, bool good)
{
    launch(c, c->s, "awaits", c->y, c->x);
    if (good) write_x(c, c->t);
    launch(c, c->t, "tells", c->y, c->y + 64);
    if (!good) write_x(c, c->t);
}
RACES(what_is_before_a_kernel_is_told)

static void flags_may_be_handed_on_program(struct checked *c, bool good)
{
    rill_stream *third = new_stream(c, RILL_STREAM_NON_BLOCKING);
    launch(c, c->s, "awaits", c->y + 256, c->x);
    launch(c, c->t, "awaits", c->y, c->y + 64);
    launch(c, c->t, "tells", c->y + 256, c->y + 128);
    if (good) write_x(c, third);
    fill_flag(c, third);
    if (!good) write_x(c, third);
    OK(rill_context_synchronize(c->context));
    OK(rill_stream_destroy(&third));
}
RACES(flags_may_be_handed_on)

/* ---- The host ------------------------------------------------------------------------------- */

static void the_host_sets_a_flag_for_what_it_knows_program(struct checked *c, bool good)
{
    struct shared *shared = new_shared(c);
    launch(c, c->s, "awaits", address_of(&shared->flag), c->x);
    write_x(c, c->t);
    if (good) OK(rill_stream_synchronize(c->t));
    atomic_store_explicit(&shared->flag, 1, memory_order_release);
    end_shared(c, shared);
}
RACES(the_host_sets_a_flag_for_what_it_knows)

static void await_flag(const struct shared *shared)
{
    while (!atomic_load_explicit(&shared->flag, memory_order_acquire)) sched_yield();
}

static void what_the_host_submits_once_it_is_told_comes_after_program(struct checked *c, bool good)
{
    struct shared *shared = new_shared(c);
    launch(c, c->s, "tells", address_of(&shared->flag), c->x);
    if (!good) write_x(c, c->t);
    await_flag(shared);
    if (good) write_x(c, c->t);
    end_shared(c, shared);
}
RACES(what_the_host_submits_once_it_is_told_comes_after)

/* It is told by one kernel and tells another one. */
static void the_host_may_hand_a_flag_on_program(struct checked *c, bool good)
{
    struct shared *told = new_shared(c), *telling = new_shared(c);
    launch(c, c->s, "awaits", address_of(&telling->flag), c->x);
    if (good) write_x(c, c->t);
    launch(c, c->t, "tells", address_of(&told->flag), c->y);
    if (!good) write_x(c, c->t);
    await_flag(told);
    atomic_store_explicit(&telling->flag, 1, memory_order_release);
    OK(rill_context_synchronize(c->context));
    OK(rill_host_free(c->context, told));
    end_shared(c, telling);
}
RACES(the_host_may_hand_a_flag_on)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fill_may_set_a_flag),
        cmocka_unit_test(a_fill_may_set_what_is_asked_for_atomically),
        cmocka_unit_test(a_copy_may_set_a_flag),
        cmocka_unit_test(a_stream_may_write_a_flag),
        cmocka_unit_test(a_stream_may_write_what_is_asked_for_atomically),
        cmocka_unit_test(a_flag_may_be_set_before_the_launch),
        cmocka_unit_test(what_follows_a_kernel_is_told_with_it),
        cmocka_unit_test(a_fill_of_flag_and_data_orders_nothing),
        cmocka_unit_test(a_node_may_set_a_flag),
        cmocka_unit_test(a_plain_load_asks_for_nothing),
        cmocka_unit_test(a_copy_may_look_at_a_flag),
        cmocka_unit_test(a_flag_is_reset_by_who_has_seen_it),
        cmocka_unit_test(what_is_before_a_kernel_is_told),
        cmocka_unit_test(flags_may_be_handed_on),
        cmocka_unit_test(the_host_sets_a_flag_for_what_it_knows),
        cmocka_unit_test(what_the_host_submits_once_it_is_told_comes_after),
        cmocka_unit_test(the_host_may_hand_a_flag_on),
    };
    const char *unusable = ck_pages_unusable();
#ifdef __SANITIZE_THREAD__
    unusable = "a fill or copy that sets a flag races with the kernel that asks there, by design";
#endif
    if (unusable) {
        printf("1..0 # SKIP %s\n", unusable);
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
