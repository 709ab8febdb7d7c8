/* SPDX-License-Identifier: Apache-2.0
 *
 * The calls of <rill/sim.h> on graphs, their conditionals, and modules.
 */
#include "backend-sim/graph/conditional.h"
#include "backend-sim/kernel/code.h"
#include "backend-sim/kernel/module.h"
#include "backend-sim/platform/public.h"

/* ---- Nodes ------------------------------------------------------------------------ */

static rill_status find_graph(rill_platform *platform, rill_node node, rill_graph **graph)
{
    if (!graph) return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "graph", "the output is NULL");
    struct sim_graph *found = sim_node_graph(node);
    if (!found || rill_object_of(found->handle)->platform != platform)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "node", "node is of no graph here");
    if (sim_node_find(found, node, "node") == NODE_NONE) return RILL_ERROR_INVALID_VALUE;
    *graph = found->handle;
    return RILL_SUCCESS;
}

rill_status rill_sim_node_graph(rill_platform *platform, rill_node node, rill_graph **graph)
{
    rill_status status = sim_check_platform(platform);
    if (!status) status = find_graph(platform, node, graph);
    return rill_backend_finish(__func__, platform, status);
}

/* ---- Conditionals ------------------------------------------------------------------ */

static rill_status check_both(rill_graph *graph, rill_context *context, rill_conditional *handle)
{
    rill_status status = rill_backend_check(&rl_backend_sim, graph, RILL_OBJECT_GRAPH, "graph");
    if (!status) status = sim_check_context(rill_object_of(graph)->platform, context);
    if (!status && !handle)
        status = rill_backend_fail(RILL_ERROR_INVALID_VALUE, "handle",
                                   "handle is NULL; pass the address of a rill_conditional");
    return status;
}

rill_status rill_sim_conditional_create(rill_graph *graph, rill_context *context, uint32_t initial,
                                        uint32_t flags, rill_conditional *handle)
{
    rill_status status = check_both(graph, context, handle);
    if (!status)
        status = sim_conditional_create(sim_graph_of(graph), sim_context_of(context)->id, initial,
                                        flags, handle);
    return rill_backend_finish(__func__, graph, status);
}

rill_status rill_sim_conditional_find(rill_graph *graph, rill_context *context, uint32_t number,
                                      rill_conditional *handle)
{
    rill_status status = check_both(graph, context, handle);
    if (!status)
        status = sim_conditional_find_number(sim_graph_of(graph), sim_context_of(context)->id,
                                             number, handle);
    return rill_backend_finish(__func__, graph, status);
}

/* ---- Modules ----------------------------------------------------------------------- */

static rill_status lacking_kernel(const struct sim_code *code, size_t index, const char **name,
                                  const char **why)
{
    if (!name || !why)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, name ? "why" : "name",
                                 "pass an address to store it at");
    *name = *why = NULL;
    for (size_t i = 0; i < code->count; i++) {
        if (!code->functions[i].unsupported || index--) continue;
        *name = code->functions[i].name;
        *why = code->functions[i].unsupported;
        break;
    }
    return RILL_SUCCESS;
}

static rill_status bind_reference(const struct sim_code *code, const char *name, bool surface,
                                  uint64_t handle)
{
    atomic_uint_least64_t *bound = name ? sim_reference_find(code, name, surface) : NULL;
    if (!bound)
        return rill_backend_fail(RILL_ERROR_NOT_FOUND, "name",
                                 "the module has no %s reference '%s'",
                                 surface ? "surface" : "texture", name ? name : "");
    atomic_store(bound, handle);
    return RILL_SUCCESS;
}

rill_status rill_sim_bind_texture(rill_module *module, const char *name, int surface,
                                  uint64_t handle)
{
    rill_status status =
        rill_backend_check(&rl_backend_sim, module, RILL_OBJECT_MODULE, "module");
    if (!status) {
        const struct sim_module *loaded = rill_private(module);
        status = bind_reference(loaded->code, name, surface, handle);
    }
    return rill_backend_finish(__func__, module, status);
}

rill_status rill_sim_lacking_kernel(rill_module *module, size_t index, const char **name,
                                    const char **why)
{
    rill_status status =
        rill_backend_check(&rl_backend_sim, module, RILL_OBJECT_MODULE, "module");
    if (!status) {
        const struct sim_module *loaded = rill_private(module);
        status = lacking_kernel(loaded->code, index, name, why);
    }
    return rill_backend_finish(__func__, module, status);
}
