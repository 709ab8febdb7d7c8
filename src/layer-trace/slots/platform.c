/* SPDX-License-Identifier: Apache-2.0
 *
 * The layer `trace`: it writes down what ran when.  And the calls of <rill/trace.h>.
 */
#include <rill/trace.h>

#include "base/alloc.h"
#include "layer-trace/slots/timed.h"

extern const struct rill_stream_ops tr_stream_slots;
extern const struct rill_event_ops tr_event_slots;
extern const struct rill_capture_ops tr_capture_slots;
extern const struct rill_exec_ops tr_exec_slots;
extern const struct rill_context_ops tr_context_slots;
extern const struct rill_memory_ops tr_memory_slots;
extern const struct rill_module_ops tr_module_slots;

/* ---- Platforms ------------------------------------------------------------------------------- */

/* Has the times of operations told, or measured here. */
static void keep_time(struct tr_tracer *tracer)
{
    const struct rill_watch_ops *watch = tracer->beneath->watch;
    const struct rill_timekeeper timekeeper = { tracer, tr_see_submitted, tr_see_ended };
    if (watch && watch->keep_time && !watch->keep_time(tracer->platform, &timekeeper)) return;
    if (tracer->beneath->event->elapsed) tracer->timed = tr_timed_create(tracer);
}

static void forget_tracer(struct tr_tracer *tracer)
{
    tr_timed_destroy(tracer->timed);
    *rill_layer_word(&rl_layer_trace, tracer->platform) = NULL;
    tr_tracer_destroy(tracer);
}

static rill_status trace_open(rill_platform *platform, const rill_open_options *options)
{
    struct tr_tracer *tracer;
    rill_status status = tr_tracer_create(platform, tr_beneath(platform), &tracer);
    if (status) return status;
    *rill_layer_word(&rl_layer_trace, platform) = tracer;
    status = tracer->beneath->open(platform, options);
    if (status) {
        forget_tracer(tracer);
        return status;
    }
    keep_time(tracer);
    status = tr_tracer_start(tracer, NULL);
    if (!status) return RILL_SUCCESS;
    tracer->beneath->close(platform);
    forget_tracer(tracer);
    return status;
}

/* The backend's threads are gone when it is closed: then all that ran was told. */
static void trace_close(rill_platform *platform)
{
    struct tr_tracer *tracer = tr_tracer_of(platform);
    tracer->beneath->close(platform);
    tr_tracer_end(tracer);
    forget_tracer(tracer);
}

static void end_word(rill_object_kind kind, void *object, void *word)
{
    (void)kind;
    (void)object;
    rl_free(word);
}

static const struct rill_backend slots = {
    .open = trace_open, .close = trace_close, .context = &tr_context_slots,
    .memory = &tr_memory_slots, .module = &tr_module_slots, .stream = &tr_stream_slots,
    .event = &tr_event_slots, .capture = &tr_capture_slots, .exec = &tr_exec_slots,
};

const struct rill_layer rl_layer_trace = {
    .abi = RILL_BACKEND_ABI, .size = sizeof(struct rill_layer), .name = "trace", .slots = &slots,
    .gone = end_word,
};

/* ---- Public calls ---------------------------------------------------------------------------- */

static rill_status check_options(const rill_trace_options *options)
{
    if (!options || options->size != sizeof *options)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "options",
                                 "pass a struct whose size field is sizeof(rill_trace_options)");
    if (options->file && *options->file) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "options->file",
                             "options->file names no file to write the trace to");
}

rill_status rill_trace_start(rill_platform *platform, const rill_trace_options *options)
{
    rill_status status = rill_layer_check(&rl_layer_trace, platform, RILL_OBJECT_PLATFORM,
                                          "platform");
    if (!status) status = check_options(options);
    if (!status) status = tr_tracer_start(tr_tracer_of(platform), options->file);
    return rill_backend_finish(__func__, platform, status);
}

rill_status rill_trace_stop(rill_platform *platform)
{
    rill_status status = rill_layer_check(&rl_layer_trace, platform, RILL_OBJECT_PLATFORM,
                                          "platform");
    if (!status) tr_timed_collect(tr_tracer_of(platform));
    if (!status) status = tr_tracer_stop(tr_tracer_of(platform));
    return rill_backend_finish(__func__, platform, status);
}
