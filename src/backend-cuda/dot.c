/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs as Graphviz text: the driver's, by way of a temporary file, since it writes
 * nowhere else.  Flags are the driver's numbers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <fcntl.h>
#include <unistd.h>

#include "backend-cuda/graph.h"
#include "base/thread.h"

#define PIECE 4096

static rill_status no_file(const char *path)
{
    return rill_backend_fail(RILL_ERROR_OPERATING_SYSTEM, NULL,
                             "no temporary file %.200s, which the driver needs to write to; set "
                             "$TMPDIR", path);
}

/* An empty file that is ours alone. */
static int make_file(char *path, size_t size)
{
    const char *folder = rl_getenv("TMPDIR");
    if (!folder || !*folder) folder = "/tmp";
    int length = snprintf(path, size, "%s/rill-dot-XXXXXX", folder);
    if (length < 0 || (size_t)length >= size) return -1;
    return mkostemp(path, O_CLOEXEC);
}

static rill_status hand_on(int file, rill_write_fn write, void *data)
{
    char piece[PIECE];
    ssize_t bytes;
    while ((bytes = read(file, piece, sizeof piece)) > 0)
        if (write(data, piece, (size_t)bytes))
            return rill_backend_fail(RILL_ERROR_OPERATING_SYSTEM, "write",
                                     "write did not take the text");
    return bytes ? no_file("to read from") : RILL_SUCCESS;
}

rill_status cuda_graph_write_dot(rill_graph *handle, uint32_t flags, rill_write_fn write,
                                 void *data)
{
    char path[1024] = "";
    int file = make_file(path, sizeof path);
    if (file < 0) return no_file(path);
    rill_status status = cuda_end_with(
        cuda_api.GraphDebugDotPrint(cuda_graph_of(handle)->raw, path, flags),
        "cuGraphDebugDotPrint", "graph");
    if (!status) status = hand_on(file, write, data);
    close(file);
    unlink(path);
    return status;
}
