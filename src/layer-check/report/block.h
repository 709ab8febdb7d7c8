/* SPDX-License-Identifier: Apache-2.0
 *
 * A finding as people read it: a block of lines.
 */
#ifndef CK_BLOCK_H
#define CK_BLOCK_H

#include <rill/check.h>

#include "layer-check/report/text.h"

/* What each line begins with. */
#define CK_PREFIX "==rill=="

/* Puts the lines that are the same in each run. */
void ck_put_block(struct ck_text *text, const rill_finding *finding);

/* Puts what it cost, if anything, then the id and how often the finding was met. */
void ck_put_block_end(struct ck_text *text, const char *id, uint64_t count, uint64_t cost_ns);

#endif
