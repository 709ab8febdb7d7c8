/* SPDX-License-Identifier: Apache-2.0
 *
 * $RILL_LOG: words, with commas between, for what the libraries of `rill run` write to the standard
 * error output.
 */
#ifndef RL_LOG_WORDS_H
#define RL_LOG_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* All words that there are, from "errors" on; ends with NULL. */
extern const char *const rl_log_words[];

/* Tells whether a list has `word`.  The list may be NULL. */
bool rl_log_has(const char *list, const char *word);

/* Tells whether $RILL_LOG has `word`. */
bool rl_log_wants(const char *word);

/* Returns the first word of a list that is none of those that there are, with its length, or NULL.
 * The list may be NULL. */
const char *rl_log_unknown(const char *list, size_t *length);

#endif
