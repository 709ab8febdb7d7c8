/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a program with a bug can leave anything else than it should.
 */
#ifndef CHECKED_DAMAGE_H
#define CHECKED_DAMAGE_H

#include "random/checked/running.h"

/* Tells whether the contents that are left can differ from *expected: whether they do in one of the
 * orders that were promised, in which two acts that race change places.  What comes before the one
 * comes with it, as little else as possible moves. */
bool damage_is_possible(const struct promises *promises, const struct contents *expected);

#endif
