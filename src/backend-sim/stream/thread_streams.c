/* SPDX-License-Identifier: Apache-2.0
 *
 * Per-thread default streams: one blocking stream for each thread and context,
 * made when the thread first uses it, gone when the thread ends or the context
 * is destroyed, whichever comes first.
 */
#include <pthread.h>

#include "backend-sim/guard/interceptor.h"
#include "backend-sim/stream/stream.h"
#include "base/alloc.h"

struct thread_stream {
    struct sim_stream stream;
    struct thread_stream *thread_next;  /* the thread's own list                */
    struct thread_stream *context_next; /* the context's list; links_lock       */
    struct sim_context *context;        /* NULL once it is destroyed; links_lock */
    uint64_t context_id;
};

/* Ties threads' lists to contexts' lists.  Taken when a thread first uses a
 * context, when it ends, and when a context is destroyed. */
static struct rl_lock links_lock;

static pthread_key_t end_key;
static pthread_once_t end_once = PTHREAD_ONCE_INIT;
static int end_failed;
static _Thread_local struct thread_stream *thread_list;

/* Ends the stream, but keeps the entry.  Requires links_lock. */
static void retire_stream(struct thread_stream *entry)
{
    sim_stream_lend_name(NULL, entry->stream.strand);
    sim_strand_disown(entry->stream.strand);
    entry->context = NULL;
}

static void unlink_from_context(struct thread_stream *entry)
{
    struct thread_stream **at = &entry->context->streams->threads;
    while (*at != entry) at = &(*at)->context_next;
    *at = entry->context_next;
    sim_streams_orphan(entry->context->streams, entry->stream.strand);
    retire_stream(entry);
}

/* Frees this thread's entries of contexts that are destroyed. */
static void free_retired_streams(void)
{
    for (struct thread_stream **at = &thread_list; *at;) {
        struct thread_stream *entry = *at;
        rl_lock(&links_lock);
        bool gone = !entry->context;
        rl_unlock(&links_lock);
        if (gone) {
            *at = entry->thread_next;
            rl_free(entry);
        } else {
            at = &entry->thread_next;
        }
    }
}

/* Ends the streams of a thread that ends; what it submitted still runs. */
static void end_thread_streams(void *list)
{
    struct thread_stream *entry = thread_list;
    (void)list; /* not NULL, so that this is called */
    while (entry) {
        struct thread_stream *next = entry->thread_next;
        const struct sim_interceptor *captures = NULL;
        rill_graph *captured = NULL;
        rl_lock(&links_lock);
        if (entry->context) {
            captures = entry->context->platform->interceptor;
            captured = captures->leave(&entry->stream);
            unlink_from_context(entry);
        }
        rl_unlock(&links_lock);
        if (captured) captures->discard(captured);
        rl_free(entry);
        entry = next;
    }
    thread_list = NULL;
}

static void create_end_key(void)
{
    end_failed = pthread_key_create(&end_key, end_thread_streams);
}

/* Deletes the key, since a library that is unloaded must not be called when threads end later. */
__attribute__((destructor)) static void delete_end_key(void)
{
    pthread_once(&end_once, create_end_key);
    if (!end_failed) pthread_key_delete(end_key);
}

static rill_status create_thread_stream(struct sim_context *context, struct sim_stream **out)
{
    pthread_once(&end_once, create_end_key);
    free_retired_streams();
    struct thread_stream *entry = end_failed ? NULL : rl_zalloc(sizeof *entry);
    void *object = NULL;
    rill_status status = entry ? RILL_SUCCESS : RILL_ERROR_OUT_OF_MEMORY;
    /* Anything but NULL: end_thread_streams() reads `thread_list`. */
    if (!status && pthread_setspecific(end_key, &thread_list)) status = RILL_ERROR_OUT_OF_MEMORY;
    /* An object of its own gives the stream its number. */
    if (!status)
        status = rill_backend_own(RILL_OBJECT_STREAM, context->handle, context->handle, &object);
    if (!status) {
        entry->stream = *context->streams->per_thread;
        entry->stream.strand = sim_strand_create(context->platform->engine, context,
                                                 rill_object_of(object)->id,
                                                 -context->platform->priority_greatest);
        if (!entry->stream.strand) status = RILL_ERROR_OUT_OF_MEMORY;
        rill_backend_disown(object);
    }
    if (status) {
        rl_free(entry);
        return rill_backend_fail(status, NULL, "no memory for the thread's default stream");
    }
    sim_stream_lend_name(entry->stream.handle, entry->stream.strand);
    entry->context = context;
    entry->context_id = context->id;
    entry->thread_next = thread_list;
    thread_list = entry;
    rl_lock(&links_lock);
    entry->context_next = context->streams->threads;
    context->streams->threads = entry;
    rl_unlock(&links_lock);
    sim_streams_add(context->streams, entry->stream.strand);
    *out = &entry->stream;
    return RILL_SUCCESS;
}

rill_status sim_thread_stream_get(struct sim_context *context, struct sim_stream **stream)
{
    for (struct thread_stream *entry = thread_list; entry; entry = entry->thread_next) {
        /* Compares the id, since the address of a destroyed context may be in use again. */
        if (entry->stream.context == context && entry->context_id == context->id) {
            *stream = &entry->stream;
            return RILL_SUCCESS;
        }
    }
    return create_thread_stream(context, stream);
}

void sim_thread_streams_forget(struct sim_context *context)
{
    rl_lock(&links_lock);
    while (context->streams->threads) {
        struct thread_stream *entry = context->streams->threads;
        context->streams->threads = entry->context_next;
        retire_stream(entry);
    }
    rl_unlock(&links_lock);
}
