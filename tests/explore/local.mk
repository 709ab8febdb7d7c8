if TESTS_ENABLED
check_PROGRAMS += \
  %D%/test_classes

%C%_test_classes_SOURCES = \
  %D%/abstract.c \
  %D%/abstract.h \
  %D%/test_classes.c
endif
