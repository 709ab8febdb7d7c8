/* SPDX-License-Identifier: Apache-2.0
 *
 * A site that was taken with its callers tells them from the inside out.
 */
#include "support/cmocka_all.h"

#include <rill/layer.h>
#include <rill/rill.h>

#include <string.h>

#include "layer-check/leaks.h"
#include "site/libdw.h"
#include "site/site.h"
#include "site/site_layer.h"

static struct {
    rill_platform *platform;
    rill_context *context;
    rill_stream *stream;
    rill_devptr memory;
} world;

static void must(rill_status status)
{
    if (status) fail_msg("%s", rill_last_error()->message);
}

static struct cs_source callers[CS_CALLERS_MAX];
static size_t caller_count;

/* Finds the callers of the last call that the layer saw, whose site it returns. */
static const void *find_last(void)
{
    const void *site = site_layer_last();
    caller_count = cs_find_callers(site, callers, CS_CALLERS_MAX);
    return site;
}

static void expect_place(const struct cs_source *source, int line, const char *function)
{
    assert_string_equal(source->module, "test_site_callers");
    if (!cs_libdw()) return;
    const char *base = source->file ? strrchr(source->file, '/') : NULL;
    assert_string_equal(base ? base + 1 : source->file, "test_site_callers.c");
    assert_int_equal(source->line, line);
    assert_string_equal(source->function, function);
}

/* ---- Wrappers -------------------------------------------------------------------------------
 *
 * What follows a call keeps the compiler from making a jump of it.
 */

enum { CLEARS_AT = __LINE__ + 4 };

static __attribute__((noinline)) void clear_all(void)
{
    must(rill_memset_d8_async(world.stream, world.memory, 0, 64));
    must(rill_stream_synchronize(world.stream));
}

enum { CALLS_AT = __LINE__ + 4 };

static __attribute__((noinline)) void clear_again(void)
{
    clear_all();
    must(rill_stream_synchronize(world.stream));
}

static int descend(int depth);

/* Keeps the compiler from making a loop of the recursion. */
static int (*volatile go_down)(int depth) = descend;

static int descend(int depth)
{
    if (depth) return go_down(depth - 1) + 1;
    must(rill_memset_d8_async(world.stream, world.memory, 0, 64));
    return 0;
}

/* ---- Tests ---------------------------------------------------------------------------------- */

static void callers_stand_from_the_inside_out(void **state)
{
    (void)state;
    struct cs_source call;
    cs_keep_callers(3);
    clear_again(); int line = __LINE__;
    const void *site = find_last();
    assert_true(cs_find_source(site, &call));
    expect_place(&call, CLEARS_AT, "clear_all");
    assert_int_equal(caller_count, 3);
    expect_place(&callers[0], CALLS_AT, "clear_again");
    expect_place(&callers[1], line, __func__);
}

static __attribute__((noinline)) const void *clear_here(void)
{
    clear_all();
    return find_last();
}

static void one_line_with_other_callers_is_another_site(void **state)
{
    (void)state;
    const void *sites[2];
    struct cs_source call;
    cs_keep_callers(1);
    for (int i = 0; i < 2; i++) sites[i] = clear_here();
    assert_ptr_equal(sites[0], sites[1]);
    clear_all(); int line = __LINE__;
    const void *other = find_last();
    assert_ptr_not_equal(other, sites[0]);
    assert_ptr_equal(cs_site_alone(other), cs_site_alone(sites[0]));
    assert_false(cs_same_line(other, sites[0]));
    assert_true(cs_same_line(sites[0], sites[1]));
    assert_true(cs_find_source(other, &call));
    expect_place(&call, CLEARS_AT, "clear_all");
    expect_place(&callers[0], line, __func__);
}

static void there_are_as_many_as_were_asked_for(void **state)
{
    (void)state;
    for (unsigned most = 0; most <= CS_CALLERS_MAX; most += 3) {
        cs_keep_callers(most);
        cs_forget_sources(); /* no callers that are inlined were asked for before */
        assert_int_equal(descend(40), 40);
        assert_ptr_equal(cs_site_alone(site_layer_last()) == site_layer_last(), most == 0);
        assert_int_equal(cs_find_callers(site_layer_last(), callers, most), most);
        for (size_t i = 0; i < most && cs_libdw(); i++)
            assert_string_equal(callers[i].function, "descend");
        must(rill_stream_synchronize(world.stream));
    }
}

static inline __attribute__((always_inline)) void clear_inlined(void)
{
    must(rill_memset_d8_async(world.stream, world.memory, 0, 64));
}

static void a_function_that_is_inlined_has_a_caller(void **state)
{
    (void)state;
    struct cs_source call;
    cs_keep_callers(1);
    clear_inlined(); int line = __LINE__;
    const void *site = find_last();
    if (!cs_libdw()) return;
    assert_true(cs_find_source(site, &call));
    assert_string_equal(call.function, "clear_inlined");
    expect_place(&callers[0], line, __func__);
    must(rill_stream_synchronize(world.stream));
}

static rill_status capture_one(rill_stream *stream, void *data)
{
    rill_status status = rill_memset_d8_async(stream, *(rill_devptr *)data, 0, 64);
    must(status);
    return status;
}

static void callers_of_what_the_library_calls_are_beyond_it(void **state)
{
    (void)state;
    rill_graph *graph = NULL;
    cs_keep_callers(CS_CALLERS_MAX);
    must(rill_capture(world.stream, NULL, capture_one, &world.memory, &graph)); int line = __LINE__;
    must(rill_graph_destroy(&graph));
    if (!cs_libdw()) return;
    find_last();
    size_t at = 0;
    while (at < caller_count && callers[at].line != line) at++;
    assert_true(at < caller_count);
    expect_place(&callers[at], line, __func__);
}

static void without_asking_there_are_none(void **state)
{
    (void)state;
    cs_keep_callers(0);
    cs_forget_sources();
    clear_all();
    const void *site = find_last();
    assert_ptr_equal(site, cs_site_alone(site));
    assert_int_equal(caller_count, 0);
}

/* ---- The world ------------------------------------------------------------------------------ */

static int open_world(void **state)
{
    (void)state;
    rill_open_options options = { .size = sizeof options, .backend = "sim",
                                  .layers = SITE_LAYER };
    site_layer_register();
    must(rill_open(&options, &world.platform));
    must(rill_context_create(world.platform, 0, &world.context));
    must(rill_stream_create(world.context, NULL, &world.stream));
    must(rill_mem_alloc(world.context, 64, &world.memory));
    return 0;
}

static int close_world(void **state)
{
    (void)state;
    cs_keep_callers(0);
    must(rill_mem_free(world.context, world.memory));
    must(rill_stream_destroy(&world.stream));
    must(rill_context_destroy(&world.context));
    must(rill_close(&world.platform));
    cs_forget_sources();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(callers_stand_from_the_inside_out),
        cmocka_unit_test(one_line_with_other_callers_is_another_site),
        cmocka_unit_test(there_are_as_many_as_were_asked_for),
        cmocka_unit_test(a_function_that_is_inlined_has_a_caller),
        cmocka_unit_test(callers_of_what_the_library_calls_are_beyond_it),
        cmocka_unit_test(without_asking_there_are_none),
    };
    if (!cs_libdw()) print_message("# no libdw.so.1: lines are not compared\n");
    return cmocka_run_group_tests(tests, open_world, close_world);
}
