/* SPDX-License-Identifier: Apache-2.0
 *
 * One thread for all host functions (host_thread.h): in which order it calls them.
 */
#include "sim/machine.h"

#include <sched.h>

/* One worker, and a kernel that keeps it until it is let go; so what is submitted meanwhile
 * is run by nobody, and afterwards the most urgent first. */
struct order_scene {
    rill_platform *platform;
    rill_context *context;
    rill_stream *keeper, *plain, *urgent;
    rill_module *module;
    rill_kernel *kernel;
    rill_devptr memory;
};

static atomic_bool kept, free_to_go;

static void keep(const rill_launch *launch)
{
    (void)launch;
    atomic_store(&kept, true);
    while (!atomic_load(&free_to_go)) sched_yield();
}

static const rill_dim3 one = { 1, 1, 1 };

static void open_order(struct order_scene *s)
{
    static const rill_function keeping = { .name = "keep", .over_block = keep };
    const rill_sim_options sim = { .size = sizeof sim, .workers = 1, .host_thread = 1 };
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim };
    const rill_image image = { .size = sizeof image, .functions = &keeping, .function_count = 1 };
    const rill_stream_options urgent = { .size = sizeof urgent, .flags = RILL_STREAM_NON_BLOCKING,
                                         .priority = -5 };
    ok(rill_open(&options, &s->platform));
    s->context = machine_context(s->platform, 0);
    s->keeper = machine_stream(s->context);
    s->plain = machine_stream(s->context);
    ok(rill_stream_create(s->context, &urgent, &s->urgent));
    ok(rill_module_load(s->context, &image, &s->module));
    ok(rill_module_kernel(s->module, "keep", &s->kernel));
    ok(rill_mem_alloc(s->context, MIB, &s->memory));
}

static void close_order(struct order_scene *s)
{
    ok(rill_mem_free(s->context, s->memory));
    ok(rill_module_unload(&s->module));
    ok(rill_stream_destroy(&s->urgent));
    ok(rill_stream_destroy(&s->plain));
    ok(rill_stream_destroy(&s->keeper));
    ok(rill_context_destroy(&s->context));
    ok(rill_close(&s->platform));
}

static void keep_the_worker(struct order_scene *s)
{
    atomic_store(&kept, false);
    atomic_store(&free_to_go, false);
    ok(rill_launch_kernel(s->keeper, s->kernel, one, one, 0, NULL));
    while (!atomic_load(&kept)) sched_yield();
}

static atomic_int called;

static void note_turn(void *turn)
{
    *(int *)turn = atomic_fetch_add(&called, 1);
}

static void note_turn_and_let_go(void *turn)
{
    note_turn(turn);
    atomic_store(&free_to_go, true);
}

/* A fill of so many bytes, unless it is 0, and a function; then a function in the stream
 * that is more urgent.  The thread only looks on, so that it does not help. */
static void call_in_order(struct order_scene *s, size_t bytes)
{
    int first = -1, second = -1;
    keep_the_worker(s);
    atomic_store(&called, 0);
    if (bytes) ok(rill_memset_d8_async(s->plain, s->memory, 1, bytes));
    ok(rill_launch_host(s->plain, note_turn, &first, NULL));
    ok(rill_launch_host(s->urgent, note_turn, &second, NULL));
    atomic_store(&free_to_go, true);
    while (atomic_load(&called) < 2) sched_yield();
    ok(rill_context_synchronize(s->context)); /* both have noted their turns */
    assert_int_equal(first, 0);
    assert_int_equal(second, 1);
}

/* Hardware does: 2,000 times of 2,000 for two idle streams, also where the second is more
 * urgent, and 1,999 where a fill of 1 MiB stands before the first (H200, driver 580). */
static void functions_are_called_in_the_order_of_submission(void **state)
{
    (void)state;
    struct order_scene s;
    open_order(&s);
    for (int i = 0; i < scaled(20); i++) call_in_order(&s, 0);
    for (int i = 0; i < scaled(20); i++) call_in_order(&s, MIB);
    close_order(&s);
}

/* The only worker waits for the second function, and the fill before the first wants a
 * thread: it gets that of the functions. */
static void a_fill_before_a_function_needs_no_worker(void **state)
{
    (void)state;
    struct order_scene s;
    int first = -1, second = -1;
    open_order(&s);
    keep_the_worker(&s);
    atomic_store(&called, 0);
    ok(rill_memset_d8_async(s.plain, s.memory, 1, MIB));
    ok(rill_launch_host(s.plain, note_turn, &first, NULL));
    ok(rill_launch_host(s.urgent, note_turn_and_let_go, &second, NULL));
    ok(rill_stream_synchronize(s.urgent));
    ok(rill_context_synchronize(s.context));
    assert_int_equal(first, 0);
    assert_int_equal(second, 1);
    close_order(&s);
}

/* Here the first comes behind a kernel that waits for the second. */
static void what_may_wait_for_a_later_function_is_not_waited_for(void **state)
{
    (void)state;
    struct order_scene s;
    int first = -1, second = -1;
    open_order(&s);
    keep_the_worker(&s);
    atomic_store(&called, 0);
    ok(rill_memset_d8_async(s.keeper, s.memory, 1, 64));
    ok(rill_launch_host(s.keeper, note_turn, &first, NULL));
    ok(rill_launch_host(s.urgent, note_turn_and_let_go, &second, NULL));
    ok(rill_stream_synchronize(s.urgent));
    ok(rill_context_synchronize(s.context));
    assert_int_equal(second, 0);
    assert_int_equal(first, 1);
    close_order(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_are_called_in_the_order_of_submission),
        cmocka_unit_test(a_fill_before_a_function_needs_no_worker),
        cmocka_unit_test(what_may_wait_for_a_later_function_is_not_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
