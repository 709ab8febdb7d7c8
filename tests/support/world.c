/* SPDX-License-Identifier: Apache-2.0 */
#include "support/world.h"

#include <string.h>

int world_destroyed;

static void count(const rill_launch *launch)
{
    ++*RILL_ARGUMENT(launch, 0, int *);
}

static const rill_param count_params[] = { RILL_PARAM(int *) };
static const rill_function functions[] = {
    { .name = "count", .over_grid = count, .params = count_params, .param_count = 1 },
};
static const char count_ptx[] =
    ".version 6.4\n.target sm_75\n.address_size 64\n"
    ".visible .entry count(.param .u64 where)\n"
    "{\n  .reg .b64 %p;\n  ld.param.u64 %p, [where];\n  red.global.add.u32 [%p], 1;\n  ret;\n}\n";
const rill_image world_image = { .size = sizeof world_image,
                                 .code = count_ptx,
                                 .functions = functions,
                                 .function_count = 1 };

static void on_destroy(void *data)
{
    (void)data;
    world_destroyed++;
}

static rill_status fill_plain(struct world *w)
{
    const rill_context_options own = { .size = sizeof own, .flags = RILL_CONTEXT_OWN };
    const rill_event_options timing = { .size = sizeof timing, .flags = RILL_EVENT_TIMING };
    rill_status status = rill_context_create(w->platform, &own, &w->context);
    if (!status) status = rill_stream_create(w->context, NULL, &w->stream);
    if (!status) status = rill_event_create(w->context, &timing, &w->event);
    if (!status) status = rill_module_load(w->context, &world_image, &w->module);
    if (!status) status = rill_module_kernel(w->module, "count", &w->kernel);
    if (!status) status = rill_mem_alloc(w->context, 64, &w->address);
    return status;
}

static rill_status fill_graph(struct world *w)
{
    rill_op empty = { .kind = RILL_OP_EMPTY };
    rill_op child = { .kind = RILL_OP_GRAPH };
    rill_graph *inner = NULL;
    rill_status status = rill_graph_create(w->context, NULL, &w->graph);
    if (!status) status = rill_graph_add_node(w->graph, NULL, 0, &empty, &w->node);
    if (!status) status = rill_graph_create(w->context, NULL, &inner);
    child.graph.graph = inner;
    if (!status) status = rill_graph_add_node(w->graph, NULL, 0, &child, &w->child_node);
    rill_status destroyed = rill_graph_destroy(&inner);
    return status ? status : destroyed;
}

static rill_status step(rill_stream *stream, void *data)
{
    (void)stream;
    (void)data;
    return RILL_SUCCESS;
}

static rill_status fill_rest(struct world *w)
{
    rill_status status = rill_pool_create(w->platform, NULL, &w->pool);
    if (!status) status = fill_graph(w);
    if (!status) status = rill_exec_create(w->graph, NULL, &w->exec);
    if (!status)
        status = rill_user_object_create(w->platform, NULL, on_destroy, 2, &w->object);
    if (!status) status = rill_replay_create(w->context, NULL, step, NULL, NULL, &w->replay);
    return status;
}

rill_status world_fill(struct world *world, rill_platform *platform)
{
    memset(world, 0, sizeof *world);
    world->platform = platform;
    rill_status status = fill_plain(world);
    return status ? status : fill_rest(world);
}

rill_status plain_world_open(struct world *world, const char *backend)
{
    const rill_open_options options = { .size = sizeof options, .backend = backend };
    memset(world, 0, sizeof *world);
    rill_status status = rill_open(&options, &world->platform);
    return status ? status : fill_plain(world);
}

rill_status world_open(struct world *world, const char *backend)
{
    rill_status status = plain_world_open(world, backend);
    return status ? status : fill_rest(world);
}

rill_status world_empty(struct world *w)
{
    rill_status first = RILL_SUCCESS, status;
#define THEN(call) \
    status = call; \
    if (!first) first = status
    THEN(rill_replay_destroy(&w->replay));
    THEN(rill_user_object_release(&w->object, 2));
    THEN(rill_exec_destroy(&w->exec));
    THEN(rill_graph_destroy(&w->graph));
    THEN(rill_pool_destroy(&w->pool));
    THEN(rill_module_unload(&w->module));
    THEN(rill_event_destroy(&w->event));
    THEN(rill_stream_destroy(&w->stream));
    THEN(rill_context_destroy(&w->context)); /* and its memory with it */
#undef THEN
    return first;
}

rill_status world_close(struct world *world)
{
    rill_status status = world_empty(world);
    rill_status closed = rill_close(&world->platform);
    return status ? status : closed;
}
