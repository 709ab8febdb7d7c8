/* SPDX-License-Identifier: Apache-2.0
 *
 * Between the newest library and those of older drivers, which lead to it.
 */
#ifndef SI_PLAY_H
#define SI_PLAY_H

#include <stddef.h>

#include "standin/library/symbols.h"

/* Where the names lead that a driver may export: those of symbols.def in its order, then rill's
 * own, as in exports.awk. */
enum { SI_PLACES = SI_SYMBOLS + 3 };

/* Fills the places and has the process told this version.  Called before any other call.  Returns
 * false if the caller was built with another table. */
typedef int si_play_fn(int version, void (**places)(void), size_t count);
__attribute__((visibility("default"))) si_play_fn rill_standin_play;
#define SI_PLAY_NAME "rill_standin_play"

/* Tells whether the process ends: threads may be inside the library then until it is gone. */
typedef int si_is_over_fn(void);
__attribute__((visibility("default"))) si_is_over_fn rill_standin_is_over;
#define SI_IS_OVER_NAME "rill_standin_is_over"

#endif
