# The driver, loaded at run time.
EXTRA_DIST += %D%/rooms
if BACKEND_CUDA
AM_CPPFLAGS += $(CUDA_CPPFLAGS)
librill_all_la_SOURCES += \
  %D%/platform/context.c \
  %D%/platform/context.h \
  %D%/platform/platform.c \
  %D%/platform/public.c
librill_all_la_SOURCES += \
  %D%/capture/capture.c \
  %D%/capture/capture.h
librill_all_la_SOURCES += \
  %D%/exec/boxes.c \
  %D%/exec/boxes.h \
  %D%/exec/exec.c \
  %D%/exec/exec.h \
  %D%/exec/node.c \
  %D%/exec/update.c
librill_all_la_SOURCES += \
  %D%/graph/add_node.c \
  %D%/graph/calls.c \
  %D%/graph/calls.h \
  %D%/graph/conditional_handle.c \
  %D%/graph/dot.c \
  %D%/graph/dot.h \
  %D%/graph/dot_labels.c \
  %D%/graph/edges.c \
  %D%/graph/labels.c \
  %D%/graph/lists.c \
  %D%/graph/node.c \
  %D%/graph/node_attributes.c \
  %D%/graph/set_node.c \
  %D%/graph/user_object.c \
  %D%/graph/user_object.h
librill_all_la_SOURCES += \
  %D%/stream/attach.c \
  %D%/stream/attributes.c \
  %D%/stream/callback.c \
  %D%/stream/stream.c \
  %D%/stream/stream.h
librill_all_la_SOURCES += \
  %D%/kind/attribute.c \
  %D%/kind/attribute.h \
  %D%/kind/child.c \
  %D%/kind/conditional.c \
  %D%/kind/copy.c \
  %D%/kind/copy.h \
  %D%/kind/empty.c \
  %D%/kind/event.c \
  %D%/kind/fill.c \
  %D%/kind/fill.h \
  %D%/kind/host.c \
  %D%/kind/host.h \
  %D%/kind/kernel.c \
  %D%/kind/kernel.h \
  %D%/kind/kernel_attributes.c \
  %D%/kind/kernel_attributes.h \
  %D%/kind/kind.c \
  %D%/kind/kind.h \
  %D%/kind/kinds.c \
  %D%/kind/memory.c \
  %D%/kind/values.c
librill_all_la_SOURCES += \
  %D%/object/event.c \
  %D%/object/event.h \
  %D%/object/graph.c \
  %D%/object/graph.h \
  %D%/object/graph_nodes.c \
  %D%/object/graph_nodes.h \
  %D%/object/module.c \
  %D%/object/module.h \
  %D%/object/node_table.c \
  %D%/object/node_table.h
librill_all_la_SOURCES += \
  %D%/memory/copy.c \
  %D%/memory/copy.h \
  %D%/memory/explain.c \
  %D%/memory/explain.h \
  %D%/memory/fill.c \
  %D%/memory/fill.h \
  %D%/memory/graph_memory.c \
  %D%/memory/graph_memory.h \
  %D%/memory/host_memory.c \
  %D%/memory/host_memory.h \
  %D%/memory/memory.c \
  %D%/memory/memory.h \
  %D%/memory/pointer.c \
  %D%/memory/pointer.h \
  %D%/memory/pool.c \
  %D%/memory/pool.h \
  %D%/memory/vmem.c \
  %D%/memory/vmem.h \
  %D%/memory/vmem_handles.c \
  %D%/memory/vmem_handles.h
librill_all_la_SOURCES += \
  %D%/context/capture_list.c \
  %D%/context/capture_list.h \
  %D%/context/capture_state.c \
  %D%/context/capture_state.h \
  %D%/context/context.c \
  %D%/context/context.h \
  %D%/context/fail.c \
  %D%/context/fail.h \
  %D%/context/host_box.c \
  %D%/context/host_box.h \
  %D%/context/stream.h
librill_all_la_SOURCES += \
  %D%/driver/abi.h \
  %D%/driver/driver.c \
  %D%/driver/driver.h \
  %D%/driver/entries.h
endif
