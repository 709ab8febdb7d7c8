# The layer that writes down what ran when.
EXTRA_DIST += %D%/rooms

librill_all_la_SOURCES += \
  %D%/chart/chart.c \
  %D%/chart/chart.h \
  %D%/chart/draw.c \
  %D%/record/names.c \
  %D%/record/names.h \
  %D%/record/record.h \
  %D%/record/ring.h \
  %D%/slots/calls.c \
  %D%/slots/calls.h \
  %D%/slots/context.c \
  %D%/slots/exec.c \
  %D%/slots/platform.c \
  %D%/slots/stream.c \
  %D%/slots/timed.c \
  %D%/slots/timed.h \
  %D%/slots/words.h \
  %D%/trace/drawing.c \
  %D%/trace/drawing.h \
  %D%/trace/file.c \
  %D%/trace/file.h \
  %D%/trace/settings.c \
  %D%/trace/settings.h \
  %D%/trace/trace.c \
  %D%/trace/trace.h \
  %D%/trace/tracer.c \
  %D%/trace/tracer.h \
  %D%/write/arrows.c \
  %D%/write/arrows.h \
  %D%/write/event.h \
  %D%/write/lanes.c \
  %D%/write/lanes.h \
  %D%/write/places.c \
  %D%/write/places.h \
  %D%/write/out.c \
  %D%/write/out.h \
  %D%/write/rows.c \
  %D%/write/rows.h \
  %D%/write/tracks.c \
  %D%/write/tracks.h \
  %D%/write/writer.c \
  %D%/write/writer.h
