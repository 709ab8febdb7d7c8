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

/* Puts all lines but the last, which has the id and how often the finding was met. */
void ck_put_block(struct ck_text *text, const rill_finding *finding);
void ck_put_block_end(struct ck_text *text, const char *id, uint64_t count);

#endif
