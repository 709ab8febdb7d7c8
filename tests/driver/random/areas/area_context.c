/* SPDX-License-Identifier: Apache-2.0
 *
 * Contexts: made and ended, primary ones retained, released and reset, current in two
 * threads; what they say of themselves, and what becomes of what was made in them.
 */
#include "context_steps.h"

/* ---- Objects ----------------------------------------------------------------------- */

/* How many objects there were when it ended. */
static size_t *end_of(struct object *o)
{
    return &o->size;
}

static bool can_be_asked(const struct world *w, const struct object *o)
{
    if (o->live) return true;
    for (int i = (int)o->size; i < w->count; i++) {
        if (w->objects[i].kind == o->kind) return false;
    }
    return true;
}

static struct object *draw_from(struct world *w, enum kind kind, bool live)
{
    int found[OBJECTS], count = 0;
    for (int i = 0; i < w->count; i++) {
        struct object *o = &w->objects[i];
        if (o->kind == kind && o->live == live && can_be_asked(w, o)) found[count++] = i;
    }
    return count ? &w->objects[found[dice(w, (unsigned)count)]] : NULL;
}

struct object *draw_object(struct world *w, enum kind kind)
{
    const bool live = !chance(w, 3);
    struct object *o = draw_from(w, kind, live);
    return o ? o : draw_from(w, kind, !live);
}

static bool lives(const struct object *o)
{
    return o->live;
}

struct object *draw_living(struct world *w, enum kind kind)
{
    return object_pick_if(w, kind, lives);
}

const char *object_name(struct world *w, const struct object *o)
{
    if (!o) return "null";
    if (o->kind == CONTEXT && o->flags == PRIMARY) return "primary";
    return note(w, "%c%d%s", letter_of(o->kind), o->number, o->live ? "" : "-ended");
}

void object_end(struct world *w, struct object *o)
{
    const int index = object_index(w, o);
    o->live = false;
    *end_of(o) = (size_t)w->count;
    if (o->kind != CONTEXT) return;
    for (int i = 0; i < w->count; i++) {
        struct object *its = &w->objects[i];
        if (its->live && its->owner == index) object_end(w, its);
    }
}

struct object *object_made(struct world *w, enum kind kind, const void *value, unsigned flags)
{
    struct object *o = object_add(w, kind, value, object_index(w, current_object(w)));
    o->flags = flags;
    return o;
}

/* ---- Contexts ---------------------------------------------------------------------- */

/* The youngest one that has, or had, the handle. */
static struct object *context_object(struct world *w, CUcontext c)
{
    for (int i = w->count; i-- > 0;) {
        struct object *o = &w->objects[i];
        if (o->kind == CONTEXT && o->value == (uintptr_t)c) return o;
    }
    return NULL;
}

const char *context_name(struct world *w, CUcontext c)
{
    const struct object *o = context_object(w, c);
    if (!c) return "null";
    if (c == UNTOUCHED) return "untouched";
    return o ? object_name(w, o) : "other";
}

struct object *current_object(struct world *w)
{
    CUcontext c = NULL;
    return cuCtxGetCurrent(&c) || !c ? NULL : context_object(w, c);
}

CUcontext draw_context(struct world *w)
{
    return chance(w, 16) ? NULL : HANDLE_OF(draw_object(w, CONTEXT), CUcontext);
}

bool current_ended(struct world *w)
{
    const struct object *o = current_object(w);
    return o && !o->live;
}

unsigned draw_context_flags(struct world *w)
{
    static const unsigned how[] = { 0, 0, 1, 2, 4, 4 };
    static const unsigned more[] = { 0, 0, 0, 0, 8, 16, 24, 128 };
    static const unsigned wrong[] = { 3, 5, 6, 7, 256, 1024 };
    if (chance(w, 12)) return wrong[dice(w, 6)];
    return how[dice(w, 6)] | more[dice(w, 8)];
}

/* ---- The area ---------------------------------------------------------------------- */

static void open(struct world *w)
{
    peer_open(w);
}

static void one(struct world *w)
{
    static const struct choice choices[] = {
        { 4, context_create_step },  { 2, context_destroy_step }, { 1, context_uses_step },
        { 6, primary_retain_step },  { 3, primary_release_step }, { 1, primary_reset_step },
        { 6, primary_flags_step },   { 4, primary_state_step },   { 6, current_push_step },
        { 5, current_pop_step },     { 9, current_set_step },     { 7, context_flags_step },
        { 5, context_set_flags_step }, { 8, context_ask_step },   { 5, context_limit_step },
        { 3, context_cache_step },   { 4, context_synchronize_step },
        { 6, its_stream_step },      { 5, its_stream_ask_step },  { 5, its_event_step },
        { 7, its_order_step },       { 6, its_memory_step },      { 5, its_memory_use_step },
        { 4, its_memory_ask_step },  { 3, its_module_step },
    };
    /* Without a context every call says the same. */
    static const struct choice first[] = { { 1, context_create_step }, { 1, primary_retain_step } };
    CUcontext now = UNTOUCHED;
    const size_t before = w->length;
    if (!object_live(w, CONTEXT) && chance(w, 2)) CHOOSE(w, first);
    else if (!current_object(w) && chance(w, 3)) current_set_step(w);
    else CHOOSE(w, choices);
    if (w->length == before) return;
    w->length--;
    cuCtxGetCurrent(&now);
    line_see(w, "| %s", context_name(w, now));
    line_end(w);
}

static void step(struct world *w)
{
    if (chance(w, 4)) peer_do(w, one);
    else one(w);
}

static void close_all(struct world *w)
{
    peer_do(w, current_clear);
    peer_close(w);
    current_clear(w);
    contexts_close(w);
}

const struct area context_area = { "context", open, step, close_all, true };
