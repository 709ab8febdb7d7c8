librill_all_la_SOURCES += \
  %D%/platform/context.c \
  %D%/platform/context.h \
  %D%/platform/platform.c \
  %D%/platform/public.c \
  %D%/platform/public.h \
  %D%/platform/public_clock.c \
  %D%/platform/public_graph.c \
  %D%/platform/public_shared.c \
  %D%/platform/settings.c \
  %D%/platform/sleeps.c \
  %D%/platform/sleeps.h \
  %D%/platform/watch.c \
  %D%/platform/watch.h \
  %D%/platform/settings.h

librill_all_la_SOURCES += \
  %D%/exec/adopt.c \
  %D%/exec/adopt.h \
  %D%/exec/change.c \
  %D%/exec/end.c \
  %D%/exec/exec.c \
  %D%/exec/exec.h \
  %D%/exec/launch.c \
  %D%/exec/launch.h \
  %D%/exec/launch_plain.c \
  %D%/exec/match.c \
  %D%/exec/match.h \
  %D%/exec/memory_launch.c \
  %D%/exec/section_edges.c \
  %D%/exec/section_edges.h \
  %D%/exec/set_node.c \
  %D%/exec/transaction.c \
  %D%/exec/transaction.h \
  %D%/exec/update.c \
  %D%/exec/update.h

librill_all_la_SOURCES += \
  %D%/capture/calls.c \
  %D%/capture/capture.c \
  %D%/capture/capture.h \
  %D%/capture/event.c \
  %D%/capture/join.c \
  %D%/capture/kernel.c \
  %D%/capture/rules.c \
  %D%/capture/submit.c

librill_all_la_SOURCES += \
  %D%/program/conditional_run.c \
  %D%/program/conditional_run.h \
  %D%/program/conditional_values.c \
  %D%/program/conditional_values.h \
  %D%/program/external_node.c \
  %D%/program/external_node.h \
  %D%/program/freeze.c \
  %D%/program/gang/begin.c \
  %D%/program/gang/check.c \
  %D%/program/gang/check.h \
  %D%/program/gang/cluster_split.c \
  %D%/program/gang/cluster_split.h \
  %D%/program/gang/deque.c \
  %D%/program/gang/deque.h \
  %D%/program/gang/gang.c \
  %D%/program/gang/gang.h \
  %D%/program/gang/members.c \
  %D%/program/gang/place.c \
  %D%/program/gang/source.c \
  %D%/program/gang/tickets.h \
  %D%/program/leaves.c \
  %D%/program/leaves.h \
  %D%/program/plan.c \
  %D%/program/plan.h \
  %D%/program/plan_draft.c \
  %D%/program/plan_draft.h \
  %D%/program/plan_edges.c \
  %D%/program/plan_whim.c \
  %D%/program/program.c \
  %D%/program/program.h \
  %D%/program/read_early.c \
  %D%/program/run.c \
  %D%/program/run.h \
  %D%/program/section.c \
  %D%/program/section.h \
  %D%/program/solo.c \
  %D%/program/solo.h \
  %D%/program/stepper.c \
  %D%/program/stepper.h \
  %D%/program/watched_node.c \
  %D%/program/watched_node.h

librill_all_la_SOURCES += \
  %D%/node/alloc_task.c \
  %D%/node/calls.c \
  %D%/node/calls.h \
  %D%/node/child_task.c \
  %D%/node/conditional_task.c \
  %D%/node/conditional_task.h \
  %D%/node/copy_task.c \
  %D%/node/copy_task.h \
  %D%/node/create.c \
  %D%/node/device_check.c \
  %D%/node/device_check.h \
  %D%/node/dot.c \
  %D%/node/dot.h \
  %D%/node/dot_graph.c \
  %D%/node/dot_node.c \
  %D%/node/early.c \
  %D%/node/early.h \
  %D%/node/empty_task.c \
  %D%/node/event_task.c \
  %D%/node/event_task.h \
  %D%/node/fill_task.c \
  %D%/node/free_task.c \
  %D%/node/host_task.c \
  %D%/node/host_task.h \
  %D%/node/kernel_attributes.c \
  %D%/node/kernel_task.c \
  %D%/node/kernel_task.h \
  %D%/node/kinds.c \
  %D%/node/kinds.h \
  %D%/node/may_replace.c \
  %D%/node/may_replace.h \
  %D%/node/memory_claims.c \
  %D%/node/memory_claims.h \
  %D%/node/memory_task.h \
  %D%/node/running_launch.h \
  %D%/node/values_task.c \
  %D%/node/values_task.h

librill_all_la_SOURCES += \
  %D%/graph/claim.c \
  %D%/graph/claim.h \
  %D%/graph/conditional.c \
  %D%/graph/conditional.h \
  %D%/graph/conditional_claims.c \
  %D%/graph/copy.c \
  %D%/graph/cycle.c \
  %D%/graph/cycle.h \
  %D%/graph/edges.c \
  %D%/graph/find.c \
  %D%/graph/fingerprint.c \
  %D%/graph/fingerprint.h \
  %D%/graph/graph.c \
  %D%/graph/graph.h \
  %D%/graph/links.c \
  %D%/graph/links.h \
  %D%/graph/lists.c \
  %D%/graph/nested.c \
  %D%/graph/nested.h \
  %D%/graph/node_kind.h \
  %D%/graph/slabs.c \
  %D%/graph/slabs.h \
  %D%/graph/task.c \
  %D%/graph/task.h \
  %D%/graph/task_slab.c \
  %D%/graph/task_slab.h \
  %D%/graph/user_object.c \
  %D%/graph/user_object.h

librill_all_la_SOURCES += \
  %D%/stream/alloc_op.c \
  %D%/stream/attributes.c \
  %D%/stream/backlog.c \
  %D%/stream/backlog.h \
  %D%/stream/context_streams.c \
  %D%/stream/default_streams.c \
  %D%/stream/empty_op.c \
  %D%/stream/event.c \
  %D%/stream/fault_op.c \
  %D%/stream/event.h \
  %D%/stream/event_wait.c \
  %D%/stream/host_knowledge.c \
  %D%/stream/host_op.c \
  %D%/stream/host_thread_op.c \
  %D%/stream/kernel_op.c \
  %D%/stream/memory_op.c \
  %D%/stream/stream.c \
  %D%/stream/stream.h \
  %D%/stream/thread_streams.c \
  %D%/stream/value_op.c \
  %D%/stream/value_op.h

librill_all_la_SOURCES += \
  %D%/kernel/check.c \
  %D%/kernel/child_memory.c \
  %D%/kernel/children.c \
  %D%/kernel/children.h \
  %D%/kernel/code.c \
  %D%/kernel/code.h \
  %D%/kernel/code_variables.c \
  %D%/kernel/grid.c \
  %D%/kernel/grid.h \
  %D%/kernel/heap.c \
  %D%/kernel/heap.h \
  %D%/kernel/kernel.h \
  %D%/kernel/module.c \
  %D%/kernel/module.h \
  %D%/kernel/ptx_host.c \
  %D%/kernel/ptx_host.h \
  %D%/kernel/reserve.c \
  %D%/kernel/reserve.h \
  %D%/kernel/run.c \
  %D%/kernel/run_ptx.c \
  %D%/kernel/run_watched.c

librill_all_la_SOURCES += \
  %D%/memory/address_map.c \
  %D%/memory/address_map.h \
  %D%/memory/copy.c \
  %D%/memory/demand.c \
  %D%/memory/device_memory.c \
  %D%/memory/deferred_free.c \
  %D%/memory/extent.c \
  %D%/memory/extent.h \
  %D%/memory/file_label.c \
  %D%/memory/file_label.h \
  %D%/memory/fill.c \
  %D%/memory/graph_block_use.c \
  %D%/memory/graph_heap.c \
  %D%/memory/graph_heap.h \
  %D%/memory/graph_reserve.c \
  %D%/memory/graph_reserve.h \
  %D%/memory/guard_bytes.c \
  %D%/memory/guard_bytes.h \
  %D%/memory/heap.c \
  %D%/memory/heap.h \
  %D%/memory/host_memory.c \
  %D%/memory/host_memory.h \
  %D%/memory/managed.c \
  %D%/memory/host_pages.c \
  %D%/memory/host_pages.h \
  %D%/memory/memory.c \
  %D%/memory/memory.h \
  %D%/memory/operand.c \
  %D%/memory/operand.h \
  %D%/memory/pointer_info.c \
  %D%/memory/pool.c \
  %D%/memory/pool.h \
  %D%/memory/pool_reuse.c \
  %D%/memory/pool_share.c \
  %D%/memory/pool_timeline.c \
  %D%/memory/pool_window.c \
  %D%/memory/views.c \
  %D%/memory/views.h \
  %D%/memory/window.c \
  %D%/memory/window.h

librill_all_la_SOURCES += \
  %D%/vmem/access.c \
  %D%/vmem/calls.h \
  %D%/vmem/drain.c \
  %D%/vmem/drain.h \
  %D%/vmem/map.c \
  %D%/vmem/mapping.c \
  %D%/vmem/mapping.h \
  %D%/vmem/region.c \
  %D%/vmem/region.h \
  %D%/vmem/reservation.c \
  %D%/vmem/reservation.h \
  %D%/vmem/segment.c \
  %D%/vmem/segment.h \
  %D%/vmem/share.c \
  %D%/vmem/shared.h \
  %D%/vmem/shared_export.c \
  %D%/vmem/shared_import.c \
  %D%/vmem/vmem.c \
  %D%/vmem/vmem.h

librill_all_la_SOURCES += \
  %D%/clock/clock.c \
  %D%/clock/clock.h \
  %D%/clock/costs.c \
  %D%/clock/costs.h \
  %D%/clock/costs_read.c \
  %D%/clock/engines.c \
  %D%/clock/engines.h \
  %D%/clock/history.c \
  %D%/clock/history.h \
  %D%/clock/steps.c \
  %D%/clock/steps.h \
  %D%/clock/timeline.c

librill_all_la_SOURCES += \
  %D%/guard/call_guard.c \
  %D%/guard/call_guard.h \
  %D%/guard/interceptor.h

librill_all_la_SOURCES += \
  %D%/schedule/arrivals.c \
  %D%/schedule/arrivals.h \
  %D%/schedule/asking.c \
  %D%/schedule/candidates.c \
  %D%/schedule/candidates.h \
  %D%/schedule/decide.c \
  %D%/schedule/hang.c \
  %D%/schedule/hang.h \
  %D%/schedule/hang_scheduled.c \
  %D%/schedule/hang_words.c \
  %D%/schedule/hang_words.h \
  %D%/schedule/in_call.c \
  %D%/schedule/one_queue.c \
  %D%/schedule/one_queue.h \
  %D%/schedule/policy.c \
  %D%/schedule/policy.h \
  %D%/schedule/runner.c \
  %D%/schedule/runner.h \
  %D%/schedule/schedule.c \
  %D%/schedule/schedule.h \
  %D%/schedule/series.c \
  %D%/schedule/series.h \
  %D%/schedule/spec.c \
  %D%/schedule/spec.h \
  %D%/schedule/steps.c \
  %D%/schedule/trail.c \
  %D%/schedule/trail.h

librill_all_la_SOURCES += \
  %D%/scheduler/clock.c \
  %D%/scheduler/demand.h \
  %D%/scheduler/engine.c \
  %D%/scheduler/engine.h \
  %D%/scheduler/host_thread.c \
  %D%/scheduler/host_thread.h \
  %D%/scheduler/watch/observe.c \
  %D%/scheduler/watch/observe.h \
  %D%/scheduler/op_type.c \
  %D%/scheduler/op_type.h \
  %D%/scheduler/point.h \
  %D%/scheduler/polled.c \
  %D%/scheduler/polled.h \
  %D%/scheduler/queue.c \
  %D%/scheduler/queue.h \
  %D%/scheduler/ready_list.c \
  %D%/scheduler/run_context.c \
  %D%/scheduler/run_context.h \
  %D%/scheduler/seen_points.c \
  %D%/scheduler/steering.h \
  %D%/scheduler/strand.c \
  %D%/scheduler/strand.h \
  %D%/scheduler/strand_list.c \
  %D%/scheduler/strand_ready.c \
  %D%/scheduler/strand_ready.h \
  %D%/scheduler/strand_refs.c \
  %D%/scheduler/strand_refs.h \
  %D%/scheduler/strand_run.c \
  %D%/scheduler/stuck.c \
  %D%/scheduler/stuck.h \
  %D%/scheduler/submission.h \
  %D%/scheduler/virtual_time.h \
  %D%/scheduler/wait.c \
  %D%/scheduler/wait.h \
  %D%/scheduler/wait_op.c \
  %D%/scheduler/watch/timekeeper.c \
  %D%/scheduler/watch/timekeeper.h \
  %D%/scheduler/watch/watcher.c \
  %D%/scheduler/watch/watcher.h \
  %D%/scheduler/watchdog.c \
  %D%/scheduler/watchdog.h \
  %D%/scheduler/work_source.c \
  %D%/scheduler/work_source.h \
  %D%/scheduler/pending.c \
  %D%/scheduler/worker.c \
  %D%/scheduler/worker.h

librill_all_la_SOURCES += \
  %D%/machine/machine.c \
  %D%/machine/machine.h

EXTRA_DIST += %D%/rooms
