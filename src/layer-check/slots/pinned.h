/* SPDX-License-Identifier: Apache-2.0
 *
 * Pinned memory, which the host may touch without a word: guarded while promised work is
 * pending on it (pages/pages.h).
 */
#ifndef CK_PINNED_H
#define CK_PINNED_H

#include <rill/backend.h>

#include "layer-check/access/attached.h"
#include "layer-check/pages/pages.h"

struct ck_checker;

/* An allocation; checker->pinned has them by their addresses. */
struct ck_pinned {
    struct range range;   /* must stay first; of whole pages */
    uint64_t end;         /* of the allocation               */
    const rill_context *context; /* with which it goes       */
    struct ck_attachment attachment; /* of managed memory, as the calls say ... */
    struct ck_attachment before;     /* ... and until the host knows this to be done */
    struct ck_point attached;
    uint32_t made;        /* its flags from the beginning    */
    struct ck_area *area; /* while it is set aside, as next  */
    struct ck_pinned *next;
};

/* Why touches are not seen. */
#define CK_UNSEEN_REFUSED "the system did not protect it, or memory was short"

/* Has the backend keep apart its own view of pinned memory, if it can: else the host's accesses
 * are not seen.  Called when the platform was just opened. */
void ck_pinned_init(struct ck_checker *checker);
void ck_pinned_fini(struct ck_checker *checker);

/* Notes that memory was allocated that goes with a context: managed memory with flags, else 0.
 * Requires checker->lock. */
void ck_pinned_add(struct ck_checker *checker, const rill_context *context, void *memory,
                   size_t bytes, uint32_t flags);

/* Takes memory out that is about to be freed, or all of a context that is about to end, before
 * anybody else gets its pages.  Returns NULL if nothing of it is guarded.  When the backend has
 * answered, exactly one of the two others follows.  All require checker->lock. */
struct ck_pinned *ck_pinned_set_aside(struct ck_checker *checker, void *memory);
struct ck_pinned *ck_pinned_set_aside_all(struct ck_checker *checker, const rill_context *context);
void ck_pinned_forget(struct ck_checker *checker, struct ck_pinned *pinned);
void ck_pinned_put_back(struct ck_checker *checker, struct ck_pinned *pinned);

/* Looks what the program has done since the last call: a handler of SIGSEGV that it has installed
 * shall not get our faults, a system call that has failed with EFAULT is worth a word, and pages
 * that it has opened while a function runs are closed again if all shall be seen.
 * Requires checker->lock. */
void ck_pinned_look(struct ck_checker *checker);

/* Opens all pages for good.  Requires checker->lock. */
void ck_pinned_stop(struct ck_checker *checker);

/* Guards what is pinned of the rows, as long as the work may be pending.  `apart` if they are of a
 * node in no order with any host function of its launch.  Requires checker->lock. */
void ck_pinned_guard(struct ck_checker *checker, const struct ck_work *work,
                     const rill_touched *rows, size_t count, bool apart);

/* Returns how long a guard lasts that is for a work.  Requires checker->lock. */
struct ck_until ck_pinned_until(const struct ck_checker *checker, const struct ck_work *work,
                                bool apart);

/* Guards all pinned memory as long as a host function may be pending, if all shall be seen: nobody
 * knows what it will touch.  Requires checker->lock. */
void ck_pinned_guard_all(struct ck_checker *checker, const struct ck_work *work);

/* Opens what the host knows to be done.  Requires checker->lock. */
void ck_pinned_release(struct ck_checker *checker);

/* Called before what the program runs in a thread of the library's, without checker->lock.  Returns
 * whether the other one has to be called behind it. */
bool ck_pinned_begin(struct ck_checker *checker, const rill_running *running);
void ck_pinned_end(struct ck_checker *checker);

#endif
