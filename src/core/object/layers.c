/* SPDX-License-Identifier: Apache-2.0 */
#include "core/object/layers.h"

#include <stdbool.h>
#include <stddef.h>

#include "core/object/check.h"

/* Returns the number of a layer that is there.  Few layers stand on a backend, and mostly one, so a
 * search takes no longer than an index would. */
static inline unsigned level_of(const struct rl_layers *layers, const struct rill_layer *layer)
{
    unsigned i = 0;
    while (layers->levels[i].layer != layer) i++;
    return i;
}

static bool has_layer(const struct rl_layers *layers, const struct rill_layer *layer)
{
    unsigned i = 0;
    while (i < layers->count && layers->levels[i].layer != layer) i++;
    return i < layers->count;
}

rill_status rill_layer_check(const struct rill_layer *layer, const void *object,
                             rill_object_kind kind, const char *argument)
{
    rill_status status = rl_check(object, kind, argument);
    if (status) return status;
    const struct rl_layers *layers = rl_backend(object)->layers;
    if (layers && has_layer(layers, layer)) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, argument,
                             "this call is for layer '%s', which the platform was opened without",
                             layer->name);
}

const struct rill_backend *rill_layer_beneath(const struct rill_layer *layer, const void *object)
{
    const struct rl_layers *layers = rl_backend(object)->layers;
    return layers->levels[level_of(layers, layer)].beneath;
}

void **rill_layer_word(const struct rill_layer *layer, const void *object)
{
    return &rl_layer_words(object)[level_of(rl_backend(object)->layers, layer)];
}

void rl_layers_end(struct rill_object *head)
{
    const struct rl_layers *layers = head->backend->layers;
    if (!layers) return;
    void **words = rl_layer_words(head);
    for (unsigned i = 0; i < layers->count; i++)
        if (words[i] && layers->levels[i].layer->gone)
            layers->levels[i].layer->gone(rl_tag(head) & 0xff, head, words[i]);
}
