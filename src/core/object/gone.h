/* SPDX-License-Identifier: Apache-2.0
 *
 * Where objects were that are gone, so that a handle to one can be told from one that never
 * was: only the last ones, and for sentences alone.
 */
#ifndef RL_GONE_H
#define RL_GONE_H

#include <rill/backend.h>

void rl_gone_note(const void *object, rill_object_kind kind);

/* Returns the kind of the last object that was at this address and is gone, or 0. */
unsigned rl_gone_kind(const void *object);

#endif
