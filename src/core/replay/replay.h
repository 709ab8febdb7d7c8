/* SPDX-License-Identifier: Apache-2.0
 *
 * What is behind a rill_replay: an object of the core's own, with no bytes of
 * the backend.  Everything in it belongs to the thread that uses it, which
 * `busy` finds out.
 */
#ifndef RL_REPLAY_H
#define RL_REPLAY_H

#include "core/object/object.h"
#include "core/replay/replay_key.h"

/* An exec, and for which graphs it may do. */
struct rl_cached {
    struct rl_cached *next;
    rill_exec *exec;
    const rill_context *context; /* of the graph; the exec keeps it */
    uint64_t key;
    size_t bytes; /* 0: not known */
};

struct rl_replay_part {
    rill_replay_options options;
    rill_capture_fn step;
    void *data;
    rill_destroy_fn destroy;
    atomic_uint busy;         /* a step, or another call that changes it, goes on */
    struct rl_cached *cached; /* the one that was used last first                 */
    struct rl_sketch sketch;
    rill_replay_info info;
};

static inline struct rl_replay_part *rl_replay_part(const rill_replay *replay)
{
    return rl_part(replay);
}

/* ---- Execs -------------------------------------------------------------- */

/* The next behind `after`, NULL for the first, that may take over such a graph. */
struct rl_cached *rl_find_exec(struct rl_replay_part *own, const struct rl_cached *after,
                               const rill_context *context, const struct rl_replay_key *key);

/* Makes one of the graph, and room for it first, so that there are never more
 * than the limit; *evicted counts the ones that went. */
rill_status rl_add_exec(rill_replay *replay, rill_graph *graph, const struct rl_replay_key *key,
                        struct rl_cached **made, size_t *evicted);

/* It was used: the last to go. */
void rl_touch_exec(struct rl_replay_part *own, struct rl_cached *cached);
void rl_drop_exec(struct rl_replay_part *own, struct rl_cached *cached);
void rl_drop_execs(struct rl_replay_part *own);

/* ---- Steps -------------------------------------------------------------- */

/* For a replay that is in use by nobody else, and a stream that is kept. */
rill_status rl_replay_run(rill_replay *replay, rill_stream *stream);

/* In the relaxed mode, since somebody may be capturing. */
void rl_replay_drop_execs(rill_replay *replay);

#endif
