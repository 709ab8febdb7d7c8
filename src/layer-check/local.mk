# The layer that checks a program's order.
EXTRA_DIST += %D%/rooms

librill_all_la_SOURCES += \
  %D%/slots/attach.c \
  %D%/slots/attach.h \
  %D%/slots/calls.c \
  %D%/slots/calls.h \
  %D%/slots/capture.c \
  %D%/slots/captures.c \
  %D%/slots/captures.h \
  %D%/slots/checker.c \
  %D%/slots/checker.h \
  %D%/slots/context.c \
  %D%/slots/event.c \
  %D%/slots/exec.c \
  %D%/slots/flags.c \
  %D%/slots/flags.h \
  %D%/slots/forks.c \
  %D%/slots/forks.h \
  %D%/slots/graph.c \
  %D%/slots/memory.c \
  %D%/slots/names.c \
  %D%/slots/names.h \
  %D%/slots/objects.c \
  %D%/slots/objects.h \
  %D%/slots/parts.c \
  %D%/slots/parts.h \
  %D%/slots/pinned.c \
  %D%/slots/pinned.h \
  %D%/slots/running.h \
  %D%/slots/stream.c \
  %D%/slots/submit.c \
  %D%/slots/submit.h \
  %D%/slots/touched.c \
  %D%/slots/touches.c \
  %D%/slots/touches.h \
  %D%/slots/waits.c \
  %D%/slots/waits.h \
  %D%/slots/watch.c \
  %D%/slots/who.c \
  %D%/slots/who.h \
  %D%/slots/wishes.c

librill_all_la_SOURCES += \
  %D%/model/draft.c \
  %D%/model/draft.h \
  %D%/model/launch.c \
  %D%/model/model.c \
  %D%/model/model.h \
  %D%/model/node.c \
  %D%/model/node.h \
  %D%/model/notes.c \
  %D%/model/notes.h \
  %D%/model/returned.c \
  %D%/model/returned.h \
  %D%/model/shape.c \
  %D%/model/shape.h

librill_all_la_SOURCES += \
  %D%/access/account.c \
  %D%/access/account.h \
  %D%/access/attached.c \
  %D%/access/attached.h \
  %D%/access/changes.c \
  %D%/access/changes.h \
  %D%/access/hangs.c \
  %D%/access/hangs.h \
  %D%/access/held.c \
  %D%/access/held.h \
  %D%/access/kernels.c \
  %D%/access/kernels.h \
  %D%/access/judge.c \
  %D%/access/judge.h \
  %D%/access/leaks.c \
  %D%/access/leaks.h \
  %D%/access/log.c \
  %D%/access/log.h \
  %D%/access/memory.c \
  %D%/access/memory.h \
  %D%/access/objects.c \
  %D%/access/objects.h \
  %D%/access/page.c \
  %D%/access/page.h \
  %D%/access/redzones.c \
  %D%/access/redzones.h \
  %D%/access/reuse.c \
  %D%/access/reuse.h \
  %D%/access/rows.c \
  %D%/access/rows.h \
  %D%/access/segment.c \
  %D%/access/segment.h \
  %D%/access/segments.c \
  %D%/access/segments.h \
  %D%/access/talk.c \
  %D%/access/talk.h \
  %D%/access/tellings.c \
  %D%/access/tellings.h \
  %D%/access/verdict.c \
  %D%/access/verdict.h

librill_all_la_SOURCES += \
  %D%/order/caller.c \
  %D%/order/caller.h \
  %D%/order/clock.c \
  %D%/order/clock.h \
  %D%/order/hole.c \
  %D%/order/hole.h \
  %D%/order/line.c \
  %D%/order/line.h \
  %D%/order/order.c \
  %D%/order/order.h \
  %D%/order/signals.c \
  %D%/order/signals.h \
  %D%/order/value_place.c \
  %D%/order/value_place.h \
  %D%/order/values.c \
  %D%/order/values.h \
  %D%/order/work.c \
  %D%/order/work.h

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
  %D%/pages/a64.h \
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
  %D%/pages/levels.c \
  %D%/pages/levels.h \
  %D%/pages/pages.c \
  %D%/pages/pages.h \
  %D%/pages/table.c \
  %D%/pages/table.h
