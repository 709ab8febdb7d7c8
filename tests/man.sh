#!/bin/sh
# The manual pages: each public header has one, each public function an entry in it, and a
# typesetter has nothing to complain about. What the pages of section 3 are made from is the
# headers themselves, so what is asked here is asked of the headers in another way.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"

work=$(pwd)/tests/man.tmp
rm -rf "$work"
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"

headers_without_page() {
  for path in "$top_srcdir"/include/rill/*.h; do
    base=${path##*/}
    base=${base%.h}
    page=rill_$base
    [ "$base" != rill ] || page=rill
    { grep -q "^\.In rill/$base\.h\$" "man/$page.3" 2>/dev/null &&
      grep -qF "/$page.3" "$top_srcdir/man/local.mk"; } ||
      echo "<rill/$base.h> has no page; is man/$page.3 in man/local.mk?"
  done
}
expect_empty "each public header has a page" "$(headers_without_page)"

# The functions of the headers are what is in front of a parenthesis in a declaration that
# is exported, or is inline.
functions() {
  cat "$top_srcdir"/include/rill/*.h |
    awk '/^(RILL_API|static inline) / { text = ""; inside = 1 }
         inside { text = text " " $0 }
         inside && /\(/ { sub(/\(.*/, "", text); sub(/.*[ *]/, "", text); print text; inside = 0 }'
}
functions > "$work/functions"
expect "the headers have functions" test "$(wc -l < "$work/functions")" -gt 200

# An entry is a tag in DESCRIPTION, a prototype in SYNOPSIS, and a name by which man finds it.
without_entry() {
  while read -r function; do
    for kind in It\ Fn Fo Nm; do
      cat man/*.3 | grep -qE "^\.$kind $function( ,)?\$" || echo "$function has no .$kind"
    done
    [ -f "man/$function.3" ] || grep -q "^$function rill" man/links ||
      echo "nothing leads from $function to its page"
  done < "$work/functions"
}
expect_empty "each public function has an entry in one" "$(without_entry)"

# Tags with nothing below them: the header has no comment where it needs one.
silent() {
  awk '/^\.It Fn / { tag = tag " " $3; next }
       /^\.El/ && tag != "" { print FILENAME ": nothing is said of" tag }
       { tag = "" }' man/*.3
}
expect_empty "each entry says something" "$(silent)"

unreachable() {
  while read -r name page; do
    [ -f "man/$page.3" ] || echo "$name leads to $page.3, which is not there"
    [ ! -f "man/$name.3" ] || echo "$name is a page and leads to another one"
  done < man/links
}
expect_empty "each name leads to a page" "$(unreachable)"
expect_empty "each name is the library's" "$(grep -v -i '^rill' man/links)"

# references FILE...: pages of ours that they refer to and that are not there.
references() {
  sed -n 's/^\.Xr \(rill[a-z_]*\) \([137]\).*/\1.\2/p' "$@" | sort -u | while read -r name; do
    [ -f "man/$name" ] || [ -f "$top_srcdir/man/$name" ] ||
      grep -q "^${name%.3} " man/links || echo "$name is referred to"
  done
}
expect_empty "no page refers to one that is not there" \
  "$(references man/*.3 "$top_srcdir"/man/*.[17])"

# What the sources ask the environment for.
grep -rhoE --include='*.c' '"RILL_[A-Z_]+"' "$top_srcdir/src" | tr -d '"' |
  grep -E '^RILL_(BACKEND|KERNELS|LOG|(CUDA|SIM|PTX)_[A-Z_]+)$' | sort -u > "$work/settings"
expect "the sources have settings" test "$(wc -l < "$work/settings")" -gt 10

undocumented_settings() {
  while read -r name; do
    cat "$top_srcdir"/man/*.[17] | grep -qE "^\.It Ev $name\$" || echo "$name"
  done < "$work/settings"
}
expect_empty "each variable of the environment is in rill(1) or rill(7)" \
  "$(undocumented_settings)"

# Of man-db, which finds out by itself what a page needs, or else of groff alone.
if man --version 2>/dev/null | grep -q '^man '; then
  complaints() { { man --warnings -E UTF-8 -l -Tutf8 -Z "$1" >/dev/null; } 2>&1; }
elif command -v groff >/dev/null 2>&1; then
  complaints() { { groff -ww -mandoc -Kutf8 -Tutf8 -Z "$1" >/dev/null; } 2>&1; }
else
  complaints=
fi
all_complaints() {
  for page in man/*.3 "$top_srcdir"/man/*.[17]; do
    complaints "$page" | sed "s|^|${page##*/}: |"
  done
}
if [ -n "${complaints-set}" ]; then
  expect_empty "a typesetter has no complaints" "$(all_complaints | head -n 20)"
else
  skip "neither man-db nor groff" "a typesetter has no complaints"
fi

# The program in the overview is one.
awk '/^\.Bd -literal/ { inside = 1; next } /^\.Ed/ { inside = 0 } inside' \
  "$top_srcdir/man/rill.7" | sed 's/\\e/\\/g' > "$work/example.c"
library=.libs/librill-all.a
builds() {
  # shellcheck disable=SC2086
  $CC $instrument -std=c11 -Wall -Wextra -Werror -I"$top_srcdir/include" "$work/example.c" \
    $library $LIBS -pthread -o "$work/example"
}
if [ -f $library ]; then
  expect "the program in rill(7) builds" builds &&
    expect "and says what it is to say" test "$(RILL_BACKEND=sim "$work/example")" = \
      "from the first stream,
then from the second"
else
  skip "no $library" "the program in rill(7) builds"
fi
done_testing
