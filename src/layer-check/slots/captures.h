/* SPDX-License-Identifier: Apache-2.0
 *
 * Captures that go on: which call began each, and how far it has come.
 */
#ifndef CK_CAPTURES_H
#define CK_CAPTURES_H

#include "layer-check/order/work.h"

struct ck_capture {
    struct ck_capture *next;    /* began before                                          */
    uint64_t id;                /* the backend's                                         */
    const rill_stream *stream;  /* in which it began                                     */
    struct ck_what begin;       /* the call that began it                                */
    const void *newest;         /* site of what was captured last, or NULL               */
    bool told;                  /* that it is broken: its end need not say so once more  */
};

/* The newest first.  The checker's lock protects all of it. */
struct ck_captures {
    struct ck_capture *newest;
};

/* Adds a capture.  Returns false if memory is short. */
bool ck_captures_add(struct ck_captures *captures, uint64_t id, const rill_stream *stream,
                     const void *site);

/* Returns a capture, or the one that began in a stream, or NULL if it is not known to go on. */
struct ck_capture *ck_captures_find(const struct ck_captures *captures, uint64_t id);
struct ck_capture *ck_captures_in(const struct ck_captures *captures, const rill_stream *stream);

/* Removes a capture that is over. */
void ck_captures_end(struct ck_captures *captures, uint64_t id);

/* Removes those that began in a stream, or all if it is NULL. */
void ck_captures_forget(struct ck_captures *captures, const rill_stream *stream);

#endif
