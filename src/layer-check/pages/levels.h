/* SPDX-License-Identifier: Apache-2.0
 *
 * How open pages are: closed as guards demand, and opened as far as those allow that are left.
 * All of it requires the lock of pages.c.
 */
#ifndef CK_LEVELS_H
#define CK_LEVELS_H

#include "layer-check/pages/guards.h"

/* Closes pages that are more open than that.  Returns false if it cannot be done. */
bool ck_levels_close(struct ck_area *area, size_t first, size_t stop, enum ck_level level);

/* Closes what a guard demands, and what all that are not lifted demand of an area. */
bool ck_levels_close_guard(const struct ck_guard *guard);
bool ck_levels_close_guarded(const struct ck_guards *guards, struct ck_area *area);

/* Ask of some pages, and of those of a guard, how strict they have to be. */
void ck_levels_ask(struct ck_area *area, size_t first, size_t stop);
void ck_levels_ask_guarded(const struct ck_guard *guard);

/* Lowers the pages that were asked for to what the guards demand. */
void ck_levels_lower(const struct ck_guards *guards);

#endif
