/* SPDX-License-Identifier: Apache-2.0
 *
 * What the reports of a process share: settings, suppressions, files, and the end.
 *
 * The process has one session, from the first platform that is checked to the end of the
 * process: ck_session_of_process().  When the process ends, after all functions that the
 * program registered for that, the session writes what the platforms that are still open
 * have found, then the line that sums up, and replaces the exit status if it was told to.
 * To stay until then, the session
 * pins the library.  A process that dies by a signal for which the
 * program has no handler writes the same before it does (dying.c).
 */
#ifndef CK_SESSION_H
#define CK_SESSION_H

#include <stdbool.h>

#include "layer-check/report/settings.h"

struct ck_session;

/* Returns the session of the process, with the settings in $RILL_CHECK when it is called
 * for the first time.  Returns NULL, with a sentence in `why`, if a setting is wrong or a
 * file cannot be used.  Call it before others install handlers of signals. */
struct ck_session *ck_session_of_process(char why[CK_WHY_MAX]);

const struct ck_settings *ck_session_settings(const struct ck_session *session);

/* Sets up a session of one's own, as tests do. */
struct ck_session *ck_session_create(const char *settings, char why[CK_WHY_MAX]);

/* Writes what the reports that are still there have found, and the summary; what is found
 * later counts for nothing.  Returns the exit status that the settings ask for, or 0 if the
 * program's own stands. */
int ck_session_end(struct ck_session *session);

/* Frees a session that was created and has no reports left. */
void ck_session_destroy(struct ck_session *session);

#endif
