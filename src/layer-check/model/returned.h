/* SPDX-License-Identifier: Apache-2.0
 *
 * Nodes that copy from or to the stack of a function that has returned.
 */
#ifndef CK_RETURNED_H
#define CK_RETURNED_H

#include "layer-check/access/verdict.h"

/* Tells whether a launch that this thread makes may have such nodes: memory that they copy lies on
 * the thread's stack, and is no function's any more.  Without the lock. */
bool ck_returned_any(struct ck_work *launch);

/* Lists what is to be said of them.  Returns false if memory is short. */
bool ck_returned_tell(struct ck_work *launch, struct ck_verdicts *verdicts);

#endif
