# The driver, loaded at run time.
if BACKEND_CUDA
AM_CPPFLAGS += $(CUDA_CPPFLAGS)
librill_all_la_SOURCES += \
  %D%/abi.h \
  %D%/attribute.c \
  %D%/attribute.h \
  %D%/capture.c \
  %D%/capture.h \
  %D%/capture_list.c \
  %D%/capture_list.h \
  %D%/context.c \
  %D%/cuda.h \
  %D%/driver.c \
  %D%/driver.h \
  %D%/entries.h \
  %D%/event.c \
  %D%/event.h \
  %D%/fail.c \
  %D%/fail.h \
  %D%/graph.h \
  %D%/host.c \
  %D%/host.h \
  %D%/kernel.c \
  %D%/kernel.h \
  %D%/module.c \
  %D%/module.h \
  %D%/platform.c \
  %D%/pool.h \
  %D%/stream.c \
  %D%/stream.h \
  %D%/tables.h \
  %D%/todo.c
endif
