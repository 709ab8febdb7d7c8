/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/exec.h>: graphs made ready to launch.
 */
#ifndef RILL_EXEC_H
#define RILL_EXEC_H

#include <rill/graph.h>

RILL_BEGIN_DECLS

/* The numbers are the driver's. */
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
    rill_context *context;      /* NULL: the context that the graph was made in */
    rill_exec_result result;    /* out: why the call failed  */
    rill_node failing_node;     /* out: the node at fault, or NULL */
} rill_exec_options;

/* Makes a graph ready to launch.  The exec shares nothing with the graph.  NULL options
 * stand for no flags.
 *
 * The exec ends with its context.  That may be another context than the graph's own,
 * and must be if the graph's own is gone or the graph has none.  A graph with memory or
 * conditional nodes has one exec at a time.  With RILL_EXEC_DEVICE_LAUNCH the graph may
 * hold what the bodies of conditionals may hold, except empty nodes and conditionals,
 * and must not be empty. */
RILL_API rill_status rill_exec_create(rill_graph *graph, rill_exec_options *options,
                                      rill_exec **exec);

/* Destroys the exec.  Launches in flight go on. */
RILL_API rill_status rill_exec_destroy(rill_exec **exec);

/* Launches the exec after the stream's earlier work and after earlier launches of the
 * same exec.  In a stream that captures the call is refused and breaks the capture,
 * even if `exec` is no exec.  It is permitted inside host functions, in streams other
 * than the default ones. */
RILL_API rill_status rill_exec_launch(rill_exec *exec, rill_stream *stream);

/* Prepares the exec's next launch ahead of time, in the order of the stream, under the
 * same conditions. */
RILL_API rill_status rill_exec_upload(rill_exec *exec, rill_stream *stream);

/* Returns the exec's flags. */
RILL_API rill_status rill_exec_flags(rill_exec *exec, uint32_t *flags);

/* Returns how much host memory the exec takes, not counting what its nodes allocate. */
RILL_API rill_status rill_exec_bytes(rill_exec *exec, size_t *bytes);

/* Changes what `node` does, or whether it runs, from the next launch on.  `node`
 * belongs to the graph that the exec was made from.  On hardware that graph must still
 * exist.  The attributes of a kernel change only in an update of the whole exec: a call
 * that gives other attributes than the node has is refused as not supported. */
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
    rill_node node;      /* the node of the new graph that could not be taken over */
    rill_node from_node; /* the node before it, if the edge between them is at fault */
} rill_update_result;

/* Returns the name of a reason, such as "RILL_UPDATE_TOPOLOGY_CHANGED", or NULL if the
 * number is no reason. */
RILL_API const char *rill_update_reason_name(rill_update_reason reason);

/* Returns a few words on what the reason means, or NULL if the number is no reason. */
RILL_API const char *rill_update_reason_string(rill_update_reason reason);

/* Takes over every parameter of a graph of the same shape.  If the update is refused,
 * the exec stays as it was.  `result` may be NULL. */
RILL_API rill_status rill_exec_update(rill_exec *exec, rill_graph *graph,
                                      rill_update_result *result);

/* Sets, or returns, the name that error records use for the exec.  The label is copied;
 * after NULL, records use the exec's number.  A label that was returned stays readable
 * for as long as the exec exists. */
RILL_API rill_status rill_exec_set_label(rill_exec *exec, const char *label);
RILL_API const char *rill_exec_label(const rill_exec *exec);

RILL_END_DECLS

#endif
