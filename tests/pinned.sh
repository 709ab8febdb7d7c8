#!/bin/sh
# Runs a command on one processor of those that are allowed, which another one need not get:
#   tests/pinned.sh COMMAND [ARGUMENT...]
#
# For programs under qemu. C11 and ARMv8 order a load-acquire after the store-release before it
# (ldar, stlr), which is what atomic_store() and atomic_load() become. qemu's code for x86 has a
# fence before such a store and one after such a load, but none between them (7.2 and 10.0 were
# tried), so that of two threads that each store and then look at what the other stored neither
# may see it: a wake-up is lost. On one processor each thread sees all stores of the others.
command -v taskset >/dev/null || {
  echo "pinned.sh: there is no taskset, which util-linux has" >&2
  exit 1
}
processor=$(awk -v which="$$" '
  /^Cpus_allowed_list:/ {
    ranges = split($2, range, ",")
    for (r = 1; r <= ranges; r++) {
      split(range[r], ends, "-")
      for (i = ends[1]; i <= (ends[2] == "" ? ends[1] : ends[2]); i++) allowed[count++] = i
    }
  }
  END { print allowed[which % count] }' /proc/self/status)
exec taskset -c "$processor" "$@"
