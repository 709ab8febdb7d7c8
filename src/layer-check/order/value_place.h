/* SPDX-License-Identifier: Apache-2.0
 *
 * A place in memory that streams wait for: what was written to it, and by whom.
 */
#ifndef CK_VALUE_PLACE_H
#define CK_VALUE_PLACE_H

#include "layer-check/order/order.h"

/* A value that was written, and by which step. */
struct ck_value_write {
    struct ck_step step; /* retained                   */
    uint64_t value;
    bool unknown;        /* what a fill, a copy or a kernel has left there nobody says */
    uint64_t number;     /* counted in its place, from 1 */
};

/* What a stream, or a node of its launches, has written: each write comes after those before it. */
struct ck_value_writer {
    struct ck_value_writer *next;
    uint32_t line, node;
    struct ck_value_write *writes; /* the oldest first                             */
    size_t count, room;
    size_t before;                 /* of a search: how many come before the wait   */
};

/* A wait, as it looks for the writes that may have let it through. */
struct ck_value_wait {
    struct ck_step step;
    uint64_t newest;       /* the number of the newest write when it was submitted */
    uint64_t value;
    uint32_t bytes, flags; /* of the value, and RILL_WAIT_*                        */
    const uint64_t *now;   /* what was there then; NULL if nobody has looked       */
};

/* The checker's lock protects all of it. */
struct ck_value_place {
    struct ck_value_place *next;  /* of the bucket                                    */
    uint64_t address;
    bool past;                    /* of memory that is gone: only open holes count     */
    struct ck_value_writer *writers;
    size_t count, swept;          /* of writes; when old ones were dropped last       */
    uint64_t newest;              /* the number of the newest write                   */
    struct ck_hole *holes;        /* open ones that the next write may fill           */
    struct ck_hole *blocked;      /* open ones with another open one before them      */
};

/* Frees what is known of the writes. */
void ck_value_place_fini(struct ck_value_place *place);

/* Notes a write, of an unknown value if `value` is NULL.  Returns false if memory is short. */
bool ck_value_place_add(struct ck_value_place *place, const struct ck_order *order,
                        const struct ck_step *step, const uint64_t *value);

/* Begins the search for the writes that may have let a wait through. */
void ck_value_place_seek(struct ck_value_place *place, const struct ck_value_wait *wait);

/* Returns the oldest write of a writer that may have let the wait through of the search that was
 * begun last, or NULL if none may have. */
const struct ck_value_write *ck_value_place_find(const struct ck_value_place *place,
                                                 const struct ck_value_writer *writer,
                                                 const struct ck_order *order,
                                                 const struct ck_value_wait *wait);

/* Returns the newest write of an unknown value that does not come after the wait, or NULL if there
 * is none. */
const struct ck_value_write *ck_value_writer_unknown(const struct ck_value_writer *writer,
                                                     const struct ck_value_wait *wait);

/* Returns the newest write of a known value, or NULL if there is none. */
const struct ck_value_write *ck_value_place_last(const struct ck_value_place *place);

/* Tells whether a value meets the condition of a wait. */
bool ck_value_meets(uint64_t seen, uint64_t wanted, uint32_t bytes, uint32_t flags);

#endif
