/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/kernel_world.h"

#include <stdio.h>
#include <string.h>

#include "backend-sim/conditional.h"
#include "backend-sim/heap.h"
#include "base/alloc.h"

/* ---- Memory -------------------------------------------------------------------------- */

/* Of what is there but not in the map: as much as pools give out at least. */
#define PIECE 512u

/* A module that is gone is not asked whose peer it was. */
static bool is_reached(struct sim_code *code, const struct address_info *info)
{
    rl_lock(&code->lock);
    bool reached = !code->context || sim_address_reached(code->context, info);
    rl_unlock(&code->lock);
    return reached;
}

/* Memory that the program has freed in stream order is there for work that comes before,
 * though the map does not know it any more. */
static bool find(void *data, uint64_t address, struct ptx_extent *extent)
{
    struct kernel_world *world = data;
    struct address_info info;
    if (!sim_memory_holds(world->platform, address, 1)) return false;
    sim_map_look(world->platform->map, address, &info);
    if (!info.known) {
        uint64_t base = address & ~(uint64_t)(PIECE - 1);
        *extent = (struct ptx_extent){ .base = base, .end = base + PIECE };
        return true;
    }
    if (!is_reached(world->code, &info)) return false;
    *extent = (struct ptx_extent){ .base = info.base, .end = info.base + info.bytes,
                                   .read_only = info.read_only };
    return true;
}

static void explain(void *data, uint64_t address, char *words, size_t room)
{
    struct kernel_world *world = data;
    struct address_info info;
    char text[SIM_WORDS_MAX];
    sim_map_look(world->platform->map, address, &info);
    if (info.known && !is_reached(world->code, &info))
        snprintf(words, room, "%s of device %d, to which device %d has no access",
                 sim_allocation_words(info.kind), info.device, world->code->device->ordinal);
    else if (info.known && !sim_memory_holds(world->platform, address, 1))
        snprintf(words, room, "%s, which is not allocated now", sim_allocation_words(info.kind));
    else
        snprintf(words, room, "%s", sim_address_words(&info, address, text));
}

/* ---- The heap of kernels ----------------------------------------------------------------- */

/* What an allocation counts for. */
static uint64_t weigh(uint64_t bytes)
{
    return (bytes + 31) & ~UINT64_C(15);
}

static bool weigh_in(struct kernel_world *world, uint64_t bytes)
{
    struct sim_device *device = world->code->device;
    uint64_t most = world->platform->kernel_heap_bytes;
    if (bytes > most) return false;
    uint64_t before = atomic_fetch_add_explicit(&device->kernel_heap, weigh(bytes),
                                                memory_order_relaxed);
    if (before + weigh(bytes) <= most) return true;
    atomic_fetch_sub_explicit(&device->kernel_heap, weigh(bytes), memory_order_relaxed);
    return false;
}

static uint64_t allocate(void *data, uint64_t bytes)
{
    struct kernel_world *world = data;
    struct sim_device *device = world->code->device;
    if (!bytes || !weigh_in(world, bytes)) return 0;
    struct allocation *allocation = rl_zalloc(sizeof *allocation);
    if (!allocation || sim_heap_take(device->heap, bytes, &allocation->extent)) {
        rl_free(allocation);
        atomic_fetch_sub_explicit(&device->kernel_heap, weigh(bytes), memory_order_relaxed);
        return 0;
    }
    uint64_t address = allocation->extent->range.base;
    allocation->range.base = address;
    allocation->range.bytes = bytes;
    allocation->kind = ALLOCATION_HEAP;
    allocation->device = device->ordinal;
    rl_lock(&world->code->lock);
    allocation->context = world->code->context;
    rl_unlock(&world->code->lock);
    sim_map_add(world->platform->map, allocation);
    return address;
}

static bool release(void *data, uint64_t address)
{
    struct sim_platform *platform = ((struct kernel_world *)data)->platform;
    struct address_info info;
    struct allocation *allocation =
        sim_map_claim(platform->map, address, ALLOCATION_HEAP, &info);
    if (!allocation) return false;
    struct sim_device *device = &platform->devices[allocation->device];
    sim_map_remove(platform->map, allocation);
    sim_heap_give(device->heap, allocation->extent);
    atomic_fetch_sub_explicit(&device->kernel_heap, weigh(allocation->range.bytes),
                              memory_order_relaxed);
    rl_free(allocation);
    return true;
}

/* ---- The rest ---------------------------------------------------------------------------- */

/* One call writes all of a text, so that lines of several threads stay apart. */
static void print(void *data, const char *text, size_t bytes)
{
    struct kernel_world *world = data;
    if (world->platform->print) {
        world->platform->print(world->platform->print_data, text, bytes);
        return;
    }
    fwrite(text, 1, bytes, stdout);
    atomic_store_explicit(&world->printed, true, memory_order_relaxed);
}

static void set_conditional(void *data, uint64_t handle, uint32_t value)
{
    struct kernel_world *world = data;
    int none = 0;
    if (sim_launch_set_conditional(handle, value)) return;
    sim_kernel_fail(world->fault, RILL_ERROR_ILLEGAL_ADDRESS, SIM_WRONG_CONDITIONAL);
    atomic_compare_exchange_strong(&world->ended->status, &none, RILL_ERROR_ILLEGAL_ADDRESS);
}

static uint64_t now(void *data)
{
    return sim_engine_now(((struct kernel_world *)data)->platform->engine);
}

void sim_kernel_world_init(struct kernel_world *world, const struct kernel_launch *launch,
                           struct kernel_fault *fault, struct ptx_fault *ended)
{
    *world = (struct kernel_world){
        .world = { .data = world, .find = find, .explain = explain,
                   .changes = &launch->platform->map->removals,
                   .allocate = allocate, .release = release, .print = print,
                   .set_conditional = set_conditional, .now = now },
        .code = launch->function->code, .platform = launch->platform, .fault = fault,
        .ended = ended,
    };
}
