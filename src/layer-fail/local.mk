# The layer that has calls fail.
EXTRA_DIST += %D%/rooms

librill_all_la_SOURCES += \
  %D%/plan/plan.c \
  %D%/plan/plan.h \
  %D%/slots/slots.c
