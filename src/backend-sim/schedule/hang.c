/* SPDX-License-Identifier: Apache-2.0
 *
 * Hangs: proved when no step is possible, and no thread of the program will do anything of its own.
 */
#include "backend-sim/schedule/schedule.h"

#include <stdarg.h>
#include <stdio.h>

#include "backend-sim/guard/call_guard.h"
#include "base/process/asleep.h"

/* A sentence that grows. */
struct circle {
    char text[SIM_FAULT_MAX];
    size_t length;
};

__attribute__((format(printf, 2, 3)))
static void add_words(struct circle *circle, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    size_t room = sizeof circle->text - circle->length;
    int more = vsnprintf(circle->text + circle->length, room, format, arguments);
    va_end(arguments);
    if (more > 0) circle->length += (size_t)more < room ? (size_t)more : room - 1;
}

static void add_stream(struct circle *circle, struct strand *strand)
{
    char label[RILL_LABEL_MAX];
    if (sim_strand_label(strand, label)) add_words(circle, "stream '%.40s'", label);
    else add_words(circle, "stream %llu", (unsigned long long)strand->id);
}

/* ---- Who waits for what ------------------------------------------------------------------- */

/* How long a path is told. */
#define LINKS_MOST 6

/* Says what the strand waits for.  Returns the point that it leads to, or one without a strand. */
static struct point add_link(struct schedule *schedule, struct circle *circle,
                             struct strand *strand)
{
    struct point next = { NULL, 0 };
    uint64_t number = atomic_load(&strand->completed) + 1;
    enum strand_state state = sim_strand_state(strand);
    rl_spin_lock(&strand->park_lock);
    enum parked_on on = state == STRAND_PARKED ? strand->parked : PARKED_ON_NOTHING;
    if (on == PARKED_ON_POINT || on == PARKED_ON_NODE) next = strand->parked_point;
    const struct cell *cell = on == PARKED_ON_MEMORY ? strand->parked_cell : NULL;
    add_stream(circle, strand);
    if (cell && cell->type->waits_for) {
        char what[128];
        cell->type->waits_for(cell, what, sizeof what);
        add_words(circle, " waits in operation %llu for %s", (unsigned long long)number, what);
    } else if (next.strand) {
        add_words(circle, " waits in operation %llu for operation %llu of ",
                  (unsigned long long)number, (unsigned long long)next.number);
    } else if (state == STRAND_RUNNING) {
        add_words(circle, " is in a function of the program (operation %llu), which waits for "
                  "another thread", (unsigned long long)number);
    } else if (state == STRAND_HELD) {
        next = sim_held_oldest(&schedule->held, strand);
        add_words(circle, " comes, on a device with one queue, after operation %llu of ",
                  (unsigned long long)next.number);
    } else {
        add_words(circle, " waits in operation %llu for something outside",
                  (unsigned long long)number);
    }
    rl_spin_unlock(&strand->park_lock);
    return next;
}

static void add_path(struct schedule *schedule, struct circle *circle, struct point point)
{
    add_words(circle, "the host waits for operation %llu of ", (unsigned long long)point.number);
    add_stream(circle, point.strand);
    add_words(circle, "; ");
    for (int i = 0; i < LINKS_MOST && point.strand && !sim_point_reached(point); i++) {
        point = add_link(schedule, circle, point.strand);
        if (!point.strand) continue;
        add_stream(circle, point.strand);
        add_words(circle, "; ");
    }
}

/* ---- The proof ---------------------------------------------------------------------------- */

/* Copies who waits.  Returns how many, or 0 if there are too many. */
static int copy_waiting(struct schedule *schedule, struct waiting_host *waiting)
{
    rl_lock(&schedule->waiting_lock);
    int count = schedule->waiting_count <= WAITING_HOSTS_MOST ? schedule->waiting_count : 0;
    for (int i = 0; i < count; i++) waiting[i] = schedule->waiting[i];
    rl_unlock(&schedule->waiting_lock);
    return count;
}

/* Tells whether no thread will do anything: the runner waits for a moment, threads of the host wait
 * for steps, and all others, runners in functions among them, for each other. */
static bool is_proved(struct schedule *schedule, const struct waiting_host *waiting, int count)
{
    unsigned long known[WAITING_HOSTS_MOST + 2];
    unsigned before = atomic_load(&schedule->progress);
    struct runner *runner = atomic_load(&schedule->runner);
    int n = 0;
    for (int i = 0; i < count; i++) known[n++] = waiting[i].id;
    bool in_step = atomic_load(&runner->in_step);
    if (atomic_load(&runner->asked) && !in_step) return false; /* about to take a step */
    if (!in_step) known[n++] = atomic_load(&runner->id);
    if (!rl_all_wait(known, n)) return false;
    struct waiting_host again[WAITING_HOSTS_MOST];
    return atomic_load(&schedule->progress) == before &&
           atomic_load(&runner->in_step) == in_step && copy_waiting(schedule, again) == count;
}

void sim_schedule_look_for_hang(struct schedule *schedule)
{
    struct waiting_host waiting[WAITING_HOSTS_MOST];
    if (atomic_load(&schedule->hangs) || !rl_trylock(&schedule->turn)) return;
    int count = copy_waiting(schedule, waiting);
    struct candidate step;
    enum outcome outcome;
    const struct moment moment = { MOMENT_WAIT, waiting[0].point };
    bool away = atomic_load(&atomic_load(&schedule->runner)->asked);
    /* Memory may have changed, and a value that is waited for be there. */
    bool stuck = away || !sim_schedule_decide(schedule, &moment, &step, &outcome);
    if (count && stuck && is_proved(schedule, waiting, count) &&
        !atomic_exchange(&schedule->hangs, true)) {
        struct circle circle = { .length = 0 };
        add_words(&circle, "the program hangs: nothing can run, and ");
        for (int i = 0; i < count && i < 2; i++) {
            if (i) add_words(&circle, "; ");
            add_path(schedule, &circle, waiting[i].point);
        }
        sim_trail_say(&schedule->trail, "hang");
        sim_trail_say(&schedule->trail, circle.text);
        sim_raise(schedule->engine->platform, RILL_ERROR_LAUNCH_TIMEOUT, "wait", "", circle.text);
    }
    rl_unlock(&schedule->turn);
}
