/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/model/notes.h"

#include "base/alloc.h"

void ck_notes_fini(struct ck_notes *notes)
{
    rl_free(notes->places);
    *notes = (struct ck_notes){ .places = NULL };
}

/* Returns the place of a node, or the free one where it would be. */
static struct ck_note *find_place(const struct ck_notes *notes, rill_node node)
{
    size_t mask = notes->room - 1;
    size_t at = (size_t)((uintptr_t)node * UINT64_C(0x9E3779B97F4A7C15) >> 32) & mask;
    while (notes->places[at].node && notes->places[at].node != node) at = (at + 1) & mask;
    return &notes->places[at];
}

static bool grow_notes(struct ck_notes *notes)
{
    struct ck_notes larger = *notes;
    larger.room = notes->room ? 2 * notes->room : 16;
    larger.places = rl_zalloc(larger.room * sizeof *larger.places);
    if (!larger.places) return false;
    for (size_t i = 0; i < notes->room; i++)
        if (notes->places[i].node) *find_place(&larger, notes->places[i].node) = notes->places[i];
    rl_free(notes->places);
    *notes = larger;
    return true;
}

bool ck_notes_set(struct ck_notes *notes, rill_node node, const void *site, uint64_t born)
{
    if (2 * notes->used >= notes->room && !grow_notes(notes)) return false;
    struct ck_note *note = find_place(notes, node);
    if (!note->node) {
        notes->used++;
        note->node = node;
        note->number = ++notes->last;
    }
    note->site = site;
    note->born = born;
    return true;
}

const struct ck_note *ck_notes_find(const struct ck_notes *notes, rill_node node)
{
    if (!notes->room) return NULL;
    const struct ck_note *note = find_place(notes, node);
    return note->node ? note : NULL;
}
