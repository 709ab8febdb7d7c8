/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds what an address means, and says why it means nothing.
 */
#include "ptx/run/memory.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/words/runtime_status.h"
#include "ptx/run/block.h"
#include "ptx/run/distances.h"
#include "ptx/run/fault.h"
#include "ptx/run/vectorize.h"

/* ---- Allocations -------------------------------------------------------------------------- */

void ptx_tlb_init(struct ptx_tlb *tlb, const struct ptx_host *host)
{
    memset(tlb, 0, sizeof *tlb);
    tlb->host = host;
}

/* Finds the text of a status that the device runtime has answered with. */
static bool find_text(uint64_t address, struct ptx_extent *extent)
{
    size_t bytes;
    const char *text = rl_runtime_status_text_at((const void *)(uintptr_t)address, &bytes);
    if (!text) return false;
    *extent = (struct ptx_extent){ .base = (uintptr_t)text, .end = (uintptr_t)text + bytes,
                                   .host = (unsigned char *)(uintptr_t)text, .read_only = true };
    return true;
}

/* Finds the allocation around an address.  The number of changes is read before the host is
 * asked: if an allocation goes away in between, the extent counts as older than it is, and is
 * asked for again. */
static bool find_extent(struct ptx_tlb *tlb, uint64_t address, struct ptx_extent *extent)
{
    const struct ptx_host *host = tlb->host;
    uint64_t changes = atomic_load_explicit(host->changes, memory_order_acquire);
    if (changes != tlb->changes) tlb->count = 0;
    tlb->changes = changes;
    for (uint32_t i = 0; i < tlb->count; i++) {
        const struct ptx_extent *seen = &tlb->extents[i];
        if (address >= seen->base && address < seen->end) {
            *extent = *seen;
            return true;
        }
    }
    *extent = tlb->workspace;
    if (address >= extent->base && address < extent->end) return true;
    *extent = (struct ptx_extent){ .base = 0 };
    if (!host->find(host->data, address, extent) && !find_text(address, extent)) return false;
    uint32_t slot = tlb->count < PTX_TLB_ENTRIES ? tlb->count++ : tlb->oldest++ % PTX_TLB_ENTRIES;
    tlb->extents[slot] = *extent;
    return true;
}

bool ptx_is_constant(struct ptx_group *group, uint64_t address)
{
    struct ptx_extent extent;
    return find_extent(group->block->tlb, address, &extent) && extent.constant;
}

/* ---- Windows ------------------------------------------------------------------------------ */

static bool find_window(const struct ptx_access *access, uint64_t address,
                        struct ptx_window *window)
{
    struct ptx_group *group = access->group;
    struct ptx_block *block = group->block;
    struct ptx_extent extent;
    *window = (struct ptx_window){ .where = ptx_meaning_of(access->where, address) };
    window->base = access->where == PTX_TO_ANY ? PTX_WINDOW_OF(address)
                                               : ptx_wrap_of(access->where, address);
    switch (window->where) {
    case PTX_TO_SHARED:
        window->host = block->shared;
        window->bytes = block->shared_bytes;
        if (block->abreast == 1) return true;
        window->blocks = ptx_blocks_of(group->bundle);
        window->block_bytes = block->shared_pitch;
        return true;
    case PTX_TO_LOCAL:
        window->host = group->bundle->local;
        window->bytes = window->lane_bytes = block->local_bytes;
        return true;
    case PTX_TO_PARAM:
        window->host = (unsigned char *)(uintptr_t)block->params;
        window->bytes = block->kernel->param_bytes;
        window->read_only = true;
        return true;
    case PTX_TO_SLOT:
        window->host = PTX_COLUMN(group, access->step->e, unsigned char);
        window->bytes = window->lane_bytes = access->step->target;
        return true;
    default:
        if (!find_extent(block->tlb, address, &extent)) return false;
        window->base = extent.base;
        window->bytes = extent.end - extent.base;
        window->host = extent.host;
        window->read_only = extent.read_only;
        return true;
    }
}

static bool may_touch(const struct ptx_access *access, const struct ptx_window *window)
{
    return !(access->write && window->read_only) &&
           !(access->atomic && window->where == PTX_TO_LOCAL);
}

bool ptx_find_window(struct ptx_group *group, const struct ptx_step *step, uint64_t address,
                     bool write, struct ptx_window *window)
{
    const struct ptx_access access = { .group = group, .step = step, .write = write,
                                       .where = step->kind & PTX_WHERE };
    return find_window(&access, address, window) && may_touch(&access, window);
}

/* Finds the block of the cluster whose shared memory an address names, which has not ended.
 * Returns NULL if there is none that the access could reach. */
static const struct ptx_block *find_named_block(const struct ptx_access *access, uint64_t address)
{
    const struct ptx_block *block = access->group->block;
    uint32_t rank = PTX_RANK_OF(address) - 1;
    if (rank >= block->cluster_blocks ||
        (access->where == PTX_TO_SHARED && (address >> 32 || rank != block->rank)))
        return NULL;
    const struct ptx_block *named = ptx_cluster_block(block, rank);
    return named != block && ptx_block_is_over(named) ? NULL : named;
}

/* Finds the window of an address in the shared memory of a block that it names. */
static bool find_named_window(const struct ptx_access *access, uint64_t address,
                              struct ptx_window *window)
{
    const struct ptx_block *named = NULL;
    if (window->where == PTX_TO_SHARED) named = find_named_block(access, address);
    if (!named) return false;
    window->base = address - ((uint32_t)address & ((1u << PTX_RANK_BIT) - 1));
    window->host = named->shared;
    window->bytes = named->shared_bytes;
    return true;
}

static bool is_in_window(const struct ptx_access *access, uint64_t address,
                         const struct ptx_window *window)
{
    return window->bytes >= access->bytes &&
           address - window->base <= window->bytes - access->bytes;
}

/* Finds the window of an access that leaves the one of its first byte, if the host has another one
 * with all of its bytes. */
static bool find_wider_window(const struct ptx_access *access, uint64_t address,
                              struct ptx_window *window)
{
    struct ptx_window wider;
    if (window->where != PTX_TO_GLOBAL ||
        !find_window(access, address + access->bytes - 1, &wider) || wider.base > address)
        return false;
    *window = wider;
    return true;
}

/* Does what ptx_access_look() does, but fails nothing. */
static bool settle_window(struct ptx_access *access, uint64_t address)
{
    struct ptx_window window;
    if ((address & access->misaligned) || !find_window(access, address, &window) ||
        !may_touch(access, &window))
        return false;
    if (!is_in_window(access, address, &window) &&
        !((find_named_window(access, address, &window) ||
           find_wider_window(access, address, &window)) &&
          is_in_window(access, address, &window)))
        return false;
    access->window = window;
    access->room = window.bytes - access->bytes;
    access->known = true;
    return true;
}

unsigned char *ptx_access_peek(struct ptx_access *access, uint32_t lane)
{
    const uint64_t address = ptx_access_address(access, lane);
    if (!settle_window(access, address)) return NULL;
    return ptx_window_place(&access->window, lane, address);
}

/* ---- What is wrong ------------------------------------------------------------------------ */

static const char *name_of(enum ptx_where where)
{
    switch (where) {
    case PTX_TO_SHARED: return "shared memory";
    case PTX_TO_LOCAL: return "local memory";
    case PTX_TO_PARAM: return "the kernel's parameters";
    case PTX_TO_SLOT: return "a parameter of a call";
    case PTX_TO_CONST: return "constant memory";
    default: return "global memory";
    }
}

static void fail_in_window(struct ptx_access *access, uint32_t lane, uint64_t address,
                           const struct ptx_window *window)
{
    const char *space = name_of(window->where);
    if (access->atomic && window->where == PTX_TO_LOCAL)
        ptx_fail(access->group, access->step, lane, RILL_ERROR_INVALID_ADDRESS_SPACE, address,
                 "an %s on %u bytes of local memory, which has none", access->verb,
                 access->bytes);
    else if (access->write && window->read_only)
        ptx_fail(access->group, access->step, lane, RILL_ERROR_ILLEGAL_ADDRESS, address,
                 "%s of %u bytes of %s at 0x%" PRIx64 ", which kernels may only read",
                 access->verb, access->bytes, space, address);
    else if (window->where == PTX_TO_GLOBAL || window->where == PTX_TO_CONST)
        ptx_fail(access->group, access->step, lane, RILL_ERROR_ILLEGAL_ADDRESS, address,
                 "%s of %u bytes of %s at 0x%" PRIx64 ", of which only %" PRIu64
                 " are inside the %" PRIu64 " bytes at 0x%" PRIx64,
                 access->verb, access->bytes, space, address,
                 window->base + window->bytes - address, window->bytes, window->base);
    else
        ptx_fail(access->group, access->step, lane, RILL_ERROR_ILLEGAL_ADDRESS, address,
                 "%s of %u bytes at offset %" PRIu64 " of %s, which has %" PRIu64 " bytes",
                 access->verb, access->bytes, address - window->base, space, window->bytes);
}

/* Fails for an address that names a block of the cluster. */
static void fail_in_cluster(struct ptx_access *access, uint32_t lane, uint64_t address)
{
    const struct ptx_block *block = access->group->block;
    const uint32_t rank = PTX_RANK_OF(address) - 1;
    char words[80] = "which has ended";
    if (rank >= block->cluster_blocks)
        snprintf(words, sizeof words, "and the cluster has %u", block->cluster_blocks);
    else if (access->where == PTX_TO_SHARED && rank != block->rank)
        snprintf(words, sizeof words, "and not this one: that takes .shared::cluster");
    else if (rank == block->rank || !ptx_block_is_over(ptx_cluster_block(block, rank)))
        snprintf(words, sizeof words, "which has %u bytes of it", block->shared_bytes);
    ptx_fail(access->group, access->step, lane, RILL_ERROR_ILLEGAL_ADDRESS, address,
             "%s of %u bytes at offset %u of shared memory of block %u of the cluster, %s",
             access->verb, access->bytes, (uint32_t)address & ((1u << PTX_RANK_BIT) - 1), rank,
             words);
}

/* Returns true for an address in shared memory that names a block of the cluster. */
static bool names_block(const struct ptx_access *access, uint64_t address)
{
    return ptx_meaning_of(access->where, address) == PTX_TO_SHARED &&
           PTX_RANK_OF(address) > 0 && (address >> 32 & 0xffff) == 0 &&
           access->group->block->cluster_blocks > 1;
}

static void fail_access(struct ptx_access *access, uint32_t lane, uint64_t address)
{
    struct ptx_window window;
    if (address & access->misaligned) {
        ptx_fail(access->group, access->step, lane, RILL_ERROR_MISALIGNED_ADDRESS, address,
                 "%s of %u bytes of %s at 0x%" PRIx64 ", which is no multiple of %u",
                 access->verb, access->bytes, name_of(ptx_meaning_of(access->where, address)),
                 address, access->misaligned + 1);
    } else if (names_block(access, address)) {
        fail_in_cluster(access, lane, address);
    } else if (find_window(access, address, &window)) {
        fail_in_window(access, lane, address, &window);
    } else {
        const struct ptx_host *host = access->group->block->tlb->host;
        char words[160] = "in no allocation";
        if (address < 4096) snprintf(words, sizeof words, "near null");
        else if (host->explain) host->explain(host->data, address, words, sizeof words);
        ptx_fail(access->group, access->step, lane, RILL_ERROR_ILLEGAL_ADDRESS, address,
                 "%s of %u bytes of %s at 0x%" PRIx64 ", which is %s", access->verb,
                 access->bytes, name_of(window.where), address, words);
    }
}

bool ptx_access_look(struct ptx_access *access, uint32_t lane, uint64_t address)
{
    if (settle_window(access, address)) return true;
    fail_access(access, lane, address);
    return false;
}

/* ---- Accesses ----------------------------------------------------------------------------- */

void ptx_access_open(struct ptx_access *access, struct ptx_group *group,
                     const struct ptx_step *step, uint32_t bytes, bool write, const char *verb)
{
    access->group = group;
    access->step = step;
    access->base = step->a == PTX_NO_COLUMN ? NULL : PTX_COLUMN(group, step->a, const uint64_t);
    access->offset = (uint64_t)step->immediate;
    access->bytes = bytes;
    access->misaligned = bytes - 1;
    access->where = step->kind & PTX_WHERE;
    access->write = write;
    access->atomic = false;
    access->verb = verb;
    access->known = false;
    access->window = (struct ptx_window){ .where = PTX_TO_GLOBAL };
}

/* Returns true for distances that cannot wrap around the address space within a range. */
static bool is_small(uint64_t distance)
{
    const uint64_t limit = UINT64_C(1) << 40;
    return distance + limit < 2 * limit;
}

/* Returns true if all lanes of a range are inside the window that was found, and aligned. */
static bool are_inside(const struct ptx_access *access, const struct ptx_range *range)
{
    const uint64_t top = UINT64_C(1) << 63, base = access->window.base;
    uint64_t beyond, bits;
    if (access->room >= top) return false;
    bits = ptx_bits_within(access->base, range->from, range->to, access->offset - base,
                           access->room, &beyond);
    if ((bits | beyond) & top) return false;
    if (base & access->misaligned)
        bits = ptx_bits_at(access->base, range->from, range->to, access->offset);
    return !(bits & access->misaligned);
}

enum ptx_access_pattern ptx_access_pattern(struct ptx_access *access, const struct ptx_range *range,
                                           struct ptx_row *row)
{
    uint32_t from = range->from, last = range->to - 1;
    if (last - from < 2 || (access->step->kind & PTX_STRONG)) return PTX_MIXED;
    uint64_t address = ptx_access_address(access, from);
    const struct ptx_window *window = &access->window;
    if (!access->known || address - window->base > access->room ||
        (address & access->misaligned))
        if (!settle_window(access, address)) return PTX_MIXED;
    if (window->blocks) return PTX_MIXED;

    const uint64_t *base = access->base;
    uint64_t distance = base ? base[from + 1] - base[from] : 0;
    if (is_small(distance) &&
        (!base || (base[from + 2] - base[from + 1] == distance &&
                   ptx_are_at(base, from, last, distance)))) {
        uint64_t end = address + (last - from) * distance;
        if (end - window->base > access->room || (distance & access->misaligned))
            return PTX_MIXED;
        row->first = window->host + from * window->lane_bytes + (address - window->base);
        row->stride = (ptrdiff_t)(distance + window->lane_bytes);
        return PTX_STRIDED;
    }
    return are_inside(access, range) ? PTX_SCATTERED : PTX_MIXED;
}
