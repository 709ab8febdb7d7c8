/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs of random programs, and the steps that use their execs.
 */
#include "random/generator.h"

/* An event or buffer of the context, or -1. */
static int8_t pick_of(struct dice *dice, int count, const struct program *program, int context,
                      bool events)
{
    if (!dice_chance(dice, 50)) return -1;
    int i = dice_below(dice, count);
    int its = events ? program->event[i].context : program->context_of[i];
    return its == context ? (int8_t)i : -1;
}

void generator_draw_graphs(struct generator *generator)
{
    struct program *program = generator->program;
    struct dice *dice = &generator->dice;
    program->graphs = 1 + dice_below(dice, GRAPHS_MAX);
    for (int g = 0; g < program->graphs; g++) {
        struct graph_plan *plan = &program->graph[g];
        int context = dice_below(dice, program->contexts);
        plan->context = (uint8_t)context;
        plan->recorded = pick_of(dice, program->events, program, context, true);
        plan->awaited = pick_of(dice, program->events, program, context, true);
        plan->buffer = pick_of(dice, program->buffers, program, context, false);
        plan->source = pick_of(dice, program->buffers, program, context, false);
        if (plan->awaited == plan->recorded) plan->awaited = -1;
        if (plan->source == plan->buffer) plan->source = -1;
        graph_draw(plan, dice);
    }
}

/* ---- Drawing a step that uses an exec ----------------------------------------------- */

/* The thread of the next step knows of all its uses. */
static bool usable_exec(struct generator *generator, int graph)
{
    const struct program *program = generator->program;
    const struct graph_plan *plan = &program->graph[graph];
    if (generator->retired[graph]) return false;
    for (int k = 0; k < generator->model.known; k++)
        if (program->step[k].graph == graph && !generator_knows(generator, k)) return false;
    return (plan->recorded < 0 || generator_may_use_event(generator, plan->recorded, true)) &&
           (plan->awaited < 0 || generator_may_use_event(generator, plan->awaited, false));
}

static bool draw_launch(struct generator *generator, struct step *s, const struct graph_plan *plan)
{
    if (plan->context != generator->program->stream[s->stream].context) return false;
    if (generator->model.expected[s->graph].launches == LAUNCHES_MAX) return false;
    s->buffer = plan->buffer;
    s->source = plan->source;
    model_foresee(&generator->model);
    return model_memory_ordered(&generator->model, generator->model.known);
}

bool generator_use_exec(struct generator *generator, struct step *s)
{
    if (!generator->program->graphs) return false;
    s->graph = (int8_t)dice_below(&generator->dice, generator->program->graphs);
    const struct graph_plan *plan = &generator->program->graph[s->graph];
    const struct expected_runs *expected = &generator->model.expected[s->graph];
    if (!usable_exec(generator, s->graph)) return false;
    s->event = plan->recorded;
    s->event2 = plan->awaited;
    int n = dice_below(&generator->dice, plan->nodes);
    switch (s->verb) {
    case DO_LAUNCH:
        return draw_launch(generator, s, plan);
    case DO_SWITCH:
        s->node = (int8_t)n;
        s->how = !(expected->enabled_now >> n & 1);
        return !plan->goes && graph_can_switch(plan, n);
    case DO_CHANGE:
        s->node = (int8_t)n;
        if (plan->goes || !graph_can_change_alone(plan, n)) return false;
        break;
    case DO_UPDATE:
        if (plan->goes && plan->fixed) return false;
        break;
    default: /* it is not launched again */
        return generator->retired[s->graph] = true;
    }
    if (generator->versions[s->graph] == VERSIONS_MAX - 1) return false;
    s->how = (uint8_t)++generator->versions[s->graph];
    return true;
}

bool generator_await_exec(struct generator *generator, struct step *s)
{
    for (int k = generator->model.known - 1; k >= 0; k--) {
        if (generator->program->step[k].graph < 0 || generator_knows(generator, k)) continue;
        s->partner = (int16_t)k;
        return true;
    }
    return false;
}
