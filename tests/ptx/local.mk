if TESTS_ENABLED
# Their kernels have pointers of 64 bits, and are compared with whole numbers of 128.
if POINTERS_64
tests_libsupport_a_SOURCES += \
  %D%/answers.c \
  %D%/answers.h \
  %D%/apply.c \
  %D%/arithmetic.c \
  %D%/arithmetic.h \
  %D%/exact.c \
  %D%/exact.h \
  %D%/machine.c \
  %D%/machine.h \
  %D%/machine_memory.c \
  %D%/machine_parts.h \
  %D%/reading.c \
  %D%/reading.h \
  %D%/rounding.c \
  %D%/rounding.h \
  %D%/steps.c \
  %D%/steps.h

# What the programs that run kernels share. They find the samples in the folder of the
# sources.
check_LIBRARIES += %D%/libkernels.a
%C%_libkernels_a_CPPFLAGS = $(AM_CPPFLAGS) -DPTX_SAMPLES='"$(abs_top_srcdir)/%D%/cuda"'
%C%_libkernels_a_SOURCES = \
  %D%/answers/answers.h \
  %D%/answers/expand.c \
  %D%/answers/forms.c \
  %D%/answers/group_forms.c \
  %D%/answers/groups.c \
  %D%/answers/groups.h \
  %D%/answers/tile_forms.c \
  %D%/answers/tiles.c \
  %D%/answers/tiles.h \
  %D%/answers/values.c \
  %D%/answers/values.h \
  %D%/fuzz/fuzz.c \
  %D%/fuzz/fuzz.h \
  %D%/fuzz/fuzz_maps.c \
  %D%/fuzz/fuzz_maps.h \
  %D%/fuzz/fuzz_seeds.c \
  %D%/fuzz/fuzz_text.c \
  %D%/fuzz/fuzz_textures.c \
  %D%/fuzz/fuzz_textures.h \
  %D%/halves.h \
  %D%/kernel_table.c \
  %D%/kernel_text.c \
  %D%/kernels.h \
  %D%/kernels_arrays.c \
  %D%/kernels_language.c \
  %D%/kernels_together.c \
  %D%/kernels_waiting.c \
  %D%/numbers/conversions.c \
  %D%/numbers/edges.c \
  %D%/numbers/edges.h \
  %D%/numbers/functions.c \
  %D%/numbers/integers.c \
  %D%/numbers/narrow.c \
  %D%/numbers/rounding.c \
  %D%/torture.h \
  %D%/torture_make.c \
  %D%/torture_model.c \
  %D%/torture_text.c
PTX_LIBS = %D%/libkernels.a $(LDADD)

check_PROGRAMS += \
  %D%/test_answers \
  %D%/fuzz/test_fuzz \
  %D%/test_groups \
  %D%/test_kernels \
  %D%/test_tiles \
  %D%/test_torture \
  %D%/lower/test_contract \
  %D%/lower/test_dialects \
  %D%/lower/test_float_text \
  %D%/lower/test_forms \
  %D%/lower/test_link \
  %D%/lower/test_link_refused \
  %D%/lower/test_lower_columns \
  %D%/lower/test_lower_faults \
  %D%/lower/test_lower_hostile \
  %D%/lower/test_lower_layout \
  %D%/lower/test_lower_modules \
  %D%/lower/test_lower_operands \
  %D%/lower/test_rules \
  %D%/lower/test_stack \
  %D%/read/test_reader \
  %D%/read/test_reader_body \
  %D%/read/test_reader_hostile \
  %D%/read/test_reader_values \
  %D%/run/test_abreast \
  %D%/run/test_abreast_meet \
  %D%/run/test_blocks \
  %D%/run/test_box \
  %D%/run/test_bulk \
  %D%/run/test_chain \
  %D%/run/test_checks \
  %D%/run/test_cluster \
  %D%/run/test_cut \
  %D%/run/test_early_end \
  %D%/run/test_edges \
  %D%/run/test_footprint \
  %D%/run/test_gradient \
  %D%/run/test_gradient_cube \
  %D%/run/test_grid_barrier \
  %D%/run/test_lane_groups \
  %D%/run/test_libdevice \
  %D%/run/test_locks \
  %D%/run/test_printf \
  %D%/run/test_races \
  %D%/run/test_reach \
  %D%/run/test_same_bits \
  %D%/run/test_small_sums \
  %D%/run/test_source \
  %D%/run/test_sparse \
  %D%/run/test_tensor \
  %D%/run/test_touch_row \
  %D%/run/test_video \
  %D%/run/test_ways \
  %D%/run/test_whole_warp \
  %D%/step/test_access \
  %D%/step/test_atomic \
  %D%/step/test_bits \
  %D%/step/test_compare \
  %D%/step/test_convert \
  %D%/step/test_double \
  %D%/step/test_fields \
  %D%/step/test_half \
  %D%/step/test_integer \
  %D%/step/test_least \
  %D%/step/test_single \
  %D%/step/test_spaces \
  %D%/step/test_transcendental \
  %D%/step/test_wide
noinst_HEADERS += %D%/lower/linked.h %D%/run/by_hand.h
%C%_run_test_abreast_SOURCES = %D%/run/test_abreast.c %D%/run/random_kernel.c %D%/run/random_kernel.h
%C%_run_test_ways_SOURCES = %D%/run/test_ways.c %D%/run/random_kernel.c %D%/run/random_kernel.h
%C%_run_test_same_bits_SOURCES = %D%/run/test_same_bits.c %D%/run/random_kernel.c \
  %D%/run/random_kernel.h
%C%_run_test_bulk_SOURCES = %D%/run/test_bulk.c %D%/run/bulk_bench.h
%C%_run_test_tensor_SOURCES = %D%/run/test_tensor.c %D%/run/bulk_bench.h
%C%_run_test_checks_SOURCES = %D%/run/test_checks.c %D%/run/check_pairs.h %D%/run/checks_global.c \
  %D%/run/checks_order.c %D%/run/checks_shared.c %D%/run/checks_init.c %D%/run/checks_barrier.c
%C%_test_answers_LDADD = $(PTX_LIBS) -lm
%C%_fuzz_test_fuzz_LDADD = $(PTX_LIBS)
%C%_test_groups_LDADD = $(PTX_LIBS)
%C%_test_kernels_LDADD = $(PTX_LIBS) -lm
%C%_test_tiles_LDADD = $(PTX_LIBS)
%C%_test_torture_LDADD = $(PTX_LIBS)
%C%_read_test_reader_hostile_CPPFLAGS = $(AM_CPPFLAGS) -DPTX_TEXTS='"$(abs_top_srcdir)/tests"'
endif
endif

# Kernels in CUDA C and the PTX that compilers made of them (tools/make-ptx).
PTX_SAMPLES = \
  %D%/cuda/arrays.cu \
  %D%/cuda/arrays.debug.ptx \
  %D%/cuda/arrays.sm_75.ptx \
  %D%/cuda/arrays.sm_90.ptx \
  %D%/cuda/language.cu \
  %D%/cuda/language.debug.ptx \
  %D%/cuda/language.sm_75.ptx \
  %D%/cuda/language.sm_90.ptx \
  %D%/cuda/numbers.cu \
  %D%/cuda/numbers.debug.ptx \
  %D%/cuda/numbers.sm_75.ptx \
  %D%/cuda/numbers.sm_90.ptx \
  %D%/cuda/opencl.cl \
  %D%/cuda/opencl.clang.ptx \
  %D%/cuda/together.cu \
  %D%/cuda/matrices.cu \
  %D%/cuda/matrices.sm_80.ptx \
  %D%/cuda/together.debug.ptx \
  %D%/cuda/together.sm_75.ptx \
  %D%/cuda/together.sm_90.ptx \
  %D%/cuda/waiting.cu \
  %D%/cuda/waiting.debug.ptx \
  %D%/cuda/waiting.sm_75.ptx \
  %D%/cuda/waiting.sm_90.ptx
EXTRA_DIST += $(PTX_SAMPLES)

# What a GPU answered, and what asks one: built by measure.sh where there is one.
EXTRA_DIST += \
  %D%/answers/answers.txt \
  %D%/answers/chains.txt \
  %D%/answers/groups.txt \
  %D%/answers/tiles.txt \
  %D%/answers/measure.sh \
  %D%/answers/gpu/cmocka.h \
  %D%/answers/gpu/machine_gpu.c \
  %D%/answers/gpu/machine_gpu.h \
  %D%/answers/gpu/measure.c \
  %D%/answers/measure_chains.sh \
  %D%/answers/measure_groups.sh \
  %D%/answers/measure_tiles.sh \
  %D%/answers/warps/chain_lines.c \
  %D%/answers/warps/chain_lines.h \
  %D%/answers/warps/driver.c \
  %D%/answers/warps/driver.h \
  %D%/answers/warps/measure_chains.c \
  %D%/answers/warps/measure_groups.c \
  %D%/answers/warps/measure_tiles.c

# What asks a GPU asks the simulator too: run by chains.sh over the stand-in.
CHAINS = %D%/answers/warps/measure_chains
EXTRA_PROGRAMS += $(CHAINS)
if STANDIN
check_DATA += $(CHAINS)
endif
%C%_answers_warps_measure_chains_SOURCES = %D%/answers/warps/measure_chains.c \
  %D%/answers/warps/chain_lines.c \
  %D%/answers/warps/driver.c
%C%_answers_warps_measure_chains_LDADD =
