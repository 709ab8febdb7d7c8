librill_all_la_SOURCES += \
  %D%/access.h \
  %D%/arena.c \
  %D%/arena.h \
  %D%/builtin.h \
  %D%/crew.h \
  %D%/fields.c \
  %D%/form.h \
  %D%/integer.c \
  %D%/lanes.h \
  %D%/lowering.h \
  %D%/memory.h \
  %D%/modifiers.def \
  %D%/module.h \
  %D%/opcodes.def \
  %D%/program.h \
  %D%/ptx.h \
  %D%/races.h \
  %D%/special.h \
  %D%/strong.h \
  %D%/wide.c \
  %D%/words.h

# Until what they call is there.
EXTRA_DIST += \
  %D%/access.c \
  %D%/access_load.c \
  %D%/access_store.c \
  %D%/races.c \
  %D%/reach.c \
  %D%/refer.c
