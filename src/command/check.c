/* SPDX-License-Identifier: Apache-2.0
 *
 * `rill run --check`: the layer of that name, and its settings, by the environment.
 */
#include "command/command.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/words.h"
#include "layer-check/report/kind.h"
#include "layer-check/report/settings.h"
#include "layer-check/report/suppress.h"
#include "site/site.h"

static const char settings[] = "RILL_CHECK", layer[] = "check";

/* ---- Options -------------------------------------------------------------------------------- */

enum value_kind { NUMBER, FILE_TO_READ, FILE_TO_WRITE };

/* Those that take a value, and how the layer calls it. */
static const struct {
    const char *option, *setting;
    size_t at; /* in struct command_check */
    enum value_kind kind;
    int most; /* of a number */
} values[] = {
    { "--stack", "stack", offsetof(struct command_check, stack), NUMBER, CS_CALLERS_MAX },
    { "--error-exitcode", "exitcode", offsetof(struct command_check, exitcode), NUMBER, 255 },
    { "--log-file", "log", offsetof(struct command_check, log), FILE_TO_WRITE, 0 },
    { "--json-file", "json", offsetof(struct command_check, json), FILE_TO_WRITE, 0 },
    { "--suppressions", "suppressions", offsetof(struct command_check, suppressions),
      FILE_TO_READ, 0 },
};
enum { VALUES = sizeof values / sizeof *values };

static const char **value_at(struct command_check *check, size_t i)
{
    return (const char **)((char *)check + values[i].at);
}

bool command_read_check(struct command_check *check, int argc, char **argv, int *at)
{
    const char *word = argv[*at], *value;
    if (!strcmp(word, "--check")) {
        check->kinds = "";
        return true;
    }
    if (!strncmp(word, "--check=", 8)) {
        check->kinds = word + 8;
        if (!*check->kinds) check->kinds = ","; /* no word is a wrong one */
        return true;
    }
    if (!strcmp(word, "--hints")) {
        check->hints = word;
        return true;
    }
    for (size_t i = 0; i < VALUES; i++) {
        if (!(value = command_value(values[i].option, argc, argv, at))) continue;
        *value_at(check, i) = value;
        return true;
    }
    return false;
}

/* Returns an option that has no sense without --check, or NULL. */
static const char *idle_option(struct command_check *check)
{
    if (check->kinds) return NULL;
    if (check->hints) return check->hints;
    for (size_t i = 0; i < VALUES; i++)
        if (*value_at(check, i)) return values[i].option;
    return NULL;
}

static bool is_number(const char *text, int most)
{
    size_t digits = strspn(text, "0123456789");
    return digits && digits <= 3 && !text[digits] && atoi(text) <= most;
}

/* Returns false after saying what is wrong with a value. */
static bool check_values(struct command_check *check, const char *verb)
{
    for (size_t i = 0; i < VALUES; i++) {
        const char *value = *value_at(check, i), *option = values[i].option;
        if (!value) continue;
        if (values[i].kind == NUMBER && !is_number(value, values[i].most))
            command_fail(0, verb, "%s takes a number from 0 to %d, not \"%s\"", option,
                         values[i].most, value);
        else if (values[i].kind != NUMBER && !*value)
            command_fail(0, verb, "%s takes the name of a file", option);
        else if (values[i].kind == FILE_TO_WRITE && !command_is_writable(value))
            command_fail(0, verb, "%s: %s cannot be written: %s", option, value, strerror(errno));
        else
            continue;
        return false;
    }
    return true;
}

/* ---- Words for the layer --------------------------------------------------------------------- */

/* Puts the kinds between commas.  Returns false after saying which word is none. */
static bool put_kinds(struct command_words *words, const char *kinds, const char *verb)
{
    while (*kinds) {
        size_t length = strcspn(kinds, ",");
        rill_finding_kind kind = ck_kind_find(kinds, length);
        if (!kind) {
            command_fail(0, verb, "--check takes race, life, capture, hang, init, leak, hints, "
                         "kernel and managed with commas between, not \"%.*s\"", (int)length,
                         kinds);
            return false;
        }
        command_put_text(words, ck_kinds[kind].setting);
        command_put_letter(words, ' ');
        kinds += length;
        kinds += *kinds == ',' && kinds[1];
    }
    return true;
}

/* --hints adds to what is looked for without it. */
static void put_hints(struct command_words *words, const struct ck_settings *before)
{
    for (int kind = 1; kind < CK_KINDS; kind++) {
        if (!ck_wants(before, (rill_finding_kind)kind) && kind != RILL_FINDING_HINT) continue;
        command_put_text(words, ck_kinds[kind].setting);
        command_put_letter(words, ' ');
    }
}

static void put_values(struct command_words *words, struct command_check *check)
{
    for (size_t i = 0; i < VALUES; i++) {
        const char *value = *value_at(check, i);
        if (!value) continue;
        command_put_text(words, values[i].setting);
        command_put_letter(words, '=');
        if (values[i].kind == NUMBER)
            command_put_value(words, value);
        else
            command_put_file(words, value, values[i].kind == FILE_TO_WRITE);
        command_put_letter(words, ' ');
    }
}

/* ---- The environment ------------------------------------------------------------------------ */

/* Tells of wrong values and files now: the program would only learn that a call failed. */
static int try_settings(const char *text, const char *verb, int wrong)
{
    static struct ck_settings after;
    char why[CK_WHY_MAX];
    struct ck_suppression *list;
    if (!ck_settings_read(&after, text, why) ||
        !ck_suppressions_read(&list, after.suppressions, why))
        return command_fail(wrong, verb, "%s", why);
    ck_suppressions_free(&list);
    const char *files[] = { after.log, after.json };
    for (size_t i = 0; i < 2; i++)
        if (*files[i] && !command_is_writable(files[i]))
            return command_fail(wrong, verb, "$RILL_CHECK: %s cannot be written: %s", files[i],
                                strerror(errno));
    return COMMAND_DONE;
}

int command_set_check(const struct command_check *given, const char *verb, int wrong)
{
    static struct command_words words;
    static struct ck_settings before;
    struct command_check check = *given;
    const char *idle = idle_option(&check), *already = getenv(settings);
    char why[CK_WHY_MAX];
    if (idle) return command_fail(wrong, verb, "%s is for runs with --check", idle);
    if (!check.kinds)
        return command_has_layer(layer) ? try_settings(already, verb, wrong) : COMMAND_DONE;
    if (!check_values(&check, verb)) return wrong;
    if (!ck_settings_read(&before, already, why)) return command_fail(wrong, verb, "%s", why);
    if (already && *already) command_put_text(&words, already), command_put_letter(&words, ' ');
    if (!put_kinds(&words, check.kinds, verb)) return wrong;
    if (check.hints && *check.kinds) command_put_text(&words, "hints ");
    if (check.hints && !*check.kinds) put_hints(&words, &before);
    put_values(&words, &check);
    if (words.cut) return command_fail(wrong, verb, "the settings of --check are too long");
    int status = try_settings(words.text, verb, wrong);
    if (status) return status;
    if (setenv(settings, words.text, 1) || !command_add_layer(layer))
        return command_fail(wrong, verb, "out of memory");
    return COMMAND_DONE;
}
