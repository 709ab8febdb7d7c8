/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects: what handles point to.
 *
 * An object is one block: its head (struct rill_object), the backend's private
 * bytes, a word of the program's own, a word for each layer, and for platforms,
 * contexts and replays the core's part after them.  A child holds a reference on its
 * context, or on its platform if it has no context; a context holds a reference on its
 * platform.  The last reference frees the block; that of a platform also closes the
 * platform.
 *
 * An object that a backend makes as its own is not counted and holds no reference,
 * since it lives inside its owner.  A graph inside another graph does hold one, since
 * the inner graph's context may differ from the outer one's.
 */
#ifndef RL_OBJECT_H
#define RL_OBJECT_H

#include <rill/backend.h>

#include <stdatomic.h>

#include "base/lock.h"

_Static_assert(sizeof(struct rill_object) <= RILL_OBJECT_HEAD, "the head has outgrown its place");

/* State that every call reads, in one cache line that hardly ever changes. */
struct rl_process {
    _Alignas(64) atomic_uint life; /* the tag of live objects, less their kind */
};

extern struct rl_process rl_process;

/* A tag is a mark (8 bits), the fork generation (16) and the kind (8), so that
 * one compare finds a wrong kind, a dead object and a forked child. */
enum {
    RL_MARK_LIVE = 0xA1,
    RL_MARK_DEAD = 0x0D
};

static inline unsigned rl_life(void)
{
    return atomic_load_explicit(&rl_process.life, memory_order_relaxed);
}

static inline unsigned rl_tag(const struct rill_object *head)
{
    return __atomic_load_n(&head->tag, __ATOMIC_RELAXED);
}

static inline const struct rill_backend *rl_backend(const void *object)
{
    return rill_object_of(object)->backend;
}

/* ---- Making and giving back --------------------------------------------- */

/* Makes a live object with one reference that keeps `parent`, a context or platform, alive.
 * Returns NULL, with a note, if memory is short. */
void *rl_object_new(rill_object_kind kind, const void *parent, const char *label);

/* Makes another object of the same kind and context, which may be gone or NULL. */
void *rl_object_new_beside(const void *object, const char *label);

/* Makes an object with a zeroed core's part of `part` bytes. */
void *rl_object_new_with_part(rill_object_kind kind, const void *parent, const char *label,
                              size_t part);

/* Makes a platform, with the layers that were put over its backend: they go with the platform,
 * or at once if there is no memory for it. */
rill_platform *rl_platform_new(const struct rill_backend *backend, const char *label);

/* Frees an object whose creation failed. */
void rl_object_drop(void *object);

/* Marks the object dead, for the call that destroys it.  Fails if `object` is no live object
 * of the kind, or not the caller's to destroy. */
rill_status rl_object_end(void *object, rill_object_kind kind, const char *argument);

void rl_retain(void *object);
void rl_release(void *object);

/* Makes an object of the backend's the caller's. */
void rl_adopt(void *object);

/* Gives an object of the caller to `owner`; the backend will disown it.  The object still
 * keeps its context alive, which may differ from the owner's. */
void rl_lend(void *object, void *owner);

/* ---- Labels ------------------------------------------------------------- */

rill_status rl_label_set(void *object, const char *label);
const char *rl_label(const void *object);
void rl_labels_free(struct rill_object *head);

/* ---- The program's word --------------------------------------------------- */

struct rl_data {
    void *word;           /* atomic                                           */
    rill_destroy_fn gone; /* called with the word when the object is freed, or NULL */
};

/* Returns the place of the word in any object, alive or not. */
struct rl_data *rl_data_place(const void *object);

/* Returns the words of the layers in any object, alive or not. */
void **rl_layer_words(const void *object);

/* ---- Words -------------------------------------------------------------- */

struct rl_kind {
    const char *name;        /* "stream"                              */
    const char *phrase;      /* "a stream"                            */
    const char *maker;       /* "rill_stream_create"                  */
    rill_status when_null;   /* what a call returns for a NULL handle */
    rill_status when_wrong;  /* ... for one that is something else    */
    rill_status when_borrowed; /* ... that is not the caller's to destroy */
};

/* Returns NULL if `kind` is no kind. */
const struct rl_kind *rl_kind(unsigned kind);

/* Writes "stream 'decode'" or "stream 12", or "" for what is no object. */
void rl_describe(const void *object, char text[RILL_LABEL_MAX]);

/* ---- The core's own parts ----------------------------------------------- */

struct rl_platform_part {
    struct rl_lock primaries_lock; /* protects the list, and `uses` of its contexts */
    rill_context *primaries;
    atomic_uint closed;
    struct rl_lock forks_lock; /* protects the list and its entries, see forks.h   */
    struct rl_fork *forks;     /* oldest first                                     */
    atomic_size_t fork_count;  /* stored under the lock                            */
};

struct rl_context_part {
    int device;
    unsigned uses;      /* creates that no destroy has matched yet, see primaries_lock */
    int primary;
    rill_context *next; /* of the platform's primaries; primaries_lock */
};

/* Returns the core's part of an object that was made with one. */
void *rl_part(const void *object);

struct rl_platform_part *rl_platform_part(const rill_platform *platform);
struct rl_context_part *rl_context_part(const rill_context *context);

#endif
