/* SPDX-License-Identifier: Apache-2.0 */
#include "site/stack.h"

#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"
#include "base/lock.h"

/* Stacks are allocated so many at once, and there is room for 65,536: a program that recurses in
 * ever new ways does not take more than 10 MB. */
enum { CHUNK_STACKS = 512, CHUNKS = 128, BUCKETS = 4096 };

atomic_uint cs_kept_callers;

void cs_keep_callers(unsigned count)
{
    atomic_store(&cs_kept_callers, count < CS_CALLERS_MAX ? count : CS_CALLERS_MAX);
}

/* Both only grow, under the lock, and are read without it. */
static _Atomic(struct cs_stack *) buckets[BUCKETS]; /* lists, the newest first */
static _Atomic(struct cs_stack *) chunks[CHUNKS];
static struct rl_lock stacks_lock;
static size_t stack_count; /* stacks_lock */

static size_t bucket_of(const void *const *frames, size_t count)
{
    uint64_t hash = count;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ (uintptr_t)frames[i]) * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(hash >> 32) % BUCKETS;
}

static const struct cs_stack *find_stack(size_t bucket, const void *const *frames, size_t count)
{
    const struct cs_stack *stack = atomic_load_explicit(&buckets[bucket], memory_order_acquire);
    while (stack && (stack->count != count ||
                     memcmp(stack->frames, frames, count * sizeof *frames) != 0))
        stack = stack->next;
    return stack;
}

/* Returns room for one more stack, or NULL.  Requires stacks_lock. */
static struct cs_stack *find_room(void)
{
    size_t chunk = stack_count / CHUNK_STACKS;
    if (chunk == CHUNKS) return NULL;
    struct cs_stack *stacks = atomic_load_explicit(&chunks[chunk], memory_order_relaxed);
    if (!stacks) {
        stacks = rl_alloc(CHUNK_STACKS * sizeof *stacks);
        if (!stacks) return NULL;
        atomic_store_explicit(&chunks[chunk], stacks, memory_order_release);
    }
    return &stacks[stack_count++ % CHUNK_STACKS];
}

/* Requires stacks_lock. */
static const struct cs_stack *add_stack(size_t bucket, const void *const *frames, size_t count)
{
    struct cs_stack *stack = find_room();
    if (!stack) return NULL;
    stack->count = (uint32_t)count;
    memcpy(stack->frames, frames, count * sizeof *frames);
    stack->next = atomic_load_explicit(&buckets[bucket], memory_order_relaxed);
    atomic_store_explicit(&buckets[bucket], stack, memory_order_release);
    return stack;
}

const void *cs_stack_site(const void *const *frames, size_t count)
{
    if (count <= 1) return count ? frames[0] : NULL;
    size_t bucket = bucket_of(frames, count);
    const struct cs_stack *stack = find_stack(bucket, frames, count);
    if (stack) return stack;
    rl_lock(&stacks_lock);
    stack = find_stack(bucket, frames, count);
    if (!stack) stack = add_stack(bucket, frames, count);
    rl_unlock(&stacks_lock);
    return stack ? (const void *)stack : frames[0];
}

const struct cs_stack *cs_stack_of(const void *site)
{
    for (size_t i = 0; i < CHUNKS; i++) {
        const struct cs_stack *chunk = atomic_load_explicit(&chunks[i], memory_order_acquire);
        if (!chunk) break;
        if ((uintptr_t)site - (uintptr_t)chunk < CHUNK_STACKS * sizeof *chunk) return site;
    }
    return NULL;
}

const void *cs_site_alone(const void *site)
{
    const struct cs_stack *stack = cs_stack_of(site);
    return stack ? stack->frames[0] : site;
}

static bool is_one_line(const void *a, const void *b)
{
    struct cs_source x, y;
    if (a == b) return true;
    return cs_find_source(a, &x) && cs_find_source(b, &y) && x.file && y.file &&
           x.line == y.line && !strcmp(x.file, y.file);
}

bool cs_same_line(const void *a, const void *b)
{
    const struct cs_stack *x = cs_stack_of(a), *y = cs_stack_of(b);
    if (!x || !y) return !x && !y && is_one_line(a, b);
    if (x->count != y->count) return false;
    for (size_t i = 0; i < x->count; i++)
        if (!is_one_line(x->frames[i], y->frames[i])) return false;
    return true;
}
