# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# What `tools/third-party --runtime DIR` does: runs the programs of the lists, and holds the
# runtime to these. That tool sets what is used here:
#   $top       the source tree
#   $from      DIR
#   $programs  those to run; all if empty
#   $check     whether to run them under the layer check: yes or no
#   $write     whether to write doc/third-party-runtime.md: yes or no
#   $jobs      how many jobs at once when building rill
# shellcheck disable=SC2154

lists=$top/tests/third-party/runtime
work=$top/build/third-party-runtime
limit=600 options='--devices 2'
# shellcheck source=tests/third-party/runtime/suites.sh
. "$lists/suites.sh"
# shellcheck source=tests/third-party/runtime/page.sh
. "$lists/page.sh"

# lines_of SUITE: its list, as far as it is of the programs that were asked for, with "|" and
# nothing else between the fields.
lines_of() {
  sed 's/#.*//; s/[ \t]*|[ \t]*/|/g; s/[ \t]*$//; s/^\(pass\|ends\|known\|not\) */\1|/; /^$/d' \
    "$lists/$1.txt" | awk -F '|' -v programs="$programs" '
      BEGIN { all = programs == ""; n = split(programs, names, " ") }
      { chosen = all; for (i = 1; i <= n; i++) if (names[i] == $2) chosen = 1 }
      chosen'
}

# judge_program SUITE WORD RESULT: prints what the tool makes of it.
judge_program() {
  case $2-$3 in
  pass-pass | ends-pass) echo "$2" ;;
  known-pass) echo "strike it does not fail: its line begins with pass" ;;
  known-*) echo known ;;
  *) echo "$3" ;;
  esac
}

# judge_reports SUITE NAME: prints "pass", or "fail" and what the layer check says that has no reason
# in reports.txt.  Silence counts only where a report was left.
judge_reports() {
  left=$work/check/$1.$2
  if ! cat "$left"/*.txt 2> /dev/null |
    grep -qE '^==rill== (no findings|[0-9]+ findings?[:;])'; then
    echo "fail it leaves no report in $left"
    return
  fi
  cat "$lists/reports.txt" "$left"/*.txt |
    awk -f "$top/tests/layer-check/unlisted.awk" -v program="$1/$2" > "$left/unlisted"
  if [ -s "$left/unlisted" ]; then
    echo "fail it is reported: $(head -n 1 "$left/unlisted")"
  else
    echo pass
  fi
}

# run_suite SUITE: prints a line for each program: "pass|ends|known|fail|strike|not NAME WHY".
run_suite() {
  lines_of "$1" | while IFS='|' read -r word name arguments words flags reason; do
    [ "$word" != not ] || { echo "not $name $arguments"; continue; }
    result=$(run_program "$1" "$name" "$arguments" "$words" "$flags")
    [ "$check-$result" != yes-pass ] || result=$(judge_reports "$1" "$name")
    verdict=$(judge_program "$1" "$word" "$result")
    echo "$1: $name: $verdict ${reason:-}" >&2
    why=${verdict#"${verdict%% *}"}
    echo "${verdict%% *} $name$why"
  done
}

run_runtime() {
  find_nvcc || die "nvcc is neither in PATH nor in CUDA_HOME"
  for suite in $all_suites; do
    [ -d "$from/$suite" ] || die "$from has no folder $suite: fetch it from $(suite_title "$suite")"
  done
  bootstrap_tree
  mkdir -p "$work"
  say "building in build/third-party-runtime"
  log=$work/build.log
  : > "$log"
  configure_in "$work/rill" "$log" --disable-shared --enable-tests=no || die "configure failed"
  logged "$log" make -C "$work/rill" -j "$jobs" || die "the build failed"
  rill=$work/rill/src/command/rill
  unset RILL_SIM_DEVICES RILL_SIM_DRIVER RILL_SIM_WORKERS RILL_SIM_MEMORY RILL_KERNELS
  rm -rf "$work/check"
  failed=0
  for suite in $all_suites; do
    run_suite "$suite" > "$work/$suite.judged"
    failed=$((failed + $(grep -cE '^(fail|strike) ' "$work/$suite.judged")))
  done
  [ "$write" = no ] || {
    write_runtime_page > "$top/doc/third-party-runtime.md" || die "the page cannot be written"
    say "written to doc/third-party-runtime.md"
  }
  for suite in $all_suites; do
    echo "$suite: $(count_judged "$suite" pass) passed," \
      "$(count_judged "$suite" ends) ended, $(count_judged "$suite" 'fail|strike') failed," \
      "$(count_judged "$suite" known) known, $(count_judged "$suite" not) not run"
  done
  [ "$failed" -eq 0 ]
}
