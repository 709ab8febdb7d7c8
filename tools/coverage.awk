# Reads the report of `gcov -n`: a line per file of src/, then the total.
# A header is reported once for each file that includes it; its best run counts.
/^File / {
  file = $0
  sub(/^File '/, "", file)
  sub(/'$/, "", file)
  if (!match(file, /(^|\/)src\/[^\/]+\/[^\/]+$/)) file = ""
  sub(/^.*\/src\//, "src/", file)
}
/^Lines executed:/ && file != "" {
  split($0, part, /[:% ]+/)
  lines = part[5]
  hit = part[3] * lines / 100
  if (!(file in total) || hit > covered[file]) { total[file] = lines; covered[file] = hit }
  file = ""
}
END {
  for (file in total) {
    printf "%6.1f%% of %5d  %s\n", 100 * covered[file] / total[file], total[file], file | "sort -k4"
    sum += total[file]
    hits += covered[file]
  }
  close("sort -k4")
  if (sum) printf "%6.1f%% of %5d  total\n", 100 * hits / sum, sum
}
