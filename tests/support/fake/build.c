/* SPDX-License-Identifier: Apache-2.0
 *
 * The fake backend with optional tables.
 */
#include "support/fake/parts.h"

const struct rill_backend *fake_build(struct fake_tables *tables, const char *name, unsigned parts)
{
    *tables = (struct fake_tables){
        .backend = fake_backend,
        .device = *fake_backend.device,
        .context = *fake_backend.context,
        .memory = fake_memory_ops,
        .module = fake_module_ops,
        .stream = fake_stream_ops,
        .event = fake_event_ops,
        .pool = fake_pool_ops,
        .vmem = fake_vmem_ops,
        .capture = fake_capture_ops,
        .graph = fake_graph_ops,
        .exec = fake_exec_ops,
    };
    struct rill_backend *backend = &tables->backend;
    backend->name = name;
    backend->device = &tables->device;
    backend->context = &tables->context;
    backend->memory = &tables->memory;
    backend->module = &tables->module;
    backend->stream = &tables->stream;
    backend->event = &tables->event;
    if (parts & FAKE_POOLS) backend->pool = &tables->pool;
    if (parts & FAKE_VMEM) backend->vmem = &tables->vmem;
    if (parts & FAKE_GRAPHS) backend->graph = &tables->graph;
    if (parts & FAKE_CAPTURES) backend->capture = &tables->capture;
    if (parts & FAKE_EXECS) backend->exec = &tables->exec;
    if (parts & FAKE_SLOTS) fake_add_slots(tables);
    if (parts & FAKE_CAPTURES) fake_add_captures(tables);
    if (parts & FAKE_RECORDS) fake_add_records(tables);
    return backend;
}
