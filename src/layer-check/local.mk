# The layer `check`.
librill_all_la_SOURCES += \
  %D%/site/site.h

EXTRA_DIST += %D%/rooms
