/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory in the order of streams, pools, and the memory of graphs.
 */
#include "memory_steps.h"

static CUmemoryPool usual_pool(struct world *w)
{
    CUmemoryPool pool = NULL;
    if (cuDeviceGetDefaultMemPool(&pool, w->t.dev)) w->over = true;
    return pool;
}

/* As a new process finds them. */
static void reset(struct world *w)
{
    CUmemoryPool pool = usual_pool(w);
    uint64_t none = 0;
    int on = 1;
    cuDeviceSetMemPool(w->t.dev, pool);
    for (int i = 1; i <= 3; i++) cuMemPoolSetAttribute(pool, (CUmemPool_attribute)i, &on);
    cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &none);
    cuMemPoolTrimTo(pool, 0);
    cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH, &none);
    cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &none);
    cuDeviceGraphMemTrim(w->t.dev);
    cuDeviceSetGraphMemAttribute(w->t.dev, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &none);
    cuDeviceSetGraphMemAttribute(w->t.dev, CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH, &none);
}

static void open(struct world *w)
{
    for (int i = 0; i < 2; i++) {
        CUstream s = NULL;
        if (cuStreamCreate(&s, i ? CU_STREAM_NON_BLOCKING : 0)) w->over = true;
        object_add(w, STREAM, s, -1);
        graph_new(w);
    }
    reset(w);
    object_add(w, POOL, usual_pool(w), -1);
    pool_create_step(w);
}

static void step(struct world *w)
{
    static const struct choice choices[] = {
        { 12, allocate_step },     { 9, free_step },          { 5, use_step },
        { 5, pointer_step },       { 3, pool_create_step },   { 2, pool_destroy_step },
        { 12, pool_attribute_step }, { 3, pool_access_step }, { 4, pool_current_step },
        { 8, memory_node_step },   { 6, memory_exec_step },   { 9, memory_launch_step },
        { 6, graph_memory_step },  { 1, new_graph_step },     { 1, destroy_graph_step },
        { 1, destroy_node_step },  { 1, clone_step },         { 1, remove_edges_step },
    };
    CHOOSE(w, choices);
}

/* What launches left allocated outlives its graph. */
static void close_all(struct world *w)
{
    for (int i = 0; i < w->count; i++) {
        struct object *o = &w->objects[i];
        if (o->kind != MEMORY || (!o->live && o->flags != OF_GRAPH)) continue;
        if (o->flags & PLAIN) cuMemFree((CUdeviceptr)o->value);
        else cuMemFreeAsync((CUdeviceptr)o->value, NULL);
        o->live = false;
    }
    if (cuCtxSynchronize()) w->unclean = true;
    graphs_close(w);
    for (int i = 0; i < w->count; i++) {
        struct object *o = &w->objects[i];
        if (!o->live || o->kind != POOL) continue;
        CUmemoryPool pool = HANDLE_OF(o, CUmemoryPool);
        if (pool != usual_pool(w)) cuMemPoolDestroy(pool);
        o->live = false;
    }
    reset(w);
    uint64_t used = 0, of_graphs = 0;
    cuMemPoolGetAttribute(usual_pool(w), CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used);
    cuDeviceGetGraphMemAttribute(w->t.dev, CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT, &of_graphs);
    if (used || of_graphs) w->unclean = true;
}

const struct area memory_area = { "memory", open, step, close_all, false };
