#!/bin/sh
# The architecture: src/rooms and src/PART/rooms list what stands above what, and no file
# includes or calls what is above it. Includes are read from the sources, calls from the
# object files, so that a call up is found whatever header declares it.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"
src=$top_srcdir/src

# All tables as lines "PART ROOM FLOOR"; the parts themselves as "ROOM" of the part "/".
floors() {
  awk '!/^#/ && NF { print "/", $2, $1 }' "$src/rooms"
  for table in "$src"/*/rooms; do
    part=${table%/rooms}
    awk -v part="${part##*/}" '!/^#/ && NF { print part, $2, $1 }' "$table"
  done
}

sources() {
  (cd "$src" && find . -type f \( -name '*.c' -o -name '*.h' -o -name '*.def' \) | sed 's,^\./,,' | sort)
}

# Lines "FROM TO WHY": a file of FROM (PART/ROOM) needs one of TO.
includes() {
  (cd "$src" && sources | xargs grep -H '^#[ ]*include "' /dev/null) |
    sed -n 's/^\([^:]*\):#[ ]*include "\([^"]*\)".*/\1 \2/p' | awk '
      function room(path) {
        if (split(path, step, "/") < 2) return ""
        return step[1] "/" (step[3] == "" ? "." : step[2])
      }
      { from = room($1); to = room($2); if (from != to && to != "") print from, to, $1 " includes " $2 }'
}

# Lines "D SYMBOL PART/ROOM FILE" and "U SYMBOL PART/ROOM FILE": defined, and used.
symbols() {
  find src -name '*.o' -exec nm -A {} + | awk '
    function of_path(path, step, count) {
      sub(/^src\//, "", path); sub(/\.libs\//, "", path); sub(/\.o:.*/, "", path)
      count = split(path, step, "/")
      sub(/^.*_la-/, "", step[count])
      return step[1] "/" (count == 2 ? "." : step[2]) " " step[count]
    }
    { use = $NF; what = $(NF - 1) }
    what ~ /^[TDBRVWC]$/ { print "D", use, of_path($1) }
    what == "U" { print "U", use, of_path($1) }'
}

# What is public anybody may call.
calls() {
  awk '
    $1 == "D" { place[$2] = $3; in_file[$2] = $4 }
    $1 == "U" { used[$2 " " $3 " " $4] }
    END {
      for (use in used) {
        split(use, u, " ")
        if (u[1] in place && place[u[1]] != u[2] && u[1] !~ /^rill_/)
          print u[2], place[u[1]], u[2] "/" u[3] " calls " u[1] " of " in_file[u[1]]
      }
    }' "$1"
}

# The lines whose TO is not below their FROM, and rooms that no table has.
going_up() {
  awk '
    NR == FNR { floor[$1, $2] = $3; has_rooms[$1] = 1; next }
    {
      split($1, from, "/"); split($2, to, "/")
      part = from[1] == to[1] ? from[1] : "/"
      a = part == "/" ? from[1] : from[2]; b = part == "/" ? to[1] : to[2]
      if (!(part in has_rooms)) next
      why = $0; sub(/^[^ ]* [^ ]* /, "", why)
      if (!((part, a) in floor)) print "no table lists " a ": " why
      else if (!((part, b) in floor)) print "no table lists " b ": " why
      else if (floor[part, b] + 0 <= floor[part, a] + 0) print why
    }' floors.tmp "$1" | sort -u
}

# Files of one room that all need each other, more than 15 of them.
circles() {
  awk '
    $1 == "D" { owner[$2, $3] = $4 }
    $1 == "U" { used[$2 " " $3 " " $4] }
    function visit(file, n, next_one, list, i) {
      if (file in seen) return
      seen[file] = 1
      n = split(needs[room, file], list, " ")
      for (i = 1; i <= n; i++) visit(list[i])
    }
    END {
      for (use in used) {
        split(use, u, " ")
        if (!((u[1], u[2]) in owner) || owner[u[1], u[2]] == u[3]) continue
        needs[u[2], u[3]] = needs[u[2], u[3]] " " owner[u[1], u[2]]
        files[u[2] " " u[3]]
      }
      for (f in files) {
        split(f, r, " "); room = r[1]
        delete seen; seen["-"] = 1; visit(r[2])
        for (other in seen) reach[room, r[2], other] = 1
      }
      for (f in files) {
        split(f, r, " "); n = 0
        for (g in files) {
          split(g, s, " ")
          if (r[1] == s[1] && ((r[1], r[2], s[2]) in reach) && ((r[1], s[2], r[2]) in reach)) n++
        }
        if (n > 15 && n > most[r[1]]) most[r[1]] = n
      }
      for (room in most) print room ": " most[room] " files are one circle"
    }' "$1"
}

full_folders() {
  (cd "$top_srcdir" && source_files src tests | grep -E '/(rooms|[^/]*\.[^/]*)$' |
    sed 's,/[^/]*$,,' | sort | uniq -c | awk '$1 > 40 { print $2, "has", $1, "files" }')
}

workspace=$(mktemp -d)
trap 'rm -rf "$workspace"' EXIT
build=$(pwd)
floors >"$workspace/floors.tmp"
includes >"$workspace/includes.tmp"
symbols >"$workspace/symbols.tmp"
cd "$workspace" || exit 1
calls symbols.tmp >calls.tmp

without_table=$(cd "$src" && for part in */; do [ "${part%/}" = "command" ] || [ -f "${part}rooms" ] || echo "$part"; done)
expect_empty "every part has a table of its rooms" "$without_table"
expect_empty "no include goes up" "$(going_up includes.tmp)"
if [ -s symbols.tmp ]; then
  expect_empty "no call goes up" "$(going_up calls.tmp)"
  expect_empty "no circle of more than 15 files in a room" "$(circles symbols.tmp)"
else
  skip "nothing was built in $build" "no call goes up"
fi
expect_empty "no folder with more than 40 files" "$(full_folders)"
done_testing
