/* SPDX-License-Identifier: Apache-2.0
 *
 * Stream attributes: stored and reported as the driver does.  Only the sync policy has an
 * effect, on how a host thread waits.
 */
#include "backend-sim/stream/stream.h"

/* As an H200 has them. */
#define DOMAINS 4                        /* memory synchronization domains */
#define WINDOW_MOST ((size_t)128 << 20)  /* bytes of an access window      */
#define PERSISTING 2

static rill_status not_an_attribute(rill_attribute_id id)
{
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "attribute->id",
                             "%d is not an attribute of streams", (int)id);
}

rill_status sim_stream_get_attribute(rill_stream *handle, rill_attribute *attribute)
{
    struct sim_stream *stream;
    rill_status status = sim_stream_enter(handle, CALL_STREAM_GET_ATTRIBUTE, &stream);
    if (status) return status;
    rl_lock(&stream->attributes_lock);
    const struct stream_attributes *kept = &stream->attributes;
    switch ((int)attribute->id) {
    case RILL_ATTRIBUTE_ACCESS_WINDOW:
        attribute->window = kept->window;
        break;
    case RILL_ATTRIBUTE_SYNC_POLICY:
        attribute->sync_policy = atomic_load(&stream->sync_policy);
        if (!attribute->sync_policy) attribute->sync_policy = -1;
        break;
    case RILL_ATTRIBUTE_PRIORITY:
        attribute->priority = atomic_load(&stream->priority);
        break;
    case RILL_ATTRIBUTE_MEM_SYNC_DOMAIN:
        attribute->domain = kept->domain;
        break;
    case RILL_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
        attribute->domain_map = kept->map;
        break;
    default:
        status = RILL_ERROR_INVALID_VALUE;
    }
    rl_unlock(&stream->attributes_lock);
    return status ? not_an_attribute(attribute->id) : RILL_SUCCESS;
}

static rill_status out_of_range(const char *argument, long value, long low, long high)
{
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, argument, "%ld is not within %ld to %ld",
                             value, low, high);
}

static rill_status check_window(const rill_access_window *window)
{
    if (!(window->hit_ratio >= 0 && window->hit_ratio <= 1))
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "attribute->window.hit_ratio",
                                 "%g is not within 0 to 1", (double)window->hit_ratio);
    if (window->bytes > WINDOW_MOST)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "attribute->window.bytes",
                                 "%zu bytes; a window holds at most %zu", window->bytes,
                                 WINDOW_MOST);
    if (window->miss == PERSISTING)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "attribute->window.miss",
                                 "accesses outside the hit ratio cannot be persisting");
    return RILL_SUCCESS;
}

rill_status sim_attribute_check(const rill_attribute *attribute)
{
    switch ((int)attribute->id) {
    case RILL_ATTRIBUTE_SYNC_POLICY:
        if (attribute->sync_policy < RILL_SYNC_AUTO || attribute->sync_policy > RILL_SYNC_BLOCK)
            return out_of_range("attribute->sync_policy", attribute->sync_policy, RILL_SYNC_AUTO,
                                RILL_SYNC_BLOCK);
        return RILL_SUCCESS;
    case RILL_ATTRIBUTE_MEM_SYNC_DOMAIN:
        if (attribute->domain < 0 || attribute->domain > 1)
            return out_of_range("attribute->domain", attribute->domain, 0, 1);
        return RILL_SUCCESS;
    case RILL_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
        if (attribute->domain_map.local >= DOMAINS)
            return out_of_range("attribute->domain_map.local", attribute->domain_map.local, 0,
                                DOMAINS - 1);
        if (attribute->domain_map.remote >= DOMAINS)
            return out_of_range("attribute->domain_map.remote", attribute->domain_map.remote, 0,
                                DOMAINS - 1);
        return RILL_SUCCESS;
    case RILL_ATTRIBUTE_ACCESS_WINDOW:
        return check_window(&attribute->window);
    case RILL_ATTRIBUTE_PRIORITY:
        return RILL_SUCCESS;
    default:
        return not_an_attribute(attribute->id);
    }
}

rill_status sim_stream_set_attribute(rill_stream *handle, const rill_attribute *attribute)
{
    struct sim_stream *stream;
    rill_status status = sim_stream_enter(handle, CALL_STREAM_SET_ATTRIBUTE, &stream);
    if (!status) status = sim_attribute_check(attribute);
    if (status) return status;
    rl_lock(&stream->attributes_lock);
    struct stream_attributes *kept = &stream->attributes;
    switch ((int)attribute->id) {
    case RILL_ATTRIBUTE_ACCESS_WINDOW: kept->window = attribute->window; break;
    case RILL_ATTRIBUTE_PRIORITY:
        atomic_store(&stream->priority,
                     sim_clamp_priority(stream->context->platform, attribute->priority));
        break;
    case RILL_ATTRIBUTE_SYNC_POLICY:
        atomic_store(&stream->sync_policy, attribute->sync_policy);
        break;
    case RILL_ATTRIBUTE_MEM_SYNC_DOMAIN: kept->domain = attribute->domain; break;
    default: kept->map = attribute->domain_map; break;
    }
    rl_unlock(&stream->attributes_lock);
    return RILL_SUCCESS;
}

rill_status sim_stream_copy_attributes(rill_stream *dst_handle, rill_stream *src_handle)
{
    struct sim_stream *dst, *src;
    rill_status status = sim_stream_enter(dst_handle, CALL_STREAM_COPY_ATTRIBUTES, &dst);
    if (!status) status = sim_stream_enter(src_handle, CALL_STREAM_COPY_ATTRIBUTES, &src);
    if (status || dst == src) return status;
    rl_lock(&src->attributes_lock);
    struct stream_attributes copy = src->attributes;
    rl_unlock(&src->attributes_lock);
    rl_lock(&dst->attributes_lock);
    dst->attributes = copy;
    atomic_store(&dst->priority, atomic_load(&src->priority));
    atomic_store(&dst->sync_policy, atomic_load(&src->sync_policy));
    rl_unlock(&dst->attributes_lock);
    return RILL_SUCCESS;
}
