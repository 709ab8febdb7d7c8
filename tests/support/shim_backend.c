/* SPDX-License-Identifier: Apache-2.0 */
#include "support/shim_backend.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "core/registry/contract.h"

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

static const char *module_kernel_name(const rill_kernel *kernel)
{
    atomic_store(&last, NAME(module, kernel_name));
    return inner->module->kernel_name(kernel);
}

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

/* Has no fault of its own: who destroys a graph in passing has no second try. */
static rill_status graph_may_destroy(rill_graph *graph)
{
    return inner->graph->may_destroy(graph);
}

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

static rill_status exec_set_op(rill_exec *exec, rill_node node, const rill_op *op)
{
    rill_status injected = gate(NAME(exec, set_op));
    if (!injected) return inner->exec->set_op(exec, node, op);
    drop_host(op);
    return injected;
}

/* The other slots. */
#define PASS(table, slot, parameters, arguments)                   \
    static rill_status table##_##slot parameters                   \
    {                                                              \
        rill_status injected = gate(NAME(table, slot));            \
        return injected ? injected : inner->table->slot arguments; \
    }
#define END(table, slot, parameters, arguments)             \
    static rill_status table##_##slot parameters            \
    {                                                       \
        rill_status status = inner->table->slot arguments;  \
        rill_status injected = gate(NAME(table, slot));     \
        return injected ? injected : status;                \
    }
#define OWN(table, slot)
#include "support/shim_slots.def"
#undef PASS
#undef END
#undef OWN

/* ---- The tables --------------------------------------------------------- */

/* Not const: slots come and go. */
static struct rill_backend shim;
static struct {
    struct rill_device_ops device;
    struct rill_context_ops context;
    struct rill_memory_ops memory;
    struct rill_module_ops module;
    struct rill_stream_ops stream;
    struct rill_event_ops event;
    struct rill_pool_ops pool;
    struct rill_vmem_ops vmem;
    struct rill_capture_ops capture;
    struct rill_graph_ops graph;
    struct rill_exec_ops exec;
} tables;

static void set_pointer(void *table, size_t offset, const void *value)
{
    memcpy((char *)table + offset, &value, sizeof value);
}

static void *get_pointer(const void *table, size_t offset)
{
    void *value;
    memcpy(&value, (const char *)table + offset, sizeof value);
    return value;
}

/* The shim's own table, or NULL where it has none. */
static void *find_table(const struct rl_table *table)
{
    return table->in_backend.name ? get_pointer(&shim, table->in_backend.offset) : &shim;
}

/* Copies what is no slot: the sizes of private bytes. */
#define COPY(table) \
    if (inner->table) tables.table = *inner->table, shim.table = &tables.table

static void copy_inner(void)
{
    shim = *inner;
    shim.watch = NULL; /* nobody asks for these */
    shim.schedule = NULL;
    COPY(device);
    COPY(context);
    COPY(memory);
    COPY(module);
    COPY(stream);
    COPY(event);
    COPY(pool);
    COPY(vmem);
    COPY(capture);
    COPY(graph);
    COPY(exec);
    for (size_t i = 0; i < rl_table_count; i++) {
        void *table = find_table(&rl_tables[i]);
        for (size_t j = 0; table && j < rl_tables[i].slot_count; j++)
            set_pointer(table, rl_tables[i].slots[j].offset, NULL);
    }
}

/* A slot that `inner` lacks is lacking. */
#define OWN(table, slot) \
    if (inner->table && inner->table->slot) tables.table.slot = table##_##slot;
#define PASS(table, slot, parameters, arguments) OWN(table, slot)
#define END(table, slot, parameters, arguments) OWN(table, slot)

static void fill_slots(void)
{
#include "support/shim_slots.def"
    shim.probe = own_probe;
    shim.open = own_open;
    shim.close = own_close;
    if (inner->explain) shim.explain = own_explain;
    if (inner->supports) shim.supports = own_supports;
}

static void build(const char *name)
{
    copy_inner();
    fill_slots();
    shim.abi = RILL_BACKEND_ABI;
    shim.size = sizeof shim;
    shim.name = name;
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
        void *own = find_table(table);
        if (table->in_backend.name && !strcmp(table->in_backend.name, name)) {
            set_pointer(&shim, table->in_backend.offset, NULL);
            return;
        }
        for (size_t j = 0; own && j < table->slot_count; j++)
            if (!strcmp(table->slots[j].name, name)) {
                set_pointer(own, table->slots[j].offset, NULL);
                return;
            }
    }
}
