# SPDX-License-Identifier: Apache-2.0
#
# Two texts of the same seeds:
#     awk -f compare.awk [-v seed=N] [-v lines=6] hardware.txt simulator.txt
# The first line of each seed in which they differ, grouped by call and by what the two
# said; the most frequent first, each with the first seed that has it and the lines before
# that name what the call names.  With a seed: that one, as far as both agree.

function key_of(line,    k) {
  if (line !~ /^[0-9]+ [AB] /) return line
  sub(/^[0-9]+ [AB] /, "", line)
  sub(/\(.*/, "", line)
  return line
}

# The result, and whether more than that differs.
function result_of(line,    at) {
  at = index(line, ") = ")
  if (!at) return line == "" ? "nothing" : "?"
  line = substr(line, at + 4)
  sub(/ .*/, "", line)
  return line
}

/^# [a-z]+ [0-9]+$/ {
  current = $3
  if (FILENAME == ARGV[1]) order[++seeds] = current
  else there[current] = 1
  area = $2
  next
}

/^$/ { next }

FILENAME == ARGV[1] { left[current, ++lefts[current]] = $0; next }
{ right[current, ++rights[current]] = $0 }

# The first line that differs, or 0.  Where the first driver crashed it was asked too much.
function differs(s,    i, n) {
  if (left[s, lefts[s]] ~ /: signal/) {
    crashes++
    for (i = 1; i < lefts[s] - 1; i++) if (left[s, i] != right[s, i]) return i
    return 0
  }
  n = lefts[s] > rights[s] ? lefts[s] : rights[s]
  for (i = 1; i <= n; i++) if (left[s, i] != right[s, i]) return i
  return 0
}

# Lines before it that name one of its objects.
function context(s, at,    names, n, i, k, shown, keep) {
  n = split(left[s, at] " " right[s, at], names, /[^a-z0-9]+/)
  shown = 0
  for (i = at - 1; i > 0 && shown < lines; i--) {
    for (k = 1; k <= n; k++) {
      if (names[k] !~ /^[a-z][0-9]+$/ || names[k] ~ /^c[01]$/) continue
      if (left[s, i] ~ "(^|[^a-z0-9])" names[k] "([^0-9]|$)") {
        keep[i] = 1
        shown++
        break
      }
    }
  }
  for (i = 1; i < at; i++) if (i in keep) print "    " left[s, i]
  print "  < " left[s, at]
  print "  > " right[s, at]
}

END {
  if (!lines) lines = 6
  if (seed != "") {
    at = differs(seed)
    for (i = 1; i <= lefts[seed] && (!at || i < at); i++) print "    " left[seed, i]
    if (at) print "  < " left[seed, at] "\n  > " right[seed, at]
    exit
  }
  for (i = 1; i <= seeds; i++) {
    s = order[i]
    if (!there[s]) { missing++; continue }
    compared++
    at = differs(s)
    if (!at) continue
    different++
    a = result_of(left[s, at])
    b = result_of(right[s, at])
    if (a == b) b = b ", but else"
    cause = key_of(left[s, at]) ": " a " | " b
    if (!count[cause]++) {
      causes[++kinds] = cause
      example[cause] = s
      place[cause] = at
    }
  }
  printf "%d seeds, %d differ, %d are only in the first", compared, different, missing
  print "; the first crashed in " crashes + 0
  for (; kinds > 0; kinds--) {
    best = 1
    for (k = 2; k <= kinds; k++) if (count[causes[k]] > count[causes[best]]) best = k
    cause = causes[best]
    printf "\n%d seeds: %s (seed %s)\n", count[cause], cause, example[cause]
    context(example[cause], place[cause])
    causes[best] = causes[kinds]
  }
}
