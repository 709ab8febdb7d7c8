# The layer that lets a backend take part in each call.
EXTRA_DIST += %D%/rooms

librill_all_la_SOURCES += \
  %D%/slots.c
