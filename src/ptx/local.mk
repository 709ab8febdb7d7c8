librill_all_la_SOURCES += \
  %D%/arena.c \
  %D%/arena.h \
  %D%/crew.h \
  %D%/fields.c \
  %D%/form.h \
  %D%/integer.c \
  %D%/lanes.h \
  %D%/lowering.h \
  %D%/modifiers.def \
  %D%/module.h \
  %D%/opcodes.def \
  %D%/program.h \
  %D%/ptx.h \
  %D%/special.h \
  %D%/wide.c \
  %D%/words.h
