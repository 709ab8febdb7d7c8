/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory: allocations and what was done to their bytes, as far as the works go that were
 * judged: the log (log.h) is ahead of it.
 */
#ifndef CK_MEMORY_H
#define CK_MEMORY_H

#include "base/range.h"
#include "layer-check/access/segments.h"

enum ck_block_kind {
    CK_BLOCK_DEVICE,
    CK_BLOCK_PINNED,
    CK_BLOCK_REGISTERED,
    CK_BLOCK_MANAGED,
    CK_BLOCK_POOL,   /* allocated in stream order */
    CK_BLOCK_GRAPH,  /* of alloc nodes            */
    CK_BLOCK_VARIABLE, /* of a module             */
    CK_BLOCK_PLAIN   /* memory of the host that nobody has allocated here */
};

/* An allocation, from when it is made until its addresses are another's. */
struct ck_block {
    struct range range;       /* must stay first */
    enum ck_block_kind kind;
    bool mapped;              /* to addresses that the program has reserved, and may map anew */
    int device;
    const char *name;         /* of a variable; one that lasts                   */
    uint64_t born;            /* the serial of the work that allocated it        */
    const void *made, *freed; /* call sites; freed only once it was              */
    bool gone;                /* freed, and not yet another's                    */
    struct ck_segments segments;
    struct ck_attached *attached; /* of managed memory, if that is looked at; or NULL */
    struct ck_block *older, *newer; /* of those that are gone                    */
};

struct ck_attached;
struct ck_leaks;

struct ck_memory {
    struct ranges blocks;
    struct ck_leaks *leaks; /* of what goes without having been freed; NULL: nobody asks */
    struct ck_block *oldest_gone, *newest_gone;
    size_t gone_count;
};

void ck_memory_fini(struct ck_memory *memory);

/* Adds an allocation, in place of those that were there and are gone.  Returns NULL if memory is
 * short. */
struct ck_block *ck_memory_add(struct ck_memory *memory, uint64_t base, uint64_t bytes,
                               enum ck_block_kind kind);

/* Marks an allocation as freed.  Its bytes remain known for a while, so that later uses are
 * found. */
void ck_memory_remove(struct ck_memory *memory, struct ck_block *block, const void *site);

/* Returns the allocation that holds an address, freed ones as well, or NULL. */
struct ck_block *ck_memory_find(const struct ck_memory *memory, uint64_t address);

typedef void ck_enter_fn(void *data, struct ck_block *block);

/* Does what ck_segments_touch() does, for rows that may be in several allocations.  Memory that
 * is none's is the host's.  `enter` is called with the block before its rows are touched. */
bool ck_memory_touch(struct ck_memory *memory, const struct ck_access *touch,
                     const rill_touched *rows, size_t count, ck_enter_fn *enter);

/* Does the same for the bytes of a page. */
bool ck_memory_touch_page(struct ck_memory *memory, const struct ck_access *touch, uint64_t page,
                          struct ck_map *map, ck_enter_fn *enter);

/* Writes "64 KiB". */
enum { CK_SIZE_MAX = 32 };
void ck_write_size(uint64_t bytes, char text[CK_SIZE_MAX]);

/* Writes "bytes 0 to 16383 of pinned memory (64 KiB)". */
void ck_memory_describe(const struct ck_block *block, uint64_t from, uint64_t to, char *text,
                        size_t room);

#endif
