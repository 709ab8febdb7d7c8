/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/order/caller.h"

#include "base/alloc.h"

struct ck_caller *ck_caller_create(const struct ck_step *step, struct ck_clock *known)
{
    struct ck_caller *caller = rl_zalloc(sizeof *caller);
    if (!caller) return NULL;
    caller->references = 1;
    caller->step = *step;
    caller->known = known;
    caller->learned = UINT64_MAX;
    caller->sibling = step->work->callers;
    step->work->callers = caller;
    ck_work_retain(step->work);
    return caller;
}

void ck_caller_release(struct ck_caller *caller)
{
    if (!caller || --caller->references) return;
    struct ck_caller **link = &caller->step.work->callers;
    while (*link != caller) link = &(*link)->sibling;
    *link = caller->sibling;
    ck_work_release(caller->step.work);
    ck_clock_release(caller->known);
    rl_free(caller);
}
