/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes random charts.
 */
#include <string.h>

#include "random/graph_plan.h"
#include "support/random.h"

/* How the nodes of a chart depend on those before them. */
enum shape { SHAPE_CHAIN, SHAPE_SPARSE, SHAPE_DENSE, SHAPE_LAYERS, SHAPES };

struct sketch {
    struct chart *chart;
    struct dice *dice;
    enum shape shape;
    bool with_memory, with_parts;
    uint32_t closed; /* ALLOCs that are freed already */
};

/* ---- One node ---------------------------------------------------------------------- */

static uint32_t members(const struct chart *chart, int part)
{
    uint32_t set = 0;
    for (int n = 0; n < chart->nodes; n++)
        if (chart->node[n].part == part) set |= UINT32_C(1) << n;
    return set;
}

static void depend(struct chart *chart, int n, int on)
{
    struct chart_node *node = &chart->node[n];
    node->after |= UINT32_C(1) << on;
    node->over |= UINT32_C(1) << on | chart->node[on].over;
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
    struct chart *chart = sketch->chart;
    if (!others) return;
    switch (sketch->shape) {
    case SHAPE_CHAIN:
        if (dice_chance(dice, 85)) depend(chart, n, 31 - __builtin_clz(others));
        break;
    case SHAPE_SPARSE:
        for (int k = dice_below(dice, 3); k; k--) depend(chart, n, pick(dice, others));
        break;
    case SHAPE_DENSE:
        for (int m = 0; m < n; m++)
            if (others >> m & 1 && dice_chance(dice, 40)) depend(chart, n, m);
        break;
    default: /* most nodes at once, behind few */
        if (__builtin_popcount(others) > 2)
            for (int k = 1 + dice_below(dice, 2); k; k--)
                depend(chart, n, pick(dice, others & (0 - others) * 15));
        break;
    }
}

static int new_node(struct sketch *sketch, int part, enum chart_kind kind)
{
    struct chart *chart = sketch->chart;
    uint32_t others = members(chart, part);
    int n = chart->nodes++;
    chart->node[n] = (struct chart_node){
        .kind = (uint8_t)kind, .part = (uint8_t)part, .times = chart->part[part].times,
        .sets = -1, .home = -1, .source = { -1, -1 },
    };
    draw_edges(sketch, n, others);
    return n;
}

/* ---- Memory ----------------------------------------------------------------------------- */

/* Once in while, what comes behind an ALLOC has its cell in the memory of that. */
static void draw_home(struct sketch *sketch, int n)
{
    struct chart *chart = sketch->chart;
    struct chart_node *node = &chart->node[n];
    if (node->part || node->kind > CHART_COPY) return;
    for (int a = 0; a < n; a++)
        if (chart->node[a].kind == CHART_ALLOC && !(sketch->closed >> a & 1) &&
            node->over >> a & 1 && dice_chance(sketch->dice, 50))
            node->home = (int8_t)a;
}

/* A cell that holds the same whenever `n` looks at it. */
static bool can_read(const struct sketch *sketch, int n, int m)
{
    const struct chart *chart = sketch->chart;
    int home = chart->node[m].home;
    if (!chart_has_cell(chart, m) || !chart_before(chart, m, n)) return false;
    return home < 0 || (!chart->node[n].part && !(sketch->closed >> home & 1));
}

static void draw_sources(struct sketch *sketch, int n)
{
    struct chart_node *node = &sketch->chart->node[n];
    uint32_t set = 0;
    for (int m = 0; m < n; m++)
        if (can_read(sketch, n, m)) set |= UINT32_C(1) << m;
    if (!set) node->kind = CHART_FILL;
    for (int i = 0; i < 2 && set; i++) node->source[i] = (int8_t)pick(sketch->dice, set);
}

/* Behind all that uses the memory. */
static void add_free(struct sketch *sketch, int alloc)
{
    struct chart *chart = sketch->chart;
    int n = new_node(sketch, 0, CHART_FREE);
    chart->node[n].home = (int8_t)alloc;
    depend(chart, n, alloc);
    for (int m = 0; m < n; m++) {
        const struct chart_node *node = &chart->node[m];
        bool uses = node->home == alloc && node->kind != CHART_FREE;
        for (int i = 0; i < 2; i++)
            if (node->source[i] >= 0 && chart->node[node->source[i]].home == alloc) uses = true;
        if (uses) depend(chart, n, m);
    }
    sketch->closed |= UINT32_C(1) << alloc;
}

static uint32_t opened(const struct sketch *sketch)
{
    uint32_t set = 0;
    for (int n = 0; n < sketch->chart->nodes; n++)
        if (sketch->chart->node[n].kind == CHART_ALLOC) set |= UINT32_C(1) << n;
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
    struct chart *chart = sketch->chart;
    int part = chart->parts++;
    chart->part[part] = (struct chart_part){ (int8_t)owner, (uint16_t)times };
    return part;
}

/* A kernel before the conditional that sets what it finds; false: there is none. */
static bool find_setter(struct sketch *sketch, int n)
{
    struct chart *chart = sketch->chart;
    for (int m = n - 1; m >= 0; m--) {
        struct chart_node *node = &chart->node[m];
        if (node->part != chart->node[n].part || node->kind != CHART_KERNEL || node->sets >= 0)
            continue;
        node->sets = (int8_t)n;
        depend(chart, n, m);
        return true;
    }
    return false;
}

static unsigned times_of_body(const struct chart_node *node, int body)
{
    switch (node->kind) {
    case CHART_IF: return body == !node->value;
    case CHART_WHILE: return node->value;
    case CHART_SWITCH: return body == node->value;
    default: return 1;
    }
}

static void choose_condition(struct sketch *sketch, int n)
{
    struct dice *dice = sketch->dice;
    struct chart_node *node = &sketch->chart->node[n];
    node->bodies = (uint8_t)(node->kind == CHART_IF ? 1 + dice_below(dice, 2)
                             : node->kind == CHART_SWITCH ? 1 + dice_below(dice, 3) : 1);
    node->value = (uint8_t)(node->kind == CHART_IF ? dice_below(dice, 2)
                            : dice_below(dice, node->kind == CHART_SWITCH ? node->bodies + 1 : 4));
    node->preset = dice_chance(dice, 50) || !find_setter(sketch, n);
    /* The default is set once a launch, and a WHILE leaves a 0 behind. */
    if (node->preset && node->kind == CHART_WHILE && node->times > 1) node->kind = CHART_IF;
}

static void draw_bodies(struct sketch *sketch, int n, bool body, int depth)
{
    struct chart *chart = sketch->chart;
    int count = chart->node[n].bodies, first = chart->parts;
    chart->node[n].first_part = (uint8_t)first;
    for (int b = 0; b < count; b++)
        new_part(sketch, n, chart->node[n].times * times_of_body(&chart->node[n], b));
    for (int b = 0; b < count; b++) {
        if (chart->node[n].kind == CHART_WHILE)
            chart->node[new_node(sketch, first + b, CHART_KERNEL)].sets = (int8_t)n;
        draw_part(sketch, first + b, dice_below(sketch->dice, 4),
                  body || chart->node[n].kind != CHART_CHILD, depth + 1);
    }
}

/* ---- A part ------------------------------------------------------------------------------ */

static bool inside_child(const struct chart *chart, int part)
{
    for (; part; part = chart->node[chart->part[part].owner].part)
        if (chart->node[chart->part[part].owner].kind == CHART_CHILD) return true;
    return false;
}

static enum chart_kind draw_kind(struct sketch *sketch, int part, bool body, int depth)
{
    struct chart *chart = sketch->chart;
    struct dice *dice = sketch->dice;
    bool room = chart->parts + 3 <= PARTS_MAX && chart->nodes + 4 <= NODES_MAX && depth < 3;
    int at = dice_below(dice, 100);
    if (sketch->with_parts && room && at < 25) {
        /* Their handles are the outermost graph's. */
        if (inside_child(chart, part) || dice_chance(dice, 30)) return CHART_CHILD;
        return (enum chart_kind)(CHART_IF + dice_below(dice, 3));
    }
    if (sketch->with_memory && !part && at < 12 && open_allocs(sketch) < 2) return CHART_ALLOC;
    at = dice_below(dice, 100);
    if (body) return at < 55 ? CHART_KERNEL : at < 75 ? CHART_FILL : at < 95 ? CHART_COPY
                                                                            : CHART_EMPTY;
    if (chart->recorded >= 0 && chart->recorder < 0 && at < 15) return CHART_RECORD;
    if (chart->awaited >= 0 && chart->awaiter < 0 && at < 30) return CHART_WAIT;
    at = dice_below(dice, 100);
    return at < 40 ? CHART_HOST : at < 60 ? CHART_KERNEL : at < 70 ? CHART_FILL
           : at < 85 ? CHART_COPY : at < 93 ? CHART_VALUES : CHART_EMPTY;
}

static void draw_node(struct sketch *sketch, int part, bool body, int depth)
{
    struct chart *chart = sketch->chart;
    enum chart_kind kind = draw_kind(sketch, part, body, depth);
    int n = new_node(sketch, part, kind);
    draw_home(sketch, n);
    if (kind == CHART_COPY) draw_sources(sketch, n);
    if (kind == CHART_RECORD) chart->recorder = (int8_t)n;
    if (kind == CHART_WAIT) chart->awaiter = (int8_t)n;
    if (kind == CHART_CHILD) chart->node[n].bodies = 1;
    if (kind >= CHART_IF && kind <= CHART_SWITCH) choose_condition(sketch, n);
    if (chart->node[n].bodies) draw_bodies(sketch, n, body, depth);
}

static void draw_part(struct sketch *sketch, int part, int count, bool body, int depth)
{
    /* Room for the node that frees, and for that which ends a WHILE. */
    for (int i = 0; i < count && sketch->chart->nodes < NODES_MAX - 4; i++) {
        int alloc = open_alloc(sketch);
        if (!part && alloc >= 0 && dice_chance(sketch->dice, 20)) add_free(sketch, alloc);
        else draw_node(sketch, part, body, depth);
    }
}

/* Kernels that use buffers of the program, once a launch. */
static void choose_users(struct chart *chart)
{
    for (int n = 0; n < chart->nodes; n++) {
        const struct chart_node *node = &chart->node[n];
        if (node->kind != CHART_KERNEL || node->times != 1) continue;
        if (chart->buffer >= 0 && chart->writer < 0) chart->writer = (int8_t)n;
        else if (chart->source >= 0 && chart->reader < 0) chart->reader = (int8_t)n;
    }
    if (chart->writer < 0) chart->buffer = -1;
    if (chart->reader < 0) chart->source = -1;
    if (chart->recorder < 0) chart->recorded = -1;
    if (chart->awaiter < 0) chart->awaited = -1;
}

void chart_draw(struct chart *chart, struct dice *dice)
{
    struct sketch sketch = {
        .chart = chart, .dice = dice, .shape = (enum shape)dice_below(dice, SHAPES),
        .with_memory = dice_chance(dice, 25), .with_parts = dice_chance(dice, 40),
    };
    chart->recorder = chart->awaiter = chart->writer = chart->reader = -1;
    chart->seed = dice_next(dice);
    chart->goes = dice_chance(dice, 20);
    chart->hot = dice_chance(dice, 10);
    new_part(&sketch, -1, 1);
    int most = dice_chance(dice, 70) ? 8 : NODES_MAX;
    draw_part(&sketch, 0, 1 + dice_below(dice, most), false, 0);
    for (int alloc; (alloc = open_alloc(&sketch)) >= 0;) add_free(&sketch, alloc);
    for (int n = 0; n < chart->nodes; n++)
        if (chart->node[n].kind == CHART_ALLOC) chart->fixed = true;
    choose_users(chart);
}
