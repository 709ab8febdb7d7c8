if TESTS_ENABLED
check_PROGRAMS += \
  %D%/test_capture \
  %D%/test_contract \
  %D%/test_counts \
  %D%/test_dispatch \
  %D%/test_dispatch_answers \
  %D%/test_error \
  %D%/test_faults \
  %D%/test_features \
  %D%/test_forks \
  %D%/test_gone \
  %D%/test_guards \
  %D%/test_host_data \
  %D%/test_labels \
  %D%/test_layer_choice \
  %D%/test_layers \
  %D%/test_notes \
  %D%/test_object \
  %D%/test_operations \
  %D%/test_options \
  %D%/test_ownership \
  %D%/test_primary \
  %D%/test_registry \
  %D%/test_replay \
  %D%/test_replay_failures \
  %D%/test_short_forms \
  %D%/test_status

# Compares rill's numbers with those of cuda.h, where there is one.
%C%_test_status_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CPPFLAGS)
endif

noinst_HEADERS += \
  %D%/dispatch.h \
  %D%/failing.h \
  %D%/layered.h \
  %D%/objects.h \
  %D%/operations.h \
  %D%/registered.h \
  %D%/replays.h \
  %D%/recording.h
