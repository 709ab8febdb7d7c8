/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/scheduler/watchdog.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "backend-sim/scheduler/op_type.h"
#include "backend-sim/scheduler/worker.h"
#include "base/alloc.h"
#include "base/park.h"
#include "base/process/asleep.h"
#include "base/process/progress.h"
#include "base/thread.h"

#define INSPECTION_NS 500000000u

/* How often all threads must have made progress while what is wrong stayed as it is. */
#define PROOFS 2

enum wrong {
    ALL_IS_WELL,
    READY_AND_ALONE, /* in no list, and no thread runs it          */
    IDLE_TOO_EARLY,  /* with operations that are not done          */
    PARKED_TOO_LONG, /* on a point that is reached                 */
    PARKED_AT_END,   /* on a launch that is over                   */
    WAKE_UP_LOST,    /* a waiter for a point that is reached       */
    ALL_ASLEEP       /* all workers, while there is work           */
};

/* What is wrong, and numbers that are different if it is mended or happens again. */
struct suspicion {
    enum wrong wrong;
    uint64_t id;                          /* of the strand             */
    uint64_t submitted, completed, parks; /* of the strand; or wakes and work events of the
                                             engine, as the first two */
    uint64_t other, wanted;               /* for the sentence only */
};

struct watchdog {
    pthread_t thread;
    bool ended;             /* the thread that ends the engine's */
    atomic_uint futex_word; /* 1: end */
    struct suspicion suspicion;
    unsigned proofs;
    struct rl_progress progress; /* since it was last proven */
};

void sim_watchdog_bark(const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "rill: the simulator has broken a promise of its own (RILL_SIM_WATCHDOG): %s\n",
            text);
    abort();
}

/* ---- Strands ----------------------------------------------------------------------- */

/* Judges what the strand is parked on, which stays valid while the strand is noted as parked on
 * it. */
static enum wrong judge_parked(struct strand *strand, struct suspicion *suspicion)
{
    rl_spin_lock(&strand->park_lock);
    struct point point = strand->parked_point;
    bool reached = strand->parked == PARKED_ON_POINT && point.strand && sim_point_reached(point);
    bool over = strand->parked == PARKED_ON_WORK &&
                strand->parked_cell->type->is_over(strand->parked_cell);
    if (reached) suspicion->other = point.strand->id;
    rl_spin_unlock(&strand->park_lock);
    suspicion->wanted = point.number;
    return reached ? PARKED_TOO_LONG : over ? PARKED_AT_END : ALL_IS_WELL;
}

static enum wrong judge_strand(struct strand *strand, struct suspicion *suspicion)
{
    bool node = atomic_load(&strand->counts_launches);
    enum wrong parked;
    switch (sim_strand_state(strand)) {
    case STRAND_READY:
        if (!atomic_load(&strand->listed)) return READY_AND_ALONE;
        break;
    case STRAND_IDLE:
        if (!node && suspicion->submitted > suspicion->completed) return IDLE_TOO_EARLY;
        break;
    case STRAND_PARKED:
        parked = judge_parked(strand, suspicion);
        if (parked) return parked;
        break;
    case STRAND_RUNNING:
    case STRAND_HELD:
        break;
    }
    suspicion->wanted = atomic_load(&strand->wanted);
    return suspicion->wanted <= suspicion->completed ? WAKE_UP_LOST : ALL_IS_WELL;
}

static struct suspicion inspect_strand(struct strand *strand)
{
    struct suspicion suspicion = {
        .id = strand->id, .submitted = sim_strand_submitted(strand),
        .completed = atomic_load(&strand->completed), .parks = atomic_load(&strand->parks),
    };
    suspicion.wrong = judge_strand(strand, &suspicion);
    return suspicion;
}

static bool is_same(const struct suspicion *a, const struct suspicion *b)
{
    return a->wrong == b->wrong && a->id == b->id && a->submitted == b->submitted &&
           a->completed == b->completed && a->parks == b->parks;
}

/* Returns the known suspicion if it still stands, otherwise any. */
static struct suspicion inspect_strands(struct engine *engine, const struct suspicion *known)
{
    struct suspicion found = { .wrong = ALL_IS_WELL };
    rl_lock(&engine->strands_lock);
    for (struct strand *strand = engine->strands; strand; strand = strand->next) {
        struct suspicion suspicion = inspect_strand(strand);
        if (!suspicion.wrong) continue;
        found = suspicion;
        if (is_same(&found, known)) break;
    }
    rl_unlock(&engine->strands_lock);
    return found;
}

/* ---- Workers ------------------------------------------------------------------------ */

/* Inspects the workers: a thread that lists something wakes a worker, unless one polls by
 * itself, and none goes to sleep without a poll. */
static struct suspicion inspect_workers(struct engine *engine)
{
    struct suspicion suspicion = { .wrong = ALL_IS_WELL };
    rl_lock(&engine->lock);
    bool asleep = !engine->stopping && !engine->watch && !engine->spinning &&
                  atomic_load(&engine->idlers) == (unsigned)engine->workers_max;
    if (asleep && sim_engine_needs_watch(engine)) suspicion.wrong = ALL_ASLEEP;
    rl_unlock(&engine->lock);
    suspicion.submitted = atomic_load(&engine->wakes);
    suspicion.completed = atomic_load(&engine->work_events);
    suspicion.wanted = (uint64_t)engine->workers_max;
    return suspicion;
}

/* ---- The thread --------------------------------------------------------------------- */

static void report_suspicion(const struct suspicion *s)
{
    unsigned long long id = s->id, done = s->completed, all = s->submitted, wanted = s->wanted;
    switch (s->wrong) {
    case READY_AND_ALONE:
        sim_watchdog_bark("stream %llu is ready, with %llu of %llu operations done, but in no "
                          "list, and nobody runs it", id, done, all);
    case IDLE_TOO_EARLY:
        sim_watchdog_bark("stream %llu is idle, with %llu of %llu operations done", id, done, all);
    case PARKED_TOO_LONG:
        sim_watchdog_bark("stream %llu, with %llu of %llu operations done, still waits for "
                          "operation %llu of stream %llu, which is done", id, done, all, wanted,
                          (unsigned long long)s->other);
    case PARKED_AT_END:
        sim_watchdog_bark("stream %llu, with %llu of %llu operations done, still waits for a "
                          "launch that is over", id, done, all);
    case WAKE_UP_LOST:
        sim_watchdog_bark("somebody waits for operation %llu of stream %llu, and was not woken "
                          "when it was done; %llu of %llu are", wanted, id, done, all);
    case ALL_ASLEEP:
        sim_watchdog_bark("something is to be run or looked at, and all %llu workers sleep",
                          wanted);
    case ALL_IS_WELL:
        return;
    }
}

/* Inspects all once, and reports what was wrong for long enough. */
static void inspect_engine(struct engine *engine, struct watchdog *dog)
{
    struct suspicion now = inspect_strands(engine, &dog->suspicion);
    if (!now.wrong) now = inspect_workers(engine);
    bool same = now.wrong && is_same(&now, &dog->suspicion);
    if (!same) dog->proofs = 0;
    else if (!rl_progress_made(&dog->progress)) return;
    else if (++dog->proofs == PROOFS) report_suspicion(&now);
    dog->suspicion = now;
    if (now.wrong) rl_progress_mark(&dog->progress);
}

static void *watchdog_main(void *data)
{
    struct engine *engine = data;
    struct watchdog *dog = engine->watchdog;
    rl_begin_standing_by(); /* hangs are proved although there is a watchdog */
    while (!atomic_load(&dog->futex_word)) {
        rl_park(&dog->futex_word, 0, INSPECTION_NS);
        if (!atomic_load(&dog->futex_word)) inspect_engine(engine, dog);
    }
    rl_end_standing_by();
    return NULL;
}

rill_status sim_watchdog_start(struct engine *engine)
{
    struct watchdog *dog = rl_zalloc(sizeof *dog);
    if (!dog) return RILL_ERROR_OUT_OF_MEMORY;
    engine->watchdog = dog;
    if (rl_thread_start(&dog->thread, watchdog_main, engine)) return RILL_SUCCESS;
    engine->watchdog = NULL;
    rl_free(dog);
    return rill_backend_fail(RILL_ERROR_OPERATING_SYSTEM, "RILL_SIM_WATCHDOG",
                             "there is no thread for the simulator's watchdog");
}

void sim_watchdog_stop(struct engine *engine)
{
    struct watchdog *dog = engine->watchdog;
    if (!dog || dog->ended) return;
    atomic_store(&dog->futex_word, 1);
    rl_unpark(&dog->futex_word, 1);
    pthread_join(dog->thread, NULL);
    dog->ended = true;
}

void sim_watchdog_free(struct engine *engine)
{
    rl_free(engine->watchdog);
}
