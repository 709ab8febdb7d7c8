/* SPDX-License-Identifier: Apache-2.0
 *
 * Labels.  A label that was handed out stays readable until its object is freed.
 * So replaced labels are kept: the object has a list of all labels that it ever had,
 * and a pointer to the present one.
 */
#include <string.h>

#include "base/alloc.h"
#include "core/object/check.h"
#include "core/object/error.h"

struct label {
    struct label *older;
    char text[];
};

/* A program that labels a stream after its work, again and again, uses few labels: they are
 * found among the latest ones, and the list does not grow. */
#define LOOK_BACK 16

static char *find_label(struct label *label, const char *text)
{
    for (int i = 0; label && i < LOOK_BACK; i++, label = label->older)
        if (!strcmp(label->text, text)) return label->text;
    return NULL;
}

static char *keep_label(struct rill_object *head, const char *text)
{
    struct label *newest = __atomic_load_n(&head->labels, __ATOMIC_ACQUIRE);
    char *kept = find_label(newest, text);
    if (kept) return kept;
    size_t bytes = strlen(text) + 1;
    struct label *label = rl_alloc(sizeof *label + bytes);
    if (!label) return NULL;
    memcpy(label->text, text, bytes);
    void *seen = newest;
    do {
        label->older = seen;
    } while (!__atomic_compare_exchange_n(&head->labels, &seen, label, 0, __ATOMIC_RELEASE,
                                          __ATOMIC_ACQUIRE));
    return label->text;
}

rill_status rl_label_set(void *object, const char *label)
{
    struct rill_object *head = object;
    char *text = label ? keep_label(head, label) : NULL;
    if (label && !text)
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "there is no memory for a label");
    __atomic_store_n(&head->label, text, __ATOMIC_RELEASE);
    return RILL_SUCCESS;
}

const char *rl_label(const void *object)
{
    return __atomic_load_n(&rill_object_of(object)->label, __ATOMIC_ACQUIRE);
}

void rl_labels_free(struct rill_object *head)
{
    struct label *label = head->labels, *older;
    for (; label; label = older) {
        older = label->older;
        rl_free(label);
    }
}

/* ---- The public calls --------------------------------------------------- */

static rill_status set_label(const char *operation, void *object, rill_object_kind kind,
                             const char *argument, const char *label)
{
    rill_status status = rl_check(object, kind, argument);
    if (!status) status = rl_label_set(object, label);
    return rl_finish(operation, object, status);
}

/* Returns the label of an object, even if its context is gone, to tell which object it is. */
static const char *get_label(const void *object, rill_object_kind kind)
{
    return object && rl_tag(object) == rl_life() + (unsigned)kind ? rl_label(object) : NULL;
}

rill_status rill_context_set_label(rill_context *context, const char *label)
{
    return set_label(__func__, context, RILL_OBJECT_CONTEXT, "context", label);
}

const char *rill_context_label(const rill_context *context)
{
    return get_label(context, RILL_OBJECT_CONTEXT);
}

rill_status rill_stream_set_label(rill_stream *stream, const char *label)
{
    return set_label(__func__, stream, RILL_OBJECT_STREAM, "stream", label);
}

const char *rill_stream_label(const rill_stream *stream)
{
    return get_label(stream, RILL_OBJECT_STREAM);
}

rill_status rill_event_set_label(rill_event *event, const char *label)
{
    return set_label(__func__, event, RILL_OBJECT_EVENT, "event", label);
}

const char *rill_event_label(const rill_event *event)
{
    return get_label(event, RILL_OBJECT_EVENT);
}

rill_status rill_pool_set_label(rill_pool *pool, const char *label)
{
    return set_label(__func__, pool, RILL_OBJECT_POOL, "pool", label);
}

const char *rill_pool_label(const rill_pool *pool)
{
    return get_label(pool, RILL_OBJECT_POOL);
}

rill_status rill_graph_set_label(rill_graph *graph, const char *label)
{
    return set_label(__func__, graph, RILL_OBJECT_GRAPH, "graph", label);
}

const char *rill_graph_label(const rill_graph *graph)
{
    return get_label(graph, RILL_OBJECT_GRAPH);
}

rill_status rill_exec_set_label(rill_exec *exec, const char *label)
{
    return set_label(__func__, exec, RILL_OBJECT_EXEC, "exec", label);
}

const char *rill_exec_label(const rill_exec *exec)
{
    return get_label(exec, RILL_OBJECT_EXEC);
}

rill_status rill_replay_set_label(rill_replay *replay, const char *label)
{
    return set_label(__func__, replay, RILL_OBJECT_REPLAY, "replay", label);
}

const char *rill_replay_label(const rill_replay *replay)
{
    return get_label(replay, RILL_OBJECT_REPLAY);
}
