/* SPDX-License-Identifier: Apache-2.0
 *
 * The teller of a platform, and the layer.
 */
#include "layer-tsan/slots/teller.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/thread.h"
#include "base/tsan.h"
#include "layer-tsan/slots/function.h"

/* ---- Calls -------------------------------------------------------------------------------- */

static _Thread_local enum ts_calls calls_here;

enum ts_calls ts_call_here(void)
{
    return calls_here;
}

enum ts_calls ts_call_set(enum ts_calls kind)
{
    const enum ts_calls before = calls_here;
    calls_here = kind;
    return before;
}

struct ts_call ts_call_begin(enum ts_calls kind)
{
    ts_hide();
    return (struct ts_call){ ts_call_set(kind) };
}

void ts_call_end(const struct ts_call *call)
{
    ts_call_set(call->before);
    ts_show();
}

struct ts_teller *ts_enter(const void *object)
{
    struct ts_teller *teller = ts_teller_of(object);
    if (teller->order.failed) return NULL;
    rl_lock(&teller->order.lock);
    return teller;
}

void ts_leave(struct ts_teller *teller)
{
    rl_unlock(&teller->order.lock);
}

void ts_learn(const void *object, struct ts_front *front, rill_status status)
{
    struct ts_teller *teller = ts_teller_of(object);
    rl_lock(&teller->order.lock);
    if (!status || rill_error_is_sticky(status)) ts_front_acquire(&teller->order, front);
    ts_front_fini(front);
    rl_unlock(&teller->order.lock);
}

/* ---- Words of objects --------------------------------------------------------------------- */

/* Makes what the layer's word of an object leads to, if there is nothing yet. */
static void *word_of(const void *object, size_t bytes)
{
    void **word = rill_layer_word(&rl_layer_tsan, object);
    if (!*word) *word = rl_zalloc(bytes);
    if (!*word) ts_teller_of(object)->order.failed = true;
    return *word;
}

struct ts_context_word *ts_context_word(rill_context *context)
{
    struct ts_context_word *word = word_of(context, sizeof *word);
    if (!word || word->link) return word;
    struct ts_teller *teller = ts_teller_of(context);
    word->link = &teller->contexts;
    word->next = teller->contexts;
    if (word->next) word->next->link = &word->next;
    teller->contexts = word;
    return word;
}

struct ts_event *ts_event_of(rill_event *event)
{
    struct ts_event *state = word_of(event, sizeof *state);
    if (state && !state->references) state->references = 1; /* the event's */
    return state;
}

struct ts_exec_word *ts_exec_word(rill_exec *exec)
{
    return word_of(exec, sizeof(struct ts_exec_word));
}

/* ---- Streams ------------------------------------------------------------------------------ */

static struct ts_stream *make_stream(struct ts_teller *teller, struct ts_context_word *context,
                                     rill_stream *handle)
{
    const bool legacy = handle == context->legacy, own = handle == context->per_thread;
    uint32_t flags = 0;
    uint64_t id = 0;
    const struct rill_stream_ops *streams = teller->beneath->stream;
    if (!legacy && !own) streams->flags(handle, &flags);
    streams->id(handle, &id);
    struct ts_stream *stream = ts_stream_create(&teller->order, &context->context,
                                                !legacy && !(flags & RILL_STREAM_NON_BLOCKING),
                                                legacy);
    if (!stream) return NULL;
    const char *label = rill_stream_label(handle);
    if (legacy) snprintf(stream->name, sizeof stream->name, "the legacy stream");
    else if (label) snprintf(stream->name, sizeof stream->name, "stream '%.40s'", label);
    else snprintf(stream->name, sizeof stream->name, "stream %" PRIu64, id);
    return stream;
}

/* Adds a stream to those that a handle stands for. */
static struct ts_stream *add_stream(struct ts_teller *teller, struct ts_context_word *context,
                                    struct ts_stream_word *word, rill_stream *handle,
                                    uint64_t thread)
{
    struct ts_stream **streams = rl_alloc((word->count + 1) * sizeof(struct ts_stream *));
    struct ts_stream *stream = streams ? make_stream(teller, context, handle) : NULL;
    if (!stream) {
        teller->order.failed = true;
        rl_free(streams);
        return NULL;
    }
    stream->thread = thread;
    if (word->count) memcpy(streams, word->streams, word->count * sizeof(struct ts_stream *));
    streams[word->count++] = stream;
    rl_free(word->streams);
    word->streams = streams;
    return stream;
}

struct ts_stream *ts_stream_here(struct ts_teller *teller, rill_stream *handle)
{
    struct ts_stream_word *word = word_of(handle, sizeof *word);
    struct ts_context_word *context = ts_context_word(rill_object_of(handle)->context);
    if (!word || !context) return NULL;
    const uint64_t thread = handle == context->per_thread ? rl_thread_id() : 0;
    for (size_t i = 0; i < word->count; i++)
        if (word->streams[i]->thread == thread) return word->streams[i];
    return add_stream(teller, context, word, handle, thread);
}

bool ts_is_capturing(rill_stream *stream)
{
    struct ts_teller *teller = ts_teller_of(stream);
    const struct rill_capture_ops *captures = teller->beneath->capture;
    rill_capture_info info = { .size = sizeof info };
    if (!captures || !atomic_load_explicit(&teller->captures, memory_order_relaxed)) return false;
    rl_lock(&teller->order.lock);
    bool some = !captures->info(stream, &info) && info.state != RILL_CAPTURE_NONE;
    rl_unlock(&teller->order.lock);
    return some;
}

/* ---- The end of objects ------------------------------------------------------------------- */

static void end_context(struct ts_context_word *word)
{
    *word->link = word->next;
    if (word->next) word->next->link = word->link;
    ts_context_fini(&word->context);
    rl_free(word);
}

static void end_stream(struct ts_teller *teller, struct ts_stream_word *word)
{
    for (size_t i = 0; i < word->count; i++) ts_stream_destroy(&teller->order, word->streams[i]);
    rl_free(word->streams);
    rl_free(word);
}

/* What the event stands for may be a launch whose model has the event. */
static void end_event(struct ts_event *event)
{
    event->recorded = false;
    ts_front_fini(&event->front);
    ts_event_release(event);
}

static void end_exec(struct ts_exec_word *word)
{
    ts_model_release(word->model);
    ts_front_fini(&word->last);
    rl_free(word);
}

static void end_word(rill_object_kind kind, void *object, void *word)
{
    struct ts_teller *teller = ts_teller_of(object);
    ts_hide();
    rl_lock(&teller->order.lock);
    switch (kind) {
    case RILL_OBJECT_CONTEXT: end_context(word); break;
    case RILL_OBJECT_STREAM: end_stream(teller, word); break;
    case RILL_OBJECT_EVENT: end_event(word); break;
    case RILL_OBJECT_EXEC: end_exec(word); break;
    default: break;
    }
    rl_unlock(&teller->order.lock);
    ts_show();
}

/* ---- Platforms ---------------------------------------------------------------------------- */

static rill_status check_process(const struct rill_backend *beneath)
{
#ifdef RL_SEES_RACES
    return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, NULL,
                             "this library was itself built with -fsanitize=thread; the layer "
                             "'tsan' is for one that was not");
#endif
    if (!rl_has_tsan())
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, NULL,
                                 "the layer 'tsan' is for programs that are built with "
                                 "-fsanitize=thread");
    if (!beneath->watch)
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, NULL,
                                 "the layer 'tsan' needs a backend that tells what runs, as 'sim' "
                                 "does");
    return RILL_SUCCESS;
}

static void destroy_teller(struct ts_teller *teller)
{
    while (teller->parts) {
        struct ts_part *part = teller->parts;
        teller->parts = part->next;
        ts_launch_end(part->launch, false);
        ts_launch_release(part->launch);
        rl_free(part);
    }
    ts_root_fini(&teller->order.root);
    rl_free(teller);
}

static rill_status open_beneath(struct ts_teller *teller, const rill_open_options *options)
{
    struct rill_watcher watcher = ts_watcher;
    watcher.data = teller;
    rill_status status = teller->beneath->open(teller->platform, options);
    if (status) return status;
    status = teller->beneath->watch->set(teller->platform, &watcher);
    if (!status) return status;
    teller->beneath->close(teller->platform);
    return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, NULL,
                             "the layers 'check' and 'tsan' cannot both be told what runs; name "
                             "one of them");
}

static rill_status open_platform(rill_platform *platform, const rill_open_options *options)
{
    rill_status status = check_process(ts_beneath(platform));
    if (status) return status;
    const struct ts_call call = ts_call_begin(TS_CALLS_DIRECT);
    struct ts_teller *teller = rl_zalloc_lines(sizeof *teller);
    if (teller) {
        teller->beneath = ts_beneath(platform);
        teller->platform = platform;
        ts_root_init(&teller->order.root);
        *rill_layer_word(&rl_layer_tsan, platform) = teller;
        rl_threads_hide();
        status = open_beneath(teller, options);
        if (status) {
            *rill_layer_word(&rl_layer_tsan, platform) = NULL;
            destroy_teller(teller);
        }
    } else {
        status = rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL,
                                   "there is no memory to tell ThreadSanitizer with");
    }
    ts_call_end(&call);
    return status;
}

static void close_platform(rill_platform *platform)
{
    struct ts_teller *teller = ts_teller_of(platform);
    struct ts_front all = { .count = 0 };
    const struct ts_call call = ts_call_begin(TS_CALLS_WAITS);
    rl_lock(&teller->order.lock);
    for (const struct ts_context_word *word = teller->contexts; word; word = word->next)
        ts_context_join(&teller->order, &all, &word->context);
    rl_unlock(&teller->order.lock);
    teller->beneath->close(platform);
    ts_learn(platform, &all, RILL_SUCCESS);
    __tsan_acquire(&teller->order.all);
    *rill_layer_word(&rl_layer_tsan, platform) = NULL;
    destroy_teller(teller);
    ts_call_end(&call);
}

/* ---- The layer ---------------------------------------------------------------------------- */

extern const struct rill_context_ops ts_context_slots;
extern const struct rill_memory_ops ts_memory_slots;
extern const struct rill_module_ops ts_module_slots;
extern const struct rill_stream_ops ts_stream_slots;
extern const struct rill_event_ops ts_event_slots;
extern const struct rill_pool_ops ts_pool_slots;
extern const struct rill_vmem_ops ts_vmem_slots;
extern const struct rill_capture_ops ts_capture_slots;
extern const struct rill_graph_ops ts_graph_slots;
extern const struct rill_exec_ops ts_exec_slots;

static const struct rill_backend slots = {
    .open = open_platform, .close = close_platform, .context = &ts_context_slots,
    .memory = &ts_memory_slots, .module = &ts_module_slots, .stream = &ts_stream_slots,
    .event = &ts_event_slots, .pool = &ts_pool_slots, .vmem = &ts_vmem_slots,
    .capture = &ts_capture_slots, .graph = &ts_graph_slots, .exec = &ts_exec_slots,
};

const struct rill_layer rl_layer_tsan = {
    .abi = RILL_BACKEND_ABI, .size = sizeof(struct rill_layer), .name = "tsan", .slots = &slots,
    .gone = end_word,
};
