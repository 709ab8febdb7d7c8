/* SPDX-License-Identifier: Apache-2.0
 *
 * The context of a graph's work.  The driver wants one for copies, fills, values and
 * conditionals, whichever graph they are in; a graph has none, but rill's remembers where
 * it was made, for work that does not say.
 */
#include "backend-cuda/graph.h"
#include "backend-cuda/pointer.h"

struct cuda_context *cuda_graph_home(const struct cuda_graph *graph)
{
    struct cuda_context *home = graph->home;
    return home && !atomic_load_explicit(&home->over, memory_order_acquire) ? home : NULL;
}

rill_status cuda_refuse_homeless(const struct cuda_graph *graph, const char *argument)
{
    if (!graph->home)
        return rill_backend_fail(RILL_ERROR_INVALID_CONTEXT, argument,
                                 "the graph was made without a context, and this work says none; "
                                 "make the graph in one");
    return rill_backend_fail(RILL_ERROR_CONTEXT_IS_DESTROYED, argument,
                             "the context that the graph was made in was destroyed, and this work "
                             "says no other; add it to a graph of another context");
}

/* The context that has the memory, or NULL. */
static struct cuda_context *owner_of(const struct cuda_graph *graph, rill_devptr address)
{
    struct cuda_address found;
    cuda_look(NULL, address, &found);
    rill_context *owner = found.known && found.context
                              ? cuda_find_context(graph->platform, found.context)
                              : NULL;
    return owner ? cuda_context_of(owner) : NULL;
}

static struct cuda_context *context_of_place(const struct cuda_graph *graph,
                                             const rill_place *place)
{
    return place->context ? cuda_context_of(place->context) : owner_of(graph, place->address);
}

static struct cuda_context *context_of_copy(const struct cuda_graph *graph, const rill_copy *copy)
{
    struct cuda_context *context = context_of_place(graph, &copy->dst);
    return context ? context : context_of_place(graph, &copy->src);
}

/* Where the graph has no home any more, or never had. */
static rill_status find_away(const struct cuda_graph *graph, const rill_op *op,
                             struct cuda_context **context)
{
    switch ((int)op->kind) {
    case RILL_OP_MEMCPY: *context = context_of_copy(graph, &op->memcpy); break;
    case RILL_OP_MEMSET: *context = owner_of(graph, op->memset.dst); break;
    case RILL_OP_VALUES:
        *context = op->values.count ? owner_of(graph, op->values.items[0].address) : NULL;
        break;
    case RILL_OP_CONDITIONAL: break;
    default: return RILL_SUCCESS;
    }
    return *context ? RILL_SUCCESS : cuda_refuse_homeless(graph, "op");
}

rill_status cuda_find_work(const struct cuda_graph *graph, const rill_op *op,
                           struct cuda_context **context)
{
    *context = cuda_graph_home(graph);
    return *context ? RILL_SUCCESS : find_away(graph, op, context);
}
