/* SPDX-License-Identifier: Apache-2.0
 *
 * Submitting: works that come out of operations, by what is known of them and when.
 */
#ifndef CK_SUBMIT_H
#define CK_SUBMIT_H

#include "layer-check/access/rows.h"
#include "layer-check/slots/checker.h"

/* ---- Operations whose end is told ---------------------------------------------------------- */

/* Adds a work to a stream before it is submitted, and names it as what the thread submits.  Rows
 * may be NULL.  Returns NULL if nothing is checked. */
struct ck_log_entry *ck_submit_begin(rill_stream *stream, const struct ck_what *what, bool overlaps,
                                     const struct ck_row_list *rows);

/* Says whether the backend took it. */
void ck_submit_end(rill_stream *stream, struct ck_log_entry *entry, rill_status status);

/* ---- Operations ---------------------------------------------------------------------------- */

/* Submit an operation of some kinds: those that say all they touch, kernels and host functions,
 * values, events. */
rill_status ck_submit_plain(rill_stream *stream, rill_op *op, const void *site);
rill_status ck_submit_running(rill_stream *stream, rill_op *op, const void *site);
rill_status ck_submit_values(rill_stream *stream, rill_op *op, const void *site);
rill_status ck_submit_event(rill_stream *stream, rill_op *op, const void *site);

/* Submits any operation, or launches an exec, in a stream that captures. */
rill_status ck_submit_captured(rill_stream *stream, rill_op *op, const void *site);
rill_status ck_launch_captured(rill_exec *exec, rill_stream *stream, const void *site);

/* Notes an operation that was captured. */
void ck_note_captured(rill_stream *stream, const rill_op *op, const void *site);

/* Tells whether a stream captures. */
bool ck_is_capturing(rill_stream *stream);

#endif
