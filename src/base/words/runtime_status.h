/* SPDX-License-Identifier: Apache-2.0
 *
 * Names and words for the statuses of CUDA's runtime, which programs and their kernels ask for.
 */
#ifndef RL_RUNTIME_STATUS_H
#define RL_RUNTIME_STATUS_H

#include <stdbool.h>
#include <stddef.h>

/* Neither returns NULL: a number that is no status has words, too. */
const char *rl_runtime_status_name(int status);
const char *rl_runtime_status_words(int status);

/* Returns the text that a name or words lie in, and how many bytes it has with its zero, or NULL if
 * the address is in none. */
const char *rl_runtime_status_text_at(const void *address, size_t *bytes);

#endif
