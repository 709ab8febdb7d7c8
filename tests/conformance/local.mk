# What every backend must pass: a library of its own, and for each backend a program
# run_BACKEND.
if TESTS_ENABLED
check_LIBRARIES += %D%/libconformance.a
%C%_libconformance_a_SOURCES = \
  %D%/across_devices.c \
  %D%/apart.c \
  %D%/apart.h \
  %D%/attachments.c \
  %D%/box_limits.c \
  %D%/callbacks.c \
  %D%/capture_begin.c \
  %D%/capture_broken.c \
  %D%/capture_calls.c \
  %D%/capture_causes.c \
  %D%/capture_forks.c \
  %D%/capture_graphs.c \
  %D%/capture_legacy.c \
  %D%/capture_lives.c \
  %D%/capture_modes.c \
  %D%/capture_operations.c \
  %D%/capture_pools.c \
  %D%/capture_ports.c \
  %D%/capture_threads.c \
  %D%/captured_events.c \
  %D%/captured_functions.c \
  %D%/captured_memory.c \
  %D%/capturing.c \
  %D%/capturing.h \
  %D%/conditional_runs.c \
  %D%/context_end.c \
  %D%/contexts.c \
  %D%/copies.c \
  %D%/copy_boxes.c \
  %D%/copy_waits.c \
  %D%/default_streams.c \
  %D%/device_memory.c \
  %D%/device_nodes.c \
  %D%/devices.c \
  %D%/drawing.c \
  %D%/drawing.h \
  %D%/errors.c \
  %D%/event_times.c \
  %D%/event_waits.c \
  %D%/events.c \
  %D%/exec_copies.c \
  %D%/exec_nodes.c \
  %D%/exec_orders.c \
  %D%/exec_running.c \
  %D%/exec_shapes.c \
  %D%/exec_switches.c \
  %D%/exec_updates.c \
  %D%/exec_work.c \
  %D%/exec_work.h \
  %D%/execs.c \
  %D%/faults.c \
  %D%/faults_across_devices.c \
  %D%/faults_queued.c \
  %D%/fills.c \
  %D%/fixture.c \
  %D%/fixture.h \
  %D%/fixture_threads.c \
  %D%/forks.c \
  %D%/graph_child_sets.c \
  %D%/graph_children.c \
  %D%/graph_clones.c \
  %D%/graph_contexts.c \
  %D%/graph_edges.c \
  %D%/graph_memory.c \
  %D%/graph_memory_frees.c \
  %D%/graph_memory_life.c \
  %D%/graph_memory_nodes.c \
  %D%/graph_runs.c \
  %D%/graph_text.c \
  %D%/graphs.c \
  %D%/host_data.c \
  %D%/host_function_calls.c \
  %D%/host_functions.c \
  %D%/inside_graphs.c \
  %D%/inside_host_functions.c \
  %D%/kernels.c \
  %D%/launch_attributes.c \
  %D%/launches.c \
  %D%/legacy_stream.c \
  %D%/modules.c \
  %D%/node_attributes.c \
  %D%/node_conditionals.c \
  %D%/node_copies.c \
  %D%/node_events.c \
  %D%/node_kernels.c \
  %D%/node_runs.c \
  %D%/node_values.c \
  %D%/nodes.c \
  %D%/nodes.h \
  %D%/peer_copies.c \
  %D%/peer_memory.c \
  %D%/per_thread_streams.c \
  %D%/pinned_memory.c \
  %D%/pitched_memory.c \
  %D%/pointers.c \
  %D%/pool_release.c \
  %D%/pool_reuse.c \
  %D%/pools.c \
  %D%/ptx_kernels.c \
  %D%/replays.c \
  %D%/statuses.c \
  %D%/stream_attributes.c \
  %D%/stream_memory.c \
  %D%/stream_order.c \
  %D%/stream_waits.c \
  %D%/streams.c \
  %D%/suite.c \
  %D%/suite.h \
  %D%/threads.c \
  %D%/threads_and_events.c \
  %D%/user_objects.c \
  %D%/value_wait_arguments.c \
  %D%/value_waits.c \
  %D%/value_writes.c \
  %D%/work.c \
  %D%/work.h

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
