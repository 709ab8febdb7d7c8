librill_all_la_SOURCES += \
  %D%/access.h \
  %D%/access_load.c \
  %D%/access_store.c \
  %D%/approximate.h \
  %D%/arena.c \
  %D%/arena.h \
  %D%/atomic.c \
  %D%/atomic.h \
  %D%/atomic_float.c \
  %D%/atomic_integer.c \
  %D%/barrier.c \
  %D%/barrier.h \
  %D%/bits.h \
  %D%/block.c \
  %D%/builtin.c \
  %D%/builtin.h \
  %D%/call.c \
  %D%/compare.h \
  %D%/control.c \
  %D%/control.h \
  %D%/convert.h \
  %D%/crew.c \
  %D%/crew.h \
  %D%/fault.c \
  %D%/form.h \
  %D%/forms.c \
  %D%/forms.h \
  %D%/frame.c \
  %D%/front.c \
  %D%/front.h \
  %D%/grid.c \
  %D%/grid.h \
  %D%/half_float.h \
  %D%/ieee.h \
  %D%/lanes.h \
  %D%/link.c \
  %D%/link.h \
  %D%/link_meet.c \
  %D%/link_whole.c \
  %D%/linker.h \
  %D%/lower.c \
  %D%/lower.h \
  %D%/lower_access.c \
  %D%/lower_address.c \
  %D%/lower_atomic.c \
  %D%/lower_begin.c \
  %D%/lower_bits.c \
  %D%/lower_call.c \
  %D%/lower_calls.c \
  %D%/lower_code.c \
  %D%/lower_columns.c \
  %D%/lower_compare.c \
  %D%/lower_control.c \
  %D%/lower_convert.c \
  %D%/lower_emit.c \
  %D%/lower_instruction.c \
  %D%/lower_lacks.c \
  %D%/lower_layout.c \
  %D%/lower_layout.h \
  %D%/lower_live.c \
  %D%/lower_live.h \
  %D%/lower_mov.c \
  %D%/lower_names.c \
  %D%/lower_old.c \
  %D%/lower_operand.c \
  %D%/lower_spaces.c \
  %D%/lower_spaces.h \
  %D%/lower_video.c \
  %D%/lower_warp.c \
  %D%/lowering.h \
  %D%/meeting.c \
  %D%/meeting.h \
  %D%/memory.h \
  %D%/memory_operand.c \
  %D%/memory_operand.h \
  %D%/modifiers.def \
  %D%/module.c \
  %D%/module.h \
  %D%/narrow.h \
  %D%/number.c \
  %D%/opcodes.def \
  %D%/operand_steps.c \
  %D%/operand_steps.h \
  %D%/pack.c \
  %D%/pack.h \
  %D%/printf.c \
  %D%/program.h \
  %D%/ptx.c \
  %D%/ptx.h \
  %D%/races.c \
  %D%/races.h \
  %D%/reach.c \
  %D%/reader.c \
  %D%/reader.h \
  %D%/reader_body.c \
  %D%/reader_declare.c \
  %D%/reader_expression.c \
  %D%/reader_function.c \
  %D%/reader_initial.c \
  %D%/reader_instruction.c \
  %D%/reader_names.c \
  %D%/reader_operand.c \
  %D%/reader_params.c \
  %D%/reader_pile.c \
  %D%/reader_variable.c \
  %D%/reader_wrong.c \
  %D%/spaces.c \
  %D%/spaces.h \
  %D%/special_registers.c \
  %D%/special_registers.def \
  %D%/special_registers.h \
  %D%/special_steps.c \
  %D%/special_steps.h \
  %D%/strong.h \
  %D%/text.c \
  %D%/text.h \
  %D%/vectorize.h \
  %D%/video.c \
  %D%/video.h \
  %D%/warp.c \
  %D%/words.c \
  %D%/words.h

# Steps over lanes, with flags of their own (m4/rill_steps.m4), and compiled twice where
# the compiler can: for every processor of the architecture, and for those with AVX2 and
# FMA. Each file has nothing but functions of its own and its table of forms, whose name
# form.h changes for the second time; forms.c chooses among the tables when it is asked
# first.
PTX_STEPS = \
  %D%/bits.c \
  %D%/choose.c \
  %D%/compare.c \
  %D%/convert_float.c \
  %D%/convert_integer.c \
  %D%/double.c \
  %D%/fields.c \
  %D%/half.c \
  %D%/integer.c \
  %D%/least.c \
  %D%/mov.c \
  %D%/single.c \
  %D%/transcendental.c \
  %D%/wide.c
noinst_LTLIBRARIES += libptx-steps.la
librill_all_la_LIBADD += libptx-steps.la
libptx_steps_la_SOURCES = $(PTX_STEPS)
libptx_steps_la_CFLAGS = $(librill_all_la_CFLAGS) $(STEP_CFLAGS)
if AVX2
noinst_LTLIBRARIES += libptx-avx2.la
librill_all_la_LIBADD += libptx-avx2.la
libptx_avx2_la_SOURCES = $(PTX_STEPS)
libptx_avx2_la_CPPFLAGS = $(AM_CPPFLAGS) -DPTX_AVX2
libptx_avx2_la_CFLAGS = $(libptx_steps_la_CFLAGS) $(AVX2_CFLAGS)
endif
