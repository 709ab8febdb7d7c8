/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/report/suppress.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "layer-check/report/kind.h"

/* ---- What matches ------------------------------------------------------------------------- */

static bool matches_id(const char *pattern, const rill_finding *finding)
{
    return !strcmp(pattern, finding->id);
}

static bool matches_kind(const char *pattern, const rill_finding *finding)
{
    return ck_kind_find(pattern, strlen(pattern)) == finding->kind;
}

static bool matches_text(const char *pattern, const char *text)
{
    return text && !fnmatch(pattern, text, 0);
}

static bool matches_path(const char *pattern, const char *path)
{
    while (path) {
        if (matches_text(pattern, path)) return true;
        path = strchr(path, '/');
        if (path) path++;
    }
    return false;
}

typedef bool matches_call_fn(const char *pattern, const rill_finding_caller *call);

/* Tells whether a call of one of the places matches, or a caller that is told. */
static bool matches_any_call(const char *pattern, const rill_finding *finding,
                             matches_call_fn *matches)
{
    for (size_t i = 0; i < finding->place_count; i++) {
        const rill_finding_place *place = &finding->place[i];
        const rill_finding_caller call = { place->file, place->line, place->function,
                                           place->module, place->offset };
        if (matches(pattern, &call)) return true;
        for (size_t at = 0; at < place->caller_count; at++)
            if (matches(pattern, &place->callers[at])) return true;
    }
    return false;
}

static bool is_in_file(const char *pattern, const rill_finding_caller *call)
{
    return matches_path(pattern, call->file);
}

static bool is_in_module(const char *pattern, const rill_finding_caller *call)
{
    return matches_path(pattern, call->module);
}

static bool is_in_function(const char *pattern, const rill_finding_caller *call)
{
    return matches_text(pattern, call->function);
}

static bool matches_file(const char *pattern, const rill_finding *finding)
{
    return matches_any_call(pattern, finding, is_in_file);
}

static bool matches_module(const char *pattern, const rill_finding *finding)
{
    return matches_any_call(pattern, finding, is_in_module);
}

static bool matches_function(const char *pattern, const rill_finding *finding)
{
    return matches_any_call(pattern, finding, is_in_function);
}

/* ---- Lines ---------------------------------------------------------------------------------- */

static const struct {
    const char *word;
    ck_matches_fn *matches;
} words[] = {
    { "kind", matches_kind },
    { "file", matches_file },
    { "function", matches_function },
    { "module", matches_module },
};

/* Tells whether these are letters of a kind, "-", and six hexadecimal digits. */
static bool is_id(const char *text)
{
    size_t kind = strcspn(text, "-");
    return text[kind] && ck_kind_find(text, kind) && strlen(text + kind + 1) == 6 &&
           strspn(text + kind + 1, "0123456789abcdef") == 6;
}

/* Returns what is wrong with the line, or NULL. */
static const char *read_rule(struct ck_suppression *rule)
{
    size_t length = strcspn(rule->words, ":");
    rule->pattern = rule->words;
    rule->matches = matches_id;
    if (!rule->words[length])
        return is_id(rule->words) ? NULL : "is neither an id, as \"race-7c1e04\", nor one of "
                                           "kind:, file:, function: and module: with a pattern";
    rule->pattern = rule->words + length + 1;
    rule->matches = NULL;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i].word) == length && !memcmp(words[i].word, rule->words, length))
            rule->matches = words[i].matches;
    if (!rule->matches) return "begins with none of kind:, file:, function: and module:";
    if (!*rule->pattern) return "has no pattern";
    if (rule->matches == matches_kind && !ck_kind_find(rule->pattern, strlen(rule->pattern)))
        return "names no kind; there are race, lifetime, capture, init, leak and hint";
    return NULL;
}

/* Cuts comment and blanks off. */
static char *strip_line(char *line)
{
    line[strcspn(line, "#\r\n")] = 0;
    line += strspn(line, " \t");
    size_t length = strlen(line);
    while (length && strchr(" \t", line[length - 1])) line[--length] = 0;
    return line;
}

/* Returns false after saying what is wrong. */
static bool add_line(struct ck_suppression ***end, char *line, int number, const char *path,
                     char *why)
{
    line = strip_line(line);
    if (!*line) return true;
    struct ck_suppression *rule = rl_zalloc(sizeof *rule + strlen(line) + 1);
    if (!rule) {
        snprintf(why, CK_WHY_MAX, "%s: there is no memory for suppressions", path);
        return false;
    }
    strcpy(rule->words, line);
    rule->line = number;
    **end = rule;
    *end = &rule->next;
    const char *wrong = read_rule(rule);
    if (wrong) snprintf(why, CK_WHY_MAX, "%s:%d: \"%.100s\" %s", path, number, line, wrong);
    return !wrong;
}

static bool read_lines(struct ck_suppression **list, FILE *file, const char *path, char *why)
{
    char line[CK_PATH_MAX];
    for (int number = 1; fgets(line, sizeof line, file); number++) {
        if (!strchr(line, '\n') && !feof(file)) {
            snprintf(why, CK_WHY_MAX, "%s:%d: the line is longer than %d bytes", path, number,
                     CK_PATH_MAX - 2);
            return false;
        }
        if (!add_line(&list, line, number, path, why)) return false;
    }
    if (!ferror(file)) return true;
    snprintf(why, CK_WHY_MAX, "%s: %s", path, strerror(errno));
    return false;
}

/* ---- Lists ---------------------------------------------------------------------------------- */

bool ck_suppressions_read(struct ck_suppression **list, const char *path, char why[CK_WHY_MAX])
{
    *list = NULL;
    if (!*path) return true;
    FILE *file = fopen(path, "re");
    if (!file) {
        snprintf(why, CK_WHY_MAX, "suppressions: %s: %s", path, strerror(errno));
        return false;
    }
    bool done = read_lines(list, file, path, why);
    fclose(file);
    if (!done) ck_suppressions_free(list);
    return done;
}

void ck_suppressions_free(struct ck_suppression **list)
{
    while (*list) {
        struct ck_suppression *rule = *list;
        *list = rule->next;
        rl_free(rule);
    }
}

struct ck_suppression *ck_suppressions_find(struct ck_suppression *list,
                                            const rill_finding *finding)
{
    for (; list; list = list->next)
        if (list->matches(list->pattern, finding)) return list;
    return NULL;
}
