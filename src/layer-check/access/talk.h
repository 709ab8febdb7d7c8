/* SPDX-License-Identifier: Apache-2.0
 *
 * Conflicts by which programs talk: about a flag, or between those who have told each other by one
 * who comes first.
 */
#ifndef CK_TALK_H
#define CK_TALK_H

#include "layer-check/access/memory.h"

/* Tells whether a conflict that is not one of lifetimes is meant. */
bool ck_is_talk(const struct ck_memory *memory, const struct ck_conflict *conflict);

#endif
