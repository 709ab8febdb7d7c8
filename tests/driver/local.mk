# Cases of the driver's own interface, over the stand-in of this build, which they find as
# any program does. They keep to the driver's header, not to the warnings of this project,
# and what checks memory and threads looks at the stand-in alone.
DRIVER_CASES = \
  %D%/graphs.h \
  %D%/oracle.c \
  %D%/oracle.h \
  %D%/scene.c \
  %D%/streams.h \
  %D%/capture/allocations.c \
  %D%/capture/begin_end.c \
  %D%/capture/broken.c \
  %D%/capture/captures.c \
  %D%/capture/captures.h \
  %D%/capture/copies.c \
  %D%/capture/dependencies.c \
  %D%/capture/events.c \
  %D%/capture/fork_join.c \
  %D%/capture/graph_launches.c \
  %D%/capture/kernels.c \
  %D%/capture/legacy_stream.c \
  %D%/capture/memory_operations.c \
  %D%/capture/modes.c \
  %D%/capture/modes.h \
  %D%/capture/order.c \
  %D%/capture/several.c \
  %D%/capture/status.c \
  %D%/capture/threads.c \
  %D%/capture/to_graph.c \
  %D%/capture/unjoined.c \
  %D%/capture/unsafe_calls.c \
  %D%/conditional/bodies.c \
  %D%/conditional/conditionals.c \
  %D%/conditional/conditionals.h \
  %D%/conditional/handles.c \
  %D%/conditional/nesting.c \
  %D%/conditional/nodes.c \
  %D%/conditional/other_calls.c \
  %D%/conditional/ownership.c \
  %D%/conditional/relaunches.c \
  %D%/conditional/runs.c \
  %D%/conditional/updates.c \
  %D%/contexts/calls.c \
  %D%/contexts/ends.c \
  %D%/contexts/ends.h \
  %D%/contexts/flags.c \
  %D%/contexts/parts.c \
  %D%/contexts/primary.c \
  %D%/contexts/stacks.c \
  %D%/errors/context_state.c \
  %D%/errors/context_state.h \
  %D%/errors/contexts.c \
  %D%/errors/devices.c \
  %D%/errors/failures.c \
  %D%/errors/functions.c \
  %D%/errors/no_context.c \
  %D%/exec/event_nodes.c \
  %D%/exec/executables.c \
  %D%/exec/executables.h \
  %D%/exec/host_nodes.c \
  %D%/exec/instantiation.c \
  %D%/exec/launches.c \
  %D%/exec/order.c \
  %D%/exec/streams.c \
  %D%/graph/child_graphs.c \
  %D%/graph/clones.c \
  %D%/graph/creation.c \
  %D%/graph/dependencies.c \
  %D%/graph/destroyed_nodes.c \
  %D%/graph/drawings.c \
  %D%/graph/graph_shapes.c \
  %D%/graph/graph_shapes.h \
  %D%/graph/inspection.c \
  %D%/graph/size.c \
  %D%/graph/user_objects.c \
  %D%/graph_memory/allocations.c \
  %D%/graph_memory/allocations.h \
  %D%/graph_memory/construction.c \
  %D%/graph_memory/device.c \
  %D%/graph_memory/life_times.c \
  %D%/graph_nodes/any_kind.c \
  %D%/graph_nodes/copies.c \
  %D%/graph_nodes/events_and_values.c \
  %D%/graph_nodes/kernel_attributes.c \
  %D%/graph_nodes/kernels.c \
  %D%/graph_nodes/memsets.c \
  %D%/graph_nodes/node_params.c \
  %D%/graph_nodes/node_params.h \
  %D%/memory/addresses.c \
  %D%/memory/copies.c \
  %D%/memory/held.h \
  %D%/memory/host_memory.c \
  %D%/memory/pointers.c \
  %D%/memory/pools.c \
  %D%/memory/stream_ordered.c \
  %D%/multi/captures.c \
  %D%/multi/copies.c \
  %D%/multi/devices.c \
  %D%/multi/events.c \
  %D%/multi/failures.c \
  %D%/multi/graphs.c \
  %D%/multi/memory.c \
  %D%/multi/two_devices.c \
  %D%/multi/two_devices.h \
  %D%/stream/attributes.c \
  %D%/stream/callbacks.c \
  %D%/stream/calls_from_functions.c \
  %D%/stream/default_streams.c \
  %D%/stream/events.c \
  %D%/stream/flags.c \
  %D%/stream/host_functions.c \
  %D%/stream/order.c \
  %D%/stream/threads.c \
  %D%/update/changes.c \
  %D%/update/changes.h \
  %D%/update/enabling.c \
  %D%/update/fills_and_copies.c \
  %D%/update/kernels.c \
  %D%/update/later_launches.c \
  %D%/update/other_nodes.c \
  %D%/update/replay.c \
  %D%/update/running.c \
  %D%/update/whole_graph.c \
  %D%/values/batches.c \
  %D%/values/order.c \
  %D%/values/pages.c \
  %D%/values/pages.h \
  %D%/values/single.c
EXTRA_DIST += \
  %D%/README.md \
  %D%/answers.awk \
  %D%/answers.sh \
  %D%/cond.cu \
  %D%/cond.ptx \
  %D%/differs.txt \
  %D%/expected.txt \
  %D%/kernels.c \
  %D%/kernels.cu \
  %D%/kernels.ptx \
  %D%/kernels.sh \
  %D%/standin.sh \
  $(DRIVER_CASES)
# Random sequences of the same calls.
RANDOM_SOURCES = \
  %D%/random/areas/area_capture.c \
  %D%/random/areas/area_conditional.c \
  %D%/random/areas/area_context.c \
  %D%/random/areas/area_exec.c \
  %D%/random/areas/area_graph.c \
  %D%/random/areas/area_memory.c \
  %D%/random/areas/area_stream.c \
  %D%/random/batch.c \
  %D%/random/areas/capture_calls.c \
  %D%/random/areas/capture_events.c \
  %D%/random/areas/capture_steps.h \
  %D%/random/areas/capture_streams.c \
  %D%/random/areas/capture_unsafe.c \
  %D%/random/areas/capture_work.c \
  %D%/random/areas/conditional_nodes.c \
  %D%/random/areas/conditional_run.c \
  %D%/random/areas/conditional_steps.h \
  %D%/random/areas/context_ask.c \
  %D%/random/areas/context_current.c \
  %D%/random/areas/context_life.c \
  %D%/random/areas/context_memory.c \
  %D%/random/areas/context_steps.h \
  %D%/random/areas/context_streams.c \
  %D%/random/dice.c \
  %D%/random/digest.c \
  %D%/random/areas/exec_change.c \
  %D%/random/areas/exec_run.c \
  %D%/random/areas/exec_steps.h \
  %D%/random/functions.c \
  %D%/random/areas/graph_ask.c \
  %D%/random/areas/graph_build.c \
  %D%/random/areas/graph_change.c \
  %D%/random/areas/graph_steps.h \
  %D%/random/graphs.c \
  %D%/random/lines.c \
  %D%/random/main.c \
  %D%/random/areas/memory_calls.c \
  %D%/random/areas/memory_graphs.c \
  %D%/random/areas/memory_pools.c \
  %D%/random/areas/memory_steps.h \
  %D%/random/areas/node_calls.c \
  %D%/random/areas/node_draw.c \
  %D%/random/areas/node_text.c \
  %D%/random/objects.c \
  %D%/random/peer.c \
  %D%/random/random.h \
  %D%/random/slots.c \
  %D%/random/areas/stream_life.c \
  %D%/random/areas/stream_order.c \
  %D%/random/areas/stream_steps.h \
  %D%/random/areas/stream_values.c \
  %D%/random/world.c \
  %D%/oracle.h \
  %D%/scene.c
EXTRA_DIST += \
  %D%/random/README.md \
  %D%/random.sh \
  %D%/random/compare.awk \
  %D%/random/open.txt \
  %D%/random/recorded.awk \
  %D%/random/recorded.txt \
  $(RANDOM_SOURCES)
if STANDIN
if HAVE_CUDA_13_H
EXTRA_PROGRAMS += %D%/oracle
check_DATA += %D%/oracle
DRIVER_TESTS = %D%/answers.sh %D%/random.sh
%C%_oracle_SOURCES = $(DRIVER_CASES)
%C%_oracle_CPPFLAGS = -D_GNU_SOURCE $(CUDA_CPPFLAGS)
%C%_oracle_CFLAGS = $(STD_CFLAGS) $(PTHREAD_CFLAGS) -Wall -Wextra -Wno-unused-parameter \
  -Wno-deprecated-declarations
%C%_oracle_LDADD = src/standin/libcuda.so.1 $(PTHREAD_LIBS)
EXTRA_%C%_oracle_DEPENDENCIES = src/standin/libcuda.so.1

EXTRA_PROGRAMS += %D%/random/random
check_DATA += %D%/random/random
%C%_random_random_SOURCES = $(RANDOM_SOURCES)
%C%_random_random_CPPFLAGS = -D_GNU_SOURCE $(CUDA_CPPFLAGS)
%C%_random_random_CFLAGS = $(STD_CFLAGS) $(PTHREAD_CFLAGS) -Wall -Wextra \
  -Wno-unused-function -Wno-deprecated-declarations
%C%_random_random_LDADD = src/standin/libcuda.so.1 $(PTHREAD_LIBS)
EXTRA_%C%_random_random_DEPENDENCIES = src/standin/libcuda.so.1

check_DATA += %D%/kernels.so
endif
endif
%D%/kernels.so: %D%/kernels.c $(KERNELS_LAYOUT)
	$(AM_V_CCLD)$(KERNELS_CC) $(srcdir)/%D%/kernels.c -o $@
CLEANFILES += %D%/kernels.so
