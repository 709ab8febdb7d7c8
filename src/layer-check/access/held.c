/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/access/held.h"

#include "base/alloc.h"

/* More than so many would be of a program with many mistakes. */
#define HELD_MOST 64u

struct ck_held_conflict {
    struct ck_held_conflict *next;
    struct ck_conflict conflict; /* both works are retained */
    uint64_t until;
    struct ck_verdicts verdict;  /* one */
};

/* What comes after a free is wrong in any order. */
bool ck_tellings_settle(const struct ck_tellings *tellings, const struct ck_conflict *conflict)
{
    const struct ck_mark *first = &conflict->first, *then = &conflict->then;
    if (!tellings->count) return false;
    return (!(first->how & CK_TOUCH_FREE) &&
            ck_tellings_order(tellings, &first->step, &then->step)) ||
           (!(then->how & CK_TOUCH_FREE) &&
            ck_tellings_order(tellings, &then->step, &first->step));
}

static void free_conflict(struct ck_held_conflict *one)
{
    ck_work_release(one->conflict.first.step.work);
    ck_work_release(one->conflict.then.step.work);
    ck_verdicts_free(&one->verdict);
    rl_free(one);
}

bool ck_held_add(struct ck_held *held, const struct ck_conflict *conflict,
                 const struct ck_block *block, uint64_t until, struct ck_verdicts *verdicts)
{
    if (held->count == HELD_MOST) return ck_verdicts_conflict(verdicts, conflict, block);
    struct ck_held_conflict *one = rl_alloc(sizeof *one);
    if (!one) return false;
    *one = (struct ck_held_conflict){ .next = held->first, .conflict = *conflict, .until = until };
    ck_work_retain(conflict->first.step.work);
    ck_work_retain(conflict->then.step.work);
    ck_verdicts_init(&one->verdict);
    held->first = one;
    held->count++;
    return ck_verdicts_conflict(&one->verdict, conflict, block);
}

void ck_held_release(struct ck_held *held, const struct ck_tellings *tellings, uint64_t serial,
                     struct ck_verdicts *verdicts)
{
    for (struct ck_held_conflict **link = &held->first; *link;) {
        struct ck_held_conflict *one = *link;
        if (one->until >= serial) {
            link = &one->next;
            continue;
        }
        *link = one->next;
        held->count--;
        if (!ck_tellings_settle(tellings, &one->conflict))
            ck_verdicts_move(verdicts, &one->verdict);
        free_conflict(one);
    }
}

void ck_held_fini(struct ck_held *held)
{
    while (held->first) {
        struct ck_held_conflict *one = held->first;
        held->first = one->next;
        free_conflict(one);
    }
    held->count = 0;
}
