/* SPDX-License-Identifier: Apache-2.0
 *
 * What the layer keeps of objects.
 */
#ifndef TR_WORDS_H
#define TR_WORDS_H

#include "base/alloc.h"
#include "layer-trace/slots/calls.h"

/* Of an event: the operation that recorded it last. */
struct tr_event_word {
    uint64_t queue, point;
};

/* Of a context. */
struct tr_context_word {
    int device;
};

/* Returns NULL if memory is short.  The caller sees to it that one thread at a time asks. */
static inline struct tr_event_word *tr_event_word(rill_event *event)
{
    void **word = rill_layer_word(&rl_layer_trace, event);
    if (!*word) *word = rl_zalloc(sizeof(struct tr_event_word));
    return *word;
}

/* Notes the device of a context that was just created. */
static inline void tr_context_set_device(rill_context *context, int device)
{
    void **word = rill_layer_word(&rl_layer_trace, context);
    struct tr_context_word *made = *word ? *word : rl_zalloc(sizeof *made);
    if (made) made->device = device;
    *word = made;
}

static inline int tr_context_device(rill_context *context)
{
    const struct tr_context_word *word = *rill_layer_word(&rl_layer_trace, context);
    return word ? word->device : 0;
}

#endif
