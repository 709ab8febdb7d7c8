/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/layer.h>: a backend that stands on a backend.
 *
 * A layer sees the calls on their way from the core to a backend: it fills slots of the
 * same tables, does its work there, and calls the slot beneath it with the same object.
 * Layers are composed when a platform is opened (`layers` in rill_open_options, or
 * $RILL_LAYERS) and stand on any backend; without one, nothing is between the core and
 * the backend.
 *
 *     static rill_status count_submit(rill_stream *stream, rill_op *op)
 *     {
 *         atomic_fetch_add(&submitted, 1);
 *         return rill_layer_beneath(&counter, stream)->stream->submit(stream, op);
 *     }
 *
 *     static const struct rill_stream_ops streams = { .submit = count_submit };
 *     static const struct rill_backend slots = { .stream = &streams };
 *     static const struct rill_layer counter = {
 *         .abi = RILL_BACKEND_ABI, .size = sizeof counter, .name = "counter",
 *         .slots = &slots,
 *     };
 *
 * Rules, besides those of <rill/backend.h>:
 *
 *  1. Slots.  A slot or table that is NULL in the layer is the one beneath.  A slot that
 *     the backend beneath lacks stays absent, whatever the layer has.  The numbers of
 *     private bytes, `name`, `rank` and `probe` are always those of the backend.
 *  2. Short forms.  A layer that has stream->submit, but not stream->copy_row or
 *     stream->fill_row, gets those operations through `submit`.
 *  3. Objects.  Objects that a backend owns (rill_backend_own()) appear without a
 *     `create`, and go without a `destroy`.
 *  4. Words.  Each object has a word for each layer of its platform, NULL at first.
 *     `gone` is called before an object whose word is not NULL is freed.
 */
#ifndef RILL_LAYER_H
#define RILL_LAYER_H

#include <rill/backend.h>

RILL_BEGIN_DECLS

/* How many layers may stand on one backend. */
#define RILL_LAYERS_MAX 8

struct rill_layer {
    uint32_t abi;     /* RILL_BACKEND_ABI            */
    uint32_t size;    /* sizeof(struct rill_layer)   */
    const char *name; /* lower case, no spaces       */
    const struct rill_backend *slots;
    /* Called last of all, when nobody uses the object any more.  Must not call the
     * library. */
    void (*gone)(rill_object_kind kind, void *object, void *word); /* [opt] */
};

/* Adds a layer, which must stay for the life of the process.  Refuses a name that is
 * taken. */
RILL_API rill_status rill_layer_register(const struct rill_layer *layer);

/* Returns the backend, or the layers over it, on which `layer` stands where `object`
 * lives.  The layer must be one of the object's platform. */
RILL_API const struct rill_backend *rill_layer_beneath(const struct rill_layer *layer,
                                                       const void *object);

/* Does what rill_backend_check() does for a public call that a layer offers: checks that
 * `object` is a live object of this kind, on a platform that has the layer. */
RILL_API rill_status rill_layer_check(const struct rill_layer *layer, const void *object,
                                      rill_object_kind kind, const char *argument);

/* Returns the layer's word of an object, on whose platform the layer must be.  The layer alone
 * says what protects it. */
RILL_API void **rill_layer_word(const struct rill_layer *layer, const void *object);

RILL_END_DECLS

#endif
