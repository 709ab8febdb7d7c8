#!/bin/sh
# `rill run`: what makes a device fail is told on the standard error output, once.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"
rill=$(pwd)/src/command/rill
standin=$(pwd)/src/standin
export ASAN_OPTIONS=detect_leaks=0 # the programs leave their objects
unset RILL_LOG RILL_LAYERS RILL_CHECK RILL_FAIL RILL_KERNELS RILL_SIM_SCHEDULE
[ -e "$standin/libcuda.so.1" ] || skip_all "no stand-in"
work=$(pwd)/tests/command-faults.tmp
rm -rf "$work"
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"

# Launches a kernel that stores where no memory is, in two streams, and asks what became of it; with
# an argument, one that stores behind the 44 bytes that there are, and ends with what became of it.
cat > "$work/program.c" << 'END'
#include <stddef.h>

int cuInit(unsigned);
int cuDevicePrimaryCtxRetain(void **, int);
int cuCtxSetCurrent(void *);
int cuCtxSynchronize(void);
int cuStreamCreate(void **, unsigned);
int cuStreamSynchronize(void *);
int cuMemAlloc_v2(unsigned long long *, size_t);
int cuModuleLoadData(void **, const void *);
int cuModuleGetFunction(void **, void *, const char *);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                   void *, void **, void **);

static const char text[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry strays()\n{\n  .reg .pred %q;\n  .reg .b64 %p;\n  .reg .b32 %i;\n"
    "  mov.u64 %p, 64;\n  mov.u32 %i, %tid.x;\n  setp.ne.u32 %q, %i, 2;\n  @%q ret;\n"
    "  st.global.u32 [%p], %i;\n  ret;\n}\n"
    ".visible .entry reaches(.param .u64 to)\n{\n  .reg .b64 %p;\n"
    "  ld.param.u64 %p, [to];\n  st.global.u32 [%p+44], 1;\n  ret;\n}\n";

static int reach(void *module)
{
    unsigned long long memory;
    void *kernel, *arguments[] = { &memory };
    if (cuMemAlloc_v2(&memory, 44) || cuModuleGetFunction(&kernel, module, "reaches")) return 5;
    cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL);
    return cuCtxSynchronize() == 700 ? 7 : 0;
}

int main(int count, char **words)
{
    void *context, *stream[2], *module, *kernel;
    if (cuInit(0) || cuDevicePrimaryCtxRetain(&context, 0) || cuCtxSetCurrent(context)) return 1;
    if (cuStreamCreate(&stream[0], 1) || cuStreamCreate(&stream[1], 1)) return 2;
    if (cuModuleLoadData(&module, text) || cuModuleGetFunction(&kernel, module, "strays")) return 3;
    if (count > 1) return reach(module);
    for (int i = 0; i < 2; i++) cuLaunchKernel(kernel, 1, 1, 1, 4, 1, 1, 0, stream[i], NULL, NULL);
    cuStreamSynchronize(stream[0]);
    return cuCtxSynchronize() == 700 ? 0 : 4;
}
END
# The flags are words.
# shellcheck disable=SC2086
build() { $CC $instrument -w "$work/program.c" -o "$work/program" "-L$standin" -l:libcuda.so.1; }
if ! expect "a program builds" build; then
  done_testing
  exit 1
fi

argument= # the program's
wanted=0  # the status it ends with

# says PATTERN LINES RILL-ARGUMENT...: that many lines are said, or any, and one fits.
says() {
  pattern=$1 lines=$2
  shift 2
  "${SHELL:-sh}" "$srcdir/tests/run.sh" "$rill" run "$@" "$work/program" $argument > "$work/said" 2>&1
  status=$?
  [ $status -eq $wanted ] &&
    { [ "$lines" = any ] || [ "$(wc -l < "$work/said")" -eq "$lines" ]; } &&
    { [ "$lines" = 0 ] || grep -q "$pattern" "$work/said"; } && return
  cat "$work/said"
  echo "it ended with $status"
  return 1
}

place="kernel 'strays', line 13, thread (2,0,0) of block (0,0,0)"
line="^rill: CUDA_ERROR_ILLEGAL_ADDRESS in stream [0-9]*: $place: .*0x40"
expect "a fault is told once, with all that is known of it" says "$line" 1
expect "--quiet keeps it back" says "" 0 --quiet
expect "so does -q" says "" 0 -q
RILL_LOG=faults
export RILL_LOG
expect "what the variable asks for stays" says "$line" 1 --quiet
RILL_LOG=unsupported
expect "other words do, too" says "$line" 1
unset RILL_LOG

# shellcheck disable=SC2016
print_log='echo "$RILL_LOG"'
expect "the program finds the word" test "$("$rill" run sh -c "$print_log")" = faults
expect "behind those that were there" test \
  "$(RILL_LOG=errors "$rill" run sh -c "$print_log")" = errors,faults
expect "once" test "$(RILL_LOG=faults,errors "$rill" run sh -c "$print_log")" = faults,errors
expect "info has no --quiet" test "$("$rill" info --quiet 2>&1; echo $?)" = \
  "rill info: there is no option --quiet; rill --help says which there are
2"
# What is behind an allocation is poisoned where AddressSanitizer looks on.
argument=beyond
# shellcheck disable=SC2154 # config.sh
case $sanitizers in
*address*) ;;
*)
  expect "what a GPU does not notice goes on and is told" \
    says "^rill: kernel 'reaches' goes beyond the 44 bytes at 0x" 1
  expect "with --quiet it goes on" says "" 0 --quiet
  ;;
esac
wanted=7
expect "under --check it is a fault" \
  says "kernel 'reaches', line 20, thread (0,0,0).*store of 4 bytes" any --check
wanted=99
expect "that decides the status" says "; 1 failed kernel" any --check --error-exitcode 99
done_testing
