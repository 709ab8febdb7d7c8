#!/bin/sh
# The documentation as HTML: `make html` writes the manual and the guides, from whose index
# everything can be reached and in which each link leads to a file, and to an anchor in it.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"

for tool in mandoc lowdown; do
  command -v "$tool" >/dev/null 2>&1 || skip_all "no $tool, without which there is no make html"
done
work=$(pwd)/tests/html.tmp
rm -rf "$work"
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"
html=$work/html

# A make of its own, and not a part of the one that runs the tests.
make_here() {
  (
    unset MAKEFLAGS MFLAGS MAKELEVEL
    make "$@"
  )
}
expect "make html" make_here html "HTML=$html" || {
  done_testing
  exit 0
}

# ---- What there is ----------------------------------------------------------------

missing_pages() {
  for page in "$top_srcdir"/man/*.[17] man/*.3; do
    [ -f "$html/man/${page##*/}.html" ] || echo "${page##*/}"
  done
  (cd "$top_srcdir" && ls README.md NEWS.md doc/*.md doc/internals/*.md) | while read -r guide; do
    [ -f "$html/${guide%.md}.html" ] || echo "$guide"
  done
}
expect_empty "each page of the manual and each guide is a page" "$(missing_pages)"

untitled() {
  find "$html" -name '*.html' | while read -r page; do
    grep -q '<h1' "$page" || echo "${page#"$html"/}"
  done
}
expect_empty "each page has a title and what comes below it" "$(untitled)"

# ---- Links ------------------------------------------------------------------------

# What leads from page to page, and what it leads to: "FILE link LINK" and "FILE id ANCHOR".
(cd "$html" && find . -name '*.html' | sed 's|^\./||' | sort) > "$work/pages"
# The program is for awk.
# shellcheck disable=SC2016
(cd "$html" && xargs awk '{
  while (match($0, /[ "](href|src|id)="[^"]*"/)) {
    word = substr($0, RSTART + 1, RLENGTH - 2)
    $0 = substr($0, RSTART + RLENGTH)
    split(word, part, "=\"")
    print FILENAME, (part[1] == "id" ? "id" : "link"), substr(word, length(part[1]) + 3)
  }
}') < "$work/pages" > "$work/words"

# follow: where each link within the pages leads: "FROM LINK FILE ANCHOR".
follow() {
  awk '$2 == "link" && $3 !~ /^[a-z]+:/ {
    path = anchor = $3
    sub(/#.*/, "", path)
    if (!sub(/^[^#]*#/, "", anchor)) anchor = ""
    folder = $1
    sub(/[^\/]*$/, "", folder)
    path = path == "" ? $1 : folder path
    while (sub(/[^\/]+\/\.\.\//, "", path)) {}
    print $1, $3, path, anchor
  }' "$work/words" | sort -u
}
follow > "$work/followed"
expect "pages lead to pages" test "$(wc -l < "$work/followed")" -gt 1000

dead_links() {
  (cd "$html" && find . -type f | sed 's|^\./||') > "$work/files"
  awk -v html="$html" '
    FILENAME == ARGV[1] { there[$1] = 1; next }
    FILENAME == ARGV[2] { if ($2 == "id") id[$1 "#" $3] = 1; next }
    !($3 in there) { print $1 " leads to " $2 ", which is not there"; next }
    $4 != "" && !($3 "#" $4 in id) { print $1 " leads to " $2 ", which has no such place" }
  ' "$work/files" "$work/words" "$work/followed"
}
expect_empty "no link leads nowhere" "$(dead_links | head -n 20)"

unreached() {
  awk 'FILENAME == ARGV[1] { if ($1 == "index.html") led[$3] = 1; next }
       $1 != "index.html" && !($1 in led)' "$work/followed" "$work/pages"
}
expect_empty "the index leads to each page" "$(unreached)"

unnamed() {
  while read -r name page; do
    grep -qE "^index\.html man/$page\.3\.html(#$name)? " "$work/followed" || echo "$name"
  done < man/links
}
expect_empty "and to each function" "$(unnamed)"

twice() {
  awk '$2 == "id" && seen[$1, $3]++ { print $1 " has " $3 " twice" }' "$work/words"
}
expect_empty "no anchor is there twice in a page" "$(twice | head -n 20)"

# ---- make install-html --------------------------------------------------------------

installs() {
  make_here install-html "HTML=$html" "DESTDIR=$work/tree" &&
    diff -r "$html" "$work/tree$htmldir/html"
}
expect "make install-html" installs

uninstalls() {
  make_here uninstall-html "DESTDIR=$work/tree" &&
    { [ ! -d "$work/tree" ] || ! find "$work/tree" -type f | grep .; }
}
expect "make uninstall-html leaves nothing" uninstalls
done_testing
