librill_all_la_SOURCES += \
  %D%/bytes.h \
  %D%/content.c \
  %D%/content.h \
  %D%/fatbin.c \
  %D%/linked.c \
  %D%/lz4.c \
  %D%/object.c \
  %D%/object.h \
  %D%/zstd.c \
  %D%/zstd.h \
  %D%/zstd_codes.c
EXTRA_DIST += %D%/rooms
