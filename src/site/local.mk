# Call sites.
EXTRA_DIST += %D%/rooms

librill_all_la_SOURCES += \
  %D%/entry.c \
  %D%/entry.h \
  %D%/frame.h \
  %D%/here.c \
  %D%/known.c \
  %D%/known.h \
  %D%/launch.h \
  %D%/libdw.c \
  %D%/libdw.h \
  %D%/path.c \
  %D%/path.h \
  %D%/plain.c \
  %D%/plain.h \
  %D%/python.c \
  %D%/python.h \
  %D%/root.c \
  %D%/root.h \
  %D%/rule.c \
  %D%/rule.h \
  %D%/site.h \
  %D%/source.c \
  %D%/stack.c \
  %D%/stack.h \
  %D%/system.c \
  %D%/system.h
