/* SPDX-License-Identifier: Apache-2.0
 *
 * A table of notes by node, chained.
 */
#include "standin/notes.h"

#include "base/alloc.h"

struct note {
    struct note *next;
    CUgraphNode node;
    max_align_t bytes[];
};

struct si_notes {
    size_t count, buckets; /* of these a power of two */
    struct note *first[];
};

static size_t place_of(const struct si_notes *notes, CUgraphNode node)
{
    uint64_t mixed = (uint64_t)(uintptr_t)node * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(mixed >> 32) & (notes->buckets - 1);
}

/* The link to the note of a node, or the last one where it would be. */
static struct note **find(struct si_notes *notes, CUgraphNode node)
{
    struct note **link = &notes->first[place_of(notes, node)];
    while (*link && (*link)->node != node) link = &(*link)->next;
    return link;
}

static int grow(struct si_notes **notes)
{
    struct si_notes *old = *notes;
    size_t buckets = old ? 2 * old->buckets : 8;
    struct si_notes *made = rl_zalloc(sizeof *made + buckets * sizeof made->first[0]);
    if (!made) return 0;
    made->buckets = buckets;
    for (size_t i = 0; old && i < old->buckets; i++)
        for (struct note *note = old->first[i], *next; note; note = next) {
            struct note **first = &made->first[place_of(made, note->node)];
            next = note->next;
            note->next = *first;
            *first = note;
            made->count++;
        }
    rl_free(old);
    *notes = made;
    return 1;
}

void *si_note_put(struct si_notes **notes, CUgraphNode node, size_t bytes)
{
    struct note *note = notes ? rl_zalloc(sizeof *note + bytes) : NULL;
    if (!note) return NULL;
    if ((!*notes || (*notes)->count == (*notes)->buckets) && !grow(notes)) {
        rl_free(note);
        return NULL;
    }
    struct note **link = find(*notes, node), *old = *link;
    note->node = node;
    note->next = old ? old->next : NULL;
    *link = note;
    (*notes)->count += !old;
    rl_free(old);
    return note->bytes;
}

void *si_note_find(struct si_notes *const *place, CUgraphNode node)
{
    const struct si_notes *notes = place ? *place : NULL;
    const struct note *note = notes ? notes->first[place_of(notes, node)] : NULL;
    while (note && note->node != node) note = note->next;
    return note ? (void *)(uintptr_t)note->bytes : NULL;
}

void si_note_drop(struct si_notes *const *place, CUgraphNode node)
{
    struct si_notes *notes = place ? *place : NULL;
    struct note **link = notes ? find(notes, node) : NULL, *note = link ? *link : NULL;
    if (!note) return;
    *link = note->next;
    notes->count--;
    rl_free(note);
}

void si_notes_free(struct si_notes *notes)
{
    for (size_t i = 0; notes && i < notes->buckets; i++)
        for (struct note *note = notes->first[i], *next; note; note = next) {
            next = note->next;
            rl_free(note);
        }
    rl_free(notes);
}
