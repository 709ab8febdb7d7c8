/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/check/order.h"

#include <string.h>

#include "base/alloc.h"

#define WARP PTX_ORDER_WARP

static void raise(uint32_t *time, uint32_t to)
{
    if (*time < to) *time = to;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

uint32_t ptx_order_next(struct ptx_order *order)
{
    if (order->now == UINT32_MAX) order->over = true;
    else order->now++;
    return order->now;
}

static void *take(struct ptx_order *order, size_t bytes)
{
    void *memory = order->allowance.left < bytes ? NULL : rl_zalloc(bytes);
    if (memory) order->allowance.left -= bytes;
    else order->allowance.spent = order->over = true; /* what follows is not known */
    return memory;
}

void ptx_order_fini(struct ptx_order *order)
{
    for (uint64_t i = 0; order->published && i < order->blocks; i++) rl_free(order->published[i]);
    rl_free(order->published);
    order->published = NULL;
}

bool ptx_order_begin(struct ptx_order_block *block, struct ptx_order *order, uint64_t number)
{
    ptx_order_end(block);
    *block = (struct ptx_order_block){ .order = order, .number = number };
    block->threads = rl_zalloc(order->threads * sizeof *block->threads);
    block->published = rl_zalloc(order->threads * sizeof *block->published);
    if (block->threads && block->published) return true;
    ptx_order_end(block);
    return false;
}

void ptx_order_end(struct ptx_order_block *block)
{
    rl_free(block->threads);
    rl_free(block->published);
    rl_free(block->rows);
    for (uint32_t w = 0; w < PTX_ORDER_WARPS; w++) rl_free(block->pairs[w]);
    *block = (struct ptx_order_block){ .order = NULL };
}

/* ---- Publishing --------------------------------------------------------------------------- */

void ptx_order_fence(struct ptx_order_block *block, uint32_t thread, enum ptx_reach reach)
{
    struct ptx_order_thread *own = &block->threads[thread];
    const uint32_t now = ptx_order_next(block->order);
    for (int to = PTX_IN_BLOCK; to <= (int)reach; to++) {
        own->fenced[to] = now;
        own->met[to] = block->met;
        own->warp_met[to] = block->warp_met[thread / WARP];
    }
}

/* Returns by thread what is published with that reach, or NULL if nothing is or memory is short. */
static uint32_t *published_of(struct ptx_order_block *block, int reach)
{
    struct ptx_order *order = block->order;
    if (reach == PTX_IN_BLOCK) return block->published;
    if (!order->published &&
        !(order->published = take(order, order->blocks * sizeof *order->published)))
        return NULL;
    uint32_t **of = &order->published[block->number];
    if (!*of) *of = take(order, order->threads * sizeof **of);
    return *of;
}

static void publish_warp(const struct ptx_order_block *block, uint32_t *published, uint32_t warp,
                         uint32_t time)
{
    const uint32_t end = least((warp + 1) * WARP, block->order->threads);
    for (uint32_t i = warp * WARP; i < end; i++) raise(&published[i], time);
}

/* Publishes what the thread knew when it fenced last. */
static void publish_known(const struct ptx_order_block *block, uint32_t *published,
                          uint32_t thread, int reach)
{
    const struct ptx_order_thread *own = &block->threads[thread];
    const uint32_t warp = thread / WARP, fenced = own->fenced[reach];
    for (uint32_t i = 0; own->met[reach] && i < block->order->threads; i++)
        raise(&published[i], own->met[reach]);
    publish_warp(block, published, warp, own->warp_met[reach]);
    for (uint32_t i = 0; block->pairs[warp] && i < WARP; i++)
        if (warp * WARP + i < block->order->threads)
            raise(&published[warp * WARP + i],
                  least(block->pairs[warp][thread % WARP][i], fenced));
    for (uint32_t w = 0; block->rows && w < PTX_ORDER_WARPS; w++)
        if (w * WARP < block->order->threads)
            publish_warp(block, published, w, least(block->rows[warp][w], fenced));
    raise(&published[thread], fenced);
}

/* Publishes what others had fenced before they met this thread. */
static void publish_others(struct ptx_order_block *block, uint32_t *published, uint32_t from,
                           uint32_t to, uint32_t met, int reach)
{
    for (uint32_t i = from; i < to; i++) {
        const struct ptx_order_thread *other = &block->threads[i];
        if (!other->fenced[reach] || other->fenced[reach] > met) continue;
        raise(&published[i], other->fenced[reach]);
        block->fences[reach] = true;
    }
}

static void publish(struct ptx_order_block *block, uint32_t thread, int reach)
{
    struct ptx_order_thread *own = &block->threads[thread];
    const uint32_t warp = thread / WARP, threads = block->order->threads;
    const bool all = block->met > block->looked, few = block->warp_met[warp] >
                                                       block->warp_looked[warp];
    if (own->fenced[reach] == own->told[reach] && !all && !few) return;
    uint32_t *published = published_of(block, reach);
    if (!published) return;
    if (own->fenced[reach] != own->told[reach]) publish_known(block, published, thread, reach);
    own->told[reach] = own->fenced[reach];
    if (all) publish_others(block, published, 0, threads, block->met, reach);
    if (few)
        publish_others(block, published, warp * WARP, least((warp + 1) * WARP, threads),
                       block->warp_met[warp], reach);
}

unsigned ptx_order_publish(struct ptx_order_block *block, uint32_t thread, enum ptx_reach reach,
                           bool releases)
{
    const struct ptx_order_thread *own = &block->threads[thread];
    unsigned did = 0;
    if (releases) ptx_order_fence(block, thread, reach);
    for (int to = PTX_IN_BLOCK; to < PTX_REACHES; to++) {
        publish(block, thread, to);
        if (to <= (int)reach && (own->fenced[to] || block->fences[to])) did |= 1u << to;
    }
    block->looked = block->warp_looked[thread / WARP] = block->order->now;
    return did;
}

void ptx_order_acquire(struct ptx_order_block *block, uint32_t thread)
{
    block->threads[thread].acquired = ptx_order_next(block->order);
}

/* ---- Meeting ------------------------------------------------------------------------------ */

/* Lets those among some lanes of a warp have acquired what one of them has. */
static void share_acquired(struct ptx_order_block *block, uint32_t warp, uint32_t lanes)
{
    struct ptx_order_thread *threads = block->threads + warp * WARP;
    uint32_t latest = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        raise(&latest, threads[__builtin_ctz(rest)].acquired);
    for (uint32_t rest = lanes; latest && rest; rest &= rest - 1)
        threads[__builtin_ctz(rest)].acquired = latest;
}

/* Lets some lanes of a warp see what each of them has seen. */
static void pair_lanes(struct ptx_order_block *block, uint32_t warp, uint32_t lanes, uint32_t now)
{
    uint32_t (*pairs)[WARP] = block->pairs[warp], seen[WARP] = { 0 };
    if (!pairs) pairs = block->pairs[warp] = take(block->order, WARP * sizeof *pairs);
    if (!pairs) return;
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        for (uint32_t i = 0; i < WARP; i++) raise(&seen[i], pairs[__builtin_ctz(rest)][i]);
    for (uint32_t rest = lanes; rest; rest &= rest - 1) seen[__builtin_ctz(rest)] = now;
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        memcpy(pairs[__builtin_ctz(rest)], seen, sizeof seen);
}

void ptx_order_meet_warp(struct ptx_order_block *block, uint32_t warp, uint32_t lanes, bool all)
{
    const uint32_t now = ptx_order_next(block->order);
    if (all) block->warp_met[warp] = now;
    else pair_lanes(block, warp, lanes, now);
    share_acquired(block, warp, lanes);
}

void ptx_order_arrive(struct ptx_order_block *block, uint32_t barrier, uint32_t warp, bool waits)
{
    block->arrived[barrier][warp] = ptx_order_next(block->order);
    if (waits) block->waits[barrier] |= 1u << warp;
}

void ptx_order_meet_all(struct ptx_order_block *block)
{
    uint32_t latest = 0;
    block->met = ptx_order_next(block->order);
    for (uint32_t i = 0; i < block->order->threads; i++)
        raise(&latest, block->threads[i].acquired);
    for (uint32_t i = 0; latest && i < block->order->threads; i++)
        block->threads[i].acquired = latest;
}

/* Lets the warps that waited see what all that arrived had seen, and done. */
static void pair_warps(struct ptx_order_block *block, uint32_t barrier, uint32_t arrived)
{
    uint32_t (*rows)[PTX_ORDER_WARPS] = block->rows, seen[PTX_ORDER_WARPS] = { 0 }, latest = 0;
    if (!rows) rows = block->rows = take(block->order, PTX_ORDER_WARPS * sizeof *rows);
    if (!rows) return;
    for (uint32_t rest = arrived; rest; rest &= rest - 1) {
        const uint32_t warp = (uint32_t)__builtin_ctz(rest);
        for (uint32_t w = 0; w < PTX_ORDER_WARPS; w++) raise(&seen[w], rows[warp][w]);
        for (uint32_t i = warp * WARP; i < least((warp + 1) * WARP, block->order->threads); i++)
            raise(&latest, block->threads[i].acquired);
    }
    for (uint32_t rest = arrived; rest; rest &= rest - 1) {
        const uint32_t warp = (uint32_t)__builtin_ctz(rest);
        raise(&seen[warp], block->arrived[barrier][warp]);
    }
    for (uint32_t rest = block->waits[barrier]; rest; rest &= rest - 1) {
        const uint32_t warp = (uint32_t)__builtin_ctz(rest);
        for (uint32_t w = 0; w < PTX_ORDER_WARPS; w++) raise(&rows[warp][w], seen[w]);
        block->warp_met[warp] = block->order->now;
        for (uint32_t i = warp * WARP; i < least((warp + 1) * WARP, block->order->threads); i++)
            raise(&block->threads[i].acquired, latest);
    }
}

void ptx_order_complete(struct ptx_order_block *block, uint32_t barrier, uint32_t left)
{
    uint32_t arrived = 0;
    for (uint32_t w = 0; w < PTX_ORDER_WARPS; w++)
        if (block->arrived[barrier][w]) arrived |= 1u << w;
    if (!(left & ~block->waits[barrier])) ptx_order_meet_all(block);
    else pair_warps(block, barrier, arrived);
    memset(block->arrived[barrier], 0, sizeof block->arrived[barrier]);
    block->waits[barrier] = 0;
}

void ptx_order_meet_cluster(struct ptx_order_block *block)
{
    ptx_order_meet_all(block);
    block->cluster_met = block->met;
}

/* ---- What is in order --------------------------------------------------------------------- */

static bool sees_in_block(const struct ptx_order_block *block, uint32_t thread, uint32_t other,
                          uint32_t time)
{
    const uint32_t warp = thread / WARP, from = other / WARP;
    if (block->met > time) return true;
    if (warp == from && block->warp_met[warp] > time) return true;
    if (warp == from && block->pairs[warp] &&
        block->pairs[warp][thread % WARP][other % WARP] > time)
        return true;
    return block->rows && block->rows[warp][from] > time;
}

static uint64_t cluster_of(const struct ptx_order *order, uint64_t number)
{
    const uint32_t *grid = order->grid, *size = order->cluster;
    const uint64_t x = number % grid[0], y = number / grid[0] % grid[1],
                   z = number / grid[0] / grid[1];
    return x / size[0] + (uint64_t)grid[0] * (y / size[1] + (uint64_t)grid[1] * (z / size[2]));
}

static bool sees_in_cluster(const struct ptx_order_block *block, uint64_t number, uint32_t time)
{
    return block->cluster_met > time &&
           cluster_of(block->order, number) == cluster_of(block->order, block->number);
}

bool ptx_order_sees(const struct ptx_order_block *block, uint32_t thread, uint64_t other,
                    uint32_t time)
{
    const struct ptx_order *order = block->order;
    const uint64_t number = other / order->threads;
    const uint32_t there = (uint32_t)(other % order->threads);
    const uint32_t *published = order->published ? order->published[number] : NULL;
    uint32_t told = published ? published[there] : 0;
    if (number == block->number) {
        if (there == thread || sees_in_block(block, thread, there, time)) return true;
        raise(&told, block->published[there]);
    } else if (sees_in_cluster(block, number, time)) {
        return true;
    }
    return told >= time && block->threads[thread].acquired > time;
}
