# The layer that checks a program's order.
EXTRA_DIST += %D%/rooms

librill_all_la_SOURCES += \
  %D%/report/report.h \
  %D%/report/session.h \
  %D%/report/settings.h

librill_all_la_SOURCES += \
  %D%/site/here.c \
  %D%/site/libdw.c \
  %D%/site/libdw.h \
  %D%/site/path.c \
  %D%/site/path.h \
  %D%/site/python.c \
  %D%/site/python.h \
  %D%/site/rule.c \
  %D%/site/rule.h \
  %D%/site/site.h \
  %D%/site/source.c
