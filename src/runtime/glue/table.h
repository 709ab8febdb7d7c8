/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables from an address in the program, of a stub, a variable or a reference to a texture, to
 * what it stands for.
 *
 * They are read by every launch, so reading takes no lock: rows are written before they are
 * put into a table and are kept for good, and a table that became too small is kept, too,
 * since a thread may be reading it.
 */
#ifndef RT_TABLE_H
#define RT_TABLE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/lock.h"
#include "runtime/abi/abi.h"

struct rt_image;
struct rt_texture;

struct rt_row {
    const void *address;     /* in the program, or a handle of the driver's          */
    struct rt_image *image;  /* NULL for what a program loaded itself                */
    const char *name;        /* in the image; the program's                          */
    const void *stub;        /* of a kernel: the address, unless that is a handle    */
    size_t bytes;            /* of a variable                                        */
    _Atomic(CUkernel) kernel; /* of a stub; NULL until it is first needed            */
    struct rt_texture *texture; /* of a texture: what else there is to know          */
    struct rt_row *older;    /* the list of all rows of the table                    */
};

struct rt_rows; /* an array of places for rows */

struct rt_table {
    struct rl_lock lock; /* of those who write */
    _Atomic(struct rt_rows *) rows;
    struct rt_row *all;
};

/* Adds a copy of a row, in place of another one with its address.  Returns false if memory is
 * short. */
int rt_table_add(struct rt_table *table, const struct rt_row *row);

/* Takes the rows of an image out of the table. */
void rt_table_remove(struct rt_table *table, const struct rt_image *image);

/* Returns NULL if there is no row for the address. */
struct rt_row *rt_table_find(const struct rt_table *table, const void *address);

#endif
