# The `rill` command. It has the library inside, so that it can be moved with the stand-in.
bin_PROGRAMS += %D%/rill
%C%_rill_SOURCES = \
  %D%/cc.c \
  %D%/check.c \
  %D%/clock.c \
  %D%/command.h \
  %D%/explore.c \
  %D%/explore.h \
  %D%/fail.c \
  %D%/fail.h \
  %D%/help.c \
  %D%/info.c \
  %D%/main.c \
  %D%/message.c \
  %D%/options.c \
  %D%/process.c \
  %D%/process.h \
  %D%/run.c \
  %D%/schedule.c \
  %D%/schedule.h \
  %D%/search.c \
  %D%/settings.c \
  %D%/settings.h \
  %D%/shrink.c \
  %D%/shrink.h \
  %D%/standin.c \
  %D%/steps.c \
  %D%/steps.h \
  %D%/sum.c \
  %D%/trace.c \
  %D%/trace.h \
  %D%/trial.c \
  %D%/trial.h \
  %D%/turns.c \
  %D%/turns.h \
  %D%/words.c \
  %D%/words.h
%C%_rill_CPPFLAGS = $(AM_CPPFLAGS) -DBINDIR='"$(bindir)"' -DLIBDIR='"$(libdir)"'
%C%_rill_LDADD = librill-all.la
