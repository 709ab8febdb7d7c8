#!/bin/sh
# House rules that a script can check, over the files of a checkout or a tarball.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"
cd "$top_srcdir" || exit 1

# In a checkout git knows which files are meant; a tarball has no others, but what was built in
# it. A tarball that was unpacked inside somebody's checkout is not that checkout.
if [ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$(pwd -P)" ]; then
  files=$(git ls-files --cached --others --exclude-standard | sort -u)
elif [ -f configure ]; then
  files=$(source_files include src tests bench examples tools m4 .ci bootstrap configure.ac \
    Makefile.am | grep -v '^m4/\(libtool\|lt.*\)\.m4$')
else
  skip_all "neither a git checkout nor a release tarball"
fi

# of PATTERN: the files whose path matches and that are there. No path has a blank.
of() {
  for file in $(echo "$files" | grep -E "$1"); do
    [ -f "$file" ] && echo "$file"
  done
}

# in_files PATTERN-OF-PATHS GREP-ARGUMENTS...: grep in these files.
in_files() {
  in_these=$(of "$1")
  shift
  # shellcheck disable=SC2086
  [ -z "$in_these" ] || grep -n "$@" $in_these /dev/null
}

blank=$(printf '[ \t]')
tab=$(printf '\t')
expect_empty "no tab in C files" "$(in_files '\.(c|h|cpp|hpp)$' "$tab" | head -n 20)"
expect_empty "no blank at the end of a line" \
  "$(in_files '(\.(c|h|cpp|hpp|sh|mk|m4|ac|am|in)|^tools/.*|^\.ci/.*|^bootstrap)$' "$blank\$" | head -n 20)"

long_lines() {
  for file in $(of '^(src|tests)/.*\.(c|h|cpp|hpp)$'); do
    awk -v file="$file" 'length($0) > 100 { print file ":" FNR }' "$file"
  done
}
expect_empty "no line of src/ or tests/ over 100 columns" "$(long_lines | head -n 20)"

# Paths of the machines that the authors work on, put together here so that this
# file is clean itself.
machine=
for folder in work farm root; do machine="$machine${machine:+|}/$folder/"; done
expect_empty "no path of somebody's machine" "$(in_files . -IE "$machine" | head -n 20)"

# Where packages come from is asked of the system that a script runs on.
archives='//[a-z.-]*(debian\.org|ubuntu\.com)/(debian|ubuntu)|//[a-z.-]*(pypi\.org|npmjs\.|crates\.io)'
expect_empty "no host of an archive of packages" "$(in_files . -IE "$archives" | head -n 20)"

long=$(for file in $(of '^src/.*\.[ch]$'); do
  awk -v file="$file" 'END { if (NR > 450) print NR, file }' "$file"
done)
expect_empty "no file of src/ over 500 lines" "$(echo "$long" | awk '$1 > 500')"
[ -z "$long" ] || echo "$long" | sed 's/^/# worth splitting: /'

expect_empty "src/ does not look into tests/" \
  "$(in_files '^src/.*\.[ch]$' -E '#[[:space:]]*include[[:space:]]*[<"](tests|support|cmocka)' )"

# A source that no fragment lists is missing from the tarball, too.
unlisted() {
  for file in $(of '^(src|include|tests|bench|examples)/.*\.(c|h|cpp|hpp|cu|ptx|txt)$'); do
    part=${file%%/*}
    name=${file#"$part"/}
    fragments=$part/local.mk
    case $part/$name in
    src/*/* | tests/*/*) fragments="$part/${name%%/*}/local.mk" name=${name#*/} ;;
    esac
    stem=${name%.c} stem=${stem%.cpp}
    grep -qE "%D%/$stem(\\.c|\\.cpp)?([[:space:]]|\$)" "$fragments" || echo "$file is not in $fragments"
  done
}
expect_empty "every source is listed in its fragment" "$(unlisted)"

if command -v shellcheck >/dev/null 2>&1; then
  scripts=$(of '(\.sh$|^tools/(bench|check|check-bare|check-gpu|check-packaging|demo|make-ptx|measure-schedules|third-party)$|^\.ci/run$|^bootstrap$)')
  # shellcheck disable=SC2086
  expect "shellcheck" shellcheck -x $scripts
else
  skip "not installed" "shellcheck"
fi
done_testing
