# The layer that tells ThreadSanitizer what is promised.
EXTRA_DIST += %D%/rooms

librill_all_la_SOURCES += \
  %D%/fiber/fiber.c \
  %D%/fiber/fiber.h \
  %D%/fiber/stack.c \
  %D%/fiber/stack.h \
  %D%/fiber/thread_locals.c \
  %D%/fiber/thread_locals.h \
  %D%/launch/launch.c \
  %D%/launch/launch.h \
  %D%/launch/model.c \
  %D%/launch/model.h \
  %D%/order/access.c \
  %D%/order/access.h \
  %D%/order/point.c \
  %D%/order/point.h \
  %D%/order/stream.c \
  %D%/order/stream.h \
  %D%/slots/copy.c \
  %D%/slots/exec.c \
  %D%/slots/function.c \
  %D%/slots/function.h \
  %D%/slots/graph.c \
  %D%/slots/graph.h \
  %D%/slots/memory.c \
  %D%/slots/running.c \
  %D%/slots/stream.c \
  %D%/slots/teller.c \
  %D%/slots/teller.h \
  %D%/slots/wait.c
