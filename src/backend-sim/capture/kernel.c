/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches of kernels in captures: what a launch inherits from its stream becomes
 * attributes of the node, what it says about order becomes edges and events.
 */
#include <string.h>

#include "backend-sim/capture/capture.h"
#include "backend-sim/kernel/kernel.h"
#include "backend-sim/node/kinds.h"
#include "base/alloc.h"

enum port { PORT_PROGRAMMATIC = 1, PORT_LAUNCH_ORDER = 2 };

/* Returns a link to a kernel that need not be over. */
static struct link link_from_kernel(uint32_t slot, enum port port, bool programmatic)
{
    const rill_edge edge = { .from_port = (uint8_t)port, .type = programmatic };
    return (struct link){ .slot = slot, .data = sim_edge_pack(&edge) };
}

/* ---- Attributes ------------------------------------------------------------------------ */

#define FROM_STREAM 4 /* attributes at most */

static bool is_given(const rill_kernel_op *op, rill_attribute_id id)
{
    for (size_t i = 0; i < op->attribute_count; i++)
        if (op->attributes[i].id == id) return true;
    return false;
}

static void add_attribute(const rill_kernel_op *op, const rill_attribute *attribute,
                          rill_attribute *list, size_t *count)
{
    if (!is_given(op, attribute->id)) list[(*count)++] = *attribute;
}

/* Adds the attributes of the stream that differ from the initial ones of nodes. */
static void add_from_stream(struct sim_stream *stream, const rill_kernel_op *op,
                            rill_attribute *list, size_t *count)
{
    rl_lock(&stream->attributes_lock);
    const struct stream_attributes kept = stream->attributes;
    rl_unlock(&stream->attributes_lock);
    rill_attribute value = { .id = RILL_ATTRIBUTE_PRIORITY };
    value.priority = atomic_load(&stream->priority);
    if (value.priority) add_attribute(op, &value, list, count);
    value = (rill_attribute){ .id = RILL_ATTRIBUTE_ACCESS_WINDOW };
    value.window = kept.window;
    if (kept.window.bytes) add_attribute(op, &value, list, count);
    value = (rill_attribute){ .id = RILL_ATTRIBUTE_MEM_SYNC_DOMAIN };
    value.domain = kept.domain;
    if (kept.domain) add_attribute(op, &value, list, count);
    value = (rill_attribute){ .id = RILL_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP };
    value.domain_map = kept.map;
    if (kept.map.local || kept.map.remote != 1) add_attribute(op, &value, list, count);
}

/* Adds the attributes of the launch.  Those that name events do not go to the node: the events are
 * recorded to stand for it. */
static rill_status add_of_launch(struct sim_stream *stream, const rill_kernel_op *op,
                                 rill_attribute *list, size_t *count)
{
    rill_status status = RILL_SUCCESS;
    for (size_t i = 0; !status && i < op->attribute_count; i++) {
        if (sim_attribute_records_event(&op->attributes[i]))
            status = sim_event_check_launch(stream, &op->attributes[i]);
        else
            list[(*count)++] = op->attributes[i];
    }
    return status;
}

rill_status sim_captured_kernel_task(struct sim_stream *stream, const rill_kernel_op *op,
                                     struct task **task)
{
    const struct sim_kernel *kernel = sim_kernel_of(op->kernel);
    if (kernel->context != stream->context)
        return rill_backend_fail(RILL_ERROR_INVALID_HANDLE, "kernel",
                                 "kernel '%s' belongs to another context than the stream",
                                 kernel->function->name);
    rill_op node = { .kind = RILL_OP_KERNEL, .kernel = *op };
    rill_attribute few[8], *list = few;
    size_t count = 0, room = op->attribute_count + FROM_STREAM;
    if (room > sizeof few / sizeof *few) list = rl_alloc(room * sizeof *list);
    if (!list) return sim_out_of_memory_for_node();
    rill_status status = add_of_launch(stream, op, list, &count);
    add_from_stream(stream, op, list, &count);
    node.kernel.attributes = list;
    node.kernel.attribute_count = count;
    const struct node_site site = { .platform = stream->context->platform,
                                    .context = stream->context };
    if (!status) status = sim_task_create(&site, &node, NULL, task);
    if (list != few) rl_free(list);
    return status;
}

/* ---- Order ------------------------------------------------------------------------------- */

void sim_captured_kernel_loosen(struct participant *participant, const rill_kernel_op *op)
{
    bool loose = false;
    for (size_t i = 0; i < op->attribute_count; i++)
        if (op->attributes[i].id == RILL_ATTRIBUTE_PROGRAMMATIC_SERIALIZATION)
            loose = op->attributes[i].programmatic;
    if (!loose) return;
    for (uint32_t i = 0; i < participant->dependencies.count; i++) {
        struct link *link = &sim_links_items(&participant->dependencies)[i];
        if (!link->data &&
            sim_node_task(participant->capture->graph, link->slot)->kind->op == RILL_OP_KERNEL)
            *link = link_from_kernel(link->slot, PORT_PROGRAMMATIC, true);
    }
}

rill_status sim_captured_kernel_record(struct participant *participant, const rill_kernel_op *op)
{
    for (size_t i = 0; i < op->attribute_count; i++) {
        const rill_attribute *attribute = &op->attributes[i];
        if (!sim_attribute_records_event(attribute)) continue;
        bool programmatic = attribute->id == RILL_ATTRIBUTE_PROGRAMMATIC_EVENT;
        bool at_start = !programmatic || attribute->event.trigger_at_start;
        enum port port = at_start ? PORT_LAUNCH_ORDER : PORT_PROGRAMMATIC;
        struct link link = link_from_kernel(participant->work, port, programmatic);
        if (!sim_capture_record(participant->capture, attribute->event.event, &link, 1))
            return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL,
                                     "no memory to record an event");
    }
    return RILL_SUCCESS;
}
