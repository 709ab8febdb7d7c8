/* SPDX-License-Identifier: Apache-2.0
 *
 * The words for the kinds of findings.
 */
#ifndef CK_KIND_H
#define CK_KIND_H

#include <rill/check.h>

#include <stdbool.h>
#include <stddef.h>

enum { CK_KINDS = RILL_FINDING_MANAGED + 1 }; /* counts the unused 0, too */

struct ck_kind {
    const char *word;       /* in reports and ids */
    const char *setting;    /* in $RILL_CHECK     */
    const char *one, *many; /* in the summary     */
};

/* By rill_finding_kind; there is none for 0. */
extern const struct ck_kind ck_kinds[CK_KINDS];

/* Finds the kind that a word of so many letters stands for, in reports or in settings.
 * Returns 0 if there is none. */
rill_finding_kind ck_kind_find(const char *word, size_t length);

#endif
