/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/program/stepper.h"

#include "backend-sim/program/conditional_run.h"
#include "backend-sim/program/external_node.h"
#include "backend-sim/program/run.h"
#include "backend-sim/program/watched_node.h"
#include "backend-sim/scheduler/virtual_time.h"
#include "base/alloc.h"

/* A conditional node of the program. */
struct inside {
    struct stepper **bodies;
    struct stepper *open;   /* the body that runs, or NULL */
};

struct stepper {
    struct program *program;
    struct launch *launch;
    struct stepper *outer;  /* of a body: that of the program which it is in */
    uint32_t outer_place;   /* ... and its conditional node                  */
    struct inside *insides; /* as in program->conditional_index              */
    uint32_t running;       /* place of the node that is in its middle, or NODE_NONE */
    uint32_t done;          /* nodes                                         */
    uint32_t free_count;    /* in `free`                                     */
    uint32_t *free;         /* places all of whose predecessors are done, in ascending order */
    uint32_t *choices;      /* with room for all nodes; NULL for a body      */
    uint32_t missing[];     /* of each place: predecessors that are not done */
};

/* ---- Making ----------------------------------------------------------------- */

static struct stepper *create_for(struct program *program, struct stepper *outer, uint32_t place);

static uint32_t count_nodes(const struct program *program)
{
    uint32_t count = program->count;
    for (const struct conditional_run *run = program->conditionals; run; run = run->next)
        for (uint32_t i = 0; i < run->body_count; i++) count += count_nodes(run->bodies[i]);
    return count;
}

static bool make_inside(struct stepper *stepper, struct inside *inside,
                        const struct conditional_run *run)
{
    inside->bodies = rl_zalloc(run->body_count * sizeof(struct stepper *));
    for (uint32_t i = 0; inside->bodies && i < run->body_count; i++)
        if (!(inside->bodies[i] = create_for(run->bodies[i], stepper, run->place))) return false;
    return inside->bodies;
}

static bool make_insides(struct stepper *stepper)
{
    const struct program *program = stepper->program;
    if (!program->conditional_count) return true;
    stepper->insides = rl_zalloc(program->conditional_count * sizeof *stepper->insides);
    for (uint32_t i = 0; stepper->insides && i < program->conditional_count; i++)
        if (!make_inside(stepper, &stepper->insides[i], program->conditional_index[i]))
            return false;
    return stepper->insides;
}

static struct stepper *create_for(struct program *program, struct stepper *outer, uint32_t place)
{
    uint32_t count = program->count;
    struct stepper *stepper = rl_zalloc(sizeof *stepper + 2 * (size_t)count * sizeof(uint32_t));
    if (!stepper) return NULL;
    stepper->program = program;
    stepper->outer = outer;
    stepper->outer_place = place;
    stepper->free = stepper->missing + count;
    if (make_insides(stepper)) return stepper;
    sim_stepper_free(stepper);
    return NULL;
}

struct stepper *sim_stepper_create(struct program *program)
{
    struct stepper *stepper = create_for(program, NULL, NODE_NONE);
    if (!stepper) return NULL;
    stepper->choices = rl_alloc((count_nodes(program) + (size_t)1) * sizeof(uint32_t));
    if (stepper->choices) return stepper;
    sim_stepper_free(stepper);
    return NULL;
}

static void free_inside(struct inside *inside, const struct conditional_run *run)
{
    for (uint32_t i = 0; inside->bodies && i < run->body_count; i++)
        sim_stepper_free(inside->bodies[i]);
    rl_free(inside->bodies);
}

void sim_stepper_free(struct stepper *stepper)
{
    if (!stepper) return;
    const struct program *program = stepper->program;
    for (uint32_t i = 0; stepper->insides && i < program->conditional_count; i++)
        free_inside(&stepper->insides[i], program->conditional_index[i]);
    rl_free(stepper->insides);
    rl_free(stepper->choices);
    rl_free(stepper);
}

/* ---- What can run ------------------------------------------------------------- */

void sim_stepper_begin(struct stepper *stepper, struct launch *launch)
{
    const struct program *program = stepper->program;
    stepper->launch = launch;
    stepper->running = NODE_NONE;
    stepper->done = 0;
    stepper->free_count = 0;
    for (uint32_t i = 0; i < program->conditional_count; i++) stepper->insides[i].open = NULL;
    for (uint32_t p = 0; p < program->count; p++) {
        stepper->missing[p] = program->in_degrees[p];
        if (!stepper->missing[p]) stepper->free[stepper->free_count++] = p;
    }
}

/* Returns the number of the conditional node among those of its program, or NODE_NONE if the node
 * is none. */
static uint32_t conditional_at(const struct stepper *stepper, uint32_t place)
{
    const struct program *program = stepper->program;
    uint32_t i = 0;
    if (program->place_kinds[place] != RILL_OP_CONDITIONAL) return NODE_NONE;
    while (program->conditional_index[i]->place != place) i++;
    return i;
}

static struct external_node *waiting_node(const struct stepper *stepper, uint32_t place)
{
    struct entry *entry = &stepper->program->entries[place];
    return sim_entry_waits(entry) ? entry->arg : NULL;
}

static uint32_t add_choices(const struct stepper *stepper, uint32_t *choices)
{
    uint32_t count = 0, first = (uint32_t)stepper->program->first_number;
    for (uint32_t i = 0; i < stepper->free_count; i++) {
        uint32_t place = stepper->free[i], conditional = conditional_at(stepper, place);
        const struct stepper *body = NULL;
        if (place == stepper->running) continue;
        if (conditional != NODE_NONE) body = stepper->insides[conditional].open;
        const struct external_node *node = waiting_node(stepper, place);
        if (body) count += add_choices(body, choices + count);
        else if (!node || sim_external_can_go_on(node, stepper->launch))
            choices[count++] = first + place;
    }
    return count;
}

const uint32_t *sim_stepper_choices(struct stepper *stepper, uint32_t *count)
{
    *count = add_choices(stepper, stepper->choices);
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

/* Returns what steps through the program that the node is in; it is the one given or a body that
 * runs. */
static struct stepper *find_owner(struct stepper *stepper, uint32_t number)
{
    const struct program *program = stepper->program;
    struct stepper *owner = NULL;
    if (number - (uint32_t)program->first_number < program->count) return stepper;
    for (uint32_t i = 0; !owner && i < program->conditional_count; i++)
        if (stepper->insides[i].open) owner = find_owner(stepper->insides[i].open, number);
    return owner;
}

void sim_stepper_demand(struct stepper *stepper, uint32_t number, struct demand *demand)
{
    const struct stepper *at = find_owner(stepper, number);
    const struct program *program = at->program;
    sim_program_demand(program, number - (uint32_t)program->first_number, demand);
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

static bool is_observed(const struct stepper *stepper)
{
    return sim_strand_observed(stepper->launch->context.strand);
}

/* A kernel may pause, and others of the launch run in its middle. */
static void run_node(struct stepper *stepper, uint32_t place)
{
    const struct entry *entry = &stepper->program->entries[place];
    uint32_t outer = stepper->running;
    stepper->running = place;
    if (is_observed(stepper))
        sim_program_run_observed(stepper->launch, stepper->program, place);
    else
        entry->fn(entry->arg);
    stepper->running = outer;
}

/* Returns whether the program is over. */
static bool finish_node(struct stepper *stepper, uint32_t place)
{
    const struct program *program = stepper->program;
    remove_free(stepper, place);
    for (uint32_t e = program->edge_starts[place]; e < program->edge_starts[place + 1]; e++)
        if (!--stepper->missing[program->successors[e]]) add_free(stepper, program->successors[e]);
    return ++stepper->done == program->count;
}

/* Ends a conditional node.  Returns whether the program is over. */
static bool finish_conditional(struct stepper *stepper, uint32_t place)
{
    if (is_observed(stepper))
        sim_program_observe_node(stepper->launch, stepper->program, place, RILL_SIM_DONE);
    return finish_node(stepper, place);
}

/* Begins the body that a conditional node asks for.  If it asks for none, it is done; returns
 * whether the program is over then.  A WHILE without nodes to run stays, and is asked again. */
static bool begin_body(struct stepper *stepper, uint32_t place)
{
    uint32_t conditional = conditional_at(stepper, place);
    const struct conditional_run *run = stepper->program->conditional_index[conditional];
    struct inside *inside = &stepper->insides[conditional];
    uint32_t number = sim_conditional_next_body(run);
    inside->open = NULL;
    if (number == NODE_NONE) return finish_conditional(stepper, place);
    struct stepper *body = inside->bodies[number];
    if (body->program->watched) sim_watched_round(body->program->watched);
    if (body->program->count) {
        sim_stepper_begin(body, stepper->launch);
        inside->open = body;
        return false;
    }
    return run->kind != RILL_CONDITIONAL_WHILE && finish_conditional(stepper, place);
}

/* Returns whether the program is over that the body is in. */
static bool end_body(struct stepper *stepper, uint32_t place)
{
    uint32_t conditional = conditional_at(stepper, place);
    const struct conditional_run *run = stepper->program->conditional_index[conditional];
    if (run->kind == RILL_CONDITIONAL_WHILE) return begin_body(stepper, place);
    stepper->insides[conditional].open = NULL;
    return finish_conditional(stepper, place);
}

/* Runs a node, but of a conditional one no body.  Returns false if it has to wait. */
static bool begin_node(struct stepper *stepper, uint32_t place)
{
    struct external_node *node = waiting_node(stepper, place);
    if (node) return sim_external_go_on(node);
    if (conditional_at(stepper, place) == NODE_NONE) run_node(stepper, place);
    else if (is_observed(stepper))
        sim_program_observe_node(stepper->launch, stepper->program, place, RILL_SIM_STARTED);
    return true;
}

/* Begins or ends a node, or does both if it takes no time.  Returns whether the program is over
 * that the node is in. */
static bool step_node(struct stepper *stepper, uint32_t place)
{
    const struct strand *strand = stepper->launch->context.strand;
    uint32_t number = (uint32_t)stepper->program->first_number + place;
    if (!sim_step_ends(strand, number) &&
        (!begin_node(stepper, place) || sim_step_lasts(strand, number)))
        return false;
    return conditional_at(stepper, place) == NODE_NONE ? finish_node(stepper, place)
                                                       : begin_body(stepper, place);
}

bool sim_stepper_run(struct stepper *stepper, uint32_t number)
{
    if (sim_run_failed()) return true;
    struct stepper *at = find_owner(stepper, number);
    bool over = step_node(at, number - (uint32_t)at->program->first_number);
    for (; over && at->outer; at = at->outer) over = end_body(at->outer, at->outer_place);
    return over || sim_run_failed();
}
