/* SPDX-License-Identifier: Apache-2.0
 *
 * Pools: their making and end, what they are told, and what they say of themselves.
 */
#include "memory_steps.h"

/* Never wrong: after a pool that was refused, the end of another crashes the driver. */
void pool_create_step(struct world *w)
{
    CUmemPoolProps props;
    CUmemoryPool pool = UNTOUCHED;
    if (object_live(w, POOL) >= 5) return;
    memset(&props, 0, sizeof props);
    props.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    props.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    if (chance(w, 4)) props.maxSize = (size_t)4 << 20;
    line_call(w, "cuMemPoolCreate", "%zu", props.maxSize);
    if (!line_result(w, cuMemPoolCreate(&pool, &props))) {
        line_see(w, "p%d", object_add(w, POOL, pool, -1)->number);
    } else line_see(w, "%s", name_of(w, POOL, pool));
    line_end(w);
}

void pool_destroy_step(struct world *w)
{
    struct object *pool = object_pick(w, POOL);
    line_call(w, "cuMemPoolDestroy", "p%d", pool->number);
    if (!line_result(w, cuMemPoolDestroy(HANDLE_OF(pool, CUmemoryPool)))) pool->live = false;
    line_end(w);
    settle(w);
}

/* Attributes 1 to 3 are int; what is reserved is the driver's own affair. */
static const char *value_text(struct world *w, int which, const uint64_t *value)
{
    int word;
    memcpy(&word, value, sizeof word);
    if (which == CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT || which == CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH)
        return *value ? "some" : "0";
    return which <= 3 ? note(w, "%d", word) : note(w, "%llu", (unsigned long long)*value);
}

void pool_attribute_step(struct world *w)
{
    struct object *pool = object_pick(w, POOL);
    CUmemoryPool p = HANDLE_OF(pool, CUmemoryPool);
    const int which = chance(w, 20) ? 99 : 1 + (int)dice(w, 8);
    uint64_t value = 0;
    switch (dice(w, 5)) {
    case 0: {
        static const uint64_t values[] = { 0, 0, 1, 1 << 20, UINT64_MAX };
        value = which <= 3 ? dice(w, 3) : values[dice(w, 5)];
        const char *text = note(w, "%llu", (unsigned long long)value);
        CALL(w, cuMemPoolSetAttribute(p, (CUmemPool_attribute)which, &value),
             "cuMemPoolSetAttribute", "p%d, %d, %s", pool->number, which, text);
        break;
    }
    case 1:
        value = chance(w, 2) ? 0 : (uint64_t)1 << (10 + dice(w, 16));
        CALL(w, cuMemPoolTrimTo(p, value), "cuMemPoolTrimTo", "p%d, %llu", pool->number,
             (unsigned long long)value);
        break;
    default:
        line_call(w, "cuMemPoolGetAttribute", "p%d, %d", pool->number, which);
        if (!line_result(w, cuMemPoolGetAttribute(p, (CUmemPool_attribute)which, &value))) {
            line_see(w, "%s", value_text(w, which, &value));
        }
        line_end(w);
    }
}

void pool_access_step(struct world *w)
{
    struct object *pool = object_pick(w, POOL);
    CUmemoryPool p = HANDLE_OF(pool, CUmemoryPool);
    CUmemAccessDesc access;
    CUmemAccess_flags flags = (CUmemAccess_flags)77;
    memset(&access, 0, sizeof access);
    access.location.type =
        chance(w, 8) ? CU_MEM_LOCATION_TYPE_INVALID : CU_MEM_LOCATION_TYPE_DEVICE;
    access.location.id = chance(w, 8) ? 99 : 0;
    access.flags = (CUmemAccess_flags)dice(w, 4);
    const char *where = note(w, "%d.%d", (int)access.location.type, access.location.id);
    if (chance(w, 2)) {
        const size_t count = chance(w, 10) ? 0 : 1;
        CALL(w, cuMemPoolSetAccess(p, &access, count), "cuMemPoolSetAccess", "p%d, %s, %d, %zu",
             pool->number, where, (int)access.flags, count);
        return;
    }
    line_call(w, "cuMemPoolGetAccess", "p%d, %s", pool->number, where);
    line_result(w, cuMemPoolGetAccess(&flags, p, &access.location));
    line_see(w, "%d", (int)flags);
    line_end(w);
}

void pool_current_step(struct world *w)
{
    CUmemoryPool pool = UNTOUCHED;
    switch (dice(w, 3)) {
    case 0: {
        struct object *to = object_pick(w, POOL);
        CALL(w, cuDeviceSetMemPool(w->t.dev, HANDLE_OF(to, CUmemoryPool)), "cuDeviceSetMemPool",
             "p%d", to->number);
        break;
    }
    case 1:
        line_call(w, "cuDeviceGetMemPool", "%s", "");
        line_result(w, cuDeviceGetMemPool(&pool, w->t.dev));
        line_see(w, "%s", name_of(w, POOL, pool));
        line_end(w);
        break;
    default:
        line_call(w, "cuDeviceGetDefaultMemPool", "%s", "");
        line_result(w, cuDeviceGetDefaultMemPool(&pool, w->t.dev));
        line_see(w, "%s", name_of(w, POOL, pool));
        line_end(w);
    }
}
