/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams and events: their making with flags and priorities, what they say of
 * themselves, their attributes, their end.
 */
#include "stream_steps.h"

CUstream draw_any_stream(struct world *w)
{
    static const CUstream streams[] = { NULL, CU_STREAM_LEGACY, CU_STREAM_PER_THREAD };
    struct object *o = chance(w, 6) ? NULL : object_pick(w, STREAM);
    return o ? HANDLE_OF(o, CUstream) : streams[dice(w, 3)];
}

/* Few enough that no two of them share what the device has of queues. */
void stream_create_step(struct world *w)
{
    static const unsigned flags[] = { 0, 0, 1, 1, 1, 2, 3, 4 };
    CUstream s = UNTOUCHED;
    const unsigned flag = flags[dice(w, 8)];
    const int priority = (int)dice(w, 12) - 8;
    const bool with = chance(w, 2);
    if (object_live(w, STREAM) >= 5) return;
    if (with) line_call(w, "cuStreamCreateWithPriority", "%u, %d", flag, priority);
    else line_call(w, "cuStreamCreate", "%u", flag);
    CUresult r = with ? cuStreamCreateWithPriority(&s, flag, priority) : cuStreamCreate(&s, flag);
    if (line_result(w, r)) line_see(w, "%s", name_of(w, STREAM, s));
    else line_see(w, "s%d", object_add(w, STREAM, s, -1)->number);
    line_end(w);
}

void stream_end_step(struct world *w)
{
    struct object *o = object_pick(w, STREAM);
    if (!o) return;
    line_call(w, "cuStreamDestroy", "s%d", o->number);
    if (!line_result(w, cuStreamDestroy(HANDLE_OF(o, CUstream)))) o->live = false;
    line_end(w);
}

void stream_ask_step(struct world *w)
{
    CUstream s = draw_any_stream(w);
    const char *name = name_stream(w, s);
    unsigned flags = 77;
    int low = 77, high = 77;
    CUcontext context = NULL;
    switch (dice(w, 5)) {
    case 0:
        line_call(w, "cuStreamGetFlags", "%s", name);
        line_result(w, cuStreamGetFlags(s, &flags));
        line_see(w, "%u", flags);
        break;
    case 1:
        line_call(w, "cuStreamGetPriority", "%s", name);
        line_result(w, cuStreamGetPriority(s, &low));
        line_see(w, "%d", low);
        break;
    case 2:
        line_call(w, "cuStreamGetCtx", "%s", name);
        line_result(w, cuStreamGetCtx(s, &context));
        line_see(w, "%s", name_context(w, context));
        break;
    case 3:
        line_call(w, "cuCtxGetStreamPriorityRange", "%s", "");
        line_result(w, cuCtxGetStreamPriorityRange(&low, &high));
        line_see(w, "%d %d", low, high);
        break;
    default: {
        CUdevice device = 77;
        line_call(w, "cuStreamGetDevice", "%s", name);
        line_result(w, cuStreamGetDevice(s, &device));
        line_see(w, "%d", device);
    }
    }
    line_end(w);
}

static const char *attribute_text(struct world *w, int id, const CUstreamAttrValue *v)
{
    switch (id) {
    case CU_LAUNCH_ATTRIBUTE_PRIORITY: return note(w, "%d", v->priority);
    case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY: return note(w, "%d", (int)v->syncPolicy);
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN: return note(w, "%d", (int)v->memSyncDomain);
    default:
        return note(w, "%s,%zu,%d,%d",
                    name_address(w, (CUdeviceptr)(uintptr_t)v->accessPolicyWindow.base_ptr),
                    v->accessPolicyWindow.num_bytes, (int)v->accessPolicyWindow.hitProp,
                    (int)v->accessPolicyWindow.missProp);
    }
}

static void draw_attribute(struct world *w, int id, CUstreamAttrValue *v)
{
    memset(v, 0, sizeof *v);
    switch (id) {
    case CU_LAUNCH_ATTRIBUTE_PRIORITY: v->priority = (int)dice(w, 10) - 7; break;
    case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
        v->syncPolicy = (CUsynchronizationPolicy)dice(w, 6);
        break;
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
        v->memSyncDomain = (CUlaunchMemSyncDomain)dice(w, 3);
        break;
    default:
        v->accessPolicyWindow.base_ptr = (void *)(uintptr_t)w->slots;
        v->accessPolicyWindow.num_bytes = 64 * dice(w, 3);
        v->accessPolicyWindow.hitRatio = 0.5f;
        v->accessPolicyWindow.hitProp = CU_ACCESS_PROPERTY_PERSISTING;
        v->accessPolicyWindow.missProp = (CUaccessProperty)dice(w, 3);
    }
}

void stream_attribute_step(struct world *w)
{
    static const CUstreamAttrID ids[] = {
        CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW,
        CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY,
        CU_LAUNCH_ATTRIBUTE_PRIORITY,
        CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN,
        CU_LAUNCH_ATTRIBUTE_COOPERATIVE,
    };
    CUstream s = draw_any_stream(w), other = draw_any_stream(w);
    /* Those that every process has would keep it for the seeds to come. */
    const bool own = object_of(w, STREAM, s) != NULL;
    const CUstreamAttrID id = ids[dice(w, chance(w, 8) ? 5 : 4)];
    const char *name = name_stream(w, s);
    CUstreamAttrValue v;
    memset(&v, 0, sizeof v);
    switch (own ? dice(w, 4) : 1) {
    case 0:
        CALL(w, cuStreamCopyAttributes(s, other), "cuStreamCopyAttributes", "%s, %s", name,
             name_stream(w, other));
        break;
    case 1:
        line_call(w, "cuStreamGetAttribute", "%s, %d", name, (int)id);
        if (!line_result(w, cuStreamGetAttribute(s, id, &v))) {
            line_see(w, "%s", attribute_text(w, (int)id, &v));
        }
        line_end(w);
        break;
    default:
        draw_attribute(w, (int)id, &v);
        line_call(w, "cuStreamSetAttribute", "%s, %d, %s", name, (int)id,
                  attribute_text(w, (int)id, &v));
        line_result(w, cuStreamSetAttribute(s, id, &v));
        if (!cuStreamGetAttribute(s, id, &v)) {
            line_see(w, "now %s", attribute_text(w, (int)id, &v));
        }
        line_end(w);
    }
}

void event_life_step(struct world *w)
{
    static const unsigned flags[] = { 0, 0, 1, 2, 2, 3, 4, 6, 8 };
    CUevent e = UNTOUCHED;
    struct object *o = object_pick(w, EVENT);
    if (o && (chance(w, 3) || object_live(w, EVENT) > 6)) {
        line_call(w, "cuEventDestroy", "e%d", o->number);
        if (!line_result(w, cuEventDestroy(HANDLE_OF(o, CUevent)))) o->live = false;
        line_end(w);
        return;
    }
    const unsigned flag = flags[dice(w, 9)];
    line_call(w, "cuEventCreate", "%u", flag);
    if (line_result(w, cuEventCreate(&e, flag))) line_see(w, "%s", name_of(w, EVENT, e));
    else line_see(w, "e%d", object_add(w, EVENT, e, -1)->number);
    line_end(w);
}
