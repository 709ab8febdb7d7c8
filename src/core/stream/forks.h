/* SPDX-License-Identifier: Apache-2.0
 *
 * The forks that are out: for each platform a list of the streams that were forked off
 * another stream and not joined since.  A fork belongs to the capture in which it was
 * made, or to none; only forks of a stream's present capture count.
 *
 * A stream is identified by its handle and its number, since the handle of the
 * per-thread stream stands for a stream of each thread.
 */
#ifndef RL_FORKS_H
#define RL_FORKS_H

#include "core/object/object.h"

#define RL_BROKEN_CAPTURE UINT64_MAX

/* Reads the number of the stream's capture: 0 if the stream is in none, or
 * RL_BROKEN_CAPTURE. */
rill_status rl_capture_id(rill_stream *stream, uint64_t *id);

/* A stream, and the capture that it is in at some moment. */
struct rl_place {
    rill_stream *stream;
    uint64_t id;
    uint64_t capture; /* the one that it is in, see rl_capture_id() */
};

rill_status rl_place(rill_stream *stream, struct rl_place *place);

/* An entry of the list.  The caller makes the entry before the backend does its part, since
 * nothing may fail after that; then the entry is listed, or freed. */
struct rl_fork;
struct rl_fork *rl_fork_new(void); /* returns NULL, with a note, if memory is short */
void rl_fork_drop(struct rl_fork *fork);
void rl_fork_list(struct rl_fork *fork, const struct rl_place *from, rill_stream *other,
                  uint64_t other_id);

/* Tells whether `other` is out of `from`, directly or as the fork of a fork. */
int rl_is_out(const struct rl_place *from, rill_stream *other, uint64_t other_id);

/* Removes `other`, which was joined; the forks of `other` are out of `from` from now on. */
void rl_fork_joined(const struct rl_place *from, rill_stream *other, uint64_t other_id);

/* Finds the oldest fork that is out of `from`, and the number of its stream.  Returns 0 if
 * there is none. */
int rl_first_fork(const struct rl_place *from, rill_fork *fork, uint64_t *id);

/* Does what rill_stream_unjoined() does. */
void rl_list_forks(const struct rl_place *from, rill_fork *forks, size_t *count);

/* Tells whether any fork is out on the platform of `object`. */
static inline int rl_any_forks(const void *object)
{
    const struct rl_platform_part *part = rl_platform_part(rill_object_of(object)->platform);
    return atomic_load_explicit(&part->fork_count, memory_order_relaxed) != 0;
}

/* Forgets the forks of a stream's capture `id`, which ended with `status`.  Names them in the
 * note if they made the capture fail and the backend noted nothing. */
void rl_forks_end_capture(const rill_stream *stream, uint64_t id, rill_status status);

/* Forgets the forks of a stream that is destroyed, or of all streams of a context. */
void rl_forks_forget(const void *object);

#endif
