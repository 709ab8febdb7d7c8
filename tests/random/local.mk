# Random programs over the simulator: sim/test_random runs them.  In checked/ are those
# that judge the checker, with their test.
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

check_PROGRAMS += %D%/test_checked
%C%_test_checked_SOURCES = \
  %D%/checked/contents.c \
  %D%/checked/draw.c \
  %D%/checked/draw.h \
  %D%/checked/draw_captures.c \
  %D%/checked/draw_graphs.c \
  %D%/checked/draw_work.c \
  %D%/checked/findings.c \
  %D%/checked/findings.h \
  %D%/checked/mends.c \
  %D%/checked/needed.c \
  %D%/checked/needed.h \
  %D%/checked/promised.c \
  %D%/checked/promised.h \
  %D%/checked/promised_graphs.c \
  %D%/checked/recorded.c \
  %D%/checked/recorded.h \
  %D%/checked/running.c \
  %D%/checked/running.h \
  %D%/checked/running_graphs.c \
  %D%/checked/running_steps.c \
  %D%/checked/running_times.c \
  %D%/checked/running_work.c \
  %D%/checked/touches.c \
  %D%/test_checked.c
endif
EXTRA_DIST += %D%/README.md
