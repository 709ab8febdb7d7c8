/* SPDX-License-Identifier: Apache-2.0
 *
 * Words for the user, if RILL_LOG asks for them.
 */
#ifndef RT_LOG_H
#define RT_LOG_H

#include "runtime/abi/abi.h"

/* Writes a line to the standard error output. */
void rt_log(const char *format, ...) RILL_PRINTF_FORMAT(1, 2);

/* Returns the length of a call's name as programs write it: without the number of its form. */
int rt_log_name_length(const char *call);

/* Writes that a call failed, with these words or, for NULL, the runtime's.  Not to be ready is no
 * failure. */
void rt_log_failure(const char *call, cudaError_t status, const char *words);

#endif
