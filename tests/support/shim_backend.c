/* SPDX-License-Identifier: Apache-2.0 */
#include "support/shim_backend.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "core/contract.h"

static const struct rill_backend *inner;

/* ---- The gate ----------------------------------------------------------- */

/* Set while no other thread is in the backend. */
static struct {
    const char *set;
    long nth;
    int lasting;
    rill_status status;
} plan = { .set = "" };

static atomic_long calls;
static atomic_int failed;
static _Atomic(const char *) last;

static void make_plan(const char *set, long nth, rill_status status, int lasting)
{
    plan.set = set;
    plan.nth = nth;
    plan.status = status;
    plan.lasting = lasting;
    atomic_store(&calls, 0);
    atomic_store(&failed, 0);
}

void shim_fail(const char *set, long nth, rill_status status)
{
    make_plan(set, nth, status, 0);
}

void shim_fail_from(const char *set, long nth, rill_status status)
{
    make_plan(set, nth, status, 1);
}

long shim_calls(void)
{
    return atomic_load(&calls);
}

int shim_failed(void)
{
    return atomic_load(&failed);
}

const char *shim_last(void)
{
    return atomic_load(&last);
}

void shim_forget(void)
{
    atomic_store(&last, NULL);
}

/* What the slot is to fail with, or RILL_SUCCESS. */
static rill_status gate(const char *slot)
{
    atomic_store(&last, slot);
    if (strncmp(slot, plan.set, strlen(plan.set))) return RILL_SUCCESS;
    long call = atomic_fetch_add(&calls, 1) + 1;
    if (!plan.nth || call < plan.nth || (call > plan.nth && !plan.lasting)) return RILL_SUCCESS;
    atomic_store(&failed, 1);
    if (plan.status == RILL_ERROR_NOT_READY) return plan.status;
    return rill_backend_fail(plan.status, NULL, "%s fails on purpose", slot);
}

/* ---- Slots -------------------------------------------------------------- */

#define NAME(table, slot) "backend->" #table "->" #slot
#define PASS(table, slot, parameters, arguments)                        \
    static rill_status table##_##slot parameters                        \
    {                                                                   \
        rill_status injected = gate(NAME(table, slot));                 \
        return injected ? injected : inner->table->slot arguments;      \
    }
#define PASS1(table, slot, A) PASS(table, slot, (A a), (a))
#define PASS2(table, slot, A, B) PASS(table, slot, (A a, B b), (a, b))
#define PASS3(table, slot, A, B, C) PASS(table, slot, (A a, B b, C c), (a, b, c))
#define PASS4(table, slot, A, B, C, D) PASS(table, slot, (A a, B b, C c, D d), (a, b, c, d))
#define PASS5(table, slot, A, B, C, D, E) \
    PASS(table, slot, (A a, B b, C c, D d, E e), (a, b, c, d, e))
#define PASS6(table, slot, A, B, C, D, E, F) \
    PASS(table, slot, (A a, B b, C c, D d, E e, F f), (a, b, c, d, e, f))

/* What always gives its object back, whatever it returns. */
#define END(table, slot, A)                               \
    static rill_status table##_##slot(A a)                \
    {                                                     \
        rill_status status = inner->table->slot(a);       \
        rill_status injected = gate(NAME(table, slot));   \
        return injected ? injected : status;              \
    }

static void drop_host(const rill_op *op)
{
    if (op->kind == RILL_OP_HOST && op->host.destroy) op->host.destroy(op->host.data);
}

static rill_status own_probe(const rill_open_options *options)
{
    rill_status injected = gate("backend->probe");
    return injected ? injected : inner->probe(options);
}

static rill_status own_open(rill_platform *platform, const rill_open_options *options)
{
    rill_status injected = gate("backend->open");
    return injected ? injected : inner->open(platform, options);
}

static void own_close(rill_platform *platform)
{
    atomic_store(&last, "backend->close");
    inner->close(platform);
}

static const char *own_explain(rill_platform *platform, rill_status status)
{
    return inner->explain(platform, status);
}

static rill_status own_supports(rill_platform *platform, rill_feature feature)
{
    rill_status injected = gate("backend->supports");
    return injected ? injected : inner->supports(platform, feature);
}

PASS2(device, count, rill_platform *, int *)
PASS3(device, info, rill_platform *, int, rill_device_info *)
PASS4(device, can_access_peer, rill_platform *, int, int, int *)

PASS2(context, create, rill_context *, const rill_context_options *)
PASS1(context, may_destroy, rill_context *)
END(context, destroy, rill_context *)
PASS1(context, synchronize, rill_context *)
PASS1(context, status, rill_context *)
PASS3(context, priority_range, rill_context *, int *, int *)
PASS2(context, enable_peer, rill_context *, rill_context *)
PASS2(context, disable_peer, rill_context *, rill_context *)

PASS3(memory, acquire, rill_context *, size_t, rill_devptr *)
PASS6(memory, acquire_pitch, rill_context *, size_t, size_t, uint32_t, rill_devptr *, size_t *)
PASS2(memory, release, rill_context *, rill_devptr)
PASS4(memory, range, rill_context *, rill_devptr, rill_devptr *, size_t *)
PASS3(memory, info, rill_context *, size_t *, size_t *)
PASS4(memory, host_alloc, rill_context *, size_t, uint32_t, void **)
PASS2(memory, host_free, rill_context *, void *)
PASS4(memory, host_register, rill_context *, void *, size_t, uint32_t)
PASS2(memory, host_unregister, rill_context *, void *)
PASS3(memory, host_device_pointer, rill_context *, void *, rill_devptr *)
PASS3(memory, host_flags, rill_context *, void *, uint32_t *)
PASS3(memory, pointer_info, rill_context *, rill_devptr, rill_pointer_info *)
PASS3(memory, set_sync_memops, rill_context *, rill_devptr, int)
PASS2(memory, run, rill_context *, const rill_op *)

PASS2(module, load, rill_module *, const rill_image *)
END(module, unload, rill_module *)
PASS3(module, kernel, rill_module *, const char *, rill_kernel **)
PASS2(module, kernel_count, rill_module *, size_t *)
PASS4(module, param, rill_kernel *, size_t, size_t *, size_t *)
PASS3(module, get_attribute, rill_kernel *, rill_kernel_attribute, int *)
PASS3(module, set_attribute, rill_kernel *, rill_kernel_attribute, int)
PASS4(module, variable, rill_module *, const char *, rill_devptr *, size_t *)

static const char *module_kernel_name(const rill_kernel *kernel)
{
    atomic_store(&last, NAME(module, kernel_name));
    return inner->module->kernel_name(kernel);
}

PASS2(stream, create, rill_stream *, const rill_stream_options *)
END(stream, destroy, rill_stream *)
PASS1(stream, query, rill_stream *)
PASS1(stream, synchronize, rill_stream *)
PASS2(stream, id, rill_stream *, uint64_t *)
PASS2(stream, flags, rill_stream *, uint32_t *)
PASS2(stream, priority, rill_stream *, int *)
PASS2(stream, get_attribute, rill_stream *, rill_attribute *)
PASS2(stream, set_attribute, rill_stream *, const rill_attribute *)
PASS2(stream, copy_attributes, rill_stream *, rill_stream *)
PASS4(stream, add_callback, rill_stream *, rill_stream_callback, void *, uint32_t)
PASS4(stream, attach, rill_stream *, rill_devptr, size_t, uint32_t)

static rill_stream *stream_legacy(rill_context *context)
{
    return gate(NAME(stream, legacy)) ? NULL : inner->stream->legacy(context);
}

static rill_stream *stream_per_thread(rill_context *context)
{
    return gate(NAME(stream, per_thread)) ? NULL : inner->stream->per_thread(context);
}

static rill_status stream_submit(rill_stream *stream, rill_op *op)
{
    rill_status injected = gate(NAME(stream, submit));
    if (!injected) return inner->stream->submit(stream, op);
    drop_host(op);
    return injected;
}

PASS2(event, create, rill_event *, const rill_event_options *)
END(event, destroy, rill_event *)
PASS1(event, query, rill_event *)
PASS1(event, synchronize, rill_event *)
PASS3(event, elapsed, rill_event *, rill_event *, float *)

PASS2(pool, create, rill_pool *, const rill_pool_options *)
PASS1(pool, may_destroy, rill_pool *)
END(pool, destroy, rill_pool *)
PASS3(pool, default_pool, rill_platform *, int, rill_pool **)
PASS3(pool, current, rill_platform *, int, rill_pool **)
PASS3(pool, set_current, rill_platform *, int, rill_pool *)
PASS3(pool, get_attribute, rill_pool *, rill_pool_attribute, uint64_t *)
PASS3(pool, set_attribute, rill_pool *, rill_pool_attribute, uint64_t)
PASS2(pool, trim, rill_pool *, size_t)
PASS3(pool, get_access, rill_pool *, int, rill_access *)
PASS3(pool, set_access, rill_pool *, int, rill_access)

PASS2(capture, begin, rill_stream *, const rill_capture_options *)
PASS2(capture, info, rill_stream *, rill_capture_info *)
PASS5(capture, update, rill_stream *, const rill_node *, const rill_edge *, size_t,
      rill_capture_update)
PASS2(capture, exchange_mode, rill_platform *, rill_capture_mode *)

/* The capture ends all the same; a graph that it made has nobody to go to. */
static rill_status capture_end(rill_stream *stream, rill_graph **graph)
{
    rill_graph *made = NULL;
    rill_status status = inner->capture->end(stream, &made);
    rill_status injected = gate(NAME(capture, end));
    if (!injected && !status) *graph = made;
    if (injected && !status && rill_object_of(made)->owner) {
        inner->graph->destroy(made);
        rill_backend_disown(made);
    }
    return injected ? injected : status;
}

PASS2(graph, create, rill_graph *, const rill_graph_options *)
/* No fault of its own: who destroys a graph in passing has no second try. */
static rill_status graph_may_destroy(rill_graph *graph)
{
    return inner->graph->may_destroy ? inner->graph->may_destroy(graph) : RILL_SUCCESS;
}

END(graph, destroy, rill_graph *)
PASS2(graph, remove_node, rill_graph *, rill_node)
PASS5(graph, add_edges, rill_graph *, const rill_node *, const rill_node *, const rill_edge *,
      size_t)
PASS5(graph, remove_edges, rill_graph *, const rill_node *, const rill_node *, const rill_edge *,
      size_t)
PASS3(graph, nodes, rill_graph *, rill_node *, size_t *)
PASS3(graph, roots, rill_graph *, rill_node *, size_t *)
PASS5(graph, edges, rill_graph *, rill_node *, rill_node *, rill_edge *, size_t *)
PASS5(graph, dependencies, rill_graph *, rill_node, rill_node *, rill_edge *, size_t *)
PASS5(graph, dependents, rill_graph *, rill_node, rill_node *, rill_edge *, size_t *)
PASS3(graph, node_kind, rill_graph *, rill_node, rill_op_kind *)
PASS3(graph, get_op, rill_graph *, rill_node, rill_op *)
PASS3(graph, get_attribute, rill_graph *, rill_node, rill_attribute *)
PASS3(graph, set_attribute, rill_graph *, rill_node, const rill_attribute *)
PASS3(graph, copy_attributes, rill_graph *, rill_node, rill_node)
PASS3(graph, set_node_label, rill_graph *, rill_node, const char *)
PASS3(graph, child, rill_graph *, rill_node, rill_graph **)
PASS2(graph, clone, rill_graph *, rill_graph *)
PASS3(graph, find_in_clone, rill_graph *, rill_node, rill_node *)
PASS4(graph, write_dot, rill_graph *, uint32_t, rill_write_fn, void *)
PASS4(graph, conditional, rill_graph *, uint32_t, uint32_t, rill_conditional *)
PASS4(graph, user_object_create, rill_user_object *, void *, rill_destroy_fn, uint32_t)
PASS2(graph, user_object_retain, rill_user_object *, uint32_t)
PASS2(graph, user_object_release, rill_user_object *, uint32_t)
PASS4(graph, retain, rill_graph *, rill_user_object *, uint32_t, uint32_t)
PASS3(graph, release, rill_graph *, rill_user_object *, uint32_t)
PASS4(graph, get_memory, rill_platform *, int, rill_graph_memory_attribute, uint64_t *)
PASS4(graph, set_memory, rill_platform *, int, rill_graph_memory_attribute, uint64_t)
PASS2(graph, trim_memory, rill_platform *, int)

static rill_status graph_add_node(rill_graph *graph, const rill_node *dependencies,
                                  const rill_edge *edges, size_t count, rill_op *op,
                                  rill_node *node)
{
    rill_status injected = gate(NAME(graph, add_node));
    if (!injected) return inner->graph->add_node(graph, dependencies, edges, count, op, node);
    drop_host(op);
    return injected;
}

static rill_status graph_set_op(rill_graph *graph, rill_node node, const rill_op *op)
{
    rill_status injected = gate(NAME(graph, set_op));
    if (!injected) return inner->graph->set_op(graph, node, op);
    drop_host(op);
    return injected;
}

PASS3(exec, create, rill_exec *, rill_graph *, rill_exec_options *)
END(exec, destroy, rill_exec *)
PASS2(exec, launch, rill_exec *, rill_stream *)
PASS2(exec, upload, rill_exec *, rill_stream *)
PASS2(exec, flags, rill_exec *, uint32_t *)
PASS3(exec, set_enabled, rill_exec *, rill_node, int)
PASS3(exec, get_enabled, rill_exec *, rill_node, int *)
PASS2(exec, bytes, rill_exec *, size_t *)
PASS3(exec, update, rill_exec *, rill_graph *, rill_update_result *)

static rill_status exec_set_op(rill_exec *exec, rill_node node, const rill_op *op)
{
    rill_status injected = gate(NAME(exec, set_op));
    if (!injected) return inner->exec->set_op(exec, node, op);
    drop_host(op);
    return injected;
}

/* ---- The tables --------------------------------------------------------- */

/* Not const: slots come and go. */
static struct rill_device_ops devices;
static struct rill_context_ops contexts;
static struct rill_memory_ops memory;
static struct rill_module_ops modules;
static struct rill_stream_ops streams;
static struct rill_event_ops events;
static struct rill_pool_ops pools;
static struct rill_capture_ops captures;
static struct rill_graph_ops graphs;
static struct rill_exec_ops execs;
static struct rill_backend shim;

/* The private bytes are copied below. */
#define PUT(table, slot) .slot = table##_##slot

static void fill_tables(void)
{
    devices = (struct rill_device_ops){
        PUT(device, count),
        PUT(device, info),
        PUT(device, can_access_peer),
    };
    contexts = (struct rill_context_ops){
        PUT(context, create),
        PUT(context, may_destroy),
        PUT(context, destroy),
        PUT(context, synchronize),
        PUT(context, status),
        PUT(context, priority_range),
        PUT(context, enable_peer),
        PUT(context, disable_peer),
    };
    memory = (struct rill_memory_ops){
        PUT(memory, acquire),
        PUT(memory, acquire_pitch),
        PUT(memory, release),
        PUT(memory, range),
        PUT(memory, info),
        PUT(memory, host_alloc),
        PUT(memory, host_free),
        PUT(memory, host_register),
        PUT(memory, host_unregister),
        PUT(memory, host_device_pointer),
        PUT(memory, host_flags),
        PUT(memory, pointer_info),
        PUT(memory, set_sync_memops),
        PUT(memory, run),
    };
    modules = (struct rill_module_ops){
        PUT(module, load),
        PUT(module, unload),
        PUT(module, kernel),
        PUT(module, kernel_count),
        PUT(module, kernel_name),
        PUT(module, param),
        PUT(module, get_attribute),
        PUT(module, set_attribute),
        PUT(module, variable),
    };
    streams = (struct rill_stream_ops){
        PUT(stream, create),
        PUT(stream, destroy),
        PUT(stream, legacy),
        PUT(stream, per_thread),
        PUT(stream, submit),
        PUT(stream, query),
        PUT(stream, synchronize),
        PUT(stream, id),
        PUT(stream, flags),
        PUT(stream, priority),
        PUT(stream, get_attribute),
        PUT(stream, set_attribute),
        PUT(stream, copy_attributes),
        PUT(stream, add_callback),
        PUT(stream, attach),
    };
    events = (struct rill_event_ops){
        PUT(event, create),
        PUT(event, destroy),
        PUT(event, query),
        PUT(event, synchronize),
        PUT(event, elapsed),
    };
    pools = (struct rill_pool_ops){
        PUT(pool, create),
        PUT(pool, may_destroy),
        PUT(pool, destroy),
        PUT(pool, default_pool),
        PUT(pool, current),
        PUT(pool, set_current),
        PUT(pool, get_attribute),
        PUT(pool, set_attribute),
        PUT(pool, trim),
        PUT(pool, get_access),
        PUT(pool, set_access),
    };
    captures = (struct rill_capture_ops){
        PUT(capture, begin),
        PUT(capture, end),
        PUT(capture, info),
        PUT(capture, update),
        PUT(capture, exchange_mode),
    };
    graphs = (struct rill_graph_ops){
        PUT(graph, create),
        PUT(graph, may_destroy),
        PUT(graph, destroy),
        PUT(graph, add_node),
        PUT(graph, remove_node),
        PUT(graph, add_edges),
        PUT(graph, remove_edges),
        PUT(graph, nodes),
        PUT(graph, roots),
        PUT(graph, edges),
        PUT(graph, dependencies),
        PUT(graph, dependents),
        PUT(graph, node_kind),
        PUT(graph, get_op),
        PUT(graph, set_op),
        PUT(graph, get_attribute),
        PUT(graph, set_attribute),
        PUT(graph, copy_attributes),
        PUT(graph, set_node_label),
        PUT(graph, child),
        PUT(graph, clone),
        PUT(graph, find_in_clone),
        PUT(graph, write_dot),
        PUT(graph, conditional),
        PUT(graph, user_object_create),
        PUT(graph, user_object_retain),
        PUT(graph, user_object_release),
        PUT(graph, retain),
        PUT(graph, release),
        PUT(graph, get_memory),
        PUT(graph, set_memory),
        PUT(graph, trim_memory),
    };
    execs = (struct rill_exec_ops){
        PUT(exec, create),
        PUT(exec, destroy),
        PUT(exec, launch),
        PUT(exec, upload),
        PUT(exec, flags),
        PUT(exec, set_op),
        PUT(exec, set_enabled),
        PUT(exec, get_enabled),
        PUT(exec, update),
        PUT(exec, bytes),
    };
}

static void copy_sizes(void)
{
    contexts.private_bytes = inner->context->private_bytes;
    modules.private_bytes = inner->module->private_bytes;
    modules.kernel_private_bytes = inner->module->kernel_private_bytes;
    streams.private_bytes = inner->stream->private_bytes;
    events.private_bytes = inner->event->private_bytes;
    pools.private_bytes = inner->pool ? inner->pool->private_bytes : 0;
    graphs.private_bytes = inner->graph ? inner->graph->private_bytes : 0;
    graphs.user_object_private_bytes = inner->graph ? inner->graph->user_object_private_bytes : 0;
    execs.private_bytes = inner->exec ? inner->exec->private_bytes : 0;
}

static void set_pointer(void *table, size_t offset, const void *value)
{
    memcpy((char *)table + offset, &value, sizeof value);
}

static const void *get_pointer(const void *table, size_t offset)
{
    const void *value;
    memcpy(&value, (const char *)table + offset, sizeof value);
    return value;
}

/* Takes away what `inner` has not. */
static void match_inner(void)
{
    for (size_t i = 0; i < rl_table_count; i++) {
        const struct rl_table *table = &rl_tables[i];
        const void *theirs = inner;
        void *ours = &shim;
        if (table->in_backend.name) {
            theirs = get_pointer(inner, table->in_backend.offset);
            ours = (void *)(uintptr_t)get_pointer(&shim, table->in_backend.offset);
            if (!theirs) set_pointer(&shim, table->in_backend.offset, NULL);
        }
        for (size_t j = 0; theirs && j < table->slot_count; j++)
            if (!get_pointer(theirs, table->slots[j].offset))
                set_pointer(ours, table->slots[j].offset, NULL);
    }
}

static void build(const char *name)
{
    fill_tables();
    copy_sizes();
    shim = (struct rill_backend){ .abi = RILL_BACKEND_ABI,
                                  .size = sizeof shim,
                                  .name = name,
                                  .rank = inner->rank,
                                  .platform_private_bytes = inner->platform_private_bytes,
                                  .probe = own_probe,
                                  .open = own_open,
                                  .close = own_close,
                                  .explain = own_explain,
                                  .supports = own_supports,
                                  .device = &devices,
                                  .context = &contexts,
                                  .memory = &memory,
                                  .module = &modules,
                                  .stream = &streams,
                                  .event = &events,
                                  .pool = &pools,
                                  .capture = &captures,
                                  .graph = &graphs,
                                  .exec = &execs };
    match_inner();
}

const struct rill_backend *shim_backend(const struct rill_backend *wrapped, const char *name)
{
    inner = wrapped;
    build(name);
    return &shim;
}

void shim_restore(void)
{
    build(shim.name);
}

void shim_lack(const char *name)
{
    for (size_t i = 0; i < rl_table_count; i++) {
        const struct rl_table *table = &rl_tables[i];
        void *ours = &shim;
        if (table->in_backend.name) {
            ours = (void *)(uintptr_t)get_pointer(&shim, table->in_backend.offset);
            if (!strcmp(table->in_backend.name, name)) {
                set_pointer(&shim, table->in_backend.offset, NULL);
                return;
            }
        }
        for (size_t j = 0; ours && j < table->slot_count; j++)
            if (!strcmp(table->slots[j].name, name)) {
                set_pointer(ours, table->slots[j].offset, NULL);
                return;
            }
    }
}
