# What real devices are.
EXTRA_DIST += %D%/rooms

librill_all_la_SOURCES += \
  %D%/model.c \
  %D%/model.h \
  %D%/models.c
