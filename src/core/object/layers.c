/* SPDX-License-Identifier: Apache-2.0 */
#include "core/object/layers.h"

#include <stddef.h>

#include "core/object/object.h"

/* Returns the number of the layer on the object's platform.  Few layers stand on a backend, and
 * mostly one, so a search takes no longer than an index would. */
static unsigned find_level(const struct rl_layers *layers, const struct rill_layer *layer)
{
    unsigned i = 0;
    while (layers->levels[i].layer != layer) i++;
    return i;
}

const struct rill_backend *rill_layer_beneath(const struct rill_layer *layer, const void *object)
{
    const struct rl_layers *layers = rl_backend(object)->layers;
    return layers->levels[find_level(layers, layer)].beneath;
}

void **rill_layer_word(const struct rill_layer *layer, const void *object)
{
    return &rl_layer_words(object)[find_level(rl_backend(object)->layers, layer)];
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
