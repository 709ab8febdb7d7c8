/* SPDX-License-Identifier: Apache-2.0
 *
 * Outcomes as text, in a file between the process that runs and the one that explores.
 */
#ifndef XP_ACCOUNT_H
#define XP_ACCOUNT_H

#include "explore/outcome.h"

/* Appends an outcome to a file.  `much`: it left something out, since there was too much. */
bool xp_account_write(const char *path, const struct xp_outcome *outcome, bool much);

/* How reading went. */
enum xp_account {
    XP_ACCOUNT_READ,
    XP_ACCOUNT_NONE, /* there is no file, or it has no outcome     */
    XP_ACCOUNT_MUCH, /* there was too much                         */
    XP_ACCOUNT_SHORT /* memory was short                           */
};

/* Reads the first outcome of a file.  Further ones, of other platforms or processes, count as what
 * is no step. */
enum xp_account xp_account_read(const char *path, struct xp_outcome *outcome);

#endif
