/* SPDX-License-Identifier: Apache-2.0
 *
 * The objects of a seed, by number; and how pointers are printed.
 */
#include "random.h"

static const char letters[KINDS] = { 'g', 'n', 'x', 's', 'e', 'h', 'u', 'm', 'p', 'c', 'l' };

char letter_of(enum kind kind)
{
    return letters[kind];
}

struct object *object_add(struct world *w, enum kind kind, const void *value, int owner)
{
    if (w->count == OBJECTS) {
        w->over = true;
        w->count--;
    }
    struct object *o = &w->objects[w->count++];
    *o = (struct object){ .kind = kind, .live = true, .number = w->numbers[kind]++,
                          .value = (uintptr_t)value, .owner = owner, .type = -1 };
    return o;
}

struct object *object_of(struct world *w, enum kind kind, const void *value)
{
    struct object *found = NULL;
    for (int i = w->count; i-- > 0;) {
        struct object *o = &w->objects[i];
        if (!o->live || o->kind != kind || o->value != (uintptr_t)value) continue;
        /* Handles of different graphs may be the same number. */
        if (kind != HANDLE || outermost(w, o->owner) == outermost(w, w->target)) return o;
        if (!found) found = o;
    }
    return found;
}

int outermost(const struct world *w, int graph)
{
    while (graph >= 0 && w->objects[graph].owner >= 0) {
        graph = w->objects[w->objects[graph].owner].owner;
    }
    return graph;
}

static bool any(const struct object *o)
{
    (void)o;
    return true;
}

struct object *object_pick_if(struct world *w, enum kind kind, bool (*fits)(const struct object *))
{
    unsigned count = 0;
    for (int i = 0; i < w->count; i++) {
        const struct object *o = &w->objects[i];
        count += o->live && o->kind == kind && fits(o);
    }
    if (!count) return NULL;
    unsigned at = dice(w, count);
    for (int i = 0;; i++) {
        struct object *o = &w->objects[i];
        if (o->live && o->kind == kind && fits(o) && at-- == 0) return o;
    }
}

struct object *object_pick(struct world *w, enum kind kind)
{
    return object_pick_if(w, kind, any);
}

int object_index(const struct world *w, const struct object *o)
{
    return o ? (int)(o - w->objects) : -1;
}

int object_live(const struct world *w, enum kind kind)
{
    int count = 0;
    for (int i = 0; i < w->count; i++) {
        count += w->objects[i].live && w->objects[i].kind == kind;
    }
    return count;
}

void object_forget(struct world *w, struct object *o)
{
    int index = object_index(w, o);
    o->live = false;
    for (int i = 0; i < w->count; i++) {
        if (w->objects[i].live && w->objects[i].owner == index) object_forget(w, &w->objects[i]);
    }
}

const char *name_of(struct world *w, enum kind kind, const void *value)
{
    const struct object *o = value ? object_of(w, kind, value) : NULL;
    if (!value) return "null";
    if (value == UNTOUCHED) return "untouched";
    return o ? note(w, "%c%d", letters[kind], o->number) : "other";
}

static bool within(uintptr_t p, uintptr_t start, size_t size, size_t *offset)
{
    *offset = p - start;
    return p >= start && p < start + size;
}

const char *name_address(struct world *w, CUdeviceptr address)
{
    const size_t slot = SLOT_WORDS * 4;
    size_t at;
    if (!address) return "null";
    if (address == (CUdeviceptr)(uintptr_t)UNTOUCHED) return "untouched";
    if (within(address, w->slots, SLOTS * slot, &at)) {
        return note(w, at % slot ? "D%zu+%zu" : "D%zu", at / slot, at % slot);
    }
    if (within(address, (uintptr_t)w->host_slots, SLOTS * slot, &at)) {
        return note(w, at % slot ? "H%zu+%zu" : "H%zu", at / slot, at % slot);
    }
    if (within(address, w->source, 4096, &at)) return note(w, "DS+%zu", at);
    if (within(address, (uintptr_t)w->host_source, 4096, &at)) return note(w, "HS+%zu", at);
    if (within(address, (uintptr_t)w->calls, sizeof w->calls, &at)) return note(w, "C%zu", at / 4);
    return name_of(w, MEMORY, (const void *)address);
}

const char *name_stream(struct world *w, CUstream s)
{
    if (s == NULL) return "s-null";
    if (s == CU_STREAM_LEGACY) return "s-legacy";
    if (s == CU_STREAM_PER_THREAD) return "s-thread";
    return name_of(w, STREAM, s);
}

const char *name_context(struct world *w, CUcontext c)
{
    return !c ? "null" : c == w->t.ctx ? "c0" : c == w->second ? "c1" : "other";
}
