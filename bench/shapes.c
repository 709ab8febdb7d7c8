/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "bench.h"

/* ---- A list of edges, then both directions of them --------------------------------- */

struct edges {
    struct edge {
        uint32_t from, to;
    } *list;
    uint32_t count, room;
};

static void *room_for(size_t count, size_t bytes)
{
    void *room = calloc(count + 1, bytes);
    if (!room) give_up("no memory for a graph");
    return room;
}

static void join(struct edges *edges, uint32_t from, uint32_t to)
{
    if (edges->count == edges->room) {
        edges->room = edges->room ? 2 * edges->room : 1024;
        edges->list = realloc(edges->list, edges->room * sizeof *edges->list);
        if (!edges->list) give_up("no memory for edges");
    }
    edges->list[edges->count++] = (struct edge){ from, to };
}

/* first[v] becomes where the edges of `v` begin, and the edges are put there. */
static void index_edges(const struct edges *edges, uint32_t nodes, bool backward, uint32_t *first,
                        uint32_t *others)
{
    uint32_t *next = room_for(nodes, sizeof *next);
    for (uint32_t i = 0; i < edges->count; i++)
        first[(backward ? edges->list[i].to : edges->list[i].from) + 1]++;
    for (uint32_t v = 0; v < nodes; v++) first[v + 1] += first[v];
    memcpy(next, first, nodes * sizeof *next);
    for (uint32_t i = 0; i < edges->count; i++) {
        const struct edge *edge = &edges->list[i];
        uint32_t at = backward ? edge->to : edge->from;
        others[next[at]++] = backward ? edge->from : edge->to;
    }
    free(next);
}

static struct dag *drawn(struct edges *edges, uint32_t nodes)
{
    struct dag *dag = room_for(1, sizeof *dag);
    *dag = (struct dag){
        .nodes = nodes,
        .edges = edges->count,
        .first_before = room_for(nodes, sizeof(uint32_t)),
        .before = room_for(edges->count, sizeof(uint32_t)),
        .first_after = room_for(nodes, sizeof(uint32_t)),
        .after = room_for(edges->count, sizeof(uint32_t)),
    };
    index_edges(edges, nodes, true, dag->first_before, dag->before);
    index_edges(edges, nodes, false, dag->first_after, dag->after);
    free(edges->list);
    return dag;
}

void erase(struct dag *dag)
{
    free(dag->first_before);
    free(dag->before);
    free(dag->first_after);
    free(dag->after);
    free(dag);
}

/* ---- Shapes ------------------------------------------------------------------------- */

static struct dag *chain(uint32_t length, uint32_t unused)
{
    struct edges edges = { .list = NULL };
    (void)unused;
    for (uint32_t v = 1; v < length; v++) join(&edges, v - 1, v);
    return drawn(&edges, length);
}

static struct dag *fork_join(uint32_t width, uint32_t unused)
{
    struct edges edges = { .list = NULL };
    (void)unused;
    for (uint32_t v = 1; v <= width; v++) {
        join(&edges, 0, v);
        join(&edges, v, width + 1);
    }
    return drawn(&edges, width + 2);
}

/* Each cell after the one above it and the one to its left. */
static struct dag *wavefront(uint32_t rows, uint32_t columns)
{
    struct edges edges = { .list = NULL };
    for (uint32_t v = 0; v < rows * columns; v++) {
        if (v >= columns) join(&edges, v - columns, v);
        if (v % columns) join(&edges, v - 1, v);
    }
    return drawn(&edges, rows * columns);
}

/* Pairs, pairs of pairs, down to one. */
static struct dag *reduction(uint32_t leaves, uint32_t unused)
{
    struct edges edges = { .list = NULL };
    (void)unused;
    for (uint32_t v = 0; v < 2 * leaves - 2; v++) join(&edges, v, leaves + v / 2);
    return drawn(&edges, 2 * leaves - 1);
}

struct dag *draw_apart(uint32_t nodes)
{
    struct edges edges = { .list = NULL };
    return drawn(&edges, nodes);
}

static struct dag *apart(uint32_t nodes, uint32_t unused)
{
    (void)unused;
    return draw_apart(nodes);
}

#define WIDTH 100u /* but for graphs that are smaller */

/* Always the same ones. */
static uint32_t any(uint64_t *state, uint32_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*state >> 33) % below);
}

/* Every node comes after four of the layer above it.  What is left of the edges
 * skips a layer, one for each node from the end on. */
static struct dag *layers_of(uint32_t width, uint32_t layers, uint32_t count)
{
    struct edges edges = { .list = NULL };
    uint64_t state = 1;
    for (uint32_t v = width; v < layers * width; v++) {
        uint32_t above = v - v % width - width;
        uint32_t stride = width < 12 ? 1 : 1 + any(&state, width / 4 - 1);
        uint32_t from = any(&state, width);
        for (uint32_t i = 0; i < 4 && i < width; i++)
            join(&edges, above + (from + i * stride) % width, v);
    }
    for (uint32_t v = layers * width; edges.count < count && v-- > 2 * width;)
        join(&edges, v - v % width - 2 * width + any(&state, width), v);
    return drawn(&edges, layers * width);
}

struct dag *draw_layers(uint32_t layers, uint32_t count)
{
    return layers_of(WIDTH, layers, count);
}

const struct shape_info shapes[SHAPES] = {
    [CHAIN_1000] = { "chain-1000", "chain of 1,000", chain, 1000, 0, .body = body_count },
    [CHAIN_10000] = { "chain-10000", "chain of 10,000", chain, 10000, 0, .body = body_count },
    [FORK_JOIN] = { "fork-join", "fork and join, 10,000 wide", fork_join, 10000, 0,
                    .body = body_count },
    [WAVEFRONT_64] = { "wavefront-64", "wavefront of 64 by 64", wavefront, 64, 64,
                       .body = body_count },
    [WAVEFRONT_100] = { "wavefront-100", "wavefront of 100 by 100", wavefront, 100, 100,
                        .body = body_count },
    [REDUCTION] = { "reduction", "reduction of 8,192 leaves", reduction, 8192, 0,
                    .body = body_count },
    [LAYERS] = { "layers", "10,000 nodes in layers, 40,000 edges", draw_layers, 100, 40000,
                 .body = body_count },
    [SINGLE] = { "single", "one node: the launch", chain, 1, 0, .body = body_count, .whole = true },
    [CHAIN_20] = { "chain-20", "chain of 20: the launch", chain, 20, 0,
                   .body = body_count, .whole = true },
    [LAYERS_1US] = { "layers-1us", "the layers, nodes of 1 us", draw_layers, 100, 40000,
                     .body = body_1us, .split = true },
    [APART_1MS] = { "apart-1ms", "100 nodes of 1 ms, no edges", apart, 100, 0, .body = body_1ms,
                    .split = true },
    [LAYERS_SKEWED] = { "layers-skewed", "the layers, every tenth node 8 us", draw_layers, 100,
                        40000, .body = body_skewed, .split = true },
};

const struct shape_info wide_shapes[WIDE_SHAPES] = {
    [WIDE_LAYERS] = { "layers-1us", "layers of 100, 40,000 edges, nodes of 1 us", draw_layers, 100,
                      40000, .body = body_1us, .split = true },
    [WIDE_LAYERS_SKEWED] = { "layers-skewed", "the layers, every tenth node 8 us", draw_layers,
                             100, 40000, .body = body_skewed, .split = true },
    [WIDE_APART_SKEWED] = { "apart-skewed", "10,000 nodes, no edges, every tenth 8 us", apart,
                            10000, 0, .body = body_skewed, .split = true },
};

const int wide_threads[WIDE_COUNTS] = { 1, 4, 8, 16, 32 };

struct dag *draw(enum shape shape)
{
    return shapes[shape].draw(shapes[shape].a, shapes[shape].b);
}

const struct family_info families[FAMILIES] = {
    [SCALE_CHAIN] = { "chain", "chain" },
    [SCALE_LAYERS] = { "layers", "layers, four edges a node" },
};

uint32_t scale_nodes(int size)
{
    uint32_t nodes = 1;
    while (size-- > 0) nodes *= 10;
    return nodes;
}

/* Layers of 100 where there are as many layers, less wide where there would be fewer. */
struct dag *draw_scale(enum family family, int size)
{
    static const uint32_t widths[SCALE_SIZES] = { 1, 2, 10, 100, 100, 100 };
    uint32_t nodes = scale_nodes(size);
    if (family == SCALE_CHAIN) return chain(nodes, 0);
    return layers_of(widths[size], nodes / widths[size], 0);
}

const struct cost_shape cost_shapes[COST_SIZES] = {
    [COST_10K] = { "10k", "10,000 nodes, 40,000 edges", 100, 40000, 9 },
    [COST_1M] = { "1m", "1,000,000 nodes, 4,000,000 edges", 10000, 4000000, 3 },
};
