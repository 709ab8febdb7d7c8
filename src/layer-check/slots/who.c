/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/slots/who.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "layer-check/order/work.h"

int ck_device_of(rill_context *context)
{
    int device = 0;
    rill_context_device(context, &device);
    return device;
}

struct ck_who *ck_who_create(const struct rill_backend *beneath, rill_stream *stream, bool legacy,
                             bool per_thread)
{
    struct ck_who *who = rl_zalloc(sizeof *who);
    if (!who) return NULL;
    who->references = 1;
    beneath->stream->id(stream, &who->stream_id);
    const char *label = rill_stream_label(stream);
    int device = ck_device_of(rill_object_of(stream)->context);
    char where[32] = "";
    if (device) snprintf(where, sizeof where, " (device %d)", device);
    if (label) snprintf(who->words, sizeof who->words, "stream '%.50s'%s", label, where);
    else if (legacy) snprintf(who->words, sizeof who->words, "the legacy stream%s", where);
    else if (per_thread) snprintf(who->words, sizeof who->words, "a thread's own stream%s", where);
    else snprintf(who->words, sizeof who->words, "stream %" PRIu64 "%s", who->stream_id, where);
    return who;
}
