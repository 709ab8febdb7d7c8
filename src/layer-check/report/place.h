/* SPDX-License-Identifier: Apache-2.0
 *
 * The places of a finding in words, and what of them stays from run to run.
 */
#ifndef CK_PLACE_H
#define CK_PLACE_H

#include <rill/check.h>

#include "layer-check/report/text.h"

/* Returns a path's last part. */
const char *ck_base_name(const char *path);

/* Put "pipeline.c:88" or "libfoo.so+0x12a4".  Return false if neither is known. */
bool ck_put_place(struct ck_text *text, const rill_finding_place *place);

bool ck_put_caller(struct ck_text *text, const rill_finding_caller *caller);

/* Returns a hash over what stays the same from run to run and from build to build: kind,
 * cause, names of operations, and base names of files with lines; or offsets in modules
 * where there is no debug information; or streams where there is no call site.  Callers that
 * are told count, too. */
uint64_t ck_identity(const rill_finding *finding, const char *cause);

/* Writes "race-7c1e04". */
enum { CK_ID_MAX = 24 };
void ck_write_id(char id[CK_ID_MAX], rill_finding_kind kind, uint64_t identity);

/* The hash: FNV-1a.  Each text counts with its end, so that "ab", "c" is not "a", "bc". */
uint64_t ck_hash_text(uint64_t hash, const char *text);
uint64_t ck_hash_number(uint64_t hash, uint64_t number);
#define CK_HASH_START 14695981039346656037u

#endif
