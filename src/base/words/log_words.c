/* SPDX-License-Identifier: Apache-2.0 */
#include "base/words/log_words.h"

#include <string.h>

#include "base/thread.h"

const char *const rl_log_words[] = { "errors", "faults", "images", "kernels", "unsupported", NULL };

static const char blanks[] = ", ";

static bool is_word(const char *text, size_t length, const char *word)
{
    return length == strlen(word) && !memcmp(text, word, length);
}

bool rl_log_has(const char *list, const char *word)
{
    for (size_t length; list && *(list += strspn(list, blanks)); list += length) {
        length = strcspn(list, blanks);
        if (is_word(list, length, word)) return true;
    }
    return false;
}

bool rl_log_wants(const char *word)
{
    return rl_log_has(rl_getenv("RILL_LOG"), word);
}

const char *rl_log_unknown(const char *list, size_t *length)
{
    for (; list && *(list += strspn(list, blanks)); list += *length) {
        size_t i = 0;
        *length = strcspn(list, blanks);
        while (rl_log_words[i] && !is_word(list, *length, rl_log_words[i])) i++;
        if (!rl_log_words[i]) return list;
    }
    return NULL;
}
