/* SPDX-License-Identifier: Apache-2.0
 *
 * The settings in $RILL_TRACE: words between blanks, where a backslash keeps the blank or
 * backslash after it.
 *
 *     RILL_TRACE="file=run.json"              writes a trace of the process
 *     RILL_TRACE="graphs=drawings timeline"   writes graphs into a folder, draws a timeline
 *     RILL_TRACE="timeline drawn=FILE"        removes a file when the timeline is drawn
 */
#ifndef TR_SETTINGS_H
#define TR_SETTINGS_H

#include <stdbool.h>

enum { TR_PATH_MAX = 4096, TR_WHY_MAX = TR_PATH_MAX + 256 };

struct tr_settings {
    char file[TR_PATH_MAX];   /* "": none, until rill_trace_start() */
    char graphs[TR_PATH_MAX]; /* "": none                           */
    bool timeline;
    char drawn[TR_PATH_MAX];  /* "": nobody asks whether it was     */
};

/* Reads settings; NULL and "" are the defaults.  Returns false, with a sentence in `why` that has
 * the word at fault, if there is one. */
bool tr_settings_read(struct tr_settings *settings, const char *text, char why[TR_WHY_MAX]);

#endif
