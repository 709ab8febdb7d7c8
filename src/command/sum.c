/* SPDX-License-Identifier: Apache-2.0
 *
 * `rill explore --sum`: what the shards of an exploration found, put together.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "command/command.h"
#include "explore/report.h"
#include "explore/result.h"

static const char verb[] = "explore";

/* Missing shards beyond these are only counted. */
#define NAMED_MOST 8

struct sum {
    char **names;                 /* of the files                             */
    struct xp_result *results;
    size_t count;                 /* of those that were read                  */
    const struct xp_result *all;  /* one that knows all classes, or NULL      */
    uint64_t missing;             /* shards                                   */
    rill_explore_report report;
};

/* ---- Reading ------------------------------------------------------------------------------- */

/* Returns false after saying what is wrong. */
static bool read_file(struct sum *sum, size_t i)
{
    FILE *file = fopen(sum->names[i], "re");
    if (!file) {
        command_fail(0, verb, "%s cannot be read: %s", sum->names[i], strerror(errno));
        return false;
    }
    bool read = xp_result_read(file, &sum->results[i]);
    fclose(file);
    if (read) sum->count++;
    else command_fail(0, verb, "%s is no result of rill run --explore --result, or of one that did "
                      "not come to its end", sum->names[i]);
    return read;
}

static int by_shard(const void *a, const void *b)
{
    const struct xp_result *one = a, *other = b;
    return (one->shard > other->shard) - (one->shard < other->shard);
}

/* Tells whether two results are of one exploration; says what speaks against it. */
static bool belongs(const struct xp_result *a, const struct xp_result *b)
{
    if (strcmp(a->program, b->program) != 0)
        command_fail(0, verb, "shard %" PRIu64 " is of the program %s, and shard %" PRIu64 " of %s",
                     a->shard, a->program, b->shard, b->program);
    else if (a->shards != b->shards)
        command_fail(0, verb, "these are of different explorations: one has %" PRIu64
                     " shards, another one %" PRIu64, a->shards, b->shards);
    else if (a->all && b->all && (a->classes != b->classes || a->keys != b->keys))
        command_fail(0, verb, "shards %" PRIu64 " and %" PRIu64 " are of different classes, %"
                     PRIu64 " and %" PRIu64 ": the program did not do the same in both",
                     a->shard, b->shard, a->classes, b->classes);
    else
        return true;
    return false;
}

/* Returns false after saying why the results cannot be put together.  Has them sorted by shard. */
static bool compare_results(struct sum *sum)
{
    qsort(sum->results, sum->count, sizeof *sum->results, by_shard);
    for (size_t i = 0; i < sum->count && !sum->all; i++)
        if (sum->results[i].all) sum->all = &sum->results[i];
    for (size_t i = 0; i < sum->count; i++) {
        const struct xp_result *result = &sum->results[i];
        if (!belongs(&sum->results[0], result) || (sum->all && !belongs(sum->all, result)))
            return false;
        if (!i || result[-1].shard != result->shard) continue;
        command_fail(0, verb, "there are two results of shard %" PRIu64 " of %" PRIu64,
                     result->shard, result->shards);
        return false;
    }
    return true;
}

/* ---- Telling ------------------------------------------------------------------------------- */

static void add_results(struct sum *sum)
{
    rill_explore_report *report = &sum->report;
    for (size_t i = 0; i < sum->count; i++) {
        const struct xp_result *result = &sum->results[i];
        report->runs += result->runs;
        report->explored += result->explored;
        report->failed += result->failed;
        report->bounds |= (uint32_t)result->bounds;
        report->varies |= result->varies != 0;
        if (result->classes > report->classes) report->classes = result->classes;
    }
    sum->missing = sum->results[0].shards - sum->count;
    if (sum->all) report->classes = sum->all->classes;
    else if (report->classes < report->explored) report->classes = report->explored;
}

static void tell_failures(const struct sum *sum)
{
    for (size_t i = 0; i < sum->count; i++) {
        const struct xp_result *result = &sum->results[i];
        if (result->failed)
            printf("shard %" PRIu64 ": %s under --schedule %s\n", result->shard, result->end,
                   result->schedule);
    }
}

static void tell_missing(const struct sum *sum)
{
    uint64_t shard = 1, named = 0;
    if (!sum->missing) return;
    printf("missing: shard%s", sum->missing == 1 ? "" : "s");
    for (size_t i = 0; named < sum->missing && named < NAMED_MOST; shard++) {
        if (i < sum->count && sum->results[i].shard == shard) i++;
        else if (++named) printf(" %" PRIu64, shard);
    }
    if (named < sum->missing) printf(" and %" PRIu64 " more", sum->missing - named);
    putchar('\n');
}

/* Returns the status. */
static int tell_sum(struct sum *sum)
{
    rill_explore_report *report = &sum->report;
    add_results(sum);
    report->complete = sum->all && !sum->missing && !report->bounds &&
                       report->explored == report->classes;
    xp_report_words(report, sum->all != NULL);
    tell_failures(sum);
    tell_missing(sum);
    printf("%s (%zu of %" PRIu64 " shards)\n", report->words, sum->count, sum->results[0].shards);
    return report->complete && !report->failed ? COMMAND_DONE : COMMAND_FAILED;
}

/* ---- The command --------------------------------------------------------------------------- */

static int add_up(char **names, size_t count)
{
    struct sum sum = { .names = names, .results = rl_zalloc(count * sizeof *sum.results) };
    int status = COMMAND_MISUSED;
    if (!sum.results) return command_fail(status, verb, "out of memory");
    while (sum.count < count && read_file(&sum, sum.count)) continue;
    if (sum.count == count && compare_results(&sum)) status = tell_sum(&sum);
    for (size_t i = 0; i < sum.count; i++) xp_result_fini(&sum.results[i]);
    rl_free(sum.results);
    return status;
}

int command_sum(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";
    if (!strcmp(word, "--help") || !strcmp(word, "-h")) return command_help(verb);
    if (strcmp(word, "--sum") != 0)
        return command_fail(COMMAND_MISUSED, verb, "say --sum, and the files that the shards wrote "
                            "with --result; rill run --explore explores");
    if (argc < 3)
        return command_fail(COMMAND_MISUSED, verb, "--sum takes the files that the shards wrote "
                            "with --result");
    return add_up(argv + 2, (size_t)argc - 2);
}
