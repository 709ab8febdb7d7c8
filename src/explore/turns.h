/* SPDX-License-Identifier: Apache-2.0
 *
 * Turns: the classes next to that of a run.  Each has one race of the run the other way around, and
 * all else as it was.  What is wrong only while a step is between two others, which are next to
 * each other, shows in one of these, and seldom in an order by chance.
 */
#ifndef XP_TURNS_H
#define XP_TURNS_H

#include "explore/outcome.h"

/* Two steps of a run, the second of which is to come before the first. */
struct xp_turn {
    struct xp_name first, then;
};

/* Outcomes with more steps that conflict have no turns here: the time grows with their cube. */
#define XP_TURNS_STEPS_MOST 512u

/* Stores the turns of an outcome, and if there are more than `most`, so many that lie as far apart
 * as they can.  Returns how many are stored; 0 also if memory is short. */
size_t xp_turns_list(const struct xp_outcome *outcome, struct xp_turn *turns, size_t most);

#endif
