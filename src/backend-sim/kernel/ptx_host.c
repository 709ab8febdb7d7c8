/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/kernel/ptx_host.h"

#include <stdio.h>

#include "backend-sim/kernel/heap.h"
#include "backend-sim/kernel/reserve.h"
#include "backend-sim/memory/memory.h"
#include "backend-sim/memory/views.h"
#include "backend-sim/scheduler/run_context.h"
#include "backend-sim/scheduler/steering.h"
#include "base/bytes/footprint.h"
#include "base/charge.h"
#include "base/poison.h"

/* ---- Memory -------------------------------------------------------------------------- */

/* The least that devices and their pools give out. */
#define PIECE 512u

/* Tells whether the context of the code reaches an allocation.  Once the module is unloaded,
 * no context is asked. */
static bool is_reached(struct sim_code *code, const struct address_info *info)
{
    rl_lock(&code->lock);
    bool reached = !code->context || sim_address_reached(code->context, info);
    rl_unlock(&code->lock);
    return reached;
}

static void tell_beyond(struct kernel_host *host, const struct address_info *info)
{
    char message[SIM_FAULT_MAX];
    if (atomic_exchange(&host->function->told_beyond, true)) return;
    snprintf(message, sizeof message, "kernel '%s' goes beyond the %zu bytes at 0x%llx, where "
             "a GPU notices nothing up to the next multiple of %u", host->function->name,
             (size_t)info->bytes, (unsigned long long)info->base, PIECE);
    host->platform->beyond(host->platform->beyond_data, message);
}

/* Finds the allocation that ends in the piece of an address which is in none.  Where a memory
 * checker would see it, nobody may go there. */
static bool find_in_front(struct kernel_host *host, uint64_t address, struct address_info *info)
{
    const uint64_t piece = address & ~(uint64_t)(PIECE - 1);
    struct address_info found;
    if (!host->platform->beyond || RL_POISON_GAP) return false;
    sim_map_lookup(host->platform->map, piece, &found);
    if (!found.known || !(found.kind & (ALLOCATION_DEVICE | ALLOCATION_POOL))) return false;
    tell_beyond(host, &found);
    found.bytes = piece + PIECE - found.base;
    *info = found;
    return true;
}

/* Finds the extent around an address.  Memory that the program has freed in stream order
 * exists for work that precedes the free, though the map does not know it any more. */
static bool find_extent(void *data, uint64_t address, struct ptx_extent *extent)
{
    struct kernel_host *host = data;
    struct address_info info;
    sim_map_lookup(host->platform->map, address, &info);
    bool behind = !info.known && find_in_front(host, address, &info);
    if (!behind && !sim_memory_holds(host->platform, address, 1)) return false;
    if (!info.known) {
        uint64_t base = address & ~(uint64_t)(PIECE - 1);
        *extent = (struct ptx_extent){ .base = base, .end = base + PIECE,
                                       .host = (unsigned char *)(uintptr_t)base };
        return true;
    }
    if (!is_reached(host->function->code, &info)) return false;
    uint64_t seen = sim_view_of(host->platform, info.base);
    bool only_read = info.reading >> host->function->code->device->ordinal & 1;
    *extent = (struct ptx_extent){ .base = info.base, .end = info.base + info.bytes,
                                   .host = (unsigned char *)(uintptr_t)seen,
                                   .read_only = info.read_only || only_read,
                                   .constant = info.constant };
    return true;
}

static void explain_address(void *data, uint64_t address, char *words, size_t room)
{
    struct kernel_host *host = data;
    struct address_info info;
    char text[SIM_DESCRIPTION_MAX];
    sim_map_lookup(host->platform->map, address, &info);
    if (info.known && !is_reached(host->function->code, &info))
        snprintf(words, room, "%s of device %d, to which device %d has no access",
                 sim_describe_allocation(info.kind), info.device,
                 host->function->code->device->ordinal);
    else if (info.known && !sim_memory_holds(host->platform, address, 1))
        snprintf(words, room, "%s, which is not allocated now", sim_describe_allocation(info.kind));
    else
        snprintf(words, room, "%s", sim_describe_address(&info, address, text));
}

/* ---- The rest ---------------------------------------------------------------------------- */

static uint64_t allocate_piece(void *data, uint64_t bytes)
{
    return sim_kernel_heap_alloc(((struct kernel_host *)data)->function->code, bytes);
}

void sim_kernel_host_freed(struct kernel_host *host, uint64_t address, uint64_t bytes)
{
    if (!host->freed || !bytes) return;
    if (!*host->freed) *host->freed = rl_footprint_create(0);
    if (*host->freed) rl_footprint_add(*host->freed, address, bytes, RILL_TOUCH_WRITE);
}

static bool release_piece(void *data, uint64_t address)
{
    struct kernel_host *host = data;
    const uint64_t bytes = sim_kernel_heap_free(host->platform, address);
    if (!host->freed) return bytes;
    rl_lock(&host->children.lock);
    sim_kernel_host_freed(host, address, bytes);
    rl_unlock(&host->children.lock);
    return bytes;
}

/* Writes a text with one call, so that lines of several threads stay apart. */
static void print_text(void *data, const char *text, size_t bytes)
{
    struct kernel_host *host = data;
    if (host->platform->print) {
        host->platform->print(host->platform->print_data, text, bytes);
        return;
    }
    fwrite(text, 1, bytes, stdout);
    atomic_store_explicit(&host->printed, true, memory_order_relaxed);
}

static void set_conditional(void *data, uint64_t handle, uint32_t value)
{
    struct kernel_host *host = data;
    int none = 0;
    if (sim_kernel_set_conditional(host->fault, handle, value)) return;
    sim_kernel_fail(host->fault, RILL_ERROR_ILLEGAL_ADDRESS, SIM_WRONG_CONDITIONAL);
    atomic_compare_exchange_strong(&host->ended->status, &none, RILL_ERROR_ILLEGAL_ADDRESS);
}

/* Where time is virtual, it stands still while a kernel runs.  A kernel that asks for the time
 * until enough of it is over must get on, so each time that it asks takes it so long. */
#define CLOCK_READ_NS 100

static uint64_t read_clock(void *data)
{
    struct engine *engine = ((struct kernel_host *)data)->platform->engine;
    uint64_t now = sim_engine_now(engine);
    return engine->virtual_time ? now + (rl_charge.ns += CLOCK_READ_NS) : now;
}

/* The grid itself lies in the reserve if there was no other memory when it began. */
static void *give_reserve(void *data)
{
    struct kernel_host *host = data;
    struct kernel_reserve *reserve = &host->platform->kernel_reserve;
    void *memory = host->reserved ? reserve->memory : sim_kernel_reserve_acquire(reserve);
    host->reserved = true;
    return (unsigned char *)memory + host->grid_bytes;
}

/* What runs meanwhile is no part of the launch that this kernel may be in. */
static void pause_kernel(void *data)
{
    struct steering *steering = ((struct kernel_host *)data)->platform->engine->steering;
    struct run_context *here = sim_run_here;
    int depth = sim_host_depth;
    sim_run_here = NULL;
    sim_host_depth = 0;
    steering->pause_kernel(steering);
    sim_run_here = here;
    sim_host_depth = depth;
}

void sim_kernel_host_init(struct kernel_host *host, const struct kernel_launch *launch,
                          struct kernel_fault *fault, struct ptx_fault *ended)
{
    *host = (struct kernel_host){
        .host = { .data = host, .find = find_extent, .explain = explain_address,
                  .changes = &launch->platform->map->removals,
                  .allocate = allocate_piece, .release = release_piece, .print = print_text,
                  .set_conditional = set_conditional, .children = &sim_ptx_children,
                  .now = read_clock,
                  .reserve = give_reserve, .pause = pause_kernel },
        .function = launch->function, .platform = launch->platform, .fault = fault,
        .ended = ended, .freed = launch->freed,
    };
}
