#!/bin/sh
# A schedule that is given costs at most three times what a stream of host functions costs without
# one. Counted in instructions, which what else the machine does hardly changes.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"
program=tests/sim/schedule/functions
most=300 # percent

# shellcheck disable=SC2154 # config.sh
case $instrument in
*[!\ ]*) skip_all "the compiler adds instructions of its own: $instrument" ;;
esac
[ -x "$program" ] || skip_all "$program was not built"
valgrind=$(command -v valgrind) || skip_all "there is no valgrind"

# counted ROUNDS [SCHEDULE]: instructions of the whole program.
counted() {
  ./libtool --silent --mode=execute "$valgrind" --tool=callgrind --callgrind-out-file=/dev/null \
    "./$program" "$@" 2>&1 | awk '/Collected *:/ { print $NF }'
}

# each [SCHEDULE]: instructions that a function more adds.
each() {
  few=$(counted 4 "$@")
  many=$(counted 14 "$@")
  [ -n "$few" ] && [ -n "$many" ] && echo $(((many - few) / 10000))
}

plain=$(each)
[ -n "$plain" ] || skip_all "valgrind cannot read this build"
echo "# no schedule: $plain instructions for each"

# costs_little SCHEDULE: in one of three counts, since two threads that look for each other may be
# let go in another order, and look more often.
costs_little() {
  for _ in 1 2 3; do
    steered=$(each "$1")
    percent=$((steered * 100 / plain))
    echo "# $1: $steered instructions, $percent percent"
    [ "$percent" -gt "$most" ] || return 0
  done
  return 1
}

# The runner's thread takes the steps of a call: two changes of threads for each.
for schedule in late overlap early pct:1:3 starve:1 starve:2 replay:9.9 order:9.9 random:1 serial; do
  if costs_little "$schedule"; then
    ok "$schedule costs at most three times as much as no schedule"
  else
    not_ok "$schedule costs at most three times as much as no schedule"
  fi
done

# Where host functions wait for nothing that a thread of the program does, the call takes them.
export RILL_SIM_HOST_THREAD=2
for schedule in late early pct:1:3 starve:2 replay:9.9 order:9.9 random:1 serial; do
  if costs_little "$schedule"; then
    ok "$schedule costs at most three times as much where functions run in calls"
  else
    not_ok "$schedule costs at most three times as much where functions run in calls"
  fi
done
done_testing
