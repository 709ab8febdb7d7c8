# What the tests of several folders use.
if TESTS_ENABLED
tests_libsupport_a_SOURCES += \
  %D%/call_list.h \
  %D%/calls/devices.h \
  %D%/calls/graphs.h \
  %D%/calls/streams.h \
  %D%/calls.c \
  %D%/calls.h \
  %D%/cmocka_all.h \
  %D%/emulated.h \
  %D%/glibc.h \
  %D%/fake/backend.c \
  %D%/fake/build.c \
  %D%/fake/captures.c \
  %D%/fake/execs.c \
  %D%/fake/fake.h \
  %D%/fake/graphs.c \
  %D%/fake/kernels.c \
  %D%/fake/memory.c \
  %D%/fake/nodes.c \
  %D%/fake/nodes.h \
  %D%/fake/parts.h \
  %D%/fake/pools.c \
  %D%/fake/record.c \
  %D%/fake/slots.c \
  %D%/fake/streams.c \
  %D%/fake/vmem.c \
  %D%/own_time.c \
  %D%/own_time.h \
  %D%/process.h \
  %D%/random.h \
  %D%/shim_backend.c \
  %D%/shim_backend.h \
  %D%/shim_slots.def \
  %D%/shortage.h \
  %D%/sized_platform.c \
  %D%/sized_platform.h \
  %D%/watchdog.c \
  %D%/watchdog.h \
  %D%/world.c \
  %D%/world.h
endif
EXTRA_DIST += %D%/musl/find_object.c
