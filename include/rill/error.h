/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/error.h>: what went wrong, in a sentence.
 */
#ifndef RILL_ERROR_H
#define RILL_ERROR_H

#include <rill/status.h>

#include <stdio.h>

RILL_BEGIN_DECLS

#define RILL_ERROR_MESSAGE_MAX 384
#define RILL_LABEL_MAX 64

/* Where a failure began, if that was not in the call that reports the failure: the
 * kernel that faulted, or the call that broke a capture. */
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

/* Returns the record of the calling thread's last failure.  Never returns NULL: the
 * status in the record is RILL_SUCCESS if no call has failed yet.  RILL_ERROR_NOT_READY
 * is an answer and leaves no record.  The record belongs to the thread and is
 * overwritten by the thread's next failure. */
RILL_API const rill_error *rill_last_error(void);

/* Clears the record of the calling thread's last failure. */
RILL_API void rill_clear_error(void);

/* Prints the record of the calling thread's last failure, for people: a line with call,
 * status and sentence, then one each for the argument, the object and the cause, as far as
 * they are known:
 *
 *     rill_stream_synchronize: RILL_ERROR_ILLEGAL_ADDRESS: the device failed: kernel 'fill', ...
 *       object: stream 'decode'
 *       cause: RILL_ERROR_ILLEGAL_ADDRESS in kernel 'fill' on stream 'decode', thread 4711
 *
 * Prints nothing if no call has failed.  `out` may be NULL, which is stderr. */
RILL_API void rill_error_print(FILE *out);

/* Writes the text that rill_error_print() prints, cut to `size` bytes with the end of the
 * string, and returns how long it is as a whole, without that end.  `text` may be NULL if
 * `size` is 0. */
RILL_API size_t rill_error_format(char *text, size_t size);

RILL_END_DECLS

#endif
