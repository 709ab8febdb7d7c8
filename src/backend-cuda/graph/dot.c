/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs as Graphviz text: the driver's, by way of a temporary file, since the driver writes
 * nowhere else.  Flags are the driver's numbers.
 *
 * Labels are rill's: they stand at the end, as statements about nodes that the text has.  The
 * driver tells what it calls a node if it is asked for handles.
 */
#include "backend-cuda/graph/dot.h"

#include <stdio.h>
#include <stdlib.h>
#include <fcntl.h>
#include <unistd.h>

#include "backend-cuda/graph/calls.h"
#include "base/alloc.h"
#include "base/thread.h"

/* ---- Files ------------------------------------------------------------------------------ */

static rill_status refuse_file(const char *path)
{
    return rill_backend_fail(RILL_ERROR_OPERATING_SYSTEM, NULL,
                             "no temporary file %.200s, which the driver needs to write to; set "
                             "$TMPDIR", path);
}

/* Makes an empty file that no other process has.  Returns -1 if that fails. */
static int make_file(char *path, size_t size)
{
    const char *folder = rl_getenv("TMPDIR");
    if (!folder || !*folder) folder = "/tmp";
    int length = snprintf(path, size, "%s/rill-dot-XXXXXX", folder);
    if (length < 0 || (size_t)length >= size) return -1;
    return mkostemp(path, O_CLOEXEC);
}

static rill_status read_file(int file, const char *path, char **text, size_t *bytes)
{
    off_t size = lseek(file, 0, SEEK_END);
    ssize_t part = 1;
    if (size < 0) return refuse_file(path);
    *text = rl_alloc((size_t)size + 1);
    if (!*text) return RILL_ERROR_OUT_OF_MEMORY;
    for (*bytes = 0; part > 0 && *bytes < (size_t)size; *bytes += part > 0 ? (size_t)part : 0)
        part = pread(file, *text + *bytes, (size_t)size - *bytes, (off_t)*bytes);
    (*text)[*bytes] = '\0';
    return RILL_SUCCESS;
}

/* Gives the driver's text, which is the caller's to rl_free(). */
static rill_status print_graph(CUgraph raw, uint32_t flags, char **text, size_t *bytes)
{
    char path[1024] = "";
    int file = make_file(path, sizeof path);
    if (file < 0) return refuse_file(path);
    rill_status status = cuda_end_with(cuda_api.GraphDebugDotPrint(raw, path, flags),
                                       "cuGraphDebugDotPrint", "graph");
    if (!status) status = read_file(file, path, text, bytes);
    close(file);
    unlink(path);
    return status;
}

/* ---- Pieces ------------------------------------------------------------------------------- */

void cuda_dot_put(struct cuda_dot *dot, const char *text, size_t bytes)
{
    while (bytes && !dot->refused) {
        size_t piece = bytes < CUDA_DOT_PIECE ? bytes : CUDA_DOT_PIECE;
        dot->refused = dot->write(dot->data, text, piece) != 0;
        text += piece;
        bytes -= piece;
    }
}

/* Returns the place of the brace that closes the graph. */
static size_t find_last_brace(const char *text, size_t bytes)
{
    size_t at = bytes;
    while (at && text[at - 1] != '}') at--;
    return at ? at - 1 : bytes;
}

rill_status cuda_graph_write_dot(rill_graph *handle, uint32_t flags, rill_write_fn write,
                                 void *data)
{
    struct cuda_graph *graph = cuda_graph_of(handle);
    struct cuda_dot dot = { .write = write, .data = data };
    char *text = NULL, *names = NULL;
    size_t bytes = 0, unused;
    rill_status status = print_graph(graph->raw, flags, &text, &bytes);
    if (!status && cuda_any_label(graph))
        status = print_graph(graph->raw, flags | RILL_DOT_HANDLES, &names, &unused);
    if (!status) {
        size_t end = find_last_brace(text, bytes);
        cuda_dot_put(&dot, text, end);
        cuda_dot_labels(&dot, graph, names);
        cuda_dot_put(&dot, text + end, bytes - end);
    }
    rl_free(text);
    rl_free(names);
    if (!status && dot.refused)
        return rill_backend_fail(RILL_ERROR_OPERATING_SYSTEM, "write",
                                 "write did not take the text");
    return status;
}
