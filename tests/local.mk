# Every test prints TAP. A new test program is a line in check_PROGRAMS of its folder, if
# its source has the same name; otherwise add a line  %C%_NAME_SOURCES = …  too. All
# programs share flags (AM_CFLAGS) and libraries (LDADD), so they need no others. What
# several folders use is in libsupport.a.
TEST_EXTENSIONS = .sh
LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
LOG_COMPILER = $(SHELL) $(srcdir)/%D%/run.sh
SH_LOG_DRIVER = $(LOG_DRIVER)
SH_LOG_COMPILER = $(SHELL)
AM_TESTS_ENVIRONMENT = \
  CMOCKA_MESSAGE_OUTPUT=TAP; export CMOCKA_MESSAGE_OUTPUT; \
  RILL_TEST_EXAMPLES='$(EXAMPLES)'; export RILL_TEST_EXAMPLES;

check_DATA = %D%/config.sh

if TESTS_ENABLED
AM_CFLAGS += $(CMOCKA_CFLAGS)
LDADD = %D%/libsupport.a librill-all.la $(CMOCKA_LIBS)

check_LIBRARIES += %D%/libsupport.a
%C%_libsupport_a_SOURCES =
endif

# Kernels as a user of the stand-in has them: nothing of rill's is linked into them.
KERNELS_CC = $(MKDIR_P) $(@D) && $(CC) -std=gnu11 -g -O1 -fPIC -shared -Wall -Wextra \
  $(SANITIZER_FLAGS) -I$(top_srcdir)/include
# Tables of functions, as these headers lay them out.
KERNELS_LAYOUT = include/rill/module.h include/rill/standin.h

include %D%/support/local.mk
include %D%/random/local.mk
include %D%/reference/local.mk
include %D%/base/local.mk
include %D%/explore/local.mk
include %D%/core/local.mk
include %D%/layer-check/local.mk
include %D%/layer-trace/local.mk
include %D%/layer-tsan/local.mk
include %D%/conformance/local.mk
include %D%/sim/local.mk
include %D%/ptx/local.mk
include %D%/cuda/local.mk
include %D%/site/local.mk
include %D%/standin/local.mk
include %D%/runtime/local.mk
include %D%/driver/local.mk
include %D%/cpp/local.mk
include %D%/third-party/local.mk

SHELL_TESTS = \
  %D%/abi.sh \
  %D%/ci.sh \
  %D%/command/completion.sh \
  %D%/command/faults.sh \
  %D%/command/info.sh \
  %D%/command/run.sh \
  %D%/command/explore.sh \
  %D%/command/fails.sh \
  %D%/command/schedules.sh \
  %D%/command/settings.sh \
  %D%/command/sleeps.sh \
  %D%/command/trace.sh \
  %D%/configure.sh \
  %D%/conformance_fails.sh \
  %D%/documents.sh \
  %D%/examples.sh \
  %D%/headers.sh \
  %D%/html.sh \
  %D%/install.sh \
  %D%/layer-check/cost.sh \
  %D%/layer-check/handler_python.sh \
  %D%/layer-check/kernels.sh \
  %D%/layer-check/own_text.sh \
  %D%/layer-check/same_text.sh \
  %D%/site/site_python.sh \
  %D%/layer-check/suite.sh \
  %D%/layer-tsan/tsan.sh \
  %D%/layers.sh \
  %D%/man.sh \
  %D%/pytest/pytest.sh \
  %D%/ptx/answers/chains.sh \
  %D%/reference.sh \
  %D%/sim/memory/asan.sh \
  %D%/sim/schedule/cost.sh \
  %D%/runtime/answers.sh \
  %D%/runtime/answers_11.sh \
  %D%/runtime/clang.sh \
  %D%/runtime/jit_link.sh \
  %D%/runtime/nvrtc.sh \
  %D%/runtime/programs.sh \
  %D%/runtime/redirect.sh \
  %D%/runtime/programs_11.sh \
  %D%/runtime/sites.sh \
  %D%/runtime/symbols.sh \
  %D%/standin/older.sh \
  %D%/standin/symbols.sh \
  %D%/standin_conformance.sh \
  %D%/style.sh \
  %D%/symbols.sh \
  %D%/workers.sh
EXTRA_DIST += $(SHELL_TESTS) %D%/pytest/test_streams.py %D%/README.md %D%/command/says.sh \
  %D%/librill.abi %D%/librill.symbols %D%/run.sh \
  %D%/spelling.words %D%/tap.sh

TESTS += $(check_PROGRAMS) $(SHELL_TESTS) $(DRIVER_TESTS)

# What looks at sources alone, and what looks at how the library is built: the same tests, whatever
# the compiler or the sanitizer is.
SOURCE_TESTS = %D%/ci.sh %D%/command/completion.sh %D%/documents.sh %D%/html.sh %D%/man.sh \
  %D%/style.sh
BUILD_TESTS = %D%/abi.sh %D%/configure.sh %D%/install.sh %D%/layers.sh

# What tries the library as it is installed, and programs that are linked with it. Test programs
# have it inside in any case: without the shared library they are what they are with it.
LIBRARY_TESTS = %D%/command/faults.sh %D%/command/info.sh %D%/command/run.sh \
  %D%/command/schedules.sh %D%/command/trace.sh %D%/examples.sh %D%/headers.sh %D%/install.sh \
  %D%/layer-tsan/tsan.sh %D%/pytest/pytest.sh %D%/runtime/clang.sh \
  %D%/runtime/programs.sh %D%/runtime/symbols.sh %D%/standin/older.sh %D%/standin/symbols.sh \
  %D%/standin_conformance.sh %D%/symbols.sh

.PHONY: check-library
check-library: all
	$(MAKE) $(AM_MAKEFLAGS) $(check_DATA) %D%/conformance/run_sim
	$(MAKE) $(AM_MAKEFLAGS) check-TESTS check_PROGRAMS= check_LIBRARIES= \
	  TESTS='%D%/conformance/run_sim $(LIBRARY_TESTS)'

# What another compiler or a sanitizer may see: everything that runs.
LEFT_OUT = $(SOURCE_TESTS) $(BUILD_TESTS)
.PHONY: check-running
check-running: all
	$(MAKE) $(AM_MAKEFLAGS) $(check_LIBRARIES) $(check_PROGRAMS) $(check_DATA)
	left=$$(printf '%s\n' $(TESTS) | grep -vxF "$$(printf '%s\n' $(LEFT_OUT))") && \
	  $(MAKE) $(AM_MAKEFLAGS) check-TESTS TESTS="$$(echo $$left)"

# What is a compiler's: not what compiles programs with all of them anyway, and not which calls
# fail.
OTHER_TESTS = %D%/conformance_fails.sh %D%/layer-tsan/tsan.sh
.PHONY: check-compiled
check-compiled:
	$(MAKE) $(AM_MAKEFLAGS) check-running LEFT_OUT='$(LEFT_OUT) $(OTHER_TESTS)'

# What races may be in.  The tests that take ThreadSanitizer longest have a single thread.
LONE_TESTS = %D%/base/test_byte_sets %D%/base/test_footprint %D%/layer-check/test_segments \
  %D%/ptx/fuzz/test_fuzz %D%/ptx/run/test_box %D%/ptx/run/test_chain %D%/ptx/test_answers \
  %D%/ptx/test_groups %D%/ptx/test_tiles
.PHONY: check-threads
check-threads:
	$(MAKE) $(AM_MAKEFLAGS) check-running LEFT_OUT='$(LEFT_OUT) $(LONE_TESTS)'

# The same programs under valgrind: a leak or an invalid access is an exit status,
# and that is a failed test to the TAP driver. What takes too long there divides
# its sizes by RILL_TEST_SCALE.
VALGRIND_FLAGS = --error-exitcode=99 --leak-check=full --fair-sched=try \
  --child-silent-after-fork=yes --suppressions=$(srcdir)/%D%/valgrind.supp
VALGRIND_SCALE = 20
EXTRA_DIST += %D%/valgrind.supp

.PHONY: check-valgrind
check-valgrind: all
	@test -n '$(VALGRIND)' || { echo 'check-valgrind: no valgrind was found by configure' >&2; exit 1; }
	@test -n '$(check_PROGRAMS)' || { echo 'check-valgrind: there are no test programs' >&2; exit 1; }
	$(MAKE) $(AM_MAKEFLAGS) $(check_LIBRARIES) $(check_PROGRAMS) $(check_DATA)
	RILL_TEST_WRAPPER='$(VALGRIND) $(VALGRIND_FLAGS)' RILL_TEST_SCALE=$(VALGRIND_SCALE) \
	  $(MAKE) $(AM_MAKEFLAGS) check-TESTS TESTS='$(check_PROGRAMS)' \
	  TEST_SUITE_LOG=valgrind-suite.log

# The tests of the base, of the core and of conformance with the forms of src/base for other systems
# (configure --enable-portable): what needs the kernel to tell of threads is left out by name.
# EMULATOR is empty where the processor runs the programs itself.
EXTRA_DIST += %D%/portable.txt

PORTABLE_ONES = $$(printf '%s\n' $(check_PROGRAMS) | grep -E '^%D%/(base|core)/|/run_sim$$')

.PHONY: check-portable
check-portable: all
	programs=$$(echo $(PORTABLE_ONES)) && \
	  $(MAKE) $(AM_MAKEFLAGS) $$programs $(check_DATA) && \
	  $(if $(EMULATOR),$(EMULATED)) RILL_TEST_LEAVE_OUT='$(abs_srcdir)/%D%/portable.txt' \
	  $(MAKE) $(AM_MAKEFLAGS) check-TESTS TEST_SUITE_LOG=portable-suite.log \
	  TESTS="$$programs" check_PROGRAMS= check_LIBRARIES=

# The same programs where they are run by an emulator of their processor, which is no system of
# its own: what asks the kernel about threads, or starts another program, is left out by name.
# Devices are small: qemu keeps an entry for each page that a program reserves, some gigabytes for
# the tests that open hundreds of devices of 8 GiB.  Each program gets one processor: pinned.sh
# says why.
EMULATOR =
EMULATOR_MEMORY = 512M
EMULATOR_SCALE = 10
EMULATED = RILL_TEST_WRAPPER='$(abs_srcdir)/%D%/pinned.sh $(EMULATOR)' \
  RILL_TEST_SCALE=$(EMULATOR_SCALE) RILL_TEST_EMULATED=1
EXTRA_DIST += %D%/emulated.txt %D%/pinned.sh

.PHONY: check-emulated
check-emulated: all
	@test -n '$(EMULATOR)' || { echo 'check-emulated: EMULATOR is the command to use' >&2; exit 1; }
	@test -n '$(check_PROGRAMS)' || { echo 'check-emulated: there are no test programs' >&2; exit 1; }
	$(MAKE) $(AM_MAKEFLAGS) $(check_LIBRARIES) $(check_PROGRAMS) $(check_DATA)
	$(EMULATED) RILL_SIM_MEMORY=$(EMULATOR_MEMORY) \
	  RILL_TEST_LEAVE_OUT='$(abs_srcdir)/%D%/emulated.txt' \
	  $(MAKE) $(AM_MAKEFLAGS) check-TESTS TESTS='$(check_PROGRAMS) %D%/symbols.sh' \
	  TEST_SUITE_LOG=emulated-suite.log
