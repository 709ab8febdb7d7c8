/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/exec.h>: graphs made ready to launch.
 */
#ifndef RILL_EXEC_H
#define RILL_EXEC_H

#include <rill/graph.h>

RILL_BEGIN_DECLS

/* The driver's numbers. */
enum {
    RILL_EXEC_AUTO_FREE = 0x1,
    RILL_EXEC_UPLOAD = 0x2,
    RILL_EXEC_DEVICE_LAUNCH = 0x4,
    RILL_EXEC_NODE_PRIORITY = 0x8
};

typedef enum rill_exec_result {
    RILL_EXEC_OK = 0,
    RILL_EXEC_ERROR = 1,
    RILL_EXEC_INVALID_STRUCTURE = 2,
    RILL_EXEC_NODE_NOT_SUPPORTED = 3,
    RILL_EXEC_MULTIPLE_CONTEXTS = 4,
    RILL_EXEC_CONDITIONAL_UNUSED = 5
} rill_exec_result;

typedef struct rill_exec_options {
    size_t size;
    uint32_t flags;             /* RILL_EXEC_*               */
    rill_stream *upload_stream; /* with RILL_EXEC_UPLOAD     */
    const char *label;
    rill_context *context;      /* NULL: the one that the graph was made in */
    rill_exec_result result;    /* out: why it failed        */
    rill_node failing_node;     /* out: the node, or 0       */
} rill_exec_options;

/* The exec shares nothing with the graph.  NULL options: no flags.  The exec ends with its
 * context; that may be another one than the graph was made in, and has to be where that is
 * gone or there is none.  A graph that
 * has memory or conditional nodes has one exec at a time.  With
 * RILL_EXEC_DEVICE_LAUNCH it holds what bodies of conditionals may hold, but for empty
 * nodes and conditionals, and is not empty. */
RILL_API rill_status rill_exec_create(rill_graph *graph, rill_exec_options *options,
                                      rill_exec **exec);

/* Launches in flight go on. */
RILL_API rill_status rill_exec_destroy(rill_exec **exec);

/* Behind the stream's earlier work and behind earlier launches of the exec.  Not in a
 * stream that captures, which breaks the capture even when `exec` is none; permitted
 * inside host functions, in streams other than the default ones. */
RILL_API rill_status rill_exec_launch(rill_exec *exec, rill_stream *stream);
RILL_API rill_status rill_exec_upload(rill_exec *exec, rill_stream *stream);
RILL_API rill_status rill_exec_flags(rill_exec *exec, uint32_t *flags);

/* The memory that it takes on the host, beside what its nodes allocate. */
RILL_API rill_status rill_exec_bytes(rill_exec *exec, size_t *bytes);

/* Changes what `node`, of the graph that the exec was made from, does from the
 * next launch on.  Hardware wants that graph to be there still, and changes attributes
 * of a kernel only with the whole: other ones than the node has are not supported. */
RILL_API rill_status rill_exec_set_op(rill_exec *exec, rill_node node, const rill_op *op);
RILL_API rill_status rill_exec_set_enabled(rill_exec *exec, rill_node node, int enabled);
RILL_API rill_status rill_exec_get_enabled(rill_exec *exec, rill_node node, int *enabled);

typedef enum rill_update_reason {
    RILL_UPDATE_SUCCESS = 0,
    RILL_UPDATE_ERROR = 1,
    RILL_UPDATE_TOPOLOGY_CHANGED = 2,
    RILL_UPDATE_NODE_TYPE_CHANGED = 3,
    RILL_UPDATE_FUNCTION_CHANGED = 4,
    RILL_UPDATE_PARAMETERS_CHANGED = 5,
    RILL_UPDATE_NOT_SUPPORTED = 6,
    RILL_UPDATE_UNSUPPORTED_FUNCTION_CHANGE = 7,
    RILL_UPDATE_ATTRIBUTES_CHANGED = 8
} rill_update_reason;

typedef struct rill_update_result {
    rill_update_reason reason;
    rill_node node;      /* of the new graph, that could not be taken over */
    rill_node from_node; /* the node it depends on, where the edge is at fault */
} rill_update_result;

/* Takes over every parameter of a graph of the same shape.  When it is refused
 * the exec is as it was.  `result` may be NULL. */
RILL_API rill_status rill_exec_update(rill_exec *exec, rill_graph *graph,
                                      rill_update_result *result);

/* What error records call the exec; copied, and NULL for its number alone.  What was
 * asked for stays readable as long as the exec is. */
RILL_API rill_status rill_exec_set_label(rill_exec *exec, const char *label);
RILL_API const char *rill_exec_label(const rill_exec *exec);

RILL_END_DECLS

#endif
