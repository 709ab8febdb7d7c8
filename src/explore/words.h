/* SPDX-License-Identifier: Apache-2.0
 *
 * Orders of steps as schedules in words.
 */
#ifndef XP_WORDS_H
#define XP_WORDS_H

#include "explore/outcome.h"

/* Returns "order:1.4,2.3.7", to be freed with rl_free(), or NULL if memory is short. */
char *xp_words_of(const struct xp_name *names, size_t count);

#endif
