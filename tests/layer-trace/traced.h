/* SPDX-License-Identifier: Apache-2.0
 *
 * What tests of the layer `trace` on the simulator share: a platform that is traced to a file,
 * which is read once the platform is closed.
 */
#ifndef LAYER_TRACE_TRACED_H
#define LAYER_TRACE_TRACED_H

#include <rill/rill.h>
#include <rill/trace.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "layer-trace/events.h"
#include "support/cmocka_all.h"

#define OK(call) assert_int_equal(call, RILL_SUCCESS)

enum { BYTES = 4096 };

static char path[64];

struct traced {
    rill_platform *platform;
    rill_context *context;
    rill_stream *s, *t;
    rill_devptr memory;
    rill_module *module;
    rill_kernel *kernel;
};

static inline void count(const rill_launch *launch)
{
    (void)launch;
}

static const rill_function functions[] = { { .name = "co\"unt", .over_grid = count } };
static const rill_image image = { .size = sizeof image, .functions = functions,
                                  .function_count = 1 };

static inline void start(struct traced *traced)
{
    const rill_trace_options options = { .size = sizeof options, .file = path };
    OK(rill_trace_start(traced->platform, &options));
}

static inline void open_traced(struct traced *traced)
{
    const rill_open_options options = { .size = sizeof options, .backend = "sim",
                                        .layers = "trace" };
    const rill_stream_options named = { .size = sizeof named, .flags = RILL_STREAM_NON_BLOCKING,
                                        .label = "copies" },
                              plain = { .size = sizeof plain, .flags = RILL_STREAM_NON_BLOCKING };
    OK(rill_open(&options, &traced->platform));
    OK(rill_context_create(traced->platform, NULL, &traced->context));
    start(traced);
    OK(rill_stream_create(traced->context, &named, &traced->s));
    OK(rill_stream_create(traced->context, &plain, &traced->t));
    OK(rill_mem_alloc(traced->context, BYTES, &traced->memory));
    OK(rill_module_load(traced->context, &image, &traced->module));
    OK(rill_module_kernel(traced->module, "co\"unt", &traced->kernel));
}

static inline void close_traced(struct traced *traced)
{
    OK(rill_context_synchronize(traced->context));
    OK(rill_module_unload(&traced->module));
    OK(rill_mem_free(traced->context, traced->memory));
    OK(rill_stream_destroy(&traced->s));
    OK(rill_stream_destroy(&traced->t));
    OK(rill_context_destroy(&traced->context));
    OK(rill_close(&traced->platform));
}

static inline struct events finish(struct traced *traced)
{
    close_traced(traced);
    struct events events = events_read(path);
    events_check(&events);
    return events;
}

static inline void launch(struct traced *traced, rill_stream *stream)
{
    const rill_dim3 grid = { 2, 1, 1 }, block = { 32, 1, 1 };
    OK(rill_launch_kernel(stream, traced->kernel, grid, block, 0, NULL));
}

static inline int remove_file(void **state)
{
    (void)state;
    unlink(path);
    return 0;
}

#endif
