/* SPDX-License-Identifier: Apache-2.0
 *
 * Notes on the nodes of a graph: who added them, and when.
 */
#ifndef CK_NOTES_H
#define CK_NOTES_H

#include <stdbool.h>

#include <rill/backend.h>

struct ck_note {
    rill_node node;   /* NULL if the place is free                                  */
    const void *site; /* of the call that added or set it                           */
    uint64_t born;    /* the serial of the newest work then                         */
    uint64_t number;  /* in the order of creation, from 1                           */
};

/* A hash table of notes.  Graphs are used by one thread at a time, and so are their notes. */
struct ck_notes {
    struct ck_note *places;
    size_t room, used; /* `room` is 0 or a power of two */
    uint64_t last;
};

void ck_notes_fini(struct ck_notes *notes);

/* Notes a node, or that it was set.  Returns false if memory is short. */
bool ck_notes_set(struct ck_notes *notes, rill_node node, const void *site, uint64_t born);

/* Returns the note of a node, or NULL. */
const struct ck_note *ck_notes_find(const struct ck_notes *notes, rill_node node);

#endif
