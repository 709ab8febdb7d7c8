# Every test prints TAP. A new test program is a line in check_PROGRAMS, if its
# source has the same name; otherwise add a line  %C%_NAME_SOURCES = …  too. All
# programs share flags (AM_CFLAGS) and libraries (LDADD), so they need no others.
# What several of them use is in libsupport.a. The conformance suite is in a library
# of its own, and for each backend there is a program conformance/run_BACKEND.
TEST_EXTENSIONS = .sh
LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
LOG_COMPILER = $(SHELL) $(srcdir)/%D%/run.sh
SH_LOG_DRIVER = $(LOG_DRIVER)
SH_LOG_COMPILER = $(SHELL)
AM_TESTS_ENVIRONMENT = \
  CMOCKA_MESSAGE_OUTPUT=TAP; export CMOCKA_MESSAGE_OUTPUT; \
  RILL_TEST_EXAMPLES='$(EXAMPLES)'; export RILL_TEST_EXAMPLES;

check_DATA = %D%/config.sh

if TESTS_ENABLED
AM_CFLAGS += $(CMOCKA_CFLAGS)
LDADD = %D%/libsupport.a librill-all.la $(CMOCKA_LIBS)

check_LIBRARIES += %D%/libsupport.a
%C%_libsupport_a_SOURCES = \
  %D%/ptx/answers.c \
  %D%/ptx/answers.h \
  %D%/ptx/apply.c \
  %D%/ptx/arithmetic.c \
  %D%/ptx/arithmetic.h \
  %D%/ptx/exact.c \
  %D%/ptx/exact.h \
  %D%/ptx/machine.c \
  %D%/ptx/machine.h \
  %D%/ptx/reading.c \
  %D%/ptx/reading.h \
  %D%/ptx/rounding.c \
  %D%/ptx/rounding.h \
  %D%/ptx/steps.c \
  %D%/ptx/steps.h \
  %D%/random/act.c \
  %D%/support/call_list.h \
  %D%/support/calls.c \
  %D%/support/calls.h \
  %D%/random/graph_plan.c \
  %D%/random/graph_plan.h \
  %D%/random/graph_act.c \
  %D%/random/graph_build.c \
  %D%/random/graph_draw.c \
  %D%/random/graph_play.h \
  %D%/random/graph_run.c \
  %D%/support/cmocka_all.h \
  %D%/random/generator.h \
  %D%/support/fake_backend.c \
  %D%/support/fake_backend.h \
  %D%/support/full_backend.c \
  %D%/support/full_backend.h \
  %D%/support/full_graphs.c \
  %D%/support/full_parts.h \
  %D%/random/generator.c \
  %D%/random/generator_graphs.c \
  %D%/random/model.c \
  %D%/random/model.h \
  %D%/random/model_build.c \
  %D%/random/theme.c \
  %D%/random/theme.h \
  %D%/random/play.c \
  %D%/random/play.h \
  %D%/random/program.c \
  %D%/random/program.h \
  %D%/random/objects.c \
  %D%/support/random.h \
  %D%/support/sized_platform.c \
  %D%/support/sized_platform.h \
  %D%/support/shim_backend.c \
  %D%/support/shim_backend.h \
  %D%/support/shim_slots.def \
  %D%/support/shortage.h \
  %D%/random/shrink.c \
  %D%/random/shrink.h \
  %D%/random/expected_runs.c \
  %D%/random/expected_runs.h \
  %D%/support/recording_backend.c \
  %D%/support/recording_backend.h \
  %D%/random/trace.c \
  %D%/support/watchdog.c \
  %D%/support/watchdog.h \
  %D%/random/capture_step.c \
  %D%/random/capture_step.h \
  %D%/support/world.c \
  %D%/support/world.h

check_LIBRARIES += %D%/libconformance.a
%C%_libconformance_a_SOURCES = \
  %D%/conformance/across_devices.c \
  %D%/conformance/apart.c \
  %D%/conformance/apart.h \
  %D%/conformance/attachments.c \
  %D%/conformance/box_limits.c \
  %D%/conformance/callbacks.c \
  %D%/conformance/capture_begin.c \
  %D%/conformance/capture_broken.c \
  %D%/conformance/capture_calls.c \
  %D%/conformance/capture_causes.c \
  %D%/conformance/capture_forks.c \
  %D%/conformance/capture_graphs.c \
  %D%/conformance/capture_legacy.c \
  %D%/conformance/capture_lives.c \
  %D%/conformance/capture_modes.c \
  %D%/conformance/capture_operations.c \
  %D%/conformance/capture_pools.c \
  %D%/conformance/capture_ports.c \
  %D%/conformance/capture_threads.c \
  %D%/conformance/captured_events.c \
  %D%/conformance/captured_functions.c \
  %D%/conformance/captured_memory.c \
  %D%/conformance/capturing.c \
  %D%/conformance/capturing.h \
  %D%/conformance/conditional_runs.c \
  %D%/conformance/context_end.c \
  %D%/conformance/contexts.c \
  %D%/conformance/copies.c \
  %D%/conformance/copy_boxes.c \
  %D%/conformance/copy_waits.c \
  %D%/conformance/default_streams.c \
  %D%/conformance/device_memory.c \
  %D%/conformance/device_nodes.c \
  %D%/conformance/devices.c \
  %D%/conformance/drawing.c \
  %D%/conformance/drawing.h \
  %D%/conformance/errors.c \
  %D%/conformance/event_times.c \
  %D%/conformance/event_waits.c \
  %D%/conformance/events.c \
  %D%/conformance/exec_copies.c \
  %D%/conformance/exec_nodes.c \
  %D%/conformance/exec_switches.c \
  %D%/conformance/exec_orders.c \
  %D%/conformance/exec_shapes.c \
  %D%/conformance/exec_running.c \
  %D%/conformance/execs.c \
  %D%/conformance/exec_updates.c \
  %D%/conformance/exec_work.c \
  %D%/conformance/exec_work.h \
  %D%/conformance/faults.c \
  %D%/conformance/faults_across_devices.c \
  %D%/conformance/faults_queued.c \
  %D%/conformance/fills.c \
  %D%/conformance/fixture.c \
  %D%/conformance/fixture.h \
  %D%/conformance/fixture_threads.c \
  %D%/conformance/forks.c \
  %D%/conformance/graph_child_sets.c \
  %D%/conformance/graph_children.c \
  %D%/conformance/graph_clones.c \
  %D%/conformance/graph_contexts.c \
  %D%/conformance/graph_edges.c \
  %D%/conformance/graph_memory.c \
  %D%/conformance/graph_memory_frees.c \
  %D%/conformance/graph_memory_life.c \
  %D%/conformance/graph_memory_nodes.c \
  %D%/conformance/graph_runs.c \
  %D%/conformance/graph_text.c \
  %D%/conformance/graphs.c \
  %D%/conformance/host_data.c \
  %D%/conformance/host_function_calls.c \
  %D%/conformance/host_functions.c \
  %D%/conformance/inside_graphs.c \
  %D%/conformance/inside_host_functions.c \
  %D%/conformance/kernels.c \
  %D%/conformance/launch_attributes.c \
  %D%/conformance/launches.c \
  %D%/conformance/legacy_stream.c \
  %D%/conformance/modules.c \
  %D%/conformance/node_attributes.c \
  %D%/conformance/node_conditionals.c \
  %D%/conformance/node_copies.c \
  %D%/conformance/node_events.c \
  %D%/conformance/node_kernels.c \
  %D%/conformance/node_runs.c \
  %D%/conformance/node_values.c \
  %D%/conformance/nodes.c \
  %D%/conformance/nodes.h \
  %D%/conformance/peer_copies.c \
  %D%/conformance/peer_memory.c \
  %D%/conformance/per_thread_streams.c \
  %D%/conformance/pinned_memory.c \
  %D%/conformance/pitched_memory.c \
  %D%/conformance/pointers.c \
  %D%/conformance/pool_release.c \
  %D%/conformance/pool_reuse.c \
  %D%/conformance/pools.c \
  %D%/conformance/ptx_kernels.c \
  %D%/conformance/replays.c \
  %D%/conformance/statuses.c \
  %D%/conformance/stream_attributes.c \
  %D%/conformance/stream_memory.c \
  %D%/conformance/stream_order.c \
  %D%/conformance/stream_waits.c \
  %D%/conformance/streams.c \
  %D%/conformance/suite.c \
  %D%/conformance/suite.h \
  %D%/conformance/threads.c \
  %D%/conformance/threads_and_events.c \
  %D%/conformance/user_objects.c \
  %D%/conformance/value_wait_arguments.c \
  %D%/conformance/value_waits.c \
  %D%/conformance/value_writes.c \
  %D%/conformance/work.c \
  %D%/conformance/work.h

# What the programs of tests/ptx share. They find the samples in the folder of the sources.
check_LIBRARIES += %D%/ptx/libkernels.a
%C%_ptx_libkernels_a_CPPFLAGS = $(AM_CPPFLAGS) -DPTX_SAMPLES='"$(abs_top_srcdir)/tests/ptx/cuda"'
%C%_ptx_libkernels_a_SOURCES = \
  %D%/ptx/answers/answers.h \
  %D%/ptx/answers/expand.c \
  %D%/ptx/answers/forms.c \
  %D%/ptx/fuzz.c \
  %D%/ptx/fuzz.h \
  %D%/ptx/fuzz_seeds.c \
  %D%/ptx/fuzz_text.c \
  %D%/ptx/halves.h \
  %D%/ptx/kernel_table.c \
  %D%/ptx/kernel_text.c \
  %D%/ptx/kernels.h \
  %D%/ptx/kernels_arrays.c \
  %D%/ptx/kernels_language.c \
  %D%/ptx/kernels_numbers.c \
  %D%/ptx/kernels_together.c \
  %D%/ptx/kernels_waiting.c \
  %D%/ptx/torture.h \
  %D%/ptx/torture_make.c \
  %D%/ptx/torture_model.c \
  %D%/ptx/torture_text.c
PTX_LIBS = %D%/ptx/libkernels.a $(LDADD)

check_PROGRAMS += \
  %D%/ptx/test_answers \
  %D%/ptx/test_dialects \
  %D%/ptx/test_fuzz \
  %D%/ptx/test_grid_barrier \
  %D%/ptx/test_kernels \
  %D%/ptx/test_link \
  %D%/ptx/test_locks \
  %D%/ptx/test_lower_columns \
  %D%/ptx/test_lower_faults \
  %D%/ptx/test_lower_hostile \
  %D%/ptx/test_lower_modules \
  %D%/ptx/test_lower_operands \
  %D%/ptx/test_torture \
  %D%/ptx/test_video
%C%_ptx_test_answers_LDADD = $(PTX_LIBS) -lm
%C%_ptx_test_fuzz_LDADD = $(PTX_LIBS)
%C%_ptx_test_kernels_LDADD = $(PTX_LIBS) -lm
%C%_ptx_test_torture_LDADD = $(PTX_LIBS)
%C%_ptx_test_reader_hostile_CPPFLAGS = $(AM_CPPFLAGS) -DPTX_TEXTS='"$(abs_top_srcdir)/tests"'

check_PROGRAMS += \
  %D%/conformance/run_sim \
  %D%/core/test_capture \
  %D%/core/test_contract \
  %D%/core/test_counts \
  %D%/core/test_dispatch \
  %D%/core/test_dispatch_answers \
  %D%/core/test_error \
  %D%/core/test_faults \
  %D%/core/test_features \
  %D%/core/test_forks \
  %D%/core/test_guards \
  %D%/core/test_host_data \
  %D%/core/test_notes \
  %D%/core/test_object \
  %D%/core/test_operations \
  %D%/core/test_options \
  %D%/core/test_ownership \
  %D%/core/test_primary \
  %D%/core/test_registry \
  %D%/core/test_replay \
  %D%/core/test_replay_failures \
  %D%/core/test_short_forms \
  %D%/core/test_status \
  %D%/ptx/test_access \
  %D%/ptx/test_atomic \
  %D%/ptx/test_bits \
  %D%/ptx/test_compare \
  %D%/ptx/test_convert \
  %D%/ptx/test_double \
  %D%/ptx/test_fields \
  %D%/ptx/test_forms \
  %D%/ptx/test_half \
  %D%/ptx/test_integer \
  %D%/ptx/test_least \
  %D%/ptx/test_reader \
  %D%/ptx/test_reader_body \
  %D%/ptx/test_reader_hostile \
  %D%/ptx/test_reader_values \
  %D%/ptx/test_printf \
  %D%/ptx/test_races \
  %D%/ptx/test_reach \
  %D%/ptx/test_transcendental \
  %D%/ptx/test_float_text \
  %D%/ptx/test_single \
  %D%/ptx/test_wide \
  %D%/sim/test_biased \
  %D%/sim/test_boxes \
  %D%/sim/test_capture_shortage \
  %D%/sim/test_copy \
  %D%/sim/test_device_faults \
  %D%/sim/test_engine \
  %D%/sim/test_environment \
  %D%/sim/test_exec_changes \
  %D%/sim/test_execs \
  %D%/sim/test_extent \
  %D%/sim/test_faults \
  %D%/sim/test_gang \
  %D%/sim/test_graph_calls \
  %D%/sim/test_graph_lives \
  %D%/sim/test_graph_memory \
  %D%/sim/test_graph_sharing \
  %D%/sim/test_graphs \
  %D%/sim/test_grids \
  %D%/sim/test_host_memory \
  %D%/sim/test_host_thread \
  %D%/sim/test_kinds \
  %D%/sim/test_made_up_kind \
  %D%/sim/test_memory \
  %D%/sim/test_memory_limits \
  %D%/sim/test_node_shortage \
  %D%/sim/test_nodes \
  %D%/sim/test_observe \
  %D%/sim/test_observers \
  %D%/sim/test_plan \
  %D%/ptx/test_crew \
  %D%/sim/test_options \
  %D%/sim/test_pool \
  %D%/sim/test_pool_limits \
  %D%/sim/test_pool_use \
  %D%/sim/test_processor \
  %D%/sim/test_ptx \
  %D%/sim/test_ptx_asks \
  %D%/sim/test_ptx_runs \
  %D%/sim/test_ptx_shortage \
  %D%/sim/test_queue \
  %D%/sim/test_random \
  %D%/sim/test_replay \
  %D%/sim/test_scale \
  %D%/sim/test_shape \
  %D%/sim/test_slabs \
  %D%/sim/test_small_stacks \
  %D%/sim/test_task_slab \
  %D%/sim/test_torture \
  %D%/sim/test_turns \
  %D%/sim/test_watchdog \
  %D%/sim/test_workers \
  %D%/standin/test_image \
  %D%/standin/test_image_hostile \
  %D%/standin/test_image_ptx

if STANDIN
check_PROGRAMS += \
  %D%/standin/test_batches \
  %D%/standin/test_captures \
  %D%/standin/test_answers \
  %D%/standin/test_contexts \
  %D%/standin/test_graphs \
  %D%/standin/test_handles \
  %D%/standin/test_hostile \
  %D%/standin/test_kernels \
  %D%/standin/test_libraries \
  %D%/standin/test_life \
  %D%/standin/test_links \
  %D%/standin/test_old_calls \
  %D%/standin/test_proc \
  %D%/standin/test_profile \
  %D%/standin/test_said
if HAVE_CUDA_13_H
check_PROGRAMS += %D%/standin/test_abi
endif
endif

if BACKEND_CUDA
if STANDIN
check_DATA += %D%/standin/suite_kernels.so
endif
check_PROGRAMS += \
  %D%/conformance/run_cuda \
  %D%/cuda/test_calls \
  %D%/cuda/test_copies \
  %D%/cuda/test_driver \
  %D%/cuda/test_handles \
  %D%/cuda/test_hosts \
  %D%/cuda/test_kinds \
  %D%/cuda/test_node_table \
  %D%/cuda/test_pools
%C%_cuda_test_calls_SOURCES = %D%/cuda/fake.h %D%/cuda/fake_control.c %D%/cuda/test_calls.c
%C%_cuda_test_copies_SOURCES = %D%/cuda/fake.h %D%/cuda/fake_control.c %D%/cuda/test_copies.c
%C%_cuda_test_driver_SOURCES = %D%/cuda/fake.h %D%/cuda/fake_control.c %D%/cuda/test_driver.c
%C%_cuda_test_handles_SOURCES = %D%/cuda/fake.h %D%/cuda/fake_control.c %D%/cuda/test_handles.c
%C%_cuda_test_hosts_SOURCES = %D%/cuda/fake.h %D%/cuda/fake_control.c %D%/cuda/test_hosts.c
%C%_cuda_test_kinds_SOURCES = %D%/cuda/fake.h %D%/cuda/fake_control.c %D%/cuda/test_kinds.c
%C%_cuda_test_pools_SOURCES = %D%/cuda/fake.h %D%/cuda/fake_control.c %D%/cuda/test_pools.c

# A library that the tests load as the driver: nothing of rill's is linked into it, and
# the parameters of its stubs have no names.
check_DATA += %D%/cuda/fake_libcuda.so
CLEANFILES += %D%/cuda/fake_libcuda.so
FAKE_FLAGS = -std=gnu11 -g -fPIC -shared -pthread -w
%D%/cuda/fake_libcuda.so: %D%/cuda/fake_libcuda.c %D%/cuda/fake.h src/backend-cuda/driver/abi.h \
  src/backend-cuda/driver/entries.h
	$(AM_V_GEN)$(MKDIR_P) %D%/cuda && $(CC) $(FAKE_FLAGS) -D_GNU_SOURCE -I$(srcdir)/include \
	  -I$(srcdir)/src -I$(srcdir)/tests $(CUDA_CPPFLAGS) $(srcdir)/%D%/cuda/fake_libcuda.c -o $@

%C%_conformance_run_cuda_SOURCES = \
  %D%/conformance/kernels_ptx.h \
  %D%/conformance/run_cuda.c
%C%_conformance_run_cuda_LDADD = %D%/libconformance.a $(LDADD)
endif
EXTRA_DIST += \
  %D%/cuda/fake_libcuda.c \
  %D%/conformance/conditions.cu \
  %D%/conformance/kernels.cu \
  %D%/conformance/kernels.sh
%C%_conformance_run_sim_LDADD = %D%/libconformance.a $(LDADD)
%C%_sim_test_device_faults_LDADD = %D%/libconformance.a $(LDADD)
%C%_sim_test_engine_LDADD = %D%/libconformance.a $(LDADD)
%C%_sim_test_turns_LDADD = %D%/libconformance.a $(LDADD)
%C%_sim_test_workers_LDADD = %D%/libconformance.a $(LDADD)
%C%_sim_test_observe_LDADD = %D%/libconformance.a $(LDADD)
%C%_sim_test_observers_LDADD = %D%/libconformance.a $(LDADD)

%C%_sim_test_replay_SOURCES = \
  %D%/sim/replay.h \
  %D%/sim/replay_cheap.c \
  %D%/sim/replay_gates.c \
  %D%/sim/replay_life.c \
  %D%/sim/replay_size.c \
  %D%/sim/replay_ways.c \
  %D%/sim/test_replay.c \
  %D%/sim/web.c \
  %D%/sim/web.h
%C%_sim_test_scale_SOURCES = \
  %D%/sim/scale.h \
  %D%/sim/scale_waits.c \
  %D%/sim/test_scale.c
%C%_sim_test_torture_SOURCES = \
  %D%/sim/test_torture.c \
  %D%/sim/torture.h \
  %D%/sim/torture_life.c \
  %D%/sim/torture_order.c \
  %D%/sim/torture_wait.c

%C%_standin_test_image_SOURCES = \
  %D%/standin/images.h \
  %D%/standin/samples.h \
  %D%/standin/test_image.c
%C%_standin_test_image_LDADD = librill-image.la $(LDADD)
%C%_standin_test_image_hostile_SOURCES = \
  %D%/standin/images.h \
  %D%/standin/samples.h \
  %D%/standin/test_image_hostile.c
%C%_standin_test_image_hostile_LDADD = librill-image.la $(LDADD)
%C%_standin_test_image_ptx_LDADD = librill-image.la $(LDADD)
# These load the library, and have none of it inside.
%C%_standin_test_kernels_SOURCES = \
  %D%/standin/images.h \
  %D%/standin/library.h \
  %D%/standin/modules.h \
  %D%/standin/test_kernels.c
%C%_standin_test_kernels_LDADD = $(CMOCKA_LIBS)
EXTRA_%C%_standin_test_kernels_DEPENDENCIES = src/standin/libcuda.so.1 %D%/standin/kernels.so
%C%_standin_test_libraries_SOURCES = \
  %D%/standin/images.h \
  %D%/standin/library.h \
  %D%/standin/modules.h \
  %D%/standin/test_libraries.c
%C%_standin_test_libraries_LDADD = $(CMOCKA_LIBS) $(PTHREAD_LIBS)
EXTRA_%C%_standin_test_libraries_DEPENDENCIES = src/standin/libcuda.so.1 %D%/standin/kernels.so
%C%_standin_test_links_SOURCES = \
  %D%/standin/images.h \
  %D%/standin/library.h \
  %D%/standin/modules.h \
  %D%/standin/test_links.c
%C%_standin_test_links_LDADD = $(CMOCKA_LIBS) $(PTHREAD_LIBS)
EXTRA_%C%_standin_test_links_DEPENDENCIES = src/standin/libcuda.so.1 %D%/standin/kernels.so
%C%_standin_test_old_calls_SOURCES = \
  %D%/standin/library.h \
  %D%/standin/modules.h \
  %D%/standin/test_old_calls.c
%C%_standin_test_old_calls_LDADD = $(CMOCKA_LIBS) $(PTHREAD_LIBS)
EXTRA_%C%_standin_test_old_calls_DEPENDENCIES = src/standin/libcuda.so.1 %D%/standin/kernels.so
%C%_standin_test_batches_SOURCES = %D%/standin/library.h %D%/standin/test_batches.c
%C%_standin_test_batches_LDADD = $(CMOCKA_LIBS)
EXTRA_%C%_standin_test_batches_DEPENDENCIES = src/standin/libcuda.so.1
%C%_standin_test_captures_SOURCES = %D%/standin/library.h %D%/standin/test_captures.c
%C%_standin_test_captures_LDADD = $(CMOCKA_LIBS)
EXTRA_%C%_standin_test_captures_DEPENDENCIES = src/standin/libcuda.so.1
%C%_standin_test_answers_SOURCES = %D%/standin/library.h %D%/standin/modules.h \
  %D%/standin/test_answers.c
%C%_standin_test_answers_LDADD = $(CMOCKA_LIBS)
EXTRA_%C%_standin_test_answers_DEPENDENCIES = src/standin/libcuda.so.1
%C%_standin_test_contexts_SOURCES = %D%/standin/library.h %D%/standin/test_contexts.c
%C%_standin_test_contexts_LDADD = $(CMOCKA_LIBS) $(PTHREAD_LIBS)
EXTRA_%C%_standin_test_contexts_DEPENDENCIES = src/standin/libcuda.so.1
%C%_standin_test_graphs_SOURCES = %D%/standin/library.h %D%/standin/test_graphs.c
%C%_standin_test_graphs_LDADD = $(CMOCKA_LIBS)
EXTRA_%C%_standin_test_graphs_DEPENDENCIES = src/standin/libcuda.so.1
%C%_standin_test_handles_SOURCES = %D%/standin/library.h %D%/standin/test_handles.c
%C%_standin_test_handles_LDADD = $(CMOCKA_LIBS) $(PTHREAD_LIBS)
EXTRA_%C%_standin_test_handles_DEPENDENCIES = src/standin/libcuda.so.1
%C%_standin_test_hostile_SOURCES = %D%/standin/library.h %D%/standin/test_hostile.c
%C%_standin_test_hostile_LDADD = $(CMOCKA_LIBS)
EXTRA_%C%_standin_test_hostile_DEPENDENCIES = src/standin/libcuda.so.1
%C%_standin_test_life_SOURCES = %D%/standin/library.h %D%/standin/test_life.c
%C%_standin_test_life_LDADD = $(CMOCKA_LIBS)
EXTRA_%C%_standin_test_life_DEPENDENCIES = src/standin/libcuda.so.1
%C%_standin_test_said_SOURCES = %D%/standin/library.h %D%/standin/test_said.c
%C%_standin_test_said_LDADD = $(CMOCKA_LIBS)
EXTRA_%C%_standin_test_said_DEPENDENCIES = src/standin/libcuda.so.1 %D%/standin/tables.so
%C%_standin_test_proc_SOURCES = %D%/standin/library.h %D%/standin/test_proc.c
%C%_standin_test_proc_LDADD = $(CMOCKA_LIBS)
EXTRA_%C%_standin_test_proc_DEPENDENCIES = src/standin/libcuda.so.1
%C%_standin_test_profile_SOURCES = %D%/standin/library.h %D%/standin/test_profile.c
%C%_standin_test_profile_LDADD = $(CMOCKA_LIBS)
EXTRA_%C%_standin_test_profile_DEPENDENCIES = src/standin/libcuda.so.1
%C%_standin_test_abi_SOURCES = \
  %D%/standin/layout.def \
  %D%/standin/layout.h \
  %D%/standin/layout_ours.c \
  %D%/standin/layout_theirs.c \
  %D%/standin/test_abi.c
%C%_standin_test_abi_LDADD = $(CMOCKA_LIBS)
EXTRA_DIST += %D%/standin/images.cu %D%/standin/images.sh %D%/standin/kernels.c \
  %D%/standin/suite_kernels.c %D%/standin/tables.c

# Kernels as a user of the stand-in has them: nothing of rill's is linked into them.
KERNELS_CC = $(MKDIR_P) %D%/driver %D%/standin && $(CC) -std=gnu11 -g -O1 -fPIC -shared -Wall \
  -Wextra $(SANITIZER_FLAGS) -I$(top_srcdir)/include
# Tables of functions, as these headers lay them out.
KERNELS_LAYOUT = include/rill/module.h include/rill/standin.h
%D%/standin/kernels.so: %D%/standin/kernels.c $(KERNELS_LAYOUT)
	$(AM_V_CCLD)$(KERNELS_CC) $(srcdir)/%D%/standin/kernels.c -o $@
%D%/standin/tables.so: %D%/standin/tables.c $(KERNELS_LAYOUT)
	$(AM_V_CCLD)$(KERNELS_CC) $(srcdir)/%D%/standin/tables.c -o $@
%D%/standin/suite_kernels.so: %D%/standin/suite_kernels.c $(KERNELS_LAYOUT)
	$(AM_V_CCLD)$(KERNELS_CC) $(srcdir)/%D%/standin/suite_kernels.c -o $@
%D%/driver/kernels.so: %D%/driver/kernels.c $(KERNELS_LAYOUT)
	$(AM_V_CCLD)$(KERNELS_CC) $(srcdir)/%D%/driver/kernels.c -o $@
CLEANFILES += %D%/standin/kernels.so %D%/standin/suite_kernels.so %D%/standin/tables.so \
  %D%/driver/kernels.so

# Compares rill's numbers with those of cuda.h, where there is one.
%C%_core_test_status_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CPPFLAGS)
endif

# The interface for C++, with nothing but the library: these need no cmocka.
CXX_TESTS = \
  %D%/cpp/test_calls \
  %D%/cpp/test_captures \
  %D%/cpp/test_functions \
  %D%/cpp/test_memory \
  %D%/cpp/test_owners \
  %D%/cpp/test_work
CXX_SUPPORT = %D%/cpp/scene.hpp %D%/cpp/tap.hpp
if HAVE_CXX17
check_PROGRAMS += $(CXX_TESTS)
endif
%C%_cpp_test_calls_SOURCES = %D%/cpp/test_calls.cpp $(CXX_SUPPORT)
%C%_cpp_test_calls_LDADD = librill-all.la
%C%_cpp_test_captures_SOURCES = %D%/cpp/test_captures.cpp $(CXX_SUPPORT)
%C%_cpp_test_captures_LDADD = librill-all.la
%C%_cpp_test_functions_SOURCES = %D%/cpp/test_functions.cpp $(CXX_SUPPORT)
%C%_cpp_test_functions_LDADD = librill-all.la
%C%_cpp_test_memory_SOURCES = %D%/cpp/test_memory.cpp $(CXX_SUPPORT)
%C%_cpp_test_memory_LDADD = librill-all.la
%C%_cpp_test_owners_SOURCES = %D%/cpp/test_owners.cpp $(CXX_SUPPORT)
%C%_cpp_test_owners_LDADD = librill-all.la
%C%_cpp_test_work_SOURCES = %D%/cpp/test_work.cpp $(CXX_SUPPORT)
%C%_cpp_test_work_LDADD = librill-all.la

# Kernels in CUDA C and the PTX that compilers made of them (tools/make-ptx).
PTX_SAMPLES = \
  %D%/ptx/cuda/arrays.cu \
  %D%/ptx/cuda/arrays.debug.ptx \
  %D%/ptx/cuda/arrays.sm_75.ptx \
  %D%/ptx/cuda/arrays.sm_90.ptx \
  %D%/ptx/cuda/language.cu \
  %D%/ptx/cuda/language.debug.ptx \
  %D%/ptx/cuda/language.sm_75.ptx \
  %D%/ptx/cuda/language.sm_90.ptx \
  %D%/ptx/cuda/numbers.cu \
  %D%/ptx/cuda/numbers.debug.ptx \
  %D%/ptx/cuda/numbers.sm_75.ptx \
  %D%/ptx/cuda/numbers.sm_90.ptx \
  %D%/ptx/cuda/opencl.cl \
  %D%/ptx/cuda/opencl.clang.ptx \
  %D%/ptx/cuda/together.cu \
  %D%/ptx/cuda/together.debug.ptx \
  %D%/ptx/cuda/together.sm_75.ptx \
  %D%/ptx/cuda/together.sm_90.ptx \
  %D%/ptx/cuda/waiting.cu \
  %D%/ptx/cuda/waiting.debug.ptx \
  %D%/ptx/cuda/waiting.sm_75.ptx \
  %D%/ptx/cuda/waiting.sm_90.ptx
EXTRA_DIST += $(PTX_SAMPLES)

# What a GPU answered, and what asks one: built by measure.sh where there is one.
EXTRA_DIST += \
  %D%/ptx/answers/answers.txt \
  %D%/ptx/answers/measure.sh \
  %D%/ptx/answers/gpu/cmocka.h \
  %D%/ptx/answers/gpu/machine_gpu.c \
  %D%/ptx/answers/gpu/machine_gpu.h \
  %D%/ptx/answers/gpu/measure.c

SHELL_TESTS = \
  %D%/command/info.sh \
  %D%/command/run.sh \
  %D%/configure.sh \
  %D%/examples.sh \
  %D%/headers.sh \
  %D%/install.sh \
  %D%/man.sh \
  %D%/standin/symbols.sh \
  %D%/standin_conformance.sh \
  %D%/style.sh \
  %D%/symbols.sh \
  %D%/workers.sh
EXTRA_DIST += $(SHELL_TESTS) %D%/random/README.md %D%/run.sh %D%/tap.sh

# Headers that belong to no library of the tests.
noinst_HEADERS += \
  %D%/core/dispatch.h \
  %D%/core/failing.h \
  %D%/core/objects.h \
  %D%/core/operations.h \
  %D%/core/registered.h \
  %D%/core/replays.h \
  %D%/core/recording.h \
  %D%/sim/copy_scene.h \
  %D%/sim/graph_memory_scene.h \
  %D%/sim/kind_rules.h \
  %D%/sim/machine.h \
  %D%/sim/memory_scene.h \
  %D%/sim/node_scene.h \
  %D%/sim/on_sim.h \
  %D%/sim/opening.h \
  %D%/sim/pool_scene.h \
  %D%/sim/ptx_scene.h \
  %D%/sim/sightings.h

# tools/third-party builds these with the compilers that it tests.
EXTRA_DIST += \
  %D%/third-party/fails.txt \
  %D%/third-party/guest.h \
  %D%/third-party/numba_tests.py \
  %D%/third-party/offload.c \
  %D%/third-party/openacc.c \
  %D%/third-party/openmp.c

# Cases of the driver's own interface, over the stand-in of this build, which they find as
# any program does. They keep to the driver's header, not to the warnings of this project,
# and what checks memory and threads looks at the stand-in alone.
DRIVER_CASES = \
  %D%/driver/c_capture.c \
  %D%/driver/c_capture_modes.c \
  %D%/driver/c_capture_ops.c \
  %D%/driver/c_cond.c \
  %D%/driver/c_err.c \
  %D%/driver/c_event.c \
  %D%/driver/c_exec.c \
  %D%/driver/c_graph.c \
  %D%/driver/c_graph_mem.c \
  %D%/driver/c_graph_nodes.c \
  %D%/driver/c_hostfn.c \
  %D%/driver/c_mem.c \
  %D%/driver/c_memop.c \
  %D%/driver/c_multi.c \
  %D%/driver/c_stream.c \
  %D%/driver/c_thread.c \
  %D%/driver/c_update.c \
  %D%/driver/graphs.h \
  %D%/driver/oracle.c \
  %D%/driver/oracle.h \
  %D%/driver/scene.c \
  %D%/driver/streams.h
EXTRA_DIST += \
  %D%/driver/README.md \
  %D%/driver/answers.awk \
  %D%/driver/answers.sh \
  %D%/driver/cond.cu \
  %D%/driver/cond.ptx \
  %D%/driver/differs.txt \
  %D%/driver/expected.txt \
  %D%/driver/kernels.c \
  %D%/driver/kernels.cu \
  %D%/driver/kernels.ptx \
  %D%/driver/kernels.sh \
  %D%/driver/standin.sh \
  $(DRIVER_CASES)
# Random sequences of the same calls.
RANDOM_SOURCES = \
  %D%/driver/random/area_capture.c \
  %D%/driver/random/area_conditional.c \
  %D%/driver/random/area_exec.c \
  %D%/driver/random/area_graph.c \
  %D%/driver/random/area_memory.c \
  %D%/driver/random/area_stream.c \
  %D%/driver/random/batch.c \
  %D%/driver/random/capture_calls.c \
  %D%/driver/random/capture_events.c \
  %D%/driver/random/capture_steps.h \
  %D%/driver/random/capture_streams.c \
  %D%/driver/random/capture_unsafe.c \
  %D%/driver/random/capture_work.c \
  %D%/driver/random/conditional_nodes.c \
  %D%/driver/random/conditional_run.c \
  %D%/driver/random/conditional_steps.h \
  %D%/driver/random/dice.c \
  %D%/driver/random/digest.c \
  %D%/driver/random/exec_change.c \
  %D%/driver/random/exec_run.c \
  %D%/driver/random/exec_steps.h \
  %D%/driver/random/functions.c \
  %D%/driver/random/graph_ask.c \
  %D%/driver/random/graph_build.c \
  %D%/driver/random/graph_change.c \
  %D%/driver/random/graph_steps.h \
  %D%/driver/random/graphs.c \
  %D%/driver/random/lines.c \
  %D%/driver/random/main.c \
  %D%/driver/random/memory_calls.c \
  %D%/driver/random/memory_graphs.c \
  %D%/driver/random/memory_pools.c \
  %D%/driver/random/memory_steps.h \
  %D%/driver/random/node_calls.c \
  %D%/driver/random/node_draw.c \
  %D%/driver/random/node_text.c \
  %D%/driver/random/objects.c \
  %D%/driver/random/peer.c \
  %D%/driver/random/random.h \
  %D%/driver/random/slots.c \
  %D%/driver/random/stream_life.c \
  %D%/driver/random/stream_order.c \
  %D%/driver/random/stream_steps.h \
  %D%/driver/random/stream_values.c \
  %D%/driver/random/world.c \
  %D%/driver/oracle.h \
  %D%/driver/scene.c
EXTRA_DIST += \
  %D%/driver/random/README.md \
  %D%/driver/random.sh \
  %D%/driver/random/compare.awk \
  %D%/driver/random/open.txt \
  %D%/driver/random/recorded.awk \
  %D%/driver/random/recorded.txt \
  $(RANDOM_SOURCES)
if STANDIN
if HAVE_CUDA_13_H
EXTRA_PROGRAMS += %D%/driver/oracle
check_DATA += %D%/driver/oracle
DRIVER_TESTS = %D%/driver/answers.sh %D%/driver/random.sh
%C%_driver_oracle_SOURCES = $(DRIVER_CASES)
%C%_driver_oracle_CPPFLAGS = -D_GNU_SOURCE $(CUDA_CPPFLAGS)
%C%_driver_oracle_CFLAGS = $(STD_CFLAGS) $(PTHREAD_CFLAGS) -Wall -Wextra -Wno-unused-parameter \
  -Wno-unused-function
%C%_driver_oracle_LDADD = src/standin/libcuda.so.1 $(PTHREAD_LIBS)
EXTRA_%C%_driver_oracle_DEPENDENCIES = src/standin/libcuda.so.1

EXTRA_PROGRAMS += %D%/driver/random/random
check_DATA += %D%/driver/random/random
%C%_driver_random_random_SOURCES = $(RANDOM_SOURCES)
%C%_driver_random_random_CPPFLAGS = -D_GNU_SOURCE $(CUDA_CPPFLAGS)
%C%_driver_random_random_CFLAGS = $(STD_CFLAGS) $(PTHREAD_CFLAGS) -Wall -Wextra \
  -Wno-unused-function
%C%_driver_random_random_LDADD = src/standin/libcuda.so.1 $(PTHREAD_LIBS)
EXTRA_%C%_driver_random_random_DEPENDENCIES = src/standin/libcuda.so.1

check_DATA += %D%/driver/kernels.so
endif
endif

TESTS += $(check_PROGRAMS) $(SHELL_TESTS) $(DRIVER_TESTS)

# The same programs under valgrind: a leak or an invalid access is an exit status,
# and that is a failed test to the TAP driver. What takes too long there divides
# its sizes by RILL_TEST_SCALE.
VALGRIND_FLAGS = --error-exitcode=99 --leak-check=full --fair-sched=try \
  --child-silent-after-fork=yes --suppressions=$(srcdir)/%D%/valgrind.supp
VALGRIND_SCALE = 20
EXTRA_DIST += %D%/valgrind.supp

.PHONY: check-valgrind
check-valgrind: all
	@test -n '$(VALGRIND)' || { echo 'check-valgrind: no valgrind was found by configure' >&2; exit 1; }
	@test -n '$(check_PROGRAMS)' || { echo 'check-valgrind: there are no test programs' >&2; exit 1; }
	$(MAKE) $(AM_MAKEFLAGS) $(check_LIBRARIES) $(check_PROGRAMS) $(check_DATA)
	RILL_TEST_WRAPPER='$(VALGRIND) $(VALGRIND_FLAGS)' RILL_TEST_SCALE=$(VALGRIND_SCALE) \
	  $(MAKE) $(AM_MAKEFLAGS) check-TESTS TESTS='$(check_PROGRAMS)' \
	  TEST_SUITE_LOG=valgrind-suite.log
