/* SPDX-License-Identifier: Apache-2.0
 *
 * What is left at the end: one finding for each call site, and none for what was freed.
 */
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "layer-check/checked.h"
#include "support/emulated.h"

enum { KIB = 1024, MIB = 1024 * KIB };

static void what_is_freed_is_no_leak(void **state)
{
    struct checked checked;
    rill_devptr device, pitched, pool;
    size_t pitch;
    void *pinned, *plain = aligned_alloc(4096, 4096);
    (void)state;
    begin_checked(&checked);
    OK(rill_mem_alloc(checked.context, KIB, &device));
    OK(rill_mem_alloc_pitch(checked.context, 100, 10, 4, &pitched, &pitch));
    OK(rill_host_alloc(checked.context, KIB, 0, &pinned));
    OK(rill_host_register(checked.context, plain, 4096, 0));
    OK(rill_mem_alloc_async(checked.s, KIB, &pool));
    OK(rill_mem_free_async(checked.s, pool));
    OK(rill_mem_alloc_async(checked.s, KIB, &pool));
    OK(rill_stream_synchronize(checked.s));
    OK(rill_mem_free(checked.context, pool));
    OK(rill_mem_free_async(checked.s, device));
    OK(rill_mem_free(checked.context, pitched));
    OK(rill_host_free(checked.context, pinned));
    OK(rill_host_unregister(checked.context, plain));
    end_checked(&checked);
    expect_nothing(&checked);
    free(plain);
}

/* ---- Objects --------------------------------------------------------------------------------- */

static void objects_that_are_destroyed_are_no_leaks(void **state)
{
    struct checked checked;
    rill_event *event;
    rill_graph *graph, *clone, *child;
    rill_exec *exec;
    (void)state;
    begin_checked(&checked);
    OK(rill_event_create(checked.context, NULL, &event));
    OK(rill_graph_create(checked.context, NULL, &graph));
    OK(rill_graph_create(checked.context, NULL, &child));
    rill_node node;
    OK(rill_graph_add_child(graph, NULL, 0, child, RILL_CHILD_MOVE, &node));
    OK(rill_graph_clone(graph, &clone));
    OK(rill_exec_create(graph, NULL, &exec));
    OK(rill_exec_destroy(&exec));
    OK(rill_graph_destroy(&clone));
    OK(rill_graph_destroy(&graph));
    OK(rill_event_destroy(&event));
    end_checked(&checked);
    expect_nothing(&checked);
}

static void what_goes_with_its_context_is_no_leak(void **state)
{
    struct checked checked;
    rill_event *event;
    rill_stream *stream;
    (void)state;
    begin_checked(&checked);
    OK(rill_event_create(checked.context, NULL, &event));
    OK(rill_stream_create(checked.context, NULL, &stream));
    end_checked(&checked);
    OK(rill_event_destroy(&event));
    OK(rill_stream_destroy(&stream));
    expect_nothing(&checked);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

/* Is one place also where no lines are known, and so not inlined. */
__attribute__((noinline)) static void allocate_here(struct checked *checked, size_t bytes)
{
    rill_devptr address;
    OK(rill_mem_alloc(checked->context, bytes, &address));
}

static void each_call_site_is_one_leak_with_its_count_and_bytes(void **state)
{
    struct checked checked;
    (void)state;
    begin_checked(&checked);
    for (size_t i = 0; i < 3; i++) allocate_here(&checked, MIB);
    end_checked(&checked);
    expect_found(&checked, RILL_FINDING_LEAK,
                 "device memory is never freed: 3 allocations, 3 MiB in all, left to the end of "
                 "the context");
    assert_int_equal(checked.found[0].bytes, 3 * MIB);
    assert_int_equal(checked.found[0].places, 1);
    assert_string_equal(checked.found[0].what[0], "the allocation");
    if (*checked.found[0].function)
        assert_string_equal(checked.found[0].function, "allocate_here");
}

static void a_leak_is_the_same_from_run_to_run(void **state)
{
    struct checked first, again;
    (void)state;
    begin_checked(&first);
    allocate_here(&first, KIB);
    end_checked(&first);
    begin_checked(&again);
    allocate_here(&again, KIB);
    end_checked(&again);
    assert_int_equal(first.count, 1);
    assert_int_equal(again.count, 1);
    assert_string_equal(first.found[0].id, again.found[0].id);
    assert_string_equal(first.found[0].sentence, again.found[0].sentence);
}

static void each_kind_of_memory_says_what_takes_it_back(void **state)
{
    struct checked checked;
    rill_devptr address;
    void *pinned, *plain = aligned_alloc(4096, 4096);
    (void)state;
    begin_checked(&checked);
    OK(rill_mem_alloc_async(checked.s, 4 * KIB, &address));
    OK(rill_host_alloc(checked.context, KIB, 0, &pinned));
    OK(rill_host_register(checked.context, plain, 4096, 0));
    OK(rill_stream_synchronize(checked.s));
    end_checked(&checked);
    assert_int_equal(checked.count, 3); /* in the order in which they were made */
    assert_string_equal(checked.found[0].sentence,
                        "pool memory is never freed: 1 allocation, 4 KiB, left to the end of "
                        "the pool");
    assert_string_equal(checked.found[1].sentence,
                        "pinned memory is never freed: 1 allocation, 1 KiB, left to the end");
    assert_string_equal(checked.found[2].sentence,
                        "registered memory is never unregistered: 1 allocation, 4 KiB, left to "
                        "the end");
    free(plain);
}

/* Those that come later may get the same addresses. */
static void what_the_end_of_a_context_took_back_is_a_leak(void **state)
{
    const rill_context_options options = { .size = sizeof options };
    struct checked checked;
    rill_context *context;
    rill_devptr address;
    (void)state;
    begin_checked(&checked);
    for (int i = 0; i < 8; i++) {
        OK(rill_context_create(checked.platform, &options, &context));
        OK(rill_mem_alloc(context, MIB, &address));
        OK(rill_context_destroy(&context));
    }
    end_checked(&checked);
    expect_found(&checked, RILL_FINDING_LEAK,
                 "device memory is never freed: 8 allocations, 8 MiB in all, left to the end of "
                 "the context");
}

static void short_memory_at_the_end_tells_less_and_breaks_nothing(void **state)
{
    struct checked checked;
    int told = 0;
    (void)state;
    for (long after = 0; after < 24; after++) {
        long live = rl_alloc_live();
        begin_checked(&checked);
        allocate_here(&checked, KIB);
        rl_alloc_fail_after(after);
        end_checked(&checked);
        rl_alloc_fail_after(-1);
        assert_in_range(checked.count, 0, 1);
        told += checked.count;
        cs_forget_sources();
        if (after) assert_int_equal(rl_alloc_live(), live);
    }
    assert_in_range(told, 1, 23);
}

/* ---- A process that leaves the platform open ------------------------------------------------- */

static void what_a_process_leaves_open_is_told_at_its_end(void **state)
{
    char command[512], said[4096];
    needs_own_programs();
    snprintf(command, sizeof command, "RILL_CHECK='leak exitcode=7' %s leave 2>&1",
             (const char *)*state);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    said[fread(said, 1, sizeof said - 1, pipe)] = 0;
    int status = pclose(pipe);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 7);
    assert_non_null(strstr(said, "==rill== leak: device memory is never freed: 1 allocation, "
                                 "1 KiB"));
    assert_non_null(strstr(said, "==rill== leak: a stream is never destroyed, and left to the end "
                                 "of its context\n"));
    assert_non_null(strstr(said, "==rill== leak: a graph is never destroyed, and left to the "
                                 "end\n"));
    assert_non_null(strstr(said, "==rill== leak: a context is never destroyed, and left to the "
                                 "end\n"));
    assert_null(strstr(said, "an event"));
    assert_null(strstr(said, "leave_nothing()"));
}

static const rill_context_options own = { .size = sizeof own, .flags = RILL_CONTEXT_OWN };

/* A context that is destroyed takes its objects along. */
static __attribute__((noinline)) void leave_nothing(struct checked *checked)
{
    rill_context *context;
    rill_stream *stream;
    OK(rill_context_create(checked->platform, &own, &context));
    OK(rill_stream_create(context, NULL, &stream));
    OK(rill_context_destroy(&context));
}

static int leave(void)
{
    struct checked checked;
    rill_context *context;
    begin_checked(&checked);
    OK(rill_check_report(checked.platform, NULL, NULL));
    allocate_here(&checked, KIB);
    rill_event *event;
    rill_graph *graph;
    OK(rill_event_create(checked.context, NULL, &event));
    OK(rill_event_destroy(&event));
    OK(rill_stream_begin_capture(checked.s, NULL));
    OK(rill_stream_end_capture(checked.s, &graph));
    OK(rill_context_create(checked.platform, &own, &context));
    leave_nothing(&checked);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "leave")) return leave();
    setenv("RILL_CHECK", "leak", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_freed_is_no_leak),
        cmocka_unit_test(objects_that_are_destroyed_are_no_leaks),
        cmocka_unit_test(what_goes_with_its_context_is_no_leak),
        cmocka_unit_test(each_call_site_is_one_leak_with_its_count_and_bytes),
        cmocka_unit_test(a_leak_is_the_same_from_run_to_run),
        cmocka_unit_test(each_kind_of_memory_says_what_takes_it_back),
        cmocka_unit_test(what_the_end_of_a_context_took_back_is_a_leak),
        cmocka_unit_test(short_memory_at_the_end_tells_less_and_breaks_nothing),
        cmocka_unit_test_prestate(what_a_process_leaves_open_is_told_at_its_end, argv[0]),
    };
    return cmocka_run_group_tests(tests, NULL, end_sources);
}
