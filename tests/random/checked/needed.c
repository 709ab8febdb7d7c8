/* SPDX-License-Identifier: Apache-2.0 */
#include "random/checked/needed.h"

/* ---- Edges ------------------------------------------------------------------------------- */

static bool makes_node(const struct step *s)
{
    bool adds = s->verb >= DO_NODE && s->verb <= DO_CONDITIONAL;
    return s->graph >= 0 && (adds || s->verb == DO_WORK);
}

int node_number(const struct recorded *program, int step)
{
    int number = 0, graph = program->step[step].graph;
    for (int i = 0; i < step; i++)
        number += makes_node(&program->step[i]) && program->step[i].graph == graph;
    return number;
}

/* The graph from which an exec of this graph, or one that is updated with it, was made. */
static int family_of(const struct recorded *program, int graph)
{
    int exec = -1;
    for (int i = 0; i < program->steps; i++)
        if (program->step[i].verb == DO_UPDATE && program->step[i].graph == graph)
            exec = program->step[i].exec;
    for (int i = 0; i < program->steps && exec >= 0; i++)
        if (program->step[i].verb == DO_EXEC && program->step[i].exec == exec)
            return program->step[i].graph;
    return graph;
}

void edge_set(struct recorded *program, int graph, int from, int to, bool there)
{
    int family = family_of(program, graph);
    for (int i = 0; i < program->steps; i++) {
        struct step *s = &program->step[i];
        if (!makes_node(s) || s->verb == DO_WORK || node_number(program, i) != to) continue;
        if (family_of(program, s->graph) != family) continue;
        if (there) s->after |= UINT32_C(1) << from;
        else s->after &= ~(UINT32_C(1) << from);
    }
}

/* ---- What is needed ---------------------------------------------------------------------- */

void removal_apply(struct recorded *less, const struct recorded *program, struct removal removal)
{
    *less = *program;
    if (removal.from < 0) recorded_drop(less, removal.step);
    else edge_set(less, less->step[removal.step].graph, removal.from,
                  node_number(less, removal.step), false);
}

static bool is_needed(const struct recorded *program, struct removal removal)
{
    static struct recorded less;
    static struct promises promises;
    int one, other;
    removal_apply(&less, program, removal);
    promises_make(&promises, &less);
    return promises.valid && promises_races(&promises, &one, &other) > 0;
}

static bool orders(const struct step *s)
{
    return s->verb == DO_WAIT || s->verb == DO_WAIT_STREAM || s->verb == DO_WAIT_VALUE ||
           (s->verb >= DO_SYNC_STREAM && s->verb <= DO_POLL_EVENT);
}

int removals_find(const struct recorded *program, struct removal *removals)
{
    int count = 0;
    for (int i = 0; i < program->steps; i++) {
        const struct step *s = &program->step[i];
        struct removal removal = { (int16_t)i, -1 };
        if (orders(s) && is_needed(program, removal)) removals[count++] = removal;
        for (removal.from = 0; removal.from < NODES_MAX; removal.from++)
            if (s->after >> removal.from & 1 && is_needed(program, removal))
                removals[count++] = removal;
    }
    return count;
}

void recorded_shrink(struct recorded *program, bool (*fails)(const struct recorded *, void *),
                     void *data)
{
    static struct recorded less;
    static struct promises promises;
    bool smaller = true;
    while (smaller) {
        smaller = false;
        for (int i = program->steps - 1; i >= 0; i--) {
            removal_apply(&less, program, (struct removal){ (int16_t)i, -1 });
            promises_make(&promises, &less);
            if (!promises.valid || !fails(&less, data)) continue;
            *program = less;
            smaller = true;
        }
    }
}
