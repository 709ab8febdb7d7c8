/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes random graph plans.
 */
#include <string.h>

#include "random/graph_plan.h"
#include "support/random.h"

/* How the nodes of a plan depend on those before them. */
enum shape { SHAPE_CHAIN, SHAPE_SPARSE, SHAPE_DENSE, SHAPE_LAYERS, SHAPES };

struct sketch {
    struct graph_plan *plan;
    struct dice *dice;
    enum shape shape;
    bool with_memory, with_parts;
    uint32_t closed; /* ALLOCs that are freed already */
};

/* ---- One node ---------------------------------------------------------------------- */

static uint32_t members(const struct graph_plan *plan, int part)
{
    uint32_t set = 0;
    for (int n = 0; n < plan->nodes; n++)
        if (plan->node[n].part == part) set |= UINT32_C(1) << n;
    return set;
}

static void depend(struct graph_plan *plan, int n, int on)
{
    struct node_plan *node = &plan->node[n];
    node->after |= UINT32_C(1) << on;
    node->over |= UINT32_C(1) << on | plan->node[on].over;
}

static int pick(struct dice *dice, uint32_t set)
{
    int which = dice_below(dice, __builtin_popcount(set));
    while (which--) set &= set - 1;
    return __builtin_ctz(set);
}

static void draw_edges(struct sketch *sketch, int n, uint32_t others)
{
    struct dice *dice = sketch->dice;
    struct graph_plan *plan = sketch->plan;
    if (!others) return;
    switch (sketch->shape) {
    case SHAPE_CHAIN:
        if (dice_chance(dice, 85)) depend(plan, n, 31 - __builtin_clz(others));
        break;
    case SHAPE_SPARSE:
        for (int k = dice_below(dice, 3); k; k--) depend(plan, n, pick(dice, others));
        break;
    case SHAPE_DENSE:
        for (int m = 0; m < n; m++)
            if (others >> m & 1 && dice_chance(dice, 40)) depend(plan, n, m);
        break;
    default: /* most nodes at once, behind few */
        if (__builtin_popcount(others) > 2)
            for (int k = 1 + dice_below(dice, 2); k; k--)
                depend(plan, n, pick(dice, others & (0 - others) * 15));
        break;
    }
}

static int new_node(struct sketch *sketch, int part, enum graph_node_kind kind)
{
    struct graph_plan *plan = sketch->plan;
    uint32_t others = members(plan, part);
    int n = plan->nodes++;
    plan->node[n] = (struct node_plan){
        .kind = (uint8_t)kind, .part = (uint8_t)part, .times = plan->part[part].times,
        .sets = -1, .home = -1, .source = { -1, -1 },
    };
    draw_edges(sketch, n, others);
    return n;
}

/* ---- Memory ----------------------------------------------------------------------------- */

/* Once in while, what comes behind an ALLOC has its cell in the memory of that. */
static void draw_home(struct sketch *sketch, int n)
{
    struct graph_plan *plan = sketch->plan;
    struct node_plan *node = &plan->node[n];
    if (node->part || node->kind > NODE_COPY) return;
    for (int a = 0; a < n; a++)
        if (plan->node[a].kind == NODE_ALLOC && !(sketch->closed >> a & 1) &&
            node->over >> a & 1 && dice_chance(sketch->dice, 50))
            node->home = (int8_t)a;
}

/* A cell that holds the same whenever `n` looks at it. */
static bool can_read(const struct sketch *sketch, int n, int m)
{
    const struct graph_plan *plan = sketch->plan;
    int home = plan->node[m].home;
    if (!graph_has_cell(plan, m) || !graph_before(plan, m, n)) return false;
    return home < 0 || (!plan->node[n].part && !(sketch->closed >> home & 1));
}

static void draw_sources(struct sketch *sketch, int n)
{
    struct node_plan *node = &sketch->plan->node[n];
    uint32_t set = 0;
    for (int m = 0; m < n; m++)
        if (can_read(sketch, n, m)) set |= UINT32_C(1) << m;
    if (!set) node->kind = NODE_FILL;
    for (int i = 0; i < 2 && set; i++) node->source[i] = (int8_t)pick(sketch->dice, set);
}

/* Behind all that uses the memory. */
static void add_free(struct sketch *sketch, int alloc)
{
    struct graph_plan *plan = sketch->plan;
    int n = new_node(sketch, 0, NODE_FREE);
    plan->node[n].home = (int8_t)alloc;
    depend(plan, n, alloc);
    for (int m = 0; m < n; m++) {
        const struct node_plan *node = &plan->node[m];
        bool uses = node->home == alloc && node->kind != NODE_FREE;
        for (int i = 0; i < 2; i++)
            if (node->source[i] >= 0 && plan->node[node->source[i]].home == alloc) uses = true;
        if (uses) depend(plan, n, m);
    }
    sketch->closed |= UINT32_C(1) << alloc;
}

static uint32_t opened(const struct sketch *sketch)
{
    uint32_t set = 0;
    for (int n = 0; n < sketch->plan->nodes; n++)
        if (sketch->plan->node[n].kind == NODE_ALLOC) set |= UINT32_C(1) << n;
    return set & ~sketch->closed;
}

static int open_allocs(const struct sketch *sketch)
{
    return __builtin_popcount(opened(sketch));
}

static int open_alloc(const struct sketch *sketch)
{
    uint32_t set = opened(sketch);
    return set ? __builtin_ctz(set) : -1;
}

/* ---- Parts ------------------------------------------------------------------------------- */

static void draw_part(struct sketch *sketch, int part, int count, bool body, int depth);

static int new_part(struct sketch *sketch, int owner, unsigned times)
{
    struct graph_plan *plan = sketch->plan;
    int part = plan->parts++;
    plan->part[part] = (struct part_plan){ (int8_t)owner, (uint16_t)times };
    return part;
}

/* A kernel before the conditional that sets what it finds; false: there is none. */
static bool find_setter(struct sketch *sketch, int n)
{
    struct graph_plan *plan = sketch->plan;
    for (int m = n - 1; m >= 0; m--) {
        struct node_plan *node = &plan->node[m];
        if (node->part != plan->node[n].part || node->kind != NODE_KERNEL || node->sets >= 0)
            continue;
        node->sets = (int8_t)n;
        depend(plan, n, m);
        return true;
    }
    return false;
}

static unsigned times_of_body(const struct node_plan *node, int body)
{
    switch (node->kind) {
    case NODE_IF: return body == !node->value;
    case NODE_WHILE: return node->value;
    case NODE_SWITCH: return body == node->value;
    default: return 1;
    }
}

static void choose_condition(struct sketch *sketch, int n)
{
    struct dice *dice = sketch->dice;
    struct node_plan *node = &sketch->plan->node[n];
    node->bodies = (uint8_t)(node->kind == NODE_IF ? 1 + dice_below(dice, 2)
                             : node->kind == NODE_SWITCH ? 1 + dice_below(dice, 3) : 1);
    node->value = (uint8_t)(node->kind == NODE_IF ? dice_below(dice, 2)
                            : dice_below(dice, node->kind == NODE_SWITCH ? node->bodies + 1 : 4));
    node->preset = dice_chance(dice, 50) || !find_setter(sketch, n);
    /* The default is set once a launch, and a WHILE leaves a 0 behind. */
    if (node->preset && node->kind == NODE_WHILE && node->times > 1) node->kind = NODE_IF;
}

static void draw_bodies(struct sketch *sketch, int n, bool body, int depth)
{
    struct graph_plan *plan = sketch->plan;
    int count = plan->node[n].bodies, first = plan->parts;
    plan->node[n].first_part = (uint8_t)first;
    for (int b = 0; b < count; b++)
        new_part(sketch, n, plan->node[n].times * times_of_body(&plan->node[n], b));
    for (int b = 0; b < count; b++) {
        if (plan->node[n].kind == NODE_WHILE)
            plan->node[new_node(sketch, first + b, NODE_KERNEL)].sets = (int8_t)n;
        draw_part(sketch, first + b, dice_below(sketch->dice, 4),
                  body || plan->node[n].kind != NODE_CHILD, depth + 1);
    }
}

/* ---- A part ------------------------------------------------------------------------------ */

static bool inside_child(const struct graph_plan *plan, int part)
{
    for (; part; part = plan->node[plan->part[part].owner].part)
        if (plan->node[plan->part[part].owner].kind == NODE_CHILD) return true;
    return false;
}

static enum graph_node_kind draw_kind(struct sketch *sketch, int part, bool body, int depth)
{
    struct graph_plan *plan = sketch->plan;
    struct dice *dice = sketch->dice;
    bool room = plan->parts + 3 <= PARTS_MAX && plan->nodes + 4 <= NODES_MAX && depth < 3;
    int at = dice_below(dice, 100);
    if (sketch->with_parts && room && at < 25) {
        /* Their handles are the outermost graph's. */
        if (inside_child(plan, part) || dice_chance(dice, 30)) return NODE_CHILD;
        return (enum graph_node_kind)(NODE_IF + dice_below(dice, 3));
    }
    if (sketch->with_memory && !part && at < 12 && open_allocs(sketch) < 2) return NODE_ALLOC;
    at = dice_below(dice, 100);
    if (body) return at < 55 ? NODE_KERNEL : at < 75 ? NODE_FILL : at < 95 ? NODE_COPY
                                                                            : NODE_EMPTY;
    if (plan->recorded >= 0 && plan->recorder < 0 && at < 15) return NODE_RECORD;
    if (plan->awaited >= 0 && plan->awaiter < 0 && at < 30) return NODE_WAIT;
    at = dice_below(dice, 100);
    return at < 40 ? NODE_HOST : at < 60 ? NODE_KERNEL : at < 70 ? NODE_FILL
           : at < 85 ? NODE_COPY : at < 93 ? NODE_VALUES : NODE_EMPTY;
}

static void draw_node(struct sketch *sketch, int part, bool body, int depth)
{
    struct graph_plan *plan = sketch->plan;
    enum graph_node_kind kind = draw_kind(sketch, part, body, depth);
    int n = new_node(sketch, part, kind);
    draw_home(sketch, n);
    if (kind == NODE_COPY) draw_sources(sketch, n);
    if (kind == NODE_RECORD) plan->recorder = (int8_t)n;
    if (kind == NODE_WAIT) plan->awaiter = (int8_t)n;
    if (kind == NODE_CHILD) plan->node[n].bodies = 1;
    if (kind >= NODE_IF && kind <= NODE_SWITCH) choose_condition(sketch, n);
    if (plan->node[n].bodies) draw_bodies(sketch, n, body, depth);
}

static void draw_part(struct sketch *sketch, int part, int count, bool body, int depth)
{
    /* Room for the node that frees, and for that which ends a WHILE. */
    for (int i = 0; i < count && sketch->plan->nodes < NODES_MAX - 4; i++) {
        int alloc = open_alloc(sketch);
        if (!part && alloc >= 0 && dice_chance(sketch->dice, 20)) add_free(sketch, alloc);
        else draw_node(sketch, part, body, depth);
    }
}

/* Kernels that use buffers of the program, once a launch. */
static void choose_users(struct graph_plan *plan)
{
    for (int n = 0; n < plan->nodes; n++) {
        const struct node_plan *node = &plan->node[n];
        if (node->kind != NODE_KERNEL || node->times != 1) continue;
        if (plan->buffer >= 0 && plan->writer < 0) plan->writer = (int8_t)n;
        else if (plan->source >= 0 && plan->reader < 0) plan->reader = (int8_t)n;
    }
    if (plan->writer < 0) plan->buffer = -1;
    if (plan->reader < 0) plan->source = -1;
    if (plan->recorder < 0) plan->recorded = -1;
    if (plan->awaiter < 0) plan->awaited = -1;
}

void graph_draw(struct graph_plan *plan, struct dice *dice)
{
    struct sketch sketch = {
        .plan = plan, .dice = dice, .shape = (enum shape)dice_below(dice, SHAPES),
        .with_memory = dice_chance(dice, 25), .with_parts = dice_chance(dice, 40),
    };
    plan->recorder = plan->awaiter = plan->writer = plan->reader = -1;
    plan->seed = dice_next(dice);
    plan->goes = dice_chance(dice, 20);
    plan->hot = dice_chance(dice, 10);
    new_part(&sketch, -1, 1);
    int most = dice_chance(dice, 70) ? 8 : NODES_MAX;
    draw_part(&sketch, 0, 1 + dice_below(dice, most), false, 0);
    for (int alloc; (alloc = open_alloc(&sketch)) >= 0;) add_free(&sketch, alloc);
    for (int n = 0; n < plan->nodes; n++)
        if (plan->node[n].kind == NODE_ALLOC) plan->fixed = true;
    choose_users(plan);
}
