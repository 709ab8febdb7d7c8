/* SPDX-License-Identifier: Apache-2.0 */
#include "torture.h"

struct maker {
    struct torture *torture;
    struct dice dice;
    int function;  /* whose body is made; FUNCTIONS: the kernel's */
    int depth, loops;
    bool may_end;  /* the kernel: nothing comes that needs all lanes */
};

static uint16_t make_list(struct maker *maker, int count);

static int registers_of(const struct maker *maker)
{
    return maker->function < FUNCTIONS ? FUNCTION_REGISTERS : REGISTERS;
}

/* An act with everything that it might need. */
static uint16_t new_act(struct maker *maker, enum act_kind kind)
{
    struct torture *torture = maker->torture;
    struct dice *dice = &maker->dice;
    int registers = registers_of(maker);
    uint16_t at = torture->count++;
    torture->acts[at] = (struct act){
        .kind = (uint8_t)kind,
        .d = (uint8_t)dice_below(dice, registers),
        .a = (uint8_t)dice_below(dice, registers),
        .b = (uint8_t)dice_below(dice, registers),
        .c = (uint8_t)dice_below(dice, registers),
        .operation = (uint8_t)dice_below(dice, (int)torture_operation_count),
        .comparison = (uint8_t)dice_below(dice, COMPARISONS),
        .tested = (uint8_t)dice_below(dice, registers),
        .number = (uint32_t)(dice_next(dice) >> (32 + dice_below(dice, 28))),
        .body = { NO_ACT, NO_ACT, NO_ACT, NO_ACT },
        .next = NO_ACT,
    };
    if (torture->acts[at].comparison == HAS_NO_BIT)
        torture->acts[at].number = 1u << dice_below(dice, 6);
    return at;
}

static bool has_room(const struct maker *maker)
{
    return maker->torture->count < MOST_ACTS - 60;
}

static enum act_kind choose(struct maker *maker)
{
    static const uint8_t kinds[] = {
        COMPUTE, COMPUTE, COMPUTE, COMPUTE, COMPUTE_IF, COMPUTE_IF, BRANCH, BRANCH, LOOP,
        LEAVE_LOOP, NEXT_ROUND, SWITCH, STORE_LOCAL, LOAD_LOCAL, CALL, CALL, CALL_POINTER,
        COUNT_SHARED, COUNT_GLOBAL, RETURN,
    };
    enum act_kind kind = kinds[dice_below(&maker->dice, (int)sizeof kinds)];
    bool kernel = maker->function == FUNCTIONS;
    bool nests = kind == BRANCH || kind == LOOP || kind == SWITCH;
    int most = kernel ? MOST_DEPTH : 1;
    if (nests && (maker->depth >= most || !has_room(maker))) return COMPUTE;
    if ((kind == LEAVE_LOOP || kind == NEXT_ROUND) && !maker->loops) return COMPUTE;
    if (kind >= STORE_LOCAL && kind <= COUNT_GLOBAL && kind != CALL && !kernel) return COMPUTE_IF;
    if (kind == CALL && maker->function == 0) return COMPUTE;
    if (kind == RETURN && kernel && !maker->may_end) return COMPUTE_IF;
    return kind;
}

static uint16_t make_act(struct maker *maker)
{
    enum act_kind kind = choose(maker);
    uint16_t at = new_act(maker, kind);
    struct act *act = &maker->torture->acts[at];
    int bodies = kind == BRANCH ? 1 + dice_below(&maker->dice, 2)
                                : kind == SWITCH ? 4 : kind == LOOP;
    if (kind == CALL) /* those before it, or the one that calls itself */
        act->operation = (uint8_t)(dice_chance(&maker->dice, 25)
                                       ? FUNCTIONS
                                       : dice_below(&maker->dice, maker->function));
    maker->depth++;
    maker->loops += kind == LOOP;
    for (int i = 0; i < bodies; i++)
        act->body[i] = make_list(maker, 1 + dice_below(&maker->dice, kind == SWITCH ? 2 : 4));
    maker->loops -= kind == LOOP;
    maker->depth--;
    return at;
}

static uint16_t make_list(struct maker *maker, int count)
{
    uint16_t first = NO_ACT, *last = &first;
    while (count-- > 0) {
        *last = make_act(maker);
        last = &maker->torture->acts[*last].next;
    }
    return first;
}

static uint16_t make_together(struct maker *maker)
{
    static const uint8_t kinds[] = { EXCHANGE, EXCHANGE, SHUFFLE, BALLOT, SUBSET, BARRIER_SUM,
                                     TOGETHER_LOOP };
    enum act_kind kind = kinds[dice_below(&maker->dice, maker->depth ? 6 : 7)];
    if (!maker->torture->lanes && kind >= SHUFFLE && kind <= SUBSET) kind = EXCHANGE;
    uint16_t at = new_act(maker, kind);
    struct act *act = &maker->torture->acts[at];
    if (kind == EXCHANGE) act->number = (uint32_t)dice_below(&maker->dice, 70);
    if (kind != TOGETHER_LOOP) return at;
    act->number = 1 + (uint32_t)dice_below(&maker->dice, 4);
    maker->depth++;
    uint16_t *last = &act->body[0];
    for (int i = 0; i < 3; i++) {
        *last = i % 2 ? make_together(maker) : make_act(maker);
        last = &maker->torture->acts[*last].next;
    }
    maker->depth--;
    return at;
}

void torture_make(struct torture *torture, uint64_t seed, unsigned size)
{
    struct maker maker = { .torture = torture, .dice = { seed } };
    memset(torture, 0, sizeof *torture);
    torture->lanes = dice_chance(&maker.dice, 60);
    for (maker.function = 0; maker.function < FUNCTIONS; maker.function++)
        torture->functions[maker.function] = make_list(&maker, 3);
    uint16_t *last = &torture->kernel;
    *last = NO_ACT;
    unsigned alone = 25; /* behind so many acts nobody needs all lanes */
    for (unsigned i = 0; i < size && has_room(&maker); i++) {
        maker.may_end = i >= alone;
        *last = i % 3 == 2 && !maker.may_end ? make_together(&maker) : make_act(&maker);
        last = &torture->acts[*last].next;
    }
}

bool torture_recurses(const struct torture *torture)
{
    for (unsigned i = 0; i < torture->count; i++)
        if (torture->acts[i].kind == CALL && torture->acts[i].operation == FUNCTIONS) return true;
    return false;
}
