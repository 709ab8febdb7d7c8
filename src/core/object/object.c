/* SPDX-License-Identifier: Apache-2.0 */
#include "core/object/object.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "core/object/check.h"
#include "core/object/gone.h"
#include "core/object/layers.h"

#define LIFE ((unsigned)RL_MARK_LIVE << 24)
#define GENERATION 0x100u

struct rl_process rl_process = { .life = LIFE };

/* ---- Forks -------------------------------------------------------------- */

/* Begins a new generation, so that all objects made before the fork are dead in the child. */
static void in_child(void)
{
    atomic_fetch_add(&rl_process.life, GENERATION);
}

static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, in_child);
}

/* ---- Sizes -------------------------------------------------------------- */

static size_t private_bytes(const struct rill_backend *backend, rill_object_kind kind)
{
    switch (kind) {
    case RILL_OBJECT_PLATFORM: return backend->platform_private_bytes;
    case RILL_OBJECT_CONTEXT: return backend->context->private_bytes;
    case RILL_OBJECT_STREAM: return backend->stream->private_bytes;
    case RILL_OBJECT_EVENT: return backend->event->private_bytes;
    case RILL_OBJECT_MODULE: return backend->module->private_bytes;
    case RILL_OBJECT_KERNEL: return backend->module->kernel_private_bytes;
    case RILL_OBJECT_POOL: return backend->pool ? backend->pool->private_bytes : 0;
    case RILL_OBJECT_GRAPH: return backend->graph ? backend->graph->private_bytes : 0;
    case RILL_OBJECT_EXEC: return backend->exec ? backend->exec->private_bytes : 0;
    case RILL_OBJECT_USER_OBJECT:
        return backend->graph ? backend->graph->user_object_private_bytes : 0;
    case RILL_OBJECT_REPLAY: return 0;
    }
    return 0;
}

/* Returns the size of the core's part.  That of a replay is up to rl_object_new_with_part(). */
static size_t part_bytes(rill_object_kind kind)
{
    switch (kind) {
    case RILL_OBJECT_PLATFORM: return sizeof(struct rl_platform_part);
    case RILL_OBJECT_CONTEXT: return sizeof(struct rl_context_part);
    default: return 0;
    }
}

/* Returns the offset of the program's word in an object. */
static size_t data_offset(const struct rill_backend *backend, rill_object_kind kind)
{
    return RILL_OBJECT_HEAD + ((private_bytes(backend, kind) + 7) & ~(size_t)7);
}

/* Returns the offset of the layers' words in an object. */
static size_t words_offset(const struct rill_backend *backend, rill_object_kind kind)
{
    return data_offset(backend, kind) + sizeof(struct rl_data);
}

/* Returns the offset of the core's part in an object. */
static size_t part_offset(const struct rill_backend *backend, rill_object_kind kind)
{
    size_t words = rl_layer_count(backend) * sizeof(void *);
    return (words_offset(backend, kind) + words + 63) & ~(size_t)63;
}

struct rl_data *rl_data_place(const void *object)
{
    return (void *)((uintptr_t)object + data_offset(rl_backend(object), rl_tag(object) & 0xff));
}

void **rl_layer_words(const void *object)
{
    return (void *)((uintptr_t)object + words_offset(rl_backend(object), rl_tag(object) & 0xff));
}

struct rl_platform_part *rl_platform_part(const rill_platform *platform)
{
    return (void *)((uintptr_t)platform + part_offset(rl_backend(platform), RILL_OBJECT_PLATFORM));
}

struct rl_context_part *rl_context_part(const rill_context *context)
{
    return (void *)((uintptr_t)context + part_offset(rl_backend(context), RILL_OBJECT_CONTEXT));
}

void *rl_part(const void *object)
{
    return (void *)((uintptr_t)object + part_offset(rl_backend(object), rl_tag(object) & 0xff));
}

/* ---- Making ------------------------------------------------------------- */

static struct rill_object *allocate_object(rill_object_kind kind,
                                           const struct rill_backend *backend, size_t part)
{
    static atomic_uint_least64_t last_id;
    size_t private = private_bytes(backend, kind);
    struct rill_object *head = NULL;
    if (private <= SIZE_MAX / 2)
        head = rl_zalloc_lines(part_offset(backend, kind) + part);
    if (!head) {
        rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "there is no memory for the %s",
                          rl_kind(kind)->name);
        return NULL;
    }
    head->tag = rl_life() + (unsigned)kind;
    head->references = 1;
    head->backend = backend;
    head->id = atomic_fetch_add_explicit(&last_id, 1, memory_order_relaxed) + 1;
    return head;
}

static struct rill_object *allocate_object_in(rill_object_kind kind,
                                              const struct rill_object *parent, size_t part)
{
    struct rill_object *head = allocate_object(kind, parent->backend, part);
    if (!head) return NULL;
    head->platform = parent->platform;
    head->context = kind == RILL_OBJECT_CONTEXT ? (rill_context *)head : parent->context;
    return head;
}

/* Returns the object that this one holds a reference on, or NULL for a platform. */
static struct rill_object *parent_of(const struct rill_object *head)
{
    void *parent = head->context;
    if (!parent || parent == head) parent = head->platform;
    return parent == head ? NULL : parent;
}

static void free_block(struct rill_object *head)
{
    unsigned tag = rl_tag(head);
    __atomic_store_n(&head->tag, (unsigned)RL_MARK_DEAD << 24 | (tag & 0xffffffu),
                     __ATOMIC_RELAXED);
    const struct rl_data *data = rl_data_place(head);
    if (data->gone) data->gone(data->word);
    rl_layers_end(head);
    rl_labels_free(head);
    rl_gone_note(head, (rill_object_kind)(tag & 0xff));
    const struct rl_layers *layers = head->platform == (void *)head ? head->backend->layers : NULL;
    rl_free(head);
    rl_free((void *)(uintptr_t)layers);
}

void *rl_object_new_with_part(rill_object_kind kind, const void *parent, const char *label,
                              size_t part)
{
    struct rill_object *head = allocate_object_in(kind, parent, part);
    if (!head) return NULL;
    if (label && rl_label_set(head, label)) {
        free_block(head);
        return NULL;
    }
    rl_retain(parent_of(head));
    return head;
}

void *rl_object_new(rill_object_kind kind, const void *parent, const char *label)
{
    return rl_object_new_with_part(kind, parent, label, part_bytes(kind));
}

void *rl_object_new_beside(const void *object, const char *label)
{
    return rl_object_new(rl_tag(object) & 0xff, parent_of(object), label);
}

rill_platform *rl_platform_new(const struct rill_backend *backend, const char *label)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks); /* before there is anything to fork with */
    struct rill_object *head = allocate_object(RILL_OBJECT_PLATFORM, backend,
                                               part_bytes(RILL_OBJECT_PLATFORM));
    if (!head) {
        rl_free((void *)(uintptr_t)backend->layers);
        return NULL;
    }
    head->platform = (rill_platform *)head;
    if (label && rl_label_set(head, label)) {
        free_block(head);
        return NULL;
    }
    return head->platform;
}

/* ---- Giving back -------------------------------------------------------- */

void rl_object_drop(void *object)
{
    struct rill_object *parent = parent_of(object);
    free_block(object);
    if (parent) rl_release(parent);
}

void rl_retain(void *object)
{
    struct rill_object *head = object;
    __atomic_fetch_add(&head->references, 1, __ATOMIC_RELAXED);
}

void rl_release(void *object)
{
    struct rill_object *head = object;
    if (__atomic_sub_fetch(&head->references, 1, __ATOMIC_ACQ_REL)) return;
    if (head->platform == object) head->backend->close(object);
    rl_object_drop(object);
}

rill_status rl_object_end(void *object, rill_object_kind kind, const char *argument)
{
    struct rill_object *head = object;
    unsigned live = rl_life() + (unsigned)kind;
    unsigned dead = (unsigned)RL_MARK_DEAD << 24 | (live & 0xffffffu);
    if (rl_tag(head) == live && head->owner)
        return rill_backend_fail(rl_kind(kind)->when_borrowed, argument,
                                 "this %s belongs to the library; leave it to its owner",
                                 rl_kind(kind)->name);
    /* Only one of two threads that destroy the same object succeeds. */
    if (__atomic_compare_exchange_n(&head->tag, &live, dead, 0, __ATOMIC_ACQ_REL,
                                    __ATOMIC_RELAXED))
        return RILL_SUCCESS;
    return rl_explain_handle(object, kind, argument);
}

/* ---- Objects of the backend's own --------------------------------------- */

/* Tells whether an object is a graph inside another graph.  Such a graph holds a
 * reference on its context, which may end before the owner does. */
static int is_inside_graph(const struct rill_object *head)
{
    return (rl_tag(head->owner) & 0xff) == RILL_OBJECT_GRAPH;
}

rill_status rill_backend_own(rill_object_kind kind, void *owner, rill_context *context,
                             void **object)
{
    const struct rill_object *parent = context ? (const void *)context : owner;
    struct rill_object *head = allocate_object_in(kind, parent, part_bytes(kind));
    if (!head) return RILL_ERROR_OUT_OF_MEMORY;
    if (!context) head->context = NULL;
    head->owner = owner;
    head->references = is_inside_graph(head);
    if (head->references) rl_retain(parent_of(head));
    *object = head;
    return RILL_SUCCESS;
}

void rill_backend_disown(void *object)
{
    struct rill_object *head = object;
    if (!head) return;
    if (head->owner && !head->references)
        free_block(head);
    else
        rl_object_drop(head);
}

void rl_adopt(void *object)
{
    struct rill_object *head = object;
    head->owner = NULL;
    head->references = 1;
    rl_retain(parent_of(head));
}

void rl_lend(void *object, void *owner)
{
    struct rill_object *head = object;
    head->owner = owner;
}

/* ---- Words -------------------------------------------------------------- */

#define KIND(name, article, maker, null, wrong, borrowed) \
    { #name, article " " #name, maker, RILL_ERROR_##null, RILL_ERROR_##wrong, \
      RILL_ERROR_##borrowed }

const struct rl_kind *rl_kind(unsigned kind)
{
    static const struct rl_kind kinds[RILL_OBJECT_KINDS + 1] = {
        [RILL_OBJECT_PLATFORM] =
            KIND(platform, "a", "rill_open", NOT_INITIALIZED, NOT_INITIALIZED, INVALID_HANDLE),
        [RILL_OBJECT_CONTEXT] = KIND(context, "a", "rill_context_create", INVALID_CONTEXT,
                                     INVALID_CONTEXT, INVALID_HANDLE),
        [RILL_OBJECT_STREAM] = KIND(stream, "a", "rill_stream_create", INVALID_HANDLE,
                                    INVALID_HANDLE, INVALID_HANDLE),
        [RILL_OBJECT_EVENT] = KIND(event, "an", "rill_event_create", INVALID_HANDLE,
                                   INVALID_HANDLE, INVALID_HANDLE),
        [RILL_OBJECT_MODULE] = KIND(module, "a", "rill_module_load", INVALID_HANDLE,
                                    INVALID_HANDLE, INVALID_HANDLE),
        [RILL_OBJECT_KERNEL] = KIND(kernel, "a", "rill_module_kernel", INVALID_HANDLE,
                                    INVALID_HANDLE, INVALID_HANDLE),
        [RILL_OBJECT_POOL] =
            KIND(pool, "a", "rill_pool_create", INVALID_VALUE, INVALID_HANDLE, INVALID_VALUE),
        /* The driver refuses to destroy a child graph as a bad value. */
        [RILL_OBJECT_GRAPH] =
            KIND(graph, "a", "rill_graph_create", INVALID_VALUE, INVALID_HANDLE, INVALID_VALUE),
        [RILL_OBJECT_EXEC] =
            KIND(exec, "an", "rill_exec_create", INVALID_VALUE, INVALID_HANDLE, INVALID_HANDLE),
        [RILL_OBJECT_USER_OBJECT] = { "user object", "a user object", "rill_user_object_create",
                                      RILL_ERROR_INVALID_VALUE, RILL_ERROR_INVALID_HANDLE,
                                      RILL_ERROR_INVALID_HANDLE },
        [RILL_OBJECT_REPLAY] =
            KIND(replay, "a", "rill_replay_create", INVALID_VALUE, INVALID_HANDLE, INVALID_HANDLE),
    };
    return kind >= 1 && kind <= RILL_OBJECT_KINDS ? &kinds[kind] : NULL;
}

void rl_describe(const void *object, char text[RILL_LABEL_MAX])
{
    text[0] = '\0';
    if (!object) return;
    unsigned tag = rl_tag(object), mark = tag >> 24;
    const struct rl_kind *kind = rl_kind(tag & 0xff);
    if (!kind || (mark != RL_MARK_LIVE && mark != RL_MARK_DEAD)) return;
    const char *label = rl_label(object);
    if (label) {
        int room = RILL_LABEL_MAX - (int)strlen(kind->name) - 4; /* blank, quotes, end */
        snprintf(text, RILL_LABEL_MAX, "%s '%.*s'", kind->name, room, label);
    } else {
        snprintf(text, RILL_LABEL_MAX, "%s %llu", kind->name,
                 (unsigned long long)rill_object_of(object)->id);
    }
}
