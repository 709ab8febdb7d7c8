/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that is allocated and freed by calls, at once or in the order of a stream.
 */
#include "memory_steps.h"

void settle(struct world *w)
{
    CUresult r = cuCtxSynchronize();
    if (!r) return;
    line_call(w, "cuCtxSynchronize", "%s", "");
    line_result(w, r);
    line_end(w);
    w->over = true;
}

static CUstream draw_order(struct world *w)
{
    static const CUstream streams[] = { NULL, CU_STREAM_LEGACY, CU_STREAM_PER_THREAD };
    return chance(w, 6) ? streams[dice(w, 3)] : HANDLE_OF(object_pick(w, STREAM), CUstream);
}

/* None, a few bytes, more than there is. */
static size_t draw_size(struct world *w)
{
    if (chance(w, 20)) return 0;
    if (chance(w, 20)) return (size_t)1 << 46;
    return chance(w, 3) ? (size_t)(1 + dice(w, 3)) << 21 : 1 + dice(w, 5000);
}

void allocate_step(struct world *w)
{
    const size_t size = draw_size(w);
    CUstream s = draw_order(w);
    struct object *pool = object_pick(w, POOL);
    CUdeviceptr p = (CUdeviceptr)(uintptr_t)UNTOUCHED;
    CUresult r;
    unsigned from = ORDERED;
    switch (dice(w, 4)) {
    case 0:
        line_call(w, "cuMemAlloc", "%zu", size);
        r = cuMemAlloc(&p, size);
        from = PLAIN;
        break;
    case 1:
        line_call(w, "cuMemAllocAsync", "%zu, %s", size, name_stream(w, s));
        r = cuMemAllocAsync(&p, size, s);
        break;
    default:
        line_call(w, "cuMemAllocFromPoolAsync", "%zu, p%d, %s", size, pool->number,
                  name_stream(w, s));
        r = cuMemAllocFromPoolAsync(&p, size, HANDLE_OF(pool, CUmemoryPool), s);
    }
    if (line_result(w, r)) {
        line_see(w, "%s", name_address(w, p));
    } else if (p) {
        struct object *m = object_add(w, MEMORY, (const void *)p, -1);
        m->flags = from;
        m->size = size;
        line_see(w, "m%d", m->number);
    } else line_see(w, "null");
    line_end(w);
    settle(w);
}

/* Of a graph's memory only a launch knows whether it is there. */
static bool is_of_call(const struct object *o)
{
    return o->flags & (PLAIN | ORDERED);
}

/* Freed as if it were not a pool's, it would stay counted there for the seeds to come. */
static bool is_of_usual(struct world *w, const struct object *m)
{
    CUmemoryPool pool = NULL, usual = NULL;
    cuDeviceGetDefaultMemPool(&usual, w->t.dev);
    cuPointerGetAttribute(&pool, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, (CUdeviceptr)m->value);
    return pool == usual || m->flags & OF_GRAPH;
}

void free_step(struct world *w)
{
    struct object *m = chance(w, 4) ? object_pick(w, MEMORY)
                                    : object_pick_if(w, MEMORY, is_of_call);
    CUstream s = draw_order(w);
    if (!m) return;
    const bool ordered = m->flags & PLAIN ? chance(w, 3) : is_of_usual(w, m) || !chance(w, 8);
    const bool twice = chance(w, 12);
    const CUdeviceptr p = (CUdeviceptr)m->value + (chance(w, 20) && m->size > 8 ? 4 : 0);
    for (int i = 0; i <= twice; i++) {
        line_call(w, ordered ? "cuMemFreeAsync" : "cuMemFree", "m%d%s, %s", m->number,
                  p == m->value ? "" : "+4", ordered ? name_stream(w, s) : "");
        CUresult r = line_result(w, ordered ? cuMemFreeAsync(p, s) : cuMemFree(p));
        if (!r && is_of_call(m)) m->live = false;
        line_end(w);
    }
    settle(w);
}

void use_step(struct world *w)
{
    struct object *m = object_pick_if(w, MEMORY, is_of_call);
    CUstream s = draw_order(w);
    uint32_t word = 0;
    if (!m || m->size < 8) return;
    const CUdeviceptr p = (CUdeviceptr)m->value;
    line_call(w, "cuMemsetD32Async", "m%d, %s", m->number, name_stream(w, s));
    if (!line_result(w, cuMemsetD32Async(p, 7000u + (uint32_t)m->number, 1, s))) {
        cuStreamSynchronize(s);
        CUresult r = cuMemcpyDtoH(&word, p, 4);
        line_see(w, "read %s %u", ename(r), word);
    }
    line_end(w);
}

void pointer_step(struct world *w)
{
    struct object *m = object_pick_if(w, MEMORY, is_of_call);
    if (!m) return;
    CUdeviceptr p = (CUdeviceptr)m->value, start = 0;
    size_t size = 77;
    int value = 77;
    CUmemoryPool pool = UNTOUCHED;
    if (m->size && chance(w, 2)) p += dice(w, (unsigned)m->size);
    const unsigned long at = (unsigned long)(p - (CUdeviceptr)m->value);
    switch (dice(w, 4)) {
    case 0:
        line_call(w, "cuMemGetAddressRange", "m%d+%lu", m->number, at);
        if (!line_result(w, cuMemGetAddressRange(&start, &size, p))) {
            line_see(w, "%s %zu", start == m->value ? "start" : "other", size);
        }
        break;
    case 1:
        line_call(w, "cuPointerGetAttribute:MEMPOOL_HANDLE", "m%d+%lu", m->number, at);
        line_result(w, cuPointerGetAttribute(&pool, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, p));
        line_see(w, "%s", name_of(w, POOL, pool));
        break;
    case 2:
        line_call(w, "cuPointerGetAttribute:MEMORY_TYPE", "m%d+%lu", m->number, at);
        line_result(w, cuPointerGetAttribute(&value, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p));
        line_see(w, "%d", value);
        break;
    default:
        line_call(w, "cuPointerGetAttribute:RANGE_SIZE", "m%d+%lu", m->number, at);
        line_result(w, cuPointerGetAttribute(&size, CU_POINTER_ATTRIBUTE_RANGE_SIZE, p));
        line_see(w, "%zu", size);
    }
    line_end(w);
}
