/* SPDX-License-Identifier: Apache-2.0
 *
 *     rill explored 1
 *     shard 2             each number, then each text, in the order of the tables
 *     ...
 *     schedule order:2.1,1.2
 *     end
 */
#include "explore/result.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static const char first[] = "rill explored 1\n", last[] = "end\n";

static const struct {
    const char *word;
    size_t at; /* in struct xp_result */
} numbers[] = {
    { "shard", offsetof(struct xp_result, shard) },
    { "shards", offsetof(struct xp_result, shards) },
    { "explored", offsetof(struct xp_result, explored) },
    { "classes", offsetof(struct xp_result, classes) },
    { "all", offsetof(struct xp_result, all) },
    { "keys", offsetof(struct xp_result, keys) },
    { "runs", offsetof(struct xp_result, runs) },
    { "failed", offsetof(struct xp_result, failed) },
    { "bounds", offsetof(struct xp_result, bounds) },
    { "varies", offsetof(struct xp_result, varies) },
}, texts[] = {
    { "program", offsetof(struct xp_result, program) },
    { "end", offsetof(struct xp_result, end) },
    { "schedule", offsetof(struct xp_result, schedule) },
};
enum { NUMBERS = sizeof numbers / sizeof *numbers, TEXTS = sizeof texts / sizeof *texts };

bool xp_result_write(FILE *file, const struct xp_result *result)
{
    fputs(first, file);
    for (int i = 0; i < NUMBERS; i++)
        fprintf(file, "%s %" PRIu64 "\n", numbers[i].word,
                *(const uint64_t *)((const char *)result + numbers[i].at));
    for (int i = 0; i < TEXTS; i++)
        fprintf(file, "%s %s\n", texts[i].word,
                *(const char *const *)((const char *)result + texts[i].at));
    fputs(last, file);
    return !fflush(file) && !ferror(file);
}

/* A line of the file, which getline() has made room for. */
struct line {
    char *text;
    size_t room;
};

/* Reads a line.  Returns what follows the word that it has to begin with, or NULL. */
static char *read_value(FILE *file, struct line *line, const char *word)
{
    const size_t length = strlen(word);
    ssize_t size = getline(&line->text, &line->room, file);
    if (size < 1 || line->text[size - 1] != '\n') return NULL;
    line->text[size - 1] = 0;
    bool fits = !strncmp(line->text, word, length) && line->text[length] == ' ';
    return fits ? line->text + length + 1 : NULL;
}

static bool read_number(const char *text, uint64_t *number)
{
    char *end;
    if (!text || *text < '0' || *text > '9') return false;
    *number = strtoull(text, &end, 10);
    return !*end;
}

static bool is_line(FILE *file, struct line *line, const char *wanted)
{
    return getline(&line->text, &line->room, file) > 0 && !strcmp(line->text, wanted);
}

static bool read_all(FILE *file, struct line *line, struct xp_result *result)
{
    bool fits = is_line(file, line, first);
    for (int i = 0; fits && i < NUMBERS; i++)
        fits = read_number(read_value(file, line, numbers[i].word),
                           (uint64_t *)((char *)result + numbers[i].at));
    for (int i = 0; fits && i < TEXTS; i++) {
        const char *value = read_value(file, line, texts[i].word);
        const char **text = (const char **)((char *)result + texts[i].at);
        fits = value && (*text = rl_strdup(value));
    }
    return fits && is_line(file, line, last) && result->shard &&
           result->shard <= result->shards && result->explored <= result->classes;
}

bool xp_result_read(FILE *file, struct xp_result *result)
{
    struct line line = { .text = NULL };
    *result = (struct xp_result){ .shard = 0 };
    bool read = read_all(file, &line, result);
    free(line.text); /* the C library's */
    if (!read) xp_result_fini(result);
    return read;
}

void xp_result_fini(struct xp_result *result)
{
    for (int i = 0; i < TEXTS; i++) {
        const char **text = (const char **)((char *)result + texts[i].at);
        rl_free((char *)(uintptr_t)*text);
        *text = NULL;
    }
}
