# The driver, loaded at run time.
if BACKEND_CUDA
AM_CPPFLAGS += $(CUDA_CPPFLAGS)
librill_all_la_SOURCES += \
  %D%/abi.h \
  %D%/allocation.c \
  %D%/attribute.c \
  %D%/attribute.h \
  %D%/capture.c \
  %D%/capture.h \
  %D%/capture_list.c \
  %D%/capture_list.h \
  %D%/context.c \
  %D%/copy.c \
  %D%/copy.h \
  %D%/cuda.h \
  %D%/driver.c \
  %D%/driver.h \
  %D%/entries.h \
  %D%/event.c \
  %D%/event.h \
  %D%/explain.c \
  %D%/fail.c \
  %D%/fail.h \
  %D%/fill.c \
  %D%/graph.h \
  %D%/graph_memory.c \
  %D%/host.c \
  %D%/host.h \
  %D%/host_memory.c \
  %D%/kernel.c \
  %D%/kernel.h \
  %D%/memory.c \
  %D%/memory.h \
  %D%/module.c \
  %D%/module.h \
  %D%/platform.c \
  %D%/pointer.c \
  %D%/pointer.h \
  %D%/pool.c \
  %D%/pool.h \
  %D%/stream.c \
  %D%/stream.h \
  %D%/tables.h \
  %D%/todo.c \
  %D%/values.c \
  %D%/values.h
endif
