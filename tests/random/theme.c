/* SPDX-License-Identifier: Apache-2.0 */
#include "random/theme.h"

#include <string.h>

/* Of each kind of step, how often; the themes below change some of them. */
static const int usual[VERBS] = {
    [DO_HOST] = 22, [DO_KERNEL] = 10, [DO_BLOCKS] = 3, [DO_CALLBACK] = 3, [DO_STORE] = 3,
    [DO_CHECK] = 3, [DO_ALLOC] = 2, [DO_FREE] = 3, [DO_EMPTY] = 2, [DO_FILL] = 3, [DO_COPY] = 5,
    [DO_UPLOAD] = 2, [DO_READ] = 3, [DO_RECORD] = 14, [DO_WAIT] = 14, [DO_WAIT_STREAM] = 3,
    [DO_GATE] = 5, [DO_WRITE] = 3, [DO_WAIT_VALUE] = 4, [DO_BATCH] = 2, [DO_OPEN] = 5,
    [DO_QUERY_STREAM] = 6, [DO_QUERY_EVENT] = 5, [DO_ELAPSED] = 2, [DO_SYNC_STREAM] = 3,
    [DO_SYNC_EVENT] = 3, [DO_SYNC_CONTEXT] = 1, [DO_POLL] = 1, [DO_LOOK] = 1, [DO_AWAIT] = 6,
    [DO_PAUSE] = 4, [DO_STREAM_CREATE] = 2, [DO_STREAM_DESTROY] = 2, [DO_EVENT_CREATE] = 2,
    [DO_EVENT_DESTROY] = 2, [DO_REFUSED] = 1,
};

int theme_choose(struct dice *dice, int w[VERBS], int *special)
{
    memcpy(w, usual, sizeof usual);
    *special = 12;
    switch (dice_below(dice, 7)) {
    case 0: /* default streams */
        *special = 50;
        break;
    case 1: /* few operations, much waiting for them */
        w[DO_SYNC_STREAM] = w[DO_SYNC_EVENT] = 15, w[DO_SYNC_CONTEXT] = 5;
        break;
    case 2: /* values */
        w[DO_WRITE] = w[DO_WAIT_VALUE] = w[DO_BATCH] = 12, w[DO_GATE] = 10;
        break;
    case 3: /* memory */
        w[DO_STORE] = w[DO_CHECK] = w[DO_FILL] = w[DO_UPLOAD] = w[DO_READ] = 10, w[DO_COPY] = 20;
        w[DO_ALLOC] = w[DO_FREE] = 10;
        break;
    case 4: /* things that come and go */
        w[DO_STREAM_CREATE] = w[DO_STREAM_DESTROY] = 8;
        w[DO_EVENT_CREATE] = w[DO_EVENT_DESTROY] = 8;
        break;
    case 5: /* questions, and nothing that waits */
        w[DO_QUERY_STREAM] = w[DO_QUERY_EVENT] = 25;
        w[DO_SYNC_STREAM] = w[DO_SYNC_EVENT] = w[DO_SYNC_CONTEXT] = 0;
        break;
    default:
        break;
    }
    int total = 0;
    for (int v = 0; v < VERBS; v++) total += w[v];
    return total;
}

bool theme_with_graphs(struct dice *dice, int w[VERBS], int *total)
{
    if (!dice_chance(dice, 50)) return false;
    /* In some they are launched again and again, as others than they were. */
    bool often = dice_chance(dice, 30);
    w[DO_LAUNCH] = often ? 200 : 60;
    w[DO_CHANGE] = w[DO_SWITCH] = often ? 30 : 10;
    w[DO_UPDATE] = often ? 30 : 6;
    w[DO_RETIRE] = 1;
    w[DO_AWAIT] = 18;
    *total = 0;
    for (int v = 0; v < VERBS; v++) *total += w[v];
    return true;
}
