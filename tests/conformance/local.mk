# What every backend must pass: a library of its own, and for each backend a program
# run_BACKEND.
if TESTS_ENABLED
check_LIBRARIES += %D%/libconformance.a
%C%_libconformance_a_SOURCES = \
  %D%/apart.c \
  %D%/apart.h \
  %D%/fixture.c \
  %D%/fixture.h \
  %D%/fixture_order.c \
  %D%/fixture_threads.c \
  %D%/groups.c \
  %D%/groups.h \
  %D%/held.c \
  %D%/held.h \
  %D%/nodes.c \
  %D%/nodes.h \
  %D%/suite.c \
  %D%/suite.h \
  %D%/work.c \
  %D%/work.h \
  %D%/captures/capture_begin.c \
  %D%/captures/capture_broken.c \
  %D%/captures/capture_calls.c \
  %D%/captures/capture_causes.c \
  %D%/captures/capture_forks.c \
  %D%/captures/capture_graphs.c \
  %D%/captures/capture_legacy.c \
  %D%/captures/capture_lives.c \
  %D%/captures/capture_modes.c \
  %D%/captures/capture_operations.c \
  %D%/captures/capture_pools.c \
  %D%/captures/capture_ports.c \
  %D%/captures/capture_threads.c \
  %D%/captures/captured_events.c \
  %D%/captures/captured_functions.c \
  %D%/captures/captured_memory.c \
  %D%/captures/capturing.c \
  %D%/captures/capturing.h \
  %D%/contexts/context_end.c \
  %D%/contexts/contexts.c \
  %D%/contexts/devices.c \
  %D%/execs/exec_copies.c \
  %D%/execs/exec_nodes.c \
  %D%/execs/exec_orders.c \
  %D%/execs/exec_running.c \
  %D%/execs/exec_shapes.c \
  %D%/execs/exec_switches.c \
  %D%/execs/exec_updates.c \
  %D%/execs/exec_work.c \
  %D%/execs/exec_work.h \
  %D%/execs/execs.c \
  %D%/execs/replays.c \
  %D%/faults/across_devices.c \
  %D%/faults/errors.c \
  %D%/faults/faults.c \
  %D%/faults/faults_across_devices.c \
  %D%/faults/faults_queued.c \
  %D%/faults/statuses.c \
  %D%/functions/callbacks.c \
  %D%/functions/host_data.c \
  %D%/functions/host_function_calls.c \
  %D%/functions/host_functions.c \
  %D%/functions/inside_host_functions.c \
  %D%/graphs/conditional_runs.c \
  %D%/graphs/device_nodes.c \
  %D%/graphs/drawing.c \
  %D%/graphs/drawing.h \
  %D%/graphs/graph_child_sets.c \
  %D%/graphs/graph_children.c \
  %D%/graphs/graph_clones.c \
  %D%/graphs/graph_contexts.c \
  %D%/graphs/graph_edges.c \
  %D%/graphs/graph_memory.c \
  %D%/graphs/graph_memory_frees.c \
  %D%/graphs/graph_memory_life.c \
  %D%/graphs/graph_memory_nodes.c \
  %D%/graphs/graph_runs.c \
  %D%/graphs/graph_text.c \
  %D%/graphs/graphs.c \
  %D%/graphs/inside_graphs.c \
  %D%/graphs/node_attributes.c \
  %D%/graphs/node_conditionals.c \
  %D%/graphs/node_copies.c \
  %D%/graphs/node_events.c \
  %D%/graphs/node_kernels.c \
  %D%/graphs/node_runs.c \
  %D%/graphs/node_values.c \
  %D%/graphs/user_objects.c \
  %D%/kernels/kernels.c \
  %D%/kernels/launch_attributes.c \
  %D%/kernels/launches.c \
  %D%/kernels/modules.c \
  %D%/kernels/ptx_kernels.c \
  %D%/memory/attachments.c \
  %D%/memory/box_limits.c \
  %D%/memory/copies.c \
  %D%/memory/copy_boxes.c \
  %D%/memory/copy_waits.c \
  %D%/memory/device_memory.c \
  %D%/memory/fills.c \
  %D%/memory/managed_memory.c \
  %D%/memory/mapped_memory.c \
  %D%/memory/peer_copies.c \
  %D%/memory/peer_memory.c \
  %D%/memory/pinned_memory.c \
  %D%/memory/pitched_memory.c \
  %D%/memory/pointers.c \
  %D%/memory/pool_release.c \
  %D%/memory/pool_reuse.c \
  %D%/memory/pools.c \
  %D%/memory/stream_memory.c \
  %D%/streams/default_streams.c \
  %D%/streams/event_times.c \
  %D%/streams/event_waits.c \
  %D%/streams/events.c \
  %D%/streams/forks.c \
  %D%/streams/legacy_stream.c \
  %D%/streams/per_thread_streams.c \
  %D%/streams/stream_attributes.c \
  %D%/streams/stream_order.c \
  %D%/streams/stream_waits.c \
  %D%/streams/streams.c \
  %D%/streams/threads.c \
  %D%/streams/threads_and_events.c \
  %D%/streams/value_wait_arguments.c \
  %D%/streams/value_waits.c \
  %D%/streams/value_writes.c

check_PROGRAMS += %D%/run_sim
%C%_run_sim_LDADD = %D%/libconformance.a $(LDADD)

if BACKEND_CUDA
check_PROGRAMS += %D%/run_cuda
%C%_run_cuda_SOURCES = \
  %D%/kernels_ptx.h \
  %D%/run_cuda.c
%C%_run_cuda_LDADD = %D%/libconformance.a $(LDADD)
endif
endif

EXTRA_DIST += \
  %D%/conditions.cu \
  %D%/kernels.cu \
  %D%/kernels.sh
