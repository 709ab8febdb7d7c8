/* SPDX-License-Identifier: Apache-2.0
 *
 * What a copy or fill makes the host wait for: what is promised of it, not what backends do
 * besides.
 */
#ifndef CK_WAITS_H
#define CK_WAITS_H

#include "layer-check/slots/checker.h"

enum ck_waits {
    CK_WAITS_NOT,    /* the call may return before anything is done          */
    CK_WAITS_BEFORE, /* for what comes before the operation, not for itself  */
    CK_WAITS_DONE    /* for the operation as well                            */
};

/* Describes the memory at an address as it is now: the log may be behind. */
rill_pointer_info ck_pointer_info(rill_context *context, rill_devptr address);

/* Returns what a synchronous copy or fill waits for, or one that is submitted to a stream. */
enum ck_waits ck_waits_of_call(rill_context *context, const rill_op *op);
enum ck_waits ck_waits_in_stream(rill_stream *stream, const rill_op *op);

/* Has the host know what it has waited for.  Requires checker->lock. */
void ck_waits_learn(struct ck_checker *checker, const struct ck_work *work, enum ck_waits waits);

#endif
