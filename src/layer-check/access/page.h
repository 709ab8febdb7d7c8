/* SPDX-License-Identifier: Apache-2.0
 *
 * A page whose bytes were touched here and there, as random gathers do: a few parts, each with a
 * bitmap of bytes that were last touched by the same steps, instead of hundreds of segments.
 */
#ifndef CK_PAGE_H
#define CK_PAGE_H

#include "layer-check/access/segment.h"

#define CK_PAGE_BYTES UINT64_C(4096)
#define CK_PAGE_WORDS 64

/* Bit n % 64 of word n / 64 stands for byte n of a page.  Maps with the same number in `alike` have
 * the same bytes; 0 says nothing.  So the pages of a column, all of them alike, are not compared
 * byte by byte each time. */
struct ck_map {
    uint64_t alike;
    uint64_t words[CK_PAGE_WORDS];
};

bool ck_map_is_empty(const struct ck_map *map);

/* Leaves the bytes of a map that are at the addresses `from` to `to` - 1.  Returns false if there
 * are none. */
bool ck_map_cut(struct ck_map *map, uint64_t page, uint64_t from, uint64_t to);

/* Returns the address of the first byte of a map, or of the last one; it has some. */
uint64_t ck_map_first(const struct ck_map *map, uint64_t page);
uint64_t ck_map_last(const struct ck_map *map, uint64_t page);

struct ck_page_part {
    struct ck_segment bytes; /* from the first byte to the last one */
    struct ck_map map;
};

/* Parts have no byte in common; what was never touched is in none. */
struct ck_page {
    uint64_t address;
    struct ck_page_part *parts;
    uint32_t count, room;
};

struct ck_page *ck_page_create(uint64_t address);
void ck_page_destroy(struct ck_page *page); /* or NULL */

/* Adds a segment that lies in the page, which it takes over.  Returns false if memory is short. */
bool ck_page_add(struct ck_page *page, struct ck_segment *segment);

/* Returns the part that has the byte at an address, or NULL. */
const struct ck_segment *ck_page_at(const struct ck_page *page, uint64_t address);

/* Touches bytes; the map may learn which others it is like.  Returns false if memory is short; then
 * the page may have forgotten some of what was done to them. */
bool ck_page_touch(struct ck_page *page, const struct ck_access *touch, struct ck_map *map);

/* Forgets who did what the host knows to be done. */
void ck_page_bury(struct ck_page *page, const struct ck_clock *host);

/* Returns the page's only part if it has all bytes from its first to its last, or NULL. */
struct ck_segment *ck_page_whole(struct ck_page *page);

#endif
