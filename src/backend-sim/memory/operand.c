/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/memory/operand.h"

#include <inttypes.h>
#include <stdio.h>

#include "backend-sim/guard/call_guard.h"
#include "backend-sim/memory/graph_heap.h"
#include "backend-sim/memory/memory.h"

const struct operand *sim_operands_missing(struct sim_platform *platform,
                                           struct operands *operands)
{
    /* Read first: what leaves the map during the check is checked again next time. */
    uint64_t removals = sim_map_removals(platform->map);
    if (atomic_load_explicit(&operands->seen, memory_order_relaxed) == removals) return NULL;
    bool lasting = true; /* memory of a graph may be freed by its nodes */
    for (int i = 0; i < 2; i++) {
        const struct operand *operand = &operands->items[i];
        if (sim_graph_heap_at(platform, operand->address)) lasting = false;
        if (operand->bytes && !sim_memory_holds(platform, operand->address, operand->bytes))
            return operand;
    }
    if (lasting) atomic_store_explicit(&operands->seen, removals, memory_order_relaxed);
    return NULL;
}

void sim_operand_raise(const struct task *task, struct sim_platform *platform,
                       const struct operand *operand, const char *operation)
{
    struct address_info info;
    char words[SIM_DESCRIPTION_MAX], message[RILL_ERROR_MESSAGE_MAX / 2];
    sim_map_lookup(platform->map, operand->address, &info);
    if (!sim_describe_graph_memory(platform, operation, operand->address, operand->bytes, message,
                                   sizeof message))
        snprintf(message, sizeof message,
                 "a graph's %s uses %" PRIu64 " bytes at 0x%" PRIx64 ", which is %s: memory that a "
                 "graph names must not be freed while it is launched",
                 operation, operand->bytes, operand->address,
                 info.known ? "another allocation by now" :
                 sim_describe_address(&info, operand->address, words));
    sim_raise_part(task, platform, RILL_ERROR_LAUNCH_FAILED, operation, message);
}
