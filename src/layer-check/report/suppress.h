/* SPDX-License-Identifier: Apache-2.0
 *
 * Findings that nobody wants to see.
 *
 * A file of suppressions has one a line: an id ("race-7c1e04"), or a word, a colon and a
 * pattern of glob(7): "kind:hint", "file:vendor/...", "function:compute", "module:libfoo.so".
 * "#" begins a comment.  A pattern of files is matched with the path and with each end of
 * the path that follows a slash, and "*" stands for slashes, too.  Both ends of a finding
 * are looked at.
 */
#ifndef CK_SUPPRESS_H
#define CK_SUPPRESS_H

#include <rill/check.h>

#include <stdbool.h>

#include "layer-check/report/settings.h"

typedef bool ck_matches_fn(const char *pattern, const rill_finding *finding);

struct ck_suppression {
    struct ck_suppression *next; /* in the order of the file   */
    ck_matches_fn *matches;
    int line;
    bool used;                   /* by the session's lock      */
    const char *pattern;         /* in `words`                 */
    char words[];                /* the line, without comment  */
};

/* Reads a file of suppressions into a list, without one for "".  Returns false, with a
 * sentence that has file and line in `why`, if a line is wrong or the file cannot be read. */
bool ck_suppressions_read(struct ck_suppression **list, const char *path, char why[CK_WHY_MAX]);
void ck_suppressions_free(struct ck_suppression **list);

/* Returns a suppression of the finding, or NULL. */
struct ck_suppression *ck_suppressions_find(struct ck_suppression *list,
                                            const rill_finding *finding);

#endif
