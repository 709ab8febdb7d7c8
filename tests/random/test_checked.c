/* SPDX-License-Identifier: Apache-2.0
 *
 * Random programs that judge the checker: each is correct by construction, and then
 * lacks one wait, edge or synchronization that it needs.
 *
 *     RILL_RANDOM_PROGRAMS  how many; default 300
 *     RILL_RANDOM_SEED      the first one's number; then one program is enough
 *     RILL_RANDOM_VERBOSE   prints all that fail, instead of the first of each kind
 *
 * Without the layer `check` the programs only run, and the reckoning of their order is
 * held against what the simulator does.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/cmocka_all.h"
#include "support/watchdog.h"
#include "random/checked/draw.h"
#include "random/checked/findings.h"
#include "random/checked/needed.h"

#define PROGRAMS 300
#define HANGS_AFTER 20 /* seconds */
#define MENDS_MAX 12

/* Under ThreadSanitizer a program with a race cannot run, and under AddressSanitizer none
 * that uses memory which is not there. */
#ifdef __SANITIZE_THREAD__
enum { TELLS_RACES = 1 };
#else
enum { TELLS_RACES = 0 };
#endif
#ifdef __SANITIZE_ADDRESS__
enum { TELLS_LIFETIMES = 1 };
#else
enum { TELLS_LIFETIMES = 0 };
#endif

static struct recorded program;
static struct promises promises;
static struct running running;
static struct contents contents, expected;
static struct findings findings;
static char text[STEPS_MAX * 120];

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

static bool layer_is_there(void)
{
    return rill_check_report;
}

static void print_program(const struct recorded *what)
{
    recorded_print(what, text, sizeof text);
    fputs(text, stderr);
}

static void print_findings(void)
{
    for (int i = 0; i < findings.count && i < FINDINGS_MAX; i++) {
        finding_print(&findings.found[i], text, sizeof text);
        fputs(text, stderr);
    }
}

static void bark(void *data)
{
    (void)data;
    fprintf(stderr, "# nothing moves at step %d\n", running.turn);
    print_program(running.program);
}

/* ---- Running ----------------------------------------------------------------------------- */

static const char *play(const struct recorded *what)
{
    const struct running_options options = { .workers = what->workers, .observed = true };
    const char *failure = running_play(&running, what, &options, &contents);
    watchdog_pat();
    return failure;
}

static const char *play_checked(const struct recorded *what, bool plain)
{
    const struct running_options options = { .workers = what->workers, .layers = "check",
                                             .plain = plain, .report = findings_take,
                                             .report_data = &findings };
    memset(&findings, 0, sizeof findings);
    const char *failure = running_play(&running, what, &options, &contents);
    watchdog_pat();
    return failure;
}

/* ---- Correct programs -------------------------------------------------------------------- */

/* What is wrong with a correct program that ran without the layer, or NULL. */
static const char *fault_of(const struct recorded *what)
{
    static char words[256];
    int one, other;
    promises_make(&promises, what);
    if (!promises.valid) return "is no program";
    if (promises_races(&promises, &one, &other)) {
        snprintf(words, sizeof words, "has a race of steps %d and %d", promises.act[one].step,
                 promises.act[other].step);
        return words;
    }
    const char *failure = play(what);
    if (failure) return failure;
    if (running_broke_promise(&running, &promises, &one, &other)) {
        snprintf(words, sizeof words, "ran step %d before step %d", other, one);
        return words;
    }
    contents_expect(&expected, &promises);
    if (!contents_differ(what, &contents, &expected, &one)) return NULL;
    snprintf(words, sizeof words, "has other bytes in M%d", one);
    return words;
}

static bool is_faulty(const struct recorded *what, void *data)
{
    int one, other;
    (void)data;
    promises_make(&promises, what);
    return !promises_races(&promises, &one, &other) && fault_of(what);
}

/* Everything that conflicts is ordered, so that any schedule gives what the order of
 * submission gives; and the simulator keeps the promises that were reckoned. */
static void correct_programs_give_one_result(void **state)
{
    (void)state;
    unsigned long programs = programs_wanted();
    uint64_t first = number_of("RILL_RANDOM_SEED", 1);
    for (unsigned long i = 0; i < programs; i++) {
        draw_program(&program, first + i);
        const char *fault = fault_of(&program);
        if (!fault) continue;
        fprintf(stderr, "# program %llu %s\n", (unsigned long long)(first + i), fault);
        print_program(&program);
        recorded_shrink(&program, is_faulty, NULL);
        fprintf(stderr, "# less of it:\n");
        print_program(&program);
        fault = fault_of(&program);
        fail_msg("RILL_RANDOM_SEED=%llu: %s", (unsigned long long)(first + i), fault ? fault : "");
    }
}

static bool is_reported(const struct recorded *what, void *data)
{
    (void)data;
    promises_make(&promises, what);
    int one, other;
    return !promises_races(&promises, &one, &other) && !play_checked(what, true) && findings.count;
}

/* The checker says nothing of correct programs. */
static void correct_programs_are_not_reported(void **state)
{
    (void)state;
    unsigned long programs = programs_wanted(), reported = 0;
    if (!layer_is_there()) skip();
    uint64_t first = number_of("RILL_RANDOM_SEED", 1);
    for (unsigned long i = 0; i < programs; i++) {
        draw_program(&program, first + i);
        const char *failure = play_checked(&program, true);
        if (failure) fail_msg("program %llu: %s", (unsigned long long)(first + i), failure);
        if (!findings.count || (reported++ && !getenv("RILL_RANDOM_VERBOSE"))) continue;
        fprintf(stderr, "# program %llu is correct:\n", (unsigned long long)(first + i));
        recorded_shrink(&program, is_reported, NULL);
        print_program(&program);
        play_checked(&program, true);
        print_findings();
    }
    if (reported) fail_msg("%lu of %lu correct programs reported", reported, programs);
}

/* ---- Programs with a bug ----------------------------------------------------------------- */

/* What became of the programs with a bug. */
struct tally {
    unsigned long programs, damaged, missed, misnamed, mended, unmended, mends;
};

static bool comes_and_goes(const struct touch *touch)
{
    return program.memory[touch->memory].kind >= MEMORY_POOL;
}

/* Whether the races are about memory that comes and goes.  The simulator finds some of them
 * itself: the device fails. */
static bool is_of_lifetime(void)
{
    for (int b = 0; b < promises.acts; b++)
        for (int a = 0; a < b; a++)
            for (int i = 0; acts_race(&promises, a, b) && i < promises.act[b].touches.count; i++)
                if (comes_and_goes(&promises.act[b].touches.touch[i])) return true;
    return false;
}

/* Draws something that the program needs, and leaves *less without it. */
static bool draw_bug(struct recorded *less, const struct recorded *whole)
{
    static struct removal removals[REMOVALS_MAX];
    struct dice dice = { whole->seed };
    int count = removals_find(whole, removals);
    if (!count) return false;
    removal_apply(less, whole, removals[dice_below(&dice, count)]);
    promises_make(&promises, less);
    return !TELLS_RACES && (!TELLS_LIFETIMES || !is_of_lifetime());
}

/* How often a missing wait shows without the checker: for information. */
static void programs_with_bugs_run(void **state)
{
    (void)state;
    static struct recorded less;
    struct tally tally = { 0 };
    unsigned long programs = programs_wanted();
    uint64_t first = number_of("RILL_RANDOM_SEED", 1);
    for (unsigned long i = 0; i < programs; i++) {
        int memory;
        draw_program(&program, first + i);
        if (!draw_bug(&less, &program)) continue;
        contents_expect(&expected, &promises);
        const char *failure = play(&less);
        tally.programs++;
        tally.damaged += failure || contents_differ(&less, &contents, &expected, &memory);
        if (!failure || is_of_lifetime()) continue;
        print_program(&less);
        fail_msg("program %llu with a bug: %s", (unsigned long long)(first + i), failure);
    }
    print_message("# %lu programs with a bug, damage shows in %lu\n", tally.programs,
                  tally.damaged);
}

/* What a checker that knows all would advise mends each bug: so much for the mends. */
static void right_mends_mend(void **state)
{
    (void)state;
    static struct recorded less;
    unsigned long programs = programs_wanted();
    uint64_t first = number_of("RILL_RANDOM_SEED", 1);
    for (unsigned long i = 0; i < programs; i++) {
        int acts[2], mends = 0;
        draw_program(&program, first + i);
        if (!draw_bug(&less, &program)) continue;
        while (promises_races(&promises, &acts[1], &acts[0]) && mends++ < MENDS_MAX) {
            if (!mend_apply(&less, &promises, mend_of(&promises, acts), acts)) break;
            promises_make(&promises, &less);
        }
        const char *fault = fault_of(&less);
        if (!fault) continue;
        print_program(&less);
        fail_msg("program %llu, mended %d times, %s", (unsigned long long)less.seed, mends, fault);
    }
}

/* Applies what the findings advise, until there are none.  Requires that the program
 * ran last. */
static bool mend(struct recorded *less, struct tally *tally)
{
    bool failed = false;
    for (int mends = 0; mends < MENDS_MAX; mends++) {
        bool applied = false;
        int acts[2];
        if (!findings.count) return !failed;
        for (int i = 0; i < findings.count && i < FINDINGS_MAX && !applied; i++)
            if (finding_names(&findings.found[i], &running, &promises, acts))
                applied = mend_apply(less, &promises, findings.found[i].mend, acts);
        if (!applied) return false;
        tally->mends++;
        promises_make(&promises, less);
        if (!promises.valid) return false;
        failed = play_checked(less, false);
    }
    return !findings.count && !failed;
}

static void print_races(void)
{
    for (int b = 0; b < promises.acts; b++) {
        for (int a = 0; a < b; a++) {
            const struct act *one = &promises.act[a], *other = &promises.act[b];
            if (acts_race(&promises, a, b))
                fprintf(stderr, "# steps %d (node %d) and %d (node %d) race\n", one->step,
                        one->node + 1, other->step, other->node + 1);
        }
    }
}

/* Prints the first program of each kind of failure. */
static void complain(const char *what, const struct recorded *less, unsigned long earlier)
{
    if (earlier && !getenv("RILL_RANDOM_VERBOSE")) return;
    fprintf(stderr, "# program %llu %s\n", (unsigned long long)less->seed, what);
    print_races();
    print_program(less);
    print_findings();
}

static bool is_missed(const struct recorded *what, void *data)
{
    (void)data;
    int one, other;
    promises_make(&promises, what);
    return promises_races(&promises, &one, &other) && !play_checked(what, false) && !findings.count;
}

static void complain_of_miss(struct recorded *less, unsigned long earlier)
{
    if (earlier && !getenv("RILL_RANDOM_VERBOSE")) return;
    recorded_shrink(less, is_missed, NULL);
    if (is_missed(less, NULL)) print_message("# it is not found again:\n");
    complain("has a bug that is not found", less, earlier);
}

static void judge_bug(struct recorded *less, struct tally *tally)
{
    int acts[2];
    bool named = false;
    const char *failure = play_checked(less, false);
    if (failure && !is_of_lifetime())
        fail_msg("program %llu with a bug: %s", (unsigned long long)less->seed, failure);
    tally->programs++;
    for (int i = 0; i < findings.count && i < FINDINGS_MAX; i++)
        named = named || finding_names(&findings.found[i], &running, &promises, acts);
    if (!findings.count) complain_of_miss(less, tally->missed++);
    else if (!named) complain("has a bug elsewhere", less, tally->misnamed++);
    else if (mend(less, tally)) tally->mended++;
    else complain("is not mended", less, tally->unmended++);
}

/* Each bug is found, in its place, and what the findings advise mends it. */
static void bugs_are_found_and_mended(void **state)
{
    (void)state;
    static struct recorded less;
    struct tally tally = { 0 };
    unsigned long programs = programs_wanted();
    if (!layer_is_there()) skip();
    uint64_t first = number_of("RILL_RANDOM_SEED", 1);
    for (unsigned long i = 0; i < programs; i++) {
        draw_program(&program, first + i);
        if (draw_bug(&less, &program)) judge_bug(&less, &tally);
    }
    print_message("# %lu programs with a bug: %lu not found, %lu found elsewhere, "
                  "%lu mended by %lu mends, %lu not mended\n", tally.programs, tally.missed,
                  tally.misnamed, tally.mended, tally.mends, tally.unmended);
    assert_int_equal(tally.missed, 0);
    assert_true(tally.misnamed * 20 <= tally.programs);
    assert_true(tally.unmended * 100 <= tally.programs);
}

static int start_watchdog(void **state)
{
    (void)state;
    watchdog_start(HANGS_AFTER, bark, NULL);
    return 0;
}

static int stop_watchdog(void **state)
{
    (void)state;
    watchdog_stop();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(correct_programs_give_one_result),
        cmocka_unit_test(correct_programs_are_not_reported),
        cmocka_unit_test(programs_with_bugs_run),
        cmocka_unit_test(right_mends_mend),
        cmocka_unit_test(bugs_are_found_and_mended),
    };
    return cmocka_run_group_tests(tests, start_watchdog, stop_watchdog);
}
