if TESTS_ENABLED
check_PROGRAMS += \
  %D%/test_biased \
  %D%/test_boxes \
  %D%/test_capture_shortage \
  %D%/test_copy \
  %D%/test_device_faults \
  %D%/test_engine \
  %D%/test_environment \
  %D%/test_exec_changes \
  %D%/test_execs \
  %D%/test_extent \
  %D%/test_faults \
  %D%/test_gang \
  %D%/test_graph_calls \
  %D%/test_graph_lives \
  %D%/test_graph_memory \
  %D%/test_graph_sharing \
  %D%/test_graphs \
  %D%/test_grids \
  %D%/test_host_memory \
  %D%/test_host_thread \
  %D%/test_memory \
  %D%/test_memory_limits \
  %D%/test_node_shortage \
  %D%/test_kinds \
  %D%/test_made_up_kind \
  %D%/test_nodes \
  %D%/test_observe \
  %D%/test_observers \
  %D%/test_options \
  %D%/test_plan \
  %D%/test_pool \
  %D%/test_pool_limits \
  %D%/test_pool_use \
  %D%/test_processor \
  %D%/test_ptx \
  %D%/test_ptx_asks \
  %D%/test_ptx_runs \
  %D%/test_ptx_shortage \
  %D%/test_queue \
  %D%/test_random \
  %D%/test_replay \
  %D%/test_scale \
  %D%/test_shape \
  %D%/test_slabs \
  %D%/test_small_stacks \
  %D%/test_task_slab \
  %D%/test_torture \
  %D%/test_turns \
  %D%/test_watchdog \
  %D%/test_workers

# These stand on the fixture of the conformance suite.
%C%_test_device_faults_LDADD = tests/conformance/libconformance.a $(LDADD)
%C%_test_engine_LDADD = tests/conformance/libconformance.a $(LDADD)
%C%_test_observe_LDADD = tests/conformance/libconformance.a $(LDADD)
%C%_test_observers_LDADD = tests/conformance/libconformance.a $(LDADD)
%C%_test_turns_LDADD = tests/conformance/libconformance.a $(LDADD)
%C%_test_workers_LDADD = tests/conformance/libconformance.a $(LDADD)

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
  %D%/copy_scene.h \
  %D%/graph_memory_scene.h \
  %D%/kind_rules.h \
  %D%/machine.h \
  %D%/memory_scene.h \
  %D%/node_scene.h \
  %D%/on_sim.h \
  %D%/opening.h \
  %D%/pool_scene.h \
  %D%/ptx_scene.h \
  %D%/sightings.h
