/* SPDX-License-Identifier: Apache-2.0
 *
 * Hangs where chance decides what runs.
 */
#include "backend-sim/schedule/hang.h"

#include <stdarg.h>
#include <stdio.h>

#include "backend-sim/guard/call_guard.h"
#include "backend-sim/scheduler/host_thread.h"
#include "backend-sim/scheduler/polled.h"
#include "backend-sim/scheduler/strand.h"
#include "backend-sim/scheduler/stuck.h"
#include "backend-sim/scheduler/watch/watcher.h"
#include "base/process/asleep.h"
#include "base/thread.h"

/* How long nobody looks again after a look, which costs as much as a few short operations. */
#define LOOK_NS 2000000u

/* More threads, and values, than these are not looked at. */
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

/* Tells whether the strand's operation is a function of the program that runs.  Asked at a
 * standstill. */
static bool is_in_function(struct strand *strand)
{
    enum strand_state state = sim_strand_state(strand);
    if (state == STRAND_RUNNING) /* as far as a schedule lets one run on, it stays so */
        return strand->engine->steering &&
               sim_queue_front(&strand->queue)->type->kind == RILL_OP_HOST;
    return state == STRAND_PARKED &&
           sim_host_thread_calls(strand->engine->platform->host_thread, strand);
}

/* Stores the operations that are functions which run, retained. */
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

/* A sentence that grows. */
struct sentence {
    char *text;
    size_t used, room;
    const char *between;
};

__attribute__((format(printf, 3, 4)))
static void add_stream(struct sentence *sentence, struct strand *strand, const char *format, ...)
{
    char label[RILL_LABEL_MAX] = "", does[192];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(does, sizeof does, format, arguments);
    va_end(arguments);
    if (!sim_strand_label(strand, label))
        snprintf(label, sizeof label, "%llu", (unsigned long long)strand->id);
    size_t left = sentence->room - sentence->used;
    int more = snprintf(sentence->text + sentence->used, left, "%sstream %s %s",
                        sentence->between, label, does);
    sentence->between = "; ";
    if (more > 0) sentence->used += (size_t)more < left ? (size_t)more : left - 1;
}

/* Writes which streams wait for which values, and which are in functions.  Returns whether any
 * is. */
static bool describe_hang(struct engine *engine, char *text, size_t room)
{
    struct sentence sentence = { text, 0, room, "" };
    struct point points[FUNCTIONS_MOST];
    sentence.used = (size_t)snprintf(text, room, "the program hangs: nothing can run, and ");
    rl_lock(&engine->polled_lock);
    for (struct strand *strand = engine->polled; strand; strand = strand->polled_next) {
        char value[128] = "";
        struct cell *cell = strand->parked_cell;
        if (cell->type->waits_for) cell->type->waits_for(cell, value, sizeof value);
        add_stream(&sentence, strand, "waits in operation %llu for %s",
                   (unsigned long long)atomic_load(&strand->completed) + 1, value);
    }
    rl_unlock(&engine->polled_lock);
    size_t count = list_functions(engine, points);
    for (size_t i = 0; i < count; i++) {
        add_stream(&sentence, points[i].strand,
                   "is in operation %llu, a function of the program that waits for another thread",
                   (unsigned long long)points[i].number);
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

/* Tells whether a stream waits for a value, or is in a function: else all is over. */
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
    char words[SIM_FAULT_MAX];
    if (atomic_load(&engine->platform->has_others)) return; /* they may end the wait */
    if (atomic_load(&engine->attention) & ATTEND_FAULT || !hangs(engine)) return;
    bool functions = describe_hang(engine, words, sizeof words);
    sim_hang_tell(engine, words);
    /* A device that failed ends waits for values, and no function. */
    if (functions) sim_stuck_give_up(engine);
}
