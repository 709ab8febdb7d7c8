/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of PTX in modules of the simulator: a platform with one stream, and a module that
 * is loaded from a text.
 */
#ifndef PTX_SCENE_H
#define PTX_SCENE_H

#include "sim/machine.h"

#define HEAD ".version 7.0\n.target sm_70\n.address_size 64\n"

static const rill_dim3 one = { 1, 1, 1 };

/* ---- Scenes ------------------------------------------------------------------------ */

struct scene {
    rill_platform *platform;
    rill_context *context;
    rill_stream *stream;
    rill_module *module;
    rill_kernel *kernel;
};

static inline void open_with(struct scene *s, rill_sim_options sim)
{
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim };
    memset(s, 0, sizeof *s);
    sim.size = sizeof sim;
    if (!sim.workers) sim.workers = 2;
    ok(rill_open(&options, &s->platform));
    ok(rill_context_create(s->platform, NULL, &s->context));
    ok(rill_stream_create(s->context, NULL, &s->stream));
}

static inline void open_scene(struct scene *s)
{
    open_with(s, (rill_sim_options){ .workers = 2 });
}

/* Also of a device that failed. */
static inline void close_scene(struct scene *s)
{
    rill_module_unload(&s->module);
    rill_stream_destroy(&s->stream);
    rill_context_destroy(&s->context);
    ok(rill_close(&s->platform));
}

/* Loads the text; its kernel 'k', where it has one. */
static inline void load(struct scene *s, const char *text)
{
    const rill_image image = { .size = sizeof image, .code = text };
    ok(rill_module_load(s->context, &image, &s->module));
    ok(rill_module_kernel(s->module, "k", &s->kernel));
}

static inline rill_status run(struct scene *s, uint32_t blocks, uint32_t threads,
                       const void *const *arguments)
{
    ok(rill_launch_kernel(s->stream, s->kernel, (rill_dim3){ blocks, 1, 1 },
                          (rill_dim3){ threads, 1, 1 }, 0, arguments));
    return rill_stream_synchronize(s->stream);
}

/* The device failed with these words in the record. */
static inline void says(const char *const *words, size_t count)
{
    const rill_error *last = rill_last_error();
    for (size_t i = 0; i < count; i++)
        if (!strstr(last->message, words[i]))
            fail_msg("\"%s\" does not say '%s'", last->message, words[i]);
}

#define SAYS(...) \
    says((const char *const[]){ __VA_ARGS__ }, \
         sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(const char *))

/* A pool that keeps what was freed has nearly all of the device. */
static inline void fill_with_a_pool(struct scene *s)
{
    size_t left = 0, all = 0;
    rill_pool *pool = NULL;
    rill_devptr address = 0;
    ok(rill_device_pool(s->platform, 0, &pool));
    ok(rill_pool_set_attribute(pool, RILL_POOL_RELEASE_THRESHOLD, UINT64_MAX));
    ok(rill_mem_info(s->context, &left, &all));
    ok(rill_mem_alloc_async(s->stream, left / MIB * MIB, &address));
    ok(rill_mem_free_async(s->stream, address));
    ok(rill_stream_synchronize(s->stream));
    ok(rill_mem_info(s->context, &left, &all));
    assert_true(left < MIB);
}

/* ---- Texts ----------------------------------------------------------------------------- */

#define STORE(name, value) \
    ".visible .entry " name "(.param .u64 p) { .reg .b64 %d; ld.param.u64 %d, [p];\n" \
    " st.global.u32 [%d], " value "; ret; }\n"

#endif
