/* SPDX-License-Identifier: Apache-2.0 */
#include "core/replay/replay.h"

#include "core/capture/capture.h"
#include "core/object/check.h"
#include "core/object/error.h"
#include "core/object/options.h"

/* ---- One at a time ------------------------------------------------------ */

static rill_status begin_use(rill_replay *replay)
{
    if (!atomic_exchange_explicit(&rl_replay_part(replay)->busy, 1, memory_order_acquire))
        return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_ILLEGAL_STATE, "replay",
                             "replay is in the middle of a step, its own or one on another "
                             "thread; wait for its end, or use two replays");
}

static void end_use(rill_replay *replay)
{
    atomic_store_explicit(&rl_replay_part(replay)->busy, 0, memory_order_release);
}

/* ---- Lifetime ----------------------------------------------------------- */

static rill_status read_options(const rill_replay_options *given, rill_replay_options *known)
{
    const uint32_t exec_flags = RILL_EXEC_AUTO_FREE | RILL_EXEC_NODE_PRIORITY;
    rill_status status = rl_read_options(given, known, sizeof *known, "options->size");
    if (status) return status;
    if (known->flags & ~RILL_REPLAY_OR_EAGER)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "options->flags",
                                 "options->flags can be 0 or RILL_REPLAY_OR_EAGER");
    if (known->exec_flags & ~exec_flags)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "options->exec_flags",
                                 "options->exec_flags can have RILL_EXEC_AUTO_FREE and "
                                 "RILL_EXEC_NODE_PRIORITY alone");
    if ((unsigned)known->mode > RILL_CAPTURE_RELAXED)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "options->mode",
                                 "options->mode is %d, which is none of RILL_CAPTURE_*",
                                 (int)known->mode);
    if (!known->max_execs) known->max_execs = RILL_REPLAY_EXECS;
    return RILL_SUCCESS;
}

static rill_status create_replay(rill_context *context, const rill_replay_options *options,
                                 rill_capture_fn step, void *data, rill_destroy_fn destroy,
                                 rill_replay **replay)
{
    rill_replay *made = rl_object_new_with_part(RILL_OBJECT_REPLAY, context, options->label,
                                                sizeof(struct rl_replay_part));
    if (!made) return RILL_ERROR_OUT_OF_MEMORY;
    struct rl_replay_part *own = rl_replay_part(made);
    own->options = *options;
    own->options.label = NULL; /* the object has its own */
    own->step = step;
    own->data = data;
    own->destroy = destroy;
    *replay = made;
    return RILL_SUCCESS;
}

rill_status rill_replay_create(rill_context *context, const rill_replay_options *options,
                               rill_capture_fn step, void *data, rill_destroy_fn destroy,
                               rill_replay **replay)
{
    rill_replay_options known;
    rill_status status = rl_check(context, RILL_OBJECT_CONTEXT, "context");
    if (!status) status = rl_required((const void *)(uintptr_t)step, "step");
    if (!status) status = rl_required(replay, "replay");
    if (!status) status = read_options(options, &known);
    if (!status) status = create_replay(context, &known, step, data, destroy, replay);
    status = rl_finish(__func__, context, status);
    if (status && destroy) destroy(data);
    return status;
}

rill_status rill_replay_destroy(rill_replay **replay)
{
    rill_replay *given = replay ? *replay : NULL;
    if (!given) return RILL_SUCCESS;
    int live = rl_tag((const void *)given) == rl_life() + RILL_OBJECT_REPLAY;
    rill_status status = live ? begin_use(given) : RILL_SUCCESS;
    if (status) return rl_finish(__func__, given, status);
    status = rl_object_end(given, RILL_OBJECT_REPLAY, "replay");
    if (status) return rl_finish(__func__, given, status);
    *replay = NULL;
    struct rl_replay_part *own = rl_replay_part(given);
    rl_replay_drop_execs(given);
    rl_sketch_drop(&own->sketch);
    if (own->destroy) own->destroy(own->data);
    rl_release(given);
    return RILL_SUCCESS;
}

/* ---- Use ---------------------------------------------------------------- */

rill_status rill_replay_step(rill_replay *replay, rill_stream *stream)
{
    rill_status status = rl_check(replay, RILL_OBJECT_REPLAY, "replay");
    if (!status) status = rl_check_with(stream, RILL_OBJECT_STREAM, "stream", replay);
    if (!status) status = begin_use(replay);
    if (status) return rl_finish(__func__, replay, status);
    void *kept = rl_keep(stream);
    status = rl_finish(__func__, replay, rl_replay_run(replay, stream));
    rl_release(kept);
    end_use(replay);
    return status;
}

rill_status rill_replay_clear(rill_replay *replay)
{
    rill_status status = rl_check(replay, RILL_OBJECT_REPLAY, "replay");
    if (!status) status = begin_use(replay);
    if (status) return rl_finish(__func__, replay, status);
    rl_replay_drop_execs(replay);
    end_use(replay);
    return rl_finish(__func__, replay, RILL_SUCCESS);
}

rill_status rill_replay_get_info(rill_replay *replay, rill_replay_info *info)
{
    rill_status status = rl_check(replay, RILL_OBJECT_REPLAY, "replay");
    if (!status) status = rl_required(info, "info");
    if (!status) status = rl_check_output(info, sizeof *info, "info->size");
    if (!status) rl_write_output(info, &rl_replay_part(replay)->info, sizeof *info);
    return rl_finish(__func__, replay, status);
}
