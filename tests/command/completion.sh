#!/bin/sh
# The words that bash completes, and that zsh's file has the same options.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"
rill=$(pwd)/src/command/rill
file=$top_srcdir/tools/completion/rill
zsh_file=$top_srcdir/tools/completion/_rill
command -v bash > /dev/null || skip_all "no bash"

# completes WANTED WORD...: what there is for the last word, sorted.
completes() {
  wanted=$1
  shift
  # shellcheck disable=SC2016
  said=$(bash --norc -c '
    . "$1"
    shift
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    _rill
    printf "%s\n" "${COMPREPLY[@]}"' bash "$file" "$@" 2>&1 | LC_ALL=C sort | tr '\n' ' ')
  said=${said% }
  [ "$said" = "$wanted" ] && return
  printf '%s\n' "$said" "it is not: $wanted"
  return 1
}

# shellcheck disable=SC2016
expect "the file is for rill" bash --norc -c '. "$1" && complete -p rill' bash "$file"
expect "the commands" completes "--help --version cc explore help info run" rill ""
expect "one that has begun" completes run rill r
expect "help takes them" completes "cc explore help info run" rill help ""
expect "explore has one option" completes "--sum" rill explore --s
expect "an option that has begun" completes "--schedule --schedules" rill run --sche
expect "after other options" completes "--timeline --timeout" rill run --devices 2 --check --ti
expect "after an option with =" completes "--timeline --timeout" rill run --devices = 2 --ti
expect "after a list of kinds" completes "--timeline --timeout" rill run --check = race --ti
expect "after a schedule" completes "--timeline --timeout" rill run --schedule pct : 3 : 2 --ti
expect "info has few" completes "--device --devices --driver --help" rill info --
expect "kinds of findings" completes "race" rill run --check = ra
expect "all kinds" completes "capture hang hints init leak life race" rill run --check =
expect "another kind" completes "race,leak race,life" rill run --check = race,l
expect "schedules" completes "random: replay:" rill run --schedule r
expect "schedules behind =" completes "random: replay:" rill run --schedule = r
expect "a word for --fail" completes "each" rill run --fail ""
expect "a number is not completed" completes "" rill run --devices ""
expect "an option of the program is not rill's" completes "" rill run ./prog --sche
expect "nor is one behind --" completes "" rill run -- --sche

work=$(pwd)/tests/command-completion.tmp
rm -rf "$work"
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/folder"
: > "$work/file one"
expect "files, with blanks in their names" completes "$work/file one" rill run --trace "$work/fi"
expect "files for cc" completes "$work/file one" rill cc -O2 "$work/fi"
expect "folders alone" completes "$work/folder" rill run --graphs "$work/f"
expect "programs by their path" completes "$work/file one $work/folder" rill run "$work/f"

if [ -e src/standin/libcuda.so.1 ]; then
  expect "drivers that there are" completes 12.4 "$rill" run --driver 12.4
  expect "models of devices" completes "t4,rtx3080 t4,rtx3090" "$rill" run --device t4,rtx3
else
  skip "no stand-in" "drivers that there are"
fi

# ---- Nothing is left out -------------------------------------------------------

missing_in() {
  for option in $("$rill" help run | sed -n 's/^  \(-q, \)\{0,1\}\(--[a-z-]*\).*/\2/p'); do
    grep -q -e "$option\\b" "$1" || echo "$option"
  done
}
expect "help tells options" test "$("$rill" help run | grep -c '^  -')" -gt 15
expect_empty "bash has each option" "$(missing_in "$file")"
expect_empty "zsh has each option" "$(missing_in "$zsh_file")"
page_lacks() {
  for option in $("$rill" help run | sed -n 's/^  \(-q, \)\{0,1\}--\([a-z-]*\).*/\2/p'); do
    grep -q "^\.It Fl .*-$option" "$top_srcdir/man/rill.1" || echo "$option"
  done
}
expect_empty "and so has the manual" "$(page_lacks)"
if command -v zsh > /dev/null; then
  expect "zsh reads its file" zsh -n "$zsh_file"
else
  skip "no zsh" "zsh reads its file"
fi
done_testing
