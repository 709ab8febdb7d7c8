librill_all_la_SOURCES += \
  %D%/alloc.c \
  %D%/alloc.h \
  %D%/asan.h \
  %D%/biased.c \
  %D%/biased.h \
  %D%/bytes/byte_each.c \
  %D%/bytes/byte_each.h \
  %D%/bytes/byte_set.c \
  %D%/bytes/byte_set.h \
  %D%/bytes/byte_walk.c \
  %D%/bytes/byte_walk.h \
  %D%/fence.c \
  %D%/fence.h \
  %D%/bytes/footprint.c \
  %D%/bytes/footprint.h \
  %D%/lock.c \
  %D%/lock.h \
  %D%/node_pool.c \
  %D%/node_pool.h \
  %D%/op_kind.c \
  %D%/op_kind.h \
  %D%/overflow.h \
  %D%/own_text.c \
  %D%/own_text.h \
  %D%/park.c \
  %D%/park.h \
  %D%/poison.h \
  %D%/processor.c \
  %D%/processor.h \
  %D%/process/asleep.c \
  %D%/process/asleep.h \
  %D%/process/progress.c \
  %D%/process/progress.h \
  %D%/range.c \
  %D%/range.h \
  %D%/shuffle.h \
  %D%/spin.c \
  %D%/spin.h \
  %D%/stack.c \
  %D%/stack.h \
  %D%/text_mark.h \
  %D%/thread.c \
  %D%/thread.h \
  %D%/unseen.h

EXTRA_DIST += %D%/rooms
