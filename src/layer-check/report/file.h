/* SPDX-License-Identifier: Apache-2.0
 *
 * The files that reports are written to.
 */
#ifndef CK_FILE_H
#define CK_FILE_H

#include <stdbool.h>

#include "layer-check/report/settings.h"

/* Opens a file for what a setting names: "%p" in `path` stands for the number of the process,
 * "%%" for "%".  Empties it first, unless `again`.  Returns a descriptor above those that
 * programs use, or -1 with a sentence in `why`. */
int ck_file_open(const char *setting, const char *path, bool again, char why[CK_WHY_MAX]);

/* Returns a descriptor of what is the standard error output now: programs close theirs
 * before they end. */
int ck_file_stderr(void);

/* Returns what to write to at the end in place of `file`, which ck_file_stderr() gave: the standard
 * error output as it is now, if that file has lost its name and is another.  Frameworks for tests
 * take what a test prints into such a file, where nobody reads what comes later. */
int ck_file_read_by_users(int file);

void ck_file_close(int *file);

#endif
