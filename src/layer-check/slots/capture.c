/* SPDX-License-Identifier: Apache-2.0
 *
 * Captures: works that become nodes, and calls that break a capture.
 */
#include "base/alloc.h"
#include "site/site.h"
#include "layer-check/slots/objects.h"
#include "layer-check/slots/submit.h"

/* ---- What goes on -------------------------------------------------------------------------- */

/* Asks what a stream captures.  The arrays that the answer leads to are the stream's, and the next
 * one is written into them.  Requires checker->lock. */
static rill_capture_info read_capture(rill_stream *stream)
{
    rill_capture_info info = { .size = sizeof info };
    const struct rill_capture_ops *captures = ck_beneath(stream)->capture;
    if (!captures || captures->info(stream, &info)) info.state = RILL_CAPTURE_NONE;
    return info;
}

bool ck_is_capturing(rill_stream *stream)
{
    struct ck_checker *checker = ck_checker_of(stream);
    if (!atomic_load_explicit(&checker->captures, memory_order_relaxed)) return false;
    rl_lock(&checker->lock);
    bool captures = read_capture(stream).state != RILL_CAPTURE_NONE;
    rl_unlock(&checker->lock);
    return captures;
}

static rill_status check_info(rill_stream *stream, rill_capture_info *info)
{
    struct ck_checker *checker = ck_checker_of(stream);
    rl_lock(&checker->lock);
    rill_status status = ck_beneath(stream)->capture->info(stream, info);
    rl_unlock(&checker->lock);
    return status;
}

/* ---- Captures that may end meanwhile ------------------------------------------------------- */

void ck_closing_begin(struct ck_closing *closing, rill_stream *stream)
{
    struct ck_checker *checker = ck_checker_of(stream);
    *closing = (struct ck_closing){ .capture = 0 };
    if (!atomic_load_explicit(&checker->captures, memory_order_relaxed)) return;
    rl_lock(&checker->lock);
    const rill_capture_info info = read_capture(stream);
    closing->went_on = info.state != RILL_CAPTURE_NONE;
    closing->capture = info.id;
    closing->next = checker->closings;
    if (closing->went_on) checker->closings = closing;
    rl_unlock(&checker->lock);
}

void ck_closing_end(struct ck_closing *closing, struct ck_checker *checker)
{
    if (!closing->went_on) return;
    rl_lock(&checker->lock);
    struct ck_closing **link = &checker->closings;
    while (*link != closing) link = &(*link)->next;
    *link = closing->next;
    rl_unlock(&checker->lock);
}

/* Tells whether the graph of a capture is there as long as the lock is held.  Requires
 * checker->lock. */
static bool is_open(const struct ck_checker *checker, const rill_capture_info *info)
{
    const struct ck_closing *closing = checker->closings;
    while (closing && closing->capture != info->id) closing = closing->next;
    return info->state == RILL_CAPTURE_ACTIVE && !closing;
}

/* ---- Calls that break a capture ------------------------------------------------------------ */

/* Why a call broke a capture, and what would mend that. */
struct cause {
    rill_status status;
    const char *why, *mend;
};

/* Returns NULL for a status that breaks no capture. */
static const struct cause *cause_of(rill_status status)
{
    static const struct cause causes[] = {
        { RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED, "a capture forbids this call",
          "make the call before the capture begins or after it ends; if it is another thread's, "
          "begin the capture as thread-local, or as relaxed" },
        { RILL_ERROR_CAPTURED_EVENT,
          "the host asks for an event that was recorded in a capture, where nothing happens",
          "ask for an event that is recorded after the launch of the graph" },
        { RILL_ERROR_STREAM_CAPTURE_INVALIDATED, "a call broke the capture before it ended",
          "look at the status of each call during the capture, or set RILL_LOG=errors" },
        { RILL_ERROR_STREAM_CAPTURE_MERGE, "the wait would join two captures",
          "begin one of the captures after the other one has ended" },
        { RILL_ERROR_STREAM_CAPTURE_UNJOINED,
          "the capture ends while work of another stream is not joined to it",
          "record an event behind that work, and have the stream that ends the capture wait for "
          "it" },
        { RILL_ERROR_STREAM_CAPTURE_UNMATCHED,
          "the capture is ended in a stream that did not begin it",
          "end it in the stream in which it began" },
        { RILL_ERROR_STREAM_CAPTURE_ISOLATION,
          "a stream that captures waits for work that is outside of the capture",
          "wait for that work before the capture begins, or record the event in the capture" },
        { RILL_ERROR_STREAM_CAPTURE_IMPLICIT,
          "the call uses the legacy stream while a blocking stream captures",
          "use another stream than the legacy one, or capture in a non-blocking one" },
        { RILL_ERROR_STREAM_CAPTURE_WRONG_THREAD,
          "the capture is ended by another thread than the one that began it",
          "end it in the thread that began it, or begin it as relaxed" },
    };
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++)
        if (causes[i].status == status) return &causes[i];
    return NULL;
}

/* What a call conflicts with that breaks a capture. */
struct other {
    struct ck_what what;
    const void *newest; /* if that is the begin of the capture: what was captured last, or NULL */
};

/* Returns the number of the capture that a stream is known to take part in, or 0.  Asks no backend:
 * the caller's last failure is to stay what it is. */
static uint64_t known_capture(struct ck_checker *checker, const rill_stream *stream)
{
    const struct ck_capture *capture = ck_captures_in(&checker->going_on, stream);
    return capture ? capture->id : ck_forks_capture(&checker->forks, stream);
}

/* Returns the begin of a capture: of that with a number, if it goes on, or else of the newest. */
static struct other other_of(const struct ck_checker *checker, uint64_t id)
{
    const struct ck_capture *capture = ck_captures_find(&checker->going_on, id);
    if (!capture) capture = checker->going_on.newest;
    if (!capture) return (struct other){ .newest = NULL };
    return (struct other){ capture->begin, capture->newest };
}

/* Returns the record that an event stands for: the captured one, or that of work outside. */
static struct other other_of_event(const struct ck_event_state *state, bool captured)
{
    struct ck_what what = { .kind = RILL_OP_EVENT_RECORD };
    if (captured && state) what.site = state->captured_site;
    else if (state && state->event.recorded) what = state->event.what;
    return (struct other){ .what = what };
}

/* Says that a call broke a capture, on account of `other`.  Requires checker->lock. */
static void tell_broken(struct ck_checker *checker, rill_status status, const void *site,
                        const char *call, const struct other *other)
{
    const struct ck_what what = { .host = true, .site = site, .name = call };
    const struct cause *cause = cause_of(status);
    if (!cause || !checker->capture) return;
    struct ck_verdict *verdict = ck_verdicts_add(&checker->verdicts, RILL_FINDING_CAPTURE);
    if (!verdict) {
        checker->order.failed = true;
        return;
    }
    ck_verdict_set_call(verdict, 0, &what, NULL, 0);
    if (other->what.site) {
        ck_verdict_set_call(verdict, 1, &other->what, NULL, 0);
        verdict->finding.ends[1].launched = other->newest;
    }
    verdict->finding.ends[0].order = (checker->order.serial + 1) << 20;
    verdict->finding.sentence = cause->why;
    verdict->finding.advice = cause->mend;
    for (struct ck_capture *at = checker->going_on.newest; at; at = at->next) at->told = true;
}

void ck_capture_mind(const void *object, rill_status status, const void *site, const char *call)
{
    bool minds = status && status != RILL_ERROR_STREAM_CAPTURE_INVALIDATED && cause_of(status);
    struct ck_checker *checker = minds ? ck_enter(object) : NULL;
    if (!checker) return;
    const struct other other = other_of(checker, 0);
    tell_broken(checker, status, site, call, &other);
    ck_leave(checker);
}

void ck_capture_mind_stream(rill_stream *stream, rill_status status, const void *site,
                            const char *call)
{
    bool minds = status && status != RILL_ERROR_STREAM_CAPTURE_INVALIDATED && cause_of(status);
    struct ck_checker *checker = minds ? ck_enter(stream) : NULL;
    if (!checker) return;
    const struct other other = other_of(checker, known_capture(checker, stream));
    tell_broken(checker, status, site, call, &other);
    ck_leave(checker);
}

void ck_capture_mind_event(rill_event *event, rill_status status, const void *site,
                           const char *call)
{
    if (status != RILL_ERROR_CAPTURED_EVENT) {
        ck_capture_mind(event, status, site, call);
        return;
    }
    struct ck_checker *checker = ck_enter(event);
    if (!checker) return;
    const struct other other = other_of_event(ck_event_state(event), true);
    tell_broken(checker, status, site, call, &other);
    ck_leave(checker);
}

/* ---- Works that are captured --------------------------------------------------------------- */

/* Notes who captured the newest nodes of a stream. */
static void note_newest(struct ck_checker *checker, const rill_capture_info *info,
                        const void *site)
{
    struct ck_notes *notes = info->graph ? ck_notes_of(info->graph) : NULL;
    for (size_t i = 0; notes && i < info->dependency_count; i++)
        if (!ck_notes_find(notes, info->dependencies[i]) &&
            !ck_notes_set(notes, info->dependencies[i], site, checker->order.serial))
            checker->order.failed = true;
}

/* Notes that something was captured in a stream. */
static void note_captured(struct ck_checker *checker, const rill_stream *stream, uint64_t capture,
                          const struct ck_what *what)
{
    struct ck_capture *going_on = ck_captures_find(&checker->going_on, capture);
    if (going_on) going_on->newest = what->site;
    if (!ck_forks_add(&checker->forks, stream, capture, what)) checker->order.failed = true;
}

/* Notes that an event stands for what was captured so far, or that a stream waits for that. */
static void note_event(struct ck_checker *checker, const rill_stream *stream, const rill_op *op,
                       const void *site)
{
    struct ck_event_state *state = ck_event_state(op->event.event);
    if (!state) return;
    if (op->kind == RILL_OP_EVENT_RECORD)
        ck_forks_record(&checker->forks, stream, state, site);
    else
        ck_forks_wait(&checker->forks, state);
}

void ck_note_captured(rill_stream *stream, const rill_op *op, const void *site)
{
    struct ck_checker *checker = ck_enter(stream);
    if (!checker) return;
    const rill_capture_info info = read_capture(stream);
    const bool open = is_open(checker, &info); /* another thread may have ended it */
    const bool event = op->kind == RILL_OP_EVENT_RECORD || op->kind == RILL_OP_EVENT_WAIT;
    struct ck_what what = { .kind = op->kind, .site = site };
    if (op->kind == RILL_OP_KERNEL) what.name = ck_kernel_name(checker, op->kernel.kernel);
    if (op->kind == RILL_OP_ALLOC) ck_graph_memory(checker, op, site);
    if (event) note_event(checker, stream, op, site);
    else if (open) note_captured(checker, stream, info.id, &what);
    if (open) note_newest(checker, &info, site);
    ck_leave(checker);
}

/* Names what a wait that was refused waited for. */
static void tell_refused_wait(rill_stream *stream, const rill_op *op, rill_status status,
                              const void *site)
{
    struct ck_checker *checker = ck_enter(stream);
    if (!checker) return;
    const bool merge = status == RILL_ERROR_STREAM_CAPTURE_MERGE;
    struct other other = other_of_event(ck_event_state(op->event.event), merge);
    if (!other.what.site) other = other_of(checker, known_capture(checker, stream));
    if (status != RILL_ERROR_STREAM_CAPTURE_INVALIDATED)
        tell_broken(checker, status, site, "event wait", &other);
    ck_leave(checker);
}

rill_status ck_submit_captured(rill_stream *stream, rill_op *op, const void *site)
{
    rill_status status = ck_beneath(stream)->stream->submit(stream, op);
    if (!status) ck_note_captured(stream, op, site);
    else if (op->kind == RILL_OP_EVENT_WAIT) tell_refused_wait(stream, op, status, site);
    else ck_capture_mind_stream(stream, status, site, "rill_stream_submit");
    return status;
}

rill_status ck_launch_captured(rill_exec *exec, rill_stream *stream, const void *site)
{
    const rill_op op = { .kind = RILL_OP_GRAPH };
    rill_status status = ck_beneath(exec)->exec->launch(exec, stream);
    if (!status) ck_note_captured(stream, &op, site);
    else ck_capture_mind_stream(stream, status, site, "rill_exec_launch");
    return status;
}

/* ---- Begin and end ------------------------------------------------------------------------- */

static rill_status check_begin(rill_stream *stream, const rill_capture_options *options)
{
    const void *site = cs_site_here();
    rill_status status = ck_beneath(stream)->capture->begin(stream, options);
    struct ck_checker *checker = status ? NULL : ck_enter(stream);
    if (!checker) return status;
    struct ck_stream_word *word = ck_stream_word(stream);
    if (word) {
        word->captures++;
        atomic_fetch_add_explicit(&checker->captures, 1, memory_order_relaxed);
    }
    if (!ck_captures_add(&checker->going_on, read_capture(stream).id, stream, site))
        checker->order.failed = true;
    ck_leave(checker);
    return status;
}

void ck_capture_forget(struct ck_checker *checker, const rill_stream *stream)
{
    ck_captures_forget(&checker->going_on, stream);
    ck_forks_forget(&checker->forks, stream);
}

/* Notes that captures are over that began in a stream. */
static void count_end(struct ck_checker *checker, struct ck_stream_word *word, unsigned count)
{
    if (!word || word->captures < count) return;
    word->captures -= count;
    atomic_fetch_sub_explicit(&checker->captures, count, memory_order_relaxed);
}

void ck_capture_end_stream(struct ck_checker *checker, const rill_stream *stream,
                           struct ck_stream_word *word)
{
    ck_capture_forget(checker, stream);
    count_end(checker, word, word->captures);
}

/* Says why a capture could not end: of one that a call broke, unless that was said.  The backend
 * does not tell the number of a broken one. */
static void tell_end(struct ck_checker *checker, const rill_stream *stream, rill_status status,
                     uint64_t id, const void *site)
{
    const struct ck_capture *capture = ck_captures_in(&checker->going_on, stream);
    const uint64_t of_stream = capture ? capture->id : 0;
    const struct ck_what *unjoined = NULL;
    if (status == RILL_ERROR_STREAM_CAPTURE_INVALIDATED && capture && capture->told) return;
    if (status == RILL_ERROR_STREAM_CAPTURE_UNJOINED)
        unjoined = ck_forks_unjoined(&checker->forks, stream, id);
    const struct other other =
        unjoined ? (struct other){ .what = *unjoined } : other_of(checker, id ? id : of_stream);
    tell_broken(checker, status, site, "rill_stream_end_capture", &other);
}

static rill_status check_end(rill_stream *stream, rill_graph **graph)
{
    const void *site = cs_site_here();
    struct ck_closing closing;
    ck_closing_begin(&closing, stream);
    rill_status status = ck_beneath(stream)->capture->end(stream, graph);
    ck_closing_end(&closing, ck_checker_of(stream));
    if (!status) ck_object_made(*graph, RILL_OBJECT_GRAPH, site);
    bool over = closing.went_on && !ck_is_capturing(stream);
    struct ck_checker *checker = closing.went_on ? ck_enter(stream) : NULL;
    if (!checker) return status;
    if (status) tell_end(checker, stream, status, closing.capture, site);
    if (over) {
        const struct ck_capture *capture = ck_captures_in(&checker->going_on, stream);
        const uint64_t id = capture ? capture->id : closing.capture;
        ck_captures_end(&checker->going_on, id);
        ck_forks_end(&checker->forks, id);
        count_end(checker, ck_stream_word(stream), 1);
    }
    ck_leave(checker);
    return status;
}

const struct rill_capture_ops ck_capture_slots = {
    .begin = check_begin, .end = check_end, .info = check_info,
};
