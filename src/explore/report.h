/* SPDX-License-Identifier: Apache-2.0
 *
 * What an exploration reports, in numbers and in words.
 */
#ifndef XP_REPORT_H
#define XP_REPORT_H

#include <rill/explore.h>

#include "explore/explorer.h"

/* Puts a report into words.  `all`: there are no more classes than it has. */
void xp_report_words(rill_explore_report *report, bool all);

/* Completes a report, which may have bounds, failures and the number of runs already. */
void xp_report_fill(rill_explore_report *report, const struct xp_explorer *explorer);

#endif
