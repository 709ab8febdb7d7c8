/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/report/kind.h"

#include <string.h>

const struct ck_kind ck_kinds[CK_KINDS] = {
    [RILL_FINDING_RACE] = { "race", "race", "race", "races" },
    [RILL_FINDING_LIFETIME] = { "lifetime", "life", "lifetime", "lifetimes" },
    [RILL_FINDING_CAPTURE] = { "capture", "capture", "capture", "captures" },
    [RILL_FINDING_INIT] = { "init", "init", "uninitialized read", "uninitialized reads" },
    [RILL_FINDING_LEAK] = { "leak", "leak", "leak", "leaks" },
    [RILL_FINDING_HINT] = { "hint", "hints", "hint", "hints" },
    [RILL_FINDING_HANG] = { "hang", "hang", "hang", "hangs" },
    [RILL_FINDING_KERNEL] = { "kernel", "kernel", "mistake in a kernel", "mistakes in kernels" },
    [RILL_FINDING_MANAGED] = { "managed", "managed", "misuse of managed memory",
                               "misuses of managed memory" },
};

static bool is_word(const char *word, size_t length, const char *known)
{
    return strlen(known) == length && !memcmp(word, known, length);
}

rill_finding_kind ck_kind_find(const char *word, size_t length)
{
    for (int kind = 1; kind < CK_KINDS; kind++) {
        const struct ck_kind *row = &ck_kinds[kind];
        if (is_word(word, length, row->word) || is_word(word, length, row->setting))
            return (rill_finding_kind)kind;
    }
    return 0;
}
