/* SPDX-License-Identifier: Apache-2.0
 *
 * Hangs where chance decides what runs.
 */
#include "backend-sim/schedule/hang.h"

#include <stdio.h>

#include "backend-sim/guard/call_guard.h"
#include "backend-sim/scheduler/polled.h"
#include "backend-sim/scheduler/strand.h"
#include "backend-sim/scheduler/stuck.h"
#include "backend-sim/scheduler/watch/watcher.h"
#include "base/process/asleep.h"
#include "base/thread.h"

/* How long nobody looks again after a look, which costs as much as a few short operations. */
#define LOOK_NS 2000000u

/* How often a thread is looked at until it is taken to be awake. */
#define LOOKS 4

/* More threads, and values, than these are not looked at. */
#define THREADS_MOST 1024
#define VALUES_MOST 16

/* ---- What is said ------------------------------------------------------------------------- */

/* Stores the addresses of the values that strands wait for. */
static size_t list_values(struct engine *engine, rill_devptr *addresses)
{
    size_t count = 0;
    rl_lock(&engine->polled_lock);
    for (struct strand *strand = engine->polled; strand && count < VALUES_MOST;
         strand = strand->polled_next) {
        struct cell *cell = strand->parked_cell;
        if (cell->type->awaits) addresses[count++] = cell->type->awaits(cell);
    }
    rl_unlock(&engine->polled_lock);
    return count;
}

void sim_hang_tell(struct engine *engine, const char *words)
{
    rill_devptr addresses[VALUES_MOST];
    const struct rill_watcher *watcher = &engine->watcher;
    if (sim_is_watched(engine) && watcher->hangs)
        watcher->hangs(watcher->data, addresses, list_values(engine, addresses));
    sim_raise(engine->platform, RILL_ERROR_LAUNCH_TIMEOUT, "wait", "", words);
}

/* Writes which streams wait for which values. */
static void describe_values(struct engine *engine, char *text, size_t room)
{
    size_t used = (size_t)snprintf(text, room, "the program hangs: nothing can run, and ");
    const char *between = "";
    rl_lock(&engine->polled_lock);
    for (struct strand *strand = engine->polled; strand; strand = strand->polled_next) {
        char label[RILL_LABEL_MAX] = "", value[128] = "";
        struct cell *cell = strand->parked_cell;
        if (cell->type->waits_for) cell->type->waits_for(cell, value, sizeof value);
        if (!sim_strand_label(strand, label))
            snprintf(label, sizeof label, "%llu", (unsigned long long)strand->id);
        int more = snprintf(text + used, room - used, "%sstream %s waits in operation %llu for %s",
                            between, label,
                            (unsigned long long)atomic_load(&strand->completed) + 1, value);
        between = "; ";
        if (more < 0 || (size_t)more >= room - used) break;
        used += (size_t)more;
    }
    rl_unlock(&engine->polled_lock);
}

/* ---- The proof ---------------------------------------------------------------------------- */

/* Tells whether it is time to look, and this thread is to do so. */
static bool takes_look(struct engine *engine)
{
    uint64_t now = rl_monotonic_ns(), last = atomic_load(&engine->looked_ns);
    return now - last >= LOOK_NS &&
           atomic_compare_exchange_strong(&engine->looked_ns, &last, now);
}

/* Tells whether a thread is seen asleep, in a few looks: those that poll wake again and again. */
static bool sleeps(unsigned long id)
{
    for (int looks = 0; looks < LOOKS; looks++) {
        enum rl_doing doing = rl_thread_doing(id);
        if (doing == RL_DOING_WAITS || doing == RL_DOING_WAITS_SO_LONG || doing == RL_DOING_NAPS)
            return true;
    }
    return false;
}

/* Tells whether all threads that wait for operations, and all workers, sleep at some moment of this
 * call.  So none of them is about to let something run that it found before; what it did before it
 * slept is seen by who looks afterwards. */
static bool all_sleep(const unsigned long *threads, int count)
{
    const unsigned long self = rl_thread_id();
    for (int i = 0; i < count; i++)
        if (threads[i] != self && !sleeps(threads[i])) return false;
    return true;
}

static bool hangs(struct engine *engine)
{
    unsigned long threads[THREADS_MOST];
    rill_devptr addresses[VALUES_MOST];
    struct standstill before, after;
    if (sim_engine_poll(engine) || !sim_engine_stands_still(engine, &before)) return false;
    int count = sim_stuck_threads(engine, threads, THREADS_MOST);
    if (count == THREADS_MOST || !rl_all_wait(threads, count) || !all_sleep(threads, count))
        return false;
    return !sim_engine_poll(engine) && list_values(engine, addresses) &&
           sim_engine_stands_still(engine, &after) && before.submitted == after.submitted &&
           before.completed == after.completed && before.workers == after.workers &&
           sim_stuck_threads(engine, threads, THREADS_MOST) == count;
}

void sim_hang_look(struct engine *engine)
{
    char words[SIM_FAULT_MAX];
    if (atomic_load(&engine->attention) & ATTEND_FAULT || !takes_look(engine)) return;
    if (!hangs(engine)) return;
    describe_values(engine, words, sizeof words);
    sim_hang_tell(engine, words);
}
