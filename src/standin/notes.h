/* SPDX-License-Identifier: Apache-2.0
 *
 * What a graph keeps for its nodes beside what rill knows of them: the form in which
 * the driver tells their parameters, where that needs memory, and what rill has no use
 * for.  A node has one note at most, which goes when the node is destroyed, or with the
 * graph.
 */
#ifndef SI_NOTES_H
#define SI_NOTES_H

#include "standin/abi.h"

struct si_notes;

/* A note of so many bytes, zeroed, in place of the one that there was; NULL: no memory,
 * and that one stays.  *notes is NULL at first; no place, and there is no memory. */
void *si_note_put(struct si_notes **notes, CUgraphNode node, size_t bytes);

/* NULL: none. */
void *si_note_find(struct si_notes *const *notes, CUgraphNode node);
void si_note_drop(struct si_notes *const *notes, CUgraphNode node);
void si_notes_free(struct si_notes *notes);

#endif
