/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/graph/user_object.h"

#include <limits.h>
#include <string.h>

#include "backend-sim/graph/graph.h"
#include "base/alloc.h"
#include "base/stack.h"

static void retain_object(struct user_object *object, int64_t count)
{
    atomic_fetch_add_explicit(&object->references, count, memory_order_relaxed);
}

static rill_status check_alive(const struct user_object *object, int64_t references)
{
    if (references && !atomic_load(&object->ended)) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "object",
                             "its last reference is gone, and so is the object");
}

/* For callers without a reference of their own: another thread may give back the last one. */
static rill_status retain_alive(struct user_object *object, uint32_t count)
{
    int64_t seen = atomic_load_explicit(&object->references, memory_order_relaxed);
    do {
        rill_status status = check_alive(object, seen);
        if (status) return status;
    } while (!atomic_compare_exchange_weak_explicit(&object->references, &seen, seen + count,
                                                    memory_order_relaxed, memory_order_relaxed));
    return RILL_SUCCESS;
}

/* Drops a naming, by a list or by the object's life. */
static void unname(struct user_object *object)
{
    if (atomic_fetch_sub_explicit(&object->namings, 1, memory_order_acq_rel) == 1)
        rill_backend_disown(object->handle);
}

/* `destroy` runs as in a host function: it may call nothing that needs the context. */
static void release_object(struct user_object *object, int64_t count)
{
    if (atomic_fetch_sub_explicit(&object->references, count, memory_order_acq_rel) != count ||
        atomic_exchange(&object->ended, true))
        return;
    sim_host_depth++;
    object->destroy(object->data);
    sim_host_depth--;
    unname(object);
}

static void put_reference(struct user_references *users, struct user_object *object, int64_t count)
{
    atomic_fetch_add_explicit(&object->namings, 1, memory_order_relaxed);
    users->items[users->count++] = (struct user_reference){ object, count };
}

/* ---- The caller's own references --------------------------------------------------------- */

static rill_status check_count(uint32_t count, const char *argument)
{
    if (count && count <= INT_MAX) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, argument,
                             "%s is %u; it must be 1 to %d", argument, (unsigned)count, INT_MAX);
}

/* The driver takes counts of more than INT_MAX here, and only here. */
rill_status sim_user_object_create(rill_user_object *handle, void *data, rill_destroy_fn destroy,
                                   uint32_t references)
{
    if (!references) return check_count(references, "references");
    struct user_object *object = rill_private(handle);
    object->handle = handle;
    object->data = data;
    object->destroy = destroy;
    atomic_init(&object->references, references);
    atomic_init(&object->namings, 1);
    return RILL_SUCCESS;
}

rill_status sim_user_object_retain(rill_user_object *handle, uint32_t count)
{
    rill_status status = check_count(count, "count");
    return status ? status : retain_alive(rill_private(handle), count);
}

rill_status sim_user_object_release(rill_user_object *handle, uint32_t count)
{
    rill_status status = check_count(count, "count");
    if (!status) status = check_alive(rill_private(handle), 1);
    if (!status) release_object(rill_private(handle), count);
    return status;
}

/* ---- Lists -------------------------------------------------------------------------------- */

static bool reserve_references(struct user_references **users, size_t more)
{
    struct user_references *old = *users;
    size_t count = old ? old->count : 0, room = old ? old->room : 0;
    if (count + more <= room) return true;
    room = count + more > 2 * room ? count + more : 2 * room;
    struct user_references *list = rl_alloc(sizeof *list + room * sizeof *list->items);
    if (!list) return false;
    list->count = (uint32_t)count;
    list->room = (uint32_t)room;
    if (count) memcpy(list->items, old->items, count * sizeof *list->items);
    rl_free(old);
    *users = list;
    return true;
}

static struct user_reference *find_reference(struct user_references *users,
                                             const struct user_object *object)
{
    for (uint32_t i = 0; users && i < users->count; i++)
        if (users->items[i].object == object) return &users->items[i];
    return NULL;
}

/* Adds references of the holder to each object in `from`; there is room for them. */
static void append_references(struct user_references *users, const struct user_references *from)
{
    for (uint32_t i = 0; from && i < from->count; i++) {
        const struct user_reference *item = &from->items[i];
        if (item->count <= 0 || atomic_load(&item->object->ended)) continue;
        retain_object(item->object, item->count);
        put_reference(users, item->object, item->count);
    }
}

void sim_users_release(struct user_references *users)
{
    for (uint32_t i = 0; users && i < users->count; i++) {
        release_object(users->items[i].object, users->items[i].count);
        unname(users->items[i].object);
    }
    rl_free(users);
}

static bool add_references(struct user_references **users, const struct user_references *from)
{
    if (!from || !from->count) return true;
    if (!reserve_references(users, from->count)) return false;
    append_references(*users, from);
    return true;
}

bool sim_users_unite(struct user_references **users, const struct user_references *from)
{
    if (!from || !from->count) return true;
    if (!reserve_references(users, from->count)) return false;
    for (uint32_t i = 0; i < from->count; i++) {
        struct user_object *object = from->items[i].object;
        if (find_reference(*users, object)) continue;
        retain_object(object, 1);
        put_reference(*users, object, 1);
    }
    return true;
}

rill_status sim_users_copy(struct sim_graph *copy, const struct sim_graph *graph)
{
    return add_references(&copy->users, graph->users) ? RILL_SUCCESS : RILL_ERROR_OUT_OF_MEMORY;
}

/* ---- What an exec takes over ---------------------------------------------------------------- */

static bool share_graph(const struct sim_graph *graph, struct user_references **users);

static bool share_graphs_of(const struct task *task, struct user_references **users)
{
    rill_graph *const *graphs;
    uint32_t count = sim_task_graphs(task, &graphs);
    for (uint32_t i = 0; i < count; i++)
        if (!share_graph(sim_graph_of(graphs[i]), users)) return false;
    return true;
}

static bool share_graph(const struct sim_graph *graph, struct user_references **users)
{
    if (!add_references(users, graph->users)) return false;
    if (!graph->height) return true;
    for (uint32_t slot = graph->first; slot != NODE_NONE; slot = sim_node(graph, slot)->next)
        if (!share_graphs_of(sim_node_task(graph, slot), users)) return false;
    return true;
}

struct sharing {
    const struct sim_graph *graph;
    struct user_references *users;
    bool done;
};

static void share_here(void *data)
{
    struct sharing *sharing = data;
    sharing->done = share_graph(sharing->graph, &sharing->users);
}

rill_status sim_users_share(const struct sim_graph *graph, struct user_references **users)
{
    struct sharing sharing = { graph, NULL, false };
    rl_with_stack(sim_stack_for(graph->height), share_here, &sharing);
    if (!sharing.done) sim_users_release(sharing.users);
    *users = sharing.done ? sharing.users : NULL;
    return sharing.done ? RILL_SUCCESS : RILL_ERROR_OUT_OF_MEMORY;
}

/* ---- A graph's references ------------------------------------------------------------------ */

rill_status sim_graph_retain(rill_graph *handle, rill_user_object *object, uint32_t count,
                             uint32_t flags)
{
    struct sim_graph *graph = sim_graph_of(handle);
    struct user_object *known = rill_private(object);
    rill_status status = sim_graph_check(graph);
    if (!status) status = check_count(count, "count");
    if (status) return status;
    if (flags & ~RILL_USER_OBJECT_MOVE)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "flags",
                                 "flags is 0x%x; it may be 0 or RILL_USER_OBJECT_MOVE",
                                 (unsigned)flags);
    struct user_reference *item = find_reference(graph->users, known);
    if (!item && !reserve_references(&graph->users, 1)) return RILL_ERROR_OUT_OF_MEMORY;
    status = flags & RILL_USER_OBJECT_MOVE ? check_alive(known, 1) : retain_alive(known, count);
    if (status) return status;
    if (item) item->count += count;
    else put_reference(graph->users, known, count);
    return RILL_SUCCESS;
}

/* Takes `count` off an entry.  Returns true if nothing was left, and the list no longer names the
 * object. */
static bool use_up_reference(struct user_references *users, struct user_reference *item,
                             uint32_t count)
{
    item->count -= count;
    if (item->count) return false;
    size_t rest = users->count - (size_t)(item - users->items) - 1;
    memmove(item, item + 1, rest * sizeof *item);
    users->count--;
    return true;
}

/* Like the driver, does not check whether the graph has so many references. */
rill_status sim_graph_release(rill_graph *handle, rill_user_object *object, uint32_t count)
{
    struct user_references *users = sim_graph_of(handle)->users;
    struct user_object *known = rill_private(object);
    rill_status status = sim_graph_check(sim_graph_of(handle));
    if (!status) status = check_count(count, "count");
    if (!status) status = check_alive(known, 1);
    if (status) return status;
    struct user_reference *item = find_reference(users, known);
    bool left = item && use_up_reference(users, item, count);
    release_object(known, count);
    if (left) unname(known);
    return RILL_SUCCESS;
}
