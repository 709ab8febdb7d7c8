/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/order/signals.h"

#include <string.h>

#include "base/alloc.h"

static bool has(const struct ck_signals *signals, uint64_t address)
{
    for (size_t i = 0; i < signals->count; i++)
        if (signals->at[i] == address) return true;
    return false;
}

bool ck_signals_add(struct ck_signals **signals, const uint64_t *at, size_t count)
{
    struct ck_signals *old = *signals;
    size_t known = old ? old->count : 0;
    if (!count) return true;
    struct ck_signals *all = rl_alloc(sizeof *all + (known + count) * sizeof *all->at);
    if (!all) return false;
    all->count = known;
    if (known) memcpy(all->at, old->at, known * sizeof *all->at);
    for (size_t i = 0; i < count; i++)
        if (!has(all, at[i])) all->at[all->count++] = at[i];
    rl_free(old);
    *signals = all;
    return true;
}

bool ck_signals_meet(const struct ck_signals *a, const struct ck_signals *b)
{
    for (size_t i = 0; a && b && i < a->count; i++)
        if (has(b, a->at[i])) return true;
    return false;
}
