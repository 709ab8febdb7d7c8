/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/web.h"

#include <stdlib.h>
#include <time.h>

#define RELAXED memory_order_relaxed
#define BEFORE_MOST 8

/* ---- Running ---------------------------------------------------------------------------- */

static uint64_t now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

void web_spin(unsigned us)
{
    for (uint64_t end = now_ns() + us * UINT64_C(1000); now_ns() < end;) {}
}

static void burn(const struct knot *knot)
{
    switch (atomic_load_explicit(&knot->web->heat, RELAXED)) {
    case WEB_WARM:
        if (knot->weight % 4 == 0) web_spin(1);
        break;
    case WEB_HOT:
        if (knot->weight % 16 == 0) web_spin(50);
        break;
    case WEB_LOPSIDED:
        if (knot->weight == 0) web_spin(2000);
        break;
    default: break;
    }
}

void web_run(void *data)
{
    struct knot *knot = data;
    struct web *web = knot->web;
    unsigned run = knot->told + 1;
    uint64_t others = (uint64_t)web->knots * (run - 1);
    for (uint32_t i = 0; i < knot->count; i++)
        must_be(web->knot[web->before[knot->first + i]].told == run);
    must_be(knot->after < 0 || web->knot[knot->after].told == run - 1);
    must_be(atomic_load_explicit(&web->total, RELAXED) >= others);
    if (web->in_between) web->in_between(knot);
    burn(knot);
    knot->told = run;
    must_be(atomic_fetch_add_explicit(&knot->runs, 1, RELAXED) == run - 1);
    must_be(atomic_fetch_add_explicit(&web->total, 1, RELAXED) < others + (unsigned)web->knots);
}

static void run_kernel(const rill_launch *launch)
{
    web_run(*(struct knot *const *)launch->params[0]);
}

static const rill_param params[] = { RILL_PARAM(void *) };
static const rill_function function = {
    .name = "knot", .over_grid = run_kernel, .params = params, .param_count = 1,
};

void web_kit_open(struct web_kit *kit, struct sized_platform *sized, int workers)
{
    const rill_image image = { .size = sizeof image, .functions = &function, .function_count = 1 };
    sized_open(sized, workers);
    kit->sized = sized;
    kit->workers = workers;
    must(rill_module_load(sized->context, &image, &kit->module));
    must(rill_module_kernel(kit->module, "knot", &kit->kernel));
}

void web_kit_close(struct web_kit *kit)
{
    must(rill_module_unload(&kit->module));
    sized_close(kit->sized);
}

/* ---- Shapes ----------------------------------------------------------------------------- */

/* The knots before knot `i`; how many. */
static int draw(struct dice *dice, enum web_shape shape, int i, int *before)
{
    int count = 0, width = 24;
    switch (shape) {
    case WEB_CHAIN:
        if (i) before[count++] = i - 1;
        break;
    case WEB_FAN:
        if (i) before[count++] = 0;
        break;
    case WEB_TREE:
        if (i) before[count++] = (i - 1) / 2;
        break;
    case WEB_LAYERS:
        if (i >= width)
            for (int n = dice_below(dice, BEFORE_MOST); n >= 0; n--)
                before[count++] = (i / width - 1) * width + dice_below(dice, width);
        break;
    case WEB_SPARSE:
        for (int n = i ? dice_below(dice, 3) : 0; n; n--) before[count++] = dice_below(dice, i);
        break;
    case WEB_PIECES: /* chains beside each other, most of them short */
        if (i && dice_chance(dice, 80)) before[count++] = i - 1;
        break;
    default: break;
    }
    return count;
}

static bool has(const int *before, int count, int knot)
{
    while (count--)
        if (before[count] == knot) return true;
    return false;
}

static void tie(struct web *web, struct dice *dice, enum web_shape shape)
{
    uint32_t at = 0;
    for (int i = 0; i < web->knots; i++) {
        int before[BEFORE_MOST], count = draw(dice, shape, i, before);
        struct knot *knot = &web->knot[i];
        *knot = (struct knot){ .web = web, .self = knot, .first = at, .after = -1,
                               .weight = (unsigned)dice_below(dice, 64) };
        for (int k = 0; k < count; k++) {
            if (has(before, k, before[k])) continue;
            web->before[at++] = (uint32_t)before[k];
            web->knot[before[k]].after = i;
        }
        knot->count = at - knot->first;
    }
}

/* ---- Graphs ----------------------------------------------------------------------------- */

void web_op(const struct web_kit *kit, struct knot *knot, bool kernel, rill_op *op)
{
    static const rill_dim3 one = { 1, 1, 1 };
    *op = (rill_op){ .kind = kernel ? RILL_OP_KERNEL : RILL_OP_HOST };
    if (kernel)
        op->kernel = (rill_kernel_op){ .kernel = kit->kernel, .grid = one, .block = one,
                                       .buffer = &knot->self, .buffer_bytes = sizeof knot->self };
    else
        op->host = (rill_host_op){ .fn = web_run, .data = knot };
}

/* A knot inside child graphs, beside empty nodes and empty graphs. */
static rill_node add_nested(const struct web_kit *kit, struct dice *dice, rill_graph *graph,
                            rill_op *op, int depth)
{
    rill_node node, beside;
    if (!depth) {
        must(rill_graph_add_node(graph, NULL, 0, op, &node));
        return node;
    }
    rill_graph *child;
    must(rill_graph_create(kit->sized->context, NULL, &child));
    add_nested(kit, dice, child, op, depth - 1);
    for (int n = dice_below(dice, 3); n; n--)
        must(rill_graph_add_empty(child, NULL, 0, &beside));
    bool moves = dice_chance(dice, 50);
    must(rill_graph_add_child(graph, NULL, 0, child, moves ? RILL_CHILD_MOVE : 0, &node));
    if (!moves) must(rill_graph_destroy(&child));
    return node;
}

static rill_node add_knot(const struct web_kit *kit, struct dice *dice, struct web *web, int i)
{
    rill_op op;
    web_op(kit, &web->knot[i], dice_chance(dice, 30), &op);
    int depth = dice_chance(dice, 6) ? 1 + dice_below(dice, 4) : 0;
    return add_nested(kit, dice, web->graph, &op, depth);
}

static void link_nodes(struct web *web, rill_node from, rill_node to)
{
    must(rill_graph_add_edges(web->graph, &from, &to, NULL, 1));
}

static void add_edges(struct dice *dice, struct web *web)
{
    for (int i = 0; i < web->knots; i++)
        for (uint32_t k = 0; k < web->knot[i].count; k++) {
            rill_node from = web->node[web->before[web->knot[i].first + k]], between;
            if (dice_chance(dice, 5)) {
                must(rill_graph_add_empty(web->graph, &from, 1, &between));
                from = between;
            }
            link_nodes(web, from, web->node[i]);
        }
}

/* Nodes in any order, then their edges: the line is to be found by sorting. */
static void add_nodes(const struct web_kit *kit, struct dice *dice, struct web *web)
{
    int *order = calloc((size_t)web->knots, sizeof *order);
    must_be(order != NULL);
    for (int i = 0; i < web->knots; i++) order[i] = i;
    bool shuffled = dice_chance(dice, 50);
    for (int i = web->knots - 1; i > 0 && shuffled; i--) {
        int other = dice_below(dice, i + 1), kept = order[i];
        order[i] = order[other];
        order[other] = kept;
    }
    for (int i = 0; i < web->knots; i++)
        web->node[order[i]] = add_knot(kit, dice, web, order[i]);
    free(order);
}

struct web *web_make(const struct web_kit *kit, struct dice *dice, enum web_shape shape, int knots)
{
    struct web *web = calloc(1, sizeof *web);
    must_be(web != NULL);
    web->knots = knots;
    web->knot = calloc((size_t)knots, sizeof *web->knot);
    web->before = calloc((size_t)knots * BEFORE_MOST, sizeof *web->before);
    web->node = calloc((size_t)knots, sizeof *web->node);
    must_be(web->knot && web->before && web->node);
    tie(web, dice, shape);
    must(rill_graph_create(kit->sized->context, NULL, &web->graph));
    add_nodes(kit, dice, web);
    add_edges(dice, web);
    return web;
}

void web_freeze(struct web *web)
{
    must(rill_exec_create(web->graph, NULL, &web->exec));
}

/* ---- Launching -------------------------------------------------------------------------- */

struct follower {
    struct web *web;
    uint64_t least;
};

static void follow(void *data)
{
    struct follower *follower = data;
    must_be(atomic_load_explicit(&follower->web->total, RELAXED) >= follower->least);
}

void web_launch(struct web *web, rill_stream *stream)
{
    struct follower *follower = malloc(sizeof *follower);
    must_be(follower != NULL);
    must(rill_exec_launch(web->exec, stream));
    *follower = (struct follower){ web, (uint64_t)++web->launched * (unsigned)web->knots };
    must(rill_launch_host(stream, follow, follower, free));
}

void web_check(struct web *web)
{
    must_be(atomic_load(&web->total) == (uint64_t)web->launched * (unsigned)web->knots);
    for (int i = 0; i < web->knots; i++)
        must_be(atomic_load(&web->knot[i].runs) == web->launched);
}

void web_free(struct web *web)
{
    must(rill_exec_destroy(&web->exec));
    must(rill_graph_destroy(&web->graph));
    free(web->knot);
    free(web->before);
    free(web->node);
    free(web);
}
