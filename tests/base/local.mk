if TESTS_ENABLED
check_PROGRAMS += \
  %D%/test_asleep \
  %D%/test_byte_sets \
  %D%/test_footprint \
  %D%/test_threads \
  %D%/test_wide
endif
