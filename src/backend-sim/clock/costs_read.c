/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading a table of costs.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <rill/backend.h>

#include "backend-sim/clock/costs.h"
#include "base/alloc.h"

/* The longest text. */
#define TEXT_MOST ((size_t)1 << 20)

#define WORDS_MOST 6
#define WORD_MOST 256

/* A line in words. */
struct line {
    const char *argument, *text; /* which text it is a line of, and itself */
    unsigned number;             /* from 1 */
    int length;                  /* of the line, for messages */
    unsigned count;
    char words[WORDS_MOST][WORD_MOST];
};

static rill_status refuse_line(const struct line *line, const char *why)
{
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, line->argument, "%s, line %u: '%.*s': %s",
                             line->argument, line->number, line->length, line->text, why);
}

/* Splits a line, up to a comment, into words. */
static rill_status split_line(struct line *line)
{
    const char *at = line->text, *end = line->text + line->length;
    for (line->count = 0;; line->count++) {
        while (at < end && isspace((unsigned char)*at)) at++;
        if (at == end || *at == '#') return RILL_SUCCESS;
        const char *word = at;
        while (at < end && !isspace((unsigned char)*at) && *at != '#') at++;
        size_t length = (size_t)(at - word);
        if (line->count == WORDS_MOST) return refuse_line(line, "it has too many words");
        if (length >= WORD_MOST) return refuse_line(line, "a word is too long");
        memcpy(line->words[line->count], word, length);
        line->words[line->count][length] = '\0';
    }
}

/* ---- Numbers ------------------------------------------------------------------------- */

struct unit {
    const char *word;
    uint64_t factor;
};

static const struct unit times[] = {
    { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 }, { NULL, 0 },
};

static const struct unit rates[] = {
    { "B/s", 1 },      { "kB/s", 1000 },          { "MB/s", 1000000 },
    { "GB/s", 1000000000 }, { "TB/s", UINT64_C(1000000000000) },
    { "/s", 1 },       { "k/s", 1000 },           { "M/s", 1000000 },
    { "G/s", 1000000000 },  { "T/s", UINT64_C(1000000000000) }, { NULL, 0 },
};

/* Reads "12.5us": a decimal number and a unit, exactly.  Returns false if it is none. */
static bool read_quantity(const char *word, const struct unit *units, uint64_t *value)
{
    size_t digits = strspn(word, "0123456789"), more = 0;
    if (!digits) return false;
    const char *unit = word + digits;
    if (*unit == '.') unit += 1 + (more = strspn(unit + 1, "0123456789"));
    while (units->word && strcmp(units->word, unit)) units++;
    if (!units->word || digits > 12 || more > 9) return false;
    uint64_t number = 0, scale = units->factor;
    for (size_t i = 0; i < digits; i++) number = 10 * number + (uint64_t)(word[i] - '0');
    if (__builtin_mul_overflow(number, scale, value)) return false;
    for (size_t i = 0; i < more; i++) {
        uint64_t digit = (uint64_t)(word[digits + 1 + i] - '0');
        if (digit && scale % 10) return false; /* less than a nanosecond */
        scale /= 10;
        *value += digit * scale;
    }
    return *value <= UINT64_MAX / 8;
}

/* ---- Lines --------------------------------------------------------------------------- */

/* Reads "TIME", "TIME RATE" or "measured" from a word on. */
static rill_status read_cost(const struct line *line, unsigned from, struct cost *cost)
{
    struct cost read = { .ns = 0 };
    unsigned left = line->count - from;
    if (left == 1 && !strcmp(line->words[from], "measured")) {
        read.measured = true;
    } else if (left < 1 || left > 2 || !read_quantity(line->words[from], times, &read.ns)) {
        return refuse_line(line, "a cost is a time, such as 2us, and maybe a rate, such as "
                           "10GB/s or 1T/s; or the word measured");
    } else if (left == 2 && (!read_quantity(line->words[from + 1], rates, &read.rate) ||
                             !read.rate)) {
        return refuse_line(line, "a rate is a number above 0 and one of B/s, kB/s, MB/s, GB/s, "
                           "TB/s, or /s, k/s, M/s, G/s, T/s for instructions");
    }
    *cost = read;
    return RILL_SUCCESS;
}

/* Reads "kernel NAME COST". */
static rill_status read_kernel(struct costs *costs, const struct line *line)
{
    struct cost cost;
    struct kernel_cost *kernel = costs->kernels;
    rill_status status = read_cost(line, 2, &cost);
    if (status) return status;
    while (kernel && strcmp(kernel->name, line->words[1])) kernel = kernel->next;
    if (!kernel) {
        kernel = rl_zalloc(sizeof *kernel);
        if (!kernel) return RILL_ERROR_OUT_OF_MEMORY;
        kernel->name = rl_strdup(line->words[1]);
        if (!kernel->name) {
            rl_free(kernel);
            return RILL_ERROR_OUT_OF_MEMORY;
        }
        kernel->next = costs->kernels;
        costs->kernels = kernel;
    }
    kernel->cost = cost;
    return RILL_SUCCESS;
}

/* Reads "engines KIND COUNT". */
static rill_status read_engines(struct costs *costs, const struct line *line)
{
    unsigned count = 0;
    const char *number = line->count == 3 ? line->words[2] : "";
    for (; isdigit((unsigned char)*number) && count <= ENGINE_MOST; number++)
        count = 10 * count + (unsigned)(*number - '0');
    if (*number || !count || count > ENGINE_MOST)
        return refuse_line(line, "it has the form engines KIND COUNT, of 1 to 128");
    for (int kind = ENGINE_NONE + 1; kind < ENGINE_KINDS; kind++) {
        if (strcmp(sim_engine_words((enum engine_kind)kind), line->words[1])) continue;
        costs->engines[kind] = count;
        return RILL_SUCCESS;
    }
    return refuse_line(line, "there are engines host-to-device, device-to-host, "
                       "device-to-device, peer, kernels and host");
}

/* Reads "call TIME". */
static rill_status read_call(struct costs *costs, const struct line *line)
{
    if (line->count == 2 && read_quantity(line->words[1], times, &costs->call_ns))
        return RILL_SUCCESS;
    return refuse_line(line, "it has the form call TIME");
}

/* Returns how many words of the line are those of the kind, or 0. */
static unsigned words_of_kind(const struct line *line, enum demand_kind kind)
{
    const char *left = sim_demand_words(kind);
    for (unsigned i = 0; i < line->count; i++) {
        size_t length = strcspn(left, " ");
        if (strlen(line->words[i]) != length || memcmp(line->words[i], left, length)) return 0;
        left += length;
        if (!*left) return i + 1;
        left++;
    }
    return 0;
}

static rill_status read_line(struct costs *costs, const struct line *line)
{
    if (!line->count) return RILL_SUCCESS;
    if (!strcmp(line->words[0], "engines")) return read_engines(costs, line);
    if (!strcmp(line->words[0], "call")) return read_call(costs, line);
    if (!strcmp(line->words[0], "kernel") && line->count > 2 &&
        !isdigit((unsigned char)line->words[1][0]))
        return read_kernel(costs, line);
    for (int kind = DEMAND_NOTHING + 1; kind < DEMAND_KINDS; kind++) {
        unsigned words = words_of_kind(line, (enum demand_kind)kind);
        if (words) return read_cost(line, words, &costs->of[kind]);
    }
    if (!strcmp(line->words[0], "copy"))
        return refuse_line(line, "there are copy host-to-device and device-to-host, each pageable "
                           "or pinned, device-to-device, peer and host-to-host");
    return refuse_line(line, "a line begins with copy, fill, kernel, host, conditional, graph, "
                       "call or engines");
}

rill_status sim_costs_read(struct costs *costs, const char *text, const char *argument)
{
    struct line line = { .argument = argument };
    rill_status status = RILL_SUCCESS;
    while (*text && !status) {
        size_t length = strcspn(text, "\n");
        line.text = text;
        line.number++;
        line.length = length < 200 ? (int)length : 200;
        status = length < 4096 ? RILL_SUCCESS : refuse_line(&line, "it is too long");
        line.length = length < 4096 ? (int)length : 200;
        if (!status) status = split_line(&line);
        if (!status) status = read_line(costs, &line);
        text += length + (text[length] == '\n');
    }
    return status;
}

static rill_status refuse_file(const char *path, const char *argument, const char *why)
{
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, argument, "%s: %.128s cannot be read: %s",
                             argument, path, why);
}

rill_status sim_costs_read_file(struct costs *costs, const char *path, const char *argument)
{
    FILE *file = fopen(path, "re");
    if (!file) return refuse_file(path, argument, strerror(errno));
    char *text = rl_alloc(TEXT_MOST);
    size_t bytes = text ? fread(text, 1, TEXT_MOST, file) : 0;
    bool failed = ferror(file);
    fclose(file);
    rill_status status = RILL_ERROR_OUT_OF_MEMORY;
    if (text && failed) {
        status = refuse_file(path, argument, "it is no file that has text");
    } else if (text && bytes == TEXT_MOST) {
        status = refuse_file(path, argument, "it is larger than a megabyte");
    } else if (text) {
        text[bytes] = '\0';
        status = sim_costs_read(costs, text, argument);
    }
    rl_free(text);
    return status;
}
