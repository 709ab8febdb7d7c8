/* SPDX-License-Identifier: Apache-2.0
 *
 * What the checker says of a recorded program, and whether that is so.
 */
#ifndef CHECKED_FINDINGS_H
#define CHECKED_FINDINGS_H

#include "random/checked/running.h"

enum { FINDINGS_MAX = 64 };

/* One of the two ends, as far as it tells which act it is. */
struct found_place {
    uint64_t stream, number, node;
    char what[48];
};

struct found {
    rill_finding_kind kind;
    rill_mend mend;
    int places;
    bool assumed;
    struct found_place place[2];
    char sentence[160], advice[160];
};

struct findings {
    int count; /* all of them; the first FINDINGS_MAX are kept */
    struct found found[FINDINGS_MAX];
};

/* A rill_finding_fn; hints and leaks do not count. */
void findings_take(void *findings, const rill_finding *finding);

/* The two acts that a finding names, the later one first, if they race. */
bool finding_names(const struct found *found, const struct running *running,
                   const struct promises *promises, int acts[2]);

/* Puts the mend of a finding, for the acts that it names, into the program.  Returns
 * false if there is none that could be put in. */
bool mend_apply(struct recorded *program, const struct promises *promises, rill_mend mend,
                const int acts[2]);

/* The mend of two acts that race. */
rill_mend mend_of(const struct promises *promises, const int acts[2]);

/* Writes a finding as text.  Returns the length. */
size_t finding_print(const struct found *found, char *text, size_t room);

#endif
