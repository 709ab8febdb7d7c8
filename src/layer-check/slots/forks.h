/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams with captured work, and how much of that other streams have waited for: what nobody has
 * waited for is not joined when the capture ends.
 */
#ifndef CK_FORKS_H
#define CK_FORKS_H

#include "layer-check/model/node.h"

struct ck_fork;

/* The checker's lock protects all of it. */
struct ck_forks {
    struct ck_fork *first;
};

/* Notes that something was captured in a stream.  Returns false if memory is short. */
bool ck_forks_add(struct ck_forks *forks, const rill_stream *stream, uint64_t capture,
                  const struct ck_what *what);

/* Note that an event stands for what a stream has captured so far, and that a stream waits for what
 * an event stands for. */
void ck_forks_record(struct ck_forks *forks, const rill_stream *stream,
                     struct ck_event_state *event, const void *site);
void ck_forks_wait(struct ck_forks *forks, const struct ck_event_state *event);

/* Returns the number of the capture that a stream has work in, or 0. */
uint64_t ck_forks_capture(const struct ck_forks *forks, const rill_stream *stream);

/* Returns the newest work of a stream other than `origin` that nobody has waited for, or NULL. */
const struct ck_what *ck_forks_unjoined(const struct ck_forks *forks, const rill_stream *origin,
                                        uint64_t capture);

/* Forgets what belongs to a capture that is over. */
void ck_forks_end(struct ck_forks *forks, uint64_t capture);

/* Forgets what was captured in a stream, or in all if it is NULL. */
void ck_forks_forget(struct ck_forks *forks, const rill_stream *stream);

#endif
