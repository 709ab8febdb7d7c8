/* SPDX-License-Identifier: Apache-2.0
 *
 * The files that traces are written to.
 */
#ifndef TR_FILE_H
#define TR_FILE_H

#include <stdbool.h>

#include "layer-trace/trace/settings.h"

/* Opens a file for a trace: "%p" in `path` stands for the number of the process, "%%" for "%".
 * While another trace is written to it, a dot and the number of this process are added to the
 * name, and from this process's third trace at a time on another dot and a count.  Returns a
 * descriptor above those that programs use, or -1 with a sentence in `why`. */
int tr_file_open(const char *path, char why[TR_WHY_MAX]);

/* Has what is written from now on follow the last event of a trace that was ended, in a file that
 * was just opened.  Empties the file, and returns false, if it holds no such trace. */
bool tr_file_go_on(int file);

#endif
