#!/bin/sh
# What people read: links lead somewhere, nothing stands in for what was to be filled in,
# words are spelled as a dictionary has them, and pages are as mandoc wants them.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"
pages=$(pwd)/man
cd "$top_srcdir" || exit 1

# Files of a checkout, or of a release tarball.
if [ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$(pwd -P)" ]; then
  checkout=yes
  files=$(git ls-files --cached --others --exclude-standard | sort -u)
elif [ -f configure ]; then
  checkout=no
  files=$(find ./*.md cmake doc examples include man src tests tools -type f | sort -u)
else
  skip_all "neither a git checkout nor a release tarball"
fi

# of PATTERN: the files whose path matches and that are there. No path has a blank.
of() {
  for file in $(echo "$files" | grep -E "$1"); do
    [ -f "$file" ] && echo "$file"
  done
}

# ---- Links ------------------------------------------------------------------------

# headings FILE: what links into it can name: headings, as sites that show Markdown make
# anchors of them, and anchors that are written down.
headings() {
  awk '
    /^```/ { code = !code }
    !code && /^#+ / {
      sub(/^#+ /, "")
      $0 = tolower($0)
      while (match($0, /\]\([^)]*\)/)) $0 = substr($0, 1, RSTART) substr($0, RSTART + RLENGTH)
      gsub(/[^a-z0-9_ -]/, "")
      gsub(/ /, "-")
      print
    }
    { while (match($0, /<a id="[^"]*"/)) {
        print substr($0, RSTART + 7, RLENGTH - 8)
        $0 = substr($0, RSTART + RLENGTH)
      } }' "$1"
}

# links FILE: where it leads, outside of blocks of code, but not to other sites.
links() {
  awk '/^```/ { code = !code }
       !code { while (match($0, /\]\([^) ]+\)/)) {
           print substr($0, RSTART + 2, RLENGTH - 3)
           $0 = substr($0, RSTART + RLENGTH)
         } }' "$1" | grep -vE '^[a-z]+:' | sort -u
}

# A tarball lacks debian/ and what is only for a checkout; there the documents are the same.
dead_links() {
  for page in $(of '\.md$'); do
    folder=$(dirname "$page")
    links "$page" | while read -r link; do
      target=${link%%#*}
      path=$page
      [ -z "$target" ] || path=$folder/$target
      if [ ! -e "$path" ]; then
        [ "$checkout" = no ] || echo "$page leads to $target, which is not there"
        continue
      fi
      case $link in
      *.md#* | '#'*)
        headings "$path" | grep -qxF -e "${link#*#}" ||
          echo "$page leads to $link, and there is no such heading"
        ;;
      esac
    done
  done
}
expect "there are pages with links" test -n "$(links README.md)"
expect_empty "no link leads nowhere" "$(dead_links)"

# ---- Words ------------------------------------------------------------------------

# An address that reaches nobody, put together here so that this file is clean.
placeholders() {
  # shellcheck disable=SC2046
  grep -nIE "[a-z]@([a-z.-]*exam""ple|local""host)([^a-z]|\$)|TO""DO:|FIX""ME" $(of .) /dev/null
}
expect_empty "nothing is left to be filled in" "$(placeholders | head -n 20)"

# tests/spelling.words has names of variables and of macros, and words cut short, that the
# program takes for mistakes. What a compiler made, drawings, and measurements have no words.
misspelled() {
  # shellcheck disable=SC2046
  codespell -I tests/spelling.words $(of . |
    grep -vE '\.(ptx|svg|txt|tsv|json|symbols|words)$|sample_|^(LICENSE|configure)') 2>&1
}
if command -v codespell >/dev/null 2>&1; then
  expect_empty "codespell finds no mistake" "$(misspelled | head -n 20)"
else
  skip "no codespell" "codespell finds no mistake"
fi

# ---- Manual pages -----------------------------------------------------------------

if command -v mandoc >/dev/null 2>&1; then
  expect_empty "mandoc has no complaints" \
    "$(mandoc -T lint -W warning man/*.[17] "$pages"/*.3 2>&1 | head -n 20)"
else
  skip "no mandoc" "mandoc has no complaints"
fi
done_testing
