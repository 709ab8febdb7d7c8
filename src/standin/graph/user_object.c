/* SPDX-License-Identifier: Apache-2.0
 *
 * User objects: what graphs and their execs keep alive.  A handle lives as long as its
 * object, also when only graphs hold references.
 */
#include "standin/graph/graph.h"

static CUresult find_object(CUuserObject handle, rill_user_object **object)
{
    *object = si_object(SI_USER_OBJECT, handle);
    return *object ? RILL_SUCCESS : si_wrong(SI_USER_OBJECT, handle);
}

/* An object that ended since it was found is an invalid handle to rill. */
static CUresult check_gone(CUresult status, CUuserObject handle)
{
    return status == RILL_ERROR_INVALID_HANDLE ? si_wrong(SI_USER_OBJECT, handle) : status;
}

static void end_handle(void *slot)
{
    if (!si_handle_kill(slot)) return;
    si_await(slot);
    si_handle_free(SI_USER_OBJECT, slot);
}

/* The flags must say that no call waits for the destructor. */
ENTRY(cuUserObjectCreate,
      (CUuserObject *out, void *data, CUhostFn destroy, unsigned count, unsigned flags),
      (out, data, destroy, count, flags))
{
    CUresult status = si_check_ready();
    if (status) return status;
    if (!out || flags != CU_USER_OBJECT_NO_DESTRUCTOR_SYNC) return RILL_ERROR_INVALID_VALUE;
    void *slot = si_handle_reserve(SI_USER_OBJECT, NULL);
    if (!slot) return RILL_ERROR_OUT_OF_MEMORY;
    rill_user_object *made = NULL;
    status = rill_user_object_create(si_platform, data, destroy, count, &made);
    if (status) {
        si_handle_free(SI_USER_OBJECT, slot);
        return status;
    }
    si_handle_publish(slot, made);
    rill_set_data(made, slot, end_handle);
    *out = slot;
    return RILL_SUCCESS;
}

ENTRY(cuUserObjectRetain, (CUuserObject handle, unsigned count), (handle, count))
{
    rill_user_object *object;
    CUresult status = find_object(handle, &object);
    return status ? status : check_gone(rill_user_object_retain(object, count), handle);
}

ENTRY(cuUserObjectRelease, (CUuserObject handle, unsigned count), (handle, count))
{
    rill_user_object *object;
    CUresult status = find_object(handle, &object);
    return status ? status : check_gone(rill_user_object_release(&object, count), handle);
}

ENTRY(cuGraphRetainUserObject,
      (CUgraph graph_handle, CUuserObject handle, unsigned count, unsigned flags),
      (graph_handle, handle, count, flags))
{
    rill_graph *graph;
    rill_user_object *object;
    CUresult status = si_graph(graph_handle, &graph);
    if (!status) status = find_object(handle, &object);
    if (status) return status;
    return check_gone(rill_graph_retain_user_object(graph, object, count, flags), handle);
}

ENTRY(cuGraphReleaseUserObject,
      (CUgraph graph_handle, CUuserObject handle, unsigned count),
      (graph_handle, handle, count))
{
    rill_graph *graph;
    rill_user_object *object;
    CUresult status = si_graph(graph_handle, &graph);
    if (!status) status = find_object(handle, &object);
    return status ? status : rill_graph_release_user_object(graph, object, count);
}
