# What tests of `rill run` share, which set `name` first: a folder for their work, and says.
# shellcheck shell=sh
# shellcheck disable=SC2154 # srcdir, name
rill=$(pwd)/src/command/rill
# shellcheck disable=SC2034 # for those who source this
standin=$(pwd)/src/standin
unset RILL_SIM_SCHEDULE RILL_SIM_SCHEDULE_TRAIL RILL_SIM_DEVICES RILL_SIM_DRIVER
unset RILL_LOG RILL_LAYERS RILL_CHECK RILL_FAIL RILL_EXPLORE
work=$(pwd)/tests/command-$name.tmp
rm -rf "$work"
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/tmp"
TMPDIR=$work/tmp
export TMPDIR

# says STATUS WORDS RILL-ARGUMENT...: it ends so, and says these words; all of it is
# in the file `said`, since `expect` has a shell of its own.
says() {
  wanted=$1 words=$2
  shift 2
  said=$("${SHELL:-sh}" "$srcdir/tests/run.sh" "$rill" run "$@" 2>&1)
  status=$?
  printf '%s\n' "$said" > "$work/said"
  if [ "$status" -ne "$wanted" ]; then
    printf '%s\n' "$said" "it ended with $status, not with $wanted"
    return 1
  fi
  case $said in *"$words"*) return 0 ;; esac
  printf '%s\n' "$said" "it does not say: $words"
  return 1
}
