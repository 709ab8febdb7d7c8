/* SPDX-License-Identifier: Apache-2.0
 *
 * rill_sim_fault(): which fault a kernel can raise, when it counts, and what is
 * said about it.  What becomes of everything else is in the conformance suite.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/on_sim.h"

static const rill_dim3 one = { 1, 1, 1 };

/* ---- Kernels ----------------------------------------------------------------------- */

/* What raise() does when it runs; set before it is launched. */
static struct raising {
    rill_status status, again; /* `again`: a second one, unless 0 */
    const char *message;
    atomic_int *entered, *leave; /* waits in between, unless NULL */
} plans[2];

static void raise_planned(const rill_launch *launch, const struct raising *plan)
{
    rill_sim_fault(launch, plan->status, plan->message);
    if (plan->again) rill_sim_fault(launch, plan->again, "the second");
}

static void wait_for(const struct raising *plan)
{
    if (!plan->entered) return;
    atomic_store(plan->entered, 1);
    while (!atomic_load(plan->leave)) sched_yield();
}

static void raise_first(const rill_launch *launch)
{
    wait_for(&plans[0]);
    raise_planned(launch, &plans[0]);
}

static void raise_second(const rill_launch *launch)
{
    wait_for(&plans[1]);
    raise_planned(launch, &plans[1]);
}

static void raise_early(const rill_launch *launch)
{
    raise_planned(launch, &plans[0]);
    wait_for(&plans[0]);
}

static const rill_function first = { .name = "first", .over_grid = raise_first };
static const rill_function second = { .name = "second", .over_grid = raise_second };
static const rill_function early = { .name = "early", .over_grid = raise_early };

static void run(struct fixture *f, const rill_function *function, rill_stream *stream)
{
    ok(rill_launch_kernel(stream, new_kernel(f, f->context, function), one, one, 0, NULL));
}

/* ---- Statuses ------------------------------------------------------------------------ */

/* The device of a platform of its own fails with this; what that platform says. */
static rill_status after_fault(rill_status raised)
{
    rill_platform *platform = NULL;
    rill_context *context = NULL;
    rill_module *module = NULL;
    rill_kernel *kernel = NULL;
    const rill_image image = { .size = sizeof image, .functions = &first, .function_count = 1 };
    plans[0] = (struct raising){ .status = raised, .message = "planned" };
    ok(suite->open(1, &platform));
    ok(rill_context_create(platform, NULL, &context));
    ok(rill_module_load(context, &image, &module));
    ok(rill_module_kernel(module, "first", &kernel));
    ok(rill_launch_kernel(rill_stream_legacy(context), kernel, one, one, 0, NULL));
    rill_status status = rill_context_synchronize(context);
    is(status, rill_stream_query(rill_stream_legacy(context)));
    is(status, rill_module_unload(&module));
    is(status, rill_context_destroy(&context));
    ok(rill_close(&platform));
    return status;
}

static void every_sticky_status_can_be_raised(void **state)
{
    int count = 0;
    (void)state;
    for (int number = 1; number < 1000; number++) {
        if (!rill_error_is_sticky((rill_status)number)) continue;
        assert_int_equal(after_fault((rill_status)number), number);
        count++;
    }
    assert_in_range(count, 5, 40);
}

static void what_is_not_sticky_is_told_as_a_failed_launch(void **state)
{
    const rill_status others[] = { RILL_SUCCESS, RILL_ERROR_INVALID_VALUE, RILL_ERROR_NOT_READY,
                                   (rill_status)12345, (rill_status)-1 };
    (void)state;
    for (int i = 0; i < 5; i++) is(RILL_ERROR_LAUNCH_FAILED, after_fault(others[i]));
}

/* ---- Which one counts ---------------------------------------------------------------- */

static void of_two_faults_of_a_launch_the_first_counts(void **state)
{
    struct fixture *f = *state;
    plans[0] = (struct raising){ .status = RILL_ERROR_ILLEGAL_ADDRESS, .message = "the first",
                                 .again = RILL_ERROR_ASSERT };
    run(f, &first, f->legacy);
    is(RILL_ERROR_ILLEGAL_ADDRESS, rill_stream_synchronize(f->legacy));
    assert_non_null(strstr(rill_last_error()->message, "the first"));
}

/* Both kernels are running when the first of them fails. */
static void of_two_launches_that_fail_the_first_counts(void **state)
{
    struct fixture *f = *state;
    static atomic_int entered[2], leave[2];
    rill_stream *a = new_stream(f), *b = new_stream(f);
    for (int i = 0; i < 2; i++) {
        atomic_store(&entered[i], 0);
        atomic_store(&leave[i], 0);
    }
    plans[0] = (struct raising){ .status = RILL_ERROR_ASSERT, .message = "the later",
                                 .entered = &entered[0], .leave = &leave[0] };
    plans[1] = (struct raising){ .status = RILL_ERROR_ILLEGAL_ADDRESS, .message = "the earlier",
                                 .entered = &entered[1], .leave = &leave[1] };
    run(f, &first, a);
    run(f, &second, b);
    while (!atomic_load(&entered[0]) || !atomic_load(&entered[1])) sched_yield();
    atomic_store(&leave[1], 1);
    while (!rill_context_status(f->context)) sched_yield();
    atomic_store(&leave[0], 1);
    is(RILL_ERROR_ILLEGAL_ADDRESS, rill_context_destroy(&f->context)); /* both are over */
    assert_non_null(strstr(rill_last_error()->message, "the earlier"));
    assert_non_null(strstr(rill_last_error()->cause.operation, "second"));
}

/* ---- When ------------------------------------------------------------------------------ */

static void a_fault_counts_when_its_launch_ends(void **state)
{
    struct fixture *f = *state;
    static atomic_int entered, leave;
    atomic_store(&entered, 0);
    atomic_store(&leave, 0);
    plans[0] = (struct raising){ .status = RILL_ERROR_ASSERT, .message = "planned",
                                 .entered = &entered, .leave = &leave };
    run(f, &early, new_stream(f));
    while (!atomic_load(&entered)) sched_yield();
    ok(rill_context_status(f->context));
    ok(rill_stream_query(new_stream(f)));
    atomic_store(&leave, 1);
    while (!rill_context_status(f->context)) sched_yield();
    is(RILL_ERROR_ASSERT, rill_context_status(f->context));
}

static atomic_int blocks;

static void count_blocks(const rill_launch *launch)
{
    atomic_fetch_add(&blocks, 1);
    if (launch->index.x == 3) rill_sim_fault(launch, RILL_ERROR_ASSERT, "block 3");
}

/* Blocks may run in any order; that every one runs would be as if none failed. */
static void blocks_that_did_not_begin_are_left_out(void **state)
{
    enum { GRID = 100000 };
    static const rill_function function = { .name = "blocks", .over_block = count_blocks };
    struct fixture *f = *state;
    const rill_dim3 grid = { GRID, 1, 1 };
    rill_kernel *kernel = new_kernel(f, f->context, &function);
    atomic_store(&blocks, 0);
    ok(rill_launch_kernel(f->legacy, kernel, grid, one, 0, NULL));
    is(RILL_ERROR_ASSERT, rill_stream_synchronize(f->legacy));
    assert_in_range(atomic_load(&blocks), 1, GRID - 1);
}

static void count_run(void *data)
{
    atomic_fetch_add((atomic_int *)data, 1);
}

static void nodes_behind_one_that_fails_are_left_out(void **state)
{
    struct fixture *f = *state;
    atomic_int before = 0, behind = 0;
    rill_graph *graph = new_graph(f);
    rill_kernel *kernel = new_kernel(f, f->context, &first);
    rill_node node;
    plans[0] = (struct raising){ .status = RILL_ERROR_ASSERT, .message = "planned" };
    ok(rill_graph_add_host(graph, NULL, 0, count_run, &before, NULL, &node));
    ok(rill_graph_add_kernel(graph, &node, 1, kernel, one, one, 0, NULL, &node));
    ok(rill_graph_add_host(graph, &node, 1, count_run, &behind, NULL, &node));
    rill_exec *exec = new_exec(f, graph);
    rill_stream *stream = new_stream(f);
    for (int i = 0; i < 2; i++) {
        rill_status status = rill_exec_launch(exec, stream);
        assert_true(!status || (i && status == RILL_ERROR_ASSERT));
    }
    is(RILL_ERROR_ASSERT, rill_stream_synchronize(stream));
    assert_int_equal(atomic_load(&before), 1);
    assert_int_equal(atomic_load(&behind), 0);
}

static void outside_of_a_launch_there_is_nothing_to_fail(void **state)
{
    struct fixture *f = *state;
    const rill_launch launch = { .device = NULL };
    rill_sim_fault(NULL, RILL_ERROR_ASSERT, "no launch");
    rill_sim_fault(&launch, RILL_ERROR_ASSERT, "no device");
    ok(rill_context_synchronize(f->context));
}

/* ---- What is said ---------------------------------------------------------------------- */

static void a_fault_without_a_message_has_a_sentence_all_the_same(void **state)
{
    struct fixture *f = *state;
    plans[0] = (struct raising){ .status = RILL_ERROR_ASSERT, .message = NULL };
    run(f, &first, f->legacy);
    is(RILL_ERROR_ASSERT, rill_stream_synchronize(f->legacy));
    is(RILL_ERROR_ASSERT, rill_stream_query(f->legacy));
    blames("rill_stream_query", NULL);
    assert_non_null(strstr(rill_last_error()->cause.operation, "first"));
}

static void a_long_message_is_cut(void **state)
{
    struct fixture *f = *state;
    static char message[10000];
    memset(message, 'x', sizeof message - 1);
    plans[0] = (struct raising){ .status = RILL_ERROR_ASSERT, .message = message };
    run(f, &first, f->legacy);
    is(RILL_ERROR_ASSERT, rill_stream_synchronize(f->legacy));
    is(RILL_ERROR_ASSERT, rill_stream_query(f->legacy));
    const char *said = rill_last_error()->message;
    assert_non_null(strstr(said, "xxxxxxxxxxxxxxxx"));
    assert_in_range(strlen(said), 50, RILL_ERROR_MESSAGE_MAX - 1);
}

/* The message is copied: the kernel's may go. */
static void a_message_need_not_outlive_the_kernel(void **state)
{
    struct fixture *f = *state;
    char *message = strdup("a passing remark");
    plans[0] = (struct raising){ .status = RILL_ERROR_ASSERT, .message = message };
    run(f, &first, f->legacy);
    is(RILL_ERROR_ASSERT, rill_stream_synchronize(f->legacy));
    memset(message, '?', strlen(message));
    free(message);
    is(RILL_ERROR_ASSERT, rill_stream_query(f->legacy));
    assert_non_null(strstr(rill_last_error()->message, "a passing remark"));
}

static void caused_by(const char *operation, const char *object)
{
    const rill_error_cause *cause = &rill_last_error()->cause;
    if (!strcmp(cause->operation, operation) && !strcmp(cause->object, object)) return;
    print_error("the cause is %s in %s\n", cause->operation, cause->object);
    fail();
}

static void the_record_names_the_stream_by_its_label(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f);
    ok(rill_stream_set_label(stream, "left"));
    plans[0] = (struct raising){ .status = RILL_ERROR_ASSERT, .message = "planned" };
    run(f, &first, stream);
    is(RILL_ERROR_ASSERT, rill_stream_synchronize(stream));
    caused_by("kernel 'first'", "stream 'left'");
}

static void and_default_streams_too(void **state)
{
    struct fixture *f = *state;
    ok(rill_stream_set_label(f->legacy, "main"));
    plans[0] = (struct raising){ .status = RILL_ERROR_ASSERT, .message = "planned" };
    run(f, &first, f->legacy);
    is(RILL_ERROR_ASSERT, rill_stream_synchronize(f->legacy));
    caused_by("kernel 'first'", "stream 'main'");
}

static void and_those_of_threads(void **state)
{
    struct fixture *f = *state;
    ok(rill_stream_set_label(f->per_thread, "my own"));
    plans[0] = (struct raising){ .status = RILL_ERROR_ASSERT, .message = "planned" };
    run(f, &first, f->per_thread);
    is(RILL_ERROR_ASSERT, rill_stream_synchronize(f->per_thread));
    caused_by("kernel 'first'", "stream 'my own'");
}

static void also_that_of_a_wait_whose_memory_was_freed(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f);
    rill_devptr word = 0;
    char where[32];
    ok(rill_stream_set_label(stream, "left"));
    ok(rill_mem_alloc(f->context, 4, &word));
    ok(rill_memset_d32(f->context, word, 0, 1));
    ok(rill_stream_wait_value32(stream, word, 1, RILL_WAIT_EQ));
    ok(rill_mem_free_async(new_stream(f), word));
    is(RILL_ERROR_ILLEGAL_ADDRESS, rill_stream_synchronize(stream));
    caused_by("value wait", "stream 'left'");
    snprintf(where, sizeof where, "0x%llx", (unsigned long long)word);
    assert_non_null(strstr(rill_last_error()->message, where));
}

/* ---- Run --------------------------------------------------------------------------------- */

static int setup(void **state)
{
    return on_sim(state, 2);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_sticky_status_can_be_raised),
        TEST(what_is_not_sticky_is_told_as_a_failed_launch),
        TEST(of_two_faults_of_a_launch_the_first_counts),
        TEST(of_two_launches_that_fail_the_first_counts),
        TEST(a_fault_counts_when_its_launch_ends),
        TEST(blocks_that_did_not_begin_are_left_out),
        TEST(nodes_behind_one_that_fails_are_left_out),
        TEST(outside_of_a_launch_there_is_nothing_to_fail),
        TEST(a_fault_without_a_message_has_a_sentence_all_the_same),
        TEST(a_long_message_is_cut),
        TEST(a_message_need_not_outlive_the_kernel),
        TEST(the_record_names_the_stream_by_its_label),
        TEST(and_default_streams_too),
        TEST(and_those_of_threads),
        TEST(also_that_of_a_wait_whose_memory_was_freed),
    };
    return cmocka_run_group_tests_name("device faults", tests, NULL, NULL);
}
