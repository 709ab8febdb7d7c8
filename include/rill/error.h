/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/error.h>: what went wrong, in a sentence.
 */
#ifndef RILL_ERROR_H
#define RILL_ERROR_H

#include <rill/status.h>

RILL_BEGIN_DECLS

#define RILL_ERROR_MESSAGE_MAX 384
#define RILL_LABEL_MAX 64

/* Where a failure began, when that was not in the call that reports it: the
 * kernel that faulted, the call that broke a capture. */
typedef struct rill_error_cause {
    rill_status status;             /* RILL_SUCCESS: no earlier cause is known */
    char operation[RILL_LABEL_MAX]; /* the call or the operation               */
    char object[RILL_LABEL_MAX];    /* the stream, kernel or node it was on    */
    uint64_t thread;                /* the thread, as the system numbers it    */
    uint64_t time_ns;               /* the platform's clock                    */
} rill_error_cause;

typedef struct rill_error {
    rill_status status;
    const char *operation;               /* the call that failed                */
    const char *argument;                /* the argument at fault, or NULL      */
    char object[RILL_LABEL_MAX];         /* the object it was called on, by
                                            label or kind and number; may be "" */
    char message[RILL_ERROR_MESSAGE_MAX];/* one sentence                        */
    rill_error_cause cause;
} rill_error;

/* The calling thread's last failure; never NULL (status RILL_SUCCESS when none
 * failed yet).  RILL_ERROR_NOT_READY is an answer and leaves no record.  The
 * record is the thread's own and is overwritten by its next failure. */
RILL_API const rill_error *rill_last_error(void);

/* Forgets the calling thread's last failure. */
RILL_API void rill_clear_error(void);

RILL_END_DECLS

#endif
