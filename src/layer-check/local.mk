# The layer that checks a program's order.
EXTRA_DIST += %D%/rooms

librill_all_la_SOURCES += \
  %D%/report/block.c \
  %D%/report/block.h \
  %D%/report/describe.c \
  %D%/report/describe.h \
  %D%/report/dying.c \
  %D%/report/file.c \
  %D%/report/file.h \
  %D%/report/json.c \
  %D%/report/json.h \
  %D%/report/kind.c \
  %D%/report/kind.h \
  %D%/report/place.c \
  %D%/report/place.h \
  %D%/report/report.c \
  %D%/report/report.h \
  %D%/report/session.c \
  %D%/report/session.h \
  %D%/report/settings.c \
  %D%/report/settings.h \
  %D%/report/state.h \
  %D%/report/summary.c \
  %D%/report/suppress.c \
  %D%/report/suppress.h \
  %D%/report/text.c \
  %D%/report/text.h \
  %D%/report/write.c

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

librill_all_la_SOURCES += \
  %D%/pages/access.c \
  %D%/pages/access.h \
  %D%/pages/area.c \
  %D%/pages/area.h \
  %D%/pages/chain.c \
  %D%/pages/chain.h \
  %D%/pages/faults.c \
  %D%/pages/faults.h \
  %D%/pages/guards.c \
  %D%/pages/guards.h \
  %D%/pages/pages.c \
  %D%/pages/pages.h \
  %D%/pages/table.c \
  %D%/pages/table.h
