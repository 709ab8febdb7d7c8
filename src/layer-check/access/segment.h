/* SPDX-License-Identifier: Apache-2.0
 *
 * Segments: bytes that were last touched by the same steps.
 *
 * A segment keeps the last write and what was done since: reads, and atomic operations, which
 * do not race with each other.  That is enough to find a race on each path: a step that comes
 * after the last write, in the promised order, comes after all writes before it as well.
 */
#ifndef CK_SEGMENT_H
#define CK_SEGMENT_H

#include <rill/backend.h>

#include "layer-check/order/order.h"

/* What is done to bytes, besides RILL_TOUCH_*. */
enum {
    CK_TOUCH_ALLOCATE = 0x100, /* in stream order: nothing may come before           */
    CK_TOUCH_FREE = 0x200,     /* in stream order: nothing may come after            */
    CK_TOUCH_UPDATED = 0x400, /* to the last write: atomic operations came after it  */
    CK_TOUCH_AWAIT = 0x800,    /* a wait for a value: a write there may end it */
    CK_TOUCH_BY_HOST = 0x1000, /* the side of a copy that is the host's              */
    CK_TOUCH_ASSUMED = 0x2000, /* nobody saw it                                      */
    CK_TOUCH_RAN = 0x4000      /* the backend let a kernel do so: the memory is there */
};

#define CK_TOUCH_BORDERS (CK_TOUCH_ALLOCATE | CK_TOUCH_FREE)
#define CK_TOUCH_WRITES (RILL_TOUCH_WRITE | CK_TOUCH_ALLOCATE | CK_TOUCH_FREE)

/* A step and what it did.  The work is retained; it is NULL if nothing can race with it any
 * more, since the host knows it to be done. */
struct ck_mark {
    struct ck_step step;
    uint32_t how;
};

struct ck_segment {
    uint64_t from, to;      /* addresses; never empty                           */
    struct ck_mark write;   /* `how` is 0 if nothing was ever written           */
    struct ck_mark *since;  /* what was done since then, none if `count` is 0   */
    uint32_t count;
    struct ck_page *page;   /* NULL, or what was done to which of these bytes (page.h); then
                               the other fields say nothing of that         */
};

/* Two steps that touch the same bytes, at least one of them changing them, in no order. */
struct ck_conflict {
    struct ck_mark first, then;
    uint64_t from, to;
};

/* Where conflicts go while a row is put in. */
struct ck_access {
    const struct ck_clock *host; /* what the host knew when the step was submitted: what is
                                    judged from now on comes after it */
    struct ck_mark mark;
    void (*found)(void *data, const struct ck_conflict *conflict);
    bool inits; /* it is kept whether bytes were ever written */
    /* Called for bytes that are read and were never written, if that is kept; or NULL. */
    void (*unwritten)(void *data, uint64_t from, uint64_t to);
    void *data;
};

/* Touches the bytes of a segment.  Returns false if memory is short; the segment may have forgotten
 * some of what was done to it then. */
bool ck_segment_touch(struct ck_segment *segment, const struct ck_access *touch);

/* Forgets who did what the host knows to be done. */
void ck_segment_bury(struct ck_segment *segment, const struct ck_clock *host);

/* Tells whether two segments were last touched by the same steps. */
bool ck_segment_same(const struct ck_segment *a, const struct ck_segment *b);

/* Returns false if memory is short. */
bool ck_segment_copy(struct ck_segment *to, const struct ck_segment *from);
void ck_segment_clear(struct ck_segment *segment);

#endif
