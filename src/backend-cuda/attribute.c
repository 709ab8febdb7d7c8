/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-cuda/attribute.h"

#include <string.h>

#include "backend-cuda/event.h"
#include "backend-cuda/stream.h"

/* ---- Forms ---------------------------------------------------------------------------- */

/* The values are the driver's own, byte for byte, but for those with an event. */
_Static_assert(sizeof(CUlaunchAttributeValue) >= sizeof((rill_attribute){ 0 }.bytes),
               "the driver has room for every value");
_Static_assert(sizeof(rill_access_window) == sizeof(CUaccessPolicyWindow), "an access window");
_Static_assert(sizeof(rill_domain_map) == sizeof(CUlaunchMemSyncDomainMap), "a domain map");

static bool has_event(rill_attribute_id id)
{
    return id == RILL_ATTRIBUTE_PROGRAMMATIC_EVENT || id == RILL_ATTRIBUTE_COMPLETION_EVENT;
}

/* CUevent, flags, and for one of the two whether it triggers at the start. */
struct raw_event {
    CUevent event;
    int flags, trigger_at_start;
};

void cuda_write_attribute(const rill_attribute *attribute, CUlaunchAttribute *raw)
{
    memset(raw, 0, sizeof *raw);
    raw->id = (CUlaunchAttributeID)attribute->id;
    if (!has_event(attribute->id)) {
        memcpy(&raw->value, attribute->bytes, sizeof attribute->bytes);
        return;
    }
    struct raw_event event = { cuda_event_of(attribute->event.event)->raw, attribute->event.flags,
                               attribute->event.trigger_at_start };
    memcpy(&raw->value, &event, sizeof event);
}

void cuda_read_attribute(const CUlaunchAttributeValue *raw, rill_attribute *attribute)
{
    memset(attribute->bytes, 0, sizeof attribute->bytes);
    if (!has_event(attribute->id)) {
        memcpy(attribute->bytes, raw, sizeof attribute->bytes);
        return;
    }
    struct raw_event event;
    memcpy(&event, raw, sizeof event);
    attribute->event.flags = event.flags;
    attribute->event.trigger_at_start = event.trigger_at_start;
}

/* ---- Faults ----------------------------------------------------------------------------- */

#define DOMAINS 4

const char *cuda_blame_attribute(const rill_attribute *attribute)
{
    switch ((int)attribute->id) {
    case RILL_ATTRIBUTE_SYNC_POLICY: return "attribute->sync_policy";
    case RILL_ATTRIBUTE_MEM_SYNC_DOMAIN: return "attribute->domain";
    case RILL_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
        return attribute->domain_map.local >= DOMAINS ? "attribute->domain_map.local"
                                                      : "attribute->domain_map.remote";
    case RILL_ATTRIBUTE_ACCESS_WINDOW:
        if (!(attribute->window.hit_ratio >= 0 && attribute->window.hit_ratio <= 1))
            return "attribute->window.hit_ratio";
        return attribute->window.miss == CU_ACCESS_PROPERTY_PERSISTING ? "attribute->window.miss"
                                                                       : "attribute->window.bytes";
    case RILL_ATTRIBUTE_PRIORITY: return "attribute->priority";
    }
    return "attribute->id";
}

/* ---- Of streams ---------------------------------------------------------------------------- */

rill_status cuda_stream_get_attribute(rill_stream *handle, rill_attribute *attribute)
{
    struct cuda_stream *stream = cuda_stream_of(handle);
    struct cuda_visit visit;
    CUlaunchAttributeValue value;
    memset(&value, 0, sizeof value);
    rill_status status = cuda_enter_stream(stream, &visit);
    if (status) return status;
    status = cuda_end_with(cuda_api.StreamGetAttribute(
                               stream->raw, (CUlaunchAttributeID)attribute->id, &value),
                           "cuStreamGetAttribute", "attribute->id");
    cuda_leave(&visit);
    if (!status) cuda_read_attribute(&value, attribute);
    return status;
}

rill_status cuda_stream_set_attribute(rill_stream *handle, const rill_attribute *attribute)
{
    struct cuda_stream *stream = cuda_stream_of(handle);
    struct cuda_visit visit;
    CUlaunchAttribute raw;
    if (has_event(attribute->id)) /* which nobody has checked */
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "attribute->id",
                                 "%d is not an attribute of streams", (int)attribute->id);
    cuda_write_attribute(attribute, &raw);
    rill_status status = cuda_enter_stream(stream, &visit);
    if (status) return status;
    CUresult result = cuda_api.StreamSetAttribute(stream->raw, raw.id, &raw.value);
    cuda_leave(&visit);
    if (!result) return RILL_SUCCESS;
    return cuda_fail(result, "cuStreamSetAttribute", cuda_blame_attribute(attribute));
}

rill_status cuda_stream_copy_attributes(rill_stream *dst, rill_stream *src)
{
    struct cuda_stream *to = cuda_stream_of(dst), *from = cuda_stream_of(src);
    struct cuda_visit visit;
    rill_status status = cuda_enter_stream(to->is_default ? to : from, &visit);
    if (status) return status;
    status = cuda_end(cuda_api.StreamCopyAttributes(to->raw, from->raw), "cuStreamCopyAttributes");
    cuda_leave(&visit);
    return status;
}
