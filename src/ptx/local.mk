librill_all_la_SOURCES += \
  %D%/ptx.c \
  %D%/ptx.h
librill_all_la_SOURCES += \
  %D%/affine/abreast.c \
  %D%/affine/abreast.h \
  %D%/affine/affine.h \
  %D%/affine/both.c \
  %D%/affine/box.c \
  %D%/affine/box.h \
  %D%/affine/chain.c \
  %D%/affine/chain.h \
  %D%/affine/choice.c \
  %D%/affine/compare.c \
  %D%/affine/integer.c \
  %D%/affine/known.c \
  %D%/affine/known.h \
  %D%/affine/lanewise.c \
  %D%/affine/lanewise.h \
  %D%/affine/links.c \
  %D%/affine/links.h \
  %D%/affine/load.c \
  %D%/affine/reach.c \
  %D%/affine/reach.h \
  %D%/affine/rows.h \
  %D%/affine/store.c \
  %D%/affine/value.h \
  %D%/affine/warp.c
librill_all_la_SOURCES += \
  %D%/check/findings.c \
  %D%/check/findings.h \
  %D%/check/order.c \
  %D%/check/order.h \
  %D%/check/pages.c \
  %D%/check/pages.h \
  %D%/check/shadow.c \
  %D%/check/shadow.h \
  %D%/check/written.c \
  %D%/check/written.h
librill_all_la_SOURCES += \
  %D%/lower/address.c \
  %D%/lower/async/async.c \
  %D%/lower/async/bulk.c \
  %D%/lower/atomic.c \
  %D%/lower/bits.c \
  %D%/lower/call.c \
  %D%/lower/call_graph.c \
  %D%/lower/columns.c \
  %D%/lower/compare.c \
  %D%/lower/contract.c \
  %D%/lower/contract.h \
  %D%/lower/control.c \
  %D%/lower/convert.c \
  %D%/lower/convert_byte.c \
  %D%/lower/emit.c \
  %D%/lower/forms.c \
  %D%/lower/forms.h \
  %D%/lower/fragment.c \
  %D%/lower/fragment.h \
  %D%/lower/function.c \
  %D%/lower/instruction.c \
  %D%/lower/layout.c \
  %D%/lower/layout.h \
  %D%/lower/liveness.c \
  %D%/lower/liveness.h \
  %D%/lower/load_store.c \
  %D%/lower/lowering.h \
  %D%/lower/matrix/matrix.c \
  %D%/lower/matrix/product.c \
  %D%/lower/matrix/product.h \
  %D%/lower/matrix/wgmma.c \
  %D%/lower/matrix/wmma.c \
  %D%/lower/memory_operand.c \
  %D%/lower/memory_operand.h \
  %D%/lower/module.c \
  %D%/lower/mov.c \
  %D%/lower/names.c \
  %D%/lower/operand.c \
  %D%/lower/spaces.c \
  %D%/lower/state.h \
  %D%/lower/texture/lookup.c \
  %D%/lower/texture/place.c \
  %D%/lower/texture/place.h \
  %D%/lower/texture/question.c \
  %D%/lower/texture/surface.c \
  %D%/lower/unsupported.c \
  %D%/lower/video.c \
  %D%/lower/warp.c
librill_all_la_SOURCES += \
  %D%/link/conflict.c \
  %D%/link/linker.c \
  %D%/link/linker.h \
  %D%/link/merge.c \
  %D%/link/symbols.h
librill_all_la_SOURCES += \
  %D%/step/access.h \
  %D%/step/approximate.h \
  %D%/step/atomic.h \
  %D%/step/atomic_float.c \
  %D%/step/atomic_integer.c \
  %D%/step/bits.h \
  %D%/step/compare.h \
  %D%/step/convert.h \
  %D%/step/convert_byte.c \
  %D%/step/form.h \
  %D%/step/half_arithmetic.h \
  %D%/step/half_float.h \
  %D%/step/ieee.h \
  %D%/step/lanes.h \
  %D%/step/fence.c \
  %D%/step/load.c \
  %D%/step/operand.c \
  %D%/step/operand.h \
  %D%/step/pack.c \
  %D%/step/pack.h \
  %D%/step/spaces.c \
  %D%/step/spaces.h \
  %D%/step/store.c \
  %D%/step/strong.h \
  %D%/step/video.c \
  %D%/step/video.h
librill_all_la_SOURCES += \
  %D%/rules/rules.c \
  %D%/rules/rules.h \
  %D%/run/barrier.c \
  %D%/run/barrier.h \
  %D%/run/block.c \
  %D%/run/block.h \
  %D%/builtin/builtin.c \
  %D%/builtin/builtin.h \
  %D%/builtin/child_memory.c \
  %D%/builtin/children.c \
  %D%/builtin/children.h \
  %D%/builtin/device_questions.c \
  %D%/builtin/bessel.c \
  %D%/builtin/bessel.h \
  %D%/builtin/error_function.c \
  %D%/builtin/error_function.h \
  %D%/builtin/libdevice.c \
  %D%/run/call.c \
  %D%/run/checked_access.c \
  %D%/run/checked_barrier.c \
  %D%/run/checks.c \
  %D%/run/checks.h \
  %D%/run/control.c \
  %D%/run/control.h \
  %D%/run/copy_in.c \
  %D%/run/copy_in.h \
  %D%/run/cut.c \
  %D%/run/cut.h \
  %D%/run/fault.c \
  %D%/run/fault.h \
  %D%/run/frame.c \
  %D%/run/frame.h \
  %D%/run/grid.c \
  %D%/run/grid.h \
  %D%/run/lane_group.c \
  %D%/run/lane_group.h \
  %D%/run/machine.h \
  %D%/run/distances.c \
  %D%/run/distances.h \
  %D%/run/memory.c \
  %D%/run/memory.h \
  %D%/builtin/printf.c \
  %D%/builtin/runtime_answer.c \
  %D%/builtin/runtime_answer.h \
  %D%/builtin/runtime_functions.c \
  %D%/run/program.h \
  %D%/builtin/special.c \
  %D%/builtin/special.h \
  %D%/run/spare.c \
  %D%/run/spare.h \
  %D%/run/touch_row.c \
  %D%/run/touch_row.h \
  %D%/run/touches.c \
  %D%/run/touches.h \
  %D%/run/vectorize.h \
  %D%/run/warp_bundle.c \
  %D%/run/warp_bundle.h \
  %D%/run/warp/warp_op.c \
  %D%/run/warp/warp_op.h \
  %D%/run/warp/warp_sync.c \
  %D%/run/warp/warp_sync.h \
  %D%/run/warp/whole_warp.c \
  %D%/run/warp/whole_warp.h
librill_all_la_SOURCES += \
  %D%/async/barrier.c \
  %D%/async/barrier.h \
  %D%/async/bulk.c \
  %D%/async/bulk.h \
  %D%/async/copy.c \
  %D%/async/copy.h \
  %D%/async/reduce.c \
  %D%/async/reduce.h \
  %D%/async/tensor.c \
  %D%/async/tensor.h \
  %D%/async/tensor_box.c \
  %D%/async/tensor_box.h \
  %D%/async/tensor_map.c
librill_all_la_SOURCES += \
  %D%/texture/bound.c \
  %D%/texture/bound.h \
  %D%/texture/coordinate.c \
  %D%/texture/cube.c \
  %D%/texture/filter.c \
  %D%/texture/formatted.c \
  %D%/texture/gradient.c \
  %D%/texture/gradient.h \
  %D%/texture/gradient_cube.c \
  %D%/texture/look.c \
  %D%/texture/reduce.c \
  %D%/texture/sample.h \
  %D%/texture/steps.h \
  %D%/texture/surface.c \
  %D%/texture/surface.h \
  %D%/texture/table.c \
  %D%/texture/texture.h
librill_all_la_SOURCES += \
  %D%/matrix/descriptor.c \
  %D%/matrix/descriptor.h \
  %D%/matrix/float_format.h \
  %D%/matrix/float_sum.c \
  %D%/matrix/float_sum.h \
  %D%/matrix/fragment.c \
  %D%/matrix/fragment.h \
  %D%/matrix/load.c \
  %D%/matrix/load.h \
  %D%/matrix/product.c \
  %D%/matrix/product.h \
  %D%/matrix/product_double.c \
  %D%/matrix/product_emulated.c \
  %D%/matrix/product_float.c \
  %D%/matrix/product_integer.c \
  %D%/matrix/sparse.c \
  %D%/matrix/sparse.h \
  %D%/matrix/warpgroup.c \
  %D%/matrix/warpgroup.h \
  %D%/matrix/warpgroup_product.c \
  %D%/matrix/wmma.c \
  %D%/matrix/wmma.h
librill_all_la_SOURCES += \
  %D%/read/body.c \
  %D%/read/declare.c \
  %D%/read/diagnostics.c \
  %D%/read/expression.c \
  %D%/read/function.c \
  %D%/read/initial.c \
  %D%/read/instruction.c \
  %D%/read/names.c \
  %D%/read/named_operand.c \
  %D%/read/named_operand.h \
  %D%/read/operand.c \
  %D%/read/params.c \
  %D%/read/reader.c \
  %D%/read/reader.h \
  %D%/read/source.c \
  %D%/read/stack.c \
  %D%/read/variable.c
librill_all_la_SOURCES += \
  %D%/text/arena.c \
  %D%/text/arena.h \
  %D%/text/keywords.c \
  %D%/text/keywords.h \
  %D%/text/lexer.c \
  %D%/text/lexer.h \
  %D%/text/modifiers.def \
  %D%/text/module.c \
  %D%/text/module.h \
  %D%/text/number.c \
  %D%/text/opcodes.def \
  %D%/text/source.c \
  %D%/text/source.h \
  %D%/text/special_registers.c \
  %D%/text/special_registers.def \
  %D%/text/special_registers.h

# Steps over lanes, with flags of their own (m4/rill_steps.m4), and compiled twice if the
# compiler can: for every processor of the architecture, and for those with AVX2 and FMA.
# Each file has only functions of its own and its tables, whose names form.h, bits.h,
# compare.h and convert.h change for the second time; lower/forms.c chooses among the
# tables when it is asked first.
PTX_STEPS = \
  %D%/step/bits.c \
  %D%/step/carry.c \
  %D%/step/compare.c \
  %D%/step/convert_float.c \
  %D%/step/convert_integer.c \
  %D%/step/double.c \
  %D%/step/fields.c \
  %D%/step/flow.c \
  %D%/step/half.c \
  %D%/step/integer.c \
  %D%/step/min_max.c \
  %D%/step/select.c \
  %D%/step/single.c \
  %D%/step/transcendental.c
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
EXTRA_DIST += %D%/rooms
