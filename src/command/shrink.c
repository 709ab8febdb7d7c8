/* SPDX-License-Identifier: Apache-2.0 */
#include "command/shrink.h"

#include <string.h>

#include "base/alloc.h"
#include "base/thread.h"
#include "command/steps.h"

struct shrinking {
    struct trials *trials;
    struct trial *trial;      /* in whose place others run */
    enum trial_end end;       /* how they are to end       */
    int how;
    uint64_t began_ns;
    unsigned runs;
    struct steps held;        /* in the run that failed; the fewer, the better */
    size_t taken;             /* so many of them that run came to, the first   */
    struct schedule_hold *tried;
    char *text;               /* TRIAL_SPEC_MAX letters */
    char *threads;            /* as many: the order of calls in the last run that failed */
};

/* ---- Runs -------------------------------------------------------------------------------- */

static bool has_budget(const struct shrinking *shrinking)
{
    return shrinking->runs < COMMAND_SHRINK_RUNS &&
           rl_monotonic_ns() - shrinking->began_ns < COMMAND_SHRINK_NS;
}

/* Runs the program, and tells whether it fails in the way that is looked for. */
static bool fails_under(struct shrinking *shrinking, const char *spec)
{
    struct trial *trial = shrinking->trial;
    shrinking->runs++;
    if (command_trial_start(shrinking->trials, trial, spec)) return false;
    command_trials_await(shrinking->trials);
    bool any_status = trial->end == TRIAL_HANG || trial->end == TRIAL_TIMEOUT;
    return trial->end == shrinking->end && (any_status || trial->how == shrinking->how);
}

/* Appends the order of calls to the text.  Returns false if there is no room. */
static bool add_threads(const struct shrinking *shrinking)
{
    size_t used = strlen(shrinking->text), more = strlen(shrinking->threads);
    if (used + more >= TRIAL_SPEC_MAX) return false;
    memcpy(shrinking->text + used, shrinking->threads, more + 1);
    return true;
}

static bool fails_with(struct shrinking *shrinking, const struct schedule_hold *holds, size_t count)
{
    if (!has_budget(shrinking) ||
        !command_holds_write(holds, count, shrinking->text, TRIAL_SPEC_MAX) ||
        !add_threads(shrinking) || !fails_under(shrinking, shrinking->text))
        return false;
    command_steps_threads(shrinking->trial->trail, shrinking->threads, TRIAL_SPEC_MAX);
    return true;
}

/* ---- Fewer holds, and shorter ones ------------------------------------------------------- */

/* Leaves out the holds from `at` on, `size` of them, if the program fails without them. */
static bool leave_out(struct shrinking *shrinking, struct schedule_hold *holds, size_t *count,
                      size_t at, size_t size)
{
    size_t left = *count - size;
    memcpy(shrinking->tried, holds, at * sizeof *holds);
    memcpy(shrinking->tried + at, holds + at + size, (left - at) * sizeof *holds);
    if (!fails_with(shrinking, shrinking->tried, left)) return false;
    memcpy(holds, shrinking->tried, left * sizeof *holds);
    *count = left;
    return true;
}

/* Leaves out as many holds as it can: halves first, then ever smaller parts. */
static void drop_holds(struct shrinking *shrinking, struct schedule_hold *holds, size_t *count)
{
    for (size_t size = (*count + 1) / 2; *count && size;) {
        bool smaller = false;
        for (size_t at = 0; at < *count && has_budget(shrinking);) {
            size_t part = *count - at < size ? *count - at : size;
            if (leave_out(shrinking, holds, count, at, part)) smaller = true;
            else at += part;
        }
        if (size == 1 && !smaller) return;
        if (!has_budget(shrinking)) return;
        if (size > 1) size /= 2;
    }
}

/* Has all holds last until they are needed, if the program fails like that. */
static bool drop_all_calls(struct shrinking *shrinking, struct schedule_hold *holds, size_t count)
{
    if (count) memcpy(shrinking->tried, holds, count * sizeof *holds);
    for (size_t i = 0; i < count; i++) shrinking->tried[i].call = 0;
    if (!fails_with(shrinking, shrinking->tried, count)) return false;
    if (count) memcpy(holds, shrinking->tried, count * sizeof *holds);
    return true;
}

static void drop_calls(struct shrinking *shrinking, struct schedule_hold *holds, size_t count)
{
    if (drop_all_calls(shrinking, holds, count)) return;
    for (size_t i = 0; count > 1 && i < count; i++) {
        uint64_t call = holds[i].call;
        holds[i].call = 0;
        if (call && !fails_with(shrinking, holds, count)) holds[i].call = call;
    }
}

/* ---- From the trail to a string ---------------------------------------------------------- */

/* Reads what was held back in the run that failed last, for which the program runs once more.
 * Returns false if that cannot be told. */
static bool read_deviations(struct shrinking *shrinking)
{
    struct steps early = { .count = 0 }, run;
    if (!command_steps_read(&run, shrinking->trial->trail)) return false;
    shrinking->runs++;
    bool good = !command_trial_start(shrinking->trials, shrinking->trial, "early");
    if (good) command_trials_await(shrinking->trials);
    good = good && command_steps_read(&early, shrinking->trial->trail) &&
           command_steps_deviations(&early, &run, &shrinking->held, &shrinking->taken);
    command_steps_free(&early);
    command_steps_free(&run);
    return good;
}

static enum shrink_result shrink_steps(struct shrinking *shrinking, struct shrunk *shrunk)
{
    if (!read_deviations(shrinking)) return SHRINK_NOT;
    size_t count = shrinking->taken, all = shrinking->held.count;
    struct schedule_hold *holds = shrinking->held.items;
    shrinking->tried = rl_alloc((all + 1) * sizeof *holds);
    if (!shrinking->tried) return SHRINK_NO_MEMORY;
    if (!fails_with(shrinking, holds, count) &&
        (count == all || !fails_with(shrinking, holds, count = all)))
        return SHRINK_NOT;
    shrunk->before = count;
    bool dropped = drop_all_calls(shrinking, holds, count);
    drop_holds(shrinking, holds, &count);
    if (!dropped) drop_calls(shrinking, holds, count);
    shrunk->holds = count;
    if (!count) strcpy(shrinking->text, "early");
    else if (!command_holds_write(holds, count, shrinking->text, TRIAL_SPEC_MAX)) return SHRINK_NOT;
    if (!add_threads(shrinking)) return SHRINK_NOT;
    shrunk->spec = rl_strdup(shrinking->text);
    return shrunk->spec ? SHRINK_DONE : SHRINK_NO_MEMORY;
}

enum shrink_result command_shrink(struct trials *trials, struct trial *trial, const char *spec,
                                  struct shrunk *shrunk)
{
    struct shrinking shrinking = { .trials = trials, .trial = trial, .end = trial->end,
                                   .how = trial->how, .began_ns = rl_monotonic_ns() };
    enum shrink_result result = SHRINK_NO_MEMORY;
    *shrunk = (struct shrunk){ .spec = NULL };
    shrinking.text = rl_alloc(TRIAL_SPEC_MAX);
    shrinking.threads = rl_alloc(TRIAL_SPEC_MAX);
    if (shrinking.text && shrinking.threads && fails_under(&shrinking, spec)) {
        command_steps_threads(trial->trail, shrinking.threads, TRIAL_SPEC_MAX);
        result = shrink_steps(&shrinking, shrunk);
    } else if (shrinking.text && shrinking.threads) {
        result = SHRINK_ONCE;
    }
    shrunk->runs = shrinking.runs;
    command_steps_free(&shrinking.held);
    rl_free(shrinking.tried);
    rl_free(shrinking.text);
    rl_free(shrinking.threads);
    return result;
}

void command_shrunk_free(struct shrunk *shrunk)
{
    rl_free(shrunk->spec);
    shrunk->spec = NULL;
}
