/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/program/stepper.h"

#include "backend-sim/program/external_node.h"
#include "backend-sim/program/run.h"
#include "backend-sim/scheduler/strand.h"
#include "base/alloc.h"

struct stepper {
    struct program *program;
    struct launch *launch;
    uint32_t done;       /* nodes                                          */
    uint32_t free_count; /* in `free`                                      */
    uint32_t *free;      /* places all of whose predecessors are done, in ascending order */
    uint32_t *choices;   /* those of them that wait for nothing outside    */
    uint32_t missing[];  /* of each place: predecessors that are not done  */
};

struct stepper *sim_stepper_create(struct program *program)
{
    uint32_t count = program->count;
    struct stepper *stepper = rl_zalloc(sizeof *stepper + 3 * (size_t)count * sizeof(uint32_t));
    if (!stepper) return NULL;
    stepper->program = program;
    stepper->free = stepper->missing + count;
    stepper->choices = stepper->free + count;
    return stepper;
}

void sim_stepper_begin(struct stepper *stepper, struct launch *launch)
{
    const struct program *program = stepper->program;
    stepper->launch = launch;
    stepper->done = 0;
    stepper->free_count = 0;
    for (uint32_t p = 0; p < program->count; p++) {
        stepper->missing[p] = program->in_degrees[p];
        if (!stepper->missing[p]) stepper->free[stepper->free_count++] = p;
    }
}

void sim_stepper_free(struct stepper *stepper)
{
    rl_free(stepper);
}

static struct external_node *waiting_node(const struct stepper *stepper, uint32_t place)
{
    struct entry *entry = &stepper->program->entries[place];
    return sim_entry_waits(entry) ? entry->arg : NULL;
}

const uint32_t *sim_stepper_choices(struct stepper *stepper, uint32_t *count)
{
    *count = 0;
    for (uint32_t i = 0; i < stepper->free_count; i++) {
        uint32_t place = stepper->free[i];
        const struct external_node *node = waiting_node(stepper, place);
        if (!node || sim_external_can_go_on(node, stepper->launch))
            stepper->choices[(*count)++] = place;
    }
    return stepper->choices;
}

bool sim_stepper_held_up_by(const struct stepper *stepper, struct point *point)
{
    for (uint32_t i = 0; i < stepper->free_count; i++) {
        const struct external_node *node = waiting_node(stepper, stepper->free[i]);
        if (!node || !sim_external_awaits_event(node)) continue;
        *point = stepper->launch->awaited[node - stepper->program->external_nodes];
        if (sim_point_reached(*point)) continue;
        sim_strand_retain(point->strand);
        return true;
    }
    return false;
}

void sim_stepper_waits_for(const struct stepper *stepper, char *text, size_t bytes)
{
    text[0] = '\0';
    for (uint32_t i = 0; i < stepper->free_count && !text[0]; i++) {
        const struct external_node *node = waiting_node(stepper, stepper->free[i]);
        if (node && !sim_external_awaits_event(node) &&
            !sim_external_can_go_on(node, stepper->launch))
            sim_external_describe(node, text, bytes);
    }
}

/* ---- A step -------------------------------------------------------------------- */

static void add_free(struct stepper *stepper, uint32_t place)
{
    uint32_t at = stepper->free_count++;
    for (; at && stepper->free[at - 1] > place; at--) stepper->free[at] = stepper->free[at - 1];
    stepper->free[at] = place;
}

static void remove_free(struct stepper *stepper, uint32_t place)
{
    uint32_t at = 0;
    while (stepper->free[at] != place) at++;
    stepper->free_count--;
    for (; at < stepper->free_count; at++) stepper->free[at] = stepper->free[at + 1];
}

static void run_node(const struct stepper *stepper, uint32_t place)
{
    const struct entry *entry = &stepper->program->entries[place];
    if (sim_strand_observed(stepper->launch->context.strand))
        sim_program_run_observed(stepper->launch, stepper->program, place);
    else
        entry->fn(entry->arg);
}

bool sim_stepper_run(struct stepper *stepper, uint32_t place)
{
    const struct program *program = stepper->program;
    struct external_node *node = waiting_node(stepper, place);
    if (sim_run_failed()) return true;
    if (node && !sim_external_go_on(node)) return false;
    if (!node) run_node(stepper, place);
    remove_free(stepper, place);
    for (uint32_t e = program->edge_starts[place]; e < program->edge_starts[place + 1]; e++)
        if (!--stepper->missing[program->successors[e]]) add_free(stepper, program->successors[e]);
    return ++stepper->done == program->count || sim_run_failed();
}
