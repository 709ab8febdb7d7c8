# What the tests of several folders use.
if TESTS_ENABLED
tests_libsupport_a_SOURCES += \
  %D%/call_list.h \
  %D%/calls.c \
  %D%/calls.h \
  %D%/cmocka_all.h \
  %D%/fake/backend.c \
  %D%/fake/fake.h \
  %D%/fake/kernels.c \
  %D%/fake/memory.c \
  %D%/fake/parts.h \
  %D%/fake/streams.c \
  %D%/full_backend.c \
  %D%/full_backend.h \
  %D%/full_graphs.c \
  %D%/full_parts.h \
  %D%/random.h \
  %D%/recording_backend.c \
  %D%/recording_backend.h \
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
