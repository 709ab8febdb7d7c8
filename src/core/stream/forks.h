/* SPDX-License-Identifier: Apache-2.0
 *
 * Which forks are out: for each platform a list of streams that were forked off
 * another one and not joined since.  A fork belongs to the capture that it was
 * made in, or to none; only those of the capture that a stream is in count.
 *
 * A stream is its handle and its number, since the handle of the per-thread
 * stream stands for a stream of each thread.
 */
#ifndef RL_FORKS_H
#define RL_FORKS_H

#include "core/object/object.h"

/* The number of the capture that the stream is in: 0 when it is in none, or
 * RL_BROKEN_CAPTURE. */
#define RL_BROKEN_CAPTURE UINT64_MAX
rill_status rl_capture_id(rill_stream *stream, uint64_t *id);

/* A stream, at a moment. */
struct rl_place {
    rill_stream *stream;
    uint64_t id;
    uint64_t capture; /* that it is in, see rl_capture_id() */
};

rill_status rl_place(rill_stream *stream, struct rl_place *place);

/* What is out is an entry of the list.  It is made before the backend does its
 * part, since nothing may fail behind that; then it is listed, or freed. */
struct rl_fork;
struct rl_fork *rl_fork_new(void); /* NULL, with a note, when memory is short */
void rl_fork_drop(struct rl_fork *fork);
void rl_fork_list(struct rl_fork *fork, const struct rl_place *from, rill_stream *other,
                  uint64_t other_id);

/* Whether `other` is out of `from`, directly or as the fork of a fork. */
int rl_is_out(const struct rl_place *from, rill_stream *other, uint64_t other_id);

/* It came back; what is out of it is out of `from` from now on. */
void rl_fork_joined(const struct rl_place *from, rill_stream *other, uint64_t other_id);

/* The oldest that is out of `from`, and its number; 0: none is. */
int rl_first_fork(const struct rl_place *from, rill_fork *fork, uint64_t *id);

/* rill_stream_unjoined(). */
void rl_list_forks(const struct rl_place *from, rill_fork *forks, size_t *count);

/* Whether there are any on the platform of `object`. */
static inline int rl_any_forks(const void *object)
{
    const struct rl_platform_part *part = rl_platform_part(rill_object_of(object)->platform);
    return atomic_load_explicit(&part->fork_count, memory_order_relaxed) != 0;
}

/* The capture `id` of a stream ended with `status`: its forks are forgotten, and
 * named in the note if they are why it failed and the backend said nothing. */
void rl_forks_end_capture(const rill_stream *stream, uint64_t id, rill_status status);

/* A stream goes, or a context with all its streams. */
void rl_forks_forget(const void *object);

#endif
