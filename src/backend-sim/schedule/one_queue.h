/* SPDX-License-Identifier: Apache-2.0
 *
 * What is pending on a device in the order in which it was submitted, as if the device had one
 * queue for all streams.
 *
 * Everything but a look at `sole` requires the lock of the held strands (candidates.h).
 */
#ifndef SIM_SCHEDULE_ONE_QUEUE_H
#define SIM_SCHEDULE_ONE_QUEUE_H

#include "backend-sim/scheduler/submission.h"

/* Operations that were submitted to a strand in a row; some may be over, or all. */
struct submitted_row {
    struct strand *strand; /* retained                                                       */
    uint64_t last;         /* the number of the last one; of the last row, all that are noted */
};

struct one_queue {
    struct submitted_row *rows; /* from `from` to `to` */
    size_t from, to, room;
    _Atomic(struct strand *) sole; /* of the only row, or NULL */
};

/* Notes what is about to be published, unless the strand says enough.  Returns false if memory is
 * short. */
bool sim_one_queue_add(struct one_queue *queue, struct strand *strand);

/* Notes in the strand what is about to be published there.  Returns whether that says enough, since
 * its row is the only one: else it is to be added.  Needs no lock: who gives the queue another row,
 * or takes this one away, first says that it is not the only one, and then looks at what is noted.
 * So one of the two sees the other. */
static inline bool sim_one_queue_note(struct one_queue *queue, const struct submission *submission)
{
    struct strand *strand = submission->strand;
    atomic_store(&strand->noted, sim_submission_number(submission));
    return atomic_load(&queue->sole) == strand;
}

/* Forgets what is over.  Returns the first operation that is not, or a point without a strand. */
struct point sim_one_queue_oldest(struct one_queue *queue);

void sim_one_queue_fini(struct one_queue *queue);

/* Tells whether all that is pending is the strand's own.  What is submitted meanwhile comes after
 * that, so no lock is needed. */
static inline bool sim_one_queue_has_only(struct one_queue *queue, const struct strand *strand)
{
    return atomic_load_explicit(&queue->sole, memory_order_relaxed) == strand;
}

#endif
