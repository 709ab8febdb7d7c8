/* SPDX-License-Identifier: Apache-2.0
 *
 *     account TAKEN STEPS OTHERS MUCH
 *     STREAM NUMBER PLACE             each step that was taken
 *     AT                              each that conflicts: where it was taken, from 0
 *     before FIRST THEN               pairs of those, from 0
 *     conflict A B
 *     end
 */
#include "explore/account.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* More than these are no outcome of this library's. */
#define STEPS_MOST 65536u

/* ---- Writing ------------------------------------------------------------------------------- */

static void write_steps(FILE *file, const struct xp_outcome *outcome)
{
    size_t next = 0;
    for (size_t at = 0; at < outcome->taken.count && next < outcome->steps.count; at++) {
        if (!xp_same_name(&outcome->taken.items[at], &outcome->steps.items[next])) continue;
        fprintf(file, "%zu\n", at);
        next++;
    }
}

static void write_pairs(FILE *file, const struct xp_outcome *outcome)
{
    for (size_t i = 0; i < outcome->steps.count; i++)
        for (size_t j = 0; j < outcome->steps.count; j++) {
            if (xp_pairs_has(&outcome->before, i, j)) fprintf(file, "before %zu %zu\n", i, j);
            if (i < j && xp_pairs_has(&outcome->conflicts, i, j))
                fprintf(file, "conflict %zu %zu\n", i, j);
        }
}

bool xp_account_write(const char *path, const struct xp_outcome *outcome, bool much)
{
    FILE *file = fopen(path, "ae");
    if (!file) return false;
    fprintf(file, "account %zu %zu %" PRIu64 " %d\n", outcome->taken.count, outcome->steps.count,
            outcome->others, much);
    for (size_t i = 0; i < outcome->taken.count; i++) {
        const struct xp_name *name = &outcome->taken.items[i];
        fprintf(file, "%u %" PRIu64 " %u\n", name->stream, name->number, name->place);
    }
    write_steps(file, outcome);
    write_pairs(file, outcome);
    fputs("end\n", file);
    bool written = !ferror(file);
    return !fclose(file) && written;
}

/* ---- Reading ------------------------------------------------------------------------------- */

static enum xp_account read_taken(FILE *file, size_t count, struct xp_outcome *outcome)
{
    for (size_t i = 0; i < count; i++) {
        struct xp_name name;
        if (fscanf(file, "%u %" SCNu64 " %u", &name.stream, &name.number, &name.place) != 3)
            return XP_ACCOUNT_NONE;
        if (!xp_order_add(&outcome->taken, name)) return XP_ACCOUNT_SHORT;
    }
    return XP_ACCOUNT_READ;
}

static enum xp_account read_steps(FILE *file, size_t count, struct xp_outcome *outcome)
{
    for (size_t i = 0, at; i < count; i++) {
        if (fscanf(file, "%zu", &at) != 1 || at >= outcome->taken.count) return XP_ACCOUNT_NONE;
        if (!xp_order_add(&outcome->steps, outcome->taken.items[at])) return XP_ACCOUNT_SHORT;
    }
    bool fits = xp_pairs_init(&outcome->before, count) &&
                xp_pairs_init(&outcome->conflicts, count);
    return fits ? XP_ACCOUNT_READ : XP_ACCOUNT_SHORT;
}

static enum xp_account read_pairs(FILE *file, struct xp_outcome *outcome)
{
    const size_t count = outcome->steps.count;
    char word[16];
    size_t a, b;
    while (fscanf(file, "%15s", word) == 1 && strcmp(word, "end") != 0) {
        if (fscanf(file, "%zu %zu", &a, &b) != 2 || a >= count || b >= count)
            return XP_ACCOUNT_NONE;
        if (!strcmp(word, "before")) {
            xp_pairs_add(&outcome->before, a, b);
        } else {
            xp_pairs_add(&outcome->conflicts, a, b);
            xp_pairs_add(&outcome->conflicts, b, a);
        }
    }
    return strcmp(word, "end") ? XP_ACCOUNT_NONE : XP_ACCOUNT_READ;
}

static enum xp_account read_first(FILE *file, struct xp_outcome *outcome)
{
    size_t taken, steps;
    int much;
    if (fscanf(file, "account %zu %zu %" SCNu64 " %d", &taken, &steps, &outcome->others, &much) !=
            4 || steps > STEPS_MOST)
        return XP_ACCOUNT_NONE;
    enum xp_account read = much ? XP_ACCOUNT_MUCH : read_taken(file, taken, outcome);
    if (read == XP_ACCOUNT_READ) read = read_steps(file, steps, outcome);
    return read == XP_ACCOUNT_READ ? read_pairs(file, outcome) : read;
}

enum xp_account xp_account_read(const char *path, struct xp_outcome *outcome)
{
    char word[16];
    FILE *file = fopen(path, "re");
    *outcome = (struct xp_outcome){ .others = 0 };
    if (!file) return XP_ACCOUNT_NONE;
    enum xp_account read = read_first(file, outcome);
    if (read == XP_ACCOUNT_READ && fscanf(file, "%15s", word) == 1) outcome->others++;
    fclose(file);
    if (read != XP_ACCOUNT_READ) xp_outcome_fini(outcome);
    return read;
}
