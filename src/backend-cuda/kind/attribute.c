/* SPDX-License-Identifier: Apache-2.0
 *
 * Attributes in the driver's form and back.
 */
#include "backend-cuda/kind/attribute.h"

#include <string.h>

#include "backend-cuda/object/event.h"

/* ---- Forms ---------------------------------------------------------------------------- */

/* The values are the driver's byte for byte, except those with an event. */
_Static_assert(sizeof(CUlaunchAttributeValue) >= sizeof((rill_attribute){ 0 }.bytes),
               "the driver has room for every value");
_Static_assert(sizeof(rill_access_window) == sizeof(CUaccessPolicyWindow), "an access window");
_Static_assert(sizeof(rill_domain_map) == sizeof(CUlaunchMemSyncDomainMap), "a domain map");

bool cuda_has_event(rill_attribute_id id)
{
    return id == RILL_ATTRIBUTE_PROGRAMMATIC_EVENT || id == RILL_ATTRIBUTE_COMPLETION_EVENT;
}

/* The value of both attributes with an event; one of them has no trigger_at_start. */
struct raw_event {
    CUevent event;
    int flags, trigger_at_start;
};

void cuda_write_attribute(const rill_attribute *attribute, CUlaunchAttribute *raw)
{
    memset(raw, 0, sizeof *raw);
    raw->id = (CUlaunchAttributeID)attribute->id;
    if (!cuda_has_event(attribute->id)) {
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
    if (!cuda_has_event(attribute->id)) {
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
