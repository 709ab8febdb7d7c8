# SPDX-License-Identifier: Apache-2.0
#
# What a driver answered beside what hardware answered, as TAP, a test for each case:
#     awk -f answers.awk expected.txt differs.txt got.txt
# A case that differs is a failed test; one that differs and is listed in
# differs.txt is a known failure (TODO); one that is listed and does not differ is a
# failed test, too, until it is struck from the list. Ends with the share of each
# group.

# The name is what stands before the first colon, the rest are observations.
function name_of(line) { return substr(line, 1, index(line, ":") - 1) }
function said(line) { return substr(line, index(line, ":") + 1) }

function group_of(name) { return substr(name, 1, index(name, ".") - 1) }

FILENAME == ARGV[1] && /:/ {
  names[++count] = name_of($0)
  expected[names[count]] = said($0)
}

# "group.name  why"; a reason is not optional.
FILENAME == ARGV[2] && NF && !/^#/ {
  name = $1
  $1 = ""
  reason[name] = substr($0, 2)
  if (name in expected && reason[name] != "") next
  print "# differs.txt: " name (name in expected ? " has no reason" : " is no case")
  unfit++
}

FILENAME == ARGV[3] && /:/ { got[name_of($0)] = said($0) }

# How many of the case's observations are as expected, and which is the first that is
# not.
function compare(name,    want, have, n, m, i) {
  n = split(expected[name], want)
  m = split(got[name], have)
  alike = first = 0
  for (i = 1; i <= n || i <= m; i++) {
    if (i <= n && i <= m && want[i] == have[i]) alike++
    else if (!first) first = i
  }
  what = first <= n ? want[first] : "nothing"
  instead = first <= m ? have[first] : "nothing"
  return n
}

function report(number, name) {
  if (!first) {
    print (name in reason ? "not ok " : "ok ") number " - " name
    if (name in reason) print "# it answers as hardware does: strike it from differs.txt"
    return
  }
  print "not ok " number " - " name (name in reason ? " # TODO " reason[name] : "")
  print "# observation " first ": expected " what ", got " instead
  if (name in reason) return
  print "# expected:" expected[name]
  print "#      got:" (name in got ? got[name] : " no line at all")
}

# share GROUP: a line for people.
function share(group) {
  printf "# %-9s %4d of %4d cases, %5d of %5d observations\n", group,
    right[group], cases[group], seen[group], asked[group]
}

END {
  # The test of the list itself is the last.
  print "1.." count + 1
  for (i = 1; i <= count; i++) {
    n = compare(names[i])
    report(i, names[i])
    group = group_of(names[i])
    if (!(group in cases)) groups[++kinds] = group
    split(group " total", both)
    for (b in both) {
      cases[both[b]]++
      right[both[b]] += !first
      asked[both[b]] += n
      seen[both[b]] += alike
    }
  }
  print (unfit || !count ? "not ok " : "ok ") count + 1 " - differs.txt lists cases, with reasons"
  for (i = 1; i <= kinds; i++) share(groups[i])
  share("total")
}
