/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/access/account.h"
#include "layer-check/slots/calls.h"
#include "layer-check/slots/checker.h"
#include "layer-check/slots/pinned.h"
#include "layer-check/slots/who.h"

#include <string.h>

#include "base/alloc.h"
#include "base/thread.h"

/* ---- Entering and leaving ------------------------------------------------------------------ */

struct ck_checker *ck_enter_checker(struct ck_checker *checker)
{
    if (!atomic_load_explicit(&checker->on, memory_order_relaxed)) return NULL;
    ck_lock(checker);
    if (atomic_load_explicit(&checker->on, memory_order_relaxed)) return checker;
    rl_unlock(&checker->lock);
    return NULL;
}

struct ck_checker *ck_enter(const void *object)
{
    struct ck_checker *checker = ck_enter_checker(ck_checker_of(object));
    if (!checker) return NULL;
    checker->order.caller = ck_watch_caller(checker);
    ck_pinned_look(checker);
    return checker;
}

static void tell_verdicts(struct ck_checker *checker, struct ck_verdict *verdict)
{
    while (verdict) {
        struct ck_verdict *next = verdict->next;
        ck_report_add(checker->report, &verdict->finding);
        rl_free(verdict);
        verdict = next;
    }
}

/* Judges what can be judged.  If memory was short, nothing is sure any more: checking stops. */
static void judge_log(struct ck_checker *checker)
{
    struct ck_order *order = &checker->order;
    if (!atomic_load_explicit(&checker->on, memory_order_relaxed)) return;
    if (!order->failed && ck_log_advance(&checker->log, &checker->court) && !order->failed) {
        const struct ck_log_entry *oldest = checker->log.head;
        ck_order_forget_callers(order, oldest ? oldest->work->serial : UINT64_MAX);
        return;
    }
    atomic_store_explicit(&checker->on, false, memory_order_relaxed);
    ck_pinned_stop(checker);
    ck_report_stopped(checker->report, "there was no memory to go on with");
}

void ck_leave(struct ck_checker *checker)
{
    bool more;
    checker->order.caller = NULL;
    do {
        judge_log(checker);
        struct ck_verdict *found = checker->verdicts.first;
        more = checker->verdicts.count >= CK_VERDICTS_MANY;
        ck_verdicts_init(&checker->verdicts);
        rl_unlock(&checker->lock);
        tell_verdicts(checker, found);
        if (more) rl_lock(&checker->lock);
    } while (more);
}

void ck_leave_untold(struct ck_checker *checker)
{
    judge_log(checker);
    checker->order.caller = NULL;
    rl_unlock(&checker->lock);
}

/* ---- Words of objects ---------------------------------------------------------------------- */

/* Makes what the layer's word of an object leads to, if there is nothing yet. */
static void *word_of(void *object, size_t bytes)
{
    void **word = rill_layer_word(&rl_layer_check, object);
    if (!*word) *word = rl_zalloc(bytes);
    if (!*word) ck_checker_of(object)->order.failed = true;
    return *word;
}

struct ck_context_word *ck_context_word(rill_context *context)
{
    return word_of(context, sizeof(struct ck_context_word));
}

struct ck_stream_word *ck_stream_word(rill_stream *stream)
{
    return word_of(stream, sizeof(struct ck_stream_word));
}

struct ck_event_state *ck_event_state(rill_event *event)
{
    struct ck_event_state *state = word_of(event, sizeof *state);
    if (state && !state->references) state->references = 1; /* the event's */
    return state;
}

struct ck_notes *ck_notes_of(rill_graph *graph)
{
    return word_of(graph, sizeof(struct ck_notes));
}

struct ck_exec_word *ck_exec_word(rill_exec *exec)
{
    return word_of(exec, sizeof(struct ck_exec_word));
}

/* ---- Streams ------------------------------------------------------------------------------- */

/* Makes the stream of a handle that the backend has handed out or the program has created. */
static struct ck_stream *make_stream(struct ck_checker *checker, rill_stream *handle,
                                     bool per_thread)
{
    rill_context *context = rill_object_of(handle)->context;
    struct ck_context_word *word = ck_context_word(context);
    if (!word) return NULL;
    bool legacy = handle == word->legacy;
    uint32_t flags = 0;
    if (!legacy && !per_thread) ck_beneath(handle)->stream->flags(handle, &flags);
    struct ck_who *who = ck_who_create(checker->beneath, handle, legacy, per_thread,
                                       checker->managed);
    if (!who) return NULL;
    struct ck_stream *stream =
        ck_stream_create(&checker->order, &word->order, who,
                         !legacy && !(flags & RILL_STREAM_NON_BLOCKING), legacy);
    if (!stream) ck_who_release(who);
    return stream;
}

/* Returns the stream of the calling thread among those that a per-thread handle stands for. */
static struct ck_stream *thread_stream(struct ck_checker *checker, struct ck_stream_word *word,
                                       rill_stream *handle)
{
    uint64_t thread = rl_thread_id();
    for (size_t i = 0; i < word->other_count; i++)
        if (word->others[i]->thread == thread) return word->others[i];
    struct ck_stream **others = rl_alloc((word->other_count + 1) * sizeof(struct ck_stream *));
    struct ck_stream *stream = others ? make_stream(checker, handle, true) : NULL;
    if (!stream) {
        rl_free(others);
        return NULL;
    }
    stream->thread = thread;
    if (word->other_count)
        memcpy(others, word->others, word->other_count * sizeof(struct ck_stream *));
    others[word->other_count++] = stream;
    rl_free(word->others);
    word->others = others;
    return stream;
}

struct ck_stream *ck_stream_here(struct ck_checker *checker, rill_stream *handle)
{
    struct ck_stream_word *word = ck_stream_word(handle);
    struct ck_context_word *context = ck_context_word(rill_object_of(handle)->context);
    struct ck_stream *stream = NULL;
    if (word && context) {
        if (handle == context->per_thread) stream = thread_stream(checker, word, handle);
        else if (word->stream) return word->stream;
        else stream = word->stream = make_stream(checker, handle, false);
    }
    if (!stream) checker->order.failed = true;
    return stream;
}

const char *ck_kernel_name(struct ck_checker *checker, rill_kernel *kernel)
{
    const char *text = kernel ? ck_beneath(kernel)->module->kernel_name(kernel) : NULL;
    const char *kept = text ? ck_names_keep(&checker->names, text) : NULL;
    if (text && !kept) checker->order.failed = true;
    return kept;
}

/* ---- Platforms ----------------------------------------------------------------------------- */

static void destroy_checker(struct ck_checker *checker)
{
    ck_pinned_fini(checker);
    ck_parts_forget(&checker->parts);
    ck_capture_forget(checker, NULL);
    ck_calls_forget(checker);
    ck_objects_fini(&checker->objects);
    ck_log_clear(&checker->log);
    ck_busy_fini(&checker->busy);
    ck_held_fini(&checker->held);
    ck_tellings_fini(&checker->tellings);
    ck_verdicts_free(&checker->verdicts); /* found when checking stopped */
    ck_memory_fini(&checker->memory);
    ck_leaks_fini(&checker->leaks);
    ck_values_fini(&checker->values);
    ck_order_fini(&checker->order);
    ck_names_forget(&checker->names);
    if (checker->report) ck_report_destroy(checker->report);
    rl_free(checker);
}

/* Frees what nobody else will, if the platform lived longer than the call that opened it. */
static void end_account(struct ck_account *account)
{
    if (!account || !account->left) return;
    ck_session_destroy(account->session);
    ck_account_fini(account);
    rl_free(account);
}

static rill_status create_checker(rill_platform *platform, struct ck_checker **made)
{
    char why[CK_WHY_MAX];
    struct ck_account *account = ck_account_wanted();
    const bool quiet = account && account->session;
    struct ck_session *session = quiet ? account->session : ck_session_of_process(why);
    if (!session) {
        end_account(account);
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, NULL, "%.300s", why);
    }
    struct ck_checker *checker = rl_zalloc_lines(sizeof *checker);
    bool fits = checker != NULL;
    if (fits) {
        checker->beneath = ck_beneath(platform);
        checker->platform = platform;
        checker->report = ck_report_create(session);
        fits = checker->report && ck_order_init(&checker->order);
    }
    if (!fits) {
        if (checker && checker->report) ck_report_destroy(checker->report);
        rl_free(checker);
        end_account(account);
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL,
                                 "there is no memory to check with");
    }
    ck_verdicts_init(&checker->verdicts);
    checker->court = (struct ck_court){
        .memory = &checker->memory, .verdicts = &checker->verdicts,
        .tellings = &checker->tellings, .held = &checker->held, .log = &checker->log,
        .callers = &checker->order.callers, .busy = &checker->busy, .account = account,
    };
    /* Who gives an account and was not asked for more reports nothing: what is wrong shows in some
     * schedule. */
    if (quiet) checker->protection = CK_PROTECT_SAFELY;
    else ck_set_wishes(checker, ck_session_settings(session));
    atomic_init(&checker->on, true);
    *made = checker;
    return RILL_SUCCESS;
}

static rill_status check_open(rill_platform *platform, const rill_open_options *options)
{
    struct ck_checker *checker;
    rill_status status = create_checker(platform, &checker);
    if (status) return status;
    *rill_layer_word(&rl_layer_check, platform) = checker;
    status = checker->beneath->open(platform, options);
    if (status) {
        struct ck_account *account = checker->court.account;
        *rill_layer_word(&rl_layer_check, platform) = NULL;
        destroy_checker(checker);
        end_account(account);
        return status;
    }
    struct rill_watcher watcher = ck_watcher;
    watcher.data = checker;
    if (!checker->kernels) watcher.found = NULL;
    const struct rill_watch_ops *watch = checker->beneath->watch;
    checker->watched = watch && !watch->set(platform, &watcher);
    checker->order.unseen = !checker->watched;
    if (checker->life) ck_redzones_lay(&checker->redzones, platform, watch);
    if (checker->quarantine && watch && watch->quarantine)
        watch->quarantine(platform, checker->quarantine);
    const struct rill_schedule_ops *schedule = checker->beneath->schedule;
    if (checker->court.account && schedule && schedule->listen)
        schedule->listen(platform, ck_account_taken, checker->court.account);
    ck_pinned_init(checker);
    ck_watch_add(checker);
    return RILL_SUCCESS;
}

static void check_close(rill_platform *platform)
{
    struct ck_checker *checker = ck_checker_of(platform);
    struct ck_account *account = checker->court.account;
    ck_watch_remove(checker);
    ck_look_behind(checker);
    checker->beneath->close(platform);
    ck_ending_tell(checker);
    if (account) ck_account_settle(account);
    *rill_layer_word(&rl_layer_check, platform) = NULL;
    destroy_checker(checker);
    end_account(account);
}

/* ---- The end of objects -------------------------------------------------------------------- */

static void end_stream_word(struct ck_checker *checker, struct ck_stream_word *word)
{
    if (word->stream) ck_stream_destroy(&checker->order, word->stream);
    for (size_t i = 0; i < word->other_count; i++)
        ck_stream_destroy(&checker->order, word->others[i]);
    rl_free(word->others);
    rl_free(word);
}

static void end_exec_word(struct ck_exec_word *word)
{
    ck_model_release(word->model);
    ck_clock_release(word->before);
    rl_free(word);
}

static void end_word(rill_object_kind kind, void *object, void *word)
{
    struct ck_checker *checker = ck_checker_of(object);
    ck_lock(checker);
    switch (kind) {
    case RILL_OBJECT_STREAM:
        ck_capture_end_stream(checker, object, word);
        end_stream_word(checker, word);
        break;
    case RILL_OBJECT_CONTEXT:
        ck_context_order_fini(&((struct ck_context_word *)word)->order);
        rl_free(word);
        break;
    case RILL_OBJECT_EVENT: ck_event_state_end(word); break;
    case RILL_OBJECT_EXEC: end_exec_word(word); break;
    case RILL_OBJECT_GRAPH:
        ck_notes_fini(word);
        rl_free(word);
        break;
    default: rl_free(word); break;
    }
    rl_unlock(&checker->lock);
}

/* ---- The layer ----------------------------------------------------------------------------- */

extern const struct rill_context_ops ck_context_slots;
extern const struct rill_memory_ops ck_memory_slots;
extern const struct rill_stream_ops ck_stream_slots;
extern const struct rill_module_ops ck_module_slots;
extern const struct rill_event_ops ck_event_slots;
extern const struct rill_pool_ops ck_pool_slots;
extern const struct rill_vmem_ops ck_vmem_slots;
extern const struct rill_capture_ops ck_capture_slots;
extern const struct rill_graph_ops ck_graph_slots;
extern const struct rill_exec_ops ck_exec_slots;

static const struct rill_backend slots = {
    .open = check_open, .close = check_close, .context = &ck_context_slots,
    .memory = &ck_memory_slots, .module = &ck_module_slots, .stream = &ck_stream_slots,
    .event = &ck_event_slots, .pool = &ck_pool_slots, .capture = &ck_capture_slots,
    .graph = &ck_graph_slots, .exec = &ck_exec_slots, .vmem = &ck_vmem_slots,
};

const struct rill_layer rl_layer_check = {
    .abi = RILL_BACKEND_ABI, .size = sizeof rl_layer_check, .name = "check", .slots = &slots,
    .gone = end_word,
};

/* ---- Public calls -------------------------------------------------------------------------- */

rill_status rill_check_report(rill_platform *platform, rill_finding_fn report, void *data)
{
    rill_status status = rill_layer_check(&rl_layer_check, platform, RILL_OBJECT_PLATFORM,
                                          "platform");
    if (!status) ck_report_tell(ck_checker_of(platform)->report, report, data);
    return rill_backend_finish(__func__, platform, status);
}

rill_status rill_check_count(rill_platform *platform, uint64_t *count)
{
    rill_status status = rill_layer_check(&rl_layer_check, platform, RILL_OBJECT_PLATFORM,
                                          "platform");
    if (!status && !count)
        status = rill_backend_fail(RILL_ERROR_INVALID_VALUE, "count", "count is NULL");
    struct ck_checker *checker = status ? NULL : ck_enter(platform);
    if (checker) ck_leave(checker);
    if (!status) *count = ck_report_count(ck_checker_of(platform)->report);
    return rill_backend_finish(__func__, platform, status);
}
