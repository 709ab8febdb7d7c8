/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/order/signals.h"

#include <string.h>

#include "base/alloc.h"

bool ck_signals_add(struct ck_signals **signals, const struct ck_signal *signal)
{
    struct ck_signals *old = *signals;
    const size_t known = old ? old->count : 0;
    for (size_t i = 0; i < known; i++) {
        struct ck_signal *one = &old->at[i];
        if (one->node != signal->node || one->word.address != signal->word.address) continue;
        one->word.how |= signal->word.how;
        return true;
    }
    struct ck_signals *all = rl_alloc(sizeof *all + (known + 1) * sizeof *all->at);
    if (!all) return false;
    *all = (struct ck_signals){ .host = old ? old->host : NULL, .count = known + 1 };
    if (known) memcpy(all->at, old->at, known * sizeof *all->at);
    all->at[known] = *signal;
    rl_free(old);
    *signals = all;
    return true;
}

void ck_signals_end(struct ck_signals *signals, struct ck_clock *host, uint64_t serial)
{
    ck_clock_release(signals->host);
    signals->host = ck_clock_retain(host);
    signals->serial = serial;
}

void ck_signals_free(struct ck_signals *signals)
{
    if (signals) ck_clock_release(signals->host);
    rl_free(signals);
}

bool ck_signals_meet(const struct ck_signals *a, const struct ck_signals *b)
{
    for (size_t i = 0; a && b && i < a->count; i++)
        for (size_t j = 0; j < b->count; j++)
            if (a->at[i].word.address == b->at[j].word.address) return true;
    return false;
}
