/* SPDX-License-Identifier: Apache-2.0
 *
 * From the text of a program to its model.
 */
#include "random/model.h"

#include <string.h>

/* ---- Memory ------------------------------------------------------------------------------ */

static bool conflict(const struct program *program, int a, int b)
{
    const struct step *x = &program->step[a], *y = &program->step[b];
    unsigned tx = traits_of(program, a), ty = traits_of(program, b);
    bool x_writes = (tx & WRITES) && x->buffer >= 0, y_writes = (ty & WRITES) && y->buffer >= 0;
    if (x_writes && y_writes && x->buffer == y->buffer) return true;
    if (x_writes && (ty & READS) && x->buffer == y->source) return true;
    return (tx & READS) && y_writes && x->source == y->buffer;
}

bool model_memory_ordered(const struct model *model, int step)
{
    const struct program *program = model->program;
    if (!(traits_of(program, step) & (READS | WRITES))) return true;
    bool launches = program->step[step].verb == DO_LAUNCH;
    const struct step_set *before = launches ? &model->entry[step] : &model->promised[step];
    for (int k = 0; k < step; k++)
        if (!program->step[k].dropped && conflict(program, k, step) &&
            !set_has(before, k))
            return false;
    return true;
}

/* All that touches a buffer is ordered, so the list's order is the true one. */
static void move_values(struct model *model, int step)
{
    const struct step *s = &model->program->step[step];
    unsigned traits = traits_of(model->program, step);
    bool copies = s->verb == DO_COPY;
    if ((traits & READS) && s->source >= 0) model->value[step] = model->content[s->source];
    if ((traits & WRITES) && s->buffer >= 0)
        model->content[s->buffer] = copies ? model->value[step] : value_written(step);
}

/* ---- Building ------------------------------------------------------------------------------ */

void model_start(struct model *model, const struct program *program)
{
    model->program = program;
    model->known = 0;
    model->whole = false;
    for (int t = 0; t < THREADS_MAX; t++) model->last[t] = -1;
    memset(model->content, 0, sizeof model->content);
    for (int g = 0; g < program->graphs; g++) expected_runs_start(&model->expected[g]);
}

void model_look_back(struct model *model)
{
    model_order_host(model, model->known);
}

struct step_set model_foresee(struct model *model)
{
    int step = model->known;
    model_order_host(model, step);
    if (model->program->step[step].verb == DO_LAUNCH) model->entry[step] = model_entry(model, step);
    return model->promised[step] = model_promise(model, step);
}

static void settle(struct model *model, int step)
{
    struct step_set *settled = &model->settled[step];
    memset(settled, 0, sizeof *settled);
    for (int k = 0; k < step; k++) {
        if (!host_before(model, k, step) || model->program->step[k].dropped) continue;
        unsigned traits = traits_of(model->program, k);
        if (!(traits & SETTLES)) continue;
        set_join(settled, &model->promised[k]);
        if (traits & ON_DEVICE) set_add(settled, k);
    }
}

void model_add(struct model *model)
{
    int step = model->known, graph = model->program->step[step].graph;
    model_foresee(model);
    move_values(model, step);
    if (graph >= 0)
        expected_runs_add(&model->expected[graph], &model->program->graph[graph], model->program,
                          step);
    if (model->whole) settle(model, step);
    model->last[model->program->step[step].thread] = step;
    model->known++;
}

static bool needs_met(const struct model *model, int step)
{
    const struct program *program = model->program;
    const struct step *s = &program->step[step];
    if (s->partner >= 0 && program->step[s->partner].dropped) return false;
    if (s->stream >= 0 && program->stream[s->stream].born >= 0 &&
        program->step[program->stream[s->stream].born].dropped)
        return false;
    if (s->other >= 0 && program->stream[s->other].born >= 0 &&
        program->step[program->stream[s->other].born].dropped)
        return false;
    for (int i = 0; i < 2; i++) {
        int event = i ? s->event2 : s->event;
        if (event >= 0 && program->event[event].born >= 0 &&
            program->step[program->event[event].born].dropped)
            return false;
    }
    return true;
}

bool model_make(struct model *model, const struct program *program)
{
    model_start(model, program);
    /* First the host's order of all, which events need to be looked at. */
    for (int i = 0; i < program->steps; i++) {
        if (program->step[i].dropped) {
            memset(&model->earlier[i], 0, sizeof model->earlier[i]);
            continue;
        }
        if (!needs_met(model, i)) return false;
        model_order_host(model, i);
        model->last[program->step[i].thread] = i;
    }
    model->known = program->steps;
    model_start(model, program);
    model->whole = true;
    for (int i = 0; i < program->steps; i++) {
        if (program->step[i].dropped) {
            memset(&model->promised[i], 0, sizeof model->promised[i]);
            memset(&model->settled[i], 0, sizeof model->settled[i]);
            model->known++;
            continue;
        }
        model_add(model);
        if (!model_memory_ordered(model, i)) return false;
        const struct step *s = &program->step[i];
        if (s->verb == DO_FREE && !set_has(&model->promised[i], s->partner)) return false;
    }
    return true;
}

