/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/access/talk.h"

#include "layer-check/access/tellings.h"

static bool is_of_host(const struct ck_step *step)
{
    const struct ck_what what = ck_step_what(step);
    return what.host || what.kind == RILL_OP_HOST;
}

/* Tells whether kernels of a step tell something where the host can see it. */
static bool tells_host(const struct ck_memory *memory, const struct ck_step *step)
{
    const struct ck_signals *signals = step->work->signals;
    for (size_t i = 0; signals && i < signals->count; i++) {
        const struct ck_block *block = ck_memory_find(memory, signals->at[i].word.address);
        if (block && (block->kind == CK_BLOCK_PINNED || block->kind == CK_BLOCK_REGISTERED ||
                      block->kind == CK_BLOCK_MANAGED))
            return true;
    }
    return false;
}

/* Tells whether a step and the host talk: the host touches what an operation on values writes or
 * waits for, which is what such memory is for, or a kernel tells the host what is done, or is told
 * so.  Then the program does it atomically, and who comes first it knows itself. */
static bool talks_with_host(const struct ck_memory *memory, const struct ck_step *step,
                            const struct ck_step *host)
{
    if (!is_of_host(host)) return false;
    return ck_step_what(step).kind == RILL_OP_VALUES || tells_host(memory, step);
}

bool ck_is_talk(const struct ck_memory *memory, const struct ck_conflict *conflict)
{
    const struct ck_step *first = &conflict->first.step, *then = &conflict->then.step;
    return talks_with_host(memory, first, then) || talks_with_host(memory, then, first) ||
           (first->work != then->work &&
            ck_signals_meet(first->work->signals, then->work->signals)) ||
           ck_tellings_of_word(first, conflict->from, conflict->to, then, conflict->then.how) ||
           ck_tellings_of_word(then, conflict->from, conflict->to, first, conflict->first.how);
}
