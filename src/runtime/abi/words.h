/* SPDX-License-Identifier: Apache-2.0
 *
 * Names and words for statuses.
 */
#ifndef RT_WORDS_H
#define RT_WORDS_H

#include "runtime/abi/abi.h"

/* Neither returns NULL: a number that is no status has words, too. */
const char *rt_error_name(cudaError_t status);
const char *rt_error_words(cudaError_t status);

#endif
