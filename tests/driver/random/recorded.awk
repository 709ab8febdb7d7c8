# SPDX-License-Identifier: Apache-2.0
#
# Hashes of random sequences beside those of hardware, as TAP, a test for each area:
#     awk -f recorded.awk recorded.txt open.txt got.txt
# A seed that differs and is not listed in open.txt fails its area.

function key() { return $1 " " $2 }

FILENAME == ARGV[1] && NF == 3 && !/^#/ {
  recorded[key()] = $3
  seeds[++count] = key()
  if (!($1 in total)) areas[++kinds] = $1
  total[$1]++
  next
}

# "area seed"
FILENAME == ARGV[2] && NF && !/^#/ { open[key()] = 1; next }

FILENAME == ARGV[3] { got[key()] = $3 }

END {
  for (i = 1; i <= count; i++) {
    k = seeds[i]
    split(k, part, " ")
    alike = (got[k] == recorded[k])
    right[part[1]] += alike
    if (!alike && !(k in open)) wrong[part[1]] = wrong[part[1]] " " part[2]
    if (alike && (k in open)) print "# " k " is as on hardware: strike it from open.txt"
  }
  for (i = 1; i <= kinds; i++) {
    a = areas[i]
    print (a in wrong ? "not ok " : "ok ") i + first " - " a ": " right[a] " of " total[a] " seeds"
    if (a in wrong) print "# not as on hardware, and not in open.txt:" wrong[a]
  }
}
