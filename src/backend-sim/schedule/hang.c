/* SPDX-License-Identifier: Apache-2.0
 *
 * Hangs without a schedule, where chance decides what runs.
 */
#include "backend-sim/schedule/hang.h"

#include "backend-sim/guard/call_guard.h"
#include "backend-sim/schedule/hang_words.h"
#include "backend-sim/scheduler/host_thread.h"
#include "backend-sim/scheduler/polled.h"
#include "backend-sim/scheduler/strand.h"
#include "backend-sim/scheduler/stuck.h"
#include "backend-sim/scheduler/watch/watcher.h"
#include "base/process/asleep.h"
#include "base/thread.h"

/* How long it takes until a thread looks again: a look costs as much as a few short operations. */
#define LOOK_NS 2000000u

/* How many threads, values and functions are looked at, at most. */
#define THREADS_MOST 1024
#define VALUES_MOST 16
#define FUNCTIONS_MOST 16

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

/* Tells whether the strand's operation is a function of the program that is running.  Requires a
 * standstill. */
static bool is_in_function(struct strand *strand)
{
    enum strand_state state = sim_strand_state(strand);
    if (state == STRAND_RUNNING) /* a strand that a schedule lets go on stays so */
        return strand->engine->steering &&
               sim_queue_front(&strand->queue)->type->kind == RILL_OP_HOST;
    return state == STRAND_PARKED &&
           sim_host_thread_calls(strand->engine->platform->host_thread, strand);
}

/* Stores the operations that are functions of the program which are running, retained. */
static size_t list_functions(struct engine *engine, struct point *points)
{
    size_t count = 0;
    rl_lock(&engine->strands_lock);
    for (struct strand *strand = engine->strands; strand && count < FUNCTIONS_MOST;
         strand = strand->next) {
        if (!is_in_function(strand)) continue;
        sim_strand_retain(strand);
        points[count++] = (struct point){ strand, atomic_load(&strand->completed) + 1 };
    }
    rl_unlock(&engine->strands_lock);
    return count;
}

static void tell_functions(struct engine *engine)
{
    struct point points[FUNCTIONS_MOST];
    const struct rill_watcher *watcher = &engine->watcher;
    size_t count = list_functions(engine, points);
    for (size_t i = 0; i < count; i++) {
        watcher->stuck(watcher->data, points[i].strand->id, points[i].number);
        sim_strand_release(points[i].strand);
    }
}

void sim_hang_tell(struct engine *engine, const char *words)
{
    rill_devptr addresses[VALUES_MOST];
    const struct rill_watcher *watcher = &engine->watcher;
    if (sim_is_watched(engine) && watcher->stuck) tell_functions(engine);
    if (sim_is_watched(engine) && watcher->hangs)
        watcher->hangs(watcher->data, addresses, list_values(engine, addresses));
    sim_raise(engine->platform, RILL_ERROR_LAUNCH_TIMEOUT, "wait", "", words);
}

/* Adds the stream of a strand to the sentence, and begins another part of it unless it is the
 * first. */
static void add_stream(struct hang_words *words, struct strand *strand, bool first)
{
    char label[RILL_LABEL_MAX];
    if (!first) sim_hang_add(words, "; ");
    if (sim_strand_label(strand, label)) sim_hang_add(words, "stream %s ", label);
    else sim_hang_add(words, "stream %llu ", (unsigned long long)strand->id);
}

/* Says which streams wait for which values, and which are in functions.  Returns whether any stream
 * is in a function. */
static bool describe_hang(struct engine *engine, struct hang_words *words)
{
    struct point points[FUNCTIONS_MOST];
    bool first = true;
    sim_hang_begin(words);
    rl_lock(&engine->polled_lock);
    for (struct strand *strand = engine->polled; strand; strand = strand->polled_next) {
        char value[128] = "";
        struct cell *cell = strand->parked_cell;
        if (cell->type->waits_for) cell->type->waits_for(cell, value, sizeof value);
        add_stream(words, strand, first);
        sim_hang_add(words, "waits in operation %llu for %s",
                     (unsigned long long)atomic_load(&strand->completed) + 1, value);
        first = false;
    }
    rl_unlock(&engine->polled_lock);
    size_t count = list_functions(engine, points);
    for (size_t i = 0; i < count; i++) {
        add_stream(words, points[i].strand, first && !i);
        sim_hang_add(words, "is in operation %llu, a function of the program that waits for "
                            "another thread", (unsigned long long)points[i].number);
        sim_strand_release(points[i].strand);
    }
    return count;
}

/* ---- The proof ---------------------------------------------------------------------------- */

/* Tells whether it is time to look, and this thread is to do so. */
static bool takes_look(struct engine *engine)
{
    uint64_t now = rl_monotonic_ns(), last = atomic_load(&engine->looked_ns);
    return now - last >= LOOK_NS &&
           atomic_compare_exchange_strong(&engine->looked_ns, &last, now);
}

/* Tells whether a stream waits for a value, or is in a function.  If none does, all work is
 * done. */
static bool something_waits(struct engine *engine)
{
    rill_devptr addresses[VALUES_MOST];
    struct point points[FUNCTIONS_MOST];
    size_t functions = list_functions(engine, points);
    for (size_t i = 0; i < functions; i++) sim_strand_release(points[i].strand);
    return functions || list_values(engine, addresses);
}

static bool hangs(struct engine *engine)
{
    unsigned long threads[THREADS_MOST];
    struct standstill before, after;
    if (!sim_engine_stands_still(engine, &before) || sim_engine_poll(engine)) return false;
    if (!takes_look(engine)) return false;
    int count = sim_stuck_threads(engine, threads, THREADS_MOST);
    if (count == THREADS_MOST || !rl_all_wait(threads, count) || !sim_stuck_all_rest(engine))
        return false;
    if (sim_engine_poll(engine) || !sim_engine_stands_still(engine, &after)) return false;
    return before.submitted == after.submitted && before.completed == after.completed &&
           before.workers == after.workers && something_waits(engine) &&
           sim_stuck_threads(engine, threads, THREADS_MOST) == count;
}

void sim_hang_look(struct engine *engine)
{
    struct hang_words words;
    if (atomic_load(&engine->platform->has_others)) return; /* they may end the wait */
    if (atomic_load(&engine->attention) & ATTEND_FAULT || !hangs(engine)) return;
    bool functions = describe_hang(engine, &words);
    sim_hang_tell(engine, words.text);
    /* The failure of the device ends waits for values, but not functions. */
    if (functions) sim_stuck_give_up(engine);
}
