/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/report/settings.h"

#include <stdio.h>
#include <string.h>

#include "layer-check/report/kind.h"
#include "site/site.h"

enum { BY_DEFAULT = 1u << RILL_FINDING_RACE | 1u << RILL_FINDING_LIFETIME |
                    1u << RILL_FINDING_CAPTURE | 1u << RILL_FINDING_HANG };

/* ---- Values -------------------------------------------------------------------------- */

static bool read_number(int *number, const char *value, int most)
{
    size_t digits = strspn(value, "0123456789");
    if (!digits || value[digits] || digits > 5) return false;
    *number = 0;
    for (; *value; value++) *number = *number * 10 + (*value - '0');
    return *number <= most;
}

/* What stands before "=", what the value is, and where it goes. */
static const struct {
    const char *name, *takes;
    size_t at; /* offset */
    int most;  /* of a number, or 0 for a path */
} values[] = {
    { "exitcode", "a number from 0 to 255", offsetof(struct ck_settings, exitcode), 255 },
    { "stack", "a number from 0 to 15", offsetof(struct ck_settings, stack), CS_CALLERS_MAX },
    { "quarantine", "a number of MiB from 0 to 65536", offsetof(struct ck_settings, quarantine),
      65536 },
    { "log", "the name of a file", offsetof(struct ck_settings, log), 0 },
    { "json", "the name of a file", offsetof(struct ck_settings, json), 0 },
    { "suppressions", "the name of a file", offsetof(struct ck_settings, suppressions), 0 },
};

static bool read_value(struct ck_settings *settings, const char *word, size_t name, char *why)
{
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        if (strlen(values[i].name) != name || memcmp(values[i].name, word, name)) continue;
        const char *value = word + name + 1;
        char *to = (char *)settings + values[i].at;
        bool right = values[i].most ? read_number((int *)(void *)to, value, values[i].most)
                                    : *value != 0;
        if (right && !values[i].most) strcpy(to, value);
        if (!right)
            snprintf(why, CK_WHY_MAX, "$RILL_CHECK: %s takes %s, not \"%s\"", values[i].name,
                     values[i].takes, value);
        return right;
    }
    snprintf(why, CK_WHY_MAX, "$RILL_CHECK: there is no setting \"%.*s\"; there are stack=, "
             "exitcode=, quarantine=, log=, json= and suppressions=", (int)name, word);
    return false;
}

/* ---- Words --------------------------------------------------------------------------- */

static bool read_word(struct ck_settings *settings, const char *word, char *why)
{
    size_t length = strcspn(word, "=");
    if (word[length]) return read_value(settings, word, length, why);
    if (!strcmp(word, "unused")) {
        settings->list_unused = true;
        return true;
    }
    if (!strcmp(word, "unprotected") || !strcmp(word, "protected")) {
        settings->protection = *word == 'u' ? CK_PROTECT_NONE : CK_PROTECT_ALL;
        return true;
    }
    rill_finding_kind kind = ck_kind_find(word, length);
    settings->wanted |= 1u << kind;
    if (kind) return true;
    snprintf(why, CK_WHY_MAX, "$RILL_CHECK: there is no setting \"%s\"; there are race, life, "
             "capture, hang, init, leak, hints, kernel, managed, unused, protected, unprotected, "
             "stack=, exitcode=, quarantine=, log=, json= and suppressions=", word);
    return false;
}

/* Copies the next word without its backslashes.  Returns what follows it, or NULL if the
 * word is too long. */
static const char *take_word(const char *text, char word[CK_PATH_MAX])
{
    size_t length = 0;
    for (; *text && *text != ' ' && *text != '\t' && *text != '\n'; text++) {
        if (*text == '\\' && text[1]) text++;
        if (length + 1 == CK_PATH_MAX) return NULL;
        word[length++] = *text;
    }
    word[length] = 0;
    return text;
}

bool ck_settings_read(struct ck_settings *settings, const char *text, char why[CK_WHY_MAX])
{
    char word[CK_PATH_MAX];
    *settings = (struct ck_settings){ .wanted = 0 };
    for (text = text ? text : ""; *(text += strspn(text, " \t\n"));) {
        text = take_word(text, word);
        if (!text) {
            snprintf(why, CK_WHY_MAX, "$RILL_CHECK: a word is longer than %d bytes",
                     CK_PATH_MAX - 1);
            return false;
        }
        if (!read_word(settings, word, why)) return false;
    }
    if (!settings->wanted) settings->wanted = BY_DEFAULT;
    return true;
}
