/* SPDX-License-Identifier: Apache-2.0
 *
 * Submitting: everything between begin and commit appears at once, under the
 * strand's submit lock.  Inline, since every operation comes through here.
 */
#ifndef SIM_SUBMISSION_H
#define SIM_SUBMISSION_H

#include "backend-sim/scheduler/strand.h"

struct submission {
    struct strand *strand;
    struct queue_mark start; /* in the queue     */
    uint64_t count;          /* of cells so far  */
};

static inline void sim_submission_begin(struct submission *submission, struct strand *strand)
{
    rl_spin_lock(&strand->submit_lock);
    /* Of an IDLE strand there is no consumer: the queue is the producer's. */
    if (sim_strand_is_idle(strand) && strand->queue.tail) sim_queue_rewind(&strand->queue);
    submission->strand = strand;
    submission->start = sim_queue_mark(&strand->queue);
    submission->count = 0;
}

/* Returns a cell for the next operation, or NULL if memory is short. */
static inline struct cell *sim_submission_add(struct submission *submission,
                                              const struct op_type *type, size_t bytes)
{
    struct cell *cell = sim_queue_put(&submission->strand->queue, type, bytes);
    if (cell) submission->count++;
    return cell;
}

/* Returns the number that the operation added last will have. */
static inline uint64_t sim_submission_number(const struct submission *submission)
{
    return atomic_load_explicit(&submission->strand->submitted, memory_order_relaxed) +
           submission->count;
}

/* Returns the point at which the strand ends once the submission is published. */
static inline struct point sim_submission_end(const struct submission *submission)
{
    return (struct point){ submission->strand, sim_submission_number(submission) };
}

/* Tells whether the submission's operation comes after nothing that could take long or wait for
 * the program (host_thread.h). */
static inline bool sim_submission_is_prompt(const struct submission *submission)
{
    struct strand *strand = submission->strand;
    uint64_t before = sim_submission_number(submission) - 1;
    return submission->count == 1 &&
           (strand->prompt_to == before || sim_strand_reached(strand, before));
}

/* Notes that the operation ends soon and by itself, so that the one after it is prompt, too. */
static inline void sim_submission_stay_prompt(const struct submission *submission)
{
    if (sim_submission_is_prompt(submission))
        submission->strand->prompt_to = sim_submission_number(submission);
}

/* Makes an IDLE strand READY, and gives its submit lock back.  Requires strand->submit_lock. */
void sim_submission_make_ready(struct strand *strand);

/* Tells the observer, the watcher and the steering what was added.  Called before the operations
 * are published: a thread that finds an operation submitted knows that both have been told. */
void sim_submission_tell(const struct submission *submission);

/* Publishes the submission and ends it; the strand may run. */
static inline void sim_submission_commit(struct submission *submission)
{
    struct strand *strand = submission->strand;
    if (!submission->count) {
        rl_spin_unlock(&strand->submit_lock);
        return;
    }
    uint64_t number = sim_submission_number(submission);
    if (sim_strand_attention(strand) & (ATTEND_TIMES | ATTEND_WATCHER | ATTEND_ORDER))
        sim_submission_tell(submission);
    atomic_store_explicit(&strand->submitted, number, memory_order_release);
    if (sim_strand_is_idle(strand)) sim_submission_make_ready(strand);
    else rl_spin_unlock(&strand->submit_lock);
}

/* Takes back what was added since the submission was a copy `earlier` and its queue stood at
 * `mark`. */
static inline void sim_submission_revert(struct submission *submission,
                                         const struct submission *earlier, struct queue_mark mark)
{
    sim_queue_revert(&submission->strand->queue, mark);
    submission->count = earlier->count;
}

/* Orders what follows after `point` of another strand.  Adds no operation if the point is reached
 * and nobody observes.  Returns false if memory is short. */
bool sim_submission_wait_for(struct submission *submission, struct point point);

/* Does the same for any point; a point of the strand itself comes before anyway. */
static inline bool sim_submission_wait(struct submission *submission, struct point point)
{
    return !point.strand || point.strand == submission->strand ||
           sim_submission_wait_for(submission, point);
}

#endif
