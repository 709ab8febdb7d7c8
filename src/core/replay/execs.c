/* SPDX-License-Identifier: Apache-2.0
 *
 * The execs of a replay: few, in the order of their last use.
 */
#include "base/alloc.h"
#include "core/graph/exec.h"
#include "core/replay/replay.h"

struct rl_cached *rl_find_exec(struct rl_replay_part *own, const struct rl_cached *after,
                               const rill_context *context, const struct rl_replay_key *key)
{
    struct rl_cached *cached = after ? after->next : own->cached;
    while (cached && (cached->key != key->number || cached->context != context))
        cached = cached->next;
    return cached;
}

static void unlink_exec(struct rl_replay_part *own, const struct rl_cached *cached)
{
    struct rl_cached **at = &own->cached;
    while (*at != cached) at = &(*at)->next;
    *at = cached->next;
}

void rl_touch_exec(struct rl_replay_part *own, struct rl_cached *cached)
{
    unlink_exec(own, cached);
    cached->next = own->cached;
    own->cached = cached;
}

/* Destroys an exec.  Ignores the status, which may be a fault of the device: the next launch
 * reports that as well. */
void rl_drop_exec(struct rl_replay_part *own, struct rl_cached *cached)
{
    unlink_exec(own, cached);
    own->info.execs--;
    own->info.bytes -= cached->bytes;
    rl_exec_end(cached->exec);
    rl_free(cached);
}

void rl_drop_execs(struct rl_replay_part *own)
{
    while (own->cached) rl_drop_exec(own, own->cached);
}

static void evict_oldest(struct rl_replay_part *own, size_t *evicted)
{
    struct rl_cached *oldest = own->cached;
    while (oldest->next) oldest = oldest->next;
    rl_drop_exec(own, oldest);
    own->info.evictions++;
    ++*evicted;
}

static size_t bytes_of(rill_exec *exec)
{
    size_t bytes = 0;
    return rl_exec_ops(exec)->bytes && !rl_exec_ops(exec)->bytes(exec, &bytes) ? bytes : 0;
}

static rill_status make_exec(rill_replay *replay, rill_graph *graph, struct rl_cached *cached)
{
    const struct rl_replay_part *own = rl_replay_part(replay);
    rill_exec_options options = { .size = sizeof options,
                                  .flags = own->options.exec_flags,
                                  .label = rl_label(replay) };
    rill_status status = rl_exec_new(graph, &options, &cached->exec);
    if (!status) cached->bytes = bytes_of(cached->exec);
    return status;
}

rill_status rl_add_exec(rill_replay *replay, rill_graph *graph, const struct rl_replay_key *key,
                        struct rl_cached **made, size_t *evicted)
{
    struct rl_replay_part *own = rl_replay_part(replay);
    struct rl_cached *cached = rl_zalloc(sizeof *cached);
    if (!cached)
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "there is no memory for an exec");
    cached->context = rill_object_of(graph)->context;
    cached->key = key->number;
    while (own->info.execs >= own->options.max_execs) evict_oldest(own, evicted);
    rill_status status = make_exec(replay, graph, cached);
    if (status) {
        rl_free(cached);
        return status;
    }
    cached->next = own->cached;
    own->cached = cached;
    own->info.execs++;
    own->info.bytes += cached->bytes;
    while (own->options.max_bytes && own->info.bytes > own->options.max_bytes && cached->next)
        evict_oldest(own, evicted);
    *made = cached;
    return RILL_SUCCESS;
}
