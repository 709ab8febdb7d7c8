/* SPDX-License-Identifier: Apache-2.0
 *
 * A finding as a line of JSON.
 */
#ifndef CK_JSON_H
#define CK_JSON_H

#include <rill/check.h>

#include "layer-check/report/text.h"

/* Puts the object but for its last members: how often the finding was met, and what it cost. */
void ck_put_json(struct ck_text *text, const rill_finding *finding);
void ck_put_json_end(struct ck_text *text, uint64_t count, uint64_t cost_ns);

/* Puts a string in quotes.  What is not UTF-8 becomes U+FFFD, byte by byte. */
void ck_put_json_string(struct ck_text *text, const char *string);

#endif
