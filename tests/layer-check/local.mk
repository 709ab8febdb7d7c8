EXTRA_DIST += %D%/handler_python.py %D%/unlisted.awk

if TESTS_ENABLED
tests_libsupport_a_SOURCES += \
  %D%/pages/twice_mapped.c \
  %D%/pages/twice_mapped.h

check_PROGRAMS += \
  %D%/freed/test_check_quarantine \
  %D%/functions/test_check_arguments \
  %D%/test_check_callers \
  %D%/test_check_captures \
  %D%/flags/test_check_flags \
  %D%/test_check_graphs \
  %D%/test_check_growth \
  %D%/test_check_handlers \
  %D%/test_check_launches \
  %D%/test_check_memory \
  %D%/flags/test_check_arrays \
  %D%/test_check_attached \
  %D%/test_check_managed \
  %D%/test_check_pinned \
  %D%/test_check_protected \
  %D%/test_check_vmem \
  %D%/test_check_returned \
  %D%/freed/test_check_reused \
  %D%/test_check_shortage \
  %D%/flags/test_check_signals \
  %D%/flags/test_check_written \
  %D%/test_check_stack \
  %D%/test_check_streams \
  %D%/test_check_values \
  %D%/test_check_variables \
  %D%/test_check_waits \
  %D%/test_hangs \
  %D%/test_check_kernels \
  %D%/test_hints \
  %D%/test_init \
  %D%/test_leaks \
  %D%/pages/test_a64 \
  %D%/pages/test_pages \
  %D%/pages/test_pages_chain \
  %D%/pages/test_pages_cost \
  %D%/pages/test_pages_lift \
  %D%/pages/test_pages_shortage \
  %D%/pages/test_pages_system \
  %D%/pages/test_pages_threads \
  %D%/pages/test_system_calls \
  %D%/pages/test_touches \
  %D%/test_promises \
  %D%/test_redzones \
  %D%/report/test_report_counts \
  %D%/report/test_report_end \
  %D%/report/test_report_json \
  %D%/report/test_report_settings \
  %D%/report/test_report_suppress \
  %D%/report/test_report_text \
  %D%/test_segments

# Run by cost.sh.
EXTRA_PROGRAMS += %D%/cost/program
check_DATA += %D%/cost/program

# Run by kernels.sh.
check_DATA += bench/rill-kernels
endif

noinst_HEADERS += \
  %D%/checked.h \
  %D%/leaks.h \
  %D%/pairs.h \
  %D%/reports.h \
  %D%/flags/speaking.h
