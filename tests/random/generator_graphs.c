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

void draft_charts(struct draft *draft)
{
    struct program *program = draft->program;
    struct dice *dice = &draft->dice;
    program->graphs = 1 + dice_below(dice, GRAPHS_MAX);
    for (int g = 0; g < program->graphs; g++) {
        struct chart *chart = &program->chart[g];
        int context = dice_below(dice, program->contexts);
        chart->context = (uint8_t)context;
        chart->recorded = pick_of(dice, program->events, program, context, true);
        chart->awaited = pick_of(dice, program->events, program, context, true);
        chart->buffer = pick_of(dice, program->buffers, program, context, false);
        chart->source = pick_of(dice, program->buffers, program, context, false);
        if (chart->awaited == chart->recorded) chart->awaited = -1;
        if (chart->source == chart->buffer) chart->source = -1;
        chart_draw(chart, dice);
    }
}

/* ---- Drawing a step that uses an exec ----------------------------------------------- */

/* The thread of the next step knows of all its uses. */
static bool usable_exec(struct draft *draft, int graph)
{
    const struct program *program = draft->program;
    const struct chart *chart = &program->chart[graph];
    if (draft->retired[graph]) return false;
    for (int k = 0; k < draft->model.known; k++)
        if (program->step[k].graph == graph && !draft_happened(draft, k)) return false;
    return (chart->recorded < 0 || draft_usable_event(draft, chart->recorded, true)) &&
           (chart->awaited < 0 || draft_usable_event(draft, chart->awaited, false));
}

static bool draw_launch(struct draft *draft, struct step *s, const struct chart *chart)
{
    if (chart->context != draft->program->stream[s->stream].context) return false;
    if (draft->model.tally[s->graph].launches == LAUNCHES_MAX) return false;
    s->buffer = chart->buffer;
    s->source = chart->source;
    model_foresee(&draft->model);
    return model_memory_ordered(&draft->model, draft->model.known);
}

bool draft_exec(struct draft *draft, struct step *s)
{
    if (!draft->program->graphs) return false;
    s->graph = (int8_t)dice_below(&draft->dice, draft->program->graphs);
    const struct chart *chart = &draft->program->chart[s->graph];
    const struct tally *tally = &draft->model.tally[s->graph];
    if (!usable_exec(draft, s->graph)) return false;
    s->event = chart->recorded;
    s->event2 = chart->awaited;
    int n = dice_below(&draft->dice, chart->nodes);
    switch (s->verb) {
    case DO_LAUNCH:
        return draw_launch(draft, s, chart);
    case DO_SWITCH:
        s->node = (int8_t)n;
        s->how = !(tally->enabled_now >> n & 1);
        return !chart->goes && chart_can_switch(chart, n);
    case DO_CHANGE:
        s->node = (int8_t)n;
        if (chart->goes || !chart_can_change(chart, n)) return false;
        break;
    case DO_UPDATE:
        if (chart->goes && chart->fixed) return false;
        break;
    default: /* it is not launched again */
        return draft->retired[s->graph] = true;
    }
    if (draft->versions[s->graph] == VERSIONS_MAX - 1) return false;
    s->how = (uint8_t)++draft->versions[s->graph];
    return true;
}

bool draft_await_exec(struct draft *draft, struct step *s)
{
    for (int k = draft->model.known - 1; k >= 0; k--) {
        if (draft->program->step[k].graph < 0 || draft_happened(draft, k)) continue;
        s->partner = (int16_t)k;
        return true;
    }
    return false;
}
