/* SPDX-License-Identifier: Apache-2.0 */
#include "core/registry/contract.h"

#include <string.h>

#define NAME_MAX_LENGTH 31

/* ---- The slots ---------------------------------------------------------- */

typedef void (*any_slot)(void);

#define SLOT_OF(kind, slot, optional) \
    { "backend->" #kind "->" #slot, offsetof(struct rill_##kind##_ops, slot), optional }
#define SLOT(kind, slot) SLOT_OF(kind, slot, 0)
#define OPTIONAL(kind, slot) SLOT_OF(kind, slot, 1)
#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Asserts that a table has no more than the listed slots and `sizes` sizes of private bytes. */
#define COVERS(kind, sizes)                                                                      \
    _Static_assert(sizeof(struct rill_##kind##_ops) ==                                           \
                       (sizes) * sizeof(size_t) + COUNT(kind##_slots) * sizeof(any_slot),        \
                   "a slot of struct rill_" #kind "_ops is not listed")

static const struct rl_slot device_slots[] = {
    SLOT(device, count),
    SLOT(device, info),
    OPTIONAL(device, can_access_peer),
};
COVERS(device, 0);

static const struct rl_slot context_slots[] = {
    SLOT(context, create),
    OPTIONAL(context, may_destroy),
    SLOT(context, destroy),
    SLOT(context, synchronize),
    SLOT(context, status),
    SLOT(context, priority_range),
    OPTIONAL(context, enable_peer),
    OPTIONAL(context, disable_peer),
};
COVERS(context, 1);

static const struct rl_slot memory_slots[] = {
    SLOT(memory, acquire),
    OPTIONAL(memory, acquire_pitch),
    OPTIONAL(memory, acquire_managed),
    SLOT(memory, release),
    SLOT(memory, range),
    SLOT(memory, info),
    SLOT(memory, host_alloc),
    SLOT(memory, host_free),
    OPTIONAL(memory, host_register),
    OPTIONAL(memory, host_unregister),
    OPTIONAL(memory, host_device_pointer),
    OPTIONAL(memory, host_flags),
    OPTIONAL(memory, pointer_info),
    OPTIONAL(memory, set_sync_memops),
    SLOT(memory, run),
};
COVERS(memory, 0);

static const struct rl_slot module_slots[] = {
    SLOT(module, load),
    SLOT(module, unload),
    SLOT(module, kernel),
    SLOT(module, kernel_count),
    SLOT(module, kernel_name),
    OPTIONAL(module, param),
    OPTIONAL(module, get_attribute),
    OPTIONAL(module, set_attribute),
    OPTIONAL(module, variable),
    OPTIONAL(module, variable_at),
};
COVERS(module, 2);

static const struct rl_slot stream_slots[] = {
    SLOT(stream, create),
    SLOT(stream, destroy),
    SLOT(stream, legacy),
    SLOT(stream, per_thread),
    SLOT(stream, submit),
    SLOT(stream, query),
    SLOT(stream, synchronize),
    SLOT(stream, id),
    SLOT(stream, flags),
    SLOT(stream, priority),
    OPTIONAL(stream, get_attribute),
    OPTIONAL(stream, set_attribute),
    OPTIONAL(stream, copy_attributes),
    OPTIONAL(stream, add_callback),
    OPTIONAL(stream, attach),
    OPTIONAL(stream, copy_row),
    OPTIONAL(stream, fill_row),
};
COVERS(stream, 1);

static const struct rl_slot event_slots[] = {
    SLOT(event, create),
    SLOT(event, destroy),
    SLOT(event, query),
    SLOT(event, synchronize),
    OPTIONAL(event, elapsed),
};
COVERS(event, 1);

static const struct rl_slot pool_slots[] = {
    SLOT(pool, create),
    OPTIONAL(pool, may_destroy),
    SLOT(pool, destroy),
    SLOT(pool, default_pool),
    SLOT(pool, current),
    SLOT(pool, set_current),
    SLOT(pool, get_attribute),
    SLOT(pool, set_attribute),
    SLOT(pool, trim),
    SLOT(pool, get_access),
    SLOT(pool, set_access),
};
COVERS(pool, 1);

static const struct rl_slot vmem_slots[] = {
    SLOT(vmem, granularity),
    SLOT(vmem, create),
    SLOT(vmem, release),
    SLOT(vmem, retain),
    SLOT(vmem, get_options),
    SLOT(vmem, export_file),
    SLOT(vmem, import_file),
    SLOT(vmem, reserve),
    SLOT(vmem, unreserve),
    SLOT(vmem, map),
    SLOT(vmem, unmap),
    SLOT(vmem, set_access),
    SLOT(vmem, get_access),
};
COVERS(vmem, 0);

static const struct rl_slot capture_slots[] = {
    SLOT(capture, begin),
    SLOT(capture, end),
    SLOT(capture, info),
    SLOT(capture, update),
    SLOT(capture, exchange_mode),
    OPTIONAL(capture, refusal),
};
COVERS(capture, 0);

static const struct rl_slot graph_slots[] = {
    SLOT(graph, create),
    OPTIONAL(graph, may_destroy),
    SLOT(graph, destroy),
    SLOT(graph, add_node),
    SLOT(graph, remove_node),
    SLOT(graph, add_edges),
    SLOT(graph, remove_edges),
    SLOT(graph, nodes),
    SLOT(graph, roots),
    SLOT(graph, edges),
    SLOT(graph, dependencies),
    SLOT(graph, dependents),
    SLOT(graph, node_kind),
    SLOT(graph, get_op),
    SLOT(graph, set_op),
    OPTIONAL(graph, get_attribute),
    OPTIONAL(graph, set_attribute),
    OPTIONAL(graph, copy_attributes),
    OPTIONAL(graph, set_node_label),
    SLOT(graph, child),
    SLOT(graph, clone),
    SLOT(graph, find_in_clone),
    OPTIONAL(graph, write_dot),
    OPTIONAL(graph, conditional),
    OPTIONAL(graph, user_object_create),
    OPTIONAL(graph, user_object_retain),
    OPTIONAL(graph, user_object_release),
    OPTIONAL(graph, retain),
    OPTIONAL(graph, release),
    OPTIONAL(graph, get_memory),
    OPTIONAL(graph, set_memory),
    OPTIONAL(graph, trim_memory),
};
COVERS(graph, 2);

static const struct rl_slot exec_slots[] = {
    SLOT(exec, create),
    SLOT(exec, destroy),
    SLOT(exec, launch),
    SLOT(exec, upload),
    SLOT(exec, flags),
    SLOT(exec, set_op),
    SLOT(exec, set_enabled),
    SLOT(exec, get_enabled),
    SLOT(exec, update),
    OPTIONAL(exec, bytes),
};
COVERS(exec, 1);

static const struct rl_slot watch_slots[] = {
    SLOT(watch, set),
    SLOT(watch, node_number),
    OPTIONAL(watch, split_views),
    OPTIONAL(watch, guard),
    OPTIONAL(watch, guard_broken),
    OPTIONAL(watch, fault),
    OPTIONAL(watch, keep_time),
    OPTIONAL(watch, now),
    OPTIONAL(watch, awaits_kernel),
    OPTIONAL(watch, quarantine),
};
COVERS(watch, 0);

static const struct rl_slot schedule_slots[] = {
    SLOT(schedule, given),
    SLOT(schedule, enter),
    SLOT(schedule, leave),
    OPTIONAL(schedule, listen),
    OPTIONAL(schedule, newest),
};
COVERS(schedule, 0);

static const struct rl_slot own_slots[] = {
    { "backend->probe", offsetof(struct rill_backend, probe), 0 },
    { "backend->open", offsetof(struct rill_backend, open), 0 },
    { "backend->close", offsetof(struct rill_backend, close), 0 },
    { "backend->explain", offsetof(struct rill_backend, explain), 1 },
    { "backend->supports", offsetof(struct rill_backend, supports), 1 },
};
_Static_assert(offsetof(struct rill_backend, device) - offsetof(struct rill_backend, probe) ==
                   COUNT(own_slots) * sizeof(any_slot),
               "a slot of struct rill_backend is not listed");

#define TABLE(kind, optional) \
    { { "backend->" #kind, offsetof(struct rill_backend, kind), optional }, \
      sizeof(struct rill_##kind##_ops), kind##_slots, COUNT(kind##_slots) }

const struct rl_table rl_tables[] = {
    { { NULL, 0, 0 }, sizeof(struct rill_backend), own_slots, COUNT(own_slots) },
    TABLE(device, 0),
    TABLE(context, 0),
    TABLE(memory, 0),
    TABLE(module, 0),
    TABLE(stream, 0),
    TABLE(event, 0),
    TABLE(pool, 1),
    TABLE(vmem, 1),
    TABLE(capture, 1),
    TABLE(graph, 1),
    TABLE(exec, 1),
    TABLE(watch, 1),
    TABLE(schedule, 1),
};
const size_t rl_table_count = COUNT(rl_tables);
_Static_assert(offsetof(struct rill_backend, layers) - offsetof(struct rill_backend, device) ==
                   (COUNT(rl_tables) - 1) * sizeof(void *),
               "a table of struct rill_backend is not listed");

/* ---- The check ---------------------------------------------------------- */

static rill_status refuse_table(const char *argument, const char *why)
{
    return rill_backend_fail(RILL_ERROR_BACKEND_TABLE, argument, "%s %s", argument, why);
}

/* Tells whether a slot is NULL.  Function and object pointers alike are all zero then on the
 * systems that rill runs on. */
static int is_null(const void *table, size_t offset)
{
    any_slot slot;
    memcpy(&slot, (const char *)table + offset, sizeof slot);
    return !slot;
}

static rill_status check_table(const struct rl_table *table, const struct rill_backend *backend)
{
    const void *at = backend;
    if (table->in_backend.name) {
        memcpy(&at, (const char *)backend + table->in_backend.offset, sizeof at);
        if (!at && table->in_backend.optional) return RILL_SUCCESS;
        if (!at)
            return refuse_table(table->in_backend.name,
                                "is NULL; the contract demands this table");
    }
    for (size_t i = 0; i < table->slot_count; i++)
        if (!table->slots[i].optional && is_null(at, table->slots[i].offset))
            return refuse_table(table->slots[i].name, "is NULL; the contract demands this slot");
    return RILL_SUCCESS;
}

int rl_well_named(const char *name)
{
    if (!name) return 0;
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-");
    return length > 0 && length <= NAME_MAX_LENGTH && !name[length];
}

rill_status rl_check_backend(const struct rill_backend *backend)
{
    if (backend->abi != RILL_BACKEND_ABI)
        return rill_backend_fail(RILL_ERROR_BACKEND_TABLE, "backend->abi",
                                 "backend->abi is %u, and this library has %u; build the backend "
                                 "with its headers",
                                 backend->abi, RILL_BACKEND_ABI);
    if (backend->size != sizeof *backend)
        return rill_backend_fail(RILL_ERROR_BACKEND_TABLE, "backend->size",
                                 "backend->size is %u; set it to sizeof(struct rill_backend), "
                                 "which is %zu here",
                                 backend->size, sizeof *backend);
    if (!rl_well_named(backend->name))
        return refuse_table("backend->name",
                            "must be up to 31 of the letters a-z, digits, _ and -");
    if (backend->layers)
        return refuse_table("backend->layers", "is the library's own; set it to NULL");
    for (size_t i = 0; i < rl_table_count; i++) {
        rill_status status = check_table(&rl_tables[i], backend);
        if (status) return status;
    }
    return RILL_SUCCESS;
}
