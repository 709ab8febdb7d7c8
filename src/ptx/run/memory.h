/* SPDX-License-Identifier: Apache-2.0
 *
 * What a kernel's addresses mean.
 *
 * An address of .global or .const is the host's.  Those of .shared, .local and .param
 * count from 0 in their space, and each of the three has a window of the generic
 * addresses, where no allocation can be.
 *
 * A step that accesses memory opens an access, and asks for each range of its lanes how
 * the addresses lie: most often at equal distances, so that it is enough to check the first
 * and the last, and the loop over the lanes checks nothing.
 */
#ifndef PTX_RUN_MEMORY_H
#define PTX_RUN_MEMORY_H

#include <stdatomic.h>

#include "ptx/run/machine.h"

/* Windows of 2^48 bytes; program.h has one more, for functions. */
#define PTX_SHARED_WINDOW UINT64_C(0xFFFE000000000000)
#define PTX_LOCAL_WINDOW UINT64_C(0xFFFC000000000000)
#define PTX_PARAM_WINDOW UINT64_C(0xFFF8000000000000)
#define PTX_WINDOW_OF(address) ((address) & UINT64_C(0xFFFF000000000000))

/* Shared memory of blocks of a cluster: the block's rank and 1, from this bit on, are added to
 * addresses in .shared, and to generic ones.  Without them it is that of the block itself. */
#define PTX_RANK_BIT 24
#define PTX_RANK_OF(address) ((uint32_t)(address) >> PTX_RANK_BIT)

/* ---- Allocations that were found lately --------------------------------------------------- */

#define PTX_TLB_ENTRIES 8

/* The allocations that were found last.  Each block has one, and only the thread that runs
 * the block touches it. */
struct ptx_tlb {
    const struct ptx_host *host;
    struct ptx_extent workspace; /* of the grid, besides what the host has             */
    uint64_t changes;            /* of the host, when the extents were true            */
    uint32_t count, oldest;
    struct ptx_extent extents[PTX_TLB_ENTRIES];
};

void ptx_tlb_init(struct ptx_tlb *tlb, const struct ptx_host *host);

/* Returns the extent around an address if it was found lately and is still true, else NULL. */
static inline const struct ptx_extent *ptx_tlb_look(const struct ptx_tlb *tlb, uint64_t address)
{
    if (atomic_load_explicit(tlb->host->changes, memory_order_acquire) != tlb->changes)
        return NULL;
    for (uint32_t i = 0; i < tlb->count; i++)
        if (address - tlb->extents[i].base < tlb->extents[i].end - tlb->extents[i].base)
            return &tlb->extents[i];
    return NULL;
}

/* Returns true if the address is that of a .const variable. */
bool ptx_is_constant(struct ptx_group *group, uint64_t address);

/* ---- Accesses ----------------------------------------------------------------------------- */

/* Where an access goes to: the low bits of a memory step's `kind`. */
enum ptx_where {
    PTX_TO_GLOBAL, PTX_TO_CONST, PTX_TO_SHARED, PTX_TO_LOCAL, PTX_TO_PARAM,
    PTX_TO_SLOT,                 /* a .param variable of a call: column `e`, `target` bytes */
    PTX_TO_ANY                   /* a generic address says it                          */
};

#define PTX_WHERE 7u             /* of `kind`                                          */
#define PTX_STRONG 8u            /* of `kind`: volatile, relaxed, and what is stronger; of an
                                    atomic operation: .sys, or one that changes nothing */
#define PTX_RELEASES 16u         /* of `kind`: a store, or an atomic operation         */
#define PTX_NARROW 32u           /* of `kind`: strong for the block only (.cta)        */

/* Memory in one piece: the byte at `base` of lane i is at host + i * lane_bytes; of shared memory
 * of blocks abreast, each of which has its own, at host + blocks[i] * block_bytes. */
struct ptx_window {
    uint64_t base, bytes;
    unsigned char *host;
    size_t lane_bytes, block_bytes;
    const uint32_t *blocks;      /* which of them a lane is in; else NULL              */
    enum ptx_where where;        /* never PTX_TO_ANY                                   */
    bool read_only;
};

/* Returns what an address means of an access to `where`. */
static inline enum ptx_where ptx_meaning_of(enum ptx_where where, uint64_t address)
{
    if (where != PTX_TO_ANY) return where;
    switch (PTX_WINDOW_OF(address)) {
    case PTX_SHARED_WINDOW: return PTX_TO_SHARED;
    case PTX_LOCAL_WINDOW: return PTX_TO_LOCAL;
    case PTX_PARAM_WINDOW: return PTX_TO_PARAM;
    default: return PTX_TO_GLOBAL;
    }
}

/* Returns how far an address has gone around, which is 0 for most.  Addresses in .shared, .local
 * and .param have 32 bits: a register of 32 bits may be as if negative, and the offset that is
 * added to it leads back into the memory. */
static inline uint64_t ptx_wrap_of(enum ptx_where where, uint64_t address)
{
    const bool narrow = where == PTX_TO_SHARED || where == PTX_TO_LOCAL || where == PTX_TO_PARAM;
    return narrow && address >> 32 == 1 ? UINT64_C(1) << 32 : 0;
}

/* Returns where an address of a lane is in host memory. */
static inline unsigned char *ptx_window_place(const struct ptx_window *window, uint32_t lane,
                                              uint64_t address)
{
    unsigned char *host = window->host + lane * window->lane_bytes + (address - window->base);
    return window->blocks ? host + window->blocks[lane] * window->block_bytes : host;
}

struct ptx_access {
    struct ptx_group *group;
    const struct ptx_step *step;
    const uint64_t *base;        /* the lanes' addresses; NULL if all are 0            */
    uint64_t offset;             /* is added to them                                   */
    uint32_t bytes;              /* that a lane touches                                */
    uint32_t misaligned;         /* bits that no address may have                      */
    enum ptx_where where;
    bool write, atomic;
    const char *verb;            /* "load", "store", "atomic operation": for sentences */
    struct ptx_window window;    /* of the last address that was looked up             */
    uint64_t room;               /* addresses in it where an access can begin, less 1  */
    bool known;                  /* whether there is a window yet                      */
};

/* Opens the access of a step whose operands are as step/access.h says; `bytes` is a power of
 * two. */
void ptx_access_open(struct ptx_access *access, struct ptx_group *group,
                     const struct ptx_step *step, uint32_t bytes, bool write, const char *verb);

/* Finds the window around an address for an access that is not atomic.  Returns false if there is
 * none, or it must not be written. */
bool ptx_find_window(struct ptx_group *group, const struct ptx_step *step, uint64_t address,
                     bool write, struct ptx_window *window);

/* Makes the window of an address the access's.  Returns false if there is none where the
 * address could be; the lane has failed then. */
bool ptx_access_look(struct ptx_access *access, uint32_t lane, uint64_t address);

static inline uint64_t ptx_access_address(const struct ptx_access *access, uint32_t lane)
{
    return (access->base ? access->base[lane] : 0) + access->offset;
}

/* Returns where a lane's access is in host memory, or NULL if it is nowhere; the lane has
 * failed then. */
static inline unsigned char *ptx_access_place(struct ptx_access *access, uint32_t lane)
{
    uint64_t address = ptx_access_address(access, lane);
    const struct ptx_window *window = &access->window;
    if (!access->known || address - window->base > access->room ||
        (address & access->misaligned))
        if (!ptx_access_look(access, lane, address)) return NULL;
    return ptx_window_place(window, lane, address);
}

/* Does the same, but fails nothing. */
unsigned char *ptx_access_peek(struct ptx_access *access, uint32_t lane);

/* Loops over lanes one after the other, each of which may have to see what the one before
 * did. */
#define PTX_IN_TURN(group, i) \
    for (const struct ptx_range *range_ = (group)->ranges, *ranges_end_ = range_ + \
         (group)->range_count; range_ < ranges_end_; range_++) \
        for (uint32_t i = range_->from, i##_end_ = range_->to; i < i##_end_; i++)

/* How the lanes of a range access memory. */
enum ptx_access_pattern {
    PTX_STRIDED,   /* all is well: lane from + k at  first + k * stride                */
    PTX_SCATTERED, /* all is well: each where ptx_place_of() says                      */
    PTX_MIXED      /* unknown: ask for each place, some of which may fail              */
};

struct ptx_row {
    unsigned char *first;
    ptrdiff_t stride;
};

enum ptx_access_pattern ptx_access_pattern(struct ptx_access *access, const struct ptx_range *range,
                                           struct ptx_row *row);

/* Where the lanes of a range are, unless it is mixed. */
struct ptx_places {
    uintptr_t origin;
    const uint64_t *base;
    size_t lane_bytes;
};

static inline struct ptx_places ptx_access_places(const struct ptx_access *access)
{
    const struct ptx_window *window = &access->window;
    return (struct ptx_places){ (uintptr_t)window->host + access->offset - window->base,
                                access->base, window->lane_bytes };
}

static inline unsigned char *ptx_place_of(const struct ptx_places *places, uint32_t lane)
{
    uintptr_t address = places->base ? (uintptr_t)places->base[lane] : 0;
    return (unsigned char *)(places->origin + address + lane * places->lane_bytes);
}

/* The column of element `n` of a step; `single` if the step has only one element. */
#define PTX_ELEMENT(group, step, n, single, type) \
    PTX_COLUMN(group, (step)->width == 1 ? (single) \
                      : (group)->frame->program->columns[(step)->more + (n)], type)

/* ---- Types that may lie over any others --------------------------------------------------- */

typedef uint8_t __attribute__((may_alias)) ptx_mem8;
typedef uint16_t __attribute__((may_alias)) ptx_mem16;
typedef uint32_t __attribute__((may_alias)) ptx_mem32;
typedef uint64_t __attribute__((may_alias)) ptx_mem64;
typedef struct __attribute__((may_alias)) { uint64_t lo, hi; } ptx_mem128;

#endif
