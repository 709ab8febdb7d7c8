/* SPDX-License-Identifier: Apache-2.0
 *
 * User objects: the driver counts the references, and tells when the last one is gone, maybe on
 * a thread of its own.
 */
#include "backend-cuda/graph/user_object.h"

#include <limits.h>

#include "backend-cuda/graph/calls.h"
#include "backend-cuda/object/graph.h"

static struct cuda_user_object *user_object_of(const rill_user_object *object)
{
    return rill_private(object);
}

static void CUDA_CB run_destroy(void *data)
{
    const struct cuda_user_object *object = data;
    object->destroy(object->data);
    rill_backend_disown(object->handle);
}

/* `owner` names the argument that is at fault if the count is not. */
static rill_status end_call(CUresult result, const char *call, uint32_t count, const char *argument,
                            const char *owner)
{
    if (__builtin_expect(result == CUDA_SUCCESS, 1)) return RILL_SUCCESS;
    if (result == CUDA_ERROR_INVALID_VALUE && (!count || count > INT_MAX))
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, argument,
                                 "%s is %u; it must be 1 to %d", argument, (unsigned)count,
                                 INT_MAX);
    return cuda_fail(result, call, owner);
}

rill_status cuda_user_object_create(rill_user_object *handle, void *data, rill_destroy_fn destroy,
                                    uint32_t references)
{
    struct cuda_user_object *object = user_object_of(handle);
    *object = (struct cuda_user_object){ .handle = handle, .data = data, .destroy = destroy };
    return end_call(cuda_api.UserObjectCreate(&object->raw, object, run_destroy, references,
                                              CU_USER_OBJECT_NO_DESTRUCTOR_SYNC),
                    "cuUserObjectCreate", references, "references", NULL);
}

rill_status cuda_user_object_retain(rill_user_object *handle, uint32_t count)
{
    return end_call(cuda_api.UserObjectRetain(user_object_of(handle)->raw, count),
                    "cuUserObjectRetain", count, "count", "object");
}

rill_status cuda_user_object_release(rill_user_object *handle, uint32_t count)
{
    return end_call(cuda_api.UserObjectRelease(user_object_of(handle)->raw, count),
                    "cuUserObjectRelease", count, "count", "object");
}

/* ---- References of graphs ------------------------------------------------------------------ */

rill_status cuda_graph_retain(rill_graph *handle, rill_user_object *object, uint32_t count,
                              uint32_t flags)
{
    CUresult result = cuda_api.GraphRetainUserObject(cuda_graph_of(handle)->raw,
                                                     user_object_of(object)->raw, count, flags);
    if (result && count && count <= INT_MAX && flags & ~RILL_USER_OBJECT_MOVE)
        return rill_backend_fail((rill_status)result, "flags",
                                 "flags is 0x%x; it may be 0 or RILL_USER_OBJECT_MOVE",
                                 (unsigned)flags);
    return end_call(result, "cuGraphRetainUserObject", count, "count", "graph");
}

rill_status cuda_graph_release(rill_graph *handle, rill_user_object *object, uint32_t count)
{
    CUresult result = cuda_api.GraphReleaseUserObject(cuda_graph_of(handle)->raw,
                                                      user_object_of(object)->raw, count);
    return end_call(result, "cuGraphReleaseUserObject", count, "count", "graph");
}
