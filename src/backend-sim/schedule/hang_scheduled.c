/* SPDX-License-Identifier: Apache-2.0
 *
 * Hangs in a schedule: proved when no step is possible, and no thread of the program will go on by
 * itself.
 */
#include "backend-sim/schedule/runner.h"

#include <string.h>

#include "backend-sim/schedule/hang.h"
#include "backend-sim/schedule/hang_words.h"
#include "base/process/asleep.h"

static void add_stream(struct hang_words *words, struct strand *strand)
{
    char label[RILL_LABEL_MAX];
    if (sim_strand_label(strand, label)) sim_hang_add(words, "stream '%.40s'", label);
    else sim_hang_add(words, "stream %llu", (unsigned long long)strand->id);
}

/* ---- Who waits for what ------------------------------------------------------------------- */

/* How many links of a path are described. */
#define LINKS_MOST 6

/* Describes the value that the strand waits for; the text is empty if it waits for none. */
static void describe_value(struct strand *strand, char *text, size_t bytes)
{
    struct cell *cell = NULL;
    enum strand_state state = sim_strand_state(strand);
    text[0] = '\0';
    if (state == STRAND_HELD || (state == STRAND_PARKED && strand->parked == PARKED_ON_MEMORY))
        cell = sim_queue_front(&strand->queue);
    if (cell && cell->type->waits_for) cell->type->waits_for(cell, text, bytes);
}

/* Replaces a point of a strand by the operation that is first in the device's one queue.  Returns
 * false if there is no other. */
static bool follow_queue(struct schedule *schedule, struct point *point)
{
    struct point oldest = sim_held_oldest(&schedule->held, point->strand);
    if (!oldest.strand || oldest.strand == point->strand) return false;
    sim_strand_retain(oldest.strand);
    sim_strand_release(point->strand);
    *point = oldest;
    return true;
}

static void add_point(struct hang_words *words, struct point point)
{
    sim_hang_add(words, "operation %llu of ", (unsigned long long)point.number);
    add_stream(words, point.strand);
}

/* Says what the point's strand waits for, and replaces the point by that.  Returns false if it
 * waits for no point. */
static bool add_link(struct schedule *schedule, struct hang_words *words, struct point *point)
{
    char value[128];
    struct strand *strand = point->strand;
    enum strand_state state = sim_strand_state(strand);
    sim_hang_add(words, ", whose operation %llu ",
                 (unsigned long long)atomic_load(&strand->completed) + 1);
    describe_value(strand, value, sizeof value);
    if (sim_held_follow(&schedule->held, point)) {
        sim_hang_add(words, "waits for ");
    } else if (state == STRAND_HELD && !value[0] && follow_queue(schedule, point)) {
        sim_hang_add(words, "comes, as the device has one queue, after ");
    } else {
        if (value[0]) sim_hang_add(words, "waits for %s", value);
        else if (state == STRAND_RUNNING)
            sim_hang_add(words, "is in a function of the program that waits for another thread");
        else sim_hang_add(words, "waits for something outside");
        return false;
    }
    add_point(words, *point);
    return true;
}

/* Says which other streams wait for values: one of them may be the one that has to write the
 * value. */
static void add_values(struct schedule *schedule, struct hang_words *words,
                       const struct strand *told)
{
    struct engine *engine = schedule->engine;
    int left = LINKS_MOST;
    rl_lock(&engine->polled_lock);
    for (struct strand *strand = engine->polled; strand && left--; strand = strand->polled_next) {
        char value[128];
        if (strand == told) continue;
        describe_value(strand, value, sizeof value);
        sim_hang_add(words, "; ");
        add_stream(words, strand);
        sim_hang_add(words, " waits in operation %llu for %s",
                     (unsigned long long)atomic_load(&strand->completed) + 1, value);
    }
    rl_unlock(&engine->polled_lock);
}

/* Says which call of the driver or the runtime a thread waits in. */
static void add_call(struct hang_words *words, const struct cs_call *made)
{
    struct cs_source source;
    if (!made->name) return;
    sim_hang_add(words, "in %s() ", made->name);
    if (!cs_find_source(made->site, &source) || !source.file) return;
    const char *slash = strrchr(source.file, '/');
    sim_hang_add(words, "at %.60s:%d ", slash ? slash + 1 : source.file, source.line);
}

/* Says what a thread of the host waits for.  Returns the strand at the path's end. */
static const struct strand *add_path(struct schedule *schedule, struct hang_words *words,
                                     const struct waiting_host *host)
{
    struct point point = host->point;
    sim_hang_add(words, "the host waits ");
    add_call(words, &host->made);
    sim_hang_add(words, "for ");
    add_point(words, point);
    sim_strand_retain(point.strand);
    for (int i = 0; i < LINKS_MOST && !sim_point_reached(point); i++)
        if (!add_link(schedule, words, &point)) break;
    sim_strand_release(point.strand); /* others have references while they are stuck */
    return point.strand;
}

/* ---- The proof ---------------------------------------------------------------------------- */

/* How many threads that wait are looked at, at most. */
#define WAITING_MOST 64

/* Copies the threads that wait.  Returns how many they are, or 0 if they are too many, or if one of
 * them will go on: what it waits for is over, but it has had no processor since. */
static int copy_waiting(struct schedule *schedule, struct waiting_host *waiting)
{
    int count = 0;
    bool all_stuck = true;
    rl_lock(&schedule->waiting_lock); /* their strands exist while they are listed */
    for (const struct waiting_host *host = schedule->waiting; host; host = host->next) {
        if (count < WAITING_MOST) waiting[count] = *host;
        all_stuck = all_stuck && !sim_point_reached(host->point);
        count++;
    }
    rl_unlock(&schedule->waiting_lock);
    return all_stuck && count <= WAITING_MOST ? count : 0;
}

bool sim_schedule_any_step(struct schedule *schedule)
{
    if (sim_schedule_polls(schedule)) sim_schedule_poll(schedule);
    uint32_t count = sim_held_candidates(&schedule->held, (struct point){ NULL, 0 });
    for (uint32_t i = 0; i < count; i++)
        if (schedule->held.candidates[i].oldest) return true;
    return false;
}

/* Tells whether no thread will do anything: the runner waits for a moment, threads of the host wait
 * for steps, in calls or in functions, and all other threads, also runners in functions, wait for
 * each other.  Requires the turn: a thread that waits for the turn will go on. */
static bool all_wait(struct schedule *schedule, const struct waiting_host *waiting, int count)
{
    unsigned long known[WAITING_MOST + 1];
    unsigned before = atomic_load(&schedule->progress);
    struct runner *runner = atomic_load(&schedule->runner);
    int n = 0;
    for (int i = 0; i < count; i++) known[n++] = waiting[i].id;
    if (!sim_runner_is_asked(runner)) known[n++] = atomic_load(&runner->id);
    if (!rl_all_wait(known, n)) return false;
    struct waiting_host again[WAITING_MOST];
    return !atomic_load(&schedule->seekers) && atomic_load(&schedule->progress) == before &&
           copy_waiting(schedule, again) == count;
}

/* Tells whether the runner may be choosing steps although this thread has the turn. */
static bool runner_chooses(struct schedule *schedule)
{
    struct runner *runner = atomic_load(&schedule->runner);
    return sim_runner_is_asked(runner) && !runner->left && runner != sim_runner_here(schedule);
}

static void tell_hang(struct schedule *schedule, const struct waiting_host *waiting, int count)
{
    struct hang_words words;
    sim_hang_begin(&words);
    const struct strand *end = NULL;
    for (int i = 0; i < count && i < 2; i++) {
        if (i) sim_hang_add(&words, "; ");
        end = add_path(schedule, &words, &waiting[i]);
    }
    add_values(schedule, &words, end);
    sim_trail_say(&schedule->trail, "hang");
    sim_trail_say(&schedule->trail, words.text);
    atomic_store(&schedule->hangs, true);
    sim_hang_tell(schedule->engine, words.text);
}

void sim_schedule_look_for_hang(struct schedule *schedule)
{
    struct waiting_host waiting[WAITING_MOST];
    struct runner *runner = sim_runner_here(schedule);
    bool has_turn = runner && runner->stood_in_for; /* since its call began */
    if (atomic_load(&schedule->engine->platform->has_others)) return; /* they may end the wait */
    if (atomic_load(&schedule->hangs) || (!has_turn && !rl_trylock(&schedule->turn))) return;
    int count = copy_waiting(schedule, waiting);
    /* The second look sees what the threads did before they waited. */
    if (count && !runner_chooses(schedule) && !sim_schedule_any_step(schedule) &&
        all_wait(schedule, waiting, count) && !sim_schedule_any_step(schedule))
        tell_hang(schedule, waiting, count);
    if (!has_turn) rl_unlock(&schedule->turn);
}
