/* SPDX-License-Identifier: Apache-2.0
 *
 * Pinned memory, which the host may touch without a word: guarded while promised work is
 * pending on it (pages/pages.h).
 */
#ifndef CK_PINNED_H
#define CK_PINNED_H

#include <rill/backend.h>

#include "layer-check/order/work.h"

struct ck_checker;

/* Has the backend keep apart its own view of pinned memory, if it can: else the host's accesses
 * are not seen.  Called when the platform was just opened. */
void ck_pinned_init(struct ck_checker *checker);
void ck_pinned_fini(struct ck_checker *checker);

/* Note that memory was allocated, or is about to be freed.  Require checker->lock. */
void ck_pinned_add(struct ck_checker *checker, void *memory, size_t bytes);
void ck_pinned_remove(struct ck_checker *checker, void *memory);

/* Guards what is pinned of the rows, as long as the work may be pending.  Requires
 * checker->lock. */
void ck_pinned_guard(struct ck_checker *checker, const struct ck_work *work,
                     const rill_touched *rows, size_t count);

/* Opens what the host knows to be done.  Requires checker->lock. */
void ck_pinned_release(struct ck_checker *checker);

/* Called around what the program runs in a thread of the library's. */
void ck_pinned_begin(struct ck_checker *checker, rill_op_kind kind);
void ck_pinned_end(struct ck_checker *checker, rill_op_kind kind);

#endif
