/* SPDX-License-Identifier: Apache-2.0 */
#include "random/checked/damage.h"

#include <string.h>

/* What is in memory that was freed is nobody's.  Before, it is as it came: all zero. */
#define NOBODYS 0xa5

static void apply_act(struct contents *contents, const struct promises *promises, int act)
{
    const struct act *done = &promises->act[act];
    const struct step *s = &promises->program->step[done->step];
    const struct work *work = &done->work;
    if (s->verb == DO_FREE)
        memset(contents->memory[s->memory], NOBODYS, MEMORY_BYTES);
    if (s->verb == DO_GIVE_BACK) memset(contents->memory[s->memory], 0, MEMORY_BYTES);
    if (work->out.memory < 0) return;
    work_apply(work, contents->memory[work->out.memory],
               work->in.memory < 0 ? NULL : contents->memory[work->in.memory]);
}

static bool gives_back(const struct promises *promises, int act)
{
    return promises->program->step[promises->act[act].step].verb == DO_GIVE_BACK;
}

/* Returns where those acts end that may change places with this one.  Memory is given back by a
 * call that waits for all that was submitted. */
static int end_of_stretch(const struct promises *promises, int act)
{
    if (gives_back(promises, act)) return act + 1;
    while (act < promises->acts && !gives_back(promises, act)) act++;
    return act;
}

static void run_some(struct contents *contents, const struct promises *promises, int from, int to,
                     const struct act_set *set, bool in_set)
{
    for (int i = from; i < to; i++)
        if (acts_have(set, i) == in_set) apply_act(contents, promises, i);
}

/* Works out what is left if the acts of the set come first, as far as they can. */
static void run_first(struct contents *contents, const struct promises *promises,
                      const struct act_set *first)
{
    memset(contents, 0, sizeof *contents);
    for (int from = 0, to; from < promises->acts; from = to) {
        to = end_of_stretch(promises, from);
        run_some(contents, promises, from, to, first, true);
        run_some(contents, promises, from, to, first, false);
    }
}

/* Returns all acts that are not promised to come after one, without that one. */
static struct act_set acts_not_after(const struct promises *promises, int act)
{
    struct act_set set = { { 0 } };
    for (int i = 0; i < promises->acts; i++)
        if (i != act && !promised(promises, act, i)) acts_add(&set, i);
    return set;
}

static bool differs(const struct promises *promises, const struct act_set *first,
                    const struct contents *expected)
{
    static struct contents contents;
    int memory;
    run_first(&contents, promises, first);
    return contents_differ(promises->program, &contents, expected, &memory);
}

bool damage_is_possible(const struct promises *promises, const struct contents *expected)
{
    for (int b = 0; b < promises->acts; b++) {
        for (int a = 0; a < b; a++) {
            if (!acts_race(promises, a, b)) continue;
            struct act_set soon = promises->act[b].before, late = acts_not_after(promises, a);
            acts_add(&soon, b);
            if (differs(promises, &soon, expected) || differs(promises, &late, expected))
                return true;
        }
    }
    return false;
}
