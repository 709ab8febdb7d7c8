if TESTS_ENABLED
if BACKEND_CUDA
check_PROGRAMS += \
  %D%/test_attach \
  %D%/test_calls \
  %D%/test_copies \
  %D%/test_driver \
  %D%/test_handles \
  %D%/test_hosts \
  %D%/test_kinds \
  %D%/test_node_table \
  %D%/test_pools \
  %D%/test_values \
  %D%/test_vmem
%C%_test_attach_SOURCES = %D%/fake.h %D%/fake_control.c %D%/test_attach.c
%C%_test_calls_SOURCES = %D%/fake.h %D%/fake_control.c %D%/test_calls.c
TELLING = %D%/fake.h %D%/fake_control.c %D%/telling.c %D%/telling.h
%C%_test_copies_SOURCES = $(TELLING) %D%/test_copies.c
%C%_test_driver_SOURCES = %D%/fake.h %D%/fake_control.c %D%/test_driver.c
%C%_test_handles_SOURCES = %D%/fake.h %D%/fake_control.c %D%/test_handles.c
%C%_test_hosts_SOURCES = %D%/fake.h %D%/fake_control.c %D%/test_hosts.c
%C%_test_kinds_SOURCES = %D%/fake.h %D%/fake_control.c %D%/test_kinds.c
%C%_test_pools_SOURCES = %D%/fake.h %D%/fake_control.c %D%/test_pools.c
%C%_test_values_SOURCES = $(TELLING) %D%/test_values.c
%C%_test_vmem_SOURCES = %D%/fake.h %D%/fake_control.c %D%/test_vmem.c

# A library that the tests load as the driver: nothing of rill's is linked into it, and
# the parameters of its stubs have no names.
check_DATA += %D%/fake_libcuda.so
CLEANFILES += %D%/fake_libcuda.so
FAKE_FLAGS = -std=gnu11 -g -fPIC -fvisibility=hidden -shared -pthread -w
FAKE_PARTS = \
  $(srcdir)/%D%/fake_libcuda.c \
  $(srcdir)/%D%/fake_makers.c \
  $(srcdir)/%D%/fake_work.c
%D%/fake_libcuda.so: $(FAKE_PARTS) %D%/fake.h %D%/fake_libcuda.h \
  src/backend-cuda/driver/abi.h src/backend-cuda/driver/entries.h
	$(AM_V_GEN)$(MKDIR_P) %D% && $(CC) $(FAKE_FLAGS) -D_GNU_SOURCE -I$(srcdir)/include \
	  -I$(srcdir)/src -I$(srcdir)/tests $(CUDA_CPPFLAGS) $(FAKE_PARTS) -o $@
endif
endif

EXTRA_DIST += \
  %D%/fake_libcuda.c \
  %D%/fake_libcuda.h \
  %D%/fake_makers.c \
  %D%/fake_work.c
