librill_all_la_SOURCES += \
  %D%/explore/explore.c

librill_all_la_SOURCES += \
  %D%/replay/execs.c \
  %D%/replay/outcome.c \
  %D%/replay/replay.c \
  %D%/replay/replay.h \
  %D%/replay/replay_key.c \
  %D%/replay/replay_key.h \
  %D%/replay/step.c

librill_all_la_SOURCES += \
  %D%/capture/capture.c \
  %D%/capture/capture.h \
  %D%/capture/function.c

librill_all_la_SOURCES += \
  %D%/graph/exec.c \
  %D%/graph/exec.h \
  %D%/graph/update_reason.c \
  %D%/graph/graph.c \
  %D%/graph/graph.h \
  %D%/graph/node.c \
  %D%/graph/node_forms.c \
  %D%/graph/user_object.c

librill_all_la_SOURCES += \
  %D%/context/context.c \
  %D%/context/device.c \
  %D%/context/memory.c \
  %D%/context/module.c \
  %D%/context/platform.c \
  %D%/context/pool.c \
  %D%/context/vmem.c

librill_all_la_SOURCES += \
  %D%/stream/copy.c \
  %D%/stream/event.c \
  %D%/stream/forks.c \
  %D%/stream/forks.h \
  %D%/stream/order.c \
  %D%/stream/stream.c \
  %D%/stream/work.c

librill_all_la_SOURCES += \
  %D%/op/op_check.c \
  %D%/op/op_check.h \
  %D%/op/op_checks.c \
  %D%/op/submit.c \
  %D%/op/submit.h

librill_all_la_SOURCES += \
  %D%/registry/contract.c \
  %D%/registry/contract.h \
  %D%/registry/layers.c \
  %D%/registry/layers.h \
  %D%/registry/registry.c \
  %D%/registry/registry.h \
  %D%/registry/version.c

librill_all_la_SOURCES += \
  %D%/object/check.c \
  %D%/object/check.h \
  %D%/object/data.c \
  %D%/object/error.c \
  %D%/object/error.h \
  %D%/object/error_text.c \
  %D%/object/extend.c \
  %D%/object/gone.c \
  %D%/object/gone.h \
  %D%/object/layers.c \
  %D%/object/layers.h \
  %D%/object/label.c \
  %D%/object/object.c \
  %D%/object/object.h \
  %D%/object/options.c \
  %D%/object/options.h \
  %D%/object/status.c

EXTRA_DIST += %D%/rooms
