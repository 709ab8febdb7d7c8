/* SPDX-License-Identifier: Apache-2.0
 *
 * Words for the user, if RILL_LOG asks for them.
 */
#ifndef SI_LOG_H
#define SI_LOG_H

#include "standin/abi/abi.h"

/* Writes a line to the standard error output, once for each text. */
void si_log(const char *format, ...) RILL_PRINTF_FORMAT(1, 2);

/* Writes that a call failed, with rill's sentence or else the driver's words, if RILL_LOG has
 * `errors`: each time.  Not to be ready is no failure.  Of a call that the program made through the
 * runtime, that tells under the name of its own call. */
void si_log_failure(const char *call, CUresult status);

/* Copies rill's sentence for the thread's last call, which failed with the status.  Returns false
 * if it left none.  Exported, for rill's runtime. */
typedef int si_failure_words_fn(CUresult status, char words[RILL_ERROR_MESSAGE_MAX]);
si_failure_words_fn rill_failure_words;

#define SI_FAILURE_WORDS_NAME "rill_failure_words"

#endif
