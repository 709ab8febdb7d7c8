#!/bin/sh
# `rill run`: what it says and how it ends, and that programs find the stand-in.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"
rill=$(pwd)/src/command/rill
standin=$(pwd)/src/standin
unset RILL_SIM_DEVICES RILL_SIM_DRIVER RILL_LOG RILL_LAYERS RILL_CHECK
work=$(pwd)/tests/command-run.tmp
rm -rf "$work"
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"

# ends STATUS COMMAND...: whether it ends so; its output is in $said.
ends() {
  want=$1
  shift
  said=$("$@" 2>&1)
  status=$?
  [ "$status" -eq "$want" ] && return
  printf '%s\n' "$said" "it ended with $status, not with $want"
  return 1
}

# refuses STATUS WORDS COMMAND...: it ends so, and says these words.
refuses() {
  words=$2
  want=$1
  shift 2
  ends "$want" "$@" || return 1
  case $said in *"$words"*) return 0 ;; esac
  printf '%s\n' "$said" "it does not say: $words"
  return 1
}

# ---- Words and options ---------------------------------------------------------

expect "--version says which" test "$("$rill" --version)" = "rill $version"
expect "--help says how" refuses 0 "usage: rill run" "$rill" --help
expect "no word at all is a mistake" refuses 2 "usage: rill run" "$rill"
expect "and so is one that nobody knows" refuses 2 '"walk"' "$rill" walk
if [ -e /dev/full ]; then
  # shellcheck disable=SC2016
  expect "an output that is full is a failure" refuses 1 "cannot write" \
    sh -c '"$1" --help > /dev/full' sh "$rill"
else
  skip "no /dev/full" "an output that is full is a failure"
fi
expect "run needs a program" refuses 125 "name the program" "$rill" run --devices 2
expect "an option that nobody knows is refused" refuses 125 "--fast" "$rill" run --fast true
for devices in 0 65 -1 two 2x '' 99999999999999999999; do
  expect "--devices '$devices' is refused" refuses 125 "from 1 to 64" \
    "$rill" run --devices "$devices" true
done
for driver in 12 12. .4 twelve ../12.4 12.4/.. ''; do
  expect "--driver '$driver' is refused" refuses 125 \
    "--driver takes a version such as 12.4, not \"$driver\"" "$rill" run --driver "$driver" true
done
expect "a value that is missing is refused" refuses 125 "from 1 to 64" "$rill" run --devices

expect "help is a word, too" refuses 0 "usage: rill run" "$rill" help
expect "help run tells the options of run" refuses 0 "--suppressions FILE" "$rill" help run
expect "help cc tells those of cc" refuses 0 "--gpu=sm_75" "$rill" help cc
expect "help info tells those of info" refuses 0 "usage: rill info" "$rill" help info
expect "which are fewer" test "$("$rill" help info | grep -c check)" = 0
expect "help help is help" refuses 0 "rill help [run | cc | info | explore]" "$rill" help help
expect "there is no help on what is not there" refuses 2 'there is no command "walk"' \
  "$rill" help walk
expect "-V says which" test "$("$rill" -V)" = "rill $version"
expect "run --help says how" refuses 0 "--suppressions FILE" "$rill" run --devices 2 --help true
expect "so does info" refuses 0 "usage: rill info" "$rill" info -h

# ---- Clocks ---------------------------------------------------------------------------

costs=$(pwd)/tests/command-run.costs
printf 'fil 1us\n' > "$costs"
expect "a clock that nobody knows is refused" refuses 125 'not "sun"' \
  "$rill" run --clock sun true
expect "costs need a virtual clock" refuses 125 "with --clock virtual" \
  "$rill" run --costs "$costs" true
expect "a virtual clock is a schedule of its own" refuses 125 "no other schedule" \
  "$rill" run --clock virtual --schedule late true
expect "a line of costs that cannot be read is named" refuses 125 "line 1: 'fil 1us'" \
  "$rill" run --clock virtual --costs "$costs" true
printf 'fill 1us\n' > "$costs"
# shellcheck disable=SC2016
expect "the program is given both" test \
  "$("$rill" run --clock virtual --costs "$costs" sh -c 'echo $RILL_SIM_CLOCK $RILL_SIM_COSTS')" = \
  "virtual $costs"
rm -f "$costs"

# ---- Checking: words that are refused --------------------------------------------

for kinds in race,speed 'race,' ,race '' racelife; do
  expect "--check='$kinds' is refused" refuses 125 \
    "--check takes race, life, capture, hang, init, leak, hints, kernel and managed with commas between, not \"" \
    "$rill" run "--check=$kinds" true
done
for status in 256 -1 one 1x '' 99999999999999999999; do
  expect "--error-exitcode '$status' is refused" refuses 125 \
    "--error-exitcode takes a number from 0 to 255, not \"$status\"" \
    "$rill" run --check --error-exitcode "$status" true
done
expect "there are up to 15 callers" refuses 125 "--stack takes a number from 0 to 15, not \"16\"" \
  "$rill" run --check --stack 16 true
for option in --log-file --json-file --suppressions; do
  expect "$option needs a name" refuses 125 "$option takes the name of a file" \
    "$rill" run --check "$option=" true
done
expect "a file that cannot be written is refused" refuses 125 \
  "--log-file: $work/none/log cannot be written: No such file" \
  "$rill" run --check --log-file "$work/none/log" true
expect "suppressions that are not there are refused" refuses 125 "none: No such file" \
  "$rill" run --check --suppressions "$work/none" true
echo "function:grow_*" > "$work/good"
printf 'kind:race\nvendor/*.c\n' > "$work/rules"
expect "a wrong suppression is told with file and line" refuses 125 \
  "$work/rules:2: \"vendor/*.c\" is neither an id" \
  "$rill" run --check --suppressions "$work/rules" true
for option in --hints --stack=3 --error-exitcode=1 --log-file=a --json-file=a --suppressions=a; do
  expect "$option needs --check" refuses 125 "${option%%=*} is for runs with --check" \
    "$rill" run "$option" true
done
# shellcheck disable=SC2016
expect "what the variable holds is looked at, too" refuses 125 \
  '$RILL_CHECK: there is no setting "speed"' env RILL_CHECK=speed "$rill" run --check true
# shellcheck disable=SC2016
expect "also if the variables alone ask for the layer" refuses 125 \
  '$RILL_CHECK: there is no setting "speed"' \
  env RILL_LAYERS=trace,check RILL_CHECK=speed "$rill" run true
# shellcheck disable=SC2016
expect "and its files are" refuses 125 \
  "\$RILL_CHECK: $work/none/log cannot be written: No such file" \
  env "RILL_CHECK=log=$work/none/log" "$rill" run --check true
expect "a value that is missing is told as such" refuses 125 \
  "--log-file takes the name of a file" "$rill" run --check --log-file
expect "info does not check" refuses 2 "there is no option --check" "$rill" info --check

if [ ! -e "$standin/libcuda.so.1" ]; then
  expect "without a stand-in nothing runs" refuses 125 "stand-in" "$rill" run true
  done_testing
  exit 0
fi
expect "a driver that is not there is refused" refuses 125 "there is no driver 1.0; there are: 13.0" \
  "$rill" run --driver 1.0 true

# ---- How it ends ---------------------------------------------------------------

expect "the program's status is that of the command" ends 7 "$rill" run sh -c 'exit 7'
expect "a program that does not exist" refuses 127 "no-such-program" "$rill" run no-such-program
expect "nor does its folder" refuses 127 "none/such" "$rill" run ./none/such
expect "nor is its folder one" refuses 127 "libcuda.so.1/x" "$rill" run "$standin/libcuda.so.1/x"
expect "a folder is no program" refuses 126 "$work" "$rill" run "$work"
: > "$work/data"
expect "nor is a file that may not be run" refuses 126 "$work/data" "$rill" run "$work/data"
# shellcheck disable=SC2016
expect "the program takes the process over" test \
  "$(sh -c 'echo $$; exec "$1" run sh -c "echo \$\$"' sh "$rill" | uniq -d | wc -l)" -eq 1

# ---- What the program gets -----------------------------------------------------

# shellcheck disable=SC2016
print_arguments='for word; do printf "<%s>" "$word"; done'
expect "arguments arrive as they are" test \
  "$("$rill" run sh -c "$print_arguments" sh 'a b' '' --devices '*')" = "<a b><><--devices><*>"
expect "-- ends the options" test "$("$rill" run --devices 2 -- printf %s --help)" = "--help"
# shellcheck disable=SC2016
print_path='echo "$LD_LIBRARY_PATH"'
runtime=$(cd "$standin/../runtime" && pwd -P)
expect "the folders of the stand-in and the runtime are in front" test \
  "$(LD_LIBRARY_PATH=/first:/second "$rill" run sh -c "$print_path")" = \
  "$standin:$runtime:/first:/second"
expect "and alone where there was no other" test \
  "$(LD_LIBRARY_PATH='' "$rill" run sh -c "$print_path")" = "$standin:$runtime"
# shellcheck disable=SC2016
expect "--devices is the simulator's variable" test \
  "$(RILL_SIM_DEVICES=5 "$rill" run --devices=3 sh -c 'echo $RILL_SIM_DEVICES')" = 3
# shellcheck disable=SC2016
expect "without it the variable stays" test \
  "$(RILL_SIM_DEVICES=5 "$rill" run sh -c 'echo $RILL_SIM_DEVICES')" = 5
expect "a version in the variable is looked at, too" refuses 125 \
  'RILL_SIM_DRIVER takes a version such as 12.4, not "new"' env RILL_SIM_DRIVER=new "$rill" run true

# ---- What the layer gets -------------------------------------------------------

# shellcheck disable=SC2016
print_check='printf "<%s><%s>" "$RILL_LAYERS" "$RILL_CHECK"'

# asks WANTED RILL-ARGUMENT...: what the program finds in the two variables.
asks() {
  wanted=$1
  shift
  said=$("$rill" run "$@" sh -c "$print_check") && [ "$said" = "$wanted" ] && return
  printf '%s\n' "$said"
  return 1
}

here=$(pwd -P)
expect "without --check there is no layer" asks "<><>" --devices 1
expect "--check puts it there" asks "<check><>" --check
expect "--check takes kinds" asks "<check><race leak >" --check=race,leak
expect "--hints adds to the others" asks "<check><race life capture hints hang >" --check --hints
expect "also to those that are named" asks "<check><leak hints >" --hints --check=leak
expect "options become settings" \
  asks "<check><stack=8 exitcode=3 log=/dev/null json=$here/a\\ %p.json >" \
  --error-exitcode 3 --log-file=/dev/null --stack=8 --check --json-file 'a %p.json'
expect "a file of suppressions is found from any folder" \
  asks "<check><suppressions=$here/tests/command-run.tmp/good >" --check --suppressions \
  tests/command-run.tmp/good
RILL_LAYERS=trace,fail RILL_CHECK='race unused'
export RILL_LAYERS RILL_CHECK
expect "layers and settings that are there stay" \
  asks "<check,trace,fail><race unused race hints >" --check --hints
RILL_LAYERS=trace,check
expect "the layer is put there once" asks "<trace,check><race unused leak >" --check=leak
unset RILL_LAYERS RILL_CHECK

# ---- Programs ------------------------------------------------------------------

cat > "$work/loads.c" << 'END'
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int count = -1, version = -1;
    void *library = NULL, *first = NULL;
    for (int i = 1; i < argc; i++) {
        library = dlopen(argv[i], RTLD_NOW);
        if (!library) return fprintf(stderr, "%s\n", dlerror()), 1;
        if (first && first != library) return fprintf(stderr, "%s is another\n", argv[i]), 1;
        first = library;
    }
    if (((int (*)(unsigned))dlsym(library, "cuInit"))(0)) return 2;
    if (((int (*)(int *))dlsym(library, "cuDeviceGetCount"))(&count)) return 3;
    if (((int (*)(int *))dlsym(library, "cuDriverGetVersion"))(&version)) return 4;
    printf("%d %d\n", version, count);
    return 0;
}
END
cat > "$work/linked.c" << 'END'
#include <stdio.h>

int cuInit(unsigned flags);
int cuDeviceGetCount(int *count);
int cuDriverGetVersion(int *version);

int main(void)
{
    int count = -1, version = -1;
    int status = cuInit(0) || cuDeviceGetCount(&count) || cuDriverGetVersion(&version);
    printf("%d %d\n", version, count);
    return status;
}
END

# The flags are words.
build() {
  # shellcheck disable=SC2086
  $CC $instrument -w "$work/$1.c" -o "$work/$1" -pthread $2
}

# runs WORDS RILL-ARGUMENT...: what the program prints.
runs() {
  words=$1
  shift
  said=$("${SHELL:-sh}" "$srcdir/tests/run.sh" "$rill" run "$@" 2>&1)
  [ "$said" = "$words" ] && return
  printf '%s\n' "$said"
  return 1
}

if expect "a program builds that loads a driver" build loads -ldl; then
  expect "it finds libcuda.so.1" runs "13000 1" "$work/loads" libcuda.so.1
  expect "it finds libcuda.so" runs "13000 1" "$work/loads" libcuda.so
  expect "an older driver says that it is one" runs "12040 1" --driver 12.4 "$work/loads" \
    libcuda.so libcuda.so.1
  expect "they are one library" runs "13000 2" --devices 2 "$work/loads" libcuda.so libcuda.so.1
fi
if expect "a program builds that is linked with it" build linked "-L$standin -l:libcuda.so.1"; then
  expect "it runs" runs "13000 3" --devices 3 "$work/linked"
  expect "and so it does when a script starts it" runs "13000 1" sh -c "$work/linked; true"
fi

# ---- Installed, and moved --------------------------------------------------------

mkdir -p "$work/moved$bindir" "$work/moved$libdir/rill"
cp "$rill" "$work/moved$bindir/rill"
cp "$standin"/libcuda.so* "$work/moved$libdir/rill/"
expect "a tree that was moved has its own stand-in" test \
  "$(LD_LIBRARY_PATH='' "$work/moved$bindir/rill" run sh -c "$print_path")" = \
  "$work/moved$libdir/rill"
rm -r "$work/moved$libdir/rill"
if [ -e "$libdir/rill/libcuda.so.1" ]; then
  skip "rill is installed here" "one that lost it says so"
else
  expect "one that lost it says so" refuses 125 "neither in $libdir/rill nor" \
    "$work/moved$bindir/rill" run true
fi
mv "$work/moved" "$work/a:b"
mkdir -p "$work/a:b$libdir/rill"
cp "$standin/libcuda.so.1" "$work/a:b$libdir/rill/"
expect "a folder that the loader cannot be told of is refused" refuses 125 "colon" \
  "$work/a:b$bindir/rill" run true
done_testing
