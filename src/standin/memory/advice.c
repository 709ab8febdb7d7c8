/* SPDX-License-Identifier: Apache-2.0 */
#include "standin/memory/advice.h"

#include <stdatomic.h>

#include "base/alloc.h"
#include "base/lock.h"

#define PAGE 4096u

/* A stretch of pages of one allocation, up to where the next begins. */
struct stretch {
    struct stretch *next;
    uint64_t end;
    struct si_advice advice;
};

/* An allocation of which something was said. */
struct advised {
    struct advised *next;
    uint64_t base, id;       /* the allocation's; another may be there by now */
    struct stretch *first;
};

static struct rl_lock lock;
static struct advised *all;   /* lock */
static atomic_size_t advised; /* how many there are; written under the lock */

static void free_stretches(struct advised *of)
{
    for (struct stretch *at = of->first, *next; at; at = next) {
        next = at->next;
        rl_free(at);
    }
    rl_free(of);
}

/* Takes out what is known of the memory that begins there.  Requires lock. */
static void forget(uint64_t base)
{
    for (struct advised **link = &all; *link; link = &(*link)->next) {
        struct advised *of = *link;
        if (of->base != base) continue;
        *link = of->next;
        free_stretches(of);
        atomic_fetch_sub_explicit(&advised, 1, memory_order_relaxed);
        return;
    }
}

void si_advice_forget(CUdeviceptr base)
{
    if (!atomic_load_explicit(&advised, memory_order_relaxed)) return;
    rl_lock(&lock);
    forget(base);
    rl_unlock(&lock);
}

/* ---- Stretches -------------------------------------------------------------------------- */

/* Returns what is known of the allocation, or NULL.  Requires lock. */
static struct advised *find_advised(const rill_pointer_info *info)
{
    for (struct advised *of = all; of; of = of->next)
        if (of->base == info->base && of->id == info->id) return of;
    return NULL;
}

/* Does the same, and begins with one stretch if nothing is known.  Requires lock. */
static struct advised *make_advised(const rill_pointer_info *info)
{
    struct advised *of = find_advised(info);
    if (of) return of;
    forget(info->base); /* of memory that was there before */
    of = rl_zalloc(sizeof *of);
    if (of) of->first = rl_zalloc(sizeof *of->first);
    if (!of || !of->first) {
        rl_free(of);
        return NULL;
    }
    of->base = info->base;
    of->id = info->id;
    of->first->end = UINT64_MAX;
    of->next = all;
    all = of;
    atomic_fetch_add_explicit(&advised, 1, memory_order_relaxed);
    return of;
}

/* Has a stretch end at `at`.  Returns false if memory is short. */
static bool split_at(struct advised *of, uint64_t at)
{
    struct stretch *stretch = of->first;
    while (stretch->end < at) stretch = stretch->next;
    if (stretch->end == at) return true;
    struct stretch *rest = rl_alloc(sizeof *rest);
    if (!rest) return false;
    *rest = *stretch;
    stretch->next = rest;
    stretch->end = at;
    return true;
}

static uint64_t page_of(uint64_t address)
{
    return address & ~(uint64_t)(PAGE - 1);
}

static uint64_t page_behind(uint64_t address)
{
    return page_of(address + PAGE - 1);
}

/* ---- Saying and asking ------------------------------------------------------------------ */

CUresult si_advise(const rill_pointer_info *info, CUdeviceptr address, size_t bytes,
                   si_advise_fn *advise, const void *what)
{
    const uint64_t from = page_of(address), to = page_behind(address + bytes);
    rl_lock(&lock);
    struct advised *of = make_advised(info);
    const bool split = of && split_at(of, from) && split_at(of, to);
    uint64_t begin = 0;
    for (struct stretch *at = split ? of->first : NULL; at; begin = at->end, at = at->next)
        if (begin >= from && at->end <= to) advise(&at->advice, what);
    rl_unlock(&lock);
    return split ? RILL_SUCCESS : RILL_ERROR_OUT_OF_MEMORY;
}

static CUmemLocation common_location(CUmemLocation one, CUmemLocation other)
{
    const bool same = one.type == other.type && one.id == other.id;
    return same ? one : (CUmemLocation){ CU_MEM_LOCATION_TYPE_NONE, 0 };
}

static struct si_advice common_advice(const struct si_advice *one, const struct si_advice *other)
{
    return (struct si_advice){
        .read_mostly = one->read_mostly && other->read_mostly,
        .preferred = common_location(one->preferred, other->preferred),
        .prefetched = common_location(one->prefetched, other->prefetched),
        .devices = one->devices & other->devices,
        .host = one->host && other->host,
    };
}

struct si_advice si_advice_of(const rill_pointer_info *info, CUdeviceptr address, size_t bytes)
{
    const uint64_t from = page_of(address), to = page_behind(address + bytes);
    struct si_advice found = { .read_mostly = false };
    bool any = false;
    rl_lock(&lock);
    const struct advised *of = find_advised(info);
    uint64_t begin = 0;
    for (const struct stretch *at = of ? of->first : NULL; at; begin = at->end, at = at->next) {
        if (at->end <= from || begin >= to) continue;
        found = any ? common_advice(&found, &at->advice) : at->advice;
        any = true;
    }
    rl_unlock(&lock);
    return found;
}
