EXTRA_DIST += %D%/schema.py

if TESTS_ENABLED
tests_libsupport_a_SOURCES += \
  %D%/events.c \
  %D%/events.h

check_PROGRAMS += \
  %D%/test_trace \
  %D%/test_trace_files \
  %D%/test_trace_names \
  %D%/test_trace_rate \
  %D%/test_trace_timed
endif

noinst_HEADERS += %D%/traced.h
