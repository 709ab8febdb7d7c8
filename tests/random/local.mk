# Random programs over the simulator: sim/test_random runs them.
if TESTS_ENABLED
tests_libsupport_a_SOURCES += \
  %D%/act.c \
  %D%/capture_step.c \
  %D%/capture_step.h \
  %D%/expected_runs.c \
  %D%/expected_runs.h \
  %D%/generator.c \
  %D%/generator.h \
  %D%/generator_graphs.c \
  %D%/graph_act.c \
  %D%/graph_build.c \
  %D%/graph_draw.c \
  %D%/graph_plan.c \
  %D%/graph_plan.h \
  %D%/graph_play.h \
  %D%/graph_run.c \
  %D%/model.c \
  %D%/model.h \
  %D%/model_build.c \
  %D%/objects.c \
  %D%/play.c \
  %D%/play.h \
  %D%/program.c \
  %D%/program.h \
  %D%/shrink.c \
  %D%/shrink.h \
  %D%/theme.c \
  %D%/theme.h \
  %D%/trace.c
endif
EXTRA_DIST += %D%/README.md
