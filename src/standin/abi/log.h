/* SPDX-License-Identifier: Apache-2.0
 *
 * Words for the user, if RILL_LOG asks for them.
 */
#ifndef SI_LOG_H
#define SI_LOG_H

#include <rill/rill.h>

/* Tells whether RILL_LOG, a list of words, has `word`. */
int si_log_wants(const char *word);

/* Writes a line to the standard error output, once for each text. */
void si_log(const char *format, ...) RILL_PRINTF_FORMAT(1, 2);

#endif
