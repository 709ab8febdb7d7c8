# SPDX-License-Identifier: Apache-2.0
#
# Prints what reports of the layer check say of a program and a list has no reason for.
# Input: the list, then the reports.  An entry of the list is a line
#
#   PROGRAM: words of a report, with " & " between them: why
#
# An entry that no report fits is printed, too.  -v program=PROGRAM; assumed=1 leaves out reports
# of what was assumed, short=1 what is said where memory is short.

function is_listed(report,    i, k, count, words, fits) {
  if (assumed && index(report, "assumed from the arguments")) return 1
  for (i = 1; i <= entries; i++) {
    count = split(entry[i], words, " & ")
    fits = 1
    for (k = 1; k <= count; k++) if (!index(report, words[k])) fits = 0
    if (fits) return met[i] = 1
  }
  return 0
}

function end_report() {
  if (report != "" && !is_listed(report)) printf "%s", report
  report = ""
}

!/^==rill==/ {
  if (index($0, program ": ") == 1) {
    line = substr($0, length(program) + 3)
    sub(/: [^:]*$/, "", line)
    entry[++entries] = line
  }
  next
}
/^==rill== (race|lifetime|capture|hang|init|leak):/ { end_report(); inside = 1 }
/^==rill==$/ || /^==rill== [0-9]+ finding/ { end_report(); inside = 0 }
inside { report = report $0 "\n" }
/^==rill== (checking stopped|touches of pinned memory were not|[0-9]+ touch)/ && !short { print }
/^==rill== a system call failed with EFAULT/ { print }
END {
  end_report()
  for (i = 1; i <= entries; i++) if (!met[i]) print "listed, and not reported: " entry[i]
}
