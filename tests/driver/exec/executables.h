/* SPDX-License-Identifier: Apache-2.0
 *
 * What cases of executables share: nodes, notes of what ran, waiting.
 */
#ifndef ORACLE_EXEC_EXECUTABLES_H
#define ORACLE_EXEC_EXECUTABLES_H

#include "../graphs.h"

/* Polls until the word reaches v, at most ms milliseconds. */
int await_word(volatile uint32_t *p, uint32_t v, int ms);

/* Polls until the stream is idle, at most ms milliseconds. */
int await_idle(CUstream s, int ms);

/* Adds a host node that waits for h->open. */
CUresult add_hold(CUgraphNode *n, CUgraph g, const CUgraphNode *deps, size_t nd, Hold *h);

/* Host nodes that leave their number in a log. */
#define NOTES_MAX 4096
extern int note_count, notes[NOTES_MAX];
CUresult add_note(CUgraphNode *n, CUgraph g, const CUgraphNode *deps, size_t nd, int id);

#endif
