/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory of pools that another stream has freed, with nothing promised between the two.
 *
 * The pool orders the reuse itself, so that it is correct.  Whether there is memory to reuse is
 * a matter of what happened to be done by then.
 */
#ifndef CK_REUSE_H
#define CK_REUSE_H

#include "layer-check/access/log.h"

/* Lists a hint if an allocation gets memory whose free is not promised to come before.  Called
 * before the allocation takes the place of what is there.  Returns false if memory is short. */
bool ck_reuse_tell(const struct ck_court *court, const struct ck_log_entry *entry);

#endif
