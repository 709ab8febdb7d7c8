/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/abstract.h"

#include <stdlib.h>
#include <string.h>

/* ---- Drawing ------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static unsigned draw(uint64_t *state, unsigned below)
{
    return (unsigned)(mix(*state += 0x9e3779b97f4a7c15u) % below);
}

static void promise(struct abstract *program, unsigned op)
{
    uint32_t direct = program->ops[op].after;
    for (unsigned i = 0; i < op; i++)
        if (program->ops[i].stream == program->ops[op].stream) direct |= 1u << i;
    program->promised[op] = direct;
    for (unsigned i = 0; i < op; i++)
        if (direct >> i & 1) program->promised[op] |= program->promised[i];
}

struct abstract abstract_draw(uint64_t seed, bool turns, bool blocks)
{
    struct abstract program = { .count = 0 };
    uint64_t state = mix(seed + 1);
    unsigned streams = 2 + draw(&state, ABSTRACT_STREAMS - 1);
    program.count = 2 + draw(&state, OPS_MAX - 1);
    for (unsigned i = 0; i < program.count; i++) {
        struct abstract_op *op = &program.ops[i];
        op->stream = draw(&state, streams);
        if (i && !draw(&state, 4)) op->after = 1u << draw(&state, i);
        if (draw(&state, 2)) op->reads = 1u << draw(&state, WORDS);
        if (draw(&state, 4)) op->writes = 1u << draw(&state, WORDS);
        op->by = draw(&state, WORDS);
        if (turns && !draw(&state, 3)) op->turn = TURN_BY_WORD;
        if (blocks && !draw(&state, 5)) op->turn = TURN_BLOCKS;
        promise(&program, i);
    }
    return program;
}

/* ---- Running ------------------------------------------------------------------------------- */

uint64_t abstract_value(const struct abstract *program, unsigned op,
                        const uint64_t words[WORDS], unsigned word)
{
    uint64_t value = mix(op + 1) + 7 * word;
    for (unsigned i = 0; i < WORDS; i++)
        if (program->ops[op].reads >> i & 1) value = mix(value ^ words[i]);
    return value | (uint64_t)!value;
}

bool abstract_can_run(const struct abstract *program, const struct abstract_state *state,
                      unsigned op)
{
    const struct abstract_op *what = &program->ops[op];
    if (state->done >> op & 1 || program->promised[op] & ~state->done) return false;
    return what->turn != TURN_BLOCKS || state->words[what->by];
}

void abstract_run(const struct abstract *program, struct abstract_state *state, unsigned op)
{
    const struct abstract_op *what = &program->ops[op];
    uint64_t after[WORDS];
    bool silent = what->turn == TURN_BY_WORD && state->words[what->by] & 1;
    memcpy(after, state->words, sizeof after);
    state->reads[op] = what->reads | (what->turn ? 1u << what->by : 0);
    state->writes[op] = silent ? 0 : what->writes;
    for (unsigned i = 0; i < WORDS; i++)
        if (state->writes[op] >> i & 1) after[i] = abstract_value(program, op, state->words, i);
    memcpy(state->words, after, sizeof after);
    state->done |= 1u << op;
}

bool abstract_conflict(const struct abstract *program, const struct abstract_state *state,
                       unsigned a, unsigned b)
{
    unsigned first = a < b ? a : b, then = a < b ? b : a;
    if (program->promised[then] >> first & 1) return false;
    return (state->writes[a] & (state->reads[b] | state->writes[b])) ||
           (state->reads[a] & state->writes[b]);
}

/* ---- Sets ---------------------------------------------------------------------------------- */

void abstract_set_add(struct abstract_set *set, uint64_t number)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->items[i] == number) return;
    if (set->count == set->room) {
        set->room = set->room ? 2 * set->room : 64;
        set->items = realloc(set->items, set->room * sizeof *set->items);
        if (!set->items) abort();
    }
    set->items[set->count++] = number;
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

bool abstract_set_same(struct abstract_set *a, struct abstract_set *b)
{
    if (a->count != b->count) return false;
    if (!a->count) return true;
    qsort(a->items, a->count, sizeof *a->items, by_number);
    qsort(b->items, b->count, sizeof *b->items, by_number);
    return !memcmp(a->items, b->items, a->count * sizeof *a->items);
}

void abstract_set_free(struct abstract_set *set)
{
    free(set->items);
    *set = (struct abstract_set){ .items = NULL };
}

/* ---- All orders ---------------------------------------------------------------------------- */

struct all {
    const struct abstract *program;
    unsigned order[OPS_MAX], taken;
    struct abstract_set *classes, *states;
};

uint64_t abstract_hash(const uint64_t words[WORDS])
{
    uint64_t hash = 1;
    for (unsigned i = 0; i < WORDS; i++) hash = mix(hash ^ words[i]);
    return hash;
}

/* Two bits for each pair: it conflicts, and which comes first; and what was not run at all. */
static void note_end(const struct all *all, const struct abstract_state *state)
{
    uint64_t class = mix(state->done);
    for (unsigned i = 0; i < all->taken; i++)
        for (unsigned j = i + 1; j < all->taken; j++)
            if (abstract_conflict(all->program, state, all->order[i], all->order[j]))
                class += mix(100 + 10 * all->order[i] + all->order[j]);
    abstract_set_add(all->classes, class);
    abstract_set_add(all->states, abstract_hash(state->words));
}

static void go_on(struct all *all, const struct abstract_state *state)
{
    bool ended = true;
    for (unsigned i = 0; i < all->program->count; i++) {
        if (!abstract_can_run(all->program, state, i)) continue;
        struct abstract_state next = *state;
        ended = false;
        abstract_run(all->program, &next, i);
        all->order[all->taken++] = i;
        go_on(all, &next);
        all->taken--;
    }
    if (ended) note_end(all, state);
}

void abstract_all(const struct abstract *program, struct abstract_set *classes,
                  struct abstract_set *states)
{
    struct all all = { .program = program, .classes = classes, .states = states };
    const struct abstract_state state = { .done = 0 };
    go_on(&all, &state);
}
