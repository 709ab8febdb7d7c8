/* SPDX-License-Identifier: Apache-2.0
 *
 * What a process has, and what a seed makes in it.
 */
#include "random.h"

void world_start(struct world *w, const struct area *area)
{
    CUresult r = cuInit(0);
    if (!r) r = cuDeviceGet(&w->t.dev, 0);
    if (!r && area->bare) return;
    if (!r) r = cuCtxCreate(&w->second, NULL, 0, w->t.dev);
    if (!r) r = cuDevicePrimaryCtxRetain(&w->t.ctx, w->t.dev);
    if (!r) r = cuCtxSetCurrent(w->t.ctx);
    if (r) die(&w->t, "init", r);
    functions_load(w);
    slots_open(w);
}

static void others_close(struct world *w)
{
    for (int i = 0; i < w->count; i++) {
        struct object *o = &w->objects[i];
        if (!o->live) continue;
        if (o->kind == EVENT) cuEventDestroy(HANDLE_OF(o, CUevent));
        if (o->kind == STREAM && cuStreamDestroy(HANDLE_OF(o, CUstream))) w->unclean = true;
    }
    if (cuCtxSynchronize()) w->unclean = true;
}

void world_run(struct world *w, const struct area *area, unsigned long seed, int calls)
{
    w->area = area;
    w->seed = seed;
    w->count = w->next_slot = w->step = 0;
    w->length = 0;
    w->target = -1;
    w->who = 'A';
    memset(w->numbers, 0, sizeof w->numbers);
    dice_seed(w, seed, 0);
    line_out(w, "# %s %lu\n", area->name, seed);
    if (!area->bare) slots_clear(w);
    area->open(w);
    for (w->step = 1; w->step <= calls && !w->over; w->step++) {
        dice_seed(w, seed, w->step);
        area->step(w);
    }
    dice_seed(w, seed, w->step);
    if (w->over) return;
    area->close(w);
    if (area->bare) return;
    others_close(w);
    cuDeviceGraphMemTrim(w->t.dev);
}
