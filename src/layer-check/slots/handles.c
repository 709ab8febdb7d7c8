/* SPDX-License-Identifier: Apache-2.0
 *
 * The streams that handles stand for: one each, and of the per-thread handle one for each thread.
 */
#include "layer-check/slots/checker.h"
#include "layer-check/slots/who.h"

#include <string.h>

#include "base/alloc.h"
#include "base/thread.h"

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
