/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of calls (support/call_list.h): those of graphs, captures, execs and replays.
 */

/* ---- <rill/graph.h> --------------------------------------------------------------- */

CALL(rill_graph_create, "backend->graph->create", NULL, destroy_graph,
     ROLES(HANDLE(CONTEXT, w.context, "context"), POINTER(out, "graph")),
     a->w.context, NULL, a->out)
CALL(rill_graph_create_in, "backend->graph->create", NULL, destroy_graph,
     ROLES(HANDLE(PLATFORM, w.platform, "platform"), POINTER(out, "graph")),
     a->w.platform, NULL, a->out)
CALL(rill_graph_set_label, NULL, NULL, NULL,
     ROLES(HANDLE(GRAPH, w.graph, "graph")),
     a->w.graph, NULL)
CALL(rill_graph_add_node, "backend->graph->add_node", NULL, remove_node,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(nodes, "dependencies"), POINTER(op, "op"),
           POINTER(out, "node")),
     a->w.graph, a->nodes, 1, a->op, a->out)
CALL(rill_graph_add_node_with_edges, "backend->graph->add_node", NULL, remove_node,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(nodes, "dependencies"), POINTER(op, "op"),
           POINTER(out, "node")),
     a->w.graph, a->nodes, NULL, 1, a->op, a->out)
CALL(rill_graph_add_kernel, "backend->graph->add_node", NULL, remove_node,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(nodes, "dependencies"),
           HANDLE(KERNEL, w.kernel, "kernel"), POINTER(out, "node")),
     a->w.graph, a->nodes, 1, a->w.kernel, one, one, 0, kernel_params, a->out)
CALL(rill_graph_add_memcpy, "backend->graph->add_node", NULL, remove_node,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(nodes, "dependencies"), POINTER(copy, "copy"),
           POINTER(out, "node")),
     a->w.graph, a->nodes, 1, a->copy, a->out)
CALL(rill_graph_add_memset, "backend->graph->add_node", NULL, remove_node,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(nodes, "dependencies"), POINTER(fill, "fill"),
           POINTER(out, "node")),
     a->w.graph, a->nodes, 1, a->fill, a->out)
CALL(rill_graph_add_host, "backend->graph->add_node", NULL, remove_node,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(nodes, "dependencies"), POINTER(fn, "fn"),
           POINTER(out, "node")),
     a->w.graph, a->nodes, 1, a->fn, NULL, NULL, a->out)
CALL(rill_graph_add_child, "backend->graph->add_node", NULL, remove_node,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(nodes, "dependencies"),
           HANDLE(GRAPH, peer.graph, "child"), POINTER(out, "node")),
     a->w.graph, a->nodes, 1, a->peer.graph, 0, a->out)
CALL(rill_graph_add_empty, "backend->graph->add_node", NULL, remove_node,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(nodes, "dependencies"), POINTER(out, "node")),
     a->w.graph, a->nodes, 1, a->out)
CALL(rill_graph_add_event_wait, "backend->graph->add_node", NULL, remove_node,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(nodes, "dependencies"),
           HANDLE(EVENT, w.event, "event"), POINTER(out, "node")),
     a->w.graph, a->nodes, 1, a->w.event, a->out)
CALL(rill_graph_add_event_record, "backend->graph->add_node", NULL, remove_node,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(nodes, "dependencies"),
           HANDLE(EVENT, w.event, "event"), POINTER(out, "node")),
     a->w.graph, a->nodes, 1, a->w.event, a->out)
CALL(rill_graph_add_alloc, "backend->graph->add_node", NULL, remove_node,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(nodes, "dependencies"),
           POINTER(more_out, "address"), POINTER(out, "node")),
     a->w.graph, a->nodes, 1, 64, a->more_out, a->out)
CALL(rill_graph_add_free, "backend->graph->add_node", NULL, remove_node,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(nodes, "dependencies"), POINTER(out, "node")),
     a->w.graph, a->nodes, 1, 4096, a->out)
CALL(rill_graph_add_values, "backend->graph->add_node", NULL, remove_node,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(nodes, "dependencies"), POINTER(items, "items"),
           POINTER(out, "node")),
     a->w.graph, a->nodes, 1, a->items, 1, 0, a->out)
CALL(rill_graph_add_conditional, "backend->graph->add_node", NULL, remove_node,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(nodes, "dependencies"),
           POINTER(more_out, "bodies"), POINTER(out, "node")),
     a->w.graph, a->nodes, 1, 1, RILL_CONDITIONAL_IF, 1, a->more_out, a->out)
CALL(rill_graph_remove_node, "backend->graph->remove_node", add_node, NULL,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), NODE(extra_node, "node")),
     a->w.graph, a->extra_node)
CALL(rill_graph_add_edges, "backend->graph->add_edges", NULL, NULL,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(nodes, "from"), POINTER(more_nodes, "to")),
     a->w.graph, a->nodes, a->more_nodes, NULL, 1)
CALL(rill_graph_remove_edges, "backend->graph->remove_edges", NULL, NULL,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(nodes, "from"), POINTER(more_nodes, "to")),
     a->w.graph, a->nodes, a->more_nodes, NULL, 1)
CALL(rill_graph_nodes, "backend->graph->nodes", NULL, NULL,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(out, "count")),
     a->w.graph, NULL, a->out)
CALL(rill_graph_roots, "backend->graph->roots", NULL, NULL,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(out, "count")),
     a->w.graph, NULL, a->out)
CALL(rill_graph_edges, "backend->graph->edges", NULL, NULL,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(out, "count")),
     a->w.graph, NULL, NULL, NULL, a->out)
CALL(rill_node_dependencies, "backend->graph->dependencies", NULL, NULL,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), NODE(w.node, "node"), POINTER(out, "count")),
     a->w.graph, a->w.node, NULL, NULL, a->out)
CALL(rill_node_dependents, "backend->graph->dependents", NULL, NULL,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), NODE(w.node, "node"), POINTER(out, "count")),
     a->w.graph, a->w.node, NULL, NULL, a->out)
CALL(rill_node_kind, "backend->graph->node_kind", NULL, NULL,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), NODE(w.node, "node"), POINTER(out, "kind")),
     a->w.graph, a->w.node, a->out)
CALL(rill_node_get_op, "backend->graph->get_op", NULL, NULL,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), NODE(w.node, "node"), POINTER(out, "op")),
     a->w.graph, a->w.node, a->out)
CALL(rill_node_set_op, "backend->graph->set_op", NULL, NULL,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), NODE(w.node, "node"), POINTER(op, "op")),
     a->w.graph, a->w.node, a->op)
CALL(rill_node_get_attribute, "backend->graph->get_attribute", NULL, NULL,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), NODE(w.node, "node"), POINTER(attribute, "attribute")),
     a->w.graph, a->w.node, a->attribute)
CALL(rill_node_set_attribute, "backend->graph->set_attribute", NULL, NULL,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), NODE(w.node, "node"), POINTER(attribute, "attribute")),
     a->w.graph, a->w.node, a->attribute)
CALL(rill_node_copy_attributes, "backend->graph->copy_attributes", NULL, NULL,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), NODE(w.node, "dst"), NODE(w.child_node, "src")),
     a->w.graph, a->w.node, a->w.child_node)
CALL(rill_node_set_label, "backend->graph->set_node_label", NULL, NULL,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), NODE(w.node, "node")),
     a->w.graph, a->w.node, NULL)
CALL(rill_node_child_graph, "backend->graph->child", NULL, NULL,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), NODE(w.child_node, "node"), POINTER(out, "child")),
     a->w.graph, a->w.child_node, a->out)
CALL(rill_graph_clone, "backend->graph->clone", NULL, destroy_graph,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(out, "clone")),
     a->w.graph, a->out)
CALL(rill_graph_find_in_clone, "backend->graph->find_in_clone", NULL, NULL,
     ROLES(HANDLE(GRAPH, w.graph, "clone"), NODE(w.node, "original"), POINTER(out, "node")),
     a->w.graph, a->w.node, a->out)
CALL(rill_graph_write_dot, "backend->graph->write_dot", NULL, NULL,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(write, "write")),
     a->w.graph, 0, a->write, NULL)
CALL(rill_conditional_create, "backend->graph->conditional", NULL, NULL,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(out, "handle")),
     a->w.graph, 0, 0, a->out)
CALL(rill_user_object_create, "backend->graph->user_object_create", NULL, release_object,
     ROLES(HANDLE(PLATFORM, w.platform, "platform"), POINTER(destroy, "destroy"),
           POINTER(out, "object")),
     a->w.platform, NULL, a->destroy, 1, a->out)
CALL(rill_user_object_retain, "backend->graph->user_object_retain", NULL, release_reference,
     ROLES(HANDLE(USER_OBJECT, w.object, "object")),
     a->w.object, 1)
CALL(rill_graph_retain_user_object, "backend->graph->retain", NULL, release_from_graph,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), HANDLE(USER_OBJECT, w.object, "object")),
     a->w.graph, a->w.object, 1, 0)
CALL(rill_graph_release_user_object, "backend->graph->release", retain_in_graph, NULL,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), HANDLE(USER_OBJECT, w.object, "object")),
     a->w.graph, a->w.object, 1)
CALL(rill_device_get_graph_memory, "backend->graph->get_memory", NULL, NULL,
     ROLES(HANDLE(PLATFORM, w.platform, "platform"), POINTER(out, "value")),
     a->w.platform, 0, RILL_GRAPH_MEMORY_USED_HIGH, a->out)
CALL(rill_device_set_graph_memory, "backend->graph->set_memory", NULL, NULL,
     ROLES(HANDLE(PLATFORM, w.platform, "platform")),
     a->w.platform, 0, RILL_GRAPH_MEMORY_USED_HIGH, 0)
CALL(rill_device_trim_graph_memory, "backend->graph->trim_memory", NULL, NULL,
     ROLES(HANDLE(PLATFORM, w.platform, "platform")),
     a->w.platform, 0)

/* ---- <rill/capture.h> ------------------------------------------------------------- */

CALL(rill_stream_begin_capture, "backend->capture->begin", NULL, end_capture,
     ROLES(HANDLE(STREAM, w.stream, "stream")),
     a->w.stream, NULL)
CALL(rill_stream_end_capture, "backend->capture->end", begin_capture, destroy_graph,
     ROLES(HANDLE(STREAM, w.stream, "stream")),
     a->w.stream, a->out)
CALL(rill_stream_capture_info, "backend->capture->info", NULL, NULL,
     ROLES(HANDLE(STREAM, w.stream, "stream"), POINTER(capture_info, "info")),
     a->w.stream, a->capture_info)
CALL(rill_stream_update_capture, "backend->capture->update", NULL, NULL,
     ROLES(HANDLE(STREAM, w.stream, "stream"), POINTER(nodes, "dependencies")),
     a->w.stream, a->nodes, NULL, 1, RILL_CAPTURE_ADD)
CALL(rill_thread_exchange_capture_mode, "backend->capture->exchange_mode", set_mode, NULL,
     ROLES(HANDLE(PLATFORM, w.platform, "platform"), POINTER(out, "mode")),
     a->w.platform, a->out)
CALL(rill_capture, "backend->capture->end", NULL, destroy_graph,
     ROLES(HANDLE(STREAM, w.stream, "stream"), POINTER(step, "fn"), POINTER(out, "graph")),
     a->w.stream, NULL, a->step, NULL, a->out)
CALL_AS(rill_capture_relax, "backend->capture->exchange_mode", NULL, restore_mode,
     ROLES(HANDLE(PLATFORM, w.platform, "platform")))

/* ---- <rill/exec.h> ---------------------------------------------------------------- */

CALL(rill_exec_create, "backend->exec->create", NULL, destroy_exec,
     ROLES(HANDLE(GRAPH, w.graph, "graph"), POINTER(out, "exec")),
     a->w.graph, NULL, a->out)
CALL(rill_exec_launch, "backend->exec->launch", NULL, NULL,
     ROLES(HANDLE(EXEC, w.exec, "exec"), HANDLE(STREAM, w.stream, "stream")),
     a->w.exec, a->w.stream)
CALL(rill_exec_upload, "backend->exec->upload", NULL, NULL,
     ROLES(HANDLE(EXEC, w.exec, "exec"), HANDLE(STREAM, w.stream, "stream")),
     a->w.exec, a->w.stream)
CALL(rill_exec_flags, "backend->exec->flags", NULL, NULL,
     ROLES(HANDLE(EXEC, w.exec, "exec"), POINTER(out, "flags")),
     a->w.exec, a->out)
CALL(rill_exec_bytes, "backend->exec->bytes", NULL, NULL,
     ROLES(HANDLE(EXEC, w.exec, "exec"), POINTER(out, "bytes")),
     a->w.exec, a->out)
CALL(rill_exec_set_op, "backend->exec->set_op", NULL, NULL,
     ROLES(HANDLE(EXEC, w.exec, "exec"), NODE(w.node, "node"), POINTER(op, "op")),
     a->w.exec, a->w.node, a->op)
CALL(rill_exec_set_enabled, "backend->exec->set_enabled", NULL, NULL,
     ROLES(HANDLE(EXEC, w.exec, "exec"), NODE(w.node, "node")),
     a->w.exec, a->w.node, 1)
CALL(rill_exec_get_enabled, "backend->exec->get_enabled", NULL, NULL,
     ROLES(HANDLE(EXEC, w.exec, "exec"), NODE(w.node, "node"), POINTER(out, "enabled")),
     a->w.exec, a->w.node, a->out)
CALL(rill_exec_update, "backend->exec->update", NULL, NULL,
     ROLES(HANDLE(EXEC, w.exec, "exec"), HANDLE(GRAPH, peer.graph, "graph")),
     a->w.exec, a->peer.graph, NULL)
CALL(rill_exec_set_label, NULL, NULL, NULL,
     ROLES(HANDLE(EXEC, w.exec, "exec")),
     a->w.exec, NULL)

/* ---- <rill/replay.h> -------------------------------------------------------------- */

CALL(rill_replay_create, NULL, NULL, destroy_replay,
     ROLES(HANDLE(CONTEXT, w.context, "context"), POINTER(step, "step"), POINTER(out, "replay")),
     a->w.context, NULL, a->step, NULL, NULL, a->out)
CALL(rill_replay_clear, NULL, NULL, NULL,
     ROLES(HANDLE(REPLAY, w.replay, "replay")),
     a->w.replay)
CALL(rill_replay_get_info, NULL, NULL, NULL,
     ROLES(HANDLE(REPLAY, w.replay, "replay"), POINTER(replay_info, "info")),
     a->w.replay, a->replay_info)
CALL(rill_replay_set_label, NULL, NULL, NULL,
     ROLES(HANDLE(REPLAY, w.replay, "replay")),
     a->w.replay, NULL)
