/* SPDX-License-Identifier: Apache-2.0
 *
 * Judges what one step touches: conflicts with what was done before, and what else is wrong.
 */
#ifndef CK_JUDGE_H
#define CK_JUDGE_H

#include "layer-check/access/log.h"

/* Judges what the operation of a step says.  Returns false if memory is short. */
bool ck_judge_step(const struct ck_court *court, const struct ck_log_entry *entry,
                   const struct ck_step *step, const rill_touched *rows, size_t count);

/* Judges what an entry knows of a step.  Returns false if memory is short. */
bool ck_judge_seen(const struct ck_court *court, const struct ck_log_entry *entry,
                   const struct ck_step *step, const struct ck_rows *rows);

#endif
