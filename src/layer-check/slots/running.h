/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels and host functions that run.
 */
#ifndef CK_RUNNING_H
#define CK_RUNNING_H

#include <rill/backend.h>
#include <stdbool.h>

struct ck_caller;
struct ck_checker;
struct ck_seen;
struct ck_work;

/* One that runs in a thread, which alone uses it. */
struct ck_run {
    struct ck_checker *checker;
    const rill_running *running;
    struct ck_caller *caller; /* once it makes a call; kept while it runs               */
    bool touched;             /* it has declared what it touches, or was seen to touch  */
    bool seen;                /* it was seen to touch pinned memory                     */
    bool pinned;              /* ck_pinned_end() has to be called behind it             */
    struct ck_run *outer;     /* that waits meanwhile, or NULL                          */
};

/* Returns what runs in this thread, or NULL.  Safe in signal handlers. */
struct ck_run *ck_run_here(void);

/* Returns the work that runs, or that it is a node of; or NULL.  Requires checker->lock. */
struct ck_work *ck_run_work(struct ck_checker *checker, const rill_running *running);

/* Notes that a host function says what it touches: that takes the place of what was assumed.
 * Requires checker->lock. */
void ck_run_declare(struct ck_checker *checker, const rill_running *running);

/* Adds what one that runs touches.  The first touch of a C kernel takes the place of what was
 * assumed of it.  Requires checker->lock. */
void ck_run_touch(struct ck_checker *checker, const rill_running *running,
                  const rill_touched *touched);

/* Notes that this thread was seen to touch pinned memory, unless it runs a kernel, whose touches
 * are assumed or declared.  Safe in signal handlers. */
void ck_touched_note(struct ck_checker *checker, struct ck_seen *seen);

#endif
