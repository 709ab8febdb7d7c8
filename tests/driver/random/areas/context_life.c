/* SPDX-License-Identifier: Apache-2.0
 *
 * Contexts of a program's own and the primary one: how they begin and end.
 */
#include "context_steps.h"

enum { FEW = 2 };

/* ---- A program's own --------------------------------------------------------------- */

static int own_live(struct world *w)
{
    int count = 0;
    for (int i = 0; i < w->count; i++) {
        const struct object *o = &w->objects[i];
        count += o->kind == CONTEXT && o->live && o->flags == OWN;
    }
    return count;
}

void context_create_step(struct world *w)
{
    CUcontext c = UNTOUCHED;
    const CUdevice device = chance(w, 20) ? 99 : w->t.dev;
    const unsigned flags = draw_context_flags(w);
    if (own_live(w) >= FEW) return;
    line_call(w, "cuCtxCreate", "%u, %d", flags, device);
    if (line_result(w, cuCtxCreate(&c, NULL, flags, device))) {
        line_see(w, "%s", context_name(w, c));
    } else {
        line_see(w, "%s", object_name(w, object_add(w, CONTEXT, c, -1)));
    }
    line_end(w);
}

void context_destroy_step(struct world *w)
{
    struct object *o = chance(w, 16) ? NULL : draw_object(w, CONTEXT);
    if (o && !o->live && o->flags == OWN) return; /* a driver may not find that out */
    line_call(w, "cuCtxDestroy", "%s", object_name(w, o));
    if (!line_result(w, cuCtxDestroy(HANDLE_OF(o, CUcontext)))) object_end(w, o);
    line_end(w);
}

static void attach(struct world *w)
{
    CUcontext c = UNTOUCHED;
    const unsigned flags = chance(w, 6);
    line_call(w, "cuCtxAttach", "%u", flags);
    line_result(w, cuCtxAttach(&c, flags));
    line_see(w, "%s", context_name(w, c));
    line_end(w);
}

/* A context ends with its last use; whether it did is seen by asking for its version. */
static void detach(struct world *w)
{
    struct object *o = chance(w, 3) ? draw_living(w, CONTEXT) : current_object(w);
    if (o && !o->live) return;
    unsigned version = 0;
    line_call(w, "cuCtxDetach", "%s", object_name(w, o));
    CUresult r = line_result(w, cuCtxDetach(HANDLE_OF(o, CUcontext)));
    if (!r && o->flags == OWN && cuCtxGetApiVersion(HANDLE_OF(o, CUcontext), &version)) {
        line_see(w, "ended");
        object_end(w, o);
    }
    line_end(w);
}

void context_uses_step(struct world *w)
{
    if (chance(w, 2)) attach(w);
    else detach(w);
}

/* ---- The primary one --------------------------------------------------------------- */

static CUdevice draw_device(struct world *w)
{
    static const CUdevice wrong[] = { -1, 99 };
    return chance(w, 25) ? wrong[dice(w, 2)] : w->t.dev;
}

static struct object *primary_object(struct world *w)
{
    for (int i = 0; i < w->count; i++) {
        struct object *o = &w->objects[i];
        if (o->kind == CONTEXT && o->flags == PRIMARY) return o;
    }
    return NULL;
}

/* Says whether it is active, and notes that it ended. */
static void see_state(struct world *w)
{
    struct object *primary = primary_object(w);
    unsigned flags = 77;
    int active = 77;
    line_see(w, "%s", ename(cuDevicePrimaryCtxGetState(w->t.dev, &flags, &active)));
    line_see(w, "%u %d", flags, active);
    if (primary && primary->live && !active) object_end(w, primary);
}

void primary_retain_step(struct world *w)
{
    CUcontext c = UNTOUCHED;
    const CUdevice device = draw_device(w);
    CUcontext *out = chance(w, 25) ? NULL : &c;
    struct object *primary = primary_object(w);
    line_call(w, "cuDevicePrimaryCtxRetain", "%d%s", device, out ? "" : ", null");
    if (!line_result(w, cuDevicePrimaryCtxRetain(out, device)) && out) {
        if (!primary) {
            primary = object_add(w, CONTEXT, c, -1);
            primary->flags = PRIMARY;
        }
        primary->live = primary->value == (uintptr_t)c;
    }
    line_see(w, "%s", context_name(w, c));
    line_end(w);
}

void primary_release_step(struct world *w)
{
    const CUdevice device = draw_device(w);
    line_call(w, "cuDevicePrimaryCtxRelease", "%d", device);
    line_result(w, cuDevicePrimaryCtxRelease(device));
    see_state(w);
    line_end(w);
}

void primary_reset_step(struct world *w)
{
    const CUdevice device = draw_device(w);
    line_call(w, "cuDevicePrimaryCtxReset", "%d", device);
    line_result(w, cuDevicePrimaryCtxReset(device));
    see_state(w);
    line_end(w);
}

void primary_flags_step(struct world *w)
{
    const CUdevice device = draw_device(w);
    const unsigned flags = draw_context_flags(w);
    line_call(w, "cuDevicePrimaryCtxSetFlags", "%d, %u", device, flags);
    line_result(w, cuDevicePrimaryCtxSetFlags(device, flags));
    see_state(w);
    line_end(w);
}

void primary_state_step(struct world *w)
{
    const CUdevice device = draw_device(w);
    unsigned flags = 77;
    int active = 77;
    const unsigned parts = chance(w, 4) ? dice(w, 4) : 3;
    line_call(w, "cuDevicePrimaryCtxGetState", "%d, %u", device, parts);
    line_result(w, cuDevicePrimaryCtxGetState(device, parts & 1 ? &flags : NULL,
                                              parts & 2 ? &active : NULL));
    line_see(w, "%u %d", flags, active);
    line_end(w);
}

/* ---- The end ------------------------------------------------------------------------ */

/* Leaves the device as a process finds it, for the seed that follows. */
void contexts_close(struct world *w)
{
    unsigned flags = 0;
    int active = 0;
    for (int i = 0; i < w->count; i++) {
        struct object *o = &w->objects[i];
        if (o->kind != CONTEXT || !o->live || o->flags == PRIMARY) continue;
        if (cuCtxDestroy(HANDLE_OF(o, CUcontext))) w->unclean = true;
        object_end(w, o);
    }
    while (!cuDevicePrimaryCtxRelease(w->t.dev)) {}
    cuDevicePrimaryCtxSetFlags(w->t.dev, 0);
    if (cuDevicePrimaryCtxGetState(w->t.dev, &flags, &active) || flags || active) {
        w->unclean = true;
    }
}
