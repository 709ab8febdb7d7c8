/* SPDX-License-Identifier: Apache-2.0
 *
 * The bytes that an operation touched, each with what was done to it: read, written,
 * updated by atomic operations.
 *
 * A footprint is exact by bytes, yet its size depends on what is irregular, not on how much
 * was touched: an allocation that was written as a whole takes a few words, however large it
 * is, and so does a page with one row in it; any other page takes a bitmap.
 *
 * Short memory never fails anybody: what there is no memory for is left out, and the
 * footprint says that it is not exact, and between which addresses something is missing.
 *
 * A footprint has no lock: one thread at a time uses it.
 */
#ifndef RL_FOOTPRINT_H
#define RL_FOOTPRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rill/backend.h>

#include "base/bytes/node_pool.h"

struct rl_footprint;

enum { RL_SIGNALS_MOST = 8 };

/* The most memory that a footprint takes by default for bitmaps: those of 512 MiB of pages.  Maps
 * of areas where elements are added all over come on top (page_index.h). */
#define RL_FOOTPRINT_MOST ((size_t)64 << 20)

/* Makes an empty footprint, which takes `most` bytes at most, or the default if that is 0.
 * Returns NULL if memory is short. */
struct rl_footprint *rl_footprint_create(size_t most);
void rl_footprint_destroy(struct rl_footprint *print); /* or NULL */

/* Empties a footprint, which keeps some memory for its next use. */
void rl_footprint_clear(struct rl_footprint *print);

/* Adds bytes that were touched; `how` are RILL_TOUCH_*.  What would lie beyond the end of the
 * address space is left out. */
void rl_footprint_add(struct rl_footprint *print, uint64_t address, uint64_t bytes, uint32_t how);

/* Adds `count` pieces of `bytes` bytes, whose addresses are `stride` apart. */
void rl_footprint_add_stride(struct rl_footprint *print, uint64_t address, uint64_t bytes,
                             int64_t stride, uint64_t count, uint32_t how);

/* Adds `count` rows of `bytes` bytes, which begin at `offset` + addresses[i] and end before the
 * address space does. */
void rl_footprint_add_each(struct rl_footprint *print, const uint64_t *addresses, size_t count,
                           uint64_t offset, uint64_t bytes, uint32_t how);

/* Notes that threads tell others something in this word, or are told.  Beyond the first few such
 * words it is data that they exchange: those are left out. */
void rl_footprint_signal(struct rl_footprint *print, const rill_touched *word);

/* Adds all that is in `from`, which is empty afterwards.  Costs little if `print` is empty. */
void rl_footprint_absorb(struct rl_footprint *print, struct rl_footprint *from);

/* Takes all bytes that are in `other` out of a footprint that is exact.  Leaves them if memory is
 * short. */
void rl_footprint_subtract(struct rl_footprint *print, struct rl_footprint *other);

/* Returns how much memory a footprint takes for bitmaps. */
size_t rl_footprint_bytes(const struct rl_footprint *print);

/* Returns true if nothing is missing.  Else `missing`, unless NULL, receives the least row
 * that has all of what is missing in it. */
bool rl_footprint_exact(struct rl_footprint *print, struct rill_touched *missing);

/* Notes that these bytes may be missing. */
void rl_footprint_miss(struct rl_footprint *print, uint64_t address, uint64_t bytes, uint32_t how);

/* Calls visit() for each row, sorted by address, until it returns false.  Rows are maximal: all
 * bytes of one were touched in the same ways, and the bytes next to it were not.  Returns
 * false if visit() did. */
bool rl_footprint_each(struct rl_footprint *print,
                       bool (*visit)(void *data, const struct rill_touched *row), void *data);

/* Makes an array of all rows, which rl_free() frees; NULL if there are none.  Returns false if
 * memory is short, or if there are more than `most` rows; the first of them are in the array
 * then. */
bool rl_footprint_rows(struct rl_footprint *print, size_t most, struct rill_touched **rows,
                       size_t *count);

/* What is in a footprint, as a watcher is told. */
struct rl_footprint_list {
    struct rill_touches touches;
    struct rill_touched *rows;
    rill_touched_page *pages;
    size_t row_count, row_room, row_most, page_count, page_room;
    struct rl_node_pool maps; /* those that are not the footprint's own */
    bool alike;               /* all bytes of the page before were touched in the same ways */
};

/* Lists all of it: pages with many rows as such.  The list is true until the footprint changes.
 * Returns false if something is missing, memory is short, or there are more than `most` rows. */
bool rl_footprint_list_init(struct rl_footprint_list *list, struct rl_footprint *print,
                            size_t most);
void rl_footprint_list_fini(struct rl_footprint_list *list);

#endif
