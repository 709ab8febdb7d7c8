/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of layers: a fake backend at the bottom, layers that write down what is called, and
 * a platform that is opened with some of them.
 */
#ifndef LAYERED_H
#define LAYERED_H

#include "support/cmocka_all.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rill/rill.h>
#include <rill/layer.h>

#include "base/alloc.h"
#include "support/fake/fake.h"

/* ---- What was called ------------------------------------------------------------------------- */

static char calls[256];

static inline void note(const char *call)
{
    snprintf(calls + strlen(calls), sizeof calls - strlen(calls), "%s%s", *calls ? " " : "", call);
}

static inline void expect_calls(const char *words)
{
    assert_string_equal(calls, words);
    *calls = 0;
}

/* ---- The backend at the bottom --------------------------------------------------------------- */

static struct fake_tables fake;

static inline rill_status bottom_query(rill_stream *stream)
{
    (void)stream;
    note("bottom");
    return RILL_SUCCESS;
}

static inline rill_status bottom_copy_row(rill_stream *stream, rill_memory_kind dst_kind,
                                          rill_devptr dst, rill_memory_kind src_kind,
                                          rill_devptr src, size_t bytes)
{
    (void)stream, (void)dst_kind, (void)dst, (void)src_kind, (void)src, (void)bytes;
    note("bottom-copies");
    return RILL_SUCCESS;
}

static inline rill_status bottom_fill_row(rill_stream *stream, rill_devptr dst, uint32_t value,
                                          uint32_t element_bytes, size_t count)
{
    (void)stream, (void)dst, (void)value, (void)element_bytes, (void)count;
    note("bottom-fills");
    return RILL_SUCCESS;
}

static rill_status (*open_fake)(rill_platform *platform, const rill_open_options *options);
static bool open_fails;

static inline rill_status bottom_open(rill_platform *platform, const rill_open_options *options)
{
    if (!open_fails) return open_fake(platform, options);
    return rill_backend_fail(RILL_ERROR_NO_DEVICE, NULL, "the machine is on fire");
}

/* ---- Layers ---------------------------------------------------------------------------------- */

extern const struct rill_layer upper, lower;

/* Sets the layer's word of an object. */
static inline void keep(const struct rill_layer *layer, const void *object, const char *word)
{
    *rill_layer_word(layer, object) = (void *)(uintptr_t)word;
}

static inline rill_status upper_query(rill_stream *stream)
{
    note("upper");
    return rill_layer_beneath(&upper, stream)->stream->query(stream);
}

static inline rill_status lower_query(rill_stream *stream)
{
    note("lower");
    return rill_layer_beneath(&lower, stream)->stream->query(stream);
}

/* Keeps a word of the platform, as one that needs memory for it would. */
static inline rill_status upper_open(rill_platform *platform, const rill_open_options *options)
{
    keep(&upper, platform, "a platform");
    return rill_layer_beneath(&upper, platform)->open(platform, options);
}

/* What has gone, as "upper-KIND". */
static inline void note_gone(const char *layer, rill_object_kind kind, const char *word)
{
    char words[64];
    snprintf(words, sizeof words, "%s-%d-%s", layer, (int)kind, word);
    note(words);
}

static inline void upper_gone(rill_object_kind kind, void *object, void *word)
{
    (void)object;
    if (kind != RILL_OBJECT_PLATFORM) note_gone("upper", kind, word);
    else note("platform-gone");
}

static inline void lower_gone(rill_object_kind kind, void *object, void *word)
{
    (void)object;
    note_gone("lower", kind, word);
}

static inline rill_status lower_submit(rill_stream *stream, rill_op *op)
{
    note(op->kind == RILL_OP_MEMSET ? "lower-memset" : "lower-submit");
    return rill_layer_beneath(&lower, stream)->stream->submit(stream, op);
}

static inline rill_status lower_callback(rill_stream *stream, rill_stream_callback callback,
                                         void *data, uint32_t flags)
{
    (void)stream, (void)callback, (void)data, (void)flags;
    note("lower-callback");
    return RILL_SUCCESS;
}

static inline rill_status lower_destroy(rill_stream *stream)
{
    note("destroyed");
    return rill_layer_beneath(&lower, stream)->stream->destroy(stream);
}

static inline rill_status lower_graph(rill_graph *graph, const rill_graph_options *options)
{
    (void)graph, (void)options;
    note("lower-graph");
    return RILL_SUCCESS;
}

static inline rill_status never_probe(const rill_open_options *options)
{
    (void)options;
    note("probed");
    return RILL_ERROR_NO_DEVICE;
}

static const struct rill_stream_ops upper_streams = { .query = upper_query };
static const struct rill_backend upper_slots = {
    .name = "not this", .rank = 9999, .probe = never_probe, .open = upper_open,
    .stream = &upper_streams,
};
const struct rill_layer upper = {
    .abi = RILL_BACKEND_ABI, .size = sizeof upper, .name = "upper", .slots = &upper_slots,
    .gone = upper_gone,
};

static const struct rill_stream_ops lower_streams = {
    .private_bytes = 1 << 20, .query = lower_query, .submit = lower_submit,
    .add_callback = lower_callback, .destroy = lower_destroy,
};
static const struct rill_graph_ops lower_graphs = { .create = lower_graph };
static const struct rill_backend lower_slots = { .stream = &lower_streams,
                                                 .graph = &lower_graphs };
const struct rill_layer lower = {
    .abi = RILL_BACKEND_ABI, .size = sizeof lower, .name = "lower", .slots = &lower_slots,
    .gone = lower_gone,
};

/* Sees rows that are copied in their short form, and other operations. */
extern const struct rill_layer rows;

static inline rill_status rows_copy(rill_stream *stream, rill_memory_kind dst_kind, rill_devptr dst,
                                    rill_memory_kind src_kind, rill_devptr src, size_t bytes)
{
    note("rows-copies");
    return rill_layer_beneath(&rows, stream)->stream->copy_row(stream, dst_kind, dst, src_kind,
                                                               src, bytes);
}

static inline rill_status rows_submit(rill_stream *stream, rill_op *op)
{
    note("rows-submits");
    return rill_layer_beneath(&rows, stream)->stream->submit(stream, op);
}

static const struct rill_stream_ops rows_streams = { .copy_row = rows_copy,
                                                     .submit = rows_submit };
static const struct rill_backend rows_slots = { .stream = &rows_streams };
const struct rill_layer rows = {
    .abi = RILL_BACKEND_ABI, .size = sizeof rows, .name = "rows", .slots = &rows_slots,
};

static const struct rill_backend no_slots = { .name = NULL };
static const struct rill_layer idle[RILL_LAYERS_MAX + 1] = {
#define IDLE(n) { RILL_BACKEND_ABI, sizeof(struct rill_layer), "idle-" n, &no_slots, NULL }
    IDLE("0"), IDLE("1"), IDLE("2"), IDLE("3"), IDLE("4"), IDLE("5"), IDLE("6"), IDLE("7"),
    IDLE("8"),
};

static inline int register_all(void **state)
{
    (void)state;
    unsetenv("RILL_LAYERS");
    unsetenv("RILL_BACKEND");
    fake_build(&fake, "bottom", FAKE_POOLS);
    open_fake = fake.backend.open;
    fake.backend.open = bottom_open;
    fake.stream.query = bottom_query;
    fake.stream.copy_row = bottom_copy_row;
    fake.stream.fill_row = bottom_fill_row;
    for (size_t i = 0; i < sizeof idle / sizeof *idle; i++)
        if (rill_layer_register(&idle[i])) return -1;
    return rill_backend_register(&fake.backend) || rill_layer_register(&upper) ||
           rill_layer_register(&lower) || rill_layer_register(&rows);
}

/* ---- A world --------------------------------------------------------------------------------- */

struct layered {
    rill_platform *platform;
    rill_context *context;
    rill_stream *stream;
};

static inline rill_status open_with(const char *layers, rill_platform **platform)
{
    const rill_open_options options = { .size = sizeof options, .backend = "bottom",
                                        .layers = layers };
    *platform = NULL;
    return rill_open(&options, platform);
}

static inline void begin_world(struct layered *world, const char *layers)
{
    assert_int_equal(open_with(layers, &world->platform), RILL_SUCCESS);
    assert_int_equal(rill_context_create(world->platform, NULL, &world->context), RILL_SUCCESS);
    assert_int_equal(rill_stream_create(world->context, NULL, &world->stream), RILL_SUCCESS);
    *calls = 0;
}

static inline void end_world(struct layered *world)
{
    assert_int_equal(rill_stream_destroy(&world->stream), RILL_SUCCESS);
    assert_int_equal(rill_context_destroy(&world->context), RILL_SUCCESS);
    assert_int_equal(rill_close(&world->platform), RILL_SUCCESS);
}

/* Every test gives back what it takes. */
static long live_before;

static inline int begin(void **state)
{
    (void)state;
    *calls = 0;
    open_fails = false;
    rill_clear_error();
    live_before = rl_alloc_live();
    return 0;
}

static inline int end(void **state)
{
    (void)state;
    unsetenv("RILL_LAYERS");
    return rl_alloc_live() == live_before ? 0 : -1;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

#endif
