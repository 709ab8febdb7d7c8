/* SPDX-License-Identifier: Apache-2.0 */
#include "random/checked/promised.h"

static void add_words(struct touch *touch, int first, int count)
{
    for (int i = first; i < first + count; i++) touch->words[i / 64] |= UINT64_C(1) << (i % 64);
}

static struct touch touch_region(const struct region *region, int how)
{
    struct touch touch = { .memory = region->memory, .how = (uint8_t)how };
    for (int row = 0; row < region->rows; row++)
        add_words(&touch, (region->at + row * region->pitch) / 4, region->width / 4);
    return touch;
}

struct touch touch_whole(int memory, int how)
{
    struct touch touch = { .memory = (int8_t)memory, .how = (uint8_t)how };
    add_words(&touch, 0, MEMORY_BYTES / 4);
    return touch;
}

struct touch_list touches_of(const struct work *work)
{
    struct touch_list list = { 0 };
    bool in = work->in.memory >= 0;
    list.count = 1 + in;
    if (work->by == BY_GUESSED) {
        list.touch[0] = touch_whole(work->out.memory, TOUCH_READS | TOUCH_WRITES);
        if (in) list.touch[1] = touch_whole(work->in.memory, TOUCH_READS | TOUCH_WRITES);
    } else {
        int how = work->kind == WORK_ADD ? TOUCH_ADDS : TOUCH_WRITES;
        list.touch[0] = touch_region(&work->out, how);
        if (in) list.touch[1] = touch_region(&work->in, TOUCH_READS);
    }
    return list;
}

struct touch_list touches_of_node(const struct node_shape *node)
{
    if (node->verb == DO_NODE) return touches_of(&node->work);
    struct touch_list list = { 0 };
    if (node->memory >= 0) list.touch[list.count++] = touch_whole(node->memory, TOUCH_WRITES);
    return list;
}

/* Reads do not disturb each other, nor do atomics. */
static bool conflict(const struct touch *one, const struct touch *other)
{
    if (one->memory != other->memory) return false;
    if (one->how == other->how && one->how != TOUCH_WRITES &&
        one->how != (TOUCH_READS | TOUCH_WRITES))
        return false;
    for (int w = 0; w < MASK_WORDS; w++)
        if (one->words[w] & other->words[w]) return true;
    return false;
}

bool touches_conflict(const struct touch_list *one, const struct touch_list *other)
{
    for (int i = 0; i < one->count; i++)
        for (int k = 0; k < other->count; k++)
            if (conflict(&one->touch[i], &other->touch[k])) return true;
    return false;
}

bool acts_race(const struct promises *promises, int one, int other)
{
    return !promised(promises, one, other) && !promised(promises, other, one) &&
           touches_conflict(&promises->act[one].touches, &promises->act[other].touches);
}

int promises_races(const struct promises *promises, int *one, int *other)
{
    int races = 0;
    for (int b = 0; b < promises->acts; b++) {
        for (int a = 0; a < b; a++) {
            if (!acts_race(promises, a, b)) continue;
            if (!races++) {
                *one = a;
                *other = b;
            }
        }
    }
    return races;
}
