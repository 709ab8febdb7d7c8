/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/model/returned.h"

#include <stdio.h>

#include "base/stack.h"
#include "layer-check/model/model.h"
#include "site/root.h"
#include "site/site.h"

/* Tells whether some of that memory is on this thread's stack where no function of the program is:
 * below the frame that called the library. */
static bool is_left(uintptr_t from, uintptr_t to)
{
    return rl_stack_is_below((uintptr_t)cs_call_here().stack, from, to);
}

/* Returns a row of memory of the host's where no function of this thread is, or NULL. */
static const rill_touched *find_left(const struct ck_node *node)
{
    for (size_t i = 0; i < node->row_count; i++) {
        const rill_touched *row = &node->rows[i];
        if ((row->how & CK_TOUCH_BY_HOST) &&
            is_left(row->address, row->address + row->bytes))
            return row;
    }
    return NULL;
}

static bool tell_node(struct ck_verdicts *verdicts, const struct ck_step *step,
                      const rill_touched *row)
{
    struct ck_verdict *verdict = ck_verdicts_add(verdicts, RILL_FINDING_LIFETIME);
    if (!verdict) return false;
    char size[CK_SIZE_MAX];
    ck_write_size(row->bytes, size);
    ck_verdict_set_end(verdict, 0, step, row->how & RILL_TOUCH_WRITE ? "writes" : "reads");
    snprintf(verdict->memory, sizeof verdict->memory, "%s on the stack of the thread", size);
    snprintf(verdict->sentence, sizeof verdict->sentence,
             "%s was made for memory of a function that has returned before this launch",
             verdict->what[0]);
    snprintf(verdict->advice, sizeof verdict->advice,
             "let the memory live as long as the graph is launched");
    verdict->finding.memory = verdict->memory;
    verdict->finding.address = row->address;
    verdict->finding.bytes = row->bytes;
    verdict->finding.sentence = verdict->sentence;
    verdict->finding.advice = verdict->advice;
    return true;
}

bool ck_returned_any(struct ck_work *launch)
{
    if (!launch->inside) return false;
    const struct ck_hull host = ck_launch_model(launch->inside)->host;
    /* A coroutine may have an array on the stack of its thread for its own. */
    return host.to && is_left(host.from, host.to) && cs_leads_to_entry();
}

bool ck_returned_tell(struct ck_work *launch, struct ck_verdicts *verdicts)
{
    const struct ck_model *model = ck_launch_model(launch->inside);
    bool fits = true;
    for (uint32_t i = 1; fits && i <= model->shape->count; i++) {
        const struct ck_node *node = model->nodes[i];
        bool runs = node && !node->disabled && !model->shape->places[i].loop;
        const rill_touched *row = runs ? find_left(node) : NULL;
        if (row) fits = tell_node(verdicts, &(struct ck_step){ .work = launch, .node = i }, row);
    }
    return fits;
}
