/* SPDX-License-Identifier: Apache-2.0
 *
 * What a copy or fill does to memory that the host sees as well.
 */
#ifndef TS_ACCESS_H
#define TS_ACCESS_H

#include <rill/memory.h>

#include <stdbool.h>

/* A box of bytes. */
struct ts_access {
    bool writes;
    uint64_t address;
    size_t width, height, depth; /* bytes, rows, slices                       */
    size_t pitch, slice;         /* bytes from a row, or a slice, to the next */
};

/* Returns the bytes of one side of a copy. */
struct ts_access ts_access_of_place(const rill_place *place, const rill_copy *copy, bool writes);

/* Returns the bytes of a fill. */
struct ts_access ts_access_of_fill(const rill_fill *fill);

/* Tells ThreadSanitizer of it, in the name of the calling thread or fiber. */
void ts_access_tell(const struct ts_access *access);

#endif
