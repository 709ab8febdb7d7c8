if TESTS_ENABLED
check_PROGRAMS += \
  %D%/test_classes \
  %D%/test_explore \
  %D%/test_explore_ways \
  %D%/test_turns

%C%_test_classes_SOURCES = \
  %D%/abstract.c \
  %D%/abstract.h \
  %D%/test_classes.c
%C%_test_explore_SOURCES = \
  %D%/abstract.c \
  %D%/abstract.h \
  %D%/test_explore.c
endif
