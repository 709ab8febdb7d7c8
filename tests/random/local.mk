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

# What programs that are recorded consist of, and what runs them.
recorded_programs = \
  %D%/checked/contents.c \
  %D%/checked/draw.c \
  %D%/checked/draw.h \
  %D%/checked/draw_captures.c \
  %D%/checked/draw_graphs.c \
  %D%/checked/draw_work.c \
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
  %D%/checked/touches.c

check_PROGRAMS += \
  %D%/test_checked \
  %D%/test_damage
%C%_test_checked_SOURCES = $(recorded_programs) \
  %D%/checked/findings.c \
  %D%/checked/findings.h \
  %D%/checked/mends.c \
  %D%/test_checked.c
%C%_test_damage_SOURCES = $(recorded_programs) \
  %D%/checked/damage.c \
  %D%/checked/damage.h \
  %D%/test_damage.c
endif
EXTRA_DIST += %D%/README.md
