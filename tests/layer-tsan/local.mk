# Programs that tests/layer-tsan/tsan.sh builds with ThreadSanitizer.
EXTRA_DIST += \
  %D%/functions.cpp \
  %D%/graphs.c \
  %D%/parts.h \
  %D%/promises.c
