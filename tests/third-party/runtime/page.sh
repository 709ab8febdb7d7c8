# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# Writes doc/third-party-runtime.md from the lists and from what `run.sh` made of each program.
# shellcheck disable=SC2154

# count_judged SUITE WORDS
count_judged() {
  grep -cE "^($2) " "$work/$1.judged"
}

# page_of_right SUITE WORD TITLE: a table of what they were called with and what they said.
page_of_right() {
  [ "$(count_judged "$1" "$2")" -gt 0 ] || return 0
  printf '\n%s\n\n| program | called with | says |\n|---|---|---|\n' "$3"
  grep "^$2 " "$work/$1.judged" | cut -d ' ' -f 2 > "$work/$1.right"
  lines_of "$1" | awk -F '|' '
    function code(words) { gsub(/\|/, "\\|", words); return words == "" ? "" : "`" words "`" }
    FILENAME == ARGV[1] { right[$1] = 1; next }
    $2 in right { print "| " code($2) " | " code($3) " | " code($4) " |" }
  ' "$work/$1.right" -
}

# page_of_others SUITE WORDS TITLE: a line for each, with the reason.
page_of_others() {
  [ "$(count_judged "$1" "$2")" -gt 0 ] || return 0
  printf '\n%s\n\n' "$3"
  programs='' lines_of "$1" | awk -F '|' -v wanted="$2" '
    $1 == wanted { print "- `" $2 "`: " (wanted == "not" ? $3 : $6) }'
}

# The list of reports as rows of a table.
page_of_reports() {
  printf '\n## What is reported\n\n| program | report of the checker | why |\n|---|---|---|\n'
  # shellcheck disable=SC2016 # nothing is to expand
  sed -n '/^#/d; s/^\([^:]*\): \(.*\): \([^:]*\)$/| `\1` | \2 | \3 |/p' "$lists/reports.txt" |
    sed 's/ & /, /g'
}

write_runtime_page() {
  cat << 'END'
# Suites of the CUDA runtime

`tools/third-party --runtime DIR` builds programs of these suites with nvcc, as its default is
(CUDA's own runtime inside the program, which [rill run](runtime.md) redirects), runs them over
`rill run`, and wrote this page with `--write`. DIR is a folder with the suites as they were
fetched. A program is right if it ends with status 0, says what the table says, and reports no
failure. The lists are in `tests/third-party/runtime`; the tool fails when a program that is
listed as right is not, and when one that is listed as wrong is.

With `--check` they run under [the layer check](checking.md), which this page is written of. What
it reports is below, with the reason from `tests/third-party/runtime/reports.txt`; a program of
which it reports anything else is not right, nor is one that leaves no report.

Arguments are smaller than those of the suites' own scripts, for a simulated GPU is slower than
a real one. The times that the reasons name are those of a busy machine with two processors.
The lists were made with CUDA 13.0, cuda-samples at c94ff366, HeCBench at f27000a5
and ggml at d99724f2. With nvcc 11.8, which Debian 12 has, 184 of the 191 programs of HeCBench
are right that are right below: five do not compile with it, and two compute with `__half` on
the host, where code of 11.8 ends the program. Of cuda-samples 36 of 37 that were tried end with
status 0; `reduction` does not compile with it.

The two programs called `interval`, and `warpsort`, need Boost's headers where the compiler looks
(`CPATH`).

| suite | right | end | known to fail | not run |
|---|---|---|---|---|
END
  for suite in $all_suites; do
    echo "| [$suite](#$(echo "$suite" | tr '[:upper:]' '[:lower:]')) |" \
      "$(count_judged "$suite" pass) | $(count_judged "$suite" ends) |" \
      "$(count_judged "$suite" known) |" \
      "$(count_judged "$suite" not) |"
  done
  for suite in $all_suites; do
    printf '\n## %s\n\n%s.\n' "$suite" "$(suite_title "$suite")"
    page_of_right "$suite" pass 'Right, by what they check themselves:'
    page_of_right "$suite" ends 'Those that end, and check nothing:'
    page_of_others "$suite" known 'Known to fail:'
    page_of_others "$suite" not 'Not run:'
  done
  page_of_reports
}
