/* SPDX-License-Identifier: Apache-2.0
 *
 * User objects.  The references in the head are the caller's.  Each of these is also
 * a reference of the backend, which has more of them for graphs, execs and launches.
 * The backend disowns the object after its last reference, so the core does not touch
 * the object after a release that succeeded.
 */
#include "core/object/check.h"
#include "core/object/error.h"

static const struct rill_graph_ops *graph_ops(const void *object)
{
    return rl_backend(object)->graph;
}

rill_status rill_user_object_create(rill_platform *platform, void *data, rill_destroy_fn destroy,
                                    uint32_t references, rill_user_object **object)
{
    rill_user_object *made = NULL;
    rill_status status = rl_check(platform, RILL_OBJECT_PLATFORM, "platform");
    if (!status)
        status = rl_need(platform, graph_ops(platform) && graph_ops(platform)->user_object_create,
                         __func__);
    if (!status) status = rl_required((const void *)(uintptr_t)destroy, "destroy");
    if (!status) status = rl_required(object, "object");
    if (!status) {
        made = rl_object_new(RILL_OBJECT_USER_OBJECT, platform, NULL);
        status = made ? RILL_SUCCESS : RILL_ERROR_OUT_OF_MEMORY;
    }
    if (!status) {
        ((struct rill_object *)made)->references = references;
        status = graph_ops(platform)->user_object_create(made, data, destroy, references);
    }
    if (!status)
        *object = made;
    else if (made)
        rl_object_drop(made);
    return rl_finish(__func__, platform, status);
}

/* ---- The caller's references -------------------------------------------- */

static uint32_t *held_of(rill_user_object *object)
{
    return &((struct rill_object *)object)->references;
}

static rill_status add_held(rill_user_object *object, uint32_t count)
{
    uint32_t held = __atomic_load_n(held_of(object), __ATOMIC_RELAXED);
    do {
        if (count > UINT32_MAX - held)
            return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "count",
                                     "count is %u, on top of %u references; that is too many",
                                     (unsigned)count, (unsigned)held);
    } while (!__atomic_compare_exchange_n(held_of(object), &held, held + count, 0,
                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return RILL_SUCCESS;
}

/* Takes references from the caller.  *left is how many the caller has after that. */
static rill_status take_held(rill_user_object *object, uint32_t count, uint32_t *left)
{
    uint32_t held = __atomic_load_n(held_of(object), __ATOMIC_RELAXED);
    do {
        if (count > held)
            return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "count",
                                     "count is %u, but the caller has %u references left",
                                     (unsigned)count, (unsigned)held);
    } while (!__atomic_compare_exchange_n(held_of(object), &held, held - count, 0,
                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    *left = held - count;
    return RILL_SUCCESS;
}

rill_status rill_user_object_retain(rill_user_object *object, uint32_t count)
{
    uint32_t left;
    rill_status status = rl_check(object, RILL_OBJECT_USER_OBJECT, "object");
    if (!status) status = rl_need(object, graph_ops(object)->user_object_retain != NULL, __func__);
    if (!status) status = add_held(object, count);
    if (!status) {
        status = graph_ops(object)->user_object_retain(object, count);
        if (status) take_held(object, count, &left);
    }
    return rl_finish(__func__, object, status);
}

rill_status rill_user_object_release(rill_user_object **object, uint32_t count)
{
    rill_user_object *given = object ? *object : NULL;
    uint32_t left = 0;
    if (!given) return RILL_SUCCESS;
    rill_status status = rl_check(given, RILL_OBJECT_USER_OBJECT, "object");
    if (!status) status = rl_need(given, graph_ops(given)->user_object_release != NULL, __func__);
    if (!status) status = take_held(given, count, &left);
    if (!status) {
        status = graph_ops(given)->user_object_release(given, count);
        if (status) add_held(given, count);
    }
    if (!status && !left) *object = NULL;
    return rl_finish(__func__, status ? given : NULL, status);
}

/* ---- References of graphs ----------------------------------------------- */

static rill_status retain_object(rill_graph *graph, rill_user_object *object, uint32_t count,
                                 uint32_t flags)
{
    uint32_t left, moved = flags & RILL_USER_OBJECT_MOVE ? count : 0;
    rill_status status = take_held(object, moved, &left);
    if (status) return status;
    status = graph_ops(graph)->retain(graph, object, count, flags);
    if (status) add_held(object, moved);
    return status;
}

rill_status rill_graph_retain_user_object(rill_graph *graph, rill_user_object *object,
                                          uint32_t count, uint32_t flags)
{
    rill_status status = rl_check(graph, RILL_OBJECT_GRAPH, "graph");
    if (!status) status = rl_check_with(object, RILL_OBJECT_USER_OBJECT, "object", graph);
    if (!status) status = rl_need(graph, graph_ops(graph)->retain != NULL, __func__);
    if (!status) status = retain_object(graph, object, count, flags);
    return rl_finish(__func__, graph, status);
}

rill_status rill_graph_release_user_object(rill_graph *graph, rill_user_object *object,
                                           uint32_t count)
{
    rill_status status = rl_check(graph, RILL_OBJECT_GRAPH, "graph");
    if (!status) status = rl_check_with(object, RILL_OBJECT_USER_OBJECT, "object", graph);
    if (!status) status = rl_need(graph, graph_ops(graph)->release != NULL, __func__);
    if (!status) status = graph_ops(graph)->release(graph, object, count);
    return rl_finish(__func__, graph, status);
}
