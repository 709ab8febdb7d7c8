/* SPDX-License-Identifier: Apache-2.0
 *
 * Signals: addresses at which kernels tell others what is done, while they run.  What they order
 * nobody knows who does not see what is read there.
 */
#ifndef CK_SIGNALS_H
#define CK_SIGNALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ck_signals {
    size_t count;
    uint64_t at[];
};

/* Adds addresses to the signals of a work, which are NULL until there are some; rl_free() frees
 * them.  Returns false if memory is short. */
bool ck_signals_add(struct ck_signals **signals, const uint64_t *at, size_t count);

/* Tells whether an address is one of both.  Either may be NULL. */
bool ck_signals_meet(const struct ck_signals *a, const struct ck_signals *b);

#endif
