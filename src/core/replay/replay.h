/* SPDX-License-Identifier: Apache-2.0
 *
 * The core's part of a rill_replay, which is an object of the core alone: the backend has no
 * bytes in it.  Everything in the part belongs to the thread that has set `busy`.
 */
#ifndef RL_REPLAY_H
#define RL_REPLAY_H

#include "core/object/object.h"
#include "core/replay/replay_key.h"

/* An exec, and what identifies the graphs that it may take over. */
struct rl_cached {
    struct rl_cached *next;
    rill_exec *exec;
    const rill_context *context; /* of the graph; the exec keeps it */
    uint64_t key;
    size_t bytes; /* 0 if not known */
};

struct rl_replay_part {
    rill_replay_options options;
    rill_capture_fn step;
    void *data;
    rill_destroy_fn destroy;
    atomic_uint busy;         /* 1 during a step or another call that changes it */
    struct rl_cached *cached; /* the most recently used one first                */
    struct rl_sketch sketch;
    rill_replay_info info;
};

static inline struct rl_replay_part *rl_replay_part(const rill_replay *replay)
{
    return rl_part(replay);
}

/* ---- Execs -------------------------------------------------------------- */

/* Returns the next exec after `after`, or the first if that is NULL, that may take over a
 * graph with that key.  Returns NULL if there is none. */
struct rl_cached *rl_find_exec(struct rl_replay_part *own, const struct rl_cached *after,
                               const rill_context *context, const struct rl_replay_key *key);

/* Makes an exec of the graph.  Evicts others first, so that there are never more than the
 * limit, and adds their number to *evicted. */
rill_status rl_add_exec(rill_replay *replay, rill_graph *graph, const struct rl_replay_key *key,
                        struct rl_cached **made, size_t *evicted);

/* Makes an exec the last one to be evicted. */
void rl_touch_exec(struct rl_replay_part *own, struct rl_cached *cached);
void rl_drop_exec(struct rl_replay_part *own, struct rl_cached *cached);
void rl_drop_execs(struct rl_replay_part *own);

/* ---- Steps -------------------------------------------------------------- */

/* Runs a step.  Requires `busy`, and a stream that is kept. */
rill_status rl_replay_run(rill_replay *replay, rill_stream *stream);

/* Frees all execs, in the relaxed mode, since another thread may be capturing. */
void rl_replay_drop_execs(rill_replay *replay);

#endif
