/* SPDX-License-Identifier: Apache-2.0
 *
 * Callers: host functions that submit work or wait for some while they run.
 *
 *     known       what a call comes after: all that is before the function, the function
 *                 itself, and what its calls have waited for
 *     submitted   comes after `known`; done when the function is, if `known` says so in the end
 *     waited for  comes before the function, though it was submitted later; and before what
 *                 comes after the function
 *
 * The host learns of it only by waiting for the function: when that runs is luck.  Works that come
 * after the function may have been submitted before it ran, so they come to know what it has waited
 * for when they are judged.
 */
#ifndef CK_CALLER_H
#define CK_CALLER_H

#include "layer-check/order/work.h"

/* The checker's lock protects all of it. */
struct ck_caller {
    uint32_t references;       /* of the order's list, and of works that it has submitted */
    struct ck_step step;       /* the function; the work is retained       */
    struct ck_clock *known;
    uint64_t learned;          /* the serial of the newest work when the host knew it to be
                                  done; UINT64_MAX: it does not     */
    struct ck_caller *next;    /* of the order's, the newest first         */
    struct ck_caller *past;    /* the newest of those before that is not known to come before
                                  this one, which knows what the others have waited for */
    struct ck_caller *sibling; /* of the same work, see ck_work.callers    */
};

/* Makes the caller of a step, whose clock it takes over, and adds it to the step's work.  Returns
 * NULL, with nothing taken over, if memory is short. */
struct ck_caller *ck_caller_create(const struct ck_step *step, struct ck_clock *known);

static inline struct ck_caller *ck_caller_retain(struct ck_caller *caller)
{
    caller->references++;
    return caller;
}

void ck_caller_release(struct ck_caller *caller); /* which may be NULL */

#endif
