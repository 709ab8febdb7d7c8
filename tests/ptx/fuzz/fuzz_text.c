/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts to begin with, and what is done to them. */
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>

#include "ptx/kernels.h"
#include "ptx/torture.h"

#define MOST_BYTES 60000

struct text {
    char *bytes;
    size_t count;
};

static struct text corpus[2000];
static int corpus_count, seeds_at; /* the seeds come last */

/* ---- The corpus --------------------------------------------------------------------- */

static void corpus_add(const char *head, const char *text, size_t bytes)
{
    if (corpus_count == sizeof corpus / sizeof corpus[0]) return;
    size_t before = strlen(head);
    if (before + bytes > MOST_BYTES) return;
    struct text *to = &corpus[corpus_count++];
    to->count = before + bytes;
    to->bytes = malloc(to->count + 1);
    if (!to->bytes) abort();
    memcpy(to->bytes, head, before);
    memcpy(to->bytes + before, text, bytes);
    to->bytes[to->count] = '\0';
}

/* Each function of a text, with what stands before the first kernel, if that is not much;
 * it may miss what it calls. */
static void corpus_cut(const char *text)
{
    char head[8000] = ".version 8.6\n.target sm_90\n.address_size 64\n";
    const char *first = strstr(text, "\n.visible .entry");
    if (first && first - text < (ptrdiff_t)sizeof head - 2)
        snprintf(head, sizeof head, "%.*s\n", (int)(first - text), text);
    else
        first = text;
    text = first;
    for (const char *at = text, *end; (at = strchr(at, '.')); at = end) {
        end = at + 1;
        if (strncmp(at, ".visible", 8) && strncmp(at, ".func", 5) && strncmp(at, ".entry", 6) &&
            strncmp(at, ".global", 7) && strncmp(at, ".const", 6))
            continue;
        if (at > text && at[-1] != '\n') continue;
        const char *close = strstr(at, "\n}\n"), *semicolon = strstr(at, ";\n");
        const char *open = strchr(at, '{');
        if (semicolon && (!open || semicolon < open)) end = semicolon + 2;
        else if (close) end = close + 3;
        else return;
        corpus_add(head, at, (size_t)(end - at));
    }
}

static void corpus_read(const char *path)
{
    static char text[1 << 22];
    FILE *file = fopen(path, "r");
    if (!file) return;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    if (strstr(text, "\n.visible .entry")) corpus_cut(text);
}

/* The functions of the texts in a folder. */
static void corpus_read_all(const char *folder)
{
    char path[4096];
    DIR *open = opendir(folder);
    for (const struct dirent *entry; open && (entry = readdir(open));) {
        if (snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < (int)sizeof path)
            corpus_read(path);
    }
    if (open) closedir(open);
    if (!corpus_count) abort();
}

static void corpus_fill(void)
{
    const char *folder = getenv("RILL_FUZZ_TEXTS");
    if (folder) {
        corpus_read_all(folder);
        return;
    }
    static const char *const sources[] = { "arrays", "together", "language", "numbers", "waiting",
                                           "opencl" };
    for (unsigned i = 0; i < sizeof sources / sizeof sources[0]; i++)
        for (const char *const *way = kernel_ways; *way; way++) {
            char *text = kernel_text(sources[i], *way);
            if (!text) continue;
            corpus_cut(text);
            if (strlen(text) < MOST_BYTES) corpus_add("", text, strlen(text));
            free(text);
        }
    for (unsigned seed = 0; seed < 100; seed++) {
        struct torture torture;
        torture_make(&torture, seed, seed % 12);
        char *text = torture_text(&torture);
        corpus_add("", text, strlen(text));
        free(text);
    }
    seeds_at = corpus_count;
    for (int i = 0; fuzz_seeds[i]; i++) corpus_add("", fuzz_seeds[i], strlen(fuzz_seeds[i]));
}

/* ---- Mutations ---------------------------------------------------------------------- */

static struct text copy_text(const struct text *from)
{
    struct text to = { malloc(2 * MOST_BYTES + 4096), from->count };
    if (!to.bytes) abort();
    memcpy(to.bytes, from->bytes, from->count);
    return to;
}

/* Puts other bytes in place of `count` from `at` on. */
static void put(struct text *text, size_t at, size_t count, const char *bytes, size_t length)
{
    if (text->count - count + length > 2 * MOST_BYTES) return;
    memmove(text->bytes + at + length, text->bytes + at + count, text->count - at - count);
    memcpy(text->bytes + at, bytes, length);
    text->count += length - count;
}

static size_t below(struct dice *dice, size_t count)
{
    return count ? (size_t)(dice_next(dice) % count) : 0;
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '_' || c == '%' || c == '.' || c == '$';
}

/* A word from a random place on: where it begins and how long it is. */
static size_t word(const struct text *text, struct dice *dice, size_t *length)
{
    size_t at = below(dice, text->count);
    while (at < text->count && !is_word(text->bytes[at])) at++;
    while (at > 0 && is_word(text->bytes[at - 1])) at--;
    size_t end = at;
    while (end < text->count && is_word(text->bytes[end])) end++;
    *length = end - at;
    return at;
}

static size_t line(const struct text *text, struct dice *dice, size_t *length)
{
    size_t at = below(dice, text->count), end = at;
    while (at > 0 && text->bytes[at - 1] != '\n') at--;
    while (end < text->count && text->bytes[end] != '\n') end++;
    *length = end - at + (end < text->count);
    return at;
}

static void change_byte(struct text *text, struct dice *dice)
{
    if (!text->count) return;
    char *at = &text->bytes[below(dice, text->count)];
    if (dice_chance(dice, 50)) *at = (char)(*at ^ 1 << dice_below(dice, 8));
    else *at = dice_chance(dice, 80) ? (char)BETWEEN(dice, ' ', '~') : (char)dice_next(dice);
}

static void swap_words(struct text *text, struct dice *dice)
{
    size_t first_length, second_length;
    size_t first = word(text, dice, &first_length), second = word(text, dice, &second_length);
    if (second < first + first_length || first_length > 100 || second_length > 100) return;
    char kept[100];
    memcpy(kept, text->bytes + first, first_length);
    char other[100];
    memcpy(other, text->bytes + second, second_length);
    put(text, second, second_length, kept, first_length);
    put(text, first, first_length, other, second_length);
}

static void change_word(struct text *text, struct dice *dice)
{
    static const char *const words[] = {
        "0", "1", "-1", "31", "32", "64", "255", "65536", "0x7fffffff", "4294967295", "4294967296",
        "0xffffffffffffffff", "18446744073709551616", "99999999999999999999999",
        "-9223372036854775808",
        "0f7f800000", "0d7ff8000000000000", "0f", "1.5e400", ".u8", ".u16", ".b32", ".s64", ".f32",
        ".f64", ".f16x2", ".bf16", ".b128", ".pred", ".v2", ".v4", ".v8", ".shared", ".local",
        ".const",
        ".param", ".global", ".sync", ".cta", ".sys", ".wide", ".hi", ".sat", ".ftz", ".rn", ".rzi",
        "bra", "call", "ret", "exit", "bar.sync", "brx.idx", "ld.global.v4.u32",
        "atom.global.add.u32",
        "shfl.sync.bfly.b32", "vprintf", "malloc", "%r1", "%rd1", "%p1", "%f1", "%tid.x",
        "%clock64",
        "_", "{", "}", "(", ")", "[", "]", ";", ",", ":", "@%p1", "@!", "+", "-", "*", "/", "<",
        "<99999>",
        "generic(", "/*", "//", "\"", "\\", ".reg", ".entry", ".func", ".visible .entry", ".extern",
        ".align 16", ".align 3", "L0", "L1:", ".branchtargets", ".callprototype", ".section",
        ".loc 1 1 1",
        "(1/0)", "((((((((((", "!!!!!!", "-----1", "1<<63", "1?2:3", "(.u64)1", "WARP_SZ",
        ".pragma \"x\";",
        "\n", "\t", " ",
    };
    size_t length, at = word(text, dice, &length);
    const char *by = words[below(dice, sizeof words / sizeof words[0])];
    put(text, at, dice_chance(dice, 70) ? length : 0, by, strlen(by));
}

enum kin { REGISTER, NUMBER, MODIFIER, INSTRUCTION, NAME };

static enum kin kin_of(const char *word, size_t length)
{
    if (*word == '%') return REGISTER;
    if (*word >= '0' && *word <= '9') return NUMBER;
    if (*word == '.') return MODIFIER;
    return memchr(word, '.', length) ? INSTRUCTION : NAME;
}

/* A word becomes another of its kind: most such texts are still PTX. */
static void change_kin(struct text *text, struct dice *dice)
{
    size_t length, at = word(text, dice, &length), other_length;
    char kept[100];
    for (int tries = 0; tries < 20 && length > 1; tries++) {
        size_t other = word(text, dice, &other_length);
        const char *a = text->bytes + at, *b = text->bytes + other;
        if (!other_length || other_length > sizeof kept) continue;
        if (kin_of(a, length) != kin_of(b, other_length)) continue;
        if (kin_of(a, length) == REGISTER && a[1] != b[1]) continue;
        memcpy(kept, b, other_length);
        put(text, at, length, kept, other_length);
        return;
    }
}

static void change_number(struct text *text, struct dice *dice)
{
    static const char *const numbers[] = { "0", "1", "2", "4", "7", "8", "16", "31", "32", "63",
                                           "64", "255", "65536", "0x7fffffff", "4294967295",
                                           "0xffffffffffffffff", "0f7F800000" };
    for (int tries = 0; tries < 20; tries++) {
        size_t length, at = word(text, dice, &length);
        if (!length || kin_of(text->bytes + at, length) != NUMBER) continue;
        const char *by = numbers[dice_below(dice, 17)];
        put(text, at, length, by, strlen(by));
        return;
    }
}

/* A word of another place, another text. */
static void borrow_word(struct text *text, struct dice *dice)
{
    const struct text *other = dice_chance(dice, 50) ? text
                                                     : &corpus[dice_below(dice, corpus_count)];
    size_t length, from_length, from = word(other, dice, &from_length);
    char kept[200];
    if (from_length > sizeof kept) return;
    memcpy(kept, other->bytes + from, from_length);
    size_t at = word(text, dice, &length);
    put(text, at, length, kept, from_length);
}

static void borrow_lines(struct text *text, struct dice *dice)
{
    const struct text *other = &corpus[dice_below(dice, corpus_count)];
    size_t length, at = line(text, dice, &length);
    size_t from_length, from = line(other, dice, &from_length);
    size_t more = below(dice, 400);
    from_length = from + from_length + more < other->count ? from_length + more : from_length;
    put(text, at, 0, other->bytes + from, from_length);
}

static void repeat_line(struct text *text, struct dice *dice)
{
    size_t length, at = line(text, dice, &length), to_length, to = line(text, dice, &to_length);
    char kept[400];
    if (length > sizeof kept) return;
    memcpy(kept, text->bytes + at, length);
    for (int times = dice_chance(dice, 5) ? 60 : 1; times-- > 0;)
        put(text, to, 0, kept, length);
}

static void drop_lines(struct text *text, struct dice *dice)
{
    size_t length, at = line(text, dice, &length);
    put(text, at, length, "", 0);
}

static void cut(struct text *text, struct dice *dice)
{
    if (dice_chance(dice, 20)) text->count = below(dice, text->count + 1);
    else if (text->count) put(text, below(dice, text->count), 1, "", 0);
}

static const struct text *choose_text(uint64_t number, struct dice *dice)
{
    const int first = number >= FUZZ_SEEDS_ALONE ? seeds_at : 0;
    return &corpus[first + dice_below(dice, corpus_count - first)];
}

char *fuzz_text(uint64_t number, size_t *bytes)
{
    static void (*const mutations[])(struct text *text, struct dice *dice) = {
        change_byte, swap_words, change_word, borrow_word, borrow_lines, repeat_line, repeat_line,
        drop_lines, drop_lines, cut, change_kin, change_kin, change_kin, change_kin, change_kin,
        change_kin, change_number, change_number,
    };
    if (!corpus_count) corpus_fill();
    struct dice dice = { number };
    dice_next(&dice);
    struct text text = copy_text(choose_text(number, &dice));
    for (int count = dice_chance(&dice, 70) ? 1 : dice_below(&dice, 8); count > 0; count--)
        mutations[dice_below(&dice, sizeof mutations / sizeof mutations[0])](&text, &dice);
    char *exact = malloc(text.count + 1);
    if (!exact) abort();
    memcpy(exact, text.bytes, text.count);
    exact[text.count] = '\0';
    free(text.bytes);
    *bytes = text.count;
    return exact;
}
