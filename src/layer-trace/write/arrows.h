/* SPDX-License-Identifier: Apache-2.0
 *
 * Where arrows begin: at the ends of operations that others may have waited for.  Only the latest
 * are known, so that a long trace takes no more memory than a short one.
 */
#ifndef TR_ARROWS_H
#define TR_ARROWS_H

#include <stdbool.h>
#include <stdint.h>

struct tr_track;

enum { TR_ENDS = 1 << 15, TR_WAITS = 1 << 10 };

struct tr_end {
    uint64_t track, point; /* track 0: none */
    uint64_t at_ns;        /* where an arrow begins or ends: within the operation */
};

/* An event wait that was written, and not yet the arrow to it. */
struct tr_wait {
    const struct tr_track *track, *from; /* where it waited, and for something where */
    uint64_t point, from_point;
    uint64_t at_ns;
    unsigned rounds; /* how often rings were emptied since then */
};

struct tr_arrows {
    struct tr_end records[TR_ENDS]; /* of event records */
    struct tr_end others[TR_ENDS];
    struct tr_wait waits[TR_WAITS];
    unsigned wait_count;
};

void tr_arrows_note(struct tr_arrows *arrows, const struct tr_end *end, bool record);

/* Returns what is known of an operation, or NULL. */
const struct tr_end *tr_arrows_find(const struct tr_arrows *arrows, uint64_t track,
                                    uint64_t point);

#endif
