/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/clock/clock.h"

#include <stdatomic.h>

#include "backend-sim/machine/machine.h"
#include "backend-sim/schedule/schedule.h"
#include "base/alloc.h"
#include "base/charge.h"

_Static_assert(WHOLE_OPERATION == HOLD_ANY_PLACE, "both name the operation itself");

/* The time of the step that this thread, which takes steps, is in. */
static _Thread_local struct {
    const struct virtual_clock *clock;
    uint64_t time;
} step_here;

/* ---- What is possible --------------------------------------------------------------------- */

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Notes since when a step is possible, and what it will cost as far as that is known. */
static void make_ready(struct virtual_clock *clock, struct step *step,
                       const struct candidate *candidate)
{
    struct cell *cell = sim_queue_front(&candidate->strand->queue);
    step->state = STEP_READY;
    step->order = ++clock->orders;
    step->ready = clock->stepped ? clock->now : later(clock->now, clock->host);
    step->after = clock->stepped ? clock->stepped_after : clock->host_after;
    step->span = NO_SPAN;
    step->engine = NULL;
    step->demand = (struct demand){ .platform = clock->platform,
                                    .device = candidate->strand->device->ordinal };
    if (cell->type->demand) cell->type->demand(cell, candidate->place, &step->demand);
    step->cost = *sim_cost_of(clock->costs, &step->demand);
    /* What has no step to end it is ready later instead. */
    if (step->demand.kind == DEMAND_GRAPH) step->ready += step->cost.ns;
}

/* Returns the step of a candidate, or NULL if memory is short: then it takes no time. */
static struct step *step_of(struct virtual_clock *clock, const struct candidate *candidate)
{
    struct step *step = sim_steps_find(&clock->steps, candidate->stream, candidate->number,
                                       candidate->place);
    bool known = step;
    if (!step)
        step = sim_steps_add(&clock->steps, candidate->stream, candidate->number,
                             candidate->place);
    /* One that had to wait when it was chosen can begin again. */
    if (step && (!known || step->state == STEP_RUNS)) make_ready(clock, step, candidate);
    return step;
}

/* Returns the place on an engine that the step will have, or NULL if it needs none. */
static struct engine_place *engine_for(struct virtual_clock *clock, const struct step *step)
{
    return sim_engine_place(clock->engines, clock->costs, step->demand.kind, step->demand.device);
}

static uint64_t time_of(struct virtual_clock *clock, const struct step *step)
{
    if (step->state == STEP_LASTS) return step->end;
    const struct engine_place *place = engine_for(clock, step);
    return later(later(step->ready, clock->now), place ? place->free_at : 0);
}

/* ---- Choosing ------------------------------------------------------------------------------ */

struct choice {
    uint32_t index;
    struct step *step;
    uint64_t time;
};

/* Tells whether a step comes before another one.  At one time, ends come first, and then what was
 * possible earlier. */
static bool comes_before(const struct choice *a, const struct choice *b)
{
    if (a->time != b->time) return a->time < b->time;
    bool a_ends = a->step->state == STEP_LASTS, b_ends = b->step->state == STEP_LASTS;
    if (a_ends != b_ends) return a_ends;
    if (a->step->ready != b->step->ready) return a->step->ready < b->step->ready;
    return a->step->order < b->step->order;
}

static struct choice first_step(struct virtual_clock *clock, const struct candidate *candidates,
                                uint32_t count)
{
    struct choice best = { .step = NULL };
    for (uint32_t i = 0; i < count; i++) {
        struct choice choice = { .index = i, .step = step_of(clock, &candidates[i]) };
        if (!choice.step) return (struct choice){ .index = i, .time = clock->now };
        choice.time = time_of(clock, choice.step);
        if (!best.step || comes_before(&choice, &best)) best = choice;
    }
    clock->stepped = false;
    return best;
}

static void add_span(struct virtual_clock *clock, struct step *step,
                     const struct candidate *candidate)
{
    const struct demand *demand = &step->demand;
    const struct strand *strand = candidate->strand;
    static const rill_op_kind kinds[DEMAND_KINDS] = {
        [DEMAND_FILL] = RILL_OP_MEMSET, [DEMAND_KERNEL] = RILL_OP_KERNEL,
        [DEMAND_HOST] = RILL_OP_HOST, [DEMAND_CONDITIONAL] = RILL_OP_CONDITIONAL,
    };
    bool copies = demand->kind < DEMAND_FILL;
    step->span = sim_history_add(&clock->history, &(rill_sim_span){
        .kind = copies ? RILL_OP_MEMCPY : kinds[demand->kind],
        .device = demand->device, .stream = strand->id, .point = step->number,
        .node = step->place == WHOLE_OPERATION ? 0 : (uint64_t)step->place + 1,
        .name = demand->name ? demand->name : sim_demand_words(demand->kind),
        .ready_ns = step->ready, .start_ns = step->start, .end_ns = step->start,
        .after = step->after });
}

/* Begins a step: takes its engine, and the span that had it is what the step comes after if it
 * had to wait for that. */
static void begin_step(struct virtual_clock *clock, struct step *step,
                       const struct candidate *candidate)
{
    struct engine_place *place = engine_for(clock, step);
    step->state = STEP_RUNS;
    step->start = step->end = clock->now;
    if (place && place->free_at > step->ready) step->after = place->last;
    clock->stepped_after = step->after;
    if (step->demand.kind == DEMAND_NOTHING || step->demand.kind == DEMAND_GRAPH) return;
    add_span(clock, step, candidate);
    step->demand.name = NULL; /* it may go */
    step->engine = place;
    if (place) place->free_at = ENGINE_BUSY;
    if (step->cost.measured) step->begun_real = rl_monotonic_ns();
}

static void take_choice(struct virtual_clock *clock, const struct choice *choice,
                        const struct candidate *candidate)
{
    struct step *step = choice->step;
    clock->now = later(clock->now, choice->time);
    clock->stepped = true;
    if (!step) {
        clock->stepped_after = NO_SPAN;
    } else if (step->state == STEP_LASTS) {
        step->state = STEP_ENDS;
        clock->stepped_after = step->span != NO_SPAN ? step->span : step->after;
    } else {
        begin_step(clock, step, candidate);
    }
}

/* Charges the host for the calls that it made since. */
static void charge_calls(struct virtual_clock *clock, uint64_t calls)
{
    if (calls != clock->calls) clock->stepped = false; /* what is new is the host's */
    clock->host += (calls - clock->calls) * clock->costs->call_ns;
    clock->calls = calls;
}

static uint32_t choose_first(struct virtual_clock *clock, const struct candidate *candidates,
                             uint32_t count, enum moment_kind moment)
{
    struct choice choice = first_step(clock, candidates, count);
    if (!count) return CHOOSE_HOST;
    if (moment == MOMENT_CALL && choice.time > clock->host) return CHOOSE_HOST;
    take_choice(clock, &choice, &candidates[choice.index]);
    if (moment != MOMENT_CALL) {
        clock->host = later(clock->host, clock->now);
        clock->host_after = clock->stepped_after;
    }
    return choice.index;
}

static uint32_t choose_timed(struct policy_state *state, const struct candidate *candidates,
                             uint32_t count, enum moment_kind moment)
{
    struct virtual_clock *clock = state->spec.data;
    rl_lock(&clock->lock);
    charge_calls(clock, state->calls);
    uint32_t index = choose_first(clock, candidates, count, moment);
    rl_unlock(&clock->lock);
    return index;
}

static const struct schedule_policy timed_policy = {
    .name = "timed", .choose = choose_timed, .sees_all = true,
    .form = "it follows from RILL_SIM_CLOCK=virtual",
};

/* ---- Taking steps ------------------------------------------------------------------------- */

/* Returns the strand's step.  Requires clock->lock. */
static struct step *step_at(const struct virtual_clock *clock, const struct strand *strand,
                            uint32_t place)
{
    uint64_t completed = atomic_load_explicit(&strand->completed, memory_order_relaxed);
    return sim_steps_find(&clock->steps, strand->ordinal, completed + 1, place);
}

static void set_step_time(const struct virtual_clock *clock, uint64_t time)
{
    step_here.clock = clock;
    step_here.time = time;
}

static uint64_t read_clock(struct virtual_time *time)
{
    struct virtual_clock *clock = (struct virtual_clock *)time;
    if (step_here.clock == clock) return step_here.time;
    rl_lock(&clock->lock);
    uint64_t now = clock->host;
    rl_unlock(&clock->lock);
    return now;
}

static bool ends_here(struct virtual_time *time, const struct strand *strand, uint32_t place)
{
    struct virtual_clock *clock = (struct virtual_clock *)time;
    rl_lock(&clock->lock);
    struct step *step = step_at(clock, strand, place);
    set_step_time(clock, clock->now);
    /* The thread that stops the schedule takes steps that nobody chose. */
    bool ends = step && (step->state == STEP_ENDS || step->state == STEP_LASTS);
    if (ends) sim_steps_remove(&clock->steps, step);
    else rl_charge = (struct rl_charge){ .counted = false };
    rl_unlock(&clock->lock);
    return ends;
}

/* Returns how long a step took that has run. */
static uint64_t duration_of(const struct step *step)
{
    uint64_t amount = rl_charge.counted ? rl_charge.amount : step->demand.amount;
    if (step->cost.measured) return rl_monotonic_ns() - step->begun_real + rl_charge.ns;
    return sim_cost_ns(&step->cost, amount) + rl_charge.ns;
}

static bool takes_time(const struct virtual_clock *clock, const struct step *step)
{
    return step->demand.kind != DEMAND_NOTHING && step->demand.kind != DEMAND_GRAPH &&
           !(atomic_load(&clock->platform->engine->attention) & ATTEND_FAULT);
}

/* Notes when a step ends that has run.  Functions may have waited while others ran.  Requires
 * clock->lock. */
static void note_end(struct virtual_clock *clock, struct step *step)
{
    uint64_t took = takes_time(clock, step) ? duration_of(step) : 0;
    step->end = later(step->start + took, clock->now);
    step->state = STEP_LASTS;
    rill_sim_span *span = sim_history_span(&clock->history, step->span);
    if (span) span->end_ns = step->end;
    if (!step->engine) return;
    step->engine->free_at = step->end;
    step->engine->last = step->span;
}

static void note_ran(struct virtual_time *time, const struct strand *strand, uint32_t place)
{
    struct virtual_clock *clock = (struct virtual_clock *)time;
    rl_lock(&clock->lock);
    struct step *step = step_at(clock, strand, place);
    if (step && step->state == STEP_RUNS) note_end(clock, step);
    if (step) set_step_time(clock, step->end);
    rl_unlock(&clock->lock);
}

static bool lasts_longer(struct virtual_time *time, const struct strand *strand, uint32_t place)
{
    struct virtual_clock *clock = (struct virtual_clock *)time;
    rl_lock(&clock->lock);
    struct step *step = step_at(clock, strand, place);
    if (step && step->state == STEP_RUNS) note_end(clock, step);
    bool lasts = step && step->end > clock->now;
    if (step && !lasts) {
        if (step->span != NO_SPAN) clock->stepped_after = step->span;
        sim_steps_remove(&clock->steps, step);
    }
    set_step_time(clock, clock->now);
    rl_unlock(&clock->lock);
    return lasts;
}

/* ---- Life ------------------------------------------------------------------------------------ */

struct virtual_clock *sim_clock_create(const struct sim_platform *platform, struct costs *costs)
{
    struct virtual_clock *clock = rl_zalloc(sizeof *clock);
    if (clock) clock->engines = sim_engines_create(platform->device_count);
    if (!clock || !clock->engines) {
        sim_costs_free(costs);
        rl_free(clock);
        return NULL;
    }
    clock->time = (struct virtual_time){ read_clock, ends_here, note_ran, lasts_longer };
    clock->costs = costs;
    clock->platform = platform;
    clock->host_after = clock->stepped_after = NO_SPAN;
    return clock;
}

void sim_clock_free(struct virtual_clock *clock)
{
    if (!clock) return;
    sim_costs_free(clock->costs);
    sim_steps_fini(&clock->steps);
    sim_history_fini(&clock->history);
    rl_free(clock->engines);
    rl_free(clock);
}

void sim_clock_make_spec(struct virtual_clock *clock, struct schedule_spec *spec)
{
    *spec = (struct schedule_spec){ .policy = &timed_policy, .data = clock };
}

void sim_clock_let_pass(struct virtual_clock *clock, struct schedule *schedule, uint64_t ns)
{
    sim_schedule_enter(schedule, false);
    rl_lock(&clock->lock);
    if (__builtin_add_overflow(clock->host, ns, &clock->host)) clock->host = UINT64_MAX / 2;
    rl_unlock(&clock->lock);
    sim_schedule_forget_queries(schedule); /* who lets time pass does not ask without end */
    sim_schedule_leave(schedule);
}
