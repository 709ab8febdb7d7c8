/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs the blocks in rounds, each block in a process of its own: a contender
 * starts fresh, and its sleeping threads are nobody else's.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

#define ATTEMPTS 3
#define BLOCKS_MAX 768
#define ENOUGH_ROUNDS 3 /* undisturbed ones */
#define HANG_SECONDS 120

/* ---- The child ------------------------------------------------------------------ */

/* What goes through the pipe: the version, then the samples to the end. */
static void write_all(int to, const void *data, size_t bytes)
{
    const char *at = data;
    while (bytes) {
        ssize_t wrote = write(to, at, bytes);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0) _exit(EXIT_FAILURE);
        at += wrote;
        bytes -= (size_t)wrote;
    }
}

static _Noreturn void run_child(const struct block *block, int to)
{
    struct recorder recorder = { .samples = NULL };
    alarm(HANG_SECONDS);
    record(&recorder, CALIBRATION, calibrate());
    int contender = (int)block->contender;
    if (!block->run) block->run_graph(&recorder, load_engine(contender), block->which);
    else if (contenders[contender].queues) run_queue_block(block, &recorder);
    else block->run(&recorder, NULL);
    record(&recorder, CALIBRATION, calibrate());
    char version[64] = "";
    if (recorder.version) snprintf(version, sizeof version, "%s", recorder.version);
    write_all(to, version, sizeof version);
    write_all(to, recorder.samples, recorder.count * sizeof *recorder.samples);
    _exit(EXIT_SUCCESS);
}

/* ---- One block --------------------------------------------------------------------- */

struct attempt {
    char version[64];
    struct sample *samples;
    size_t count;
    bool disturbed;
};

/* All that comes from a pipe; NULL without memory. */
static char *read_all(int from, size_t *bytes)
{
    size_t room = 1 << 16;
    char *text = malloc(room);
    *bytes = 0;
    while (text) {
        ssize_t got = read(from, text + *bytes, room - *bytes);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return text;
        *bytes += (size_t)got;
        if (*bytes < room) continue;
        char *larger = realloc(text, room *= 2);
        if (!larger) free(text);
        text = larger;
    }
    return NULL;
}

static double own_time(void)
{
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/* Whether the processor ran at one speed: the calibrations before and after. */
static bool uneven(const struct attempt *attempt)
{
    double low = 0, high = 0;
    for (size_t i = 0; i < attempt->count; i++) {
        const struct sample *sample = &attempt->samples[i];
        if (sample->metric != CALIBRATION) continue;
        if (low == 0 || sample->value < low) low = sample->value;
        if (sample->value > high) high = sample->value;
    }
    return high > 1.25 * low;
}

static bool try_block(const struct block *block, struct attempt *attempt)
{
    int ends[2];
    if (pipe(ends)) return false;
    double busy = 0, stolen = 0, busy_after = 0, stolen_after = 0, own = own_time();
    bool known = system_time(&busy, &stolen);
    uint64_t start = now_ns();
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        run_child(block, ends[1]);
    }
    close(ends[1]);
    size_t bytes = 0;
    char *text = child > 0 ? read_all(ends[0], &bytes) : NULL;
    close(ends[0]);
    int status = -1;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    double seconds = (double)(now_ns() - start) / 1e9;
    own = own_time() - own;
    if (!text || status != 0 || bytes < sizeof attempt->version) {
        free(text);
        return false;
    }
    memcpy(attempt->version, text, sizeof attempt->version);
    bytes -= sizeof attempt->version;
    memmove(text, text + sizeof attempt->version, bytes);
    attempt->samples = (struct sample *)(void *)text;
    attempt->count = bytes / sizeof *attempt->samples;
    attempt->disturbed = uneven(attempt);
    /* Ticks of the clock are coarse: two of them prove nothing. */
    if (known && system_time(&busy_after, &stolen_after))
        attempt->disturbed = attempt->disturbed ||
                             busy_after - busy - own > 0.05 * seconds + 0.03 ||
                             stolen_after - stolen > 0.05 * seconds + 0.02;
    return true;
}

/* ---- Rounds ------------------------------------------------------------------------ */

static bool keep(struct series *series, double value)
{
    if (series->count == series->room) {
        series->room = series->room ? series->room * 2 : 64;
        double *larger = realloc(series->values, series->room * sizeof *larger);
        if (!larger) return false;
        series->values = larger;
    }
    series->values[series->count++] = value;
    return true;
}

/* Adds the samples of one block to the series of this round. */
static bool take_over(struct series (*all)[CONTENDERS], enum contender contender, int round,
                      const struct attempt *attempt)
{
    size_t before[METRICS];
    for (int m = 0; m < METRICS; m++) before[m] = all[m][contender].count;
    for (size_t i = 0; i < attempt->count; i++) {
        const struct sample *sample = &attempt->samples[i];
        if (!keep(&all[sample->metric][contender], sample->value)) return false;
    }
    for (int m = 0; m < METRICS; m++) {
        struct series *series = &all[m][contender];
        if (series->count > before[m])
            series->rounds[round] =
                spread_of(series->values + before[m], series->count - before[m]).median;
    }
    return true;
}

/* A machine that is always busy makes no repetition better: there are at most as many
 * of them as blocks, and none once the time is over. */
static bool worth_another(const struct outcome *outcome, const struct attempt *attempt, int tries)
{
    return attempt->disturbed && tries + 1 < ATTEMPTS && !outcome->late &&
           outcome->repeated <= outcome->blocks;
}

static bool run_block(const struct block *block, struct outcome *outcome)
{
    struct attempt attempt;
    for (int tries = 0;; tries++) {
        if (!try_block(block, &attempt)) {
            fprintf(stderr, "rill-bench: %s of %s failed, or did not end\n", block->name,
                    contenders[block->contender].key);
            return false;
        }
        if (!worth_another(outcome, &attempt, tries)) break;
        free(attempt.samples);
        outcome->repeated++;
        pause_ns(100000000u);
    }
    outcome->blocks++;
    outcome->rough += attempt.disturbed;
    if (attempt.version[0])
        memcpy(outcome->versions[block->contender], attempt.version, sizeof attempt.version);
    bool kept = take_over(attempt.disturbed ? outcome->disturbed : outcome->series,
                          block->contender, outcome->rounds, &attempt);
    free(attempt.samples);
    return kept;
}

/* Where too few rounds were undisturbed, the others must do. */
static bool settle(struct outcome *outcome, int metric, int contender)
{
    struct series *series = &outcome->series[metric][contender];
    const struct series *others = &outcome->disturbed[metric][contender];
    int rounds = 0;
    for (int i = 0; i < outcome->rounds; i++) rounds += series->rounds[i] > 0;
    if (rounds >= ENOUGH_ROUNDS) return true;
    for (size_t i = 0; i < others->count; i++)
        if (!keep(series, others->values[i])) return false;
    for (int i = 0; i < outcome->rounds; i++)
        if (others->rounds[i] > 0) series->rounds[i] = others->rounds[i];
    return true;
}

void free_outcome(struct outcome *outcome)
{
    for (int m = 0; m < METRICS; m++)
        for (int c = 0; c < CONTENDERS; c++) {
            free(outcome->series[m][c].values);
            free(outcome->disturbed[m][c].values);
        }
}

/* ---- Order ------------------------------------------------------------------------- */

struct turn {
    const struct block *block;
    uint32_t question, place; /* random: of its name, and of its own */
};

static uint32_t stirred(uint32_t hash)
{
    hash = (hash ^ hash >> 16) * 0x7feb352du;
    hash = (hash ^ hash >> 15) * 0x846ca68bu;
    return hash ^ hash >> 16;
}

static int by_turn(const void *a, const void *b)
{
    const struct turn *x = a, *y = b;
    if (x->question != y->question) return x->question < y->question ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

/* Another order in each round.  The blocks of a question stay together, so that
 * their ratios are those of one time. */
static void shuffle(struct turn *turns, int count, uint32_t round)
{
    for (int i = 0; i < count; i++) {
        uint32_t hash = stirred(round + 1);
        for (const char *at = turns[i].block->name; *at; at++)
            hash = stirred(hash + (unsigned char)*at);
        turns[i].question = hash;
        turns[i].place = stirred(hash + (uint32_t)turns[i].block->contender * 64u +
                                 (uint32_t)turns[i].block->which);
    }
    qsort(turns, (size_t)count, sizeof *turns, by_turn);
}

static bool wanted(const struct plan *plan, const struct block *block)
{
    if (plan->alone && block->contender > RILL) return false;
    return !plan->only || strstr(block->name, plan->only) || block == serial_blocks;
}

static int collect(const struct block *list, const struct plan *plan, struct turn *turns,
                   int count)
{
    for (; list->name && count < BLOCKS_MAX; list++)
        if (wanted(plan, list)) turns[count++].block = list;
    return count;
}

bool run_rounds(const struct plan *plan, struct outcome *outcome)
{
    static struct turn turns[BLOCKS_MAX];
    int count = collect(serial_blocks, plan, turns, 0);
    count = collect(rill_blocks, plan, turns, count);
    count = collect(queue_blocks(), plan, turns, count);
    count = collect(graph_blocks(), plan, turns, count);
    int most = plan->rounds && plan->rounds < ROUNDS_MAX ? plan->rounds : ROUNDS_MAX;
    bool loud = !plan->quiet && isatty(STDERR_FILENO);
    double busy, stolen;
    outcome->checked = system_time(&busy, &stolen);
    uint64_t start = now_ns();
    double longest = 0;
    while (outcome->rounds < most) {
        outcome->seconds = (double)(now_ns() - start) / 1e9;
        if (outcome->rounds && outcome->seconds + longest > plan->seconds) break;
        shuffle(turns, count, (uint32_t)outcome->rounds);
        for (int i = 0; i < count; i++) {
            if (loud)
                fprintf(stderr, "\rround %d, block %d of %d ", outcome->rounds + 1, i + 1, count);
            outcome->late = (double)(now_ns() - start) / 1e9 > plan->seconds;
            if (!run_block(turns[i].block, outcome)) return false;
        }
        outcome->rounds++;
        double took = (double)(now_ns() - start) / 1e9 - outcome->seconds;
        if (took > longest) longest = took;
    }
    outcome->seconds = (double)(now_ns() - start) / 1e9;
    if (loud) fprintf(stderr, "\r%60s\r", "");
    bool settled = true;
    for (int m = 0; m < METRICS; m++)
        for (int c = 0; c < CONTENDERS; c++) settled = settled && settle(outcome, m, c);
    return settled;
}
