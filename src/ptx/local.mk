librill_all_la_SOURCES += \
  %D%/arena.c \
  %D%/arena.h \
  %D%/crew.h \
  %D%/form.h \
  %D%/lowering.h \
  %D%/modifiers.def \
  %D%/module.h \
  %D%/opcodes.def \
  %D%/program.h \
  %D%/ptx.h \
  %D%/special.h \
  %D%/words.h
