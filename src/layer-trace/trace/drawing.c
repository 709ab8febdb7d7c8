/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-trace/trace/drawing.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>

#include "layer-trace/trace/settings.h"

/* Returns 0 if all was written. */
static int put_text(void *data, const char *text, size_t bytes)
{
    return fwrite(text, 1, bytes, data) != bytes;
}

void tr_drawing_write(const char *folder, const struct rill_backend *beneath, rill_graph *graph)
{
    static atomic_uint graphs;
    char path[TR_PATH_MAX + 32];
    if (!beneath->graph->write_dot) return;
    mkdir(folder, 0777);
    snprintf(path, sizeof path, "%s/graph-%u.dot", folder, atomic_fetch_add(&graphs, 1) + 1);
    FILE *file = fopen(path, "we");
    if (!file) return;
    const uint32_t flags = RILL_DOT_KERNEL_PARAMS | RILL_DOT_MEMCPY_PARAMS | RILL_DOT_MEMSET_PARAMS;
    beneath->graph->write_dot(graph, flags, put_text, file);
    fclose(file);
}
