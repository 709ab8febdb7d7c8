/* SPDX-License-Identifier: Apache-2.0
 *
 * Regions of slots, and the answers for wrong handles.
 */
#include "standin/object/handle.h"

#include <string.h>
#include <sys/mman.h>

#include "standin/object/machine.h"

enum {
    REGION_BYTES = 1 << 30, /* of address space: 16 million handles of a kind */
    COMMIT_BYTES = 1 << 16
};

struct si_region si_regions[SI_KINDS];

_Static_assert(sizeof(struct si_slot) <= SI_SLOT_BYTES, "a slot has room for its head");

/* ---- Answers ------------------------------------------------------------------------ */

struct answers {
    CUresult null, dead, wrong;
};

/* As measured, as far as hardware can be asked: the driver does not survive most values
 * that were never handles. */
static const struct answers answers[SI_KINDS] = {
    [SI_CONTEXT] = { RILL_ERROR_INVALID_CONTEXT, RILL_ERROR_CONTEXT_IS_DESTROYED,
                     RILL_ERROR_INVALID_CONTEXT },
    [SI_STREAM] = { RILL_ERROR_INVALID_HANDLE, RILL_ERROR_CONTEXT_IS_DESTROYED,
                    RILL_ERROR_INVALID_HANDLE },
    [SI_EVENT] = { RILL_ERROR_INVALID_HANDLE, RILL_ERROR_CONTEXT_IS_DESTROYED,
                   RILL_ERROR_INVALID_HANDLE },
    [SI_GRAPH] = { RILL_ERROR_INVALID_VALUE, RILL_ERROR_INVALID_VALUE, RILL_ERROR_INVALID_VALUE },
    [SI_EXEC] = { RILL_ERROR_INVALID_VALUE, RILL_ERROR_INVALID_VALUE, RILL_ERROR_INVALID_VALUE },
    [SI_MODULE] = { RILL_ERROR_INVALID_HANDLE, RILL_ERROR_INVALID_HANDLE,
                    RILL_ERROR_INVALID_HANDLE },
    [SI_FUNCTION] = { RILL_ERROR_INVALID_HANDLE, RILL_ERROR_INVALID_HANDLE,
                      RILL_ERROR_INVALID_HANDLE },
    [SI_LIBRARY] = { RILL_ERROR_INVALID_HANDLE, RILL_ERROR_INVALID_HANDLE,
                     RILL_ERROR_INVALID_HANDLE },
    [SI_KERNEL] = { RILL_ERROR_INVALID_HANDLE, RILL_ERROR_INVALID_HANDLE,
                    RILL_ERROR_INVALID_HANDLE },
    [SI_POOL] = { RILL_ERROR_INVALID_VALUE, RILL_ERROR_INVALID_VALUE, RILL_ERROR_INVALID_VALUE },
    [SI_USER_OBJECT] = { RILL_ERROR_INVALID_VALUE, RILL_ERROR_INVALID_VALUE,
                         RILL_ERROR_INVALID_VALUE },
    [SI_ARRAY] = { RILL_ERROR_INVALID_HANDLE, RILL_ERROR_INVALID_HANDLE,
                   RILL_ERROR_INVALID_HANDLE },
    [SI_MIPMAP] = { RILL_ERROR_INVALID_HANDLE, RILL_ERROR_INVALID_HANDLE,
                    RILL_ERROR_INVALID_HANDLE },
    [SI_REFERENCE] = { RILL_ERROR_INVALID_HANDLE, RILL_ERROR_INVALID_HANDLE,
                       RILL_ERROR_INVALID_HANDLE },
};

/* The handle was not examined, since it could not be held. */
static CUresult answer_no_memory(void)
{
    if (si_holder) si_holder->short_of_memory = 0;
    return RILL_ERROR_OUT_OF_MEMORY;
}

CUresult si_wrong(enum si_kind kind, const void *handle)
{
    CUresult status = si_check_ready();
    if (status) return status;
    if (!handle) return answers[kind].null;
    if (!si_holder || si_holder->short_of_memory) return answer_no_memory();
    return si_is_slot(kind, handle) ? answers[kind].dead : answers[kind].wrong;
}

/* ---- What belongs to what -------------------------------------------------------------- */

static int is_slot_of(const void *slot, unsigned kinds)
{
    for (int kind = 0; kind < SI_KINDS; kind++)
        if (si_is_slot((enum si_kind)kind, slot)) return kinds >> kind & 1;
    return 0;
}

const void *si_handle_context(const void *slot)
{
    const struct si_slot *known = is_slot_of(slot, (1u << SI_KINDS) - 1) ? slot : NULL;
    return known ? atomic_load_explicit(&known->context, memory_order_relaxed) : NULL;
}

const void *si_handle_owner(const void *slot)
{
    const unsigned parts = 1u << SI_FUNCTION | 1u << SI_KERNEL | 1u << SI_GRAPH |
                           1u << SI_REFERENCE;
    const struct si_part *known = is_slot_of(slot, parts) ? slot : NULL;
    return known ? atomic_load_explicit(&known->owner, memory_order_relaxed) : NULL;
}

/* ---- Slots ---------------------------------------------------------------------------- */

static struct si_slot *slot_at(struct si_region *region, uint32_t number)
{
    char *base = atomic_load_explicit(&region->base, memory_order_relaxed);
    return (struct si_slot *)(void *)(base + (size_t)(number - 1) * SI_SLOT_BYTES);
}

static uint32_t number_of(struct si_region *region, const void *slot)
{
    const char *base = atomic_load_explicit(&region->base, memory_order_relaxed);
    return (uint32_t)((size_t)((const char *)slot - base) / SI_SLOT_BYTES) + 1;
}

/* Maps the address space of a region.  Requires region->lock. */
static int open_region(struct si_region *region)
{
    if (atomic_load_explicit(&region->base, memory_order_relaxed)) return 1;
    void *base = mmap(NULL, REGION_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                      -1, 0);
    if (base == MAP_FAILED) return 0;
    atomic_store_explicit(&region->base, base, memory_order_relaxed);
    return 1;
}

/* Returns one more slot at the end.  Requires region->lock. */
static struct si_slot *grow_region(struct si_region *region)
{
    if (!open_region(region)) return NULL;
    size_t used = atomic_load_explicit(&region->used, memory_order_relaxed);
    char *base = atomic_load_explicit(&region->base, memory_order_relaxed);
    if (used == region->committed) {
        if (region->committed == REGION_BYTES ||
            mprotect(base + region->committed, COMMIT_BYTES, PROT_READ | PROT_WRITE))
            return NULL;
        region->committed += COMMIT_BYTES;
    }
    atomic_store_explicit(&region->used, used + SI_SLOT_BYTES, memory_order_release);
    return (struct si_slot *)(void *)(base + used);
}

/* Returns the slot that was freed longest ago.  Requires region->lock. */
static struct si_slot *reuse_slot(struct si_region *region)
{
    struct si_slot *slot = slot_at(region, region->first_free);
    region->first_free = slot->next_free;
    region->free_count--;
    return slot;
}

void *si_handle_reserve(enum si_kind kind, struct si_context *context)
{
    struct si_region *region = &si_regions[kind];
    rl_lock(&region->lock);
    struct si_slot *slot = region->free_count > SI_SLOTS_AT_REST ? reuse_slot(region)
                                                                 : grow_region(region);
    if (!slot && region->free_count) slot = reuse_slot(region);
    rl_unlock(&region->lock);
    if (!slot) return NULL;
    memset((char *)slot + sizeof(struct si_part), 0, SI_SLOT_BYTES - sizeof(struct si_part));
    atomic_store_explicit(&((struct si_part *)slot)->owner, NULL, memory_order_relaxed);
    atomic_store_explicit(&slot->context, context, memory_order_relaxed);
    return slot;
}

void si_handle_publish(void *slot, void *object)
{
    rill_set_data(object, slot, NULL);
    atomic_store_explicit(&((struct si_slot *)slot)->object, object, memory_order_release);
}

void *si_handle_new(enum si_kind kind, struct si_context *context, void *object)
{
    void *slot = si_handle_reserve(kind, context);
    if (slot) si_handle_publish(slot, object);
    return slot;
}

void *si_handle_take(enum si_kind kind, void *handle)
{
    if (!si_is_slot(kind, handle) || !si_hold(handle)) return NULL;
    return si_handle_kill(handle);
}

void si_handle_restore(void *slot, void *object)
{
    atomic_store_explicit(&((struct si_slot *)slot)->object, object, memory_order_release);
}

void si_handle_free(enum si_kind kind, void *handle)
{
    struct si_region *region = &si_regions[kind];
    struct si_slot *slot = handle;
    rl_lock(&region->lock);
    uint32_t number = number_of(region, slot);
    atomic_fetch_add_explicit(&slot->life, 1, memory_order_relaxed);
    slot->next_free = 0;
    if (region->free_count++)
        slot_at(region, region->last_free)->next_free = number;
    else
        region->first_free = number;
    region->last_free = number;
    rl_unlock(&region->lock);
}

void si_handle_each(enum si_kind kind, void (*see)(void *slot, void *object, void *data),
                    void *data)
{
    struct si_region *region = &si_regions[kind];
    size_t count = atomic_load_explicit(&region->used, memory_order_acquire) / SI_SLOT_BYTES;
    for (size_t i = 1; i <= count; i++) {
        struct si_slot *slot = slot_at(region, (uint32_t)i);
        unsigned mark = si_mark();
        if (!atomic_load_explicit(&slot->object, memory_order_relaxed) || !si_hold(slot)) continue;
        void *object = atomic_load_explicit(&slot->object, memory_order_acquire);
        if (object) see(slot, object, data);
        si_let_go(mark);
    }
}

void si_handles_unmap(void)
{
    for (int kind = 0; kind < SI_KINDS; kind++) {
        char *base = atomic_load_explicit(&si_regions[kind].base, memory_order_relaxed);
        atomic_store_explicit(&si_regions[kind].used, 0, memory_order_relaxed);
        if (base) munmap(base, REGION_BYTES);
    }
}
