# Which schedules of a program differ, and which is tried next.
EXTRA_DIST += %D%/rooms

librill_all_la_SOURCES += \
  %D%/account.c \
  %D%/account.h \
  %D%/classes.c \
  %D%/classes.h \
  %D%/explorer.c \
  %D%/explorer.h \
  %D%/keys.c \
  %D%/keys.h \
  %D%/outcome.c \
  %D%/outcome.h \
  %D%/report.c \
  %D%/report.h \
  %D%/result.c \
  %D%/result.h \
  %D%/trace.c \
  %D%/trace.h \
  %D%/turns.c \
  %D%/turns.h \
  %D%/words.c \
  %D%/words.h
