/* SPDX-License-Identifier: Apache-2.0 */
#include "standin/code/attribute.h"

#include <string.h>

#include "standin/context/current.h"

/* Values are the driver's, byte for byte, except those with an event. */
_Static_assert(sizeof(CUlaunchAttributeValue) >= sizeof((rill_attribute){ 0 }.bytes),
               "the driver has room for every value");
_Static_assert(sizeof(rill_access_window) == sizeof(CUaccessPolicyWindow), "an access window");
_Static_assert(sizeof(rill_domain_map) == 2, "a map of domains");

int si_attribute_has_event(int id)
{
    return id == RILL_ATTRIBUTE_PROGRAMMATIC_EVENT || id == RILL_ATTRIBUTE_COMPLETION_EVENT;
}

/* Returns the size of a value; most are an int. */
static size_t value_bytes(int id)
{
    switch (id) {
    case RILL_ATTRIBUTE_ACCESS_WINDOW: return sizeof(CUaccessPolicyWindow);
    case RILL_ATTRIBUTE_CLUSTER:
    case RILL_ATTRIBUTE_PREFERRED_CLUSTER: return sizeof(rill_dim3);
    case RILL_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP: return sizeof(rill_domain_map);
    default: return sizeof(int);
    }
}

CUresult si_attribute_read(int id, const CUlaunchAttributeValue *value, rill_attribute *attribute)
{
    *attribute = (rill_attribute){ .id = (rill_attribute_id)id };
    if (!si_attribute_has_event(id)) {
        memcpy(attribute->bytes, value, value_bytes(id));
        return RILL_SUCCESS;
    }
    CUresult status = si_event(value->event.event, &attribute->event.event);
    attribute->event.flags = value->event.flags;
    if (id == RILL_ATTRIBUTE_PROGRAMMATIC_EVENT)
        attribute->event.trigger_at_start = value->event.trigger_at_start;
    return status;
}

void si_attribute_write(const rill_attribute *attribute, CUlaunchAttributeValue *value)
{
    if (!si_attribute_has_event(attribute->id)) {
        memcpy(value, attribute->bytes, value_bytes(attribute->id));
        return;
    }
    value->event.event = si_handle_of(attribute->event.event);
    value->event.flags = attribute->event.flags;
    if (attribute->id == RILL_ATTRIBUTE_PROGRAMMATIC_EVENT)
        value->event.trigger_at_start = attribute->event.trigger_at_start;
}
