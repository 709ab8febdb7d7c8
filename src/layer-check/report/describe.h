/* SPDX-License-Identifier: Apache-2.0
 *
 * A finding in all the words that there are for it: from return addresses to source lines,
 * from what happened to a sentence, from what would mend it to advice.
 */
#ifndef CK_DESCRIBE_H
#define CK_DESCRIBE_H

#include <rill/check.h>

#include "layer-check/report/place.h"
#include "layer-check/report/report.h"
#include "layer-check/report/text.h"
#include "site/site.h"

enum { CK_WHAT_MAX = 240, CK_SENTENCE_MAX = 640 };

struct ck_description {
    rill_finding finding; /* points into what follows, and to the given texts */
    uint64_t identity;
    char id[CK_ID_MAX];
    char what[2][CK_WHAT_MAX]; /* with plain names */
    struct ck_text sentence, memory, advice;
    rill_finding_caller callers[2][CS_CALLERS_MAX];
};

/* How sites become sources: cs_find_source() and cs_find_callers(), or a test's own. */
typedef bool ck_find_source_fn(const void *site, struct cs_source *source);
typedef size_t ck_find_callers_fn(const void *site, struct cs_source *callers, size_t room);

struct ck_finder {
    ck_find_source_fn *source;
    ck_find_callers_fn *callers;
    size_t most; /* callers of each call */
};

/* Returns false if memory is short, and leaves nothing behind. */
bool ck_describe(struct ck_description *description, const struct ck_finding *finding,
                 const struct ck_finder *finder);
void ck_description_fini(struct ck_description *description);

#endif
