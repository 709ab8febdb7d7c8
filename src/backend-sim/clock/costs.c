/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/clock/costs.h"

#include <string.h>

#include "base/alloc.h"
#include "base/wide.h"

#define US UINT64_C(1000)
#define GIGA UINT64_C(1000000000)

/* ---- The built-in table ------------------------------------------------------------- *
 *
 * Round figures of a large GPU.  They are for comparing one schedule with another, not with a
 * machine.
 */

struct kind_row {
    const char *words;
    enum engine_kind engine;
    struct cost cost;
};

static const struct kind_row kinds[DEMAND_KINDS] = {
    [DEMAND_NOTHING] = { "nothing", ENGINE_NONE, { .ns = 0 } },
    [DEMAND_TO_DEVICE_PAGEABLE] = { "copy host-to-device pageable", ENGINE_TO_DEVICE,
                                    { .ns = 5 * US, .rate = 10 * GIGA } },
    [DEMAND_TO_DEVICE] = { "copy host-to-device pinned", ENGINE_TO_DEVICE,
                           { .ns = 2 * US, .rate = 50 * GIGA } },
    [DEMAND_TO_HOST_PAGEABLE] = { "copy device-to-host pageable", ENGINE_TO_HOST,
                                  { .ns = 5 * US, .rate = 10 * GIGA } },
    [DEMAND_TO_HOST] = { "copy device-to-host pinned", ENGINE_TO_HOST,
                         { .ns = 2 * US, .rate = 50 * GIGA } },
    [DEMAND_ON_DEVICE] = { "copy device-to-device", ENGINE_ON_DEVICE,
                           { .ns = 2 * US, .rate = 2000 * GIGA } },
    [DEMAND_PEER] = { "copy peer", ENGINE_PEER, { .ns = 3 * US, .rate = 400 * GIGA } },
    [DEMAND_ON_HOST] = { "copy host-to-host", ENGINE_NONE, { .ns = 1 * US, .rate = 20 * GIGA } },
    [DEMAND_FILL] = { "fill", ENGINE_ON_DEVICE, { .ns = 2 * US, .rate = 2000 * GIGA } },
    [DEMAND_KERNEL] = { "kernel", ENGINE_KERNELS, { .ns = 3 * US, .rate = 10000 * GIGA } },
    [DEMAND_HOST] = { "host", ENGINE_HOST, { .ns = 1 * US } },
    [DEMAND_CONDITIONAL] = { "conditional", ENGINE_NONE, { .ns = 1 * US } },
    [DEMAND_GRAPH] = { "graph", ENGINE_NONE, { .ns = 2 * US } },
};

struct engine_row {
    const char *words;
    unsigned count;
};

static const struct engine_row engines[ENGINE_KINDS] = {
    [ENGINE_NONE] = { "none", 0 },
    [ENGINE_TO_DEVICE] = { "host-to-device", 1 },
    [ENGINE_TO_HOST] = { "device-to-host", 1 },
    [ENGINE_ON_DEVICE] = { "device-to-device", 1 },
    [ENGINE_PEER] = { "peer", 1 },
    [ENGINE_KERNELS] = { "kernels", 16 },
    [ENGINE_HOST] = { "host", 1 },
};

const char *sim_demand_words(enum demand_kind kind)
{
    return kinds[kind].words;
}

const char *sim_engine_words(enum engine_kind kind)
{
    return engines[kind].words;
}

enum engine_kind sim_engine_for(enum demand_kind kind)
{
    return kinds[kind].engine;
}

/* ---- Tables --------------------------------------------------------------------------- */

struct costs *sim_costs_create(void)
{
    struct costs *costs = rl_zalloc(sizeof *costs);
    if (!costs) return NULL;
    for (int i = 0; i < DEMAND_KINDS; i++) costs->of[i] = kinds[i].cost;
    for (int i = 0; i < ENGINE_KINDS; i++) costs->engines[i] = engines[i].count;
    return costs;
}

void sim_costs_free(struct costs *costs)
{
    if (!costs) return;
    for (struct kernel_cost *kernel = costs->kernels, *next; kernel; kernel = next) {
        next = kernel->next;
        rl_free(kernel->name);
        rl_free(kernel);
    }
    rl_free(costs);
}

const struct cost *sim_cost_of(const struct costs *costs, const struct demand *demand)
{
    if (demand->kind == DEMAND_KERNEL && demand->name)
        for (const struct kernel_cost *kernel = costs->kernels; kernel; kernel = kernel->next)
            if (!strcmp(kernel->name, demand->name)) return &kernel->cost;
    return &costs->of[demand->kind];
}

uint64_t sim_cost_ns(const struct cost *cost, uint64_t amount)
{
    if (!cost->rate) return cost->ns;
    struct rl_wide ns = rl_wide_plus(rl_multiply(amount, GIGA), cost->rate - 1);
    rl_divide(&ns, cost->rate);
    ns = rl_wide_plus(ns, cost->ns);
    /* A century is as good as for ever, and can be added to. */
    return ns.high || ns.low > UINT64_MAX / 4 ? UINT64_MAX / 4 : ns.low;
}
