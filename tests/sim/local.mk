# Programs of shell tests.
EXTRA_DIST += %D%/memory/asan_child.c

if TESTS_ENABLED
# Run by cost.sh.
EXTRA_PROGRAMS += %D%/schedule/functions
check_DATA += %D%/schedule/functions
check_PROGRAMS += \
  %D%/test_environment \
  %D%/test_faults \
  %D%/test_options \
  %D%/test_random \
  %D%/test_replay \
  %D%/test_scale \
  %D%/test_torture \
  %D%/test_watchdog \
  %D%/clock/test_costs \
  %D%/clock/test_graph_times \
  %D%/clock/test_overlap \
  %D%/clock/test_times \
  %D%/graphs/test_capture_shortage \
  %D%/graphs/test_exec_changes \
  %D%/graphs/test_execs \
  %D%/graphs/test_gang \
  %D%/graphs/test_gang_joins \
  %D%/graphs/test_graph_calls \
  %D%/graphs/test_graph_lives \
  %D%/graphs/test_graph_memory \
  %D%/graphs/test_graph_sharing \
  %D%/graphs/test_graphs \
  %D%/graphs/test_kinds \
  %D%/graphs/test_made_up_kind \
  %D%/graphs/test_node_shortage \
  %D%/graphs/test_nodes \
  %D%/graphs/test_plan \
  %D%/graphs/test_shape \
  %D%/graphs/test_sharing \
  %D%/graphs/test_slabs \
  %D%/graphs/test_small_stacks \
  %D%/graphs/test_task_slab \
  %D%/graphs/test_tickets \
  %D%/kernels/test_grids \
  %D%/kernels/test_children \
  %D%/kernels/test_device_runtime \
  %D%/kernels/test_ptx \
  %D%/kernels/test_ptx_asks \
  %D%/kernels/test_ptx_runs \
  %D%/kernels/test_ptx_shortage \
  %D%/memory/test_boxes \
  %D%/memory/test_copy \
  %D%/memory/test_extent \
  %D%/memory/test_host_memory \
  %D%/memory/test_memory \
  %D%/memory/test_memory_limits \
  %D%/memory/test_peer_copy \
  %D%/memory/test_pool \
  %D%/memory/test_pool_limits \
  %D%/memory/test_pool_use \
  %D%/memory/test_split_views \
  %D%/memory/test_vmem \
  %D%/memory/test_vmem_access \
  %D%/schedule/test_bodies \
  %D%/schedule/test_going_on \
  %D%/schedule/test_hangs \
  %D%/schedule/test_in_calls \
  %D%/schedule/test_kernels \
  %D%/schedule/test_launches \
  %D%/schedule/test_other_threads \
  %D%/schedule/test_policies \
  %D%/schedule/test_series \
  %D%/schedule/test_shortage \
  %D%/schedule/test_specs \
  %D%/schedule/test_threads \
  %D%/schedule/test_trail \
  %D%/scheduler/test_backlog \
  %D%/scheduler/test_biased \
  %D%/scheduler/test_device_faults \
  %D%/scheduler/test_engine \
  %D%/scheduler/test_host_order \
  %D%/scheduler/test_host_thread \
  %D%/scheduler/test_observe \
  %D%/scheduler/test_observers \
  %D%/scheduler/test_processor \
  %D%/scheduler/test_queue \
  %D%/scheduler/test_turns \
  %D%/scheduler/test_watch \
  %D%/scheduler/test_watch_nodes \
  %D%/scheduler/test_workers

# These stand on the fixture of the conformance suite.
%C%_scheduler_test_backlog_LDADD = tests/conformance/libconformance.a $(LDADD)
%C%_scheduler_test_device_faults_LDADD = tests/conformance/libconformance.a $(LDADD)
%C%_scheduler_test_engine_LDADD = tests/conformance/libconformance.a $(LDADD)
%C%_scheduler_test_observe_LDADD = tests/conformance/libconformance.a $(LDADD)
%C%_scheduler_test_observers_LDADD = tests/conformance/libconformance.a $(LDADD)
%C%_scheduler_test_turns_LDADD = tests/conformance/libconformance.a $(LDADD)
%C%_scheduler_test_watch_LDADD = tests/conformance/libconformance.a $(LDADD)
%C%_scheduler_test_watch_nodes_LDADD = tests/conformance/libconformance.a $(LDADD)
%C%_scheduler_test_workers_LDADD = tests/conformance/libconformance.a $(LDADD)

%C%_test_faults_SOURCES = \
  %D%/faults_program.c \
  %D%/faults_program.h \
  %D%/test_faults.c
%C%_test_replay_SOURCES = \
  %D%/replay.h \
  %D%/replay_cheap.c \
  %D%/replay_gates.c \
  %D%/replay_life.c \
  %D%/replay_size.c \
  %D%/replay_ways.c \
  %D%/test_replay.c \
  %D%/web.c \
  %D%/web.h
%C%_scheduler_test_watch_SOURCES = \
  %D%/scheduler/ledger.c \
  %D%/scheduler/ledger.h \
  %D%/scheduler/test_watch.c
%C%_scheduler_test_watch_nodes_SOURCES = \
  %D%/scheduler/ledger.c \
  %D%/scheduler/ledger.h \
  %D%/scheduler/test_watch_nodes.c
%C%_test_scale_SOURCES = \
  %D%/scale.h \
  %D%/scale_waits.c \
  %D%/test_scale.c
%C%_test_torture_SOURCES = \
  %D%/test_torture.c \
  %D%/torture.h \
  %D%/torture_life.c \
  %D%/torture_order.c \
  %D%/torture_wait.c
endif

noinst_HEADERS += \
  %D%/machine.h \
  %D%/on_sim.h \
  %D%/opening.h \
  %D%/clock/timed.h \
  %D%/graphs/gang_scene.h \
  %D%/graphs/graph_memory_scene.h \
  %D%/graphs/kind_rules.h \
  %D%/graphs/node_scene.h \
  %D%/kernels/ptx_scene.h \
  %D%/memory/copy_scene.h \
  %D%/memory/memory_scene.h \
  %D%/memory/vmem_scene.h \
  %D%/memory/pool_scene.h \
  %D%/schedule/going_on.h \
  %D%/schedule/soon.h \
  %D%/schedule/steered.h \
  %D%/scheduler/sightings.h
