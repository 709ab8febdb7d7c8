/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/schedule/arrivals.h"

#include <limits.h>

#include "backend-sim/schedule/runner.h"
#include "base/park.h"
#include "base/process/asleep.h"

/* How long a thread that is too early waits until it concludes that the program went another way,
 * and how long it sleeps between two looks. */
#define PATIENCE_NS UINT64_C(10000000000)
#define SLEEP_NS 10000000u

_Thread_local uint64_t sim_arrived_here RL_THREAD_WORD;

void sim_arrivals_init(struct arrivals *arrivals, const struct schedule_arrivals *wanted)
{
    static atomic_uint_least64_t serials;
    arrivals->serial = atomic_fetch_add(&serials, 1) + 1;
    arrivals->wanted = wanted;
    arrivals->last = 1;
    arrivals->again = ARRIVALS_NOBODY;
    if (wanted->count) arrivals->left = wanted->items[0].times;
}

/* ---- Numbers of threads ----------------------------------------------------------------- */

static bool is_runner(const struct schedule *schedule, unsigned long id)
{
    for (struct runner *runner = schedule->runner; runner; runner = runner->older) {
        while (!atomic_load(&runner->id)) rl_relax(); /* it has just begun */
        if (atomic_load(&runner->id) == id) return true;
    }
    return false;
}

/* Returns the number of a thread, or 0. */
static uint32_t number_of(const struct arrivals *arrivals, unsigned long id)
{
    for (uint32_t i = 0; i < arrivals->thread_count; i++)
        if (arrivals->threads[i] == id) return i + 1;
    return 0;
}

/* Numbers all threads of the process: a thread that was created earlier may make its first call
 * later. */
static void number_threads(struct schedule *schedule)
{
    struct arrivals *arrivals = &schedule->arrivals;
    unsigned long ids[ARRIVALS_THREADS_MOST];
    int count = rl_threads_list(ids, ARRIVALS_THREADS_MOST);
    for (int i = 0; i < count && arrivals->thread_count < ARRIVALS_THREADS_MOST; i++)
        if (!number_of(arrivals, ids[i]) && !is_runner(schedule, ids[i]))
            arrivals->threads[arrivals->thread_count++] = ids[i];
}

static uint32_t own_number(struct schedule *schedule)
{
    struct arrivals *arrivals = &schedule->arrivals;
    if (sim_arrived_here / ARRIVALS_NAMES != arrivals->serial) {
        unsigned long id = rl_thread_id();
        if (!number_of(arrivals, id)) number_threads(schedule);
        sim_arrived_here = arrivals->serial * ARRIVALS_NAMES + number_of(arrivals, id);
    }
    return (uint32_t)(sim_arrived_here % ARRIVALS_NAMES);
}

/* ---- Arriving --------------------------------------------------------------------------- */

static bool is_next(const struct arrivals *arrivals, uint32_t number)
{
    return arrivals->lost || arrivals->at == arrivals->wanted->count ||
           arrivals->wanted->items[arrivals->at].thread == number;
}

static void note_arrival(struct schedule *schedule, uint32_t number)
{
    struct arrivals *arrivals = &schedule->arrivals;
    if (number != arrivals->last)
        sim_trail_note_thread(&schedule->trail, number, arrivals->count);
    bool wanted = arrivals->at < arrivals->wanted->count;
    arrivals->last = number;
    arrivals->count++;
    if (wanted && arrivals->left && !--arrivals->left &&
        ++arrivals->at < arrivals->wanted->count)
        arrivals->left = arrivals->wanted->items[arrivals->at].times;
    arrivals->again = arrivals->at < arrivals->wanted->count ? ARRIVALS_NOBODY : sim_arrived_here;
    if (!wanted) return;
    atomic_fetch_add(&arrivals->passed, 1);
    rl_unpark(&arrivals->passed, INT_MAX);
}

bool sim_arrivals_try(struct schedule *schedule)
{
    uint32_t number = own_number(schedule);
    if (!is_next(&schedule->arrivals, number)) return false;
    note_arrival(schedule, number);
    return true;
}

void sim_arrivals_wait(struct schedule *schedule)
{
    struct arrivals *arrivals = &schedule->arrivals;
    sim_runner_find(schedule); /* which may have been going on alone, and writes the trail then */
    if (sim_arrivals_try(schedule)) return;
    uint64_t since = rl_monotonic_ns(), count = arrivals->count;
    while (!sim_arrivals_try(schedule)) {
        unsigned passed = atomic_load(&arrivals->passed);
        if (count != arrivals->count) since = rl_monotonic_ns();
        count = arrivals->count;
        if (atomic_load(&schedule->ends) || rl_monotonic_ns() - since > PATIENCE_NS) {
            arrivals->lost = true;
            sim_trail_say(&schedule->trail, "lost");
            continue;
        }
        sim_schedule_give_turn(schedule);
        rl_park(&arrivals->passed, passed, SLEEP_NS);
        sim_schedule_take_turn(schedule);
        sim_runner_find(schedule);
    }
}
