/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs: making and ending them, copies, and their picture.
 */
#include <stdio.h>

#include "standin/graph_handle.h"

/* ---- Making and ending -------------------------------------------------------------------- */

/* A graph needs no context, as on the driver; the current one, where there is one, is that
 * of work that names none. */
static CUresult make(struct si_context **current, rill_graph **graph)
{
    rill_context *context;
    *current = NULL;
    if (!si_frame_lives(si_now)) return rill_graph_create_in(si_platform, NULL, graph);
    CUresult status = si_here(&context);
    if (status) return status;
    *current = si_now.context;
    return rill_graph_create(context, NULL, graph);
}

ENTRY(cuGraphCreate, (CUgraph *graph, unsigned flags), (graph, flags))
{
    struct si_context *current;
    rill_graph *made = NULL;
    CUresult status = si_check_ready();
    if (!status && (!graph || flags)) status = RILL_ERROR_INVALID_VALUE;
    if (!status) status = make(&current, &made);
    if (status) return status;
    status = si_graph_handle(made, current, graph);
    if (status) rill_graph_destroy(&made);
    return status;
}

ENTRY(cuGraphDestroy, (CUgraph graph), (graph))
{
    return si_graph_destroy(graph);
}

/* ---- Copies ------------------------------------------------------------------------------- */

ENTRY(cuGraphClone, (CUgraph *clone, CUgraph handle), (clone, handle))
{
    rill_graph *graph, *made = NULL;
    CUresult status = si_graph(handle, &graph);
    if (!status && !clone) status = RILL_ERROR_INVALID_VALUE;
    if (!status) status = rill_graph_clone(graph, &made);
    if (status) return status;
    status = si_graph_handle(made, ((struct si_slot *)handle)->context, clone);
    if (status) rill_graph_destroy(&made);
    return status;
}

/* A node that the clone has not is NULL, as on the driver. */
ENTRY(cuGraphNodeFindInClone,
      (CUgraphNode *node, CUgraphNode original, CUgraph clone), (node, original, clone))
{
    rill_graph *graph, *from;
    CUresult status = si_graph(clone, &graph);
    if (!status) status = si_node_graph(original, &from);
    if (!status && !node) status = RILL_ERROR_INVALID_VALUE;
    if (status) return status;
    rill_node found = NULL;
    status = rill_graph_find_in_clone(graph, original, &found);
    *node = status ? NULL : found;
    return status;
}

/* ---- A picture ---------------------------------------------------------------------------- */

static int write_text(void *file, const char *text, size_t bytes)
{
    return fwrite(text, 1, bytes, file) != bytes;
}

ENTRY(cuGraphDebugDotPrint,
      (CUgraph handle, const char *path, unsigned flags), (handle, path, flags))
{
    rill_graph *graph;
    CUresult status = si_graph(handle, &graph);
    if (status) return status;
    if (!path) return RILL_ERROR_INVALID_VALUE;
    FILE *file = fopen(path, "we");
    if (!file) return RILL_ERROR_OPERATING_SYSTEM;
    status = rill_graph_write_dot(graph, flags, write_text, file);
    if (fclose(file) && !status) status = RILL_ERROR_OPERATING_SYSTEM;
    return status;
}
