/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/model/shape.h"

#include <string.h>

#include "base/alloc.h"

/* Up to this many nodes a shape keeps what is before each: 2 MiB of bits at most. */
#define BITS_MAX 4096u

/* ---- Making -------------------------------------------------------------------------------- */

/* A heap, whose least number is at its front. */
struct heap {
    uint32_t *items, count;
};

static void swap_items(struct heap *heap, uint32_t a, uint32_t b)
{
    uint32_t item = heap->items[a];
    heap->items[a] = heap->items[b];
    heap->items[b] = item;
}

static void push_least(struct heap *heap, uint32_t number)
{
    uint32_t at = heap->count++;
    heap->items[at] = number;
    for (; at && heap->items[(at - 1) / 2] > heap->items[at]; at = (at - 1) / 2)
        swap_items(heap, at, (at - 1) / 2);
}

static uint32_t pop_least(struct heap *heap)
{
    uint32_t least = heap->items[0];
    heap->items[0] = heap->items[--heap->count];
    for (uint32_t at = 0, child = 1; child < heap->count; at = child, child = 2 * at + 1) {
        if (child + 1 < heap->count && heap->items[child + 1] < heap->items[child]) child++;
        if (heap->items[at] <= heap->items[child]) break;
        swap_items(heap, at, child);
    }
    return least;
}

/* Finds an order in which each place comes after those with an edge to it, and of those that may
 * be next the one with the least of the given numbers: so it stays what reports go by, the order
 * of creation.  Returns false if there is none, or memory is short. */
static bool sort_places(const struct ck_edge *edges, uint32_t edge_count, uint32_t count,
                        uint32_t *order)
{
    size_t bytes = (count + 2) * sizeof(uint32_t);
    uint32_t *left = rl_zalloc(bytes), *starts = rl_zalloc(bytes), *queue = rl_alloc(bytes);
    struct heap heap = { queue, 0 };
    uint32_t *next = rl_alloc((edge_count + 1) * sizeof *next), placed = 0;
    bool fits = left && starts && queue && next;
    if (fits) {
        for (uint32_t e = 0; e < edge_count; e++) left[edges[e].to]++, starts[edges[e].from + 1]++;
        for (uint32_t i = 1; i <= count + 1; i++) starts[i] += starts[i - 1];
        for (uint32_t e = edge_count; e-- > 0;) next[--starts[edges[e].from + 1]] = edges[e].to;
        for (uint32_t i = 1; i <= count; i++)
            if (!left[i]) push_least(&heap, i);
        while (heap.count) {
            uint32_t at = pop_least(&heap);
            uint32_t stop = at == count ? edge_count : starts[at + 2];
            order[at] = ++placed;
            for (uint32_t e = starts[at + 1]; e < stop; e++)
                if (!--left[next[e]]) push_least(&heap, next[e]);
        }
    }
    rl_free(left);
    rl_free(starts);
    rl_free(queue);
    rl_free(next);
    return fits && placed == count;
}

static bool leads_back(const struct ck_edge *edges, uint32_t count)
{
    for (uint32_t e = 0; e < count; e++)
        if (edges[e].from >= edges[e].to) return true;
    return false;
}

/* Gives places and edges the numbers of the order. */
static bool renumber_places(struct ck_shape *shape, struct ck_edge *edges, const uint32_t *order)
{
    struct ck_place *places = rl_zalloc((shape->count + 1) * sizeof *places);
    if (!places) return false;
    for (uint32_t i = 1; i <= shape->count; i++) {
        places[order[i]] = shape->places[i];
        places[order[i]].body = shape->places[i].body ? order[shape->places[i].body] : 0;
    }
    rl_free(shape->places);
    shape->places = places;
    for (uint32_t e = 0; e < shape->edge_count; e++)
        edges[e] = (struct ck_edge){ order[edges[e].from], order[edges[e].to] };
    return true;
}

static void index_edges(struct ck_shape *shape, const struct ck_edge *edges)
{
    struct ck_place *places = shape->places;
    for (uint32_t e = 0; e < shape->edge_count; e++) places[edges[e].from].end++;
    for (uint32_t i = 1, at = 0; i <= shape->count; i++) {
        uint32_t many = places[i].end;
        places[i].begin = places[i].end = at;
        at += many;
    }
    for (uint32_t e = 0; e < shape->edge_count; e++)
        shape->successors[places[edges[e].from].end++] = edges[e].to;
}

static bool make_room(struct ck_shape *shape)
{
    shape->successors = rl_alloc((shape->edge_count + 1) * sizeof *shape->successors);
    shape->marks = rl_zalloc((shape->count + 1) * sizeof *shape->marks);
    shape->stack = rl_alloc((shape->count + 1) * sizeof *shape->stack);
    return shape->successors && shape->marks && shape->stack;
}

struct ck_shape *ck_shape_create(struct ck_place *places, uint32_t count, struct ck_edge *edges,
                                 uint32_t edge_count, uint32_t *order)
{
    struct ck_shape *shape = rl_zalloc(sizeof *shape);
    bool fits = shape && places && edges;
    if (shape)
        *shape = (struct ck_shape){ .references = 1, .count = count, .edge_count = edge_count,
                                    .places = places };
    else
        rl_free(places);
    for (uint32_t i = 0; i <= count; i++) order[i] = i;
    if (fits && leads_back(edges, edge_count))
        fits = sort_places(edges, edge_count, count, order) &&
               renumber_places(shape, edges, order);
    if (fits) fits = make_room(shape);
    if (fits) index_edges(shape, edges);
    rl_free(edges);
    if (fits) return shape;
    ck_shape_release(shape);
    return NULL;
}

void ck_shape_release(struct ck_shape *shape)
{
    if (!shape || --shape->references) return;
    if (shape->reached) rl_free(shape->reached[0]);
    rl_free(shape->reached);
    rl_free(shape->marks);
    rl_free(shape->stack);
    rl_free(shape->numbers);
    rl_free(shape->places);
    rl_free(shape->successors);
    rl_free(shape);
}

/* ---- What is before what ------------------------------------------------------------------- */

/* Fills in, for each node, which are before it: those before its predecessors, and these. */
static bool fill_bits(struct ck_shape *shape)
{
    size_t words = (shape->count + 64) / 64;
    shape->reached = rl_alloc((shape->count + 1) * sizeof *shape->reached);
    uint64_t *bits = rl_zalloc((shape->count + 1) * words * sizeof *bits);
    if (!shape->reached || !bits) {
        rl_free(shape->reached);
        rl_free(bits);
        shape->reached = NULL;
        return false;
    }
    for (uint32_t i = 0; i <= shape->count; i++) shape->reached[i] = bits + i * words;
    for (uint32_t i = 1; i <= shape->count; i++)
        for (uint32_t e = shape->places[i].begin; e < shape->places[i].end; e++) {
            uint64_t *to = shape->reached[shape->successors[e]];
            for (size_t w = 0; w < words; w++) to[w] |= shape->reached[i][w];
            to[i / 64] |= UINT64_C(1) << i % 64;
        }
    return true;
}

/* Searches for a path.  Numbers only grow along it, so nothing beyond `to` is looked at. */
static bool search_path(struct ck_shape *shape, uint32_t from, uint32_t to)
{
    uint32_t *stack = shape->stack, depth = 0, mark = ++shape->last_mark;
    bool found = false;
    stack[depth++] = from;
    while (depth && !found) {
        const struct ck_place *place = &shape->places[stack[--depth]];
        for (uint32_t e = place->begin; e < place->end && !found; e++) {
            uint32_t next = shape->successors[e];
            if (next == to) found = true;
            else if (next < to && shape->marks[next] != mark) {
                shape->marks[next] = mark;
                stack[depth++] = next;
            }
        }
    }
    return found;
}

bool ck_shape_reaches(struct ck_shape *shape, uint32_t from, uint32_t to)
{
    if (from >= to) return false;
    if (shape->count <= BITS_MAX && (shape->reached || fill_bits(shape)))
        return shape->reached[to][from / 64] >> from % 64 & 1;
    return search_path(shape, from, to);
}
