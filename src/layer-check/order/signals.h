/* SPDX-License-Identifier: Apache-2.0
 *
 * Signals: words at which kernels tell others what is done, or are told, while they run.  What they
 * order nobody knows who does not see what is read there.
 */
#ifndef CK_SIGNALS_H
#define CK_SIGNALS_H

#include <rill/backend.h>

#include "layer-check/order/clock.h"

struct ck_signal {
    rill_touched word;
    uint32_t node;  /* whose kernel it is, or 0 */
    bool seen;      /* the host would be seen to look at it */
};

struct ck_signals {
    struct ck_clock *host; /* what the host knew when the last of the kernels had ended; retained */
    uint64_t serial;       /* of the newest work by then */
    size_t count;
    struct ck_signal at[];
};

/* Adds a signal to those of a work, which are NULL until there are some.  Returns false if memory
 * is short. */
bool ck_signals_add(struct ck_signals **signals, const struct ck_signal *signal);

/* Notes what the host knew when a kernel had ended. */
void ck_signals_end(struct ck_signals *signals, struct ck_clock *host, uint64_t serial);

void ck_signals_free(struct ck_signals *signals); /* which may be NULL */

/* Tells whether both have a word at the same address.  Either may be NULL. */
bool ck_signals_meet(const struct ck_signals *a, const struct ck_signals *b);

#endif
