/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of all groups of the suite.
 */
#include "conformance/groups.h"

/* One line each, sorted; SUITE_GROUP() in the file of that name defines it. */
#define GROUPS(group) \
    group(across_devices) \
    group(attachments) \
    group(box_limits) \
    group(callbacks) \
    group(capture_begin) \
    group(capture_broken) \
    group(capture_calls) \
    group(capture_causes) \
    group(capture_forks) \
    group(capture_graphs) \
    group(capture_legacy) \
    group(capture_lives) \
    group(capture_modes) \
    group(capture_operations) \
    group(capture_pools) \
    group(capture_ports) \
    group(capture_threads) \
    group(captured_events) \
    group(captured_functions) \
    group(captured_memory) \
    group(conditional_runs) \
    group(context_end) \
    group(contexts) \
    group(copies) \
    group(copy_boxes) \
    group(copy_waits) \
    group(default_streams) \
    group(device_memory) \
    group(device_nodes) \
    group(devices) \
    group(errors) \
    group(event_times) \
    group(event_waits) \
    group(events) \
    group(exec_copies) \
    group(exec_nodes) \
    group(exec_orders) \
    group(exec_running) \
    group(exec_shapes) \
    group(exec_switches) \
    group(exec_updates) \
    group(execs) \
    group(faults) \
    group(faults_across_devices) \
    group(faults_queued) \
    group(fills) \
    group(forks) \
    group(graph_child_sets) \
    group(graph_children) \
    group(graph_clones) \
    group(graph_contexts) \
    group(graph_edges) \
    group(graph_memory) \
    group(graph_memory_frees) \
    group(graph_memory_life) \
    group(graph_memory_nodes) \
    group(graph_runs) \
    group(graph_text) \
    group(graphs) \
    group(host_data) \
    group(host_function_calls) \
    group(host_functions) \
    group(inside_graphs) \
    group(inside_host_functions) \
    group(kernels) \
    group(launch_attributes) \
    group(launches) \
    group(legacy_stream) \
    group(managed_memory) \
    group(mapped_memory) \
    group(modules) \
    group(node_attributes) \
    group(node_conditionals) \
    group(node_copies) \
    group(node_events) \
    group(node_kernels) \
    group(node_runs) \
    group(node_values) \
    group(peer_copies) \
    group(peer_memory) \
    group(per_thread_streams) \
    group(pinned_memory) \
    group(pitched_memory) \
    group(pointers) \
    group(pool_release) \
    group(pool_reuse) \
    group(pools) \
    group(ptx_kernels) \
    group(replays) \
    group(statuses) \
    group(stream_attributes) \
    group(stream_memory) \
    group(stream_order) \
    group(stream_waits) \
    group(streams) \
    group(threads) \
    group(threads_and_events) \
    group(user_objects) \
    group(value_wait_arguments) \
    group(value_waits) \
    group(value_writes)

#define DECLARE(name) extern const struct suite_group name##_group;
GROUPS(DECLARE)

#define ADDRESS(name) &name##_group,
const struct suite_group *const suite_groups[] = { GROUPS(ADDRESS) };
const size_t suite_group_count = sizeof suite_groups / sizeof *suite_groups;
