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

static bool takes_turns(const struct rill_backend *beneath, rill_platform *platform, int device,
                        enum ck_managed managed)
{
    rill_device_info info = { .size = sizeof info };
    if (managed != CK_MANAGED_WHERE_TRUE) return managed == CK_MANAGED_EVERYWHERE;
    if (beneath->device->info(platform, device, &info)) return false;
    return info.managed_memory && !info.concurrent_managed_access;
}

struct ck_who *ck_who_create(const struct rill_backend *beneath, rill_stream *stream, bool legacy,
                             bool per_thread, enum ck_managed managed)
{
    struct ck_who *who = rl_zalloc(sizeof *who);
    if (!who) return NULL;
    who->references = 1;
    beneath->stream->id(stream, &who->stream_id);
    const char *label = rill_stream_label(stream);
    int device = ck_device_of(rill_object_of(stream)->context);
    who->takes_turns = takes_turns(beneath, rill_object_of(stream)->platform, device, managed);
    char where[32] = "";
    if (device) snprintf(where, sizeof where, " (device %d)", device);
    if (label) snprintf(who->words, sizeof who->words, "stream '%.50s'%s", label, where);
    else if (legacy) snprintf(who->words, sizeof who->words, "the legacy stream%s", where);
    else if (per_thread) snprintf(who->words, sizeof who->words, "a thread's own stream%s", where);
    else snprintf(who->words, sizeof who->words, "stream %" PRIu64 "%s", who->stream_id, where);
    return who;
}
