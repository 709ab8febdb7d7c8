/* SPDX-License-Identifier: Apache-2.0
 *
 * Tellings: what flags order that kernels set or wait for while they run.
 *
 * A kernel that sets a flag tells those that look at it what is done: all that comes before the
 * write comes before the read, and before all that follows that.  Nobody sees which value was read;
 * so a kernel that writes a flag counts as telling all kernels that ask there, and the other way
 * around.  Such an order is asked for only where the promised one says that two steps race.
 *
 * The checker's lock protects all of it.
 */
#ifndef CK_TELLINGS_H
#define CK_TELLINGS_H

#include "layer-check/access/memory.h"

/* Who tells and who is told: steps, whose works are retained, or the host where the work is NULL.
 * The host tells what it knows to be done, and what it is told it tells all that it submits. */
struct ck_telling {
    struct ck_step from, to;
    struct ck_clock *known; /* of a host that tells; retained */
    uint64_t serial;        /* works of the host up to this one are before the telling, and
                               works of a later one after it */
};

/* Of more than so many the oldest are forgotten: programs have few flags at a time. */
enum { CK_TELLINGS_MOST = 128, CK_SPEAKERS_MOST = 32 };

struct ck_tellings {
    struct ck_telling items[CK_TELLINGS_MOST];
    unsigned count;
    /* Works with signals that were judged and that the host does not know to be done, the oldest
     * first; retained. */
    struct ck_work *speakers[CK_SPEAKERS_MOST];
    unsigned speaker_count;
};

void ck_tellings_fini(struct ck_tellings *tellings);

/* Notes who tells the kernels of a work and whom they tell, of those before it.  Called before its
 * rows are touched, if it has signals. */
void ck_tellings_speak(struct ck_tellings *tellings, const struct ck_memory *memory,
                       struct ck_work *work);

/* Notes which kernels before it a step tells that touches rows, or is told by. */
void ck_tellings_hear(struct ck_tellings *tellings, const struct ck_step *step,
                      const rill_touched *rows, size_t count);

/* Tells whether `before` comes before `after` by what was told. */
bool ck_tellings_order(const struct ck_tellings *tellings, const struct ck_step *before,
                       const struct ck_step *after);

/* Tells whether more may be said of the order of two steps once works are judged that were
 * submitted later. */
bool ck_tellings_may_order(const struct ck_tellings *tellings, const struct ck_step *a,
                           const struct ck_step *b);

/* Forgets what says nothing any more, since the host knows who has told something to be done. */
void ck_tellings_forget(struct ck_tellings *tellings, const struct ck_clock *host);

/* Tells whether a step's kernels ask or tell by a word that has all these bytes, and another step
 * that does `how` there answers. */
bool ck_tellings_of_word(const struct ck_step *kernel, uint64_t from, uint64_t to,
                         const struct ck_step *other, uint32_t how);

#endif
