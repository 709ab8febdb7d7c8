/* SPDX-License-Identifier: Apache-2.0
 *
 * A series of schedules shows what a missing wait can do: random programs, correct by construction,
 * that lack one wait, edge or synchronization which they need, are run under the schedules of
 * `rill run --schedules 30` until what they leave in memory is wrong.
 *
 *     RILL_RANDOM_PROGRAMS  how many; default 60
 *     RILL_RANDOM_SEED      the first one's number; then one program is enough
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend-sim/schedule/series.h"
#include "base/alloc.h"
#include "explore/account.h"
#include "explore/turns.h"
#include "explore/words.h"
#include "support/cmocka_all.h"
#include "support/watchdog.h"
#include "random/checked/damage.h"
#include "random/checked/draw.h"
#include "random/checked/needed.h"

/* Such programs have data races, and use memory that is not there: sanitizers stop them. */
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

#define PROGRAMS 60
#define SCHEDULES 30

/* Some damage needs an operation to run between two things that the host itself does, which no
 * order is given for. */
#define MISSES_ONE_OF 400
#define HANGS_AFTER 20 /* seconds */

static struct recorded program, less;
static struct promises promises;
static struct running running;
static struct contents contents, expected;
static char text[STEPS_MAX * 120];
static char trail[] = "/tmp/rill-damage-XXXXXX", account[sizeof trail + 8];

static unsigned long number_of(const char *name, unsigned long otherwise)
{
    const char *value = getenv(name);
    return value && *value ? strtoul(value, NULL, 10) : otherwise;
}

static unsigned long programs_wanted(void)
{
    unsigned long usual = getenv("RILL_RANDOM_SEED") ? 1 : PROGRAMS;
    unsigned long scale = number_of("RILL_TEST_SCALE", 1);
    if (usual > 1 && scale > 1) usual /= scale;
    return number_of("RILL_RANDOM_PROGRAMS", usual);
}

static void print_program(const struct recorded *what)
{
    recorded_print(what, text, sizeof text);
    fputs(text, stderr);
}

static void bark(void *data)
{
    (void)data;
    fprintf(stderr, "# nothing moves at step %d\n", running.turn);
    print_program(running.program);
}

/* ---- Running ----------------------------------------------------------------------------- */

/* Notes what the first run had to do. */
static void note_trail(struct series *series)
{
    char line[512];
    unsigned stream;
    unsigned long long call;
    FILE *file = fopen(trail, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        const char *at = strstr(line, " call ");
        if (sscanf(line, "step %u ", &stream) == 1 && at && sscanf(at, " call %llu", &call) == 1)
            sim_series_note(series, stream, call);
    }
    fclose(file);
}

/* Runs a program under a schedule of the series.  Returns NULL if it leaves what it should, else
 * what is wrong.  With one queue for all streams a correct program may hang. */
static const char *play(const struct recorded *what, const struct series *series, unsigned number)
{
    char spec[SERIES_SPEC_MAX];
    int memory;
    sim_series_write(series, number, spec);
    const struct running_options options = { .workers = what->workers, .schedule = spec };
    const char *failure = running_play(&running, what, &options, &contents);
    watchdog_pat();
    if (failure) return strcmp(spec, "serial") ? failure : NULL;
    return contents_differ(what, &contents, &expected, &memory) ? "it leaves other bytes" : NULL;
}

/* Adds the orders to a series that `rill run --schedules` adds: src/command/turns.c. */
static void add_orders(const struct recorded *what, struct series *series)
{
    const struct running_options options = { .workers = what->workers, .schedule = "order",
                                             .layers = "check" };
    struct xp_outcome outcome;
    struct xp_turn turns[SERIES_ORDERS_MOST];
    setenv("RILL_EXPLORE", account, 1);
    running_play(&running, what, &options, &contents);
    unsetenv("RILL_EXPLORE");
    watchdog_pat();
    enum xp_account read = xp_account_read(account, &outcome);
    unlink(account);
    if (read != XP_ACCOUNT_READ) return;
    size_t count = xp_turns_list(&outcome, turns, sim_series_room(series));
    for (size_t i = 0; i < count; i++) {
        const struct xp_name names[] = { turns[i].then, turns[i].first };
        char *words = xp_words_of(names, 2);
        assert_true(words && sim_series_add(series, words));
        rl_free(words);
    }
    xp_outcome_fini(&outcome);
}

/* Returns the number of the first schedule, from 1, that shows that the program is wrong, or 0. */
static unsigned first_damage(const struct recorded *what, const char **words)
{
    struct series series;
    sim_series_begin(&series, SCHEDULES);
    for (unsigned i = 0; i < SCHEDULES; i++) {
        if ((*words = play(what, &series, i))) return i + 1;
        if (i) continue;
        note_trail(&series);
        add_orders(what, &series);
    }
    return 0;
}

/* ---- Programs ---------------------------------------------------------------------------- */

/* Draws something that the program needs, and whose absence can be seen in what is left.  Returns
 * false if there is nothing like that. */
static bool draw_bug(uint64_t seed)
{
    static struct removal removals[REMOVALS_MAX];
    struct dice dice = { seed };
    draw_program(&program, seed);
    int count = removals_find(&program, removals);
    while (count) {
        int drawn = dice_below(&dice, count);
        removal_apply(&less, &program, removals[drawn]);
        promises_make(&promises, &less);
        contents_expect(&expected, &promises);
        if (damage_is_possible(&promises, &expected)) return true;
        removals[drawn] = removals[--count];
    }
    return false;
}

static void each_missing_wait_shows_damage(void **state)
{
    (void)state;
    unsigned long programs = programs_wanted(), missed = 0, found = 0, sum = 0, most = 0;
    if (SANITIZED) skip();
    for (uint64_t seed = number_of("RILL_RANDOM_SEED", 1); found + missed < programs; seed++) {
        const char *words;
        if (!draw_bug(seed)) continue;
        unsigned number = first_damage(&less, &words);
        found += number > 0;
        sum += number;
        if (number > most) most = number;
        if (number) continue;
        fprintf(stderr, "# RILL_RANDOM_SEED=%llu shows nothing\n", (unsigned long long)seed);
        if (!missed++) print_program(&less);
    }
    print_message("# damage shows in %lu of %lu programs, after %.2f schedules in the mean, "
                  "%lu at most\n", found, programs, found ? (double)sum / (double)found : 0, most);
    assert_true(missed * MISSES_ONE_OF <= programs);
}

static void correct_programs_pass(void **state)
{
    (void)state;
    unsigned long programs = programs_wanted() / 20 + 1;
    uint64_t first = number_of("RILL_RANDOM_SEED", 1);
    for (unsigned long i = 0; i < programs; i++) {
        const char *words;
        draw_program(&program, first + i);
        promises_make(&promises, &program);
        contents_expect(&expected, &promises);
        unsigned number = first_damage(&program, &words);
        if (!number) continue;
        print_program(&program);
        fail_msg("RILL_RANDOM_SEED=%llu under schedule %u: %s", (unsigned long long)(first + i),
                 number, words);
    }
}

static int start(void **state)
{
    (void)state;
    int file = mkstemp(trail);
    if (file < 0) return -1;
    close(file);
    snprintf(account, sizeof account, "%s.touched", trail);
    watchdog_start(HANGS_AFTER, bark, NULL);
    return setenv("RILL_SIM_SCHEDULE_TRAIL", trail, 1);
}

static int stop(void **state)
{
    (void)state;
    watchdog_stop();
    return unlink(trail);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_missing_wait_shows_damage),
        cmocka_unit_test(correct_programs_pass),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
