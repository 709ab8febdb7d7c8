/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of captures: a stream of a fake backend.
 */
#ifndef RECORDING_H
#define RECORDING_H

#include "support/cmocka_all.h"

#include <string.h>

#include "base/alloc.h"
#include "core/object/error.h"
#include "support/fake/fake.h"
#include "support/shim_backend.h"

static struct fake_tables fake; /* behind the shim */
static rill_platform *platform;
static rill_context *context;
static rill_stream *stream; /* 'main' */
static rill_graph *graph;   /* that a test makes; gone with it */
static int runs, destroys;
static long live_before;

static inline void run(void *data)
{
    (void)data;
    runs++;
}

static inline void destroy(void *data)
{
    (void)data;
    destroys++;
}

static inline rill_stream *new_stream(const char *label)
{
    const rill_stream_options options = { .size = sizeof options, .label = label };
    rill_stream *made = NULL;
    assert_int_equal(rill_stream_create(context, &options, &made), RILL_SUCCESS);
    return made;
}

static inline int begin(void **state)
{
    const rill_open_options options = { .size = sizeof options, .backend = "shim" };
    (void)state;
    live_before = rl_alloc_live();
    shim_fail("", 0, RILL_SUCCESS);
    runs = destroys = fake_record.graphs = 0;
    if (rill_open(&options, &platform) || rill_context_create(platform, NULL, &context)) return -1;
    stream = new_stream("main");
    graph = NULL;
    rill_clear_error();
    return 0;
}

static inline int end(void **state)
{
    (void)state;
    shim_restore();
    rill_graph_destroy(&graph);
    rill_stream_destroy(&stream);
    rill_context_destroy(&context);
    rill_close(&platform);
    if (rl_noted || fake_record.graphs) return -1;
    return rl_alloc_live() == live_before ? 0 : -1;
}

static inline rill_capture_state state_of(rill_stream *of)
{
    rill_capture_info info = { .size = sizeof info };
    assert_int_equal(rill_stream_capture_info(of, &info), RILL_SUCCESS);
    return info.state;
}

static inline int open_backend(void **state)
{
    (void)state;
    return rill_backend_register(shim_backend(fake_build(&fake, "full", FAKE_ALL), "shim"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

#endif
