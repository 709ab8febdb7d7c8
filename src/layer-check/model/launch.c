/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches, as the works that they are: nodes in an order, some of which run in rounds.
 */
#include <string.h>

#include "base/alloc.h"
#include "layer-check/model/model.h"

#define DEPTH_MAX 32
#define ROUNDS_MAX 4096

struct launch {
    struct ck_inside inside; /* must stay first */
    struct ck_model *model;
    uint32_t (*rounds)[DEPTH_MAX]; /* by number, from 1 */
    uint32_t round_count, round_room;
};

static const struct launch *launch_of(const struct ck_inside *inside)
{
    return (const struct launch *)inside;
}

struct ck_model *ck_launch_model(struct ck_inside *inside)
{
    return ((struct launch *)inside)->model;
}

/* ---- Rounds -------------------------------------------------------------------------------- */

static bool grow_rounds(struct launch *launch)
{
    uint32_t room = launch->round_room ? 2 * launch->round_room : 8;
    uint32_t (*larger)[DEPTH_MAX] = rl_alloc(room * sizeof *larger);
    if (!larger) return false;
    if (launch->round_count) memcpy(larger, launch->rounds, launch->round_count * sizeof *larger);
    rl_free(launch->rounds);
    launch->rounds = larger;
    launch->round_room = room;
    return true;
}

bool ck_launch_round(struct ck_inside *inside, const uint32_t *rounds, uint32_t depth,
                     uint16_t *number)
{
    struct launch *launch = (struct launch *)inside;
    uint32_t row[DEPTH_MAX] = { 0 };
    *number = 0;
    if (!depth || depth > DEPTH_MAX) return true;
    memcpy(row, rounds, depth * sizeof *row);
    for (uint32_t i = launch->round_count; !*number && i > 0; i--)
        if (!memcmp(launch->rounds[i - 1], row, sizeof row)) *number = (uint16_t)i;
    if (*number || launch->round_count == ROUNDS_MAX) return true;
    if (launch->round_count == launch->round_room && !grow_rounds(launch)) return false;
    memcpy(launch->rounds[launch->round_count], row, sizeof row);
    *number = (uint16_t)++launch->round_count;
    return true;
}

/* The way from outside to a node: the conditionals in whose bodies it is, then the node. */
struct way {
    uint32_t steps[DEPTH_MAX + 1], depth;
    const uint32_t *rounds; /* or NULL */
};

static struct way way_to(const struct launch *launch, uint32_t node, uint16_t round)
{
    const struct ck_place *places = launch->model->shape->places;
    struct way way = { .depth = places[node].loop,
                       .rounds = round ? launch->rounds[round - 1] : NULL };
    if (way.depth > DEPTH_MAX) way.depth = DEPTH_MAX;
    for (uint32_t i = way.depth + 1; i-- > 0; node = places[node].body) way.steps[i] = node;
    return way;
}

/* Returns the depth up to which two ways are the same, and in `rounds` how their rounds differ
 * there: less than, equal to or greater than 0. */
static uint32_t common_depth(const struct way *a, const struct way *b, int *rounds)
{
    uint32_t i = 0;
    *rounds = 0;
    for (; i < a->depth && i < b->depth && a->steps[i] == b->steps[i]; i++) {
        uint32_t x = a->rounds ? a->rounds[i] : 0, y = b->rounds ? b->rounds[i] : 0;
        if (x == y) continue;
        *rounds = x < y ? -1 : 1;
        break;
    }
    return i;
}

static bool rounds_differ(struct ck_inside *inside, uint32_t a, uint16_t round_a, uint32_t b,
                          uint16_t round_b)
{
    int rounds;
    if (!inside->bodies || !round_a || !round_b || round_a == round_b) return false;
    struct way x = way_to(launch_of(inside), a, round_a), y = way_to(launch_of(inside), b, round_b);
    common_depth(&x, &y, &rounds);
    return rounds != 0;
}

static int compare_runs(const struct ck_inside *inside, uint32_t a, uint16_t round_a, uint32_t b,
                        uint16_t round_b)
{
    int rounds = 0;
    if (!inside->bodies) return a < b ? -1 : a > b;
    struct way x = way_to(launch_of(inside), a, round_a), y = way_to(launch_of(inside), b, round_b);
    uint32_t depth = common_depth(&x, &y, &rounds);
    if (rounds) return rounds;
    if (x.steps[depth] == y.steps[depth]) return x.depth < y.depth ? -1 : x.depth > y.depth;
    return x.steps[depth] < y.steps[depth] ? -1 : 1;
}

/* ---- Nodes --------------------------------------------------------------------------------- */

static bool reaches_node(struct ck_inside *inside, uint32_t from, uint32_t to)
{
    return ck_shape_reaches(launch_of(inside)->model->shape, from, to);
}

static struct ck_what what_node(const struct ck_inside *inside, uint32_t node)
{
    const struct ck_node *known = launch_of(inside)->model->nodes[node];
    return known ? known->what : (struct ck_what){ .kind = RILL_OP_EMPTY };
}

static size_t rows_of_node(const struct ck_inside *inside, uint32_t node,
                           const rill_touched **rows)
{
    const struct ck_node *known = launch_of(inside)->model->nodes[node];
    if (!known || known->disabled) return 0;
    *rows = known->rows;
    return known->row_count;
}

static bool always_runs(const struct ck_inside *inside, uint32_t node)
{
    return !launch_of(inside)->model->shape->places[node].loop;
}

static uint64_t born_node(const struct ck_inside *inside, uint32_t node)
{
    const struct ck_node *known = launch_of(inside)->model->nodes[node];
    return known ? known->born : UINT64_MAX;
}

static void release_launch(struct ck_inside *inside)
{
    struct launch *launch = (struct launch *)inside;
    ck_model_release(launch->model);
    rl_free(launch->rounds);
    rl_free(launch);
}

static uint64_t number_node(const struct ck_inside *inside, uint32_t node)
{
    const struct ck_shape *shape = ((const struct launch *)inside)->model->shape;
    for (size_t number = 1; number < shape->number_count; number++)
        if (shape->numbers[number] == node) return number;
    return 0;
}

static const struct ck_inside_type launch_type = {
    .reaches = reaches_node, .rounds_differ = rounds_differ, .what = what_node,
    .rows = rows_of_node, .always = always_runs, .number = number_node, .born = born_node,
    .compare = compare_runs,
    .release = release_launch,
};

struct ck_inside *ck_launch_create(struct ck_model *model)
{
    struct launch *launch = rl_zalloc(sizeof *launch);
    if (!launch) return NULL;
    launch->inside = (struct ck_inside){ .type = &launch_type, .count = model->shape->count,
                                         .bodies = model->bodies,
                                         .touches = model->touches };
    launch->model = model;
    model->references++;
    return &launch->inside;
}
